//! What was sent in a part of a session that is out of sight, in little room: what was sent is known, and now and then so is
//! what was not. Both keep a finding back.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value};

use super::scope_escape::made_up;

/// How many bits there are, and how many of them stand for one text: of a million texts one in a hundred others seems known.
const BITS: usize = 1 << 24;
const EACH: usize = 3;

/// A filter of texts, and of marks with those for whom they were sent.
#[derive(Debug, Clone)]
pub(super) struct SentBefore(Vec<u64>);

impl Default for SentBefore {
    fn default() -> Self {
        Self(vec![0; BITS / 64])
    }
}

impl SentBefore {
    /// Keeps the texts among these arguments, and the marks in them where it is known for whom they were sent.
    pub fn note(&mut self, arguments: Option<&Map<String, Value>>, whose: Option<&Value>) {
        for value in arguments.into_iter().flat_map(Map::values) {
            value.as_str().into_iter().for_each(|text| self.keep(&text));
            if let Some(whose) = whose {
                made_up(value).into_iter().for_each(|mark| self.keep(&(mark, whose)));
            }
        }
    }

    /// Whether a text may have been an argument: certainly where it was.
    pub fn may_have(&self, text: &str) -> bool {
        self.may_hold(&text)
    }

    /// The same of a mark that was sent for somebody.
    pub fn may_have_for(&self, mark: &str, whose: &Value) -> bool {
        self.may_hold(&(mark, whose))
    }

    fn keep(&mut self, what: &impl Hash) {
        for (word, bit) in places(what) {
            self.0[word] |= bit;
        }
    }

    fn may_hold(&self, what: &impl Hash) -> bool {
        places(what).into_iter().all(|(word, bit)| self.0[word] & bit != 0)
    }
}

/// The words and bits that stand for something.
fn places(what: &impl Hash) -> [(usize, u64); EACH] {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    let hash = hasher.finish();
    std::array::from_fn(|turn| {
        let at = (hash.rotate_left(21 * turn as u32) % BITS as u64) as usize;
        (at / 64, 1 << (at % 64))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_sent_may_be_asked_for_and_what_was_not_hardly_ever() {
        let mut sent = SentBefore::default();
        let (acme, bolt) = (json!({"tenant": "acme"}), json!({"tenant": "bolt"}));
        for number in 0..10_000 {
            let arguments = json!({"id": format!("a{number}x-7f3e9c21")});
            sent.note(arguments.as_object(), Some(&acme));
        }
        let has =
            |whose| (0..10_000).filter(|n| sent.may_have_for(&format!("a{n}x-7f3e9c21"), whose)).count();
        assert_eq!(has(&acme), 10_000);
        assert!(has(&bolt) < 20);
        assert!(sent.may_have("a7x-7f3e9c21") && !sent.may_have("a7x-7f3e9c2"));
    }
}
