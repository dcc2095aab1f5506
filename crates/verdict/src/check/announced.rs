//! Whether an answer says what became of an argument that was not taken as it was sent.
//!
//! Only what stands beside the rows speaks: a row is data, whatever words are in it.

use serde_json::Value;

use crate::names::{self, run_together, words};
use crate::payload::Payload;

/// Longer texts are content; only their first and last lines speak of the call.
const LONGEST: usize = 600;
/// A longer line is content as well.
const LONGEST_LINE: usize = 4096;
/// How many lines at either end of a longer text are read.
const EDGE_LINES: usize = 3;
/// How deep in an answer members are read.
const DEPTH: usize = 5;
/// Lists of texts up to this long speak of the call, such as `ignored` or `warnings`.
const FEW: usize = 8;
/// Words in the names of objects that say what a call was taken for.
const APPLIED: &[&str] = &[
    "applied", "arguments", "args", "effective", "filter", "filters", "input", "meta", "metadata", "options",
    "page", "pagination", "parameters", "params", "query", "request", "search", "settings", "used",
];
/// Words of a sentence that says that something was not taken as it was sent.
const TELLING: &[&str] = &[
    "adjusted", "assum", "capped", "clamp", "coerc", "convert", "default", "did you mean", "fallback",
    "falling back", "fell back", "ignor", "instead", "interpreted", "invalid", "limited to", "lowered to",
    "must be", "no such", "not a ", "not supported", "not valid", "normali", "out of range", "raised to",
    "reduced to", "rounded", "skipped", "treated as", "unexpected", "unknown", "unrecogni", "unsupported",
    "was not used", "without",
];

/// What an answer says beside its rows.
pub(super) struct Announcement<'p> {
    /// Members with their names.
    members: Vec<(&'p str, &'p Value)>,
    /// Those among them that speak of the call: what stands in a record is of the record.
    of_the_call: Vec<(&'p str, &'p Value)>,
    /// Sentences, lines and short words in lists.
    texts: Vec<&'p str>,
}

impl<'p> Announcement<'p> {
    /// Gathers what an answer says beside its rows.
    pub fn of(payload: &'p Payload) -> Self {
        let mut found = Self { members: Vec::new(), of_the_call: Vec::new(), texts: Vec::new() };
        let blocks = payload.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
        let texts = (0..blocks).map(|index| format!("/content/{index}/text"));
        for part in std::iter::once("/structuredContent".to_owned()).chain(texts) {
            if let Some(value) = payload.at(&part) {
                found.collect(value, DEPTH);
                found.collect_of_the_call(value);
            }
        }
        found
    }

    /// The members at the top, and those of objects that say what was applied.
    fn collect_of_the_call(&mut self, value: &'p Value) {
        for (name, member) in value.as_object().into_iter().flatten() {
            self.of_the_call.push((name, member));
            if names::has_word(name, APPLIED) {
                self.of_the_call.extend(
                    member.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value)),
                );
            }
        }
    }

    fn collect(&mut self, value: &'p Value, depth: usize) {
        match value {
            Value::String(text) if text.len() <= LONGEST => self.texts.push(text),
            Value::String(text) => {
                let is_said = |line: &&&str| line.len() <= LONGEST_LINE;
                let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
                let tail = lines.len().saturating_sub(EDGE_LINES);
                self.texts.extend(lines.iter().take(EDGE_LINES).chain(&lines[tail..]).filter(is_said));
            }
            Value::Object(members) if depth > 0 => {
                for (name, member) in members {
                    self.members.push((name, member));
                    self.collect(member, depth - 1);
                }
            }
            Value::Array(items) if items.len() <= FEW && items.iter().all(Value::is_string) => {
                items.iter().for_each(|item| self.collect(item, 0));
            }
            _ => {}
        }
    }

    /// Whether a member of the argument's name states another value than the one that was sent.
    pub fn states_another(&self, name: &str, sent: Option<&Value>) -> bool {
        let wanted = run_together(name);
        let differs = |value: &Value| !value.is_null() && Some(value) != sent;
        let is_it = |member: &str| run_together(member) == wanted || is_applied(member, name);
        self.of_the_call.iter().any(|(member, value)| is_it(member) && differs(value))
    }

    /// Whether anything beside the rows is called like the argument, or a sentence names it.
    pub fn names(&self, name: &str) -> bool {
        let wanted = run_together(name);
        let named = self.members.iter().any(|(member, _)| run_together(member) == wanted);
        named || self.texts.iter().any(|text| has_word(text, name))
    }

    /// Whether a sentence says that something was not taken as it was sent, or a member with such a name says what.
    pub fn tells(&self) -> bool {
        let is_telling = |text: &str| {
            let text = text.to_lowercase();
            TELLING.iter().any(|word| text.contains(word))
        };
        let says = |value: &Value| match value {
            Value::Null => false,
            Value::Bool(flag) => *flag,
            Value::Array(items) => !items.is_empty(),
            Value::Object(members) => !members.is_empty(),
            _ => true,
        };
        self.members.iter().any(|(name, value)| is_telling(name) && says(value))
            || self.texts.iter().any(|text| text.trim().contains(' ') && is_telling(text))
    }

    /// Whether a sentence repeats a value as a word of its own.
    pub fn repeats(&self, value: &Value) -> bool {
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        self.texts.iter().any(|text| text.trim().contains(' ') && has_word(text, &shown))
    }
}

/// Whether a member is what became of an argument: `applied_limit`, `limit_used`, and for a limit `per_page`.
fn is_applied(member: &str, argument: &str) -> bool {
    const APPLIED: &[&str] = &["actual", "applied", "effective", "used"];
    let (member, argument) = (words(member), words(argument));
    let is_page = ["page size", "per page"].contains(&member.join(" ").as_str());
    let (applied, named): (Vec<_>, Vec<_>) = member.iter().partition(|word| APPLIED.contains(&word.as_str()));
    (is_page && argument.iter().any(|word| word == "limit"))
        || (!applied.is_empty() && named.iter().all(|word| argument.contains(word)))
}

/// Whether a text holds another one that neither begins nor ends in the middle of a word.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.to_lowercase(), word.to_lowercase());
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    !word.is_empty()
        && (text
            .match_indices(&word)
            .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part))
            || {
                // `max_results` is told as "max results" too.
                let spaced = words(&word).join(" ");
                spaced != word && spaced.contains(' ') && text.contains(&spaced)
            })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn notes_and_members_announce_and_rows_do_not() {
        let payload = Payload::of(&json!({"structuredContent": {
            "rows": [{"id": 1, "note": "unknown argument lines"}], "limit": 1, "ignored": ["max_rows"], "left_out": null
        }, "content": [{"type": "text", "text": "Found 1 row."}]}));
        let said = Announcement::of(&payload);
        assert!(
            said.states_another("limit", Some(&json!(0))) && !said.states_another("limit", Some(&json!(1)))
        );
        assert!(said.names("limit") && said.names("max_rows") && !said.names("lines"));
        assert!(said.tells() && said.repeats(&json!(1)) && !said.repeats(&json!(0)));
        let applied =
            Payload::of(&json!({"structuredContent": {"rows": [], "applied_limit": 25, "per_page": 25}}));
        let said = Announcement::of(&applied);
        assert!(
            said.states_another("limit", Some(&json!(26))) && !said.states_another("days", Some(&json!(26)))
        );
        let silent =
            Payload::of(&json!({"content": [{"text": "{\"rows\":[{\"a\":\"ignored\"}],\"ignored\":[]}"}]}));
        assert!(!Announcement::of(&silent).tells());
    }
}
