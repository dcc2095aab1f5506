//! Names that are one slip of the pen apart: a letter too many, too few, another one, or two in each other's place.

use std::collections::HashMap;

use crate::names::singular;

/// Shorter names are told apart at a glance, and longer ones are no names.
const LENGTHS: std::ops::RangeInclusive<usize> = 6..=64;
/// Shorter words are codes, as `a` and `b` or `in` and `on` are.
const SHORTEST_WORD: usize = 4;
/// How many names with one rest are compared.
const MOST_ALIKE: usize = 20;

/// For each name that has one, given as words, the place of an earlier name that is one slip apart. They are found by what is
/// left of a name without one letter: each is compared only with those that share such a rest, and not with all.
pub(super) fn slips(names: &[&[String]]) -> HashMap<usize, usize> {
    let mut rests: Vec<(u64, usize)> = Vec::new();
    for (at, words) in names.iter().enumerate() {
        let length = words.iter().map(String::len).sum::<usize>() + words.len().saturating_sub(1);
        // A name of one word may be a term: `lrange` and `zrange` are what a database calls them.
        if LENGTHS.contains(&length) && words.len() > 1 {
            add_rests(words, at, &mut rests);
        }
    }
    rests.sort_unstable();
    rests.dedup();
    let mut near: HashMap<usize, usize> = HashMap::new();
    for alike in rests.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
        for (place, (_, at)) in alike.iter().enumerate() {
            let mut earlier = alike[..place.min(MOST_ALIKE)].iter().map(|(_, other)| *other);
            if let Some(other) = earlier.find(|other| is_slip(names[*other], names[*at])) {
                near.entry(*at).and_modify(|known| *known = other.min(*known)).or_insert(other);
            }
        }
    }
    near
}

/// A name, and the name without each letter of its longer words, as hashes.
fn add_rests(words: &[String], at: usize, rests: &mut Vec<(u64, usize)>) {
    const NOTHING: std::ops::Range<usize> = 0..0;
    let hashes: Vec<u64> = words.iter().map(|word| hash(word, NOTHING)).collect();
    let with = |word_at: usize, rest: u64| {
        let of = |(at, hash): (usize, &u64)| if at == word_at { rest } else { *hash };
        hashes
            .iter()
            .enumerate()
            .map(of)
            .fold(SEED, |all, hash| (all.rotate_left(5) ^ hash).wrapping_mul(PRIME))
    };
    rests.push((with(usize::MAX, 0), at));
    for (word_at, word) in words.iter().enumerate().filter(|(_, word)| word.len() >= SHORTEST_WORD) {
        let letters = word.char_indices().map(|(from, c)| from..from + c.len_utf8());
        rests.extend(letters.map(|letter| (with(word_at, hash(word, letter)), at)));
    }
}

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// A number for a word without a part of it (Fowler, Noll and Vo).
fn hash(word: &str, without: std::ops::Range<usize>) -> u64 {
    let bytes = word.as_bytes()[..without.start].iter().chain(&word.as_bytes()[without.end..]);
    bytes.fold(SEED, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(PRIME))
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
        let (one, other) = (words(one), words(other));
        slips(&[&one, &other]).get(&1) == Some(&0)
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
