//! A schema that clients refuse, or that contradicts itself.

use serde_json::Value;

use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::schema::{self, Document, Path, Place, Target, join};
use crate::{Doc, Example, Expected, Finding, Severity};

mod acceptance;
mod contradictions;
mod draft;
mod keywords;

use acceptance::Acceptance;
pub(super) use draft::Draft;

/// See [`DOC`].
pub(super) struct BadSchema;

static DOC: Doc = Doc {
    name: "bad-schema",
    what: "a schema that is no JSON Schema for an object, leads nowhere, or contradicts itself",
    why: "Clients built on the official SDKs drop the tool, or the whole list, when one schema is malformed: the agent \
          then says that there is no such tool. A default or a required name that the schema itself forbids makes \
          every call a guess.",
    severity: "error; warning for results that are no object, for a `null` default or enum value whose type does not allow \
               null, for values of several types in an enum without a type, for references to other documents, and for keywords written as in an older draft",
    examples: &[
        Example {
            about: "the root is not an object",
            expected: Expected::Finding(Severity::Error, "/inputSchema"),
            input: r#"{"name": "ping", "inputSchema": {}}"#,
        },
        Example {
            about: "a tool without parameters",
            expected: Expected::Silence,
            input: r#"{"name": "ping", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "results that are a list, for clients of older revisions",
            expected: Expected::Finding(Severity::Warning, "/outputSchema/type"),
            input: r#"{"name": "list_days", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array", "items": {"type": "string"}}}"#,
        },
        Example {
            about: "a keyword of the wrong type",
            expected: Expected::Finding(Severity::Error, "/inputSchema/required"),
            input: r#"{"name": "ping", "inputSchema": {"type": "object", "required": null}}"#,
        },
        Example {
            about: "an unknown type",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/day/type"),
            input: r#"{"name": "log", "inputSchema": {"type": "object", "properties": {"day": {"type": "date"}}}}"#,
        },
        Example {
            about: "a reference that leads nowhere",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/to/$ref"),
            input: r##"{"name": "send", "inputSchema": {"type": "object", "properties": {"to": {"$ref": "#/$defs/Address"}}}}"##,
        },
        Example {
            about: "a reference that leads somewhere, beside a parameter called anyOf",
            expected: Expected::Silence,
            input: r##"{"name": "send", "inputSchema": {"type": "object", "$defs": {"Address": {"type": "string"}},
 "properties": {"to": {"$ref": "#/$defs/Address"}, "anyOf": {"type": "string"}}}}"##,
        },
        Example {
            about: "a required name that is not declared",
            expected: Expected::Finding(Severity::Error, "/inputSchema/required/1"),
            input: r#"{"name": "get", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id", "version"]}}"#,
        },
        Example {
            about: "a required name where nothing is declared",
            expected: Expected::Finding(Severity::Error, "/inputSchema/required/0"),
            input: r#"{"name": "get", "inputSchema": {"type": "object", "required": ["id"]}}"#,
        },
        Example {
            about: "alternatives that require what their parent declares",
            expected: Expected::Silence,
            input: r#"{"name": "get", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}, "name": {"type": "string"}},
 "anyOf": [{"required": ["id"]}, {"required": ["name"]}]}}"#,
        },
        Example {
            about: "alternatives that name a part of what their parent declares",
            expected: Expected::Silence,
            input: r#"{"name": "open", "inputSchema": {"type": "object", "properties": {"kind": {"type": "string"}, "path": {"type": "string"}},
 "oneOf": [{"properties": {"kind": {"const": "file"}}, "required": ["kind", "path"]}, {"properties": {"kind": {"const": "none"}}}]}}"#,
        },
        Example {
            about: "references in a circle",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/a/$ref"),
            input: r##"{"name": "open", "inputSchema": {"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}}"##,
        },
        Example {
            about: "a schema that refers to itself further down",
            expected: Expected::Silence,
            input: r##"{"name": "open", "inputSchema": {"type": "object", "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}},
 "properties": {"a": {"$ref": "#/$defs/Node"}}}}"##,
        },
        Example {
            about: "a bound that excludes itself by a flag, as in draft 4",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/a/exclusiveMinimum"),
            input: r#"{"name": "open", "inputSchema": {"type": "object", "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": true}}}}"#,
        },
        Example {
            about: "the same in a schema that states draft 4",
            expected: Expected::Silence,
            input: r#"{"name": "open", "inputSchema": {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object",
 "properties": {"a": {"type": "number", "minimum": 0, "exclusiveMinimum": true}}}}"#,
        },
        Example {
            about: "a pattern that does not compile",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/a/pattern"),
            input: r#"{"name": "open", "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "pattern": "[a-"}}}}"#,
        },
        Example {
            about: "a default outside its enum",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/format/default"),
            input: r#"{"name": "export", "inputSchema": {"type": "object", "properties": {"format": {"type": "string", "enum": ["json"], "default": "yaml"}}}}"#,
        },
        Example {
            about: "a null default for an optional text",
            expected: Expected::Finding(Severity::Warning, "/inputSchema/properties/format/default"),
            input: r#"{"name": "export", "inputSchema": {"type": "object", "properties": {"format": {"type": "string", "default": null}}}}"#,
        },
        Example {
            about: "a null default where null is allowed",
            expected: Expected::Silence,
            input: r#"{"name": "export", "inputSchema": {"type": "object", "properties": {"format": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}}}}"#,
        },
        Example {
            about: "an enum with a value of another type",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/size/enum"),
            input: r#"{"name": "crop", "inputSchema": {"type": "object", "properties": {"size": {"type": "integer", "enum": [1, "two"]}}}}"#,
        },
        Example {
            about: "a nullable enum",
            expected: Expected::Silence,
            input: r#"{"name": "crop", "inputSchema": {"type": "object", "properties": {"size": {"type": ["integer", "null"], "enum": [1, 2, null]}}}}"#,
        },
    ],
};

