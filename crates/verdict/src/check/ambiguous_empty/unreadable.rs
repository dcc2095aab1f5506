//! A pattern that cannot be read, and so matches nothing.

use serde_json::Value;

use crate::check::reading::Exchange;
use crate::names::{has_word, words};

/// Words in the names of parameters that hold a regular expression.
const NAMES: &[&str] = &["pattern", "regex", "regexp"];
/// How a definition says that a text is one.
const SAID: &[&str] = &["regex", "regular expression"];

/// Whether an argument is a regular expression by its definition, and cannot be read as one.
pub(super) fn is_unreadable(exchange: &Exchange<'_>, name: &str, value: &str) -> bool {
    let Some(tool) = exchange.tool else { return false };
    let is_named = has_word(name, NAMES);
    let schema = tool.parameters().find(|(parameter, _)| *parameter == name).map(|(_, schema)| schema);
    let own = schema.and_then(|schema| schema.get("description")?.as_str()).unwrap_or_default();
    let says = |text: &str| SAID.iter().any(|said| text.to_lowercase().contains(said));
    // A flag may ask for it to be taken as a plain text.
    let literally = exchange.call.arguments.into_iter().flatten().any(|(name, flag)| {
        let is_about =
            words(name).iter().any(|word| matches!(word.as_str(), "fixed" | "literal" | "plain" | "regex"));
        is_about && flag.is_boolean()
    });
    is_named && (says(own) || says(tool.description())) && !literally && !compiles(value)
}

fn compiles(pattern: &str) -> bool {
    jsonschema::validator_for(&Value::from_iter([("pattern", pattern)])).is_ok()
}
