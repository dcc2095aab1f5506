//! Where two statements of one schema cannot both hold.

use serde_json::Value;

use super::acceptance::Acceptance;
use super::{Reporter, keywords};
use crate::Severity;
use crate::report::shorten;
use crate::schema::{self, Document, Path, join};

const NOTHING_FITS: &str = "no value may be sent here";

impl Reporter<'_, '_> {
    pub(super) fn required(&mut self, node: &Value, at: &Path<'_>) {
        const DECLARE_ELSEWHERE: &[&str] = &[
            "$dynamicRef", "$ref", "allOf", "anyOf", "dependentSchemas", "else", "if", "oneOf",
            "patternProperties", "then",
        ];
        // The alternatives of a schema require what their parent declares.
        const ALTERNATIVES: &[&str] =
            &["allOf", "anyOf", "dependentSchemas", "else", "if", "not", "oneOf", "then"];
        let Some(required) = node.get("required").and_then(Value::as_array) else { return };
        let properties = node.get("properties").and_then(Value::as_object);
        // A schema for what is not declared says what it is.
        let declares_others = node.get("additionalProperties").is_some_and(Value::is_object);
        if declares_others
            || DECLARE_ELSEWHERE.iter().any(|keyword| node.get(keyword).is_some())
            || at.passes(ALTERNATIVES)
        {
            return;
        }
        for (index, name) in required.iter().enumerate() {
            let is_declared = |name: &str| properties.is_some_and(|declared| declared.contains_key(name));
            if name.as_str().is_some_and(|name| !is_declared(name)) {
                let what = format!("{name} is required, and `properties` does not declare it");
                let reads_as = "a value must be given of which nothing is known";
                let at = join(&at.join("required"), index);
                self.add(Severity::Error, at, what, reads_as, "declare it, or take it off the list", name);
            }
        }
    }

    pub(super) fn enumeration(&mut self, node: &Value, at: &Path<'_>) {
        let Some(values) = node.get("enum").and_then(Value::as_array) else { return };
        let types = schema::types(node);
        if values.is_empty() {
            let what = "the enum has no values".to_owned();
            let next = "list the values, or leave the enum out";
            self.add(Severity::Error, at.join("enum"), what, NOTHING_FITS, next, &node["enum"]);
            return;
        }
        if let Some(twice) =
            values.iter().enumerate().find_map(|(at, value)| values[..at].contains(value).then_some(value))
        {
            let what = format!("the enum has {} twice", shorten(&twice.to_string(), 40));
            let reads_as = "no such tool, for clients that refuse a list with a value twice";
            self.add(Severity::Warning, at.join("enum"), what, reads_as, "leave one out", &node["enum"]);
        }
        let next = "let every value have the declared type";
        if types.is_empty() {
            let mut kinds: Vec<_> = values.iter().map(kind).filter(|kind| *kind != "null").collect();
            kinds.sort_unstable();
            kinds.dedup();
            if kinds.len() > 1 {
                let what = format!("the enum mixes {} and no `type` says which", kinds.join(", "));
                self.add(
                    Severity::Warning,
                    at.join("enum"),
                    what,
                    "1 and \"1\" are the same here",
                    next,
                    &node["enum"],
                );
            }
            return;
        }
        let Some(stray) = values.iter().find(|value| !types.iter().any(|name| has_type(value, name))) else {
            return;
        };
        let severity = if stray.is_null() { Severity::Warning } else { Severity::Error };
        let what = format!(
            "the enum allows {}, and the type {} does not",
            shorten(&stray.to_string(), 40),
            types.join(" or ")
        );
        let reads_as = "a value that is refused may be sent";
        self.add(severity, at.join("enum"), what, reads_as, next, &node["enum"]);
    }

    pub(super) fn constant(&mut self, node: &Value, at: &Path<'_>) {
        let (Some(constant), types) = (node.get("const"), schema::types(node)) else { return };
        if !types.is_empty() && !types.iter().any(|name| has_type(constant, name)) {
            let what = format!(
                "the constant {} is not of type {}",
                shorten(&constant.to_string(), 40),
                types.join(" or ")
            );
            let next = "let the constant have the declared type";
            self.add(Severity::Error, at.join("const"), what, NOTHING_FITS, next, constant);
        }
    }

