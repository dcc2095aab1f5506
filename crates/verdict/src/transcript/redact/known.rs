//! Which credentials were seen, by which numbers, and which of them are looked for where they come up again. What may not enter: more
//! than so many, whatever a peer sends.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher as _, RandomState};

use crate::secrets::looks_like_one;

/// So many numbers are kept, the last ones; no more is kept of a credential than a hash with a key.
const MOST_KNOWN: usize = 1 << 16;
/// So many credentials are looked for wherever they come up again, the last ones, and none that is longer.
const MOST_RECURRING: usize = 200;
const LONGEST_RECURRING: usize = 1024;
/// By so many bytes they are found, which each has at least.
const START: usize = 8;

/// The credentials that were seen.
#[derive(Debug, Default)]
pub(super) struct Known {
    keyed: RandomState,
    numbers: HashMap<u64, usize>,
    order: VecDeque<u64>,
    given: usize,
    /// Numbers up to this one stand in what was redacted before.
    pub taken: usize,
    recurring: Recurring,
}

/// Those that are looked for, by how they begin.
#[derive(Debug, Default)]
struct Recurring {
    by_start: HashMap<[u8; START], Vec<(String, &'static str)>>,
    order: VecDeque<[u8; START]>,
}

impl Known {
    /// How many numbers were given.
    pub fn count(&self) -> usize {
        self.given
    }

    /// The number of a credential, the same for the same one as long as it is known.
    pub fn number(&mut self, secret: &str) -> usize {
        let hash = self.keyed.hash_one(secret);
        if let Some(number) = self.numbers.get(&hash) {
            return *number;
        }
        if self.order.len() == MOST_KNOWN
            && let Some(oldest) = self.order.pop_front()
        {
            self.numbers.remove(&oldest);
        }
        self.given += 1;
        let number = self.taken + self.given;
        self.order.push_back(hash);
        self.numbers.insert(hash, number);
        number
    }

    /// Looks for a credential from now on wherever it comes up, if it is like nothing that anybody else would write.
    pub fn recurs(&mut self, secret: &str, what: &'static str) {
        if secret.len() <= LONGEST_RECURRING && looks_like_one(secret) {
            self.recurring.add(secret, what);
        }
    }

    /// Where those that are looked for stand in a text as whole words.
    pub fn again(&self, text: &str) -> Vec<(usize, usize, &'static str)> {
        if self.recurring.order.is_empty() { Vec::new() } else { self.recurring.places(text) }
    }
}

impl Recurring {
    fn add(&mut self, secret: &str, what: &'static str) {
        let Some(start) = start(secret.as_bytes(), 0) else { return };
        if self.by_start.get(&start).is_some_and(|known| known.iter().any(|(known, _)| known == secret)) {
            return;
        }
        if self.order.len() == MOST_RECURRING
            && let Some(oldest) = self.order.pop_front()
            && let Some(known) = self.by_start.get_mut(&oldest)
        {
            known.remove(0);
            if known.is_empty() {
                self.by_start.remove(&oldest);
            }
        }
        self.order.push_back(start);
        self.by_start.entry(start).or_default().push((secret.to_owned(), what));
    }

    fn places(&self, text: &str) -> Vec<(usize, usize, &'static str)> {
        let bytes = text.as_bytes();
        let mut places = Vec::new();
        for at in (0..bytes.len()).filter(|at| is_edge(bytes, *at)) {
            let Some(start) = start(bytes, at) else { break };
            for (secret, what) in self.by_start.get(&start).into_iter().flatten() {
                let end = at + secret.len();
                if bytes[at..].starts_with(secret.as_bytes()) && is_edge(bytes, end) {
                    places.push((at, secret.len(), *what));
                }
            }
        }
        places
    }
}

fn start(bytes: &[u8], at: usize) -> Option<[u8; START]> {
    bytes.get(at..at + START)?.try_into().ok()
}

/// Whether a word may begin or end at a place: no letters and digits touch there, but for those of an escape before it.
fn is_edge(bytes: &[u8], at: usize) -> bool {
    let is_part = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let before = |back: usize| at.checked_sub(back).and_then(|at| bytes.get(at));
    let is_escaped = (before(2) == Some(&b'\\') && matches!(before(1), Some(b'n' | b'r' | b't')))
        || (before(3) == Some(&b'%')
            && [2, 1].iter().all(|back| before(*back).is_some_and(u8::is_ascii_hexdigit)));
    !(is_part(before(1)) && is_part(bytes.get(at))) || is_escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_kept_than_so_many_and_what_is_still_known_keeps_its_number() {
        let mut known = Known::default();
        let secret = |at: usize| format!("a{at}b{at}c-hunter2");
        for at in 0..MOST_KNOWN + 10 {
            known.number(&secret(at));
            known.recurs(&secret(at), "x");
        }
        assert_eq!((known.numbers.len(), known.order.len()), (MOST_KNOWN, MOST_KNOWN));
        let kept: usize = known.recurring.by_start.values().map(Vec::len).sum();
        assert_eq!((kept, known.recurring.order.len()), (MOST_RECURRING, MOST_RECURRING));
        assert_eq!(known.number(&secret(10)), 11);
        assert_eq!(known.number(&secret(0)), MOST_KNOWN + 11);
        known.recurs(&"a1".repeat(LONGEST_RECURRING), "x");
        assert!(known.recurring.order.len() <= MOST_RECURRING);
    }

    #[test]
    fn one_comes_up_again_as_a_word_and_not_within_one() {
        let mut known = Known::default();
        known.recurs("hunter2-91x", "x");
        for (text, places) in [
            ("hunter2-91x", vec![0]),
            ("(hunter2-91x) hunter2-91x.", vec![1, 14]),
            ("xhunter2-91x hunter2-91xy", vec![]),
            ("a\\nhunter2-91x a%3Dhunter2-91x_", vec![3, 19]),
        ] {
            let found: Vec<usize> = known.again(text).iter().map(|(at, ..)| *at).collect();
            assert_eq!(found, places, "{text}");
        }
        for word in ["tools/call", "password", "required", "12345678", "list_notes"] {
            known.recurs(word, "x");
            assert_eq!(known.again(word), vec![], "{word}");
        }
    }
}
