//! Private keys between their two marks. What may not enter: keys that may be shown.

use std::ops::Range;

const BEGINS: &str = "-----BEGIN ";
const ENDS: &str = "-----END ";
const DASHES: &str = "-----";
/// What stands in a mark is no longer.
const LONGEST_MARK: usize = 48;

/// Where private keys stand, from the mark before them to the one behind them; to the end where that is missing.
pub(super) fn keys(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text.get(from..)?.find(BEGINS)?;
            let inside = start + BEGINS.len();
            let Some(mark) = mark(&text[inside..]) else {
                from = inside;
                continue;
            };
            let end = end(&text[inside + mark..]).map_or(text.len(), |end| inside + mark + end);
            from = end;
            return Some(start..end);
        }
    })
}

/// Where the key ends of which the beginning stood in an earlier line; `None` where it goes on.
pub(crate) fn end(text: &str) -> Option<usize> {
    let at = text.find(ENDS)?;
    let inside = at + ENDS.len();
    Some(mark(&text[inside..]).map_or(inside, |mark| inside + mark))
}

/// Whether a key begins in a text that does not end there.
pub(crate) fn is_open_behind(text: &str) -> bool {
    text.contains(BEGINS) && keys(text).last().is_some_and(|key| end(&text[key.start..]).is_none())
}

/// How long the rest of a mark is that speaks of a private key.
fn mark(rest: &str) -> Option<usize> {
    let bytes = &rest.as_bytes()[..rest.len().min(LONGEST_MARK)];
    let dashes = bytes.windows(DASHES.len()).position(|window| window == DASHES.as_bytes())?;
    let says = &rest[..dashes];
    (says.ends_with("PRIVATE KEY") || says.ends_with("PRIVATE KEY BLOCK")).then_some(dashes + DASHES.len())
}
