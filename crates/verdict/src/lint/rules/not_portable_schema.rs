//! A schema that is right, and that a target refuses or loses a part of.

mod outcome;
mod strict;
mod subset;

use serde_json::Value;

use super::super::target::{Target, What};
use super::super::{Rule, Subject};
use super::bad_schema::Draft;
use crate::report::shorten;
use crate::schema::{self, Document, Path, Place, has_type, join};
use crate::{Doc, Example, Expected, Finding, Severity};

use outcome::Outcome;
use subset::Subset;

/// See [`DOC`].
pub(super) struct NotPortableSchema;

static DOC: Doc = Doc {
    name: "not-portable-schema",
    what: "an input schema that is valid, and that a target refuses or loses a part of",
    why: "Providers take a subset of JSON Schema. One tool outside it and the whole request is refused, with every tool of \
          every server in it; or the client drops the tool, and the agent never hears of it.",
    severity: "error where a target of --target refuses it or leaves the tool out; warning where it is lost on the way or \
               refused only here and there; information where only other targets do not take it",
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
 "items": {"type": "object", "properties": {"value": {"type": "array"}}}}}}}"#,
        },
        Example {
            about: "a list of anything",
            expected: Expected::Silence,
            input: r#"{"name": "tag", "description": "Tags a file.", "inputSchema": {"type": "object", "properties": {
 "tags": {"type": "array", "items": {}}}}}"#,
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

    fn depends(&self) -> bool {
        true
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let Some(root) = subject.tool.input_schema() else { return };
        let mut look = Look { subject, targets: &subject.audience.targets, findings };
        look.root(root);
        let draft = Draft::of(root);
        let mut subset = Subset::default();
        schema::walk(root, "/inputSchema", &mut |node, at, place| {
            look.array(node, at);
            look.draft(node, at, draft);
            subset.see(node, at, place);
            look.key(at, place);
        });
        subset.tell(&mut look);
        look.properties(root);
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

/// Something that not every target takes.
struct Fault<'v> {
    at: String,
    what: String,
    next: &'static str,
    /// What is shown of it.
    shown: Option<&'v Value>,
}

impl Look<'_, '_> {
    /// Tells of a fault where it is beyond a limit of some target.
    fn tell(&mut self, fault: Fault<'_>, is_beyond: impl Fn(What) -> bool) {
        self.tell_at_most(Severity::Error, fault, is_beyond);
    }

    /// The same where no report shows that it weighs more.
    fn tell_at_most(&mut self, most: Severity, fault: Fault<'_>, is_beyond: impl Fn(What) -> bool) {
        let Some(outcome) = Outcome::of(self.targets, is_beyond) else { return };
        let what = format!("{}; {}", fault.what, outcome.told);
        self.add(outcome.severity.min(most), Fault { what, ..fault }, outcome.reads_as);
    }

    fn add(&mut self, severity: Severity, fault: Fault<'_>, reads_as: &str) {
        let Fault { at, what, next, shown } = fault;
        let finding = Finding::proven(&DOC, severity, self.subject.server, &self.subject.label, at);
        let evidence = shown.map(|shown| shorten(&shown.to_string(), 120)).unwrap_or_default();
        self.findings.push(finding.saying(what, reads_as, next).with_evidence(evidence));
    }

    fn root(&mut self, root: &Value) {
        for keyword in ["allOf", "anyOf", "const", "else", "enum", "if", "not", "oneOf", "then"] {
            let Some(value) = root.get(keyword) else { continue };
            let fault = Fault {
                at: join("/inputSchema", keyword),
                what: format!("`{keyword}` stands at the root"),
                next: "say the rule in the description and check it in the tool, or move it into a parameter",
                shown: Some(value),
            };
            self.tell(fault, |what| matches!(what, What::Combined(keywords) if keywords.contains(&keyword)));
        }
    }

    fn array(&mut self, node: &Value, at: &Path<'_>) {
        // What else may say what is in it.
        const SAID: &[&str] = &["$ref", "allOf", "anyOf", "items", "oneOf", "prefixItems"];
        if !has_type(node, "array") {
            return;
        }
        let is_bare = !SAID.iter().any(|keyword| node.get(keyword).is_some());
        let has_items = node.get("items").is_some_and(|items| items != &Value::Bool(false));
        let is_only = node.get("type").is_some_and(Value::is_string);
        let is_without = is_only && !has_items;
        if is_bare || is_without {
            let fault = Fault {
                at: at.to_string(),
                what: "an array does not say under `items` what is in it".to_owned(),
                next: "declare `items`, if need be as `{}`",
                shown: Some(node),
            };
            // What is refused is seen of arrays, and not of one type among others.
            let most = if is_only { Severity::Error } else { Severity::Warning };
            self.tell_at_most(most, fault, |what| {
                (is_bare && what == What::Array) || (is_without && what == What::ArrayAtAll)
            });
        }
    }

    /// What 2020-12 writes in another way, in a schema that does not state an older draft.
    fn draft(&mut self, node: &Value, at: &Path<'_>, draft: Draft) {
        for keyword in ["items", "exclusiveMinimum", "exclusiveMaximum"] {
            let Some(value) = node.get(keyword).filter(|_| draft == Draft::Newest) else { continue };
            if let Some(next) = draft.mismatch(keyword, value) {
                let what = format!("`{keyword}` is written as in an older draft of JSON Schema");
                let fault = Fault { at: at.join(keyword), what, next, shown: Some(value) };
                self.tell(fault, |what| what == What::Draft);
            }
        }
    }

