//! Holds arguments against a schema. What may not enter: repairs. What does not fit is refused as it was sent.

use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::closed::{in_place_of, token};
use super::effort::is_too_much;
use super::reader::{Reader, Violations};
use super::violation::{Step, Violation};
use crate::{Code, ToolError};

/// So many violations are told in the text of an error, and so many in its details.
const TOLD: usize = 8;
const DETAILED: usize = 100;

/// What the arguments of one tool must be.
pub(super) struct Arguments {
    tool: String,
    schema: Value,
    validator: Validator,
}

impl Arguments {
    /// Compiles the schema.
    pub fn new(tool: &str, schema: Value) -> Result<Self, ValidationError<'static>> {
        let validator = options().build(&schema)?;
        Ok(Self { tool: tool.to_owned(), schema, validator })
    }

    /// The arguments if they fit, else one error that names everything that does not.
    pub fn check(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        let sent = Value::Object(arguments);
        if !self.validator.is_valid(&sent) {
            return Err(refusal(&self.violations(&sent)));
        }
        match sent {
            Value::Object(arguments) => Ok(arguments),
            _ => Ok(Map::new()),
        }
    }

    /// Everything that does not fit. What takes too long to explain is only named, and the rest explained without it.
    fn violations(&self, sent: &Value) -> Violations {
        if !is_too_much(&self.schema, &self.schema, sent) {
            return self.explained(sent);
        }
        let reader = Reader { tool: &self.tool, schema: &self.schema, sent };
        let large = self.too_much(sent);
        let mut told: Vec<Violation> = large
            .iter()
            .filter(|large| !large.fits)
            .map(|large| reader.unexplained(&large.place, large.schema))
            .collect();
        let is_large = |place: &str| large.iter().any(|large| large.place == place);
        let mut rest = sent.clone();
        if let Value::Object(members) = &mut rest {
            members.retain(|name, _| !is_large(&format!("/{}", token(name))));
        }
        let mut count = told.len();
        // What is asked of all of them together may depend on what is left out here.
        let apart =
            |members: &Map<String, Value>| in_place_of(members).is_empty() && !members.contains_key("$ref");
        if self.schema.as_object().is_some_and(apart) && !is_too_much(&self.schema, &self.schema, &rest) {
            let Violations { told: others, count: all } = self.explained(&rest);
            let (before, cut) = (told.len(), all - others.len());
            let alone =
                |violation: &Violation| !violation.pointer.is_empty() && !is_large(&violation.pointer);
            told.extend(others.into_iter().filter(alone));
            count += told.len() - before + cut;
        }
        if told.is_empty() {
            told.push(reader.unexplained("", &self.schema));
            count = 1;
        }
        Violations { told, count }
    }

    fn explained(&self, sent: &Value) -> Violations {
        let reader = Reader { tool: &self.tool, schema: &self.schema, sent };
        let errors: Vec<ValidationError<'_>> = self.validator.iter_errors(sent).collect();
        reader.violations(&errors, DETAILED)
    }

    /// The arguments that take too long to explain.
    fn too_much(&self, sent: &Value) -> Vec<Large<'_>> {
        let Ok(validators) = options().build_map(&self.schema) else { return Vec::new() };
        let properties = self.schema.get("properties").and_then(Value::as_object);
        let known = properties.into_iter().flatten().filter_map(|(name, schema)| {
            let value = sent.get(name).filter(|value| is_too_much(&self.schema, schema, value))?;
            let place = format!("/{}", token(name));
            let fits = validators.get(&format!("#/properties{place}"))?.is_valid(value);
            Some(Large { place, schema, fits })
        });
        known.collect()
    }
}

/// An argument that takes too long to explain.
struct Large<'a> {
    place: String,
    schema: &'a Value,
    fits: bool,
}

/// Draft 2020-12, formats enforced, nothing fetched.
fn options() -> jsonschema::ValidationOptions<'static> {
    jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true)
}

/// The one error for all that does not fit.
pub(super) fn refusal(violations: &Violations) -> ToolError {
    let (what, next) = match &violations.told[..] {
        [only] => (only.problem.clone(), only.next.to_string()),
        several => {
            let told = &several[..several.len().min(TOLD)];
            let problems: Vec<String> = told.iter().map(Violation::aloud).collect();
            let more = match violations.count - told.len() {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let what = format!("{} things do not fit: {}{more}", violations.count, problems.join("; "));
            (what, Step::all(told.iter().map(|violation| &violation.next)))
        }
    };
    let meant = match &violations.told[..] {
        [only] => only.did_you_mean.clone(),
        _ => None,
    };
    let detailed: Vec<Value> = violations.told.iter().map(Violation::to_json).collect();
    let error = ToolError::new(Code::InvalidArgs, what, next).meaning(meant).with_violations(json!(detailed));
    match violations.count - violations.told.len() {
        0 => error,
        more => error.with_detail("violations_left_out", more),
    }
}
