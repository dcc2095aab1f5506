//! Guidance about a tool that stands only in the server's instructions.

use std::collections::{HashMap, HashSet};

use super::super::mentions::{Token, is_quoted, style, tokens};
use super::super::{Lint, Rule, Subject, prose};
use crate::names;
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct GuidanceElsewhere;

static DOC: Doc = Doc {
    name: "guidance-elsewhere",
    what: "a sentence of the server's instructions that says how or when to use a tool, which the tool's own definition \
           does not say",
    why: "Clients may leave instructions out, cut them, or load tools one by one without them. The agent then has the \
          tool, and not the rule.",
    severity: "information",
    examples: &[
        Example {
            about: "what must come first is told elsewhere",
            expected: Expected::Finding(Severity::Info, "/description"),
            input: r#"{"servers": {"db": {"instructions": "Always check the columns with describe_table before calling run_query.",
 "tools": [{"name": "run_query", "description": "Runs SQL.", "inputSchema": {"type": "object"}},
  {"name": "describe_table", "description": "Tells of what a table is made.", "inputSchema": {"type": "object"}}]}}}"#,
        },
        Example {
            about: "the definition says it too",
            expected: Expected::Silence,
            input: r#"{"servers": {"db": {"instructions": "Always check the columns with describe_table before calling run_query.",
 "tools": [{"name": "run_query", "description": "Runs SQL. Check the columns with describe_table before calling it.", "inputSchema": {"type": "object"}},
  {"name": "describe_table", "description": "Tells of what a table is made.", "inputSchema": {"type": "object"}}]}}}"#,
        },
        Example {
            about: "instructions about no tool by name",
            expected: Expected::Silence,
            input: r#"{"servers": {"db": {"instructions": "Times are always UTC. Never search before you know the table.",
 "tools": [{"name": "search", "description": "Searches all rows of a table.", "inputSchema": {"type": "object"}}]}}}"#,
        },
        Example {
            about: "a list of what there is",
            expected: Expected::Silence,
            input: r#"{"servers": {"db": {"instructions": "Tools:\n- run_query: SQL\n- `list_tables`: the tables",
 "tools": [{"name": "run_query", "description": "Runs a statement.", "inputSchema": {"type": "object"}},
  {"name": "list_tables", "description": "Lists all.", "inputSchema": {"type": "object"}}]}}}"#,
        },
    ],
};

impl Rule for GuidanceElsewhere {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        for (set, subjects) in lint.by_set().filter(|(set, _)| prose::is_english(&set.instructions)) {
            let mut shelf = Shelf::of(subjects);
            for sentence in prose::sentences(&set.instructions) {
                findings.extend(shelf.untold(sentence).map(|subject| finding(subject, sentence)));
            }
        }
    }
}

/// The tools of a server, and what each of them says in its definition.
struct Shelf<'r, 'a> {
    tools: &'r [Subject<'a>],
    by_name: HashMap<&'a str, usize>,
    /// What a tool's definition says, read when it is first asked for.
    said: HashMap<usize, HashSet<String>>,
    /// The tools of which a finding speaks already.
    told: HashSet<usize>,
}

impl<'r, 'a> Shelf<'r, 'a> {
    fn of(tools: &'r [Subject<'a>]) -> Self {
        let by_name = tools.iter().enumerate().rev().map(|(at, subject)| (subject.tool.name(), at)).collect();
        Self { tools, by_name, said: HashMap::new(), told: HashSet::new() }
    }

    /// The tool that a sentence guides to, where no tool that it names says so itself.
    fn untold(&mut self, sentence: &str) -> Option<&'r Subject<'a>> {
        let named = self.named(sentence);
        let content = content(sentence);
        let guides = prose::words(sentence).iter().any(|word| one_of!(word, GUIDES));
        if !guides || content.is_empty() || named.iter().any(|at| self.says(*at, &content)) {
            return None;
        }
        let at = named.into_iter().find(|at| !self.told.contains(at))?;
        self.told.insert(at);
        self.tools.get(at)
    }

    /// The tools that a sentence names, the one that it is about first: what comes before a tool is that one's matter.
    fn named(&self, sentence: &str) -> Vec<usize> {
        let mut named: Vec<usize> = Vec::new();
        let mut before: Option<Token<'_>> = None;
        for token in tokens(sentence) {
            let name = token.text.rsplit("__").next().unwrap_or(token.text);
            let at = self.by_name.get(token.text).or_else(|| self.by_name.get(name)).copied();
            let governs = before
                .is_some_and(|word: Token<'_>| one_of!(&word.text.to_lowercase(), "before calling using"));
            if let Some(at) = at.filter(|at| !named.contains(at) && is_name(sentence, &token)) {
                named.insert(if governs { 0 } else { named.len() }, at);
                named.truncate(MOST_NAMED);
            }
            before = Some(token);
        }
        named
    }

    /// Whether most of what a sentence says stands in a tool's definition.
    fn says(&mut self, at: usize, content: &HashSet<String>) -> bool {
        let Some(subject) = self.tools.get(at) else { return false };
        let said = self.said.entry(at).or_insert_with(|| said(subject));
        content.iter().filter(|word| said.contains(*word)).count() * 5 >= content.len() * 3
    }
}

