//! Answers that state in words or numbers that a list is whole.

use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::check::Reading;
use crate::check::pages::Page;
use crate::names::has_word;
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

/// The numbers that answers of a session are little more than, each under the name of one or alone. They are gathered once
/// somebody asks.
#[derive(Debug, Default)]
pub(super) struct Counted(OnceCell<HashMap<usize, Vec<usize>>>);

impl Counted {
    /// Whether an answer other than this page is little more than this number.
    pub fn has(&self, reading: &Reading<'_>, page: &Page<'_>, items: usize) -> bool {
        let counts = self.0.get_or_init(|| Self::gather(reading));
        counts.get(&items).is_some_and(|calls| calls.iter().any(|call| *call != page.call.index))
    }

    /// By the number, the first two calls that answered with it: one of them is another one than any given.
    fn gather(reading: &Reading<'_>) -> HashMap<usize, Vec<usize>> {
        let mut counts: HashMap<usize, Vec<usize>> = HashMap::new();
        for one in &reading.exchanges {
            for number in one.success().into_iter().flat_map(|(payload, _)| counts_in(payload)) {
                let calls = counts.entry(number).or_default();
                if calls.len() < 2 && !calls.contains(&one.call.index) {
                    calls.push(one.call.index);
                }
            }
        }
        counts
    }
}

/// The numbers of things that an answer is little more than.
fn counts_in(payload: &Payload) -> Vec<usize> {
    let part = ["/structuredContent", "/content/0/text"].into_iter().find_map(|part| payload.at(part));
    let mut found = Vec::new();
    part.into_iter().for_each(|part| scalars("", part, DEPTH, &mut found));
    if found.len() > FEW {
        return Vec::new();
    }
    let number = |value: &Value| match value {
        Value::Number(number) => number.as_u64().and_then(|number| usize::try_from(number).ok()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let is_count = |name: &str| has_word(name, COUNTS);
    let is_alone = found.len() == 1;
    let counts = found.into_iter().filter_map(|(name, value)| Some((name, number(value)?)));
    counts.filter(|(name, _)| is_alone || is_count(name)).map(|(_, number)| number).collect()
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
            counts_in(&payload).contains(&200)
        };
        assert!(counts("200") && counts(r#"[{"count(*)": 200}]"#) && counts(r#"{"total": 200, "ok": true}"#));
        assert!(!counts("201") && !counts(r#"{"status": 200, "ok": true}"#) && !counts("200 OK"));
    }
}
