//! What changed between two tool sets, and which of it breaks callers.
//!
//! A caller is an agent, or code, that makes the calls it made before and reads the answers it read before. What may not enter: what
//! an agent does with a changed sentence, which nobody knows beforehand.

mod schema;

use std::collections::BTreeSet;

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Finding, Severity, ToolSet};
use schema::{Direction, compare};

/// How much of a sentence is shown.
const SHOWN_CHARS: usize = 120;
const HINTS: &[&str] = &["destructiveHint", "idempotentHint", "openWorldHint", "readOnlyHint"];

static BREAKING: Doc = Doc {
    name: "breaking-change",
    what: "a change after which calls that were accepted are refused, or answers lack what was promised",
    why: "Agents and code go on with the calls they learned, and fail; some of them without a word.",
    severity: "error",
    examples: &[],
};

static RISKY: Doc = Doc {
    name: "risky-change",
    what: "a change of a sentence, a default, an annotation or a limit",
    why: "The same call may be made less often, or with other arguments, or mean something else.",
    severity: "warning",
    examples: &[],
};

static SAFE: Doc = Doc {
    name: "safe-change",
    what: "a change that takes nothing away: a new tool, an optional argument, another accepted value, another output field",
    why: "It misleads nobody; it is told so that the list is whole.",
    severity: "info",
    examples: &[],
};

/// What can be found about changes.
pub static ABOUT_CHANGES: &[&Doc] = &[&BREAKING, &RISKY, &SAFE];

/// How much a change weighs for those who call already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    Breaking,
    Risky,
    Safe,
}

/// One change.
struct Change {
    weight: Weight,
    /// What kind it is, so that two changes at one place can be told apart.
    kind: &'static str,
    /// Into the new definition, or into the old one for what is gone.
    pointer: String,
    what: String,
    reads_as: &'static str,
    next: &'static str,
}

/// What changed from one tool set to another, in the order of the old one; new tools come last.
///
/// ```
/// use frankly_verdict::{ToolSet, diff::diff};
/// use serde_json::json;
///
/// let tools = |required: &[&str]| {
///     let schema = json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": required});
///     ToolSet::from_document("shop", json!([{"name": "search", "inputSchema": schema}])).unwrap()
/// };
/// let changes = diff(&tools(&[]), &tools(&["q"]));
/// assert_eq!((changes[0].rule, changes[0].what.as_str()), ("breaking-change", "`q` is required now"));
/// assert_eq!(diff(&tools(&["q"]), &tools(&[]))[0].rule, "safe-change");
/// assert!(diff(&tools(&["q"]), &tools(&["q"])).is_empty());
/// ```
#[must_use]
pub fn diff(old: &ToolSet, new: &ToolSet) -> Vec<Finding> {
    let mut found = Vec::new();
    if !reads_alike(&old.instructions, &new.instructions) {
        let what = sentence_changed("the server's instructions", &old.instructions, &new.instructions);
        found.push(change_of_sentence("instructions", String::new(), what).finding(&new.server, ""));
    }
    for tool in once_each(old) {
        match named(new, tool.name()) {
            Some(other) => {
                let changes = changes(tool, other).into_iter();
                found.extend(changes.map(|change| change.finding(&new.server, tool.name())));
            }
            None => found.push(gone(tool, old, new).finding(&new.server, tool.name())),
        }
    }
    let is_new = |tool: &&ToolDef| named(old, tool.name()).is_none();
    found.extend(
        once_each(new).into_iter().filter(is_new).map(|tool| added().finding(&new.server, tool.name())),
    );
    for finding in &mut found {
        finding.definition = new.tools.iter().position(|tool| tool.name() == finding.tool);
    }
    found
}

/// The tools by their names: of several with one name the first, which is what most clients take.
fn once_each(set: &ToolSet) -> Vec<&ToolDef> {
    let mut names = BTreeSet::new();
    set.tools.iter().filter(|tool| names.insert(tool.name())).collect()
}

fn named<'a>(set: &'a ToolSet, name: &str) -> Option<&'a ToolDef> {
    set.tools.iter().find(|tool| tool.name() == name)
}

fn gone(tool: &ToolDef, old: &ToolSet, new: &ToolSet) -> Change {
    // A new tool that takes the same arguments may be the old one under another name.
    let same = |other: &&ToolDef| {
        other.input_schema() == tool.input_schema()
            && takes_something(other)
            && named(old, other.name()).is_none()
    };
    let renamed =
        new.tools.iter().find(same).map(|other| format!("; `{}` takes the same arguments", other.name()));
    Change {
        weight: Weight::Breaking,
        kind: "tool-removed",
        pointer: String::new(),
        what: format!("the tool is gone{}", renamed.unwrap_or_default()),
        reads_as: "it was never there; recorded calls, prompts and allow lists still name it",
        next: "keep it under its name until nobody calls it, or release this as a breaking change",
    }
}

