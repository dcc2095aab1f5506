//! The default and the maximum that a description states.
//!
//! Only what is written as a value is read: a number, `true` or `false`, or a text in quotes. `defaults to the current
//! directory` states something too, and nothing that a schema could.

use serde_json::Value;

use super::super::super::prose::{has_any, readable};
use crate::names;

/// What a description states, as far as it is one thing.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Stated<'a> {
    pub default: Option<Value>,
    /// A word without quotes, which may be a value and may be prose: `(default: open)`.
    pub bare_default: Option<&'a str>,
    pub maximum: Option<f64>,
}

/// Reads the description of a parameter; what is stated twice, and differently, is stated under conditions and not read.
pub(super) fn stated<'a>(name: &str, description: &'a str) -> Stated<'a> {
    let text = readable(description);
    if !has_any(text, &["at most", "default*", "max*", "up to"])
        && !text.bytes().any(|byte| byte.is_ascii_digit())
    {
        return Stated::default();
    }
    let lower = text.to_ascii_lowercase();
    let mut defaults: Vec<Value> = Vec::new();
    let mut bare_default = None;
    let mut is_conditional = false;
    for rest in after_word(text, &lower, "default") {
        match after_default(rest) {
            Some((value, after)) => {
                is_conditional |= !is_all(after, name);
                defaults.push(value);
            }
            None => {
                bare_default = bare(rest);
                is_conditional |= rest.starts_with("s to") || rest.starts_with(": ");
            }
        }
    }
    defaults.dedup();
    let default = (defaults.len() == 1 && !is_conditional).then(|| defaults.remove(0));
    let bare_default = bare_default.filter(|_| defaults.is_empty() && default.is_none());
    Stated { default, bare_default, maximum: maximum(name, text, &lower) }
}

/// What follows each place where a text has this word or phrase.
fn after_word<'a>(text: &'a str, lower: &str, phrase: &str) -> Vec<&'a str> {
    let is_word =
        |at: usize| lower[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let places = lower.match_indices(phrase).filter(|(at, _)| is_word(*at));
    places.map(|(at, phrase)| &text[at + phrase.len()..]).collect()
}

/// One word after a colon or `=`, with nothing more in its clause.
fn bare(rest: &str) -> Option<&str> {
    let text = rest.strip_prefix([':', '='])?.trim_start();
    let end =
        text.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_')).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    (!word.is_empty() && is_end(after)).then_some(word)
}

/// The value after `default`: `s to 50`, `: "x"`, ` is true`, ` 5`, ` value: 5`.
fn after_default(rest: &str) -> Option<(Value, &str)> {
    let mut rest = rest;
    for glue in ["s", " value", " is", " to", " of"] {
        rest = rest.strip_prefix(glue).unwrap_or(rest);
    }
    let trimmed = rest.trim_start_matches([' ', ':', '=', '*']);
    // `by default 5`, `default value`: something has to part the word from the value.
    (trimmed.len() < rest.len() || rest.starts_with(['"', '\'', '`'])).then(|| value(trimmed))?
}

/// A value at the beginning of a text, and what follows it.
fn value(text: &str) -> Option<(Value, &str)> {
    if let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'' | '`')) {
        let inner = &text[1..];
        let end = inner.find(quote)?;
        let (inner, after) = (&inner[..end], &inner[end + 1..]);
        let unquoted = (quote == '`').then(|| scalar(inner)).flatten();
        return (!inner.is_empty()).then(|| (unquoted.unwrap_or_else(|| Value::from(inner)), after));
    }
    let end = text
        .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '-' | '_'))
        .unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    Some((scalar(word.trim_end_matches('.'))?, after))
}

fn scalar(word: &str) -> Option<Value> {
    match word.to_ascii_lowercase().as_str() {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        // A thousand, as half the world writes it.
        word if word.split_once('.').is_some_and(|(_, rest)| rest == "000") => None,
        word if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            serde_json::from_str(word).ok().filter(Value::is_number)
        }
        _ => None,
    }
}

/// Whether a value is all there is to say: its clause ends, or the argument is left out. What else follows makes it the number
/// of something else, one of several, or of another unit: `5 if …`, `2 decimal places`, `30 seconds`, `1,000`.
fn is_all(after: &str, name: &str) -> bool {
    const LEFT_OUT: &[&str] =
        &["if not", "if omitted", "if unset", "if unspecified", "unless", "when not", "when omitted"];
    let after = after.trim_start_matches(['"', '\'', '`', '*']).trim_start_matches(')');
    if is_end(after) {
        return true;
    }
    let rest = after.trim_start();
    let (word, beyond) = rest.split_at(rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()));
    LEFT_OUT.iter().any(|phrase| rest.starts_with(phrase)) || (is_counted(word, name) && is_end(beyond))
}

/// Whether a clause ends here.
fn is_end(after: &str) -> bool {
    let is_grouped = after.starts_with(',') && after[1..].starts_with(|c: char| c.is_ascii_digit());
    let rest = after.trim_start();
    // `7.4 (timeline: 3.8)`: another value in brackets.
    let is_other = rest.strip_prefix('(').is_some_and(|inner| {
        let inner = inner.split(')').next().unwrap_or_default();
        inner.contains(|c: char| c.is_ascii_digit()) && !has_any(inner, &["max*", "default*"])
    });
    !is_grouped
        && !is_other
        && (rest.is_empty()
            || rest.starts_with(['.', ',', ';', ')', ']', '(', '|'])
            || after.starts_with('\n'))
}

