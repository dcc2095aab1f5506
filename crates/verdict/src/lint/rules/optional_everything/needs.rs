//! Why a tool cannot work without an argument: by a statement about a parameter, or by what its verb works on.

use std::collections::HashSet;

use super::super::super::Subject;
use super::super::super::action::{Action, Verb, singular, verb};
use super::super::super::prose::{self, Word, WordList, has_any, has_phrase};
use super::{Candidate, action, excerpt};
use crate::names;

/// What shows that a parameter must be given.
pub(super) enum Need<'a> {
    /// The only parameter is an object in which something is required.
    Wrapper { name: &'a str, required: &'a str },
    /// Its description says so.
    Stated { name: &'a str, sentence: &'a str },
    /// The tool's verb works on what it says.
    Object { name: &'a str, tool: &'a str, sentence: &'a str },
}

impl<'a> Need<'a> {
    /// Looks for a need of one of these parameters, given with their descriptions, of the `count` that there are.
    pub fn find(subject: &Subject<'a>, count: usize, candidates: &[Candidate<'a>]) -> Option<Self> {
        let action = action(subject);
        let wrapper = candidates.first().filter(|_| count == 1);
        wrapper
            .and_then(|candidate| Self::wrapper(action, candidate))
            .or_else(|| candidates.iter().find_map(Self::stated))
            .or_else(|| Self::object(subject, action?, count, candidates))
    }

    /// An only parameter is a wrapper by its name, or what is created, changed or run.
    fn wrapper(action: Option<&Action>, candidate: &Candidate<'a>) -> Option<Self> {
        const WRAPPERS: &str = "args arguments body data input inputs parameters params payload request";
        let works_on_it =
            action.is_some_and(|action| !matches!(action.verb, Verb::Get | Verb::List | Verb::Search));
        let required = candidate.holds?;
        let may_be_left_out = candidate.says(says_what_happens_without);
        ((works_on_it || one_of!(&candidate.name.to_lowercase(), WRAPPERS)) && !may_be_left_out)
            .then_some(Self::Wrapper { name: candidate.name, required })
    }

    /// One sentence says it, and no other one sets a condition.
    fn stated(candidate: &Candidate<'a>) -> Option<Self> {
        if !candidate.texts.iter().any(|text| has_any(text, &["mandatory", "must", "required"])) {
            return None;
        }
        let sentences = || candidate.texts.iter().flat_map(|text| prose::sentences(text));
        if sentences().any(|sentence| sets_a_condition(&prose::words(sentence))) {
            return None;
        }
        let sentence = sentences().find(|sentence| states_need(sentence))?;
        Some(Self::Stated { name: candidate.name, sentence })
    }

    /// The verb works on it, and no text says what happens without it, or what else is enough.
    fn object(
        subject: &Subject<'a>,
        action: &Action,
        count: usize,
        candidates: &[Candidate<'a>],
    ) -> Option<Self> {
        let candidate =
            candidates.iter().find(|candidate| is_object(action, candidate.name, &candidate.texts))?;
        if count > 1 && states_any_choice(subject, candidates) {
            return None;
        }
        // What is left out of an update is left as it is; the thing itself cannot be left out.
        let by_id = matches!(action.verb, Verb::Update | Verb::Delete)
            && identifies(&names::words(candidate.name), action);
        let says_it = !by_id && says_what_happens_without(subject.said.words());
        if says_it || candidate.says(says_what_happens_without) {
            return None;
        }
        let sentence = candidate.texts.first().copied().unwrap_or_default();
        Some(Self::Object { name: candidate.name, tool: subject.tool.name(), sentence })
    }

    pub fn parameter(&self) -> &'a str {
        match self {
            Self::Wrapper { name, .. } | Self::Stated { name, .. } | Self::Object { name, .. } => name,
        }
    }

    /// Goes on after "no parameter is required, though …".
    pub fn because(&self) -> String {
        match self {
            Self::Wrapper { name, required } => {
                format!("`{name}` holds `{required}`, which is required in it")
            }
            Self::Stated { name, .. } => format!("the description of `{name}` says that it must be given"),
            Self::Object { name, tool, .. } => format!("`{tool}` has nothing to work on without `{name}`"),
        }
    }

    pub fn evidence(&self) -> String {
        match self {
            Self::Wrapper { required, .. } => format!("\"required\": [{required:?}]"),
            Self::Stated { sentence, .. } => excerpt(sentence),
            Self::Object { sentence, name, .. } if sentence.trim().is_empty() => excerpt(name),
            Self::Object { sentence, .. } => excerpt(sentence),
        }
    }
}

