//! What only prose states, and plainly enough that a schema may state it too.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::super::parameters::{Parameter, parameters};
use super::super::super::prose::has_any;
use super::fits;
use super::stated::{Stated, stated};

/// What only the descriptions of a tool's parameters state: the pointer of the parameter, the keyword and its value. A
/// parameter that only refers to a definition is left out, since others refer to it too.
pub(in super::super::super) fn only_in_prose(tool: &ToolDef) -> Vec<(String, &'static str, Value)> {
    let mut found = Vec::new();
    // Beside these the schema says more of the value than the prose does.
    const MORE: &[&str] = &[
        "$ref", "allOf", "anyOf", "const", "enum", "examples", "exclusiveMaximum", "exclusiveMinimum",
        "format", "if", "maxLength", "minLength", "minimum", "multipleOf", "not", "oneOf", "pattern",
    ];
    let is_plain = |parameter: &&Parameter<'_>| {
        !MORE.iter().any(|keyword| parameter.states(keyword)) && is_unconditional(parameter.description())
    };
    for parameter in parameters(tool).iter().filter(is_plain) {
        let Stated { default, maximum, .. } = stated(parameter.name, parameter.description());
        // What is required needs no default.
        let is_required = parameter.is_argument && tool.required().any(|name| name == parameter.name);
        let default = default.filter(|_| !is_required);
        let default = default.filter(|said| !parameter.states("default") && fits(said, parameter));
        let is_bounded = parameter.states("maximum") || parameter.states("exclusiveMaximum");
        let real = parameter.stated("default").and_then(Value::as_f64);
        let maximum = maximum.filter(|_| parameter.is_number() && !is_bounded);
        let maximum = maximum.filter(|most| real.is_none_or(|real| real <= *most));
        let names_another =
            |said: &Value| said.as_str().is_some_and(|said| tool.parameters().any(|(name, _)| name == said));
        let default = default.filter(|said| !is_placeholder(said) && !names_another(said));
        // Other numbers may be another bound, or the same one under a condition.
        let stated =
            [default.is_some(), maximum.is_some()].into_iter().filter(|is_stated| *is_stated).count();
        if numbers(parameter.description()) > stated {
            continue;
        }
        // Two statements that contradict each other, and a number that is not what was written, are not to be moved.
        if default.as_ref().and_then(Value::as_f64).zip(maximum).is_some_and(|(default, most)| default > most)
            || default.iter().filter_map(Value::as_f64).chain(maximum).any(|number| number.abs() > EXACT)
        {
            continue;
        }
        let maximum = maximum.and_then(whole_or_not);
        let keywords = [("default", default), ("maximum", maximum)];
        let stated = keywords.into_iter().filter_map(|(keyword, value)| Some((keyword, value?)));
        found.extend(stated.map(|(keyword, value)| (parameter.pointer.clone(), keyword, value)));
    }
    found
}

/// How many numbers a text has.
fn numbers(text: &str) -> usize {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | ','));
    words.filter(|word| word.starts_with(|c: char| c.is_ascii_digit())).count()
}

/// Whether nothing in a text makes what it states depend on something, or says that it is only usual.
fn is_unconditional(text: &str) -> bool {
    const CONDITIONS: &[&str] = &[
        "above", "beyond", "but", "clamp*", "exceed*", "except", "exclusive*", "for", "if", "limited to",
        "may", "more than", "normally", "not", "often", "or", "otherwise", "over", "override*", "recommend*",
        "soft", "treated", "typical*", "unless", "used to", "usual*", "warn*", "when*", "while", "with",
    ];
    !has_any(text, CONDITIONS)
}

/// Whether a text stands for a value that is known only later.
fn is_placeholder(value: &Value) -> bool {
    const LATER: &str = "auto automatic current latest local none now null today tomorrow yesterday";
    value.as_str().is_some_and(|text| {
        text.contains(['$', '<', '>', '{', '}', '…'])
            || one_of!(&text.to_lowercase(), LATER)
            || (text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase() || !c.is_alphabetic()))
    })
}

/// Beyond this a double does not hold every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number as it is written: 200, not 200.0.
fn whole_or_not(number: f64) -> Option<Value> {
    serde_json::from_str(&number.to_string()).ok()
}
