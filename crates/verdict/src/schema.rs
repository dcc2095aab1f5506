//! Walking JSON Schemas: pointers, subschemas, local references. Judges nothing.

mod document;

use std::fmt::Write;

use serde_json::Value;

use crate::report::shorten;

pub use document::{Document, Target};

/// A JSON pointer with one more token.
pub fn join(pointer: &str, token: impl std::fmt::Display) -> String {
    let mut joined = String::with_capacity(pointer.len() + 16);
    joined.push_str(pointer);
    // Writing to a string cannot fail.
    let _ = write!(joined, "/{token}");
    let token = &joined[pointer.len() + 1..];
    if token.contains(['~', '/']) {
        let token = token.replace('~', "~0").replace('/', "~1");
        joined.replace_range(pointer.len() + 1.., &token);
    }
    joined
}

/// How a schema hangs in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The schema itself.
    Root,
    /// A value of `properties`, with its name.
    Property(&'a str),
    /// Anywhere else, under this keyword.
    Keyword(&'a str),
}

/// Where a walk stands: a JSON pointer that is written out only for a finding.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    before: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    /// The pointer of the schema itself.
    Root(&'p str),
    Name(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    fn root(pointer: &'p str) -> Self {
        Self { before: None, step: Step::Root(pointer) }
    }

    fn step(&'p self, step: Step<'p>) -> Self {
        Self { before: Some(self), step }
    }

    /// The pointer with one more token.
    pub fn join(&self, token: impl std::fmt::Display) -> String {
        join(&String::from(self), token)
    }

    /// How many tokens stand below the schema itself.
    pub fn depth(&self) -> usize {
        self.upward().count() - 1
    }

    /// Whether one of its tokens is among these.
    pub fn passes(&self, names: &[&str]) -> bool {
        self.upward().any(|path| matches!(path.step, Step::Name(name) if names.contains(&name)))
    }

    fn upward(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |path| path.before)
    }
}

impl From<&Path<'_>> for String {
    fn from(path: &Path<'_>) -> Self {
        /// A token longer than any name is cut.
        const LONGEST_NAME: usize = 1000;
        let mut places: Vec<&Path<'_>> = path.upward().collect();
        places.reverse();
        let mut pointer = Self::with_capacity(places.len() * 12);
        for place in places {
            match place.step {
                Step::Root(root) => pointer.push_str(root),
                Step::Index(index) => pointer = join(&pointer, index),
                Step::Name(name) if name.len() > LONGEST_NAME => {
                    pointer = join(&pointer, shorten(name, LONGEST_NAME));
                }
                Step::Name(name) if name.contains(['~', '/']) => pointer = join(&pointer, name),
                Step::Name(name) => {
                    pointer.push('/');
                    pointer.push_str(name);
                }
            }
        }
        pointer
    }
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from(self))
    }
}

/// Visits a schema and everything in it that is a schema too, parents first.
pub fn walk<'a>(schema: &'a Value, pointer: &str, visit: &mut impl FnMut(&'a Value, &Path<'_>, Place<'a>)) {
    let root = Path::root(pointer);
    visit(schema, &root, Place::Root);
    walk_children(schema, &root, visit);
}

fn walk_children<'a>(
    schema: &'a Value,
    path: &Path<'_>,
    visit: &mut impl FnMut(&'a Value, &Path<'_>, Place<'a>),
) {
    let Some(members) = schema.as_object() else { return };
    for (keyword, value) in members {
        let keyword = keyword.as_str();
        let at = path.step(Step::Name(keyword));
        let mut descend = |child: &'a Value, at: &Path<'_>, place: Place<'a>| {
            visit(child, at, place);
            walk_children(child, at, visit);
        };
        match value {
            Value::Object(named) if holds_named(keyword) => {
                for (name, child) in named {
                    let place =
                        if keyword == "properties" { Place::Property(name) } else { Place::Keyword(keyword) };
                    descend(child, &at.step(Step::Name(name)), place);
                }
            }
            Value::Array(children) if holds_many(keyword) => {
                for (index, child) in children.iter().enumerate() {
                    descend(child, &at.step(Step::Index(index)), Place::Keyword(keyword));
                }
            }
            Value::Object(_) | Value::Bool(_) if holds_one(keyword) => {
                descend(value, &at, Place::Keyword(keyword));
            }
            _ => {}
        }
    }
}

