//! A tool that cannot work without an argument, and requires none.

use serde_json::Value;

use super::super::action::Action;
use super::super::prose::{self, Word};
use super::super::{Rule, Subject};
use crate::report::shorten;
use crate::schema::{self, Document};
use crate::{Doc, Example, Expected, Finding, Severity};

mod needs;

use needs::Need;

/// See [`DOC`].
pub(super) struct OptionalEverything;

static DOC: Doc = Doc {
    name: "optional-everything",
    what: "a tool that requires none of its parameters, though it cannot work without one",
    why: "The schema tells the agent that the tool works without arguments, and it calls it so. What comes back is an \
          error at best, and at worst something nobody asked for.",
    severity: "warning",
    examples: &[
        Example {
            about: "which issue?",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "get_issue", "description": "Gets an issue.",
 "inputSchema": {"type": "object", "properties": {"issue_id": {"type": "string", "description": "The issue's id."}}}}"#,
        },
        Example {
            about: "the id is required",
            expected: Expected::Silence,
            input: r#"{"name": "get_issue", "description": "Gets an issue.",
 "inputSchema": {"type": "object", "properties": {"issue_id": {"type": "string", "description": "The issue's id."}}, "required": ["issue_id"]}}"#,
        },
        Example {
            about: "the description says required, the schema does not",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "render", "description": "Renders a chart.",
 "inputSchema": {"type": "object", "properties": {"series": {"type": "array", "items": {"type": "number"}, "description": "The values to draw. Required."}}}}"#,
        },
        Example {
            about: "required only together with another",
            expected: Expected::Silence,
            input: r#"{"name": "render", "description": "Renders a chart of the last run.",
 "inputSchema": {"type": "object", "properties": {"run": {"type": "string"}, "step": {"type": "integer", "description": "Required if a run is given."}}}}"#,
        },
        Example {
            about: "what should be run?",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "query", "description": "Runs a read-only SQL query.",
 "inputSchema": {"type": "object", "properties": {"sql": {"type": "string", "description": "The SQL source."}}}}"#,
        },
        Example {
            about: "a search whose filters are all optional",
            expected: Expected::Silence,
            input: r#"{"name": "search_issues", "description": "Finds issues.",
 "inputSchema": {"type": "object", "properties": {"query": {"type": "string", "description": "Words to look for."}, "status": {"type": "string", "description": "Only this status."}}}}"#,
        },
        Example {
            about: "the object that holds a required member is itself optional",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "check_config", "description": "Checks a configuration.",
 "inputSchema": {"type": "object", "properties": {"params": {"type": "object", "properties": {"config": {"type": "string"}}, "required": ["config"]}}}}"#,
        },
        Example {
            about: "a filter is optional, whatever it holds",
            expected: Expected::Silence,
            input: r#"{"name": "list_runs", "description": "Lists the last 20 runs.",
 "inputSchema": {"type": "object", "properties": {"filter": {"type": "object", "properties": {"field": {"type": "string"}, "value": {"type": "string"}}, "required": ["field", "value"]}}}}"#,
        },
        Example {
            about: "works on what there is by default",
            expected: Expected::Silence,
            input: r#"{"name": "get_current_time", "description": "Gets the time.",
 "inputSchema": {"type": "object", "properties": {"timezone": {"type": "string", "description": "Such as Europe/Paris."}}}}"#,
        },
        Example {
            about: "one of two, and the schema says so",
            expected: Expected::Silence,
            input: r#"{"name": "delete_issue", "description": "Deletes an issue.",
 "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}, "key": {"type": "string"}}, "anyOf": [{"required": ["id"]}, {"required": ["key"]}]}}"#,
        },
        Example {
            about: "one of two, and the description says so",
            expected: Expected::Silence,
            input: r#"{"name": "delete_issue", "description": "Deletes an issue. Give either its id or its key.",
 "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}, "key": {"type": "string"}}}}"#,
        },
        Example {
            about: "every parameter has a default",
            expected: Expected::Silence,
            input: r#"{"name": "create_index", "description": "Creates the search index.",
 "inputSchema": {"type": "object", "properties": {"path": {"type": "string", "default": "./index"}}}}"#,
        },
    ],
};

impl Rule for OptionalEverything {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        findings.extend(look(subject));
    }
}

/// A parameter that a call may have to give: one without a default of its own.
struct Candidate<'a> {
    name: &'a str,
    texts: Vec<&'a str>,
    /// A name that is required in it, where it is an object.
    holds: Option<&'a str>,
}

