//! What was planted, and what was seen of it. What may not enter: whether it should have been.

use std::collections::BTreeMap;

use serde_json::Value;

use super::Surface;
use super::marker::{Word, marker};
use super::texts::Texts;

/// What a suite has written down; tenants by their places.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) planted: Vec<Planted>,
    /// What each tenant saw on each surface, in order.
    looks: BTreeMap<(Surface, usize), Vec<Value>>,
    /// So many times the runs were to take turns, and none gave way to another.
    pub(super) never_in_turn: usize,
}

#[derive(Debug)]
pub(super) struct Planted {
    pub(super) owner: usize,
    pub(super) purpose: String,
    pub(super) word: Word,
}

/// What a tenant saw on a surface, all of it.
pub(super) struct Sighting<'s> {
    pub(super) surface: &'s Surface,
    pub(super) viewer: usize,
    pub(super) texts: Texts,
}

impl Seen {
    /// The marker of this tenant for this purpose: the one it has, or else a new one that cannot be mistaken for another one's,
    /// not even where either is cut.
    pub(super) fn plant(&mut self, owner: usize, tenant: &str, purpose: &str) -> String {
        let known = self.planted.iter().find(|known| known.owner == owner && known.purpose == purpose);
        if let Some(known) = known {
            return known.word.to_string();
        }
        let is_free = |word: &Word| {
            let is_mistaken =
                |known: &Planted| known.word.is_like(word) && (known.owner != owner || known.word == *word);
            !self.planted.iter().any(is_mistaken)
        };
        let mut words = (0..).map(|try_again| marker(tenant, purpose, try_again));
        // There are millions of millions of words, so that the search ends.
        let Some(word) = words.find(is_free) else { unreachable!("the words do not end") };
        let text = word.to_string();
        self.planted.push(Planted { owner, purpose: purpose.to_owned(), word });
        text
    }

    pub(super) fn note(&mut self, viewer: usize, surface: Surface, value: Value) {
        self.looks.entry((surface.named(), viewer)).or_default().push(value);
    }

    /// Everything that was seen, by surface and viewer. What was handed over in pieces is also looked at as one.
    pub(super) fn sightings(&self) -> Vec<Sighting<'_>> {
        let looks = self.looks.iter();
        looks
            .map(|((surface, viewer), values)| Sighting {
                surface,
                viewer: *viewer,
                texts: Texts::of(values),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purpose_keeps_its_marker() {
        let mut seen = Seen::default();
        let one = seen.plant(0, "acme", "note");
        let other = seen.plant(1, "globex", "note");
        assert_eq!((seen.plant(0, "acme", "note"), seen.planted.len()), (one.clone(), 2));
        assert_ne!(one, other);
    }

    #[test]
    fn what_is_left_of_a_marker_is_still_its_owners_alone() {
        let mut seen = Seen::default();
        // Their names begin alike, so that only the letters behind them tell them apart.
        for purpose in 0..300 {
            seen.plant(0, "tenant-1", &purpose.to_string());
            seen.plant(1, "tenant-2", &purpose.to_string());
        }
        let of = |owner| seen.planted.iter().filter(move |planted| planted.owner == owner);
        assert!(of(0).all(|one| of(1).all(|other| !one.word.is_like(&other.word))));
        assert_eq!(of(0).count(), 300);
    }
}
