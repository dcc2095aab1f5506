//! What a tool does to the world, as far as its name, its first sentence and its choices say so.
//!
//! Only words whose bare form says it may enter: `deleted` names a state and `undelete` the opposite.

use super::Subject;
use super::action::{Verb, leading_verb};

/// Words that end a thing for good.
const DESTROYING: &[&str] = &["delete", "destroy", "drop", "erase", "purge", "truncate", "wipe"];
/// Words that change what is there, or what others see. What is created may be a picture or a link that nobody keeps,
/// so those words are not among them.
const CHANGING: &[&str] = &[
    "append", "archive", "assign", "cancel", "clear", "close", "edit", "email", "insert", "kill", "mark",
    "modify", "move", "notify", "patch", "post", "publish", "remove", "rename", "replace", "reply", "send",
    "submit", "transition", "unassign", "update", "upload", "write",
];
/// Those among them that are said of what is stored. A text or a picture in the call's own arguments may be edited or erased
/// too, and a query is sent, and nothing changes.
const PLAIN: &[&str] = &["delete", "destroy", "drop", "publish", "purge", "rename", "update", "upload"];
/// Words of choices that change something.
const MAKING: &[&str] = &["add", "create", "register", "set"];
/// Words that take something away or write over it, which is more than adding.
const REPLACING: &[&str] = &["clear", "erase", "overwrite", "remove", "replace", "reset"];
/// What may be sent, submitted or posted without anything changing.
const ASKING: &str = "command prompt queries query question request requests search";

/// What a word says that a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// It makes a thing.
    Makes,
    /// It changes what is there, or tells others.
    Changes,
    /// It ends a thing for good.
    Destroys,
}

impl Effect {
    /// What this word says.
    pub fn of(word: &str) -> Option<Self> {
        [(Self::Destroys, DESTROYING), (Self::Changes, CHANGING), (Self::Makes, MAKING)]
            .into_iter()
            .find(|(_, words)| words.contains(&word))
            .map(|(effect, _)| effect)
    }

    /// What the name says: its verb, unless it is one of reading.
    pub fn of_name(subject: &Subject<'_>) -> Option<Self> {
        let action = subject.action()?;
        let asks = action.verb == Verb::Send && action.object.iter().any(|word| one_of!(word, ASKING));
        Self::of(&action.word).filter(|_| !asks)
    }

    /// Whether name or description say that something is taken away or written over.
    pub fn replaces(subject: &Subject<'_>) -> bool {
        let is_replacing = |word: &str| REPLACING.contains(&word);
        let by_name = subject.name_words().iter().any(|word| is_replacing(word));
        let third = |word: &str| word.strip_suffix('s').or(word.strip_suffix("es")).is_some_and(is_replacing);
        let said = &subject.said;
        let words = said.words();
        let is_denied = |at: usize| {
            let word = |at: usize| words.get(at).map(|word| &**word).unwrap_or_default();
            one_of!(word(at.wrapping_sub(1)), "cannot doesn't never no not nothing without")
                || one_of!(word(at + 1), "no none nothing")
        };
        let is_said = |word: &str| third(word) || one_of!(word, "overwriting overwritten removing replacing");
        let in_prose =
            said.is_english() && words.iter().enumerate().any(|(at, word)| is_said(word) && !is_denied(at));
        by_name || in_prose || said.opening().first().is_some_and(|word| is_replacing(word) || third(word))
    }

    /// What a reading tool does besides, as its first sentence says: `gets a message and deletes it`.
    pub fn besides(subject: &Subject<'_>) -> Option<Self> {
        if !subject.said.is_english() {
            return None;
        }
        let words = subject.said.words();
        let third = |word: &str| word.ends_with('s').then(|| bare(word))?;
        let also = words.windows(2).filter(|pair| pair[0] == "and").find_map(|pair| third(&pair[1]));
        let is_final = [&["cannot", "be", "undone"][..], &["is", "irreversible"]];
        let is_final = is_final.iter().any(|phrase| super::prose::has_phrase(words, phrase));
        also.or(is_final.then_some(Self::Changes)).filter(|effect| *effect >= Self::Changes)
    }

    /// Whether the name's verb is one that is said of what is stored.
    pub fn is_plain(subject: &Subject<'_>) -> bool {
        subject.action().is_some_and(|action| PLAIN.contains(&action.word.as_str()))
    }

    /// What the first sentence of the description begins with, unless the description also denies it.
    pub fn of_prose(subject: &Subject<'_>) -> Option<Self> {
        let said = &subject.said;
        if !said.is_english() {
            return None;
        }
        let word = said.opening().iter().find(|word| !is_opening(word))?;
        let effect = bare(word)?;
        if leading_verb(word) == Some(Verb::Send) && said.opening().iter().any(|word| one_of!(word, ASKING)) {
            return None;
        }
        let all = said.words();
        let denies = |denial: &[&str]| {
            all.windows(denial.len() + 1).any(|window| {
                let (said, after) = window.split_at(denial.len());
                said.iter().zip(denial).all(|(word, denial)| word == denial)
                    && after.iter().any(|word| bare(word).is_some())
            })
        };
        let denials: &[&[&str]] = &[&["not"], &["never"], &["without"], &["doesn't"], &["not", "actually"]];
        (!denials.iter().any(|denial| denies(denial))).then_some(effect)
    }
}

/// Words before the verb: `Permanently delete …`, `This tool deletes …`, `Use this to delete …`.
fn is_opening(word: &str) -> bool {
    word.ends_with("ly")
        || one_of!(word, "a an it tool this to use used allows lets you can will function command endpoint",)
}

