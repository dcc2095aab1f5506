//! What OpenAI's strict mode takes: closed objects in which everything is required, and a subset of the keywords.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Fault, Look};
use crate::Severity;
use crate::report::grouped;
use crate::schema::{self, Place, types};

/// Where one of these stands, a schema needs no type of its own.
const TYPED: &[&str] = &["$ref", "allOf", "anyOf", "const", "enum", "oneOf", "type"];
/// Keywords that strict mode refuses wherever they stand.
const REFUSED: &[&str] = &[
    "allOf", "dependentRequired", "dependentSchemas", "else", "if", "maxProperties", "minProperties", "not",
    "oneOf", "patternProperties", "then", "uniqueItems",
];
/// Those that are refused at the root in any mode.
const OPENAI_ROOT: &[&str] = &["allOf", "not", "oneOf"];
/// Formats that it knows; any other one is refused.
const FORMATS: &[&str] =
    &["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];

impl Look<'_, '_> {
    pub(super) fn strict(&mut self, root: &Value) {
        if !super::is_strict(self.targets) {
            return;
        }
        let mut faults = Vec::new();
        schema::walk(root, "/inputSchema", &mut |node, at, place| {
            let is_untyped =
                matches!(place, Place::Property(_)) && !TYPED.iter().any(|key| node.get(key).is_some());
            if is_untyped {
                faults.push((at.to_string(), "strict mode refuses a parameter without a `type`".to_owned()));
            }
            faults.extend(object(node).map(|fault| (at.to_string(), fault)));
            // Some are refused at the root without strict mode too, and told already.
            let is_told = |keyword: &str| at.depth() == 0 && OPENAI_ROOT.contains(&keyword);
            let keywords =
                REFUSED.iter().filter(|keyword| node.get(**keyword).is_some() && !is_told(keyword));
            faults.extend(
                keywords.map(|keyword| (at.join(keyword), format!("strict mode refuses `{keyword}`"))),
            );
            if let Some(format) =
                node.get("format").and_then(Value::as_str).filter(|name| !FORMATS.contains(name))
            {
                faults.push((at.join("format"), format!("strict mode does not know the format {format:?}")));
            }
        });
        faults.extend(Sizes::of(root).faults().map(|what| ("/inputSchema".to_owned(), what)));
        for (at, what) in faults {
            let next = if at.ends_with("/format") {
                "say the form in the description, or do without strict mode"
            } else if REFUSED.iter().any(|keyword| at.ends_with(&format!("/{keyword}"))) {
                "write `anyOf`, or say the rule in the description, or do without strict mode"
            } else if what.starts_with("the schema has") {
                "make a smaller tool of it, or do without strict mode"
            } else {
                "close every object, require every property and let optional ones be null, or do without strict mode"
            };
            self.add(Severity::Error, Fault { at, what, next, shown: None }, super::REFUSED);
        }
    }
}

/// How large a schema is, in what strict mode counts.
#[derive(Debug, Default)]
struct Sizes {
    properties: usize,
    levels: usize,
    values: usize,
    /// The characters of names and values.
    chars: usize,
    /// The characters of the values of the largest enum of more than [`MANY`] values.
    large_enum: usize,
}

/// From how many values on the characters of one enum are limited.
const MANY: usize = 250;

impl Sizes {
    fn of(root: &Value) -> Self {
        let mut sizes = Self::default();
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            let names =
                ["properties", "$defs", "definitions"].iter().filter_map(|of| node.get(*of)?.as_object());
            sizes.chars += names.flat_map(Map::keys).map(|name| name.chars().count()).sum::<usize>();
            let properties = node.get("properties").and_then(Value::as_object).map_or(0, Map::len);
            sizes.properties += properties;
            if properties > 0 {
                // Of `/inputSchema/properties/a/properties/b` the object is on the third level.
                let levels = at.to_string().matches("/properties/").count() + 1;
                sizes.levels = sizes.levels.max(levels);
            }
            let values = node.get("enum").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            let chars = values.iter().chain(node.get("const")).map(length).sum::<usize>();
            sizes.values += values.len();
            sizes.chars += chars;
            if values.len() > MANY {
                sizes.large_enum = sizes.large_enum.max(chars);
            }
        });
        sizes
    }

    /// What is more than strict mode takes.
    fn faults(&self) -> impl Iterator<Item = String> {
        let sizes = [
            (self.properties, 5_000, "properties"),
            (self.levels, 10, "levels of objects"),
            (self.values, 1_000, "values in enums"),
            (self.chars, 120_000, "characters in names and values"),
            (self.large_enum, 15_000, "characters in an enum of more than 250 values"),
        ];
        sizes.into_iter().filter(|(size, most, _)| size > most).map(|(size, most, of)| {
            let (size, most) = (grouped(size as u64), grouped(most as u64));
            format!("the schema has {size} {of}, and strict mode refuses more than {most}")
        })
    }
}