/// The end of each range with nothing after it: `1-32`, `1–32`, `1 to 32`, `between 1 and 32`.
fn ends_of_ranges(name: &str, text: &str) -> Vec<f64> {
    const DASHES: &[&str] = &["-", "–", "—", " - ", " – ", " to ", ".."];
    let is_digit = |c: char| c.is_ascii_digit();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | ',' | '-' | ':' | '/' | '$');
    let mut ends = Vec::new();
    for (at, _) in text.char_indices().filter(|(at, c)| is_digit(*c) && !text[..*at].ends_with(is_part)) {
        let rest = text[at..].trim_start_matches(is_digit);
        let first = &text[at..text.len() - rest.len()];
        // `items, or percent (1-100)`: of something else.
        if has_any(&text[..at], &["or"]) {
            continue;
        }
        let is_between = text[..at].trim_end().to_ascii_lowercase().ends_with("between");
        let dash = DASHES.iter().find_map(|dash| rest.strip_prefix(dash));
        let Some(beyond) = dash.or(rest.strip_prefix(" and ").filter(|_| is_between)) else { continue };
        let (Ok(first), Some((last, after))) = (first.parse::<f64>(), value(beyond)) else { continue };
        if let Some(last) = last.as_f64().filter(|last| first < *last && is_all(after, name)) {
            ends.push(last);
        }
    }
    ends
}

/// Whether a noun is what a parameter of this name counts: `limit` counts results, and `page` does not.
fn is_counted(noun: &str, name: &str) -> bool {
    const COUNTED: &str = "entries items records results rows";
    const COUNTS: &str = "count first limit max maximum size take top";
    one_of!(&noun.to_lowercase(), COUNTED) && names::words(name).iter().any(|word| one_of!(word, COUNTS))
}

/// The one maximum: `max 200`, `maximum: 200`, `up to 200`, `at most 200`.
fn maximum(name: &str, text: &str, lower: &str) -> Option<f64> {
    let mut found: Vec<f64> = Vec::new();
    for phrase in ["max", "maximum", "at most", "maximum is", "max is", "maximum value", "up to"] {
        for rest in after_word(text, lower, phrase) {
            // `default max: 100` bounds what nobody gave.
            let before = text[..text.len() - rest.len() - phrase.len()].trim_end().to_ascii_lowercase();
            if ["default", "not", "soft", "recommended"].iter().any(|word| before.ends_with(word)) {
                return None;
            }
            let parted = rest.trim_start_matches([' ', ':', '=']);
            if parted.len() == rest.len() {
                continue;
            }
            let number = value(parted).and_then(|(value, after)| Some((value.as_f64()?, after)));
            let Some((number, after)) = number else { continue };
            if !is_all(after, name) {
                return None;
            }
            found.push(number);
        }
    }
    found.extend(ends_of_ranges(name, text));
    found.dedup();
    match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_and_conditions_are_not() {
        for (text, expected) in [
            ("How many (default 50).", Some(json!(50))),
            ("How many (default: 50, max: 200)", Some(json!(50))),
            ("Defaults to 'asc'.", Some(json!("asc"))),
            ("Default is true.", Some(json!(true))),
            ("Optional, default=0.5", Some(json!(0.5))),
            ("Default: `10`", Some(json!(10))),
            ("Defaults to the current directory.", None),
            ("Defaults to 10 for lists and 20 for searches.", None),
            ("Default 5, or by default: 7", None),
            ("default 30 seconds", None),
            ("Default: 1,000", None),
            ("By default 3 columns are shown.", None),
            ("Defaults to 10 if not given.", Some(json!(10))),
            ("Defaults to 20 results.", Some(json!(20))),
            ("Defaults to 20 columns.", None),
            ("The default_branch is main.", None),
            ("", None),
        ] {
            assert_eq!(stated("limit", text).default, expected, "{text}");
        }
    }

    #[test]
    fn a_word_without_quotes_is_told_from_prose() {
        let bare = |text| stated("state", text).bare_default;
        assert_eq!(bare("Which ones (default: open)"), Some("open"));
        assert_eq!(bare("Default: open."), Some("open"));
        assert_eq!(bare("Default: the open ones"), None);
        assert_eq!(bare("Defaults to today."), None);
    }

    #[test]
    fn what_is_counted_must_be_what_the_parameter_counts() {
        let most = |name, text| stated(name, text).maximum;
        assert_eq!(most("page", "Page number (max 100 items per page)."), None);
        assert_eq!(most("page", "Page number (max 100 items)."), None);
        assert_eq!(most("amount", "Amount in EUR, at most 2 decimal places."), None);
        assert_eq!(most("page_size", "At most 100 items."), Some(100.0));
    }

    #[test]
    fn a_maximum_is_a_number_on_its_own() {
        for (text, expected) in [
            ("How many (1-100, max 100)", Some(100.0)),
            ("Maximum: 25", Some(25.0)),
            ("at most 10", Some(10.0)),
            ("Up to 50 results.", Some(50.0)),
            ("How deep (1-32)", Some(32.0)),
            ("The server clamps to 1–32.", Some(32.0)),
            ("Between 1 and 32.", Some(32.0)),
            ("From 1 to 32, max 32", Some(32.0)),
            ("Takes 2-3 sentences", None),
            ("In 2024-05", None),
            ("A year, 1999-2001 for two", None),
            ("max 200 per page", None),
            ("max 200 characters", None),
            ("max 5 for guests, max 10 for others", None),
            ("max_results 5", None),
            ("climax 5", None),
        ] {
            assert_eq!(stated("limit", text).maximum, expected, "{text}");
        }
    }
}
