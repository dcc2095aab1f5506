//! What of a tool is compared with its siblings.

use std::collections::{BTreeSet, HashMap, HashSet};

use frankly_contract::ToolDef;

use super::super::super::action::{Action, Verb, leading_verb, singular, verb};
use super::super::super::prose::{self, is_one_of};
use crate::ToolSet;
use crate::names;

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

/// A tool as its siblings are compared with it; words are in lower case and singular.
pub(super) struct Profile {
    pub name: String,
    pub name_words: BTreeSet<String>,
    pub action: Option<Action>,
    /// What the description begins with doing, else what the name says.
    pub verb: Option<Verb>,
    /// The first word of the description.
    pub opening: String,
    /// The last word of the first thing that the description is about.
    pub head: String,
    /// The words of the description that say something.
    pub content: BTreeSet<String>,
    /// The description without case and spaces.
    pub text: String,
    /// Words of the description that may be names, without case and punctuation.
    mentions: HashSet<String>,
    pub parameters: BTreeSet<String>,
    /// Under what siblings that may overlap are found: none where there is nothing to compare.
    pub keys: BTreeSet<String>,
}

impl Profile {
    pub fn of(tool: &ToolDef) -> Self {
        let description = prose::readable(tool.description());
        let words: Vec<String> = prose::words(description).into_iter().take(MOST_WORDS).collect();
        let action = Action::of(tool.name());
        let opening = words.first().cloned().unwrap_or_default();
        let first: Vec<String> = prose::sentences(description).take(1).flat_map(prose::words).collect();
        let mut profile = Self {
            name: tool.name().to_owned(),
            name_words: stems(&names::words(tool.name())).collect(),
            verb: leading_verb(&opening).or(action.as_ref().map(|action| action.verb)),
            action,
            opening,
            head: head(&first),
            content: stems(&words).filter(|word| !is_filler(word)).collect(),
            mentions: mentions(description),
            text: words.join(" "),
            parameters: tool.parameters().map(|(name, _)| names::normalise(name)).collect(),
            keys: BTreeSet::new(),
        };
        if prose::is_english(description) && !profile.name.is_empty() {
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
        let words = names::words(&other.name);
        let spoken = words.concat();
        self.mentions.contains(&spoken) || (words.len() > 1 && self.text.contains(&words.join(" ")))
    }

    fn keys(&self) -> BTreeSet<String> {
        let parameters = self.parameters.iter().map(String::as_str).collect::<Vec<_>>().join(",");
        let mut keys = BTreeSet::from([
            format!("text {}", self.text),
            format!("head {:?} {} {parameters}", self.verb, self.head),
        ]);
        keys.extend(self.synonym());
        keys
    }

    /// What the name says the tool does; getting many is listing.
    pub fn kind(&self) -> Option<Verb> {
        let action = self.action.as_ref()?;
        Some(if action.verb == Verb::Get && action.is_about_many() { Verb::List } else { action.verb })
    }

    /// The name with one verb for all that mean the same, and without words that say nothing: `fetch_order` and
    /// `get_order_info` are one, and so are `list_orders` and `getAllOrders`.
    pub fn synonym(&self) -> Option<String> {
        const NOTHING: &str = "a all an data detail details info information the tool";
        let verb = &self.action.as_ref()?.word;
        let many = self.kind() == Some(Verb::List);
        let words = names::words(&self.name);
        let at = words.iter().position(|word| word == verb)?;
        let words = words.iter().enumerate().map(|(place, word)| match place == at {
            true if many => "list",
            true => one_of_synonyms(word),
            false => word,
        });
        let words: Vec<&str> = words.filter(|word| !is_one_of(word, NOTHING)).collect();
        (words.len() > 1).then(|| format!("name {}", words.join(" ")))
    }
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

/// The words of a text that may be names, as [`names::normalise`] writes them.
fn mentions(text: &str) -> HashSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '/'));
    words.take(MOST_WORDS * 2).map(names::normalise).filter(|word| !word.is_empty()).collect()
}

/// Words without their plural.
pub(super) fn stems(words: &[String]) -> impl Iterator<Item = String> {
    words.iter().map(|word| singular(word))
}

/// Little words, and verbs, which say nothing of what a tool is about.
fn is_filler(word: &str) -> bool {
    const LITTLE: &str = "a about all an and any are as at be by can each for from given given has have in into is it its \
                          of on or provided specific specified that the their this to tool use using via which will with \
                          you your";
    is_one_of(word, LITTLE) || verb(word).is_some() || leading_verb(word).is_some()
}

/// The head of the first thing that a sentence names after its verb: `items` in "Get the next memory items of …".
fn head(sentence: &[String]) -> String {
    const ENDS: &str =
        "about and at by for from given in into of on or that to using via when where which with within";
    const SKIPPED: &str = "a all an any array each every list lists new of set the tool";
    let mut words = sentence.iter().skip(1).skip_while(|word| is_one_of(word, SKIPPED));
    let first = words.next();
    let rest = words.take_while(|word| !is_one_of(word, ENDS)).last();
    rest.or(first).map(|word| singular(word)).unwrap_or_default()
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
