//! What of a tool is compared with its siblings.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::super::super::Subject;
use super::super::super::action::{Verb, leading_verb};
use super::super::super::prose::{self, Word, WordList, is_one_of};
use crate::ToolSet;
use crate::names::{self, stem};

/// How many words of a description are compared.
const MOST_WORDS: usize = 4_000;

/// In how many names and parameters of a server each word stands.
pub(super) struct Vocabulary {
    names: HashMap<String, usize>,
    parameters: HashSet<String>,
}

impl Vocabulary {
    pub fn of(set: &ToolSet) -> Self {
        let (mut names, mut parameters) = (HashMap::new(), HashSet::new());
        for tool in &set.tools {
            for word in stems(&names::words(tool.name())) {
                *names.entry(word).or_insert(0) += 1;
            }
            for (parameter, _) in tool.parameters() {
                parameters.extend(stems(&names::words(parameter)));
            }
        }
        Self { names, parameters }
    }

    /// Whether a word of one tool's name is a thing that the server knows elsewhere too.
    pub fn knows(&self, word: &str) -> bool {
        self.names.get(word).is_some_and(|count| *count > 1) || self.parameters.contains(word)
    }
}

/// A tool as its siblings are compared with it; words are in lower case and singular. Texts and words of texts are kept
/// as hashes, since a large server has many of them.
pub(super) struct Profile<'a> {
    pub name: &'a str,
    /// The words of the name, in order of the alphabet.
    pub name_words: Vec<String>,
    /// What the name says the tool does; getting many is listing.
    pub kind: Option<Verb>,
    /// Whether the name says that the tool is about many.
    pub is_about_many: bool,
    /// Whether the verb of the name is to add.
    pub adds: bool,
    /// What the description begins with doing, else what the name says.
    pub verb: Option<Verb>,
    /// The first word of the description.
    pub opening: u64,
    /// The last word of the first thing that the description is about; `None` where there is none.
    pub head: Option<u64>,
    /// The words of the description that say something, in order.
    pub content: Vec<u64>,
    /// The description without case and spaces.
    pub text: u64,
    /// The names of the parameters, without case and punctuation.
    pub parameters: u64,
    /// See [`synonym`].
    pub synonym: Option<u64>,
    /// Under what siblings that may overlap are found: none where there is nothing to compare.
    pub keys: Vec<u64>,
    description: &'a str,
    mentions: OnceCell<Mentions>,
}

impl<'a> Profile<'a> {
    pub fn of(subject: &Subject<'a>) -> Self {
        let all = subject.said.words();
        let words = &all[..all.len().min(MOST_WORDS)];
        let action = subject.action();
        let opening = words.first().map(|word| &**word).unwrap_or_default();
        let head = head(subject.said.opening());
        let mut profile = Self {
            name: subject.tool.name(),
            name_words: sorted(stems(subject.name_words()).collect()),
            kind: kind(subject),
            is_about_many: action.is_some_and(|action| action.is_about_many()),
            adds: action.is_some_and(|action| action.word == "add"),
            verb: leading_verb(opening).or(action.map(|action| action.verb)),
            opening: hash(opening),
            head: (!head.is_empty()).then(|| hash(&*head)),
            content: sorted(words.iter().filter_map(|word| content(word)).collect()),
            text: hash(words),
            parameters: hash(sorted(
                subject.tool.parameters().map(|(name, _)| names::normalise(name)).collect::<Vec<_>>(),
            )),
            synonym: synonym(subject).map(hash),
            keys: Vec::new(),
            description: subject.tool.description(),
            mentions: OnceCell::new(),
        };
        if subject.said.is_english() && !profile.name.is_empty() {
            profile.keys = profile.keys();
        }
        profile
    }

    /// Whether the description has the name of the other, also in words. Where both have the same text, whose name it has
    /// says nothing.
    pub fn names(&self, other: &Self) -> bool {
        if self.text == other.text {
            return false;
        }
        let mentions = self.mentions.get_or_init(|| Mentions::of(self.description));
        let words = names::words(other.name);
        let spoken = words.concat();
        mentions.names.contains(&spoken) || (words.len() > 1 && mentions.text.contains(&words.join(" ")))
    }

