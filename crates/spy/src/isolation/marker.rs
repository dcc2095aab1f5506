//! Words that cannot be mistaken. What may not enter: chance; a failure has to come back with the same words.

use std::fmt;

/// Letters that no stemmer takes off an end: no vowels, no `s` and no `y`.
const LETTERS: &[u8] = b"bcdfghjklmnpqrtvwxz";

/// The letters with which a marker ends.
const LAST: &[u8] = b"qxz";

/// So many letters of a tenant's name stand at the beginning, so that whose it is can be read off a failure.
const NAMED: usize = 6;

/// So many letters, each of nineteen, tell markers apart.
const TELLING: usize = 10;

/// So many letters that tell markers apart stand in what is left of one that was cut at its end: few enough that a cut in its middle
/// leaves them, and enough that nothing else has them.
const LEFT: usize = 4;

/// So many letters are left of a marker whose beginning was cut off.
const END: usize = 8;

/// A word for a tenant's data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    word: String,
    /// So many letters of its beginning tell it apart.
    beginning: usize,
}

impl Word {
    /// Where it stands in a text, which is in lower case, and how much of it: all of it, or what a cut left.
    pub(super) fn find(&self, text: &str) -> Option<(usize, usize)> {
        [self.word.as_str(), self.beginning(), self.end()]
            .into_iter()
            .find_map(|part| text.find(part).map(|at| (at, part.len())))
    }

    /// Whether what is left of one could be taken for the other.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.find(&other.word).is_some() || other.find(&self.word).is_some()
    }

    fn beginning(&self) -> &str {
        &self.word[..self.beginning]
    }

    fn end(&self) -> &str {
        &self.word[self.word.len() - END..]
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)
    }
}

/// A word for a tenant's data: lower-case letters and nothing else, at most 18 of them, which tokenisers, stemmers and search
/// indexes leave as it is. The same tenant and purpose have the same word in each run; `try_again` gives another one.
pub(super) fn marker(tenant: &str, purpose: &str, try_again: u64) -> Word {
    let mut hash = hash(&[tenant.as_bytes(), purpose.as_bytes(), &try_again.to_be_bytes()]);
    let mut take = |letters: &[u8]| {
        let count = letters.len() as u64;
        let letter = letters[usize::try_from(hash % count).unwrap_or(0)];
        hash /= count;
        char::from(letter)
    };
    let letters = tenant.chars().flat_map(char::to_lowercase).filter(char::is_ascii_lowercase);
    let mut word: String = letters.take(NAMED).collect();
    word.push('z');
    let beginning = (word.len() + LEFT).max(END);
    word.extend((0..TELLING).map(|_| take(LETTERS)));
    word.push(take(LAST));
    Word { word, beginning }
}

/// FNV-1a over the parts, each with its length before it, its bits mixed at the end.
fn hash(parts: &[&[u8]]) -> u64 {
    let lengths: Vec<[u8; 8]> = parts.iter().map(|part| (part.len() as u64).to_be_bytes()).collect();
    let bytes = lengths.iter().zip(parts).flat_map(|(length, part)| length.iter().chain(*part));
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_marker_is_the_same_in_every_run() {
        assert_eq!(marker("acme", "note", 0), marker("acme", "note", 0));
        assert_eq!(marker("acme", "note", 0).to_string(), "acmezdqztvhpbzmz");
        assert_ne!(marker("acme", "note", 0), marker("acme", "note", 1));
        assert_ne!(marker("ab", "c", 0), marker("a", "bc", 0));
    }

    proptest! {
        #[test]
        fn a_marker_survives_tokenising(tenant in "\\PC{0,12}", purpose in "\\PC{0,12}", again in 0u64..9) {
            let word = marker(&tenant, &purpose, again).to_string();
            prop_assert!(word.chars().all(|c| c.is_ascii_lowercase()), "{word}");
            prop_assert!((12..=18).contains(&word.len()), "{word}");
            prop_assert!(word.ends_with(['q', 'x', 'z']));
            let telling = &word[word.len() - TELLING - 1..];
            prop_assert!(!telling.contains(['a', 'e', 'i', 'o', 'u', 'y', 's']), "{word}");
        }

        #[test]
        fn two_markers_are_never_part_of_each_other(one in ("[a-c]{1,3}", "[a-c]{1,3}"), other in ("[a-c]{1,3}", "[a-c]{1,3}")) {
            prop_assume!(one != other);
            let (one, other) = (marker(&one.0, &one.1, 0), marker(&other.0, &other.1, 0));
            prop_assert!(!one.word.contains(&other.word) && !other.word.contains(&one.word));
        }

        #[test]
        fn a_cut_leaves_a_marker_known_as_far_as_is_said(tenant in "\\PC{0,12}", left in 0usize..=18, from_end: bool) {
            let marker = marker(&tenant, "note", 0);
            let word = marker.to_string();
            let left = left.min(word.len());
            let (rest, enough) = match from_end {
                true => (format!("…{}", &word[word.len() - left..]), END),
                false => (format!("{}…", &word[..left]), marker.beginning),
            };
            prop_assert_eq!(marker.find(&rest).is_some(), left >= enough, "{}", rest);
            prop_assert!(marker.beginning <= 11 && marker.beginning >= 8);
        }
    }
}
