//! Answers that state in words or numbers that a list is whole.

use serde_json::Value;

use crate::check::Reading;
use crate::check::pages::Page;
use crate::names::words;
use crate::payload::Payload;

/// Only so much of a text is read.
const LONGEST: usize = 64 << 10;
/// So few values are an answer about a number, and no list.
const FEW: usize = 5;
const DEPTH: usize = 6;
/// Words for all that there is.
const IN_ALL: &[&str] = &["altogether", "overall", "total"];
/// Words in the names of numbers of things.
const COUNTS: &[&str] = &["cnt", "count", "matched", "matches", "n", "num", "number", "rows", "total"];

/// The number of items of which a text says that they are here and that they are all: "56 results, 56 total".
pub(super) fn stated(payload: &Payload) -> Option<u64> {
    let blocks = payload.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
    let texts = (0..blocks).filter_map(|index| payload.at(&format!("/content/{index}/text"))?.as_str());
    texts.filter(|text| text.len() <= LONGEST).find_map(|text| text.lines().find_map(in_line))
}

fn in_line(line: &str) -> Option<u64> {
    const LONGEST_LINE: usize = 160;
    if line.len() > LONGEST_LINE {
        return None;
    }
    let lower = line.to_lowercase();
    let says_all = lower.split(|c: char| !c.is_alphanumeric()).any(|word| IN_ALL.contains(&word));
    let numbers = lower.split(|c: char| !c.is_ascii_digit() && c != ',').filter_map(|digits| {
        let digits = digits.trim_matches(',').replace(',', "");
        digits.parse::<u64>().ok()
    });
    let numbers: Vec<u64> = numbers.collect();
    match numbers[..] {
        [here, all] if says_all && here == all => Some(all),
        _ => None,
    }
}

/// Whether another answer of the session is little more than this number, under the name of one or alone.
pub(super) fn is_counted_elsewhere(reading: &Reading<'_>, page: &Page<'_>, items: usize) -> bool {
    let others = reading.exchanges.iter().filter(|one| one.call.index != page.call.index);
    others.filter_map(|one| one.success()).any(|(payload, _)| counts(payload, items))
}

fn counts(payload: &Payload, items: usize) -> bool {
    let part = ["/structuredContent", "/content/0/text"].into_iter().find_map(|part| payload.at(part));
    let mut found = Vec::new();
    part.into_iter().for_each(|part| scalars("", part, DEPTH, &mut found));
    let is_it = |value: &Value| match value {
        Value::Number(number) => number.as_u64() == Some(items as u64),
        Value::String(text) => text.trim().parse() == Ok(items),
        _ => false,
    };
    let is_count = |name: &str| words(name).iter().any(|word| COUNTS.contains(&word.as_str()));
    let is_alone = found.len() == 1;
    found.len() <= FEW && found.iter().any(|(name, value)| is_it(value) && (is_alone || is_count(name)))
}

fn scalars<'v>(name: &'v str, value: &'v Value, depth: usize, found: &mut Vec<(&'v str, &'v Value)>) {
    match value {
        _ if found.len() > FEW => {}
        Value::Array(items) if depth > 0 => {
            items.iter().for_each(|item| scalars(name, item, depth - 1, found))
        }
        Value::Object(members) if depth > 0 => {
            members.iter().for_each(|(name, member)| scalars(name, member, depth - 1, found));
        }
        scalar => found.push((name, scalar)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_is_whole_where_its_total_is_its_count() {
        for line in ["56 results, 56 total", "Found 1,056 rows (total: 1,056)"] {
            assert!(in_line(line).is_some(), "{line}");
        }
        for line in ["56 results, 57 total", "56 total", "56 results, page 56", "56 of 56 in 56 ms, total"] {
            assert_eq!(in_line(line), None, "{line}");
        }
    }

    #[test]
    fn a_number_alone_or_by_its_name_counts() {
        let counts = |text: &str| {
            let payload = Payload::of(&json!({"content": [{"type": "text", "text": text}]}));
            counts(&payload, 200)
        };
        assert!(counts("200") && counts(r#"[{"count(*)": 200}]"#) && counts(r#"{"total": 200, "ok": true}"#));
        assert!(!counts("201") && !counts(r#"{"status": 200, "ok": true}"#) && !counts("200 OK"));
    }
}
