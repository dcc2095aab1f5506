//! Whether a definition can be listed and enforced. What may not enter: calls.

use serde_json::{Map, Value, json};

use super::arguments::Arguments;
use super::closed::close;
use super::promise::Promise;
use crate::ToolDef;
use crate::shown::{named, shown};

/// The longest name that the protocol allows.
const LONGEST_NAME: usize = 128;

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Why a tool cannot be added to a [`Registry`](super::Registry).
///
/// ```
/// use frankly_contract::{NoArguments, Registry, Tool};
///
/// let ping = || Tool::typed("ping", "Answers pong.", |_: NoArguments| async { Ok("pong") });
/// let mut registry = Registry::new();
/// let error = registry.add(ping())?.add(ping()).unwrap_err();
/// assert_eq!(error.to_string(), "there is already a tool named `ping`: give each its own name");
/// # Ok::<(), frankly_contract::InvalidTool>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTool {
    /// The name is one that the protocol does not allow.
    #[error("{} is no name for a tool: use 1 to 128 of A-Z, a-z, 0-9, `_`, `-` and `.`", shown(.name))]
    Name {
        /// The name as it was given; empty when there is none.
        name: String,
    },
    /// There is no description.
    #[error("{} has no description: say what it does and when to use it", named(.name))]
    NoDescription {
        /// The tool's name.
        name: String,
    },
    /// Another tool has the same name.
    #[error("there is already a tool named {}: give each its own name", named(.name))]
    Duplicate {
        /// The name of both.
        name: String,
    },
    /// The input or the output schema cannot be used.
    #[error("the {which} schema of {} is wrong at {}: {problem}", named(.name), if pointer.is_empty() { "its root" } else { pointer })]
    #[non_exhaustive]
    Schema {
        /// The tool's name.
        name: String,
        /// `input` or `output`.
        which: &'static str,
        /// Where, as a JSON pointer into the schema; empty for the whole.
        pointer: String,
        /// What is wrong.
        problem: String,
    },
}

/// A definition that can be listed, and what holds calls against it.
pub(super) struct Checked {
    /// As it will be listed.
    pub definition: ToolDef,
    pub arguments: Arguments,
    pub promise: Option<Promise>,
}

/// The definition closed, if it can be listed and enforced.
pub(super) fn check(mut definition: Map<String, Value>) -> Result<Checked, InvalidTool> {
    let raw = ToolDef::from_raw(Value::Object(definition.clone()));
    let name = raw.name().to_owned();
    let usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(usual) {
        return Err(InvalidTool::Name { name });
    }
    if raw.description().trim().is_empty() {
        return Err(InvalidTool::NoDescription { name });
    }
    let mut input = raw.input_schema().cloned().unwrap_or_default();
    check_root("input", &name, &input)?;
    close(&mut input).map_err(|pointer| InvalidTool::Schema {
        name: name.clone(),
        which: "input",
        pointer,
        problem:
            "it is an object by itself, and another one refers to it as a part of its own; move it to `$defs`"
                .to_owned(),
    })?;
    let arguments = Arguments::new(&name, input.clone()).map_err(schema_error("input", &name))?;
    let promise = match raw.output_schema() {
        Some(output) => {
            check_root("output", &name, output)?;
            Some(Promise::new(&name, output).map_err(schema_error("output", &name))?)
        }
        None => None,
    };
    definition.insert("inputSchema".to_owned(), input);
    Ok(Checked { definition: ToolDef::from_raw(Value::Object(definition)), arguments, promise })
}

/// The protocol wants an object at the root, and this registry reads one dialect.
fn check_root(which: &'static str, name: &str, schema: &Value) -> Result<(), InvalidTool> {
    let wrong = |pointer: &str, problem: String| {
        Err(InvalidTool::Schema { name: name.to_owned(), which, pointer: pointer.to_owned(), problem })
    };
    if schema.get("type") != Some(&json!("object")) {
        return wrong("", "it does not say `\"type\": \"object\"`, which the protocol asks for".to_owned());
    }
    match schema.get("$schema") {
        Some(dialect) if dialect.as_str().map(|uri| uri.trim_end_matches('#')) != Some(DIALECT) => wrong(
            "/$schema",
            format!("schemas are read as draft 2020-12, not as {dialect}; leave `$schema` out"),
        ),
        _ => Ok(()),
    }
}

fn schema_error<'a>(
    which: &'static str,
    name: &'a str,
) -> impl Fn(jsonschema::ValidationError<'static>) -> InvalidTool + 'a {
    move |error| InvalidTool::Schema {
        name: name.to_owned(),
        which,
        pointer: error.instance_path().to_string(),
        problem: error.to_string(),
    }
}
