//! Whether a text has anything in it without which there is no credential: most texts have not, and are not looked through.
//! What may not enter: a judgement. What is let through may still hold none.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};

use super::encoded::LEAST_ENCODED;
use super::form::{TOKENS, WEBHOOKS};
use super::value::LEAST_CHARS;
use super::words::SCHEMES;

/// Parts of the names of what holds a credential, in any case, and options that take one.
const HINTS: &[&str] = &[
    "-u ", "--user", "auth", "bearer", "cookie", "credential", "jwt", "key", "pass", "pwd", "secret", "sig",
    "token", "pw",
];

/// What stands in every credential that is known by its form, beside how tokens begin.
const FORMS: &[&str] = &["eyJ", "-----BEGIN ", "://"];

static BY_FORM: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(forms(), false));
static IN_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(words(), true));
static EITHER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(forms().chain(words()), true));
static IN_NAMES: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| any_of(HINTS.iter().copied(), true));

/// Which kinds of credentials a text may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Gate {
    /// Those that can be nothing else by their form.
    pub by_form: bool,
    /// Those that words around them tell of.
    pub in_words: bool,
    /// Those in words that may be something else, in base 64 or with percent signs.
    pub encoded: bool,
}

impl Gate {
    /// Looks for what each kind has in it.
    pub fn of(text: &str) -> Self {
        if text.len() < LEAST_CHARS {
            return Self { by_form: false, in_words: false, encoded: false };
        }
        let either = has(&EITHER, text);
        Self {
            by_form: either && has(&BY_FORM, text),
            in_words: either && has(&IN_WORDS, text),
            encoded: has_long_word(text.as_bytes()) || text.contains('%'),
        }
    }
}

/// Whether a name has a part of one that is known to hold a credential.
pub(super) fn hints_at_one(name: &str) -> bool {
    has(&IN_NAMES, name)
}

/// Whether a byte may stand in base 64.
pub(super) fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
}

fn forms() -> impl Iterator<Item = &'static str> {
    TOKENS.iter().map(|(start, ..)| *start).chain(FORMS.iter().chain(WEBHOOKS).copied())
}

fn words() -> impl Iterator<Item = &'static str> {
    HINTS.iter().chain(SCHEMES).copied()
}

fn any_of(parts: impl Iterator<Item = &'static str>, in_any_case: bool) -> Option<AhoCorasick> {
    AhoCorasick::builder()
        .kind(Some(AhoCorasickKind::DFA))
        .ascii_case_insensitive(in_any_case)
        .build(parts)
        .ok()
}

/// Without an automaton everything is let through.
fn has(parts: &LazyLock<Option<AhoCorasick>>, text: &str) -> bool {
    parts.as_ref().is_none_or(|parts| parts.is_match(text))
}

/// Whether so many bytes of base 64 stand beside each other as what was encoded has at least.
fn has_long_word(bytes: &[u8]) -> bool {
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + LEAST_ENCODED) {
        // Behind the last byte that is none is the first place where such a word may begin.
        match window.iter().rposition(|byte| !is_base64(*byte)) {
            Some(other) => at += other + 1,
            None => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Care, by_form, encoded, in_words, secrets};
    use super::*;

    /// Texts put together from what credentials are made of, and of what is nearly that.
    fn text() -> impl Strategy<Value = String> {
        let parts = forms().chain(words()).map(str::to_owned).collect::<Vec<_>>();
        let part = prop_oneof![
            proptest::sample::select(parts),
            "[A-Za-z0-9]{1,40}",
            "(password|api_key|Bearer |BASIC |clientSecret)[=: \"]{1,2}[a-z0-9-]{6,12}",
            "[a-z]{1,5}://[a-z]{0,3}:[a-z0-9]{2,6}@[a-z]{1,5}",
            "[A-Za-z0-9+/=_%-]{20,60}",
            "[ =:%.,\"'_-]{1,3}",
            "\\PC{0,4}",
            Just("cGFzc3dvcmQ9aHVudGVyMi05MXg=".to_owned()),
            Just("postgres%3A%2F%2Fapp%3Ahunter2-91%40db".to_owned()),
        ];
        proptest::collection::vec(part, 0..8).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn what_is_found_without_the_gate_is_found_with_it(text in text()) {
            let ungated = by_form(&text).chain(encoded(&text, Care::Broad).flatten()).chain(in_words(&text, Care::Broad));
            prop_assert_eq!(secrets(&text).collect::<Vec<_>>(), ungated.collect::<Vec<_>>());
        }

        #[test]
        fn a_long_word_is_seen_wherever_it_stands(text in "[a-z0-9 %é]{0,80}") {
            let longest = text.split(|c: char| !c.is_ascii_alphanumeric()).map(str::len).max();
            prop_assert_eq!(has_long_word(text.as_bytes()), longest.unwrap_or_default() >= LEAST_ENCODED);
        }
    }

    #[test]
    fn what_holds_nothing_is_let_by_nobody_and_each_kind_by_its_own() {
        let of = |text: &str| {
            let Gate { by_form, in_words, encoded } = Gate::of(text);
            [by_form, in_words, encoded]
        };
        assert_eq!(of(r#"{"items":[{"id":"n17","title":"tea 12"}],"returned":1}"#), [false; 3]);
        assert_eq!(of("see https://docs.test"), [true, false, false]);
        assert_eq!(of("the monkey paid"), [false, true, false]);
        assert_eq!(of("0e1f2a3b-0000-4444-8888-abcdefabcdef"), [false, false, true]);
    }
}
