//! `${NAME}` in the texts of a file: the temporary directory, and what earlier answers held.

use std::collections::BTreeMap;

use frankly_contract::nearest;
use serde_json::{Map, Value};

use crate::yaml::{Entry, Fault, Kind, Node};

/// The name of the temporary directory.
pub(super) const DIRECTORY: &str = "DIR";

/// Values by their names.
pub type Variables = BTreeMap<String, Value>;

/// A part of a text.
enum Part<'a> {
    Plain(&'a str),
    Variable(&'a str),
}

/// Fills variables into arguments. A text that is one variable by itself becomes its value, of whatever type; in a longer text
/// the value stands as text. `$${` is `${`.
///
/// ```
/// use frankly_verdict::case::fill;
/// use serde_json::json;
///
/// let variables = [("id".to_owned(), json!(7))].into();
/// let arguments = json!({"id": "${id}", "note": "about ${id}, not $${id}"});
/// assert_eq!(fill(&arguments, &variables)?, json!({"id": 7, "note": "about 7, not ${id}"}));
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
///
/// A sentence that names a variable without a value.
pub fn fill(value: &Value, variables: &Variables) -> Result<Value, String> {
    Ok(match value {
        Value::String(text) => filled(text, variables, str::to_owned)?,
        Value::Array(items) => items.iter().map(|item| fill(item, variables)).collect::<Result<_, _>>()?,
        Value::Object(members) => {
            let filled = members.iter().map(|(name, member)| Ok((name.clone(), fill(member, variables)?)));
            Value::Object(filled.collect::<Result<Map<_, _>, String>>()?)
        }
        scalar => scalar.clone(),
    })
}

/// The same in an expectation: in a pattern a value stands for itself, whatever signs are in it.
pub(super) fn fill_expectation(node: &Node, variables: &Variables) -> Result<Node, String> {
    let kind = match &node.kind {
        Kind::Scalar(Value::String(text)) if text.starts_with('/') && is_pattern(node) => {
            Kind::Scalar(filled(text, variables, regex::escape)?)
        }
        Kind::Scalar(value) => return Ok(of_value(node, &fill(value, variables)?)),
        Kind::List(items) => {
            Kind::List(items.iter().map(|item| fill_expectation(item, variables)).collect::<Result<_, _>>()?)
        }
        Kind::Map(entries) => Kind::Map(
            entries
                .iter()
                .map(|entry| Ok(Entry { node: fill_expectation(&entry.node, variables)?, ..entry.clone() }))
                .collect::<Result<_, String>>()?,
        ),
    };
    Ok(Node { kind, ..node.clone() })
}

/// Whether a text stands where a pattern is read: anywhere but as a value within `json`.
fn is_pattern(node: &Node) -> bool {
    node.path.ends_with("$match") || !node.path.contains("expect.json")
}

/// A value in the place of a node.
fn of_value(node: &Node, value: &Value) -> Node {
    let kind = match value {
        Value::Array(items) => Kind::List(items.iter().map(|item| of_value(node, item)).collect()),
        Value::Object(members) => Kind::Map(
            members
                .iter()
                .map(|(key, member)| Entry { key: key.clone(), at: node.at, node: of_value(node, member) })
                .collect(),
        ),
        scalar => Kind::Scalar(scalar.clone()),
    };
    Node { kind, ..node.clone() }
}

/// Refuses variables that have no value by then.
pub(super) fn known(node: &Node, saved: &[String]) -> Result<(), Fault> {
    match &node.kind {
        Kind::Scalar(Value::String(text)) => {
            let names = parts(text).into_iter().filter_map(|part| match part {
                Part::Variable(name) => Some(name),
                Part::Plain(_) => None,
            });
            let is_known = |name: &&str| *name == DIRECTORY || saved.iter().any(|saved| saved == name);
            match names.into_iter().find(|name| !is_known(name)) {
                Some(unknown) => Err(unknown_variable(node, unknown, saved)),
                None => Ok(()),
            }
        }
        Kind::Scalar(_) => Ok(()),
        Kind::List(items) => items.iter().try_for_each(|item| known(item, saved)),
        Kind::Map(entries) => entries.iter().try_for_each(|entry| known(&entry.node, saved)),
    }
}

fn unknown_variable(node: &Node, unknown: &str, saved: &[String]) -> Fault {
    let names = saved.iter().map(String::as_str).chain([DIRECTORY]);
    let hint = match nearest(unknown, names) {
        Some(nearest) => format!("did you mean `${{{nearest}}}`?"),
        None => format!("save it from an earlier call, save: {{ {unknown}: /items/0/id }}"),
    };
    Fault { at: node.at, what: format!("nothing before this is called `${{{unknown}}}`; {hint}") }
}

/// Whether any variable stands in it.
pub(super) fn is_filled_in(node: &Node) -> bool {
    match &node.kind {
        Kind::Scalar(Value::String(text)) => parts(text).iter().any(|part| matches!(part, Part::Variable(_))),
        Kind::Scalar(_) => false,
        Kind::List(items) => items.iter().any(is_filled_in),
        Kind::Map(entries) => entries.iter().any(|entry| is_filled_in(&entry.node)),
    }
}

pub(super) fn mentions_directory(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("${DIR}"),
        Value::Array(items) => items.iter().any(mentions_directory),
        Value::Object(members) => members.values().any(mentions_directory),
        _ => false,
    }
}

