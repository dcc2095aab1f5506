//! What a tool does and to what, as far as its name says so.
//!
//! Names only suggest: what is built on this is suspected. Only general words of English and of APIs may enter.

use super::prose::WordList;
use crate::names::words;
pub(super) use crate::names::{is_plural, singular};

/// What kind of thing a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Verb {
    /// Gives one thing back.
    Get,
    /// Gives many things back.
    List,
    /// Gives back what matches.
    Search,
    /// Makes a thing.
    Create,
    /// Changes a thing.
    Update,
    /// Ends a thing.
    Delete,
    /// Runs what it is given.
    Run,
    /// Delivers what it is given.
    Send,
    /// Makes something else of what it is given.
    Convert,
}

/// The words for each kind. A word that is as often a noun (`list`, `search`, `query`, `update`) counts too: the first
/// of a name's words that is here is its verb.
static VERBS: &[(Verb, WordList)] = &[
    (Verb::Get, WordList::new("describe download fetch get inspect load open read retrieve show view")),
    (Verb::List, WordList::new("browse enumerate list lists")),
    (Verb::Search, WordList::new("find lookup query search")),
    (Verb::Create, WordList::new("add create insert make register upload write")),
    (
        Verb::Update,
        WordList::new(
            "assign change close complete edit modify move patch put rename replace set transition update",
        ),
    ),
    (
        Verb::Delete,
        WordList::new(
            "archive cancel clear delete destroy drop erase kill purge remove truncate unassign wipe",
        ),
    ),
    (Verb::Run, WordList::new("apply calculate compute eval evaluate exec execute run")),
    (Verb::Send, WordList::new("email notify post publish reply send submit")),
    (
        Verb::Convert,
        WordList::new("analyze convert crawl extract format parse scrape summarize translate validate"),
    ),
];

/// Words around the noun that say which or how, not what.
const AROUND: &[&str] =
    &["a", "all", "an", "by", "for", "from", "id", "ids", "in", "my", "of", "on", "the", "to", "with"];

/// A verb and its object, read from a name: `get_open_issues` gets `open issues`, `stories-search` searches `stories`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Action {
    pub verb: Verb,
    /// The verb as it stands in the name, in lower case.
    pub word: String,
    /// The words that say what it works on, the head last; may be empty.
    pub object: Vec<String>,
}

impl Action {
    /// `None` where the name has no verb that is known.
    pub fn of(name: &str) -> Option<Self> {
        Self::of_words(&words(name))
    }

    /// The same, of the words of a name.
    pub fn of_words(words: &[String]) -> Option<Self> {
        let (at, verb) = words.iter().enumerate().find_map(|(at, word)| Some((at, verb(word)?)))?;
        let object = |words: &[String]| -> Vec<String> {
            words.iter().filter(|word| !AROUND.contains(&word.as_str())).cloned().collect()
        };
        let (before, after) = (object(&words[..at]), object(&words[at + 1..]));
        let object = if after.is_empty() { before } else { after };
        Some(Self { verb, word: words[at].clone(), object })
    }

    /// Whether the object is many: its head is a plural.
    pub fn is_about_many(&self) -> bool {
        self.object.last().is_some_and(|head| is_plural(head))
    }
}

/// The kind of thing this word says, also as `lists`, `listed` or `listing`.
pub(super) fn verb(word: &str) -> Option<Verb> {
    VERBS.iter().find(|(_, words)| words.has(word)).map(|(verb, _)| *verb)
}

/// The kind of thing that a description begins with: `Lists …`, `Get …`.
pub(super) fn leading_verb(word: &str) -> Option<Verb> {
    let without = |end: &str| word.strip_suffix(end).and_then(verb);
    let bare = verb(word).or_else(|| without("s")).or_else(|| without("es"));
    bare.or_else(|| verb(&format!("{}y", word.strip_suffix("ies")?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> (Verb, String) {
        let action = Action::of(name).unwrap();
        (action.verb, action.object.join(" "))
    }

    #[test]
    fn a_name_has_a_verb_and_an_object_in_either_order() {
        assert_eq!(read("get_issue"), (Verb::Get, "issue".to_owned()));
        assert_eq!(read("linear_getOpenIssues"), (Verb::Get, "open issues".to_owned()));
        assert_eq!(read("stories-get-by-id"), (Verb::Get, "stories".to_owned()));
        assert_eq!(read("stories-search"), (Verb::Search, "stories".to_owned()));
        assert_eq!(read("listAllUsers"), (Verb::List, "users".to_owned()));
        assert_eq!(read("query"), (Verb::Search, String::new()));
        assert_eq!(Action::of("ping"), None);
        assert_eq!(Action::of(""), None);
    }

    #[test]
    fn plurals_are_told_from_words_in_s() {
        for (word, one) in [("users", "user"), ("stories", "story"), ("boxes", "box"), ("statuses", "status")]
        {
            assert!(is_plural(word), "{word}");
            assert_eq!(singular(word), one);
        }
        for word in ["status", "access", "analysis", "bus", "user", "", "é"] {
            assert!(!is_plural(word), "{word}");
            assert_eq!(singular(word), word);
        }
    }

    #[test]
    fn a_description_begins_with_its_verb() {
        assert_eq!(leading_verb("lists"), Some(Verb::List));
        assert_eq!(leading_verb("fetches"), Some(Verb::Get));
        assert_eq!(leading_verb("queries"), Some(Verb::Search));
        assert_eq!(leading_verb("the"), None);
    }
}
