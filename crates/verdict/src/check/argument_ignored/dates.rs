//! Texts that cannot be dates, answered as if they were.

use serde_json::Value;

use super::{finding, shown};
use crate::Finding;
use crate::check::announced::Announcement;
use crate::check::reading::Exchange;
use crate::names::{has_word, words};
use crate::payload::Payload;

/// Words in the names of parameters that hold a point in time.
const TIMES: &[&str] = &[
    "after", "at", "before", "date", "datetime", "day", "deadline", "due", "end", "from", "since", "start",
    "time", "timestamp", "to", "until", "when",
];
/// How a description states that a date is written in digits.
const FORMATS: &[&str] = &["iso 8601", "iso-8601", "iso8601", "rfc 3339", "rfc3339", "yyyy"];
/// Words with which people name a time without digits, beside names of days and months.
const SPOKEN: &[&str] = &[
    "ago", "eve", "last", "midnight", "month", "morning", "next", "noon", "now", "this", "today", "tomorrow",
    "tonight", "week", "year", "yesterday",
];
const DAYS_AND_MONTHS: &[&str] = &[
    "apr", "aug", "dec", "feb", "fri", "jan", "jul", "jun", "mar", "may", "mon", "nov", "oct", "sat", "sep",
    "sun", "thu", "tue", "wed",
];
/// How an answer tells that it could not read a date.
const TELLING: &[&str] =
    &["cannot", "could not", "couldn't", "did you mean", "not a valid", "no such", "unknown", "unrecogni"];

/// Dates among the arguments of a call that are none.
pub(super) fn look_at(exchange: &Exchange<'_>, server: &str) -> Vec<Finding> {
    let (Some(tool), Some((payload, _))) = (exchange.tool, exchange.success()) else { return Vec::new() };
    let look = |name: &str, value: &Value| {
        let parameter = tool.parameters().find(|(known, _)| *known == name)?.1;
        let text = value.as_str().filter(|_| is_time(name, parameter))?;
        let why = if is_impossible(text) {
            "is in no calendar"
        } else if states_digits(parameter) && is_no_date(text) {
            "is no date as the schema describes it"
        } else {
            return None;
        };
        if is_told(payload) {
            return None;
        }
        let found = finding(exchange, payload, server, false).saying(
            format!("{} {why}, and the call succeeded without a word about it", shown(name, Some(value))),
            "this is true of the date that was asked for",
            format!("refuse what cannot be read as a date, and say how `{name}` is written"),
        );
        Some(Finding { mutation: name.to_owned(), ..found })
    };
    exchange.call.arguments.into_iter().flatten().filter_map(|(name, value)| look(name, value)).collect()
}

fn is_time(name: &str, parameter: &Value) -> bool {
    let format = parameter.get("format").and_then(Value::as_str);
    has_word(name, TIMES) || matches!(format, Some("date" | "date-time"))
}

/// Whether the schema says that the value is written in digits, by a format or an example.
fn states_digits(parameter: &Value) -> bool {
    let text = |key: &str| parameter.get(key).and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let description = text("description");
    // Where other words are welcome, that is said.
    let is_loose = ["relative", "natural language", "expression", "keyword", " or "]
        .iter()
        .any(|word| description.contains(word))
        && !description.contains("relative time from");
    let is_formatted = FORMATS.iter().any(|format| description.contains(format))
        || matches!(text("format").as_str(), "date" | "date-time")
        || description.split(|c: char| !c.is_ascii_digit() && c != '-').any(|part| day_in(part).is_some());
    is_formatted && !is_loose
}

/// Whether a text without a digit is no name for a time either.
fn is_no_date(text: &str) -> bool {
    let spoken = words(text);
    let is_spoken = |word: &String| {
        SPOKEN.contains(&word.as_str()) || DAYS_AND_MONTHS.iter().any(|name| word.starts_with(name))
    };
    !text.trim().is_empty() && !text.contains(char::is_numeric) && !spoken.iter().any(is_spoken)
}

/// Whether a text begins like a date, of a day that no year has.
fn is_impossible(text: &str) -> bool {
    let Some((year, month, day)) = day_in(text) else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return true,
    };
    day == 0 || day > last
}

/// The year, month and day that a text begins with: `2026-02-31`, and whatever follows.
fn day_in(text: &str) -> Option<(u32, u32, u32)> {
    let text = text.trim();
    let digits = |from: usize, to: usize| {
        let part = text.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok())?
    };
    let is_over = !text.get(10..)?.starts_with(|c: char| c.is_ascii_digit());
    let is_dashed = text.get(4..5) == Some("-") && text.get(7..8) == Some("-");
    (is_dashed && is_over).then_some(())?;
    Some((digits(0, 4)?, digits(5, 7)?, digits(8, 10)?))
}

/// Whether the answer says that the date could not be read. That it repeats it says nothing, nor does `Invalid Date` in
/// the place of a date.
fn is_told(payload: &Payload) -> bool {
    let blocks = payload.at("/content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
    let mut texts = texts.map(str::to_lowercase);
    texts.any(|text| TELLING.iter().any(|word| text.contains(word)))
        || payload.at("/structuredContent").is_some() && Announcement::of(payload).tells()
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn judged(tool: &ToolDef, name: &str, text: &str) -> bool {
        let parameter = tool.parameters().find(|(known, _)| *known == name).unwrap().1;
        is_time(name, parameter) && (is_impossible(text) || (states_digits(parameter) && is_no_date(text)))
    }

    #[test]
    fn what_no_calendar_has_is_told_from_what_people_say() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"properties": {
                "date": {"type": "string", "description": "Format: YYYY-MM-DD"},
                "since": {"type": "string", "description": "ISO 8601, or a relative time"},
                "note": {"type": "string"}
            }}),
        );
        for (name, text) in [
            ("date", "not a date"),
            ("date", "2026-02-30"),
            ("date", "2026-99-99"),
            ("date", "2025-02-29T10:00Z"),
            ("since", "2026-13-01 00:00"),
        ] {
            assert!(judged(&tool, name, text), "{name} {text}");
        }
        for (name, text) in [
            ("date", "2024-02-29"),
            ("date", "next monday"),
            ("date", "March"),
            ("date", ""),
            ("date", "2026-123"),
            ("since", "soon"),
            ("note", "2026-99-99"),
        ] {
            assert!(!judged(&tool, name, text), "{name} {text}");
        }
    }
}
