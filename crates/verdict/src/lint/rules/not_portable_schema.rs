//! A schema that is right, and that a target refuses or loses a part of.

mod strict;

use serde_json::Value;

use super::super::target::{TARGETS, Target, titles, verb};
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::schema::{self, Document, Path, Place, has_type, join};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct NotPortableSchema;

static DOC: Doc = Doc {
    name: "not-portable-schema",
    what: "an input schema that is valid, and that a target refuses or loses a part of",
    why: "Providers take a subset of JSON Schema. One tool outside it and the whole request is refused, with every tool of \
          every server in it; or the client drops the tool, and the agent never hears of it.",
    severity: "error where a target of --target refuses it; warning where it is lost on the way; information where only \
               other targets refuse it",
    examples: &[
        Example {
            about: "a choice at the root",
            expected: Expected::Finding(Severity::Error, "/inputSchema/anyOf"),
            input: r#"{"name": "find_user", "description": "Finds a user by id or mail.", "inputSchema": {"type": "object",
 "properties": {"id": {"type": "string"}, "mail": {"type": "string"}}, "anyOf": [{"required": ["id"]}, {"required": ["mail"]}]}}"#,
        },
        Example {
            about: "the same choice within a parameter, and one that is called anyOf",
            expected: Expected::Silence,
            input: r#"{"name": "find_user", "description": "Finds a user by id or mail.", "inputSchema": {"type": "object",
 "properties": {"by": {"anyOf": [{"type": "integer"}, {"type": "string"}]}, "anyOf": {"type": "string"}}}}"#,
        },
        Example {
            about: "a list of nobody knows what, deep inside",
            expected: Expected::Finding(
                Severity::Error,
                "/inputSchema/properties/meta/items/properties/value",
            ),
            input: r#"{"name": "tag", "description": "Tags a file.", "inputSchema": {"type": "object", "properties": {"meta": {"type": "array",
 "items": {"type": "object", "properties": {"value": {"type": ["null", "string", "array"]}}}}}}}"#,
        },
        Example {
            about: "a list of anything, and a pair",
            expected: Expected::Silence,
            input: r#"{"name": "tag", "description": "Tags a file.", "inputSchema": {"type": "object", "properties": {
 "tags": {"type": "array", "items": {}}, "pair": {"type": "array", "prefixItems": [{"type": "string"}], "items": false}}}}"#,
        },
        Example {
            about: "brackets in a parameter's name",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/filter[id]"),
            input: r#"{"name": "list_apps", "description": "Lists apps.", "inputSchema": {"type": "object",
 "properties": {"filter[id]": {"type": "string"}}}}"#,
        },
        Example {
            about: "a reference to another parameter",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/actions/items/$ref"),
            input: r##"{"name": "crawl", "description": "Crawls a page.", "inputSchema": {"type": "object", "properties": {
 "headers": {"type": "object"}, "actions": {"type": "array", "items": {"$ref": "#/properties/headers"}}}}}"##,
        },
        Example {
            about: "a definition under $defs",
            expected: Expected::Silence,
            input: r##"{"name": "crawl", "description": "Crawls a page.", "inputSchema": {"type": "object", "$defs": {"headers": {"type": "object"}},
 "properties": {"actions": {"type": "array", "items": {"$ref": "#/$defs/headers"}}}}}"##,
        },
        Example {
            about: "an open object in strict mode",
            expected: Expected::Finding(Severity::Error, "/inputSchema"),
            input: r#"{"target": "openai-strict", "servers": {"s": [{"name": "get_day", "description": "Gets a day.",
 "inputSchema": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}}]}}"#,
        },
        Example {
            about: "what strict mode takes",
            expected: Expected::Silence,
            input: r#"{"target": "openai-strict", "servers": {"s": [{"name": "get_day", "description": "Gets a day.",
 "inputSchema": {"type": "object", "properties": {"day": {"type": ["string", "null"]}}, "required": ["day"], "additionalProperties": false}}]}}"#,
        },
        Example {
            about: "a closed object that does not say that nothing is required",
            expected: Expected::Finding(Severity::Info, "/inputSchema"),
            input: r#"{"name": "list_days", "description": "Lists days.", "inputSchema": {"type": "object",
 "properties": {"month": {"type": "string"}}, "additionalProperties": false}}"#,
        },
    ],
};

