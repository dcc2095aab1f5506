//! Whether two siblings overlap, with nothing between them that tells them apart.

use std::collections::BTreeSet;

use super::super::super::action::Verb;
use super::super::super::prose::is_one_of;
use super::profile::{Profile, Vocabulary};

/// Whether two tools overlap, and neither says when to use the other.
pub(super) fn overlap(a: &Profile, b: &Profile, vocabulary: &Vocabulary) -> bool {
    /// What share of their words two texts have in common that are about one thing, where only the texts can say so.
    const ALIKE: f64 = 0.5;
    if a.name == b.name || differ_in_kind(a, b) {
        return false;
    }
    let overlap = if a.parameters == b.parameters {
        is_one_text(a, b) || differ_by_their_names(a, b, vocabulary) || are_synonyms(a, b)
    } else {
        !either_adds(a, b) && are_synonyms(a, b) && likeness(a, b) >= ALIKE
    };
    overlap && !a.names(b) && !b.names(a)
}

/// To add what exists is not to create it; with the same inputs it is.
fn either_adds(a: &Profile, b: &Profile) -> bool {
    [a, b].iter().any(|profile| profile.action.as_ref().is_some_and(|action| action.word == "add"))
}

/// Whether the names say that they do different things: reading and deleting, one and many.
fn differ_in_kind(a: &Profile, b: &Profile) -> bool {
    let many = |profile: &Profile| profile.action.as_ref().is_some_and(|action| action.is_about_many());
    match (a.kind(), b.kind()) {
        (Some(one), Some(other)) => {
            let reads = matches!(one, Verb::Get | Verb::List | Verb::Search);
            one != other || (reads && many(a) != many(b))
        }
        (None, None) => a.verb != b.verb,
        _ => a.verb != b.verb || a.opening != b.opening,
    }
}

/// The same words throughout.
fn is_one_text(a: &Profile, b: &Profile) -> bool {
    /// A shorter text is as true of other things.
    const SAYS_SOMETHING: usize = 6;
    let (only_a, only_b) = own_words(a, b);
    let is_renamed = only_a.is_empty() || only_b.is_empty();
    a.text == b.text
        && !a.content.is_empty()
        && (is_renamed || a.content.len() >= SAYS_SOMETHING)
        && !tell_themselves(&only_a, &only_b)
}

/// Texts that differ by nothing but words of the tools' own names, which say nothing by themselves.
fn differ_by_their_names(a: &Profile, b: &Profile, vocabulary: &Vocabulary) -> bool {
    let only = |one: &Profile, other: &Profile| -> BTreeSet<String> {
        one.content.difference(&other.content).cloned().collect()
    };
    let (said_a, said_b) = (only(a, b), only(b, a));
    let (only_a, only_b) = own_words(a, b);
    a.head == b.head
        && !a.head.is_empty()
        && said_a.is_subset(&only_a)
        && said_b.is_subset(&only_b)
        && !(said_a.is_empty() && said_b.is_empty())
        && !only_a.iter().chain(&only_b).any(|word| vocabulary.knows(word))
        && !tell_themselves(&only_a, &only_b)
}

/// `fetch_order` and `retrieve_order`: one kind of verb, one object, and texts that have a word in common.
fn are_synonyms(a: &Profile, b: &Profile) -> bool {
    let key = a.synonym();
    key.is_some() && key == b.synonym() && likeness(a, b) > 0.0
}

/// What share of the words of both descriptions they have in common.
fn likeness(a: &Profile, b: &Profile) -> f64 {
    let (shared, all) = (a.content.intersection(&b.content).count(), a.content.union(&b.content).count());
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}

/// The words that only the one name has, and only the other.
fn own_words(a: &Profile, b: &Profile) -> (BTreeSet<String>, BTreeSet<String>) {
    let only =
        |one: &Profile, other: &Profile| one.name_words.difference(&other.name_words).cloned().collect();
    (only(a, b), only(b, a))
}

/// Whether words say by themselves what is different: `open` and `archived`.
fn tell_themselves(a: &BTreeSet<String>, b: &BTreeSet<String>) -> bool {
    const PLAIN: &str = "above active after all archived asc available avg average backward before below best binary bottom \
                         child closed completed current daily decrement desc disabled done down draft earliest enabled end \
                         false favorite first forward future global hidden high hourly in inactive incoming increment \
                         inline internal external installed json last latest left local lock locked long low max maximum \
                         mean median min minimum monthly multiple new newest next off old oldest on open out outgoing own \
                         parent past pending previous private public read recent remote restore right shared short single \
                         source start starred stop sum target text today tomorrow top total trashed true undo unlock unread \
                         unstarred up upcoming visible weekly write xml yearly yesterday";
    let plain = |words: &BTreeSet<String>| words.iter().any(|word| is_one_of(word, PLAIN));
    plain(a) && plain(b)
}