/// The effect of a verb in its bare form or its third person: `delete`, `deletes`.
fn bare(word: &str) -> Option<Effect> {
    Effect::of(word)
        .or_else(|| Effect::of(word.strip_suffix('s')?))
        .or_else(|| Effect::of(word.strip_suffix("es")?))
}

/// The parameter that says what one tool does of several things, with the choices that change something.
pub(super) struct Choice<'a> {
    pub parameter: &'a str,
    pub pointer: String,
    /// Each choice that changes something, with what it does.
    pub changing: Vec<(&'a str, Effect)>,
    /// Choices that only read.
    pub reading: Vec<&'a str>,
}

impl<'a> Choice<'a> {
    /// Two choices that read and give back things of another shape: many, and one of them or a number.
    pub fn shapes(&self) -> Option<(&'a str, &'a str)> {
        let first = |value: &str| crate::names::words(value).into_iter().next().unwrap_or_default();
        let many = self.reading.iter().find(|value| one_of!(&first(value), "find list search"))?;
        let one = self
            .reading
            .iter()
            .find(|value| one_of!(&first(value), "count describe get read show status"))?;
        Some((many, one))
    }
}

/// Parameters such as `action` with verbs to choose from. Those of a tool that reads filter what it gives back.
pub(super) fn choices<'a>(subject: &Subject<'a>) -> Vec<Choice<'a>> {
    let reads =
        subject.action().is_some_and(|action| matches!(action.verb, Verb::Get | Verb::List | Verb::Search));
    if reads {
        return Vec::new();
    }
    subject
        .arguments()
        .filter_map(|parameter| {
            let name = parameter.name.to_lowercase();
            let is_action = one_of!(&name, "action cmd command op operation");
            // What HTTP is to be spoken is no matter of this tool.
            let is_http = || {
                parameter
                    .choices()
                    .iter()
                    .any(|value| value.as_str().is_some_and(|v| v.eq_ignore_ascii_case("put") || v == "POST"))
            };
            let is_mode = one_of!(&name, "method mode") && !is_http();
            let is_filter = || parameter.said.words().iter().any(|word| word.starts_with("filter"));
            if !(is_action || is_mode) || is_filter() {
                return None;
            }
            let values: Vec<&str> =
                parameter.choices().into_iter().filter_map(|value| value.as_str()).collect();
            let first = |value: &str| crate::names::words(value).into_iter().next().unwrap_or_default();
            let changing: Vec<_> =
                values.iter().filter_map(|value| Some((*value, Effect::of(&first(value))?))).collect();
            let reading = values.iter().copied().filter(|value| {
                one_of!(&first(value), "count describe fetch find get list read search show status")
            });
            let (changing, reading): (Vec<_>, Vec<_>) = (changing, reading.collect());
            // `mode` and `method` also say how: they choose what is done where several choices are verbs.
            (is_action || changing.len() + reading.len() > 1).then(|| Choice {
                parameter: parameter.name,
                pointer: parameter.pointer.clone(),
                changing,
                reading,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::Audience;
    use super::*;
    use crate::ToolSet;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn of<T>(tool: ToolDef, read: impl Fn(&Subject<'_>) -> T) -> T {
        let (set, audience) = (ToolSet::new("s", vec![tool]), Audience::default());
        read(&Subject::new(&set, 0, &set.tools[0], &audience))
    }

    #[test]
    fn a_verb_is_told_from_a_state_and_from_its_opposite() {
        let of = |name: &str, said: &str| {
            let tool = ToolDef::new(name, said, json!({"type": "object"}));
            of(tool, |subject| (Effect::of_name(subject), Effect::of_prose(subject)))
        };
        let destroys = Some(Effect::Destroys);
        assert_eq!(of("delete_label", "Permanently delete a label."), (destroys, destroys));
        assert_eq!(of("labelDelete", "This tool deletes a label."), (destroys, destroys));
        assert_eq!(of("list_deleted_labels", "Lists labels that were deleted."), (None, None));
        assert_eq!(of("undelete_label", "Undeletes a label."), (None, None));
        assert_eq!(of("delete_preview", "Delete, as a preview; does not delete anything."), (destroys, None));
        assert_eq!(of("get_update", "Gets an update."), (None, None));
        assert_eq!(of("wipe_device", "Wipes the device."), (destroys, destroys));
        assert_eq!(of("send_query", "Sends a read-only SQL query and returns its rows."), (None, None));
        assert_eq!(of("write_file", "Writes a file."), (Some(Effect::Changes), Some(Effect::Changes)));
        assert_eq!(of("create_chart", "Creates a chart."), (Some(Effect::Makes), Some(Effect::Makes)));
        assert_eq!(of("send_mail", "Sends a mail."), (Some(Effect::Changes), Some(Effect::Changes)));
    }

    #[test]
    fn a_choice_of_verbs_is_told_from_a_filter() {
        let with = |name: &str, said: &str, values: serde_json::Value| {
            let action = json!({"type": "string", "description": said, "enum": values});
            let tool = ToolDef::new(name, "", json!({"type": "object", "properties": {"action": action}}));
            of(tool, |subject| choices(subject).iter().map(|choice| choice.changing.len()).sum::<usize>())
        };
        assert_eq!(with("environment", "", json!(["get", "create", "delete"])), 2);
        assert_eq!(with("environment", "", json!(["created", "deleted"])), 0);
        assert_eq!(with("list_events", "", json!(["create", "delete"])), 0);
        assert_eq!(with("audit", "Filter by action", json!(["create", "delete"])), 0);
    }
}