impl Rule for NotPortableSchema {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let Some(root) = subject.tool.input_schema() else { return };
        let mut look = Look { subject, targets: &subject.audience.targets, findings };
        look.root(root);
        schema::walk(root, "/inputSchema", &mut |node, at, place| {
            look.array(node, at);
            look.key(at, place);
        });
        look.references(root);
        look.closed(root);
        look.strict(root);
    }
}

struct Look<'r, 'a> {
    subject: &'r Subject<'a>,
    targets: &'r [&'static Target],
    findings: &'r mut Vec<Finding>,
}

impl Look<'_, '_> {
    fn add(
        &mut self,
        severity: Severity,
        at: impl Into<String>,
        what: String,
        reads_as: &str,
        next: &str,
        evidence: &Value,
    ) {
        let finding = Finding::proven(&DOC, severity, self.subject.server, &self.subject.label, at);
        let evidence = if evidence.is_null() { String::new() } else { shorten(&evidence.to_string(), 120) };
        self.findings.push(finding.saying(what, reads_as, next).with_evidence(evidence));
    }

    /// Those who refuse, and how much that weighs: those of the audience, else the others as information.
    fn who(&self, refuses: impl Fn(&Target) -> bool) -> Option<(Severity, Vec<&'static Target>)> {
        let chosen: Vec<_> = self.targets.iter().copied().filter(|target| refuses(target)).collect();
        if !chosen.is_empty() {
            return Some((Severity::Error, chosen));
        }
        let others: Vec<_> = TARGETS.iter().filter(|target| refuses(target)).collect();
        (!others.is_empty()).then_some((Severity::Info, others))
    }

    fn root(&mut self, root: &Value) {
        for keyword in ["allOf", "anyOf", "const", "enum", "not", "oneOf"] {
            let (Some(value), Some((severity, who))) =
                (root.get(keyword), self.who(|target| target.refused_at_root.contains(&keyword)))
            else {
                continue;
            };
            let what = format!(
                "`{keyword}` stands at the root; {} {} that",
                titles(&who),
                verb(&who, "refuses", "refuse")
            );
            let next =
                "say the rule in the description and check it in the tool, or move it into a parameter";
            self.add(severity, join("/inputSchema", keyword), what, REFUSED, next, value);
        }
    }

    fn array(&mut self, node: &Value, at: &Path<'_>) {
        // What else may say what is in it.
        const SAID: &[&str] = &["$ref", "allOf", "anyOf", "items", "oneOf", "prefixItems"];
        let is_bare = has_type(node, "array") && !SAID.iter().any(|keyword| node.get(keyword).is_some());
        if !is_bare {
            return;
        }
        let Some((severity, who)) = self.who(|target| target.arrays_need_items) else { return };
        let what = format!(
            "an array does not say what is in it; {} {} that",
            titles(&who),
            verb(&who, "refuses", "refuse")
        );
        self.add(severity, at, what, REFUSED, "declare `items`, if need be as `{}`", node);
    }

    fn key(&mut self, at: &Path<'_>, place: Place<'_>) {
        const LONGEST: usize = 64;
        let Place::Property(name) = place else { return };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let is_fine = (1..=LONGEST).contains(&name.chars().count()) && name.chars().all(is_plain);
        if is_fine || at.depth() != 2 {
            return;
        }
        let who: Vec<_> = self.targets.iter().copied().filter(|target| target.plain_keys).collect();
        if who.is_empty() {
            return;
        }
        let what = format!(
            "a parameter's name is not made of 1 to 64 letters, digits, `_`, `.` and `-`; {} {} that",
            titles(&who),
            verb(&who, "refuses", "refuse")
        );
        let next = "rename it, such as `filter.id` for `filter[id]`";
        self.add(Severity::Error, at, what, REFUSED, next, &Value::from(shorten(name, LONGEST)));
    }