impl Rule for BadSchema {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let mut report = Reporter { subject, findings };
        report.definition();
        for (pointer, root) in
            [("/inputSchema", subject.tool.input_schema()), ("/outputSchema", subject.tool.output_schema())]
        {
            if let Some(root) = root {
                report.schema(root, pointer);
            }
        }
    }
}

/// Which keywords a schema has.
#[derive(Default)]
struct Stated {
    types: bool,
    reference: bool,
    required: bool,
    /// `enum` or `const`.
    values: bool,
    bounds: bool,
    default: bool,
}

impl Stated {
    fn add(&mut self, keyword: &str) {
        match keyword {
            "type" => self.types = true,
            "$ref" => self.reference = true,
            "required" => self.required = true,
            "enum" | "const" => self.values = true,
            "maximum" | "maxLength" | "maxItems" | "maxProperties" => self.bounds = true,
            "default" => self.default = true,
            _ => {}
        }
    }
}

struct Reporter<'r, 'a> {
    subject: &'r Subject<'a>,
    findings: &'r mut Vec<Finding>,
}

impl Reporter<'_, '_> {
    fn add(
        &mut self,
        severity: Severity,
        pointer: impl Into<String>,
        what: String,
        reads_as: &str,
        next: &str,
        evidence: &Value,
    ) {
        const EVIDENCE_CHARS: usize = 120;
        let evidence = if evidence.is_null() { String::new() } else { evidence.to_string() };
        let finding = Finding::proven(&DOC, severity, self.subject.server, &self.subject.label, pointer)
            .saying(what, reads_as, next)
            .with_evidence(shorten(&evidence, EVIDENCE_CHARS));
        self.findings.push(finding);
    }

    fn definition(&mut self) {
        const DROPPED: &str = "no such tool, or no tools at all: clients drop the tool or the whole list";
        let raw = self.subject.tool.raw();
        if !raw.is_object() {
            self.add(
                Severity::Error,
                "",
                "the definition is no object".into(),
                DROPPED,
                "list an object per tool",
                raw,
            );
            return;
        }
        if self.subject.tool.name().is_empty() {
            let name = raw.get("name").unwrap_or(&Value::Null);
            self.add(Severity::Error, "", "the tool has no name".into(), DROPPED, "give it a `name`", name);
        }
        let next = "declare `\"inputSchema\": {\"type\": \"object\", …}`, also for a tool without parameters";
        match self.subject.tool.input_schema() {
            Some(schema) => self.root("input", schema, Severity::Error, DROPPED, next),
            None => {
                self.add(Severity::Error, "", "there is no `inputSchema`".into(), DROPPED, next, &Value::Null)
            }
        }
        // Since revision 2026-07-28 a result may be anything; clients of the ones before want an object.
        let next = "declare an object that holds the result, such as `{\"type\": \"object\", \"properties\": {\"items\": …}}`";
        if let Some(schema) = self.subject.tool.output_schema() {
            self.root("output", schema, Severity::Warning, DROPPED, next);
        }
    }