/// How many tools of one sentence are looked at.
const MOST_NAMED: usize = 8;
/// Words that make a sentence advice.
const GUIDES: &str = "after always before first instead must never only prefer rather require required requires should start \
                      unless until when whenever";
/// Words that say nothing by themselves.
const LITTLE: &str = "a all also an and any are as at be by call called calling can critical do does for from has have if \
                      important in into is it its me not note of on one or please so such than that the their them then \
                      there these they this to tool tools up use used using via was what which will with you your";

/// Whether a word that is spelled as a tool's name is meant as one: a word of English must be quoted, called, or be said to be
/// a tool.
fn is_name(sentence: &str, token: &Token<'_>) -> bool {
    let after = &sentence[token.end()..];
    style(token.text).is_some()
        || token.text.contains('_')
        || is_quoted(sentence, token)
        || after.starts_with('(')
        || after.strip_prefix(" tool").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

/// The words of a text that say something, without plurals and without a client's prefix.
fn content(text: &str) -> HashSet<String> {
    let words = prose::words(text).into_iter().filter(|word| !one_of!(word, LITTLE));
    words.map(|word| names::singular(word.rsplit("__").next().unwrap_or(&word))).collect()
}

/// What a definition says: the tool's name, its description and those of its parameters.
fn said(subject: &Subject<'_>) -> HashSet<String> {
    let mut said = content(subject.tool.description());
    said.insert(names::singular(&subject.tool.name().to_lowercase()));
    for parameter in subject.parameters() {
        said.insert(names::singular(&parameter.name.to_lowercase()));
        said.extend(content(parameter.description()));
    }
    said
}

fn finding(subject: &Subject<'_>, sentence: &str) -> Finding {
    const EVIDENCE_CHARS: usize = 200;
    let finding = Finding::suspected(&DOC, subject.server, &subject.label, "/description").saying(
        "only the server's instructions say how to use it",
        "nothing needs to be known beyond the description",
        "say it in the description too, since clients may drop instructions",
    );
    Finding { severity: Severity::Info, ..finding }
        .with_evidence(format!("instructions: {:?}", shorten(sentence, EVIDENCE_CHARS)))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found_in;
    use super::*;
    use crate::ToolSet;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn look(instructions: &str) -> Vec<String> {
        let tool = |name: &str, said: &str| ToolDef::new(name, said, json!({"type": "object"}));
        let tools = vec![tool("route", "Names an action."), tool("run_query", "Runs SQL.")];
        let set = ToolSet { instructions: instructions.to_owned(), ..ToolSet::new("s", tools) };
        found_in(&GuidanceElsewhere, set).into_iter().map(|finding| finding.tool).collect()
    }

    #[test]
    fn a_word_of_english_is_no_name_unless_it_is_written_as_one() {
        assert_eq!(look("Always take the shortest route."), [""; 0]);
        for said in [
            "Always ask `route` for the plan.",
            "Never edit a file before route(\"who calls\").",
            "Use the route tool whenever the plan is unclear.",
            "Load mcp__s__route first, in one round trip.",
        ] {
            assert_eq!(look(said), ["route"], "{said}");
        }
    }

    #[test]
    fn a_tool_is_told_of_once_and_the_one_that_must_wait_is_the_one_meant() {
        assert_eq!(look("Always warm the cache for run_query. Never loop over run_query."), ["run_query"]);
        assert_eq!(look("Ask `route` for a plan before calling run_query."), ["run_query"]);
        assert_eq!(look("Führen Sie run_query immer vor allem anderen aus, was Sie noch tun"), [""; 0]);
        assert_eq!(look(""), [""; 0]);
    }
}