/// Whether a need is one only in some calls.
fn sets_a_condition(words: &[Word<'_>]) -> bool {
    const CONDITIONS: &str =
        "depending either except if mode not only optional optionally otherwise unless when whenever";
    words.iter().any(|word| one_of!(word, CONDITIONS))
}

/// `Required.`, `(required) …`, `…, required`, `This must be given`; not `whether approval is required`.
fn states_need(sentence: &str) -> bool {
    const OTHERS: &str = "for one or together with";
    const MUST: &[&str] = &["given", "passed", "provided", "specified", "supplied"];
    const SHORT: usize = 5;
    let words = prose::words(sentence);
    if words.iter().any(|word| one_of!(word, OTHERS)) {
        return false;
    }
    let lower = sentence.to_lowercase();
    let of_itself = words.first().is_some_and(|word| word == "it" || word == "this");
    let says = |word: &str| {
        let in_brackets = lower.contains(&format!("({word})")) || lower.contains(&format!("[{word}]"));
        let apart = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
        let begins = lower
            .trim_start_matches(apart)
            .strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(apart));
        let ends = lower
            .trim_end_matches(apart)
            .strip_suffix(word)
            .is_some_and(|rest| rest.trim_end().ends_with(apart));
        in_brackets || begins || ends || (of_itself && has_phrase(&words, &["is", word]))
    };
    let must = MUST.iter().any(|word| has_phrase(&words, &["must", "be", word]));
    says("required") || says("mandatory") || (must && (of_itself || words.len() <= SHORT))
}

/// Whether the description, or the one of a parameter, says which of several parameters are enough.
fn states_any_choice(subject: &Subject<'_>, candidates: &[Candidate<'_>]) -> bool {
    let names = candidates.iter().flat_map(|candidate| names::words(candidate.name));
    let names: HashSet<String> = names.map(|word| singular(&word)).collect();
    let mut texts = candidates.iter().flat_map(|candidate| &candidate.texts);
    states_a_choice(subject.said.words(), &names)
        || texts.any(|text| states_a_choice(&prose::words(text), &names))
}

