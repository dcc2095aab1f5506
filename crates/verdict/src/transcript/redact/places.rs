//! Places in a text that are to be redacted, and those that were. What may not enter: how they are found.

use std::ops::Range;

/// What a placeholder begins with.
pub(super) const BEGINS: &str = "<redacted ";
/// No placeholder is longer.
const LONGEST: usize = 64;

/// Where something is to be redacted, how long it is, and what it is.
pub(super) type Place = (usize, usize, &'static str);

/// Where placeholders stand, in their order.
pub(super) fn placeholders(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.match_indices(BEGINS).filter_map(|(at, _)| {
        let inside = at + BEGINS.len();
        let bytes = text.as_bytes();
        let bytes = &bytes[inside..bytes.len().min(inside + LONGEST)];
        let end = bytes.iter().position(|byte| matches!(byte, b'<' | b'>'))?;
        (bytes[end] == b'>').then_some(at..inside + end + 1)
    })
}

/// The places that touch no placeholder and no other place: of those that overlap the first and longest.
pub(super) fn apart(mut places: Vec<Place>, text: &str) -> Vec<Place> {
    if places.is_empty() {
        return places;
    }
    places.sort_by_key(|(start, length, _)| (*start, std::cmp::Reverse(*length)));
    let mut done = placeholders(text).peekable();
    let mut kept = 0;
    places.retain(|(start, length, _)| {
        while done.next_if(|done| done.end <= *start).is_some() {}
        let is_free = *start >= kept && done.peek().is_none_or(|done| start + length <= done.start);
        if is_free {
            kept = start + length;
        }
        is_free && *length > 0
    });
    places
}

/// A text with something else in these places, which stand apart.
pub(super) fn replaced(
    text: &str,
    places: &[Place],
    mut by: impl FnMut(&str, &'static str) -> String,
) -> String {
    let (mut redacted, mut kept) = (String::with_capacity(text.len()), 0);
    for (start, length, what) in places {
        redacted.push_str(&text[kept..*start]);
        redacted.push_str(&by(&text[*start..start + length], what));
        kept = start + length;
    }
    redacted.push_str(&text[kept..]);
    redacted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_longest_and_nothing_that_is_done() {
        let text = "abc <redacted 1: x> def <redacted ghi";
        let places =
            vec![(0, 1, "a"), (0, 2, "b"), (1, 2, "c"), (2, 4, "d"), (6, 2, "e"), (20, 3, "f"), (34, 3, "g")];
        let apart = apart(places, text);
        assert_eq!(apart, vec![(0, 2, "b"), (20, 3, "f"), (34, 3, "g")]);
        let left = replaced(text, &apart, |found, what| format!("({what}={found})"));
        assert_eq!(left, "(b=ab)c <redacted 1: x> (f=def) <redacted (g=ghi)");
    }
}
