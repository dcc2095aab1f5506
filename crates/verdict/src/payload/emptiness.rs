//! Whether an answer holds nothing.

use serde_json::Value;

use super::Payload;
use crate::names::has_word;
use crate::schema::join;

/// Only so much of a text is read: what is longer is not empty.
const LONGEST: usize = 200;
/// Only so long a report of a search is read for what it counts.
const LONGEST_REPORT: usize = 1000;
/// What such a report counts.
const COUNTED: &[&str] = &["files", "hits", "items", "matches", "records", "results", "rows"];
/// How programs write that there is no value.
const NO_VALUE: &[&str] = &["nil", "none", "null", "undefined"];
/// How a text says that there is nothing.
const NOTHING: &[&str] = &[
    "0 items", "0 matches", "0 results", "0 rows", "did not find any", "found nothing", "none found",
    "nothing found", "nothing matches", "returned no ",
];
/// Words in the names of numbers and texts that are about the answer, and no answer.
const ABOUT_THE_ANSWER: &[&str] = &[
    "count", "cursor", "elapsed", "etag", "from", "has", "hint", "href", "info", "kind", "limit", "matched",
    "message", "more", "ms", "next", "note", "notes", "number", "object", "offset", "page", "pages", "per",
    "query", "reason", "request", "returned", "size", "skip", "start", "status", "success", "summary",
    "time", "to", "took", "total", "truncated", "type", "uri", "url", "warning", "warnings",
];
/// Words in the names of objects and lists that are about the answer.
const ABOUT_OBJECTS: &[&str] = &[
    "arguments", "filter", "filters", "info", "links", "meta", "metadata", "page", "pagination", "params",
    "query", "request", "warnings",
];

impl Payload {
    /// Whether there is no item in the answer and nothing else that would be one: only what is said about the answer,
    /// or a text that says that there is nothing.
    pub fn holds_nothing(&self) -> bool {
        *self.holds_nothing.get_or_init(|| self.is_empty())
    }

    fn is_empty(&self) -> bool {
        if let Some(list) = self.list() {
            return list.len == 0 && !self.has_facts_beside(&list.pointer);
        }
        let blocks = self.at("/content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let structured = self.at("/structuredContent").filter(|value| !value.is_null());
        match (blocks, structured) {
            ([block], _) => block.get("text").is_some_and(says_nothing),
            ([], structured) => structured.is_none_or(says_nothing),
            _ => false,
        }
    }

    /// Whether the objects around an empty list have something to tell that is not about the list.
    fn has_facts_beside(&self, list: &str) -> bool {
        let ends = list.match_indices('/').map(|(end, _)| end).skip(1);
        ends.filter_map(|end| Some((&list[..end], self.at(&list[..end])?.as_object()?))).any(
            |(at, members)| {
                members.iter().any(|(name, value)| {
                    let here = join(at, name);
                    let on_the_way = list == here || list.starts_with(&format!("{here}/"));
                    !on_the_way
                        && is_fact(name, value)
                        && here != "/content"
                        && !here.starts_with("/content/0/type")
                })
            },
        )
    }
}

fn is_fact(name: &str, value: &Value) -> bool {
    let has = |known: &[&str]| has_word(name, known);
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Number(number) => number.as_f64() != Some(0.0) && !has(ABOUT_THE_ANSWER),
        Value::String(text) => !text.is_empty() && !has(ABOUT_THE_ANSWER),
        Value::Array(items) => !items.is_empty() && !has(ABOUT_OBJECTS),
        Value::Object(members) => !members.is_empty() && !has(ABOUT_OBJECTS),
    }
}

/// Whether a report of a search counts nothing, and the search is over.
fn counts_nothing(text: &str) -> bool {
    let counts = |line: &str| {
        let Some((head, rest)) = line.trim().split_once(':') else { return false };
        let head = head.trim_end_matches(" found");
        let number: String = rest.trim().chars().take_while(char::is_ascii_digit).collect();
        number == "0" && COUNTED.iter().any(|noun| head.ends_with(noun))
    };
    text.len() <= LONGEST_REPORT
        && text.lines().any(counts)
        && !["in progress", "pending", "running"].iter().any(|word| text.contains(word))
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => {
            let text = text.trim();
            if text.len() > LONGEST_REPORT {
                return false;
            }
            let text = text.to_lowercase();
            let starts = text.starts_with("no ") || NOTHING.iter().any(|words| text.contains(words));
            text.is_empty()
                || NO_VALUE.contains(&text.as_str())
                || (text.len() <= LONGEST && starts)
                || counts_nothing(&text)
        }
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.values().all(says_nothing),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_holds_nothing_is_empty() {
        for answer in [
            "",
            "[]",
            "null",
            "None",
            "{\"count\":0,\"rows\":[]}",
            "No results found.",
            "Found 0 results",
            "{}",
            "Search: x\nStatus: done\nTotal results found: 0 (0 matches)",
            "{\"matches\":{}}",
            "{\"page\":1,\"per_page\":50,\"results\":[],\"note\":\"none\"}",
            "{\"data\":{\"rows\":[]},\"took_ms\":3}",
            "{\"object\":\"list\",\"data\":[],\"has_more\":false,\"url\":\"/v1/customers\"}",
        ] {
            let payload = Payload::of(&json!({"content": [{"type": "text", "text": answer}]}));
            assert!(payload.holds_nothing(), "{answer}");
        }
        for answer in [
            "1",
            "[1]",
            "{\"total\":3}",
            "Deleted",
            "Status: running\nTotal results: 0",
            "Total results: 10",
            "# Notes\n\nno change",
            "{\"city\":\"Bergen\",\"temp\":19,\"alerts\":[]}",
            "{\"rows\":[],\"by_state\":{\"open\":3}}",
            "{\"rows\":[],\"error\":\"timed out\"}",
        ] {
            let payload = Payload::of(&json!({"content": [{"type": "text", "text": answer}]}));
            assert!(!payload.holds_nothing(), "{answer}");
        }
    }
}