/// Whether a keyword holds one schema, an array of schemas, or schemas by name.
pub fn holds_schemas(keyword: &str) -> (bool, bool, bool) {
    (holds_one(keyword), holds_many(keyword), holds_named(keyword))
}

/// Keywords whose value is one schema.
fn holds_one(keyword: &str) -> bool {
    matches!(
        keyword,
        "additionalItems"
            | "additionalProperties"
            | "contains"
            | "contentSchema"
            | "else"
            | "if"
            | "items"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties"
    )
}

/// Keywords whose value is an array of schemas (`items` in older drafts).
fn holds_many(keyword: &str) -> bool {
    matches!(keyword, "allOf" | "anyOf" | "items" | "oneOf" | "prefixItems")
}

/// Keywords whose value maps names to schemas.
fn holds_named(keyword: &str) -> bool {
    matches!(keyword, "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties")
}

/// Whether a schema requires something, in whatever way, or is made of parts that may.
pub fn requires_something(root: &Value) -> bool {
    const PARTS: &[&str] = &[
        "$ref", "allOf", "anyOf", "dependencies", "dependentRequired", "dependentSchemas", "if", "not",
        "oneOf",
    ];
    let names = root.get("required").and_then(Value::as_array).is_some_and(|names| !names.is_empty());
    let at_least = root.get("minProperties").and_then(Value::as_u64).is_some_and(|least| least > 0);
    names || at_least || PARTS.iter().any(|keyword| root.get(keyword).is_some())
}

/// The JSON Schema name of a value's type.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|n| n.fract() != 0.0) => {
            "number"
        }
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The type names under `type`, whether it is one or a list.
pub fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a type of this name stands under `type`.
pub fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(names)) => names.iter().any(|listed| listed == name),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tokens_of_a_pointer_are_escaped() {
        assert_eq!(join("/a", "b"), "/a/b");
        assert_eq!(join("/a~1", "m~/n"), "/a~1/m~0~1n");
        assert_eq!(join("", 3), "/3");
    }

    #[test]
    fn the_place_of_a_walk_is_written_as_a_pointer() {
        let root =
            json!({"anyOf": [{"properties": {"a/b~": {"not": {}}}}, {"$defs": {"n".repeat(2000): {}}}]});
        let mut seen = Vec::new();
        walk(&root, "/at", &mut |_, path, _| {
            seen.push((path.to_string(), path.depth(), path.passes(&["anyOf", "x"])));
        });
        let cut = format!("/at/anyOf/1/$defs/{}…", "n".repeat(1000));
        let expected = [
            ("/at", 0, false),
            ("/at/anyOf/0", 2, true),
            ("/at/anyOf/0/properties/a~1b~0", 4, true),
            ("/at/anyOf/0/properties/a~1b~0/not", 5, true),
            ("/at/anyOf/1", 2, true),
            (cut.as_str(), 4, true),
        ];
        assert!(seen.iter().map(|(at, depth, passes)| (at.as_str(), *depth, *passes)).eq(expected));
    }

    #[test]
    fn a_property_named_like_a_keyword_is_a_property() {
        let root =
            json!({"properties": {"anyOf": {"type": "string"}}, "default": {"properties": {"no": {}}}});
        let mut seen = Vec::new();
        walk(&root, "", &mut |_, pointer, _| seen.push(pointer.to_string()));
        assert_eq!(seen, ["", "/properties/anyOf"]);
    }
}