fn filled(text: &str, variables: &Variables, write: impl Fn(&str) -> String) -> Result<Value, String> {
    let value = |name: &str| {
        variables
            .get(name)
            .ok_or_else(|| format!("`${{{name}}}` has no value: the call that saves it gave none"))
    };
    let parts = parts(text);
    if let [Part::Variable(name)] = parts.as_slice() {
        return value(name).cloned();
    }
    let mut whole = String::new();
    for part in parts {
        match part {
            Part::Plain(plain) => whole.push_str(plain),
            Part::Variable(name) => match value(name)? {
                Value::String(text) => whole.push_str(&write(text)),
                other => whole.push_str(&write(&other.to_string())),
            },
        }
    }
    Ok(Value::String(whole))
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find("${") {
        let is_escaped = rest[..start].ends_with('$');
        let end = rest[start..].find('}').map(|end| start + end);
        match end {
            _ if is_escaped => {
                parts.push(Part::Plain(&rest[..start - 1]));
                parts.push(Part::Plain("${"));
                rest = &rest[start + 2..];
            }
            Some(end) => {
                parts.push(Part::Plain(&rest[..start]));
                parts.push(Part::Variable(&rest[start + 2..end]));
                rest = &rest[end + 1..];
            }
            None => break,
        }
    }
    parts.push(Part::Plain(rest));
    parts.retain(|part| !matches!(part, Part::Plain("")));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::load;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_value_in_a_pattern_stands_for_itself() {
        let node = load("expect: { json: { path: '/a/${name}' } }").unwrap().unwrap();
        let filled = fill_expectation(&node, &[("name".to_owned(), json!("a+b"))].into()).unwrap();
        assert_eq!(filled.to_json(), json!({"expect": {"json": {"path": "/a/a+b"}}}));
        let node = load("message: /no file ${name}$/").unwrap().unwrap();
        let filled = fill_expectation(&node, &[("name".to_owned(), json!("a+b"))].into()).unwrap();
        assert_eq!(filled.to_json(), json!({"message": "/no file a\\+b$/"}));
    }

    #[test]
    fn what_nobody_saved_is_named() {
        let node = load("id: ${order_id}").unwrap().unwrap();
        let what = known(&node, &["orderid".to_owned()]).unwrap_err().what;
        assert!(what.contains("did you mean `${orderid}`?"), "{what}");
        assert!(known(&node, &["order_id".to_owned()]).is_ok());
        assert!(fill(&node.to_json(), &Variables::new()).unwrap_err().contains("has no value"));
    }

    proptest! {
        #[test]
        fn texts_without_variables_stay_as_they_are(text in "[^$]{0,20}") {
            prop_assert_eq!(fill(&json!(text), &Variables::new()), Ok(json!(text)));
        }

        #[test]
        fn no_text_is_cut_in_the_middle_of_a_character(text in "[$a{}ü]{0,12}") {
            let _ = fill(&json!(text), &Variables::new());
        }
    }
}