    fn keys(&self) -> Vec<u64> {
        let text = Some(hash(("text", self.text)));
        let head = Some(hash(("head", self.verb, self.head)));
        let synonym = self.synonym.map(|name| hash(("name", name)));
        [text, head, synonym].into_iter().flatten().collect()
    }
}

/// What a description may name.
struct Mentions {
    /// Words that may be names, without case and punctuation.
    names: HashSet<String>,
    /// The description without case and spaces.
    text: String,
}

impl Mentions {
    fn of(description: &str) -> Self {
        let description = prose::readable(description);
        let words = description.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '/'));
        let names =
            words.take(MOST_WORDS * 2).map(names::normalise).filter(|word| !word.is_empty()).collect();
        let mut words = prose::words(description);
        words.truncate(MOST_WORDS);
        Self { names, text: words.join(" ") }
    }
}

/// One number, the same for the same words.
pub(super) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Each of these once, in order.
fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

/// What the name says the tool does; getting many is listing.
fn kind(subject: &Subject<'_>) -> Option<Verb> {
    let action = subject.action()?;
    Some(if action.verb == Verb::Get && action.is_about_many() { Verb::List } else { action.verb })
}

/// The name with one verb for all that mean the same, and without words that say nothing: `fetch_order` and
/// `get_order_info` are one, and so are `list_orders` and `getAllOrders`.
fn synonym(subject: &Subject<'_>) -> Option<String> {
    const NOTHING: &str = "a all an data detail details info information the tool";
    let verb = &subject.action()?.word;
    let many = kind(subject) == Some(Verb::List);
    let words = subject.name_words();
    let at = words.iter().position(|word| word == verb)?;
    let words = words.iter().enumerate().map(|(place, word)| match place == at {
        true if many => "list",
        true => one_of_synonyms(word),
        false => word,
    });
    let words: Vec<&str> = words.filter(|word| !one_of!(word, NOTHING)).collect();
    (words.len() > 1).then(|| words.join(" "))
}

/// The first of the verbs that mean the same as this one.
fn one_of_synonyms(word: &str) -> &str {
    const SYNONYMS: &[&str] = &[
        "get fetch retrieve", "search find lookup", "create add make", "update edit modify change",
        "delete remove destroy", "run exec execute", "list enumerate",
    ];
    let group = SYNONYMS.iter().find(|group| is_one_of(word, group));
    group.and_then(|group| group.split(' ').next()).unwrap_or(word)
}

/// Words without their plural.
fn stems(words: &[String]) -> impl Iterator<Item = String> {
    words.iter().map(|word| names::singular(word))
}

/// A word that says something, without its plural.
fn content(word: &str) -> Option<u64> {
    let stem = stem(word);
    (!is_filler(&stem)).then(|| hash(&*stem))
}

/// Little words, and verbs, which say nothing of what a tool is about.
fn is_filler(word: &str) -> bool {
    static LITTLE: WordList = WordList::new(
        "a about all an and any are as at be by can each for from given given has have in into is it its \
        of on or provided specific specified that the their this to tool use using via which will with \
        you your",
    );
    LITTLE.has(word) || leading_verb(word).is_some()
}

/// The head of the first thing that a sentence names after its verb: `items` in "Get the next memory items of …".
fn head(sentence: &[Word<'_>]) -> String {
    const ENDS: &str =
        "about and at by for from given in into of on or that to using via when where which with within";
    const SKIPPED: &str = "a all an any array each every list lists new of set the tool";
    let mut words = sentence.iter().skip(1).skip_while(|word| one_of!(word, SKIPPED));
    let first = words.next();
    let rest = words.take_while(|word| !one_of!(word, ENDS)).last();
    rest.or(first).map(|word| names::singular(word)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_is_the_last_word_of_the_first_thing() {
        for (sentence, expected) in [
            ("Get next memory items", "item"),
            ("Lists all users in the organization", "user"),
            ("Get a list of project updates for a team", "update"),
            ("Deletes an order of the shop", "order"),
            ("", ""),
        ] {
            assert_eq!(head(&prose::words(sentence)), expected, "{sentence}");
        }
    }
}
