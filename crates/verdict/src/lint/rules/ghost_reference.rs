//! A description that sends the agent to a tool or a parameter that does not exist.

use std::cell::LazyCell;
use std::collections::HashSet;

use serde_json::Value;

use super::super::{Lint, Rule, Subject, mentions, prose};
use crate::report::shorten;
use crate::schema;
use crate::{Doc, Example, Expected, Finding, Severity, ToolSet};

mod docstring;
mod judge;
mod known;

use judge::{Ghost, Kind};
use known::{Known, Own};

/// See [`DOC`].
pub(super) struct GhostReference;

static DOC: Doc = Doc {
    name: "ghost-reference",
    what: "a description that names a tool or a parameter that does not exist, or instructions that name such a tool",
    why: "The agent does as it is told: it calls the tool and hears that there is none, or passes the parameter, which \
          is dropped without a word. Then it makes up something else.",
    severity: "error where the sentence commands it and nothing like it exists; warning where something similar exists, \
               or the sentence only suggests it",
    examples: &[
        Example {
            about: "no such tool",
            expected: Expected::Finding(Severity::Error, "/description"),
            input: r#"{"name": "run_query", "description": "Runs a query. First call get_table_schema to see the columns.", "inputSchema": {"type": "object"}},
{"name": "list_tables", "description": "Lists the tables.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "the tool exists",
            expected: Expected::Silence,
            input: r#"{"name": "run_query", "description": "Runs a query. First call get_table_schema to see the columns.", "inputSchema": {"type": "object"}},
{"name": "get_table_schema", "description": "Gets the columns of a table.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "instructions that send the agent to no tool",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"servers": {"db": {"instructions": "First call get_table_schema to see the columns.", "tools": [
{"name": "list_tables", "description": "Lists the tables.", "inputSchema": {"type": "object"}}]}}}"#,
        },
        Example {
            about: "instructions that send it to one of another server, and to the host's",
            expected: Expected::Silence,
            input: r#"{"servers": {"db": {"instructions": "First call get_table_schema, or read_file.", "tools": [
{"name": "list_tables", "description": "Lists the tables.", "inputSchema": {"type": "object"}}]}, "meta": {"tools": [
{"name": "get_table_schema", "description": "Gets the columns of a table.", "inputSchema": {"type": "object"}}]}}}"#,
        },
        Example {
            about: "the tool is written otherwise",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "run_query", "description": "Runs a query over a table that listTables names: use the listTables tool first.", "inputSchema": {"type": "object"}},
{"name": "list_tables", "description": "Lists the tables.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "the name with what the client puts before it",
            expected: Expected::Silence,
            input: r#"{"name": "run_query", "description": "Runs a query. Call mcp__db__list_tables first.", "inputSchema": {"type": "object"}},
{"name": "list_tables", "description": "Lists the tables.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "no such parameter",
            expected: Expected::Finding(Severity::Error, "/description"),
            input: r#"{"name": "list_orders", "description": "Lists orders. Use the `since` parameter to narrow the list.",
 "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer"}}}}"#,
        },
        Example {
            about: "the parameter exists, deeper down",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders. Use the `since` parameter to narrow the list.",
 "inputSchema": {"type": "object", "properties": {"filter": {"type": "object", "properties": {"since": {"type": "string"}}}}}}"#,
        },
        Example {
            about: "an argument is documented that the schema does not have",
            expected: Expected::Finding(Severity::Error, "/description"),
            input: r#"{"name": "list_orders", "description": "Lists orders.\n\nArgs:\n    limit: how many\n    customer: whose orders\n\nReturns:\n    orders: the orders",
 "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer"}}}}"#,
        },
        Example {
            about: "a field of the answer, a value, a variable, a function, a file",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders. Pass the `next_cursor` parameter from the response as `cursor`. Use `in_progress` for open ones. Set SHOP_TOKEN first. Use the date_trunc() function. See get_started.md.",
 "inputSchema": {"type": "object", "properties": {"cursor": {"type": "string"}}}}"#,
        },
        Example {
            about: "a tool of somebody else",
            expected: Expected::Silence,
            input: r#"{"name": "list_orders", "description": "Lists orders. To import some, call create_import of the admin API.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for GhostReference {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        let known = Known::of(lint.sets);
        for set in lint.sets {
            look_at_instructions(set, &known, findings);
        }
        for subject in lint.subjects() {
            look(subject, &known, findings);
        }
    }
}