    /// References from one parameter to another, told once: right, and lost by converters that know `$defs` only.
    fn references(&mut self, root: &Value) {
        let document = Document::new(root);
        let mut found: Vec<(String, &Value)> = Vec::new();
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            let reference = node.get("$ref").and_then(Value::as_str);
            let reference = reference.filter(|reference| reference.starts_with("#/properties/"));
            if reference
                .is_some_and(|reference| matches!(document.resolve(reference), schema::Target::Here(_)))
            {
                found.push((at.join("$ref"), &node["$ref"]));
            }
        });
        let Some((at, reference)) = found.first() else { return };
        let Some((severity, whom)) = self.who(|target| target.loses_property_references) else { return };
        let more = if found.len() > 1 { format!(", and {} more do", found.len() - 1) } else { String::new() };
        let what = format!(
            "a reference leads to another parameter{more}; on the way to {} it is lost",
            titles(&whom)
        );
        let next = "write the schema out here, or move it to `$defs`";
        let severity = severity.min(Severity::Warning);
        self.add(severity, at, what, "anything may be given here, or nothing", next, reference);
    }

    /// Legal JSON Schema, and `required: null` for some who fill it in.
    fn closed(&mut self, root: &Value) {
        let has = |keyword: &str| root.get(keyword).is_some();
        // Strict mode, where everything is required, says it louder.
        let is_told = self.targets.iter().any(|target| target.strict);
        if !is_told
            && root.get("additionalProperties") == Some(&Value::Bool(false))
            && has("properties")
            && !has("required")
        {
            let what =
                "a closed object does not say what is required; some OpenAI-compatible gateways refuse that";
            let next = "add `required`, if need be as `[]`";
            self.add(Severity::Info, "/inputSchema", what.to_owned(), REFUSED, next, &Value::Null);
        }
    }
}

const REFUSED: &str = "there is no such tool, or no tool at all: whole requests are refused for one schema";

#[cfg(test)]
mod tests {
    use super::super::super::testing::found;
    use super::*;

    fn severities(target: &str, schema: &str) -> Vec<(Severity, String)> {
        let input = format!(
            r#"{{"target": "{target}", "servers": {{"s": [{{"name": "t", "inputSchema": {schema}}}]}}}}"#
        );
        found(&NotPortableSchema, &input)
            .into_iter()
            .map(|finding| (finding.severity, finding.pointer))
            .collect()
    }

    #[test]
    fn what_a_target_does_not_refuse_is_information() {
        let bare = r#"{"type": "object", "properties": {"ids": {"type": "array"}}}"#;
        let at = "/inputSchema/properties/ids".to_owned();
        assert_eq!(severities("anthropic", bare), [(Severity::Info, at.clone())]);
        assert_eq!(severities("vscode,anthropic", bare), [(Severity::Error, at)]);
        let root = r#"{"type": "object", "not": {}}"#;
        assert_eq!(severities("anthropic", root), [(Severity::Info, "/inputSchema/not".to_owned())]);
        assert_eq!(severities("openai", root), [(Severity::Error, "/inputSchema/not".to_owned())]);
        assert_eq!(severities("openai", r#"{"type": "object", "if": {}, "then": {}}"#), []);
        assert_eq!(severities("openai", r#"{"type": "object", "properties": {"a b": {}}}"#), []);
    }

    #[test]
    fn keys_within_a_parameter_are_not_looked_at() {
        let nested =
            r#"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b c": {}}}}}"#;
        assert_eq!(severities("anthropic", nested), []);
    }
}