/// Whether a text says which of several parameters are enough, given the words of their names without plurals.
fn states_a_choice(words: &[Word<'_>], names: &HashSet<String>) -> bool {
    const CHOICE: &str = "alternatively both combination either exactly exclusive instead whichever";
    const CONDITIONS: &[&str] = &["if", "unless", "when"];
    let is_choice = words.iter().any(|word| one_of!(word, CHOICE))
        || ["least", "of"]
            .iter()
            .any(|next| has_phrase(words, &["one", next]) || has_phrase(words, &["at", next]));
    let on_condition = CONDITIONS.iter().any(|word| has_phrase(words, &["required", word]));
    let is_parameter = |word: &Word<'_>| names.contains(&singular(word));
    // `by id or title`, `for an issue, project, or document`.
    let near = |at: usize| {
        let (before, after) =
            (&words[at.saturating_sub(4)..at], &words[(at + 1).min(words.len())..(at + 5).min(words.len())]);
        before.iter().any(is_parameter) && after.iter().any(is_parameter)
    };
    is_choice || on_condition || words.iter().enumerate().any(|(at, word)| word == "or" && near(at))
}

/// Whether a text says what happens when an argument is left out.
fn says_what_happens_without(words: &[Word<'_>]) -> bool {
    static WITHOUT: WordList = WordList::new(
        "absent active all any automatically blank current default defaults empty existing generated \
                           latest missing omit omits omitted omitting optional optionally otherwise selected unset \
                           unspecified without",
    );
    words.iter().any(|word| WITHOUT.has(word))
        || ["given", "provided", "specified", "set", "supplied"]
            .iter()
            .any(|word| has_phrase(words, &["not", word]) || has_phrase(words, &["is", word]))
}

/// Whether this parameter is what the tool's verb works on.
fn is_object(action: &Action, name: &str, texts: &[&str]) -> bool {
    let words = names::words(name);
    match action.verb {
        Verb::List => false,
        Verb::Search => action.word == "query" && is_payload(&words),
        Verb::Get => !action.is_about_many() && (identifies(&words, action) || locates(&words, action)),
        Verb::Delete => {
            identifies(&words, action) || is_its_name(&words, action) || is_said_to_be_object(action, texts)
        }
        Verb::Update => identifies(&words, action) || is_said_to_be_object(action, texts),
        Verb::Create => {
            !is_ephemeral(action) && (is_content(&words, action) || is_said_to_be_object(action, texts))
        }
        Verb::Run | Verb::Send | Verb::Convert => is_payload(&words) || is_said_to_be_object(action, texts),
    }
}

/// Whether all these words are of what the action is about.
fn are_of(words: &[String], action: &Action) -> bool {
    words.iter().all(|word| action.object.iter().any(|known| singular(known) == singular(word)))
}

/// `id`, or `issue_id` of an issue.
fn identifies(words: &[String], action: &Action) -> bool {
    const IDENTIFIERS: &str = "guid id identifier key slug uid uuid";
    let Some((last, before)) = words.split_last() else { return false };
    // The number of a page is another thing.
    let number = last == "number" && !before.is_empty() && before != ["page"];
    (one_of!(last, IDENTIFIERS) || number) && !action.object.is_empty() && are_of(before, action)
}

/// `path` of a file that is read, `url` of a page that is fetched.
fn locates(words: &[String], action: &Action) -> bool {
    let reads = one_of!(&action.word, "download fetch load open read");
    let Some((last, before)) = words.split_last() else { return false };
    reads && !has_a_current_one(action) && one_of!(last, "filename path uri url") && before.len() < 2
}

/// `name` or `path` of what is deleted.
fn is_its_name(words: &[String], action: &Action) -> bool {
    let Some((last, before)) = words.split_last() else { return false };
    let many = action.object.is_empty() || action.is_about_many();
    !many && one_of!(last, "filename name path") && are_of(before, action)
}

/// `The label to remove` of a tool that removes.
fn is_said_to_be_object(action: &Action, texts: &[&str]) -> bool {
    let says = |text: &&str| {
        let words = prose::words(text);
        words.windows(3).any(|window| {
            let object = !one_of!(&window[0], "how whether used want wants") && verb(&window[0]).is_none();
            object && window[1] == "to" && window[2] == action.word
        }) || words.len() > 2
            && words[words.len() - 2] == "to"
            && words.last().is_some_and(|word| *word == action.word)
    };
    texts.iter().any(says)
}

/// What is run, sent or converted.
fn is_payload(words: &[String]) -> bool {
    const PAYLOADS: &str = "body cmd code command content cypher expression html input manifest markdown message prompt \
                            query script source sql statement text url urls";
    words.last().is_some_and(|word| one_of!(word, PAYLOADS)) && words.len() <= 2
}

/// What a new thing consists of, or the thing itself.
fn is_content(words: &[String], action: &Action) -> bool {
    const CONTENT: &str = "amount body content contents data fields items message payload recipient recipients subject \
                           summary text title to";
    let [word] = words else { return false };
    one_of!(word, CONTENT) || action.object.last() == Some(word)
}

/// A thing of which one is at hand.
fn has_a_current_one(action: &Action) -> bool {
    is_ephemeral(action) && !action.object.is_empty()
}

/// A thing that may well be made of nothing.
fn is_ephemeral(action: &Action) -> bool {
    const EPHEMERAL: &str = "backup browser chat context conversation draft environment instance page project sandbox \
                             session snapshot tab terminal thread token window worksheet";
    action.object.last().is_none_or(|word| one_of!(word, EPHEMERAL))
}