/// Visits the texts of a definition that an agent reads, the description first, with what says where each is.
fn texts<'a>(subject: &Subject<'a>, mut visit: impl FnMut(&'a str, &dyn Fn() -> String)) {
    visit(subject.tool.description(), &|| "/description".to_owned());
    if let Some(root) = subject.tool.input_schema() {
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            if let Some(text) = node.get("description").and_then(Value::as_str) {
                visit(text, &|| at.join("description"));
            }
        });
    }
}

/// Looks for ghosts in all texts of a tool; each is reported where it first appears.
fn look(subject: &Subject<'_>, known: &Known<'_>, findings: &mut Vec<Finding>) {
    let own = LazyCell::new(|| Own::of(subject.tool));
    let mut seen = HashSet::new();
    let mut is_description = true;
    texts(subject, |text, pointer| {
        let text = prose::readable(text);
        let mut ghosts = judge::ghosts(text, known, || &own);
        if is_description {
            ghosts.extend(docstring::ghosts(text, || &own));
            is_description = false;
        }
        if ghosts.is_empty() || !prose::is_english(text) {
            return;
        }
        for ghost in ghosts {
            if seen.insert(ghost.name) {
                let at = At { subject: Some(subject), server: subject.server, pointer: pointer() };
                findings.push(finding(at, text, &ghost));
            }
        }
    });
}

/// Looks for tools that nobody has in what a server says about all of its own. Whose parameters it speaks of is not told.
fn look_at_instructions(set: &ToolSet, known: &Known<'_>, findings: &mut Vec<Finding>) {
    let (text, own) = (prose::readable(&set.instructions), Own::unknown());
    let ghosts = judge::ghosts(text, known, || &own);
    if ghosts.is_empty() || !prose::is_english(text) {
        return;
    }
    let at = || At { subject: None, server: &set.server, pointer: String::new() };
    findings.extend(ghosts.iter().map(|ghost| finding(at(), text, ghost)));
}

/// Where a name stands.
struct At<'r, 'a> {
    /// The tool; `None` in a server's instructions.
    subject: Option<&'r Subject<'a>>,
    server: &'r str,
    pointer: String,
}

