//! Words that hold a credential in base 64 or behind percent signs. What may not enter: more than one layer of that.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::percent_decode_str;

use super::form::by_form;
use super::gate::{self, Gate};
use super::words::in_words;
use super::{Care, Secret};

/// What was encoded is at least so long.
pub(super) const LEAST_ENCODED: usize = 24;

/// The words of a text that may be something else, each with the credential in it.
pub(super) fn encoded(text: &str, care: Care) -> impl Iterator<Item = Option<Secret<'_>>> {
    let is_part = |c: char| u8::try_from(c).is_ok_and(gate::is_base64);
    let words = text.split(move |c: char| !is_part(c)).filter(|word| word.len() >= LEAST_ENCODED);
    let percent_decoded = percent_encoded(text).map(move |word| {
        let plain = percent_decode_str(word).decode_utf8().ok()?;
        in_plain(word, &plain, care)
    });
    percent_decoded.chain(words.flat_map(parts).map(move |word| in_plain(word, &from_base64(word)?, care)))
}

/// A word, and what stands in it between signs that base 64 shares with URLs: `blob=…`, `path/…`.
fn parts(word: &str) -> impl Iterator<Item = &str> {
    let is_split = word.trim_end_matches('=').contains(['=', '/']);
    let parts = is_split.then(|| word.split_inclusive(['=', '/'])).into_iter().flatten();
    let parts = parts.map(|part| part.trim_end_matches('/'));
    std::iter::once(word).chain(parts.filter(|part| part.len() >= LEAST_ENCODED))
}

/// A word whose plain text holds a credential.
fn in_plain<'t>(word: &'t str, plain: &str, care: Care) -> Option<Secret<'t>> {
    let gate = Gate::of(plain);
    let form = gate.by_form.then(|| by_form(plain).next()).flatten();
    let found = form.or_else(|| gate.in_words.then(|| in_words(plain, care).next()).flatten())?;
    Some(Secret { what: found.what, text: word, is_certain: found.is_certain })
}

fn from_base64(word: &str) -> Option<String> {
    let bytes = word.trim_end_matches('=').as_bytes();
    let plain = STANDARD_NO_PAD
        .decode(bytes)
        .or_else(|_| STANDARD.decode(word))
        .or_else(|_| URL_SAFE_NO_PAD.decode(bytes));
    String::from_utf8(plain.ok()?).ok()
}

/// The words in which signs are written with a percent sign.
fn percent_encoded(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "%-_.~+*!".contains(c);
    let has_one = text.contains('%').then_some(text);
    let words = has_one.into_iter().flat_map(move |text| text.split(move |c: char| !is_part(c)));
    words.filter(|word| word.contains('%'))
}
