//! Credentials that words around them tell of. What may not enter: how texts are written, which `pairs` knows.

use super::names::{Hold, first_of, names_a_secret};
use super::pairs::{Pair, Written, assigned, ends_with, pairs};
use super::value::{is_example, is_left_out, is_secret_like, looks_like_one};
use super::{BY_NAME, Care, Secret, gate};

/// Parts of the names of schemes, which are the same in any case but for these; they begin with any.
pub(super) const SCHEMES: &[&str] = &["earer", "EARER", "asic ", "ASIC "];
/// Schemes of the header `Authorization`, of which one word is the credential, and of which all is.
const ONE_WORD: &[&str] = &["basic", "bearer", "token", "apikey", "api-key", "key", "negotiate", "ntlm"];
const ALL_WORDS: &[&str] = &["digest", "hmac", "aws4-hmac-sha256"];
/// What stands behind a name in code and prose, where nobody wrote a credential.
const SAID: &[&str] = &[
    "and", "are", "array", "boolean", "can", "flag", "for", "from", "has", "instead", "into", "must", "not",
    "number", "optional", "option", "options", "password", "required", "secret", "should", "string", "the",
    "token", "value", "was", "will", "with", "yes",
];
/// A signature in a query is at least so long.
const LEAST_SIGNATURE: usize = 30;
/// A text that is no longer than this is chosen by nobody.
const LEAST_CHOSEN: usize = 3;
const LEAST_LOOSE: usize = 6;
/// No more of a value is judged.
const JUDGED: usize = 128;

/// Those in a text.
pub(super) fn in_words(text: &str, care: Care) -> impl Iterator<Item = Secret<'_>> {
    // Few texts hold any part of such a name, and the rest is not looked through.
    let named = gate::hints_at_one(text).then_some(text).into_iter();
    let sparing = (care == Care::Sparing).then_some(named.clone()).into_iter().flatten();
    let broad = (care == Care::Broad).then_some(named).into_iter().flatten();
    by_scheme(text)
        .chain(sparing.flat_map(assigned).filter_map(told))
        .chain(broad.flat_map(pairs).filter_map(held))
        .map(|text| Secret { what: BY_NAME, text, is_certain: false })
}

/// Those that stand behind the name of a scheme, as in a header: `Bearer …`.
fn by_scheme(text: &str) -> impl Iterator<Item = &str> {
    let has_one = SCHEMES.iter().any(|scheme| text.contains(scheme));
    let is_end = |c: char| " \t\"',\n\r<>\\`;)".contains(c);
    let mut words = has_one.then_some(text).into_iter().flat_map(move |text| text.split(is_end)).peekable();
    std::iter::from_fn(move || {
        let scheme = words.next()?;
        let scheme = scheme.rsplit([':', '=']).next().unwrap_or_default();
        let is_scheme = ["bearer", "basic"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let value = words.peek().copied().filter(|value| is_scheme && is_secret_like(value));
        Some(value.filter(|value| value.bytes().any(|byte| byte.is_ascii_digit())))
    })
    .flatten()
}

/// What the check takes for a credential: a sentence such as "password: required" assigns nothing.
fn told(pair: Pair<'_>) -> Option<&str> {
    let is_end = |c: char| c.is_whitespace() || "\"'&;,)".contains(c);
    let behind = pair.value.trim_start_matches(['"', '\'', ' ']);
    let value = first_of(behind, JUDGED).split(is_end).next()?;
    let fits = names_a_secret(pair.name) && is_secret_like(value) && has_digit(value);
    fits.then(|| behind.split(is_end).next().unwrap_or_default())
}

/// What is redacted: whatever stands under a certain name where it can be no prose, else what looks like a credential.
fn held(pair: Pair<'_>) -> Option<&str> {
    let seen = first_of(pair.value, JUDGED);
    if ends_with(pair.name, "sig") && pair.value.len() < LEAST_SIGNATURE {
        return None;
    }
    let is_one = match (pair.hold, pair.written) {
        (Hold::Nothing, _) => false,
        _ if is_left_out(seen) || seen.len() < LEAST_CHOSEN => false,
        (Hold::Sure | Hold::Told, Written::Header) => return in_header(pair),
        (Hold::Sure | Hold::Told, Written::Quoted) => true,
        (Hold::Sure | Hold::Told, Written::Tight) => is_written_out(seen),
        (Hold::Sure | Hold::Told, Written::Option) => is_written_out(seen) && seen.len() > LEAST_CHOSEN,
        (Hold::Sure | Hold::Told, Written::Loose) => {
            seen.len() >= LEAST_LOOSE && has_digit(seen) && is_written_out(seen) && !seen.contains("://")
        }
        _ => looks_like_one(seen),
    };
    is_one.then_some(pair.value)
}

/// What stands there itself, and not what computes it, and no word of a sentence.
fn is_written_out(value: &str) -> bool {
    !value.starts_with(['=', '/', '.', '#', '$', '{', '['])
        && !value.contains(['(', '[', '{'])
        && !is_example(value)
        && !SAID.iter().any(|word| value.trim_end_matches(['.', ':', '?']).eq_ignore_ascii_case(word))
}

/// The credential in the value of a header. As a hostile line has many of them with one end, only the beginning is judged.
fn in_header(pair: Pair<'_>) -> Option<&str> {
    let value = pair.value.trim_start();
    let seen = first_of(value, JUDGED);
    if ends_with(pair.name, "cookie") {
        let is_cookie = seen.split(';').any(|part| part.contains('=') && !is_left_out(part));
        return is_cookie.then_some(value);
    }
    let (scheme, behind) = seen.split_once(' ').unwrap_or(("", seen));
    let is_any = |known: &[&str]| known.iter().any(|known| scheme.eq_ignore_ascii_case(known));
    let from = seen.len() - behind.len();
    if is_any(ALL_WORDS) {
        return behind.contains('=').then(|| &value[from..]);
    }
    let from = if is_any(ONE_WORD) { from } else { 0 };
    let word = seen[from..].split([' ', ',', ';', '\\', '&']).next()?;
    let is_cut = from + word.len() == seen.len();
    let is_one = word.len() >= LEAST_LOOSE && has_digit(word) && is_written_out(word);
    is_one.then(|| if is_cut { &value[from..] } else { word })
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}
