//! Whether two siblings overlap, with nothing between them that tells them apart.

use super::super::super::action::Verb;
use super::super::super::prose::WordList;
use super::profile::{Profile, Vocabulary, hash};

/// Whether two tools overlap, and neither says when to use the other.
pub(super) fn overlap(a: &Profile<'_>, b: &Profile<'_>, vocabulary: &Vocabulary) -> bool {
    /// What share of their words two texts have in common that are about one thing, where only the texts can say so.
    const ALIKE: f64 = 0.5;
    if differ_in_kind(a, b) || a.name == b.name {
        return false;
    }
    let overlap = if a.parameters == b.parameters {
        is_one_text(a, b) || differ_by_their_names(a, b, vocabulary) || are_synonyms(a, b)
    } else {
        !either_adds(a, b) && ((are_synonyms(a, b) && likeness(a, b) >= ALIKE) || are_near(a, b, vocabulary))
    };
    overlap && !a.names(b) && !b.names(a)
}

/// To add what exists is not to create it; with the same inputs it is.
fn either_adds(a: &Profile<'_>, b: &Profile<'_>) -> bool {
    a.adds || b.adds
}

/// Whether the names say that they do different things: reading and deleting, one and many.
fn differ_in_kind(a: &Profile<'_>, b: &Profile<'_>) -> bool {
    match (a.kind, b.kind) {
        (Some(one), Some(other)) => {
            let reads = matches!(one, Verb::Get | Verb::List | Verb::Search);
            one != other || (reads && a.is_about_many != b.is_about_many)
        }
        (None, None) => a.verb != b.verb,
        _ => a.verb != b.verb || a.opening != b.opening,
    }
}

/// The same words throughout.
fn is_one_text(a: &Profile<'_>, b: &Profile<'_>) -> bool {
    /// A shorter text is as true of other things.
    const SAYS_SOMETHING: usize = 6;
    if a.text != b.text || a.content.is_empty() {
        return false;
    }
    let (only_a, only_b) = own_words(a, b);
    let is_renamed = only_a.is_empty() || only_b.is_empty();
    (is_renamed || a.content.len() >= SAYS_SOMETHING) && !tell_themselves(&only_a, &only_b)
}

/// Texts that differ by nothing but words of the tools' own names, which say nothing by themselves.
fn differ_by_their_names(a: &Profile<'_>, b: &Profile<'_>, vocabulary: &Vocabulary) -> bool {
    if a.head != b.head || a.head.is_none() || a.text == b.text {
        return false;
    }
    let (only_a, only_b) = own_words(a, b);
    let is_named = |word: &u64, names: &[&str]| names.iter().any(|name| hash(*name) == *word);
    let (mut said_a, mut said_b) = (only(&a.content, &b.content), only(&b.content, &a.content));
    a.content != b.content
        && said_a.all(|word| is_named(word, &only_a))
        && said_b.all(|word| is_named(word, &only_b))
        && !only_a.iter().chain(&only_b).any(|word| vocabulary.knows(word))
        && !tell_themselves(&only_a, &only_b)
}

/// `fetch_order` and `retrieve_order`: one kind of verb, one object, and texts that have a word in common.
fn are_synonyms(a: &Profile<'_>, b: &Profile<'_>) -> bool {
    a.synonym.is_some() && a.synonym == b.synonym && likeness(a, b) > 0.0
}

/// Texts about one thing that have most of their words in common, with no word of the names that tells the two apart.
fn are_near(a: &Profile<'_>, b: &Profile<'_>, vocabulary: &Vocabulary) -> bool {
    const NEAR: f64 = 0.6;
    const SAYS_SOMETHING: usize = 3;
    if a.head != b.head || a.head.is_none() || a.content.len().min(b.content.len()) < SAYS_SOMETHING {
        return false;
    }
    let (only_a, only_b) = own_words(a, b);
    likeness(a, b) >= NEAR
        && !only_a.iter().chain(&only_b).any(|word| vocabulary.knows(word))
        && !tell_themselves(&only_a, &only_b)
}

/// What share of the words of both descriptions they have in common.
fn likeness(a: &Profile<'_>, b: &Profile<'_>) -> f64 {
    let shared = a.content.len() - only(&a.content, &b.content).count();
    let all = a.content.len() + b.content.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// What only the first of two lists has; both are in order.
fn only<'s, T: Ord>(one: &'s [T], other: &'s [T]) -> impl Iterator<Item = &'s T> {
    one.iter().filter(|value| other.binary_search(value).is_err())
}

/// The words that only the one name has, and only the other.
fn own_words<'s>(a: &'s Profile<'_>, b: &'s Profile<'_>) -> (Vec<&'s str>, Vec<&'s str>) {
    let own = |one: &'s [String], other: &'s [String]| only(one, other).map(String::as_str).collect();
    (own(&a.name_words, &b.name_words), own(&b.name_words, &a.name_words))
}

/// Whether words say by themselves what is different: `open` and `archived`.
fn tell_themselves(a: &[&str], b: &[&str]) -> bool {
    static PLAIN: WordList = WordList::new(
        "above active after all archived asc available avg average backward before below best binary bottom \
                         child closed completed current daily decrement desc disabled done down draft earliest enabled end \
                         false favorite first forward future global hidden high hourly in inactive incoming increment \
                         inline internal external installed json last latest left local lock locked long low max maximum \
                         mean median min minimum monthly multiple new newest next off old oldest on open out outgoing own \
                         parent past pending previous private public read recent remote restore right shared short single \
                         source start starred stop sum target text today tomorrow top total trashed true undo unlock unread \
                         unstarred up upcoming visible weekly write xml yearly yesterday",
    );
    let plain = |words: &[&str]| words.iter().any(|word| PLAIN.has(word));
    plain(a) && plain(b)
}
