//! What becomes of a text whose bytes were read or written in the wrong encoding.

use super::REPLACED;

/// What Windows-1252 has where Latin-1 has control characters, from 0x80 on; the five that it has not are as in Latin-1.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// How a text was damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    /// Its bytes were read in another encoding.
    Misread,
    /// Characters were replaced.
    Replaced,
}

/// The forms in which a text comes back when its encoding was mistaken; none for plain ASCII.
pub(super) fn forms(text: &str) -> Vec<(String, Damage)> {
    if text.is_ascii() || text.contains(REPLACED) {
        return Vec::new();
    }
    let mut forms = Vec::new();
    let mut add = |form: String, damage| {
        if form != text && !forms.iter().any(|(known, _)| *known == form) {
            forms.push((form, damage));
        }
    };
    add(text.bytes().map(char::from).collect(), Damage::Misread);
    add(text.bytes().map(windows).collect(), Damage::Misread);
    for mark in ['?', REPLACED] {
        let counts: [fn(char) -> usize; 3] = [|_| 1, char::len_utf16, char::len_utf8];
        for count in counts {
            let replaced = text
                .chars()
                .map(|c| if c.is_ascii() { c.to_string() } else { mark.to_string().repeat(count(c)) });
            add(replaced.collect(), Damage::Replaced);
        }
    }
    forms
}

fn windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Whether a text has one of the characters that every damaged form has, which most texts have not.
pub(super) fn may_be_damaged(text: &str) -> bool {
    !text.is_ascii() || text.as_bytes().contains(&b'?')
}

/// Whether a damaged form is at a place of an answer, where that is no chance.
pub(super) fn stands_in(form: &str, damage: Damage, text: &str) -> bool {
    const LETTERS: usize = 3;
    let is_telling =
        damage == Damage::Misread || form.chars().filter(|c| c.is_ascii_alphanumeric()).count() >= LETTERS;
    if is_telling { text.len() >= form.len() && text.contains(form) } else { text == form }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_usual_mistakes_are_known() {
        let forms = forms("Café “1”");
        for (form, damage) in [
            ("CafÃ© â€œ1â€\u{9d}", Damage::Misread),
            ("Caf? ?1?", Damage::Replaced),
            ("Caf\u{fffd} \u{fffd}1\u{fffd}", Damage::Replaced),
            ("Caf?? ???1???", Damage::Replaced),
        ] {
            assert!(forms.contains(&(form.to_owned(), damage)), "{form}");
        }
        assert!(
            stands_in("Caf?", Damage::Replaced, "Logged Caf?.")
                && !stands_in("??", Damage::Replaced, "Really??")
        );
        assert!(stands_in("??", Damage::Replaced, "??"));
    }

    proptest! {
        #[test]
        fn no_form_is_the_text_itself(text in "\\PC{0,12}") {
            prop_assert!(forms(&text).iter().all(|(form, _)| *form != text));
            prop_assert!(!text.is_ascii() || forms(&text).is_empty());
            prop_assert!(forms(&text).iter().all(|(form, _)| may_be_damaged(form)));
        }
    }
}