fn finding(at: At<'_, '_>, text: &str, ghost: &Ghost<'_>) -> Finding {
    const LONGEST_NAME: usize = 100;
    const EVIDENCE_CHARS: usize = 120;
    let kind = match ghost.kind {
        Kind::Tool => "tool",
        Kind::Parameter => "parameter",
    };
    let name = shorten(ghost.name, LONGEST_NAME);
    let reads_as = match ghost.kind {
        Kind::Tool => {
            format!("call `{name}`: the agent is told that there is no such tool, or passes over the advice")
        }
        Kind::Parameter => format!("pass `{name}`: it is refused, or dropped without a word"),
    };
    let next = match &ghost.similar {
        Some(similar) => format!("did you mean `{similar}`? write the name as it is listed"),
        None => format!("name a {kind} that exists, or take the sentence out"),
    };
    let (label, names) = match at.subject {
        Some(subject) => (subject.label.as_str(), "the description names"),
        None => ("", "the instructions name"),
    };
    let finding = if ghost.is_proven {
        Finding::proven(&DOC, Severity::Error, at.server, label, at.pointer)
    } else {
        Finding::suspected(&DOC, at.server, label, at.pointer)
    };
    let sentence = shorten(mentions::around(text, ghost.at, EVIDENCE_CHARS), EVIDENCE_CHARS);
    finding
        .saying(format!("{names} the {kind} `{name}`, which does not exist here"), reads_as, next)
        .with_evidence(format!("{sentence:?}"))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found_in;
    use super::*;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn look_at(description: &str) -> Vec<(Severity, String)> {
        let schema = json!({"type": "object", "properties": {
            "mode": {"type": "string", "enum": ["delete_all"]}, "page_size": {"type": "integer"}}});
        let tools = vec![
            ToolDef::new("get_issue", description, schema),
            ToolDef::new("search_issues", "Finds issues.", json!({"type": "object"})),
            ToolDef::new("jira_update_issue", "Changes an issue.", json!({"type": "object"})),
        ];
        let set = ToolSet::new("s", tools);
        found_in(&GhostReference, set).into_iter().map(|finding| (finding.severity, finding.next)).collect()
    }

    #[test]
    fn a_command_is_an_error_and_a_hint_a_warning() {
        for said in [
            "Use the `list_issues` tool first.",
            "Use list_issues and search_issues tools first.",
            "Before this, call list_issues.",
            "Get it by calling `list_issues()`.",
            "Set the `depth` parameter to 2.",
            "Pass the \"depth\" argument.",
        ] {
            let found = look_at(said);
            assert_eq!(found.first().map(|(severity, _)| *severity), Some(Severity::Error), "{said}");
            assert_eq!(found.len(), 1, "{said}");
        }
        for said in [
            "Use list_issues to find it.",
            "To change it use update_issue.",
            "Use the getIssue tool.",
            "On failure use the `list_issues` tool of the GitHub server.",
        ] {
            assert_eq!(
                look_at(said).first().map(|(severity, _)| *severity),
                Some(Severity::Warning),
                "{said}"
            );
        }
        assert!(look_at("Change it with the update_issue tool.")[0].1.contains("`jira_update_issue`"));
        assert!(look_at("Set the `pagesize_` parameter.").is_empty());
        assert!(look_at("Set the `size` parameter.")[0].1.contains("`page_size`"));
        assert!(look_at("Set the `page_sizes` parameter.")[0].1.contains("`page_size`"));
    }

    #[test]
    fn what_is_no_reference_is_left_alone() {
        for said in [
            "Use search_issues first.",
            "Use `delete_all` to end all of them.",
            "The list_issues field of the answer.",
            "Call get_issue.py first.",
            "Call client.list_issues() in the SDK.",
            "Call the list_issues API.",
            "Every tool call list_issues makes.",
            "It was renamed from list_issues.",
            "There is no list_issues tool.",
            "Use the list_issues prompt.",
            "```\nclient.call(list_issues)\ncall list_issues\n```",
            "client.call(list_issues)",
            "Call my_function.",
            "Use a list_issues tool.",
            "Set the `q` query parameter of the URL.",
            "Set LIST_ISSUES to 1.",
            "Use the Bash tool, or web_search.",
            "Use read-only tools.",
            "Actions:\n- list_issues: lists them\nUse list_issues to list them.",
            "Utilisez list_issues pour trouver le ticket que vous cherchez",
            "",
        ] {
            assert_eq!(look_at(said), [], "{said}");
        }
    }

    #[test]
    fn a_server_s_own_prefix_and_a_parameter_that_is_nearly_there_are_told() {
        let schema = json!({"type": "object", "additionalProperties": false, "properties": {"collections": {"type": "string"}}});
        let of = |said: &str| {
            let tools = vec![
                ToolDef::new("search_notes", said, schema.clone()),
                ToolDef::new("get_note", "Gets a note by its id.", json!({"type": "object"})),
            ];
            let findings = found_in(&GhostReference, ToolSet::new("moflo", tools));
            findings.into_iter().map(|finding| finding.severity).collect::<Vec<_>>()
        };
        let warns = [Severity::Warning];
        assert_eq!(of("Searches the notes; read what is known with mcp__moflo__memory_usage first."), warns);
        assert_eq!(of("Searches the notes, then get one with mcp__moflo__get_note."), []);
        assert_eq!(of("Searches the notes that are known to mcp__other__memory_usage."), []);
        assert_eq!(of("Searches the notes. For one of them set `collection` to its name."), warns);
        assert_eq!(of("Searches the notes. For one of them set `collections` to its name."), []);
        assert_eq!(
            of("Takes the id that comes from a previous search_note call of the same session."),
            warns
        );
    }

    #[test]
    fn what_may_be_a_key_of_an_open_object_is_not_proven() {
        let open = json!({"type": "object", "properties": {"fields": {"type": "object"}}});
        let set =
            ToolSet::new("s", vec![ToolDef::new("set_issue", "Set the `due` parameter to a day.", open)]);
        assert_eq!(found_in(&GhostReference, set), []);
    }
}