fn takes_something(tool: &ToolDef) -> bool {
    tool.parameters().next().is_some()
}

fn added() -> Change {
    Change {
        weight: Weight::Safe,
        kind: "tool-added",
        pointer: String::new(),
        what: "the tool is new".to_owned(),
        reads_as: "one more tool to choose from",
        next: "see with frankly lint that its description sets it apart from the others",
    }
}

fn changes(old: &ToolDef, new: &ToolDef) -> Vec<Change> {
    let mut changes = Vec::new();
    if !reads_alike(old.description(), new.description()) {
        let what = sentence_changed("the description", old.description(), new.description());
        changes.push(change_of_sentence("description", "/description".to_owned(), what));
    }
    changes.extend(HINTS.iter().filter_map(|hint| annotation(old, new, hint)));
    let nothing = Value::Null;
    let inputs = [old, new].map(|tool| tool.input_schema().unwrap_or(&nothing));
    changes.extend(compare(inputs, "/inputSchema", Direction::Input));
    changes.extend(match [old, new].map(ToolDef::output_schema) {
        [Some(old), Some(new)] => compare([old, new], "/outputSchema", Direction::Output),
        [Some(_), None] => vec![Change {
            weight: Weight::Breaking,
            kind: "output-schema-removed",
            pointer: "/outputSchema".to_owned(),
            what: "the output schema is gone".to_owned(),
            reads_as: "nothing is promised of the answer any more",
            next: "keep the schema, or release this as a breaking change",
        }],
        [None, Some(_)] => vec![Change {
            weight: Weight::Safe,
            kind: "output-schema-added",
            pointer: "/outputSchema".to_owned(),
            what: "there is an output schema now".to_owned(),
            reads_as: "the answer can be relied on",
            next: "see with frankly probe that the answers keep it",
        }],
        [None, None] => Vec::new(),
    });
    changes
}

fn annotation(old: &ToolDef, new: &ToolDef, hint: &str) -> Option<Change> {
    let [before, after] = [old, new].map(|tool| tool.annotation(hint));
    let said = |hint: Option<bool>| hint.map_or("nothing", |hint| if hint { "true" } else { "false" });
    (before != after).then(|| Change {
        weight: Weight::Risky,
        kind: "annotation",
        pointer: join("/annotations", hint),
        what: format!("`{hint}` said {}, and says {} now", said(before), said(after)),
        reads_as: "another promise about what a call may do; clients ask, or stop asking, before it",
        next: "see that it is true of what the tool does, and tell those who allow the tool without asking",
    })
}

fn change_of_sentence(kind: &'static str, pointer: String, what: String) -> Change {
    Change {
        weight: Weight::Risky,
        kind,
        pointer,
        what,
        reads_as: "another instruction: a description is a prompt",
        next: "try the tasks that choose this tool again",
    }
}

/// Whether two texts say the same, however their lines are broken and indented.
fn reads_alike(old: &str, new: &str) -> bool {
    old.split_whitespace().eq(new.split_whitespace())
}

fn sentence_changed(name: &str, old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let (old, new) = (old.as_str(), new.as_str());
    match (old.is_empty(), new.is_empty()) {
        (true, false) => format!("{name} is new: {:?}", shorten(new, SHOWN_CHARS)),
        (false, true) => format!("{name} is gone; it was {:?}", shorten(old, SHOWN_CHARS)),
        _ => {
            let (before, after) = where_they_part(old, new);
            format!("{name} says {after:?} where it said {before:?}")
        }
    }
}

/// The parts of two sentences that differ, with a few words before them.
fn where_they_part(old: &str, new: &str) -> (String, String) {
    let same = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let from = same.saturating_sub(30);
    let part = |text: &str| {
        let lead = if from > 0 { "…" } else { "" };
        format!("{lead}{}", shorten(&text.chars().skip(from).collect::<String>(), SHOWN_CHARS))
    };
    (part(old), part(new))
}

impl Change {
    fn finding(self, server: &str, tool: &str) -> Finding {
        let (doc, severity) = match self.weight {
            Weight::Breaking => (&BREAKING, Severity::Error),
            Weight::Risky => (&RISKY, Severity::Warning),
            Weight::Safe => (&SAFE, Severity::Info),
        };
        let finding = Finding::proven(doc, severity, server, tool, self.pointer);
        Finding { mutation: self.kind.to_owned(), ..finding }.saying(self.what, self.reads_as, self.next)
    }
}
