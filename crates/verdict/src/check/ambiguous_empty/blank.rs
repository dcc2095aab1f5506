//! Blanks that a model fills in for what it does not want to say, and that a tool takes for a value to filter by.

use serde_json::{Map, Value};

use crate::check::reading::Exchange;
use crate::names::has_word;

/// Words of a description that says what a blank stands for.
const SAID: &[&str] = &["blank", "clear", "empty", "omit"];

/// The arguments of a call without its blanks.
pub(in crate::check) struct WithoutBlanks<'a> {
    /// The names of those that are blank.
    pub blank: Vec<&'a str>,
    /// What is left.
    pub rest: Map<String, Value>,
    /// Whether each of them is an empty text, which stands for no value anywhere; `false` may be one.
    pub is_certain: bool,
}

impl<'a> WithoutBlanks<'a> {
    /// The call without its blanks, at first without those that can be nothing else; nothing where none is blank, or the
    /// definition says what a blank stands for.
    pub fn of(exchange: &Exchange<'a>) -> Vec<Self> {
        let Some(arguments) = exchange.call.arguments else { return Vec::new() };
        let texts = |value: &Value| value.as_str().is_some_and(|text| text.trim().is_empty());
        let fillers = |value: &Value| texts(value) || matches!(value, Value::Null | Value::Bool(false));
        let mut found: Vec<Self> = Vec::new();
        for (is_blank, is_certain) in [(&texts as &dyn Fn(&Value) -> bool, true), (&fillers, false)] {
            let is_blank = |name: &str, value: &Value| is_blank(value) && is_optional(exchange, name);
            let blank: Vec<&str> = arguments
                .iter()
                .filter(|(name, value)| is_blank(name, value))
                .map(|(name, _)| name.as_str())
                .collect();
            let rest = arguments.iter().filter(|(name, value)| !is_blank(name, value));
            let rest: Map<String, Value> = rest.map(|(name, value)| (name.clone(), value.clone())).collect();
            if !blank.is_empty() && found.iter().all(|known| known.blank != blank) {
                found.push(Self { blank, rest, is_certain });
            }
        }
        found
    }
}

/// Whether an argument may be left out, and nothing says what a blank stands for.
fn is_optional(exchange: &Exchange<'_>, name: &str) -> bool {
    let Some(tool) = exchange.tool else { return true };
    let schema = tool.parameters().find(|(parameter, _)| *parameter == name).map(|(_, schema)| schema);
    let description = schema.and_then(|schema| schema.get("description")?.as_str()).unwrap_or_default();
    let said = has_word(description, SAID);
    let has_blank_value = schema
        .and_then(|schema| schema.get("enum")?.as_array())
        .is_some_and(|values| values.iter().any(|value| value.as_str().is_some_and(str::is_empty)));
    !said && !has_blank_value && tool.required().all(|required| required != name)
}