    fn key(&mut self, at: &Path<'_>, place: Place<'_>) {
        const LONGEST: usize = 64;
        let Place::Property(name) = place else { return };
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
        let is_fine = (1..=LONGEST).contains(&name.chars().count()) && name.chars().all(is_plain);
        if is_fine || at.depth() != 2 {
            return;
        }
        let fault = Fault {
            at: at.to_string(),
            what: "a parameter's name is not made of 1 to 64 letters, digits, `_`, `.` and `-`".to_owned(),
            next: "rename it, such as `filter.id` for `filter[id]`",
            shown: Some(&Value::from(shorten(name, LONGEST))),
        };
        self.tell(fault, |what| what == What::Key);
    }

    fn properties(&mut self, root: &Value) {
        const SAID: &[&str] = &["$ref", "allOf", "anyOf", "oneOf", "properties"];
        if has_type(root, "object") && !SAID.iter().any(|keyword| root.get(keyword).is_some()) {
            let fault = Fault {
                at: "/inputSchema".to_owned(),
                what: "the input schema has no `properties`".to_owned(),
                next: "add `\"properties\": {}`",
                shown: Some(root),
            };
            self.tell(fault, |what| what == What::NoProperties);
        }
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
        let more = if found.len() > 1 { format!(", and {} more do", found.len() - 1) } else { String::new() };
        let fault = Fault {
            at: at.clone(),
            what: format!("a reference leads to another parameter{more}"),
            next: "write the schema out here, or move it to `$defs`",
            shown: Some(reference),
        };
        self.tell(fault, |what| what == What::PropertyReference);
    }

    /// Legal JSON Schema, and `required: null` for some who fill it in.
    fn closed(&mut self, root: &Value) {
        let has = |keyword: &str| root.get(keyword).is_some();
        // Strict mode, where everything is required, says it louder.
        if !is_strict(self.targets)
            && root.get("additionalProperties") == Some(&Value::Bool(false))
            && root.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty())
            && !has("required")
        {
            let fault = Fault {
                at: "/inputSchema".to_owned(),
                what: "a closed object does not say what is required; some OpenAI-compatible gateways refuse that"
                    .to_owned(),
                next: "add `required`, if need be as `[]`",
                shown: None,
            };
            self.add(Severity::Info, fault, REFUSED);
        }
    }
}

/// Whether somebody of these takes only what is strict.
fn is_strict(targets: &[&Target]) -> bool {
    targets.iter().any(|target| target.beyond(|what| what == What::Strict).is_some())
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
        let root = r#"{"type": "object", "properties": {}, "not": {}}"#;
        assert_eq!(severities("anthropic", root), [(Severity::Info, "/inputSchema/not".to_owned())]);
        assert_eq!(severities("openai", root), [(Severity::Error, "/inputSchema/not".to_owned())]);
        let dropped = r#"{"type": "object", "properties": {}, "if": {}}"#;
        assert_eq!(severities("openai", dropped), []);
        assert_eq!(severities("vscode", dropped), [(Severity::Warning, "/inputSchema/if".to_owned())]);
        let key = severities("openai", r#"{"type": "object", "properties": {"a b": {"type": "string"}}}"#);
        assert_eq!(key, [(Severity::Info, "/inputSchema/properties/a b".to_owned())]);
    }

    #[test]
    fn an_array_is_held_against_what_each_target_wants() {
        let of = |target: &str, array: &str| {
            let found =
                severities(target, &format!(r#"{{"type": "object", "properties": {{"a": {array}}}}}"#));
            found.first().map(|(severity, _)| *severity)
        };
        let pair = r#"{"type": "array", "prefixItems": [{"type": "string"}], "items": false}"#;
        assert_eq!(of("openai,gemini", pair), Some(Severity::Info));
        assert_eq!(of("vscode", pair), Some(Severity::Error));
        assert_eq!(of("vscode", r#"{"type": ["array", "null"]}"#), Some(Severity::Info));
        assert_eq!(of("gemini", r#"{"type": ["array", "null"]}"#), Some(Severity::Warning));
        assert_eq!(of("openai", r#"{"type": ["array", "null"]}"#), Some(Severity::Warning));
        assert_eq!(of("openai", r#"{"type": "array"}"#), Some(Severity::Error));
        assert_eq!(of("vscode,openai", r#"{"type": "array", "items": {}}"#), None);
    }

    #[test]
    fn what_newer_targets_write_in_another_way_is_told() {
        let of = |target: &str, member: &str| {
            severities(target, &format!(r#"{{"type": "object", "properties": {{"a": {{{member}}}}}}}"#))
        };
        let tuple = r#""type": "array", "items": [{"type": "string"}]"#;
        let at = "/inputSchema/properties/a/items".to_owned();
        assert_eq!(of("anthropic", tuple), [(Severity::Error, at.clone())]);
        assert_eq!(of("gemini", tuple), [(Severity::Info, at)]);
        let stated = r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object",
 "properties": {"a": {"type": "array", "items": [{"type": "string"}]}}}"#;
        assert_eq!(severities("anthropic", stated), []);
        let at = "/inputSchema/properties/a/enum".to_owned();
        for values in ["[1, 2]", r#"["", "a"]"#, "[true]"] {
            assert_eq!(of("gemini", &format!("\"enum\": {values}")), [(Severity::Warning, at.clone())]);
        }
        assert_eq!(of("gemini", r#""enum": ["a", null]"#), []);
    }

    #[test]
    fn keys_within_a_parameter_are_not_looked_at() {
        let nested = r#"{"type": "object", "properties": {"a": {"type": "object", "properties": {"b c": {"type": "string"}}}}}"#;
        assert_eq!(severities("anthropic", nested), []);
    }
}
