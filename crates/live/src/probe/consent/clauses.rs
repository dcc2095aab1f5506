//! What takes a verb back: negations, conditions, pointers to other tools. Which verbs count at all is for `prose`.

use super::sentences::{Gap, Word};
use super::verbs::{among, form};

/// How far before a verb a negation may stand.
const REACH: usize = 5;
/// Words that deny what follows them.
pub(super) const NEGATIONS: &str = "\
    barely cannot hardly neither never no none nor not nothing refuses unable without";
/// Words at which another clause begins, which a negation before them does not reach.
const CLAUSES: &str = "\
    after although as because before but however if instead it since so that this then unless until when \
    which while";
/// Words after which a third person tells of somebody else, or of a condition.
pub(super) const OF_OTHERS: &str = "how if once what when whenever whether who whoever";
/// Words by which a sentence says that something is not accepted.
const REFUSALS: &str = "denied disallowed forbidden prohibited refused rejected unsupported";

/// One sentence of a description.
pub(super) struct Sentence<'a> {
    /// Its words.
    pub words: &'a [Word],
    /// Whether it is the first of the description.
    pub is_first: bool,
}

impl Sentence<'_> {
    /// Whether the clause of this word only says when something is so: `if`, `before you`, `what to`.
    pub fn conditional(&self, at: usize) -> bool {
        let clause = self.words[..at].iter().rev().take_while(|word| word.gap == Gap::None);
        clause.map(|word| word.text.as_str()).any(|word| among(word, OF_OTHERS) || word == "before")
    }

    /// Whether the clause of this word tells of something else: `items that will be deleted`.
    pub fn of_something_else(&self, at: usize) -> bool {
        let clause = self.words[..at].iter().rev().take_while(|word| word.gap == Gap::None);
        clause.into_iter().any(|word| among(&word.text, "how that what whether which who"))
    }

    /// Whether a negation reaches this word: a few words before it, in its own clause. A comma ends the clause
    /// unless it only separates verbs: `never creates, updates or deletes`.
    pub fn negated(&self, at: usize, negations: &str) -> bool {
        let mut verbs_between = 0;
        for position in (0..at).rev() {
            let (word, later) = (&self.words[position], &self.words[position + 1]);
            let is_verb = form(&word.text).is_some();
            verbs_between += usize::from(is_verb);
            let listed = later.gap == Gap::Comma && is_verb;
            // Each verb of a list takes the reach of the negation further, by itself and its conjunction.
            let too_far = at - position > REACH + 2 * verbs_between;
            if too_far || later.gap == Gap::Break || (later.gap == Gap::Comma && !listed) {
                return false;
            }
            if among(&word.text, negations) || (negations == NEGATIONS && is_negation(&word.text)) {
                return !matches!(later.text.as_str(), "only" | "just" | "merely");
            }
            if among(word.text.as_str(), CLAUSES) {
                return false;
            }
        }
        false
    }

    /// `Changes nothing`, `deletes no data`.
    pub fn does_nothing(&self, at: usize) -> bool {
        matches!(self.next(at), Some("nothing" | "no" | "none" | "neither"))
    }

    /// `To change one use another tool`: what follows is what the other tool does.
    pub fn redirects(&self) -> bool {
        let names = |pair: &[Word]| {
            let verb = matches!(
                pair[0].text.as_str(),
                "use" | "see" | "call" | "via" | "try" | "prefer" | "with" | "through"
            );
            let named =
                pair[1].quoted || matches!(pair[1].text.as_str(), "another" | "other" | "a" | "the" | "one");
            verb && named && (pair[1].quoted || self.speaks_of_another())
        };
        let contact = || self.words.iter().any(|word| matches!(word.text.as_str(), "contact" | "ask"));
        let other_tool = |words: &[Word]| {
            let [verb, the, name, rest @ ..] = words else { return false };
            matches!(verb.text.as_str(), "use" | "call" | "see")
                && the.text == "the"
                && name.text != "tool"
                && rest.iter().any(|word| word.text == "tool")
        };
        self.words.windows(2).any(names) || self.words.windows(5).any(other_tool) || contact()
    }

    fn speaks_of_another(&self) -> bool {
        self.words.iter().any(|word| {
            word.quoted
                || matches!(word.text.as_str(), "another" | "other" | "separate" | "instead" | "different")
        })
    }

    /// Whether the sentence says that something is not accepted.
    pub fn refuses(&self) -> bool {
        let word_pairs = self.words.windows(2);
        self.words.iter().any(|word| among(word.text.as_str(), REFUSALS))
            || word_pairs.into_iter().any(|pair| {
                pair[0].text == "not"
                    && matches!(pair[1].text.as_str(), "supported" | "allowed" | "possible" | "permitted")
            })
    }

    /// The word before, unless something stands between.
    pub fn before(&self, at: usize) -> Option<&str> {
        let before = at.checked_sub(1).filter(|_| self.words[at].gap == Gap::None)?;
        Some(&self.words[before].text)
    }

    /// The words that follow.
    pub fn after(&self, at: usize) -> impl Iterator<Item = &str> {
        self.words[at + 1..].iter().map(|word| word.text.as_str())
    }

    /// The next word, unless something stands between.
    pub fn next(&self, at: usize) -> Option<&str> {
        self.words.get(at + 1).filter(|word| word.gap == Gap::None).map(|word| word.text.as_str())
    }
}

/// Whether a word denies what follows it.
pub(super) fn is_negation(word: &str) -> bool {
    among(word, NEGATIONS) || word.ends_with("n't")
}