    /// A root that is no schema for an object.
    fn root(&mut self, which: &str, root: &Value, severity: Severity, reads_as: &str, next: &str) {
        let at = format!("/{which}Schema");
        match root.as_object() {
            Some(schema) if schema.get("type") == Some(&Value::from("object")) => {}
            Some(schema) if schema.contains_key("type") => {
                let stated = &schema["type"];
                let what = format!("the {which} schema has type {stated} at its root, not \"object\"");
                self.add(severity, join(&at, "type"), what, reads_as, next, stated);
            }
            Some(_) => {
                let what = format!("the {which} schema has no `\"type\": \"object\"` at its root");
                self.add(severity, at, what, reads_as, next, root);
            }
            None => {
                let what =
                    format!("the {which} schema is no object but {}", article(schema::type_name(root)));
                self.add(Severity::Error, at, what, reads_as, next, root);
            }
        }
    }

    fn schema(&mut self, root: &Value, pointer: &str) {
        let document = Document::new(root);
        let draft = Draft::of(root);
        let acceptance = Acceptance::of(root);
        schema::walk(root, pointer, &mut |node, at, place| {
            let stated = self.keywords(node, at, place, draft);
            if stated.types {
                self.type_names(node, at);
            }
            if stated.reference {
                self.reference(&document, node, at);
            }
            if stated.required {
                self.required(node, at);
            }
            if stated.values {
                self.enumeration(node, at);
                self.constant(node, at);
            }
            if stated.bounds {
                self.bounds(node, at);
            }
            if stated.default {
                self.default(&document, &acceptance, node, at);
            }
        });
    }

    /// Looks at the keywords one by one, and tells which of them are to be held against each other.
    fn keywords(&mut self, node: &Value, at: &Path<'_>, place: Place<'_>, draft: Draft) -> Stated {
        let mut stated = Stated::default();
        if !node.is_object() && !node.is_boolean() {
            // A root of another type is reported by `root`.
            if place != Place::Root {
                let what =
                    format!("a schema is expected here, and this is {}", article(schema::type_name(node)));
                self.add(
                    Severity::Error,
                    at,
                    what,
                    INVALID,
                    "write a schema, such as {\"type\": \"string\"}",
                    node,
                );
            }
            return stated;
        }
        for (keyword, value) in node.as_object().into_iter().flatten() {
            stated.add(keyword);
            if let Some(expected) = keywords::mismatch(keyword, value) {
                let what = format!("`{keyword}` must be {expected}, and is {}", shown(value));
                self.add(Severity::Error, at.join(keyword), what, INVALID, "mend it, or leave it out", value);
            } else if let Some(next) = draft.mismatch(keyword, value) {
                let what = format!("`{keyword}` is not written as in {}", draft.name());
                self.add(Severity::Warning, at.join(keyword), what, INVALID, next, value);
            }
        }
        stated
    }

    fn type_names(&mut self, node: &Value, at: &Path<'_>) {
        for name in schema::types(node) {
            if !keywords::TYPES.contains(&name) {
                let what = format!("`{name}` is no JSON Schema type");
                let next = format!("use one of {}", keywords::TYPES.join(", "));
                self.add(Severity::Error, at.join("type"), what, INVALID, &next, &node["type"]);
            }
        }
    }

    fn reference(&mut self, document: &Document<'_>, node: &Value, at: &Path<'_>) {
        let Some(reference) = node.get("$ref").and_then(Value::as_str) else { return };
        let at = || at.join("$ref");
        let circle = "anything goes here, or the client never ends: the reference leads to itself";
        let write_out = "put the definition under `$defs` of this schema, or write it out here";
        match document.resolve(reference) {
            Target::Here(target) if document.follow(target).is_none() => {
                let what = format!("`{reference}` leads in a circle, or through more than 100 references");
                self.add(Severity::Error, at(), what, circle, write_out, &node["$ref"]);
            }
            Target::Here(target) if !target.is_object() && !target.is_boolean() => {
                let what = format!(
                    "`{reference}` leads to {}, which is no schema",
                    article(schema::type_name(target))
                );
                self.add(Severity::Error, at(), what, INVALID, write_out, &node["$ref"]);
            }
            Target::Here(_) => {}
            Target::Nowhere => self.add(
                Severity::Error,
                at(),
                format!("`{reference}` leads nowhere in this schema"),
                "anything goes here, or no such tool: clients cannot resolve the reference",
                write_out,
                &node["$ref"],
            ),
            Target::Elsewhere => self.add(
                Severity::Warning,
                at(),
                format!("`{reference}` leads to another document, which clients do not fetch"),
                "anything goes here",
                write_out,
                &node["$ref"],
            ),
        }
    }
}

const INVALID: &str = "no such tool, or anything goes: clients drop what they cannot compile, or ignore it";

/// A short value itself, else what kind it is.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) => article(schema::type_name(value)),
        scalar => shorten(&scalar.to_string(), 40),
    }
}

fn article(name: &str) -> String {
    match name {
        "null" => name.to_owned(),
        "array" | "object" | "integer" => format!("an {name}"),
        _ => format!("a {name}"),
    }
}