    pub(super) fn bounds(&mut self, node: &Value, at: &Path<'_>) {
        // The third says whether the two may be equal.
        const PAIRS: &[(&str, &str, bool)] = &[
            ("minimum", "maximum", true),
            ("exclusiveMinimum", "maximum", false),
            ("minimum", "exclusiveMaximum", false),
            ("exclusiveMinimum", "exclusiveMaximum", false),
            ("minLength", "maxLength", true),
            ("minItems", "maxItems", true),
            ("minProperties", "maxProperties", true),
        ];
        for (least, most, may_meet) in PAIRS {
            let bound = |keyword: &str| node.get(keyword).and_then(Value::as_f64);
            let crosses = |(least, most): (f64, f64)| least > most || (least >= most && !may_meet);
            if bound(least).zip(bound(most)).is_some_and(crosses) {
                let what =
                    format!("nothing lies between `{least}` {} and `{most}` {}", node[*least], node[*most]);
                self.add(
                    Severity::Error,
                    at.join(least),
                    what,
                    NOTHING_FITS,
                    "swap or mend the bounds",
                    &node[*least],
                );
            }
        }
    }

    pub(super) fn default<'s>(
        &mut self,
        document: &Document<'s>,
        acceptance: &Acceptance<'s>,
        node: &'s Value,
        at: &Path<'_>,
    ) {
        let Some(default) = node.get("default") else { return };
        if acceptance.accepts(document, at, node, default) {
            return;
        }
        let severity = if default.is_null() { Severity::Warning } else { Severity::Error };
        let what = format!("the default {} is outside its own schema", shorten(&default.to_string(), 60));
        let reads_as = "the default may be sent, although the schema forbids it";
        let next = "use a default that the schema allows, or none";
        self.add(severity, at.join("default"), what, reads_as, next, default);
    }
}

/// Types for the purpose of telling enum values apart: numbers are of one kind.
fn kind(value: &Value) -> &'static str {
    match schema::type_name(value) {
        "integer" => "number",
        name => name,
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    let actual = schema::type_name(value);
    actual == name || (actual == "integer" && name == "number") || !keywords::TYPES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::super::super::super::testing::found;
    use super::super::BadSchema;
    use Severity::{Error, Warning};

    use super::*;

    /// What is found in a schema that a parameter `a` has; pointers are rooted there.
    fn of(schema: &str) -> Vec<(Severity, String)> {
        let input = format!(
            r#"{{"name": "t", "inputSchema": {{"type": "object", "properties": {{"a": {schema}}}}}}}"#
        );
        let at = |pointer: String| pointer.trim_start_matches("/inputSchema/properties/a").to_owned();
        found(&BadSchema, &input).into_iter().map(|finding| (finding.severity, at(finding.pointer))).collect()
    }

    #[test]
    fn what_cannot_both_hold_is_told_and_what_can_is_not() {
        for (schema, severity, pointer) in [
            (r#"{"type": "integer", "minimum": 5, "maximum": 3}"#, Error, "/minimum"),
            (r#"{"type": "integer", "exclusiveMinimum": 3, "maximum": 3}"#, Error, "/exclusiveMinimum"),
            (r#"{"type": "string", "minLength": 5, "maxLength": 3}"#, Error, "/minLength"),
            (r#"{"type": "array", "items": {}, "minItems": 5, "maxItems": 3}"#, Error, "/minItems"),
            (r#"{"type": "string", "const": 7}"#, Error, "/const"),
            (r#"{"enum": [1, "1"]}"#, Warning, "/enum"),
            (r#"{"enum": []}"#, Error, "/enum"),
            (r#"{"type": "string", "enum": ["a", "b", "a"]}"#, Warning, "/enum"),
            (r#"{"type": "string", "pattern": "^wf-(?P<id>[0-9]+)$"}"#, Error, "/pattern"),
            (r#"{"type": "string", "enum": ["a", null]}"#, Warning, "/enum"),
            (r#"{"$ref": "other.json#/a"}"#, Warning, "/$ref"),
            (r##"{"$ref": "#/properties/a/x", "x": 3}"##, Error, "/$ref"),
            (r#"{"type": "string", "maxLength": -1}"#, Error, "/maxLength"),
            (r#"{"type": "number", "multipleOf": 0}"#, Error, "/multipleOf"),
            (r#"{"type": "array", "items": {}, "uniqueItems": "yes"}"#, Error, "/uniqueItems"),
            (r#"{"anyOf": []}"#, Error, "/anyOf"),
            (r#"{"type": "array", "items": "string"}"#, Error, "/items"),
            (r#"{"type": "string", "description": ["a"]}"#, Error, "/description"),
        ] {
            assert_eq!(of(schema), [(severity, pointer.to_owned())], "{schema}");
        }
        for schema in [
            r#"{"type": "integer", "minimum": 3, "maximum": 3}"#,
            r#"{"type": "number", "exclusiveMinimum": 3, "maximum": 3.5}"#,
            r#"{"type": "number", "const": 7}"#,
            r#"{"enum": [1, 2.5, null]}"#,
            r##"{"$ref": "#/properties/a/x", "x": {"type": "string"}}"##,
        ] {
            assert_eq!(of(schema), [], "{schema}");
        }
    }
}