/// The characters of a value.
fn length(value: &Value) -> usize {
    value.as_str().map_or_else(|| value.to_string().len(), |text| text.chars().count())
}

/// What strict mode refuses in an object.
fn object(node: &Value) -> Option<String> {
    let properties = node.get("properties").and_then(Value::as_object);
    if properties.is_none() && !types(node).contains(&"object") {
        return None;
    }
    let required: HashSet<&str> = node
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let optional: Vec<&str> = properties
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .filter(|name| !required.contains(name))
        .collect();
    let is_open = node.get("additionalProperties") != Some(&Value::Bool(false));
    match (is_open, optional.as_slice()) {
        (true, []) => Some("strict mode refuses an object without `additionalProperties: false`".to_owned()),
        (true, [first, ..]) => Some(format!(
            "strict mode refuses an object without `additionalProperties: false`, and optional properties such as `{first}`"
        )),
        (false, [first, ..]) => Some(format!("strict mode refuses optional properties, such as `{first}`")),
        (false, []) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_larger_than_strict_mode_takes_is_told() {
        let told = |schema: Value| Sizes::of(&schema).faults().collect::<Vec<_>>().join("; ");
        let nested = |levels: usize| {
            let leaf = json!({"type": "object", "properties": {"a": {"type": "string"}}});
            (1..levels).fold(leaf, |inner, _| json!({"type": "object", "properties": {"a": inner}}))
        };
        assert_eq!(told(nested(10)), "");
        assert!(told(nested(11)).starts_with("the schema has 11 levels of objects, and"));
        let values = |count: usize, of: usize| json!({"enum": vec!["v".repeat(of); count]});
        assert_eq!(told(values(250, 400)), "");
        assert!(told(values(251, 60)).starts_with("the schema has 15,060 characters in an enum"));
        assert!(told(values(1001, 1)).contains("1,001 values in enums"));
        let names: Map<String, Value> = (0..5001).map(|at| (format!("{at:030}"), json!({}))).collect();
        let told = told(json!({"properties": names}));
        assert!(told.contains("5,001 properties") && told.contains("150,030 characters"), "{told}");
    }

    #[test]
    fn every_parameter_has_a_type() {
        let count = |parameter: &str| {
            let schema = format!(
                r#"{{"type": "object", "properties": {{"a": {parameter}}}, "required": ["a"], "additionalProperties": false}}"#
            );
            let input = format!(
                r#"{{"target": "openai-strict", "servers": {{"s": [{{"name": "t", "inputSchema": {schema}}}]}}}}"#
            );
            super::super::super::super::testing::found(&super::super::NotPortableSchema, &input).len()
        };
        assert_eq!((count(r#"{"description": "Any."}"#), count(r#"{"enum": ["a"]}"#)), (1, 0));
    }

    #[test]
    fn an_object_is_closed_and_asks_for_everything() {
        let fine = json!({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false});
        assert_eq!(object(&fine), None);
        assert_eq!(object(&json!({"type": "string"})), None);
        for bad in
            [json!({"type": "object"}), json!({"properties": {"a": {}}, "additionalProperties": false})]
        {
            assert!(object(&bad).is_some(), "{bad}");
        }
    }
}
