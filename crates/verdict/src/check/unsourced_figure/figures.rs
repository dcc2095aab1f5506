//! The numbers of a text, as its reader understands them.

/// Smaller whole numbers are counted on fingers.
const SMALLEST: f64 = 12.0;
/// Words before a number that is only about right.
const ABOUT: &[&str] = &[
    "about", "almost", "approximately", "around", "circa", "nearly", "over", "roughly", "some", "under", "~",
    "≈",
];

/// A number in a text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Figure {
    pub shown: String,
    /// What it may be: `1.234` is one number in English and another in German.
    pub readings: Vec<Reading>,
    /// Whether it is only about right.
    pub is_about: bool,
    /// The word or sign right behind it, in lower case.
    pub unit: String,
    /// The text around it.
    pub around: String,
}

/// One way to read a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reading {
    pub value: f64,
    /// What its last digit stands for.
    pub unit: f64,
}

/// The numbers of a text that say something: no small counts, no numbers of list items, no parts of names.
pub(super) fn figures(text: &str) -> Vec<Figure> {
    spans(text).into_iter().filter_map(|(start, end)| figure(text, start, end)).collect()
}

/// All numbers of a text, each in every reading.
pub(super) fn values(text: &str) -> impl Iterator<Item = f64> {
    let spans = spans(text);
    let of = move |(start, end): (usize, usize)| readings(&text[start..end], &text[end..]);
    spans.into_iter().flat_map(of).map(|reading| reading.value).collect::<Vec<_>>().into_iter()
}

/// Where numbers stand: digits, with points and commas between them.
fn spans(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let (mut spans, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len()
            && (bytes[at].is_ascii_digit()
                || (matches!(bytes[at], b'.' | b',') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)))
        {
            at += 1;
        }
        spans.push((start, at));
    }
    spans
}

fn figure(text: &str, start: usize, end: usize) -> Option<Figure> {
    const AROUND: usize = 30;
    let (before, after) = (&text[..start], &text[end..]);
    // A part of a name, a version, an ordinal, the number of a list item.
    let is_named = before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '#' | '/' | '-'))
        || ["st", "nd", "rd", "th"].iter().any(|ending| after.starts_with(ending))
        || after.starts_with(['_', '/', '-']) && after[1..].starts_with(char::is_alphanumeric);
    let begins_line = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    let is_item = begins_line && after.starts_with(['.', ')', ':']);
    let readings = readings(&text[start..end], after);
    let is_small = readings.iter().any(|reading| reading.value <= SMALLEST && reading.value.fract() == 0.0);
    if is_named || is_item || is_small {
        return None;
    }
    let word =
        before.trim_end_matches(['$', '€', '£', ' ']).rsplit(char::is_whitespace).next().unwrap_or_default();
    let is_about = ABOUT.contains(&word.to_lowercase().as_str()) || before.ends_with(['~', '≈']);
    let unit = after.trim_start_matches([' ', '\u{a0}', '-']);
    let unit: String = unit.chars().take_while(|c| c.is_alphabetic() || matches!(c, '°' | '%')).collect();
    let head: String = before.chars().rev().take(AROUND).collect::<Vec<_>>().into_iter().rev().collect();
    let tail: String = text[start..].chars().take(AROUND).collect();
    Some(Figure {
        shown: text[start..end].to_owned(),
        readings,
        is_about,
        unit: unit.to_lowercase(),
        around: head + &tail,
    })
}

/// Every way to read digits with points and commas, and a `k` or `million` behind them.
fn readings(digits: &str, after: &str) -> Vec<Reading> {
    let after = after.trim_start().to_lowercase();
    let scale = match () {
        () if after.starts_with("million") || after.starts_with("mio") => 1e6,
        () if after.starts_with("billion") => 1e9,
        () if after.starts_with('k') && !after[1..].starts_with(char::is_alphabetic) => 1e3,
        () if after.starts_with('m') && !after[1..].starts_with(char::is_alphanumeric) => 1e6,
        () => 1.0,
    };
    let mut readings = Vec::new();
    for decimal in ['.', ','] {
        let plain: String = digits.chars().filter(|c| c.is_ascii_digit() || *c == decimal).collect();
        let plain = plain.replace(decimal, ".");
        let decimals = plain.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let Ok(value) = plain.parse::<f64>() else { continue };
        let unit = 10f64.powi(-i32::try_from(decimals).unwrap_or(0));
        for scale in [1.0, scale] {
            let reading = Reading { value: value * scale, unit: unit * scale };
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_numbers_that_say_something() {
        let shown = |text: &str| figures(text).into_iter().map(|figure| figure.shown).collect::<Vec<_>>();
        assert_eq!(shown("It cost $1,234.56, about 20% more than in 2025."), ["1,234.56", "20", "2025"]);
        assert_eq!(shown("1. First\n13. Next\nthe 42nd of ABC-123, v17, 3 items"), [""; 0]);
        let of = |text: &str| figures(text).remove(0);
        assert!(of("about 5.2k").is_about && !of("just 5.2k").is_about);
        assert!(of("5.2k rows").readings.contains(&Reading { value: 5200.0, unit: 100.0 }));
        assert!(of("1.234,5 Euro").readings.iter().any(|reading| reading.value == 1234.5));
    }
}
