//! A list or a search that nothing bounds.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::action::{Action, Verb, singular};
use super::super::prose::{Text, Word, WordList, has_phrase};
use super::super::{Rule, Subject, prose};
use crate::names;
use crate::report::shorten;
use crate::schema::{self, Document};
use crate::{Doc, Example, Expected, Finding, Severity, paging};

/// See [`DOC`].
pub(super) struct NoLimit;

static DOC: Doc = Doc {
    name: "no-limit",
    what: "a list or a search with neither a limit, a page, a cursor nor a filter",
    why: "Whatever there is comes back at once. A list that grows fills the agent's context, or is cut by the client, \
          and the agent has no argument with which to ask for less, or for the rest.",
    severity: "warning",
    examples: &[
        Example {
            about: "everything at once",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "list_documents", "description": "Lists all documents of the workspace.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "the same with a limit and a cursor",
            expected: Expected::Silence,
            input: r#"{"name": "list_documents", "description": "Lists the documents of the workspace.",
 "inputSchema": {"type": "object", "properties": {"limit": {"type": "integer", "maximum": 100}, "cursor": {"type": "string"}}}}"#,
        },
        Example {
            about: "a switch bounds nothing",
            expected: Expected::Finding(Severity::Warning, "/inputSchema"),
            input: r#"{"name": "getProjects", "description": "Get all projects of the account.",
 "inputSchema": {"type": "object", "properties": {"includeArchived": {"type": "boolean"}}}}"#,
        },
        Example {
            about: "a filter narrows the list",
            expected: Expected::Silence,
            input: r#"{"name": "list_documents", "description": "Lists the documents of a folder.",
 "inputSchema": {"type": "object", "properties": {"folder_id": {"type": "string"}}, "required": ["folder_id"]}}"#,
        },
        Example {
            about: "the description states the bound",
            expected: Expected::Silence,
            input: r#"{"name": "list_alerts", "description": "Lists the alerts, at most 100, newest first.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "small by nature",
            expected: Expected::Silence,
            input: r#"{"name": "list_categories", "description": "Lists the spending categories.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "only what is configured",
            expected: Expected::Silence,
            input: r#"{"name": "list_remotes", "description": "Lists the configured remotes.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "one thing whose name ends like a plural",
            expected: Expected::Silence,
            input: r#"{"name": "get_status", "description": "Gets the status of the service.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for NoLimit {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        if !gives_a_list(subject)
            || is_bounded_by_prose(&subject.said)
            || is_bounded_by_parameters(subject.tool)
        {
            return;
        }
        let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/inputSchema").saying(
            "the tool lists things, and no parameter bounds how many come back",
            "this list always fits; where it does not, the agent sees a part and takes it for all",
            "add a `limit` with a default and a maximum, and a `cursor` or a filter; where the list is always \
             short, say so in the description, such as \"at most 20\"",
        );
        findings.push(finding.with_evidence(evidence(subject.tool)));
    }
}

/// The sentence that promises a list, else the name.
fn evidence(tool: &ToolDef) -> String {
    const EVIDENCE_CHARS: usize = 120;
    let first = prose::sentences(tool.description()).next().unwrap_or(tool.name());
    format!("{:?}", shorten(first, EVIDENCE_CHARS))
}

/// Whether the name, and for `get_orders` also the description, says that the tool gives back many things of a kind that
/// grows.
fn gives_a_list(subject: &Subject<'_>) -> bool {
    let Some(action) = subject.action() else { return false };
    let gives = matches!(action.verb, Verb::List | Verb::Search | Verb::Get);
    if !gives || !subject.said.is_english() || is_small_by_nature(action) {
        return false;
    }
    let first = subject.said.opening();
    let about_many = action.is_about_many();
    match action.verb {
        Verb::List => about_many || action.object.is_empty() || first.iter().any(|word| word == "all"),
        Verb::Search => about_many && action.word != "query",
        Verb::Get => about_many && promises_a_list(first),
        _ => false,
    }
}