impl<'a> Candidate<'a> {
    fn of(document: &Document<'a>, name: &'a str, parameter: &'a Value) -> Option<Self> {
        let branches = document.branches(parameter);
        let schemas = || std::iter::once(parameter).chain(branches.iter().copied());
        let is_switch = schemas().any(|schema| schema::types(schema).contains(&"boolean"));
        if is_switch
            || schemas().any(|schema| schema.get("default").is_some_and(|default| !default.is_null()))
        {
            return None;
        }
        Some(Self {
            name,
            texts: schemas().filter_map(|schema| schema.get("description")?.as_str()).collect(),
            holds: schemas()
                .find_map(|schema| schema.get("required")?.as_array()?.iter().find_map(Value::as_str)),
        })
    }

    /// Whether one of its descriptions says so.
    fn says(&self, so: impl Fn(&[Word<'_>]) -> bool) -> bool {
        self.texts.iter().any(|text| so(&prose::words(text)))
    }
}

fn look(subject: &Subject<'_>) -> Option<Finding> {
    let root = subject.tool.input_schema()?;
    let properties = root.get("properties").and_then(Value::as_object).filter(|all| !all.is_empty())?;
    if schema::requires_something(root) {
        return None;
    }
    let document = Document::new(root);
    let candidates: Vec<_> =
        properties.iter().filter_map(|(name, parameter)| Candidate::of(&document, name, parameter)).collect();
    let need = Need::find(subject, properties.len(), &candidates)?;
    let name = need.parameter();
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/inputSchema").saying(
        format!("no parameter is required, though {}", need.because()),
        "this also works without arguments",
        format!("list `{name}` under `required`, or say in its description what happens without it"),
    );
    Some(finding.with_evidence(need.evidence()))
}

/// The excerpt that a finding shows.
fn excerpt(text: &str) -> String {
    const EVIDENCE_CHARS: usize = 120;
    format!("{:?}", shorten(text.trim(), EVIDENCE_CHARS))
}

/// The action of a tool, if prose about it can be read.
fn action<'s>(subject: &'s Subject<'_>) -> Option<&'s Action> {
    let said = &subject.said;
    (said.as_str().trim().is_empty() || said.is_english()).then(|| subject.action())?
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found_in;
    use super::*;
    use crate::ToolSet;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn found(name: &str, description: &str, parameters: Value) -> bool {
        let tool = ToolDef::new(name, description, json!({"type": "object", "properties": parameters}));
        !found_in(&OptionalEverything, ToolSet::new("s", vec![tool])).is_empty()
    }

    fn text(description: &str) -> Value {
        json!({"type": "string", "description": description})
    }

    #[test]
    fn a_verb_needs_its_object() {
        assert!(found("updateIssue", "Changes an issue.", json!({"issueId": text(""), "title": text("")})));
        assert!(found("create_ticket", "Opens a ticket.", json!({"title": text(""), "body": text("")})));
        assert!(found("remove_label", "Removes a label.", json!({"name": text("The label to remove")})));
        assert!(found("send_message", "Sends a message.", json!({"text": text("")})));
        assert!(found("run_code", "Runs code.", json!({"code": text("JavaScript")})));
        assert!(found("read_file", "Reads a file.", json!({"path": text("")})));
        assert!(found("fetch", "Fetches a page.", json!({"url": text("")})));
        assert!(found("delete_branch", "Deletes a branch.", json!({"name": text("")})));
        assert!(found("get_pull_request", "Gets it.", json!({"pull_number": text("")})));
        assert!(!found("get_page", "Gets it.", json!({"page_number": text("")})));
        assert!(!found("open_browser", "Opens it.", json!({"url": text("")})));
        assert!(!found("create_session", "Starts a session.", json!({"title": text("")})));
        assert!(!found("get_usage", "Gets the usage.", json!({"team_id": text("")})));
        assert!(!found("get_issues", "Gets issues.", json!({"issue_id": text("")})));
    }

    #[test]
    fn what_happens_without_it_may_be_said() {
        for said in ["Defaults to the open one", "Optional.", "If omitted, the latest", "Leave empty for all"]
        {
            assert!(!found("get_issue", "Gets an issue.", json!({"issue_id": text(said)})), "{said}");
        }
        assert!(!found(
            "get_issue",
            "Holt einen Vorgang aus dem System anhand seiner Kennung",
            json!({"id": text("")})
        ));
    }

    #[test]
    fn only_a_plain_statement_is_one() {
        for said in [
            "Required.", "The day, required", "A day must be given.", "(required) The day",
            "This must be provided", "REQUIRED: the day",
        ] {
            assert!(found("render", "Draws.", json!({"day": text(said)})), "{said}");
        }
        for said in [
            "Not required", "Required when a week is given", "Required unless week is set",
            "The required day of work",
        ] {
            assert!(!found("render", "Draws.", json!({"day": text(said)})), "{said}");
        }
    }
}
