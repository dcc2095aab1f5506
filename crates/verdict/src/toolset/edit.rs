//! Changing a JSON text in a few places and leaving every other byte as it is.

use std::collections::HashMap;

use jsonc_parser::ast::{self, Value as Node};
use jsonc_parser::common::Ranged;
use serde_json::Value;

use crate::schema::join;

/// A value to be put at a place of a document: a pointer to what holds it, and its name or number there.
pub(super) struct Put<'a> {
    pub pointer: String,
    pub member: &'a str,
    pub value: &'a Value,
}

/// What is to be written instead of what lies between two bytes.
struct Splice {
    start: usize,
    end: usize,
    text: String,
}

/// The text with these values in it; `None` where a place is not there.
pub(super) fn edited(text: &str, root: &Node<'_>, puts: &[Put<'_>]) -> Option<String> {
    let mut nodes = HashMap::new();
    index(root, String::new(), &mut nodes);
    let mut splices = Vec::new();
    let mut added: HashMap<&str, String> = HashMap::new();
    for put in puts {
        let value = put.value.to_string();
        match (nodes.get(&put.pointer)?, nodes.get(&join(&put.pointer, put.member))) {
            (_, Some(old)) => {
                let range = old.range();
                splices.push(Splice { start: range.start, end: range.end, text: value });
            }
            (Node::Object(object), None) => {
                let new = added.entry(&put.pointer).or_default();
                let is_first = object.properties.is_empty() && new.is_empty();
                *new += &member(text, object, put.member, &value, is_first);
            }
            _ => return None,
        }
    }
    for (pointer, text) in added {
        let Node::Object(object) = nodes.get(pointer)? else { return None };
        let at = object.properties.last().map_or(object.range.start + 1, |last| last.range.end);
        splices.push(Splice { start: at, end: at, text });
    }
    splices.sort_by_key(|splice| (splice.start, splice.end));
    let (mut edited, mut done) = (String::with_capacity(text.len() + splices.len() * 32), 0);
    for splice in splices {
        edited += text.get(done..splice.start)?;
        edited += &splice.text;
        done = splice.end;
    }
    edited += text.get(done..)?;
    Some(edited)
}

/// Every value by its pointer; of a name that is given twice the last counts.
fn index<'a, 'n>(node: &'n Node<'a>, pointer: String, nodes: &mut HashMap<String, &'n Node<'a>>) {
    match node {
        Node::Object(object) => {
            let members: HashMap<&str, &Node<'a>> =
                object.properties.iter().map(|property| (property.name.as_str(), &property.value)).collect();
            for (name, value) in members {
                index(value, join(&pointer, name), nodes);
            }
        }
        Node::Array(array) => {
            for (number, element) in array.elements.iter().enumerate() {
                index(element, join(&pointer, number), nodes);
            }
        }
        _ => {}
    }
    nodes.insert(pointer, node);
}

/// A new last member, written as its neighbours are.
fn member(text: &str, object: &ast::Object<'_>, name: &str, value: &str, is_first: bool) -> String {
    let between = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let colon = object
        .properties
        .last()
        .map_or(": ", |last| between(last.name.range().end, last.value.range().start));
    let before = match object.properties.as_slice() {
        [] if is_first => "",
        [] => " ",
        [only] => match between(object.range.start + 1, only.range.start) {
            "" if colon.ends_with(' ') => " ",
            space => space,
        },
        [.., last_but_one, last] => {
            let gap = between(last_but_one.range.end, last.range.start);
            gap.split_once(',').map_or(" ", |(_, space)| space)
        }
    };
    let comma = if is_first { "" } else { "," };
    format!("{comma}{before}{}{colon}{value}", Value::from(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::parse_strictly;

    fn put(text: &str, pointer: &str, member: &str) -> Option<String> {
        let value = Value::Bool(false);
        let puts = [Put { pointer: pointer.to_owned(), member, value: &value }];
        edited(text, &parse_strictly(text).unwrap(), &puts)
    }

    #[test]
    fn a_new_member_is_written_as_its_neighbours_are() {
        for (text, expected) in [
            (r#"{"a":1}"#, r#"{"a":1,"x":false}"#),
            (r#"{"a": 1}"#, r#"{"a": 1, "x": false}"#),
            (r#"{ "a" : 1 }"#, r#"{ "a" : 1, "x" : false }"#),
            ("{}", r#"{"x": false}"#),
            ("{\r\n\t\"a\": 1\r\n}", "{\r\n\t\"a\": 1,\r\n\t\"x\": false\r\n}"),
            (
                "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n",
                "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  },\n  \"x\": false\n}\n",
            ),
            ("{\"a\": 1\n ,\"b\": 2}", "{\"a\": 1\n ,\"b\": 2,\"x\": false}"),
        ] {
            assert_eq!(put(text, "", "x").as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_value_is_put_where_another_was() {
        assert_eq!(
            put(r#"{"a": [1.50, 2], "b": 1e2}"#, "/a", "1").as_deref(),
            Some(r#"{"a": [1.50, false], "b": 1e2}"#)
        );
        assert_eq!(put(r#"{"x": 1, "x": 2}"#, "", "x").as_deref(), Some(r#"{"x": 1, "x": false}"#));
        let twice = r#"{"a": {"x": 1}, "a": {"y": 2}}"#;
        assert_eq!(put(twice, "/a", "x").as_deref(), Some(r#"{"a": {"x": 1}, "a": {"y": 2, "x": false}}"#));
        assert_eq!(put(r#"{"a/b": {"x": {}}}"#, "/a~1b", "x").as_deref(), Some(r#"{"a/b": {"x": false}}"#));
    }

    #[test]
    fn what_is_not_there_is_not_changed() {
        assert_eq!(put(r#"{"a": [1]}"#, "/b", "x"), None);
        assert_eq!(put(r#"{"a": [1]}"#, "/a", "7"), None);
    }
}