/// `Get a list of …`, `Lists …`, `Returns all …`.
fn promises_a_list(words: &[Word<'_>]) -> bool {
    const OPENING: usize = 5;
    let opening = &words[..words.len().min(OPENING)];
    opening.iter().any(|word| matches!(&**word, "all" | "every" | "list" | "lists"))
}

/// Whether there are only ever a few of what is listed.
fn is_small_by_nature(action: &Action) -> bool {
    /// What there are as many of as somebody set up, or as a format or a standard knows.
    static FEW: WordList = WordList::new(
        "account action app branch bucket calendar camera capability category class \
        cluster collection column command component config configuration connection context country \
        criteria currency database device dimension directory disk display drive emulator engine \
        environment example feature field flag format function goal index integration interface keyspace \
        kind label language level library license locale mailbox metric mode model module monitor \
        namespace network node operation operator option organisation organization permission phase plan \
        platform plugin policy preference preset priority privilege profile prompt property provider \
        queue quota region relation remote resolution role root rule schema scope server setting shell \
        simulator size skill source stage standard state status style suite table template theme tier \
        timezone tool toolset type unit variable variant vault version view voice volume watch webhook \
        window workflow workspace zone",
    );
    let few = |word: &String| FEW.has(&singular(word));
    let mut words = action.object.iter().rev();
    let Some(head) = words.next() else { return false };
    // `table_names`, `field_definitions` are as few as tables and fields.
    let names = matches!(singular(head).as_str(), "definition" | "detail" | "info" | "name" | "name_list");
    few(head) || (names && words.next().is_some_and(few))
}

/// Whether the description states how many come back at most, or says that there are only a few.
fn is_bounded_by_prose(said: &Text<'_>) -> bool {
    const PHRASES: &[&[&str]] =
        &[&["at", "most"], &["no", "more", "than"], &["limited", "to"], &["capped", "at"]];
    const BEFORE_A_NUMBER: &str = "first last latest max maximum newest recent the top";
    const FEW: &str = "allowed built builtin configured connected default enabled handful \
        installed last latest loaded opened paginated predefined recent small supported truncated";
    let words = said.words();
    let is_number = |word: &Word<'_>| word.parse::<u64>().is_ok();
    PHRASES.iter().any(|phrase| has_phrase(words, phrase))
        || words.windows(2).any(|pair| one_of!(&pair[0], BEFORE_A_NUMBER) && is_number(&pair[1]))
        || words.windows(3).any(|three| three[0] == "up" && three[1] == "to" && is_number(&three[2]))
        || said.opening().iter().any(|word| one_of!(word, FEW))
}

/// Whether a parameter says how many, which part, or which ones. What only switches a detail, or says where to connect
/// to, does not.
fn is_bounded_by_parameters(tool: &ToolDef) -> bool {
    if paging::limit_of(tool).is_some() {
        return true;
    }
    let Some(root) = tool.input_schema() else { return false };
    // The parameters of an open or combined schema are not all known.
    if ["anyOf", "oneOf", "allOf", "$ref", "patternProperties"]
        .iter()
        .any(|keyword| root.get(keyword).is_some())
    {
        return true;
    }
    let document = Document::new(root);
    tool.parameters().any(|(name, parameter)| narrows(&document, name, parameter))
}

fn narrows<'a>(document: &Document<'a>, name: &str, parameter: &'a Value) -> bool {
    const BESIDES: &str = "apikey auth credential credentials dummy password random secret session compact detail details detailed expand fields format include locale order \
        orderby output pretty recursive reverse show sort sortby token url verbose verbosity with";
    let branches = document.branches(parameter);
    let is_switch = branches.iter().any(|schema| schema::types(schema).contains(&"boolean"));
    // One that wraps nothing.
    let members =
        |schema: &&Value| schema.get("properties").and_then(Value::as_object).map(serde_json::Map::len);
    let is_empty = branches.iter().any(|schema| {
        members(schema) == Some(0) && schema.get("additionalProperties") == Some(&Value::Bool(false))
    });
    let words = names::words(name);
    let is_page =
        words.iter().any(|word| matches!(word.as_str(), "after" | "before" | "cursor" | "offset" | "page"));
    let is_key = words.windows(2).any(|pair| pair[1] == "key" && one_of!(&pair[0], "access api"));
    let is_beside = is_key || words.iter().any(|word| one_of!(word, BESIDES));
    is_page || !(is_switch || is_empty || is_beside)
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found_in;
    use super::*;
    use crate::ToolSet;
    use serde_json::json;

    fn found(name: &str, description: &str, parameters: Value) -> bool {
        let schema = json!({"type": "object", "properties": parameters});
        let set = ToolSet::new("s", vec![ToolDef::new(name, description, schema)]);
        !found_in(&NoLimit, set).is_empty()
    }

    #[test]
    fn what_bounds_a_list_keeps_it_silent() {
        let said = "List all invoices of the account";
        assert!(found("list_invoices", said, json!({})));
        assert!(found(
            "list_invoices",
            said,
            json!({"output": {"type": "string"}, "sort_by": {"type": "string"}})
        ));
        for bound in ["page", "pageToken", "per_page", "customer", "since", "query", "after"] {
            assert!(
                !found("list_invoices", said, json!({ bound: {"type": ["string", "integer"]} })),
                "{bound}"
            );
        }
    }

    #[test]
    fn prose_bounds_a_list_too() {
        for said in
            ["Lists the 10 last invoices", "List invoices, up to 50", "Lists recent invoices", "請求書の一覧"]
        {
            assert!(!found("list_invoices", said, json!({})), "{said}");
        }
        assert!(found("get_invoices", "Get a list of invoices", json!({})));
        assert!(!found("get_invoices", "Prepares the yearly report", json!({})));
    }

    #[test]
    fn a_few_of_something_need_no_limit() {
        for name in ["list_currencies", "list_table_names", "listSupportedTypes", "get_timezones"] {
            assert!(!found(name, "List all of them", json!({})), "{name}");
        }
    }
}
