//! Names that are one slip of the pen apart: a letter too many, too few, another one, or two in each other's place.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::names::singular;

/// The names that were seen, found by what is left of them without one letter: each name is compared only with those that
/// share such a rest, and not with all.
#[derive(Default)]
pub(super) struct Slips {
    seen: Vec<Vec<String>>,
    by_rest: HashMap<u64, Vec<usize>>,
}

/// Shorter names are told apart at a glance, and longer ones are no names.
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=64;
/// Shorter words are codes, as `a` and `b` or `in` and `on` are.
const SHORTEST_WORD: usize = 4;
/// How many names with one rest are compared.
const MOST_ALIKE: usize = 20;

impl Slips {
    /// Keeps the words of a name, and gives the place of an earlier one that is one slip apart.
    pub fn add(&mut self, words: &[String]) -> Option<usize> {
        let length = words.iter().map(String::len).sum::<usize>() + words.len().saturating_sub(1);
        let at = self.seen.len();
        self.seen.push(words.to_vec());
        // A name of one word may be a term: `lrange` and `zrange` are what a database calls them.
        if !LENGTHS.contains(&length) || words.len() < 2 {
            return None;
        }
        let mut near = None;
        for rest in rests(words) {
            let alike = self.by_rest.entry(rest).or_default();
            let is_near = |other: &&usize| is_slip(&self.seen[**other], words);
            near = near.or_else(|| alike.iter().find(is_near).copied());
            if alike.len() < MOST_ALIKE {
                alike.push(at);
            }
        }
        near
    }
}

/// A name, and the name without each letter of its longer words, as hashes.
fn rests(words: &[String]) -> Vec<u64> {
    let hash = |word_at: usize, rest: &str| {
        let mut hasher = DefaultHasher::new();
        for (at, word) in words.iter().enumerate() {
            if at == word_at { rest.hash(&mut hasher) } else { word.hash(&mut hasher) }
        }
        hasher.finish()
    };
    let mut rests = vec![hash(usize::MAX, "")];
    for (word_at, word) in words.iter().enumerate().filter(|(_, word)| word.len() >= SHORTEST_WORD) {
        for (at, c) in word.char_indices() {
            let rest = [&word[..at], &word[at + c.len_utf8()..]].concat();
            rests.push(hash(word_at, &rest));
        }
    }
    rests.sort_unstable();
    rests.dedup();
    rests
}

/// Whether one word differs, by one slip, and neither by a number nor to its opposite.
fn is_slip(one: &[String], other: &[String]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let mut differing = one.iter().zip(other).filter(|(one, other)| one != other);
    let (Some((one, other)), None) = (differing.next(), differing.next()) else { return false };
    let is_word = |word: &str| word.len() >= SHORTEST_WORD && word.chars().all(char::is_alphabetic);
    is_word(one) && is_word(other) && is_one_edit(one, other) && !is_meant(one, other)
}

/// Whether two words differ on purpose: one and many, or opposites.
fn is_meant(one: &str, other: &str) -> bool {
    const OPPOSITES: &[(&str, &str)] = &[("async", "sync"), ("gets", "sets"), ("getter", "setter")];
    let is_pair = |(a, b): &(&str, &str)| (*a == one && *b == other) || (*a == other && *b == one);
    singular(one) == singular(other) || OPPOSITES.iter().any(is_pair)
}

/// Whether one letter more, less or other, or two that change places, make one word the other.
fn is_one_edit(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    let same = short.iter().zip(long.iter()).take_while(|(a, b)| a == b).count();
    let (short, long) = (&short[same..], &long[same..]);
    match long.len() - short.len() {
        0 => match (short, long) {
            ([], []) => false,
            ([a, b, ..], [c, d, ..]) if a == d && b == c && short[2..] == long[2..] => true,
            _ => short[1..] == long[1..],
        },
        1 => short == &long[1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::words;
    use proptest::prelude::*;

    fn near(one: &str, other: &str) -> bool {
        let mut slips = Slips::default();
        assert_eq!(slips.add(&words(one)), None);
        slips.add(&words(other)).is_some()
    }

    #[test]
    fn a_slip_is_told_from_what_is_meant() {
        for (one, other) in [
            ("list_notes", "list_nodes"),
            ("read_file", "lead_file"),
            ("listNotes", "list_ntoes"),
            ("get_form", "get_from"),
            ("get_logs", "get_blogs"),
        ] {
            assert!(near(one, other) && near(other, one), "{one} {other}");
        }
        for (one, other) in [
            ("book_a", "book_b"),
            ("get_order", "set_order"),
            ("get_orders", "get_order"),
            ("run_async", "run_sync"),
            ("query_ipv4", "query_ipv6"),
            ("search_v1", "search_v2"),
            ("zip_up", "zip_in"),
            ("lrange", "zrange"),
            ("list_notes", "list_notes"),
            ("list_notes", "show_nodes"),
            ("import_notes", "export_notes"),
        ] {
            assert!(!near(one, other), "{one} {other}");
        }
    }

    proptest! {
        #[test]
        fn whatever_letter_is_lost_the_other_name_is_found(word in "[a-z]{6,12}", at in 0usize..6) {
            let lost = [&word[..at], &word[at + 1..]].concat();
            prop_assume!(!is_meant(&word, &lost));
            let (one, other) = (format!("list_{word}"), format!("list_{lost}"));
            prop_assert!(near(&one, &other));
        }
    }
}
