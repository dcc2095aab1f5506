//! A result as an agent reads it: JSON where it is JSON, prose where it is prose.

mod emptiness;
mod growth;
mod size;
mod statements;
mod sums;

pub(crate) use growth::{Growth, Shape, growth};
pub use size::estimated_tokens;
pub(crate) use size::{bytes_read, bytes_read_beside, written_bytes};
pub(crate) use statements::{Said, Statement};
pub(crate) use sums::adds_up_to;

use std::collections::BTreeSet;
use std::sync::OnceLock;

use frankly_contract::ToolResult;
use serde_json::{Map, Value};

use crate::report::{counted, shorten};
use crate::schema::join;

/// How many objects and texts deep a list is looked for in one payload by itself.
const DEPTH: usize = 6;

/// The result of a call, with every JSON document in a text read too.
#[derive(Debug)]
pub(crate) struct Payload {
    result: Value,
    /// Pointers, within `result`, of texts that were read as JSON.
    embedded: BTreeSet<String>,
    /// What many ask for, once somebody has.
    list: OnceLock<Option<List>>,
    pub(super) holds_nothing: OnceLock<bool>,
}

/// A list in a payload, found by its shape alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct List {
    /// Within the result.
    pub pointer: String,
    pub len: usize,
}

impl Payload {
    /// Reads a `tools/call` result.
    pub fn of(result: &Value) -> Self {
        let (mut result, mut embedded) = (result.clone(), BTreeSet::new());
        expand(&mut result, "", &mut embedded);
        Self { result, embedded, list: OnceLock::new(), holds_nothing: OnceLock::new() }
    }

    /// What stands at a pointer within the result.
    pub fn at(&self, pointer: &str) -> Option<&Value> {
        if pointer.contains('~') {
            return self.result.pointer(pointer);
        }
        // Most names have no sign in them that is written otherwise in a pointer.
        let mut value = &self.result;
        for token in pointer.split('/').skip(1) {
            value = match value {
                Value::Object(members) => members.get(token)?,
                Value::Array(items) => {
                    let is_index = token == "0" || !token.starts_with(['0', '+']);
                    items.get(token.parse::<usize>().ok().filter(|_| is_index)?)?
                }
                _ => return None,
            };
        }
        (pointer.is_empty() || pointer.starts_with('/')).then_some(value)
    }

    /// A pointer within the result as it is shown: rooted at the frame's `msg`, with `#` where it goes on inside
    /// a text.
    pub fn shown(&self, pointer: &str) -> String {
        let mut shown = "/result".to_owned();
        let mut so_far = String::new();
        for token in pointer.split('/').skip(1) {
            so_far = format!("{so_far}/{token}");
            shown = format!("{shown}/{token}{}", if self.embedded.contains(&so_far) { "#" } else { "" });
        }
        shown
    }

    /// Texts below a text that were read as JSON too.
    pub fn embedded_below(&self, outer: &str) -> impl Iterator<Item = &str> {
        let below = format!("{outer}/");
        self.embedded.iter().map(String::as_str).filter(move |at| at.starts_with(&below))
    }

    /// The list that the payload is about, if it is about one: structured content before text, rows before
    /// scalars, long before short.
    pub fn list(&self) -> Option<&List> {
        self.list.get_or_init(|| self.find_list()).as_ref()
    }

    fn find_list(&self) -> Option<List> {
        let mut parts = vec!["/structuredContent".to_owned()];
        let blocks = self.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
        parts.extend((0..blocks).map(|index| format!("/content/{index}/text")));
        parts.iter().find_map(|part| {
            let mut arrays = Vec::new();
            collect_arrays(self.at(part)?, part, 0, &mut arrays);
            arrays
                .into_iter()
                .max_by_key(|(_, items, depth)| (is_rows(items), items.len(), DEPTH - depth))
                .map(|(pointer, items, _)| List { pointer, len: items.len() })
        })
    }

    /// The part of the payload around a pointer, with the items of every list left out, at most so long.
    pub fn outline(&self, pointer: &str, max_chars: usize) -> String {
        let part = pointer.match_indices('/').map(|(end, _)| &pointer[..end]).chain([pointer]);
        let part = part.skip(1).find(|part| *part == "/structuredContent" || part.ends_with("/text"));
        shorten(&outline(self.at(part.unwrap_or("")).unwrap_or(&self.result)), max_chars)
    }
}

/// The most items, rows or lines in any list of a successful result; `None` where it has no list.
///
/// ```
/// use frankly_contract::ToolResult;
/// use frankly_verdict::payload::item_count;
///
/// assert_eq!(item_count(&ToolResult::text(r#"{"rows": [1, 2, 3]}"#)), Some(3));
/// assert_eq!(item_count(&ToolResult::text("one\ntwo")), Some(2));
/// assert_eq!(item_count(&ToolResult::text("done")), None);
/// ```
#[must_use]
pub fn item_count(result: &ToolResult) -> Option<usize> {
    let payload = Payload::of(&Value::Object(result.raw().clone()));
    if let Some(list) = payload.list() {
        return Some(list.len);
    }
    let blocks = payload.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
    let text = payload.at("/content/0/text");
    let lines = text.and_then(Value::as_str).map_or(0, |text| text.lines().count());
    let members = text.and_then(Value::as_object).map_or(0, Map::len);
    Some(blocks.max(lines).max(members)).filter(|count| *count > 1)
}

/// Whether a successful result holds nothing: no item, and nothing but what is said about the answer itself.
///
/// ```
/// use frankly_contract::ToolResult;
/// use frankly_verdict::payload::holds_nothing;
///
/// assert!(holds_nothing(&ToolResult::text(r#"{"rows": [], "matched": 0}"#)));
/// assert!(holds_nothing(&ToolResult::text("No pages found.")));
/// assert!(!holds_nothing(&ToolResult::text(r#"{"city": "Bergen", "temp": 19, "alerts": []}"#)));
/// ```
#[must_use]
pub fn holds_nothing(result: &ToolResult) -> bool {
    Payload::of(&Value::Object(result.raw().clone())).holds_nothing()
}

/// Whether a result is a longer form of another.
///
/// Whatever has more items and is otherwise alike counts as the list: an array, a map, the content blocks, the lines
/// of a text.
#[must_use]
pub fn is_longer(result: &ToolResult, than: &ToolResult) -> bool {
    let [long, short] = [result, than].map(|result| Payload::of(&Value::Object(result.raw().clone())));
    growth(&short, &long).is_some()
}

/// Puts what texts of JSON hold in their place.
fn expand(value: &mut Value, pointer: &str, embedded: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members.iter_mut().filter(|(_, member)| may_hold_more(member)) {
                expand(member, &join(pointer, key), embedded);
            }
        }
        // Only content blocks and wrappers are looked into: a text among many rows is data.
        Value::Array(items) if pointer == "/content" || items.len() == 1 => {
            let items = items.iter_mut().enumerate().filter(|(_, item)| may_hold_more(item));
            items.for_each(|(index, item)| expand(item, &join(pointer, index), embedded));
        }
        Value::String(text) if begins_like_json(text) => {
            if let Ok(document) = serde_json::from_str(text) {
                embedded.insert(pointer.to_owned());
                *value = document;
                expand(value, pointer, embedded);
            }
        }
        _ => {}
    }
}

/// Whether a value may be or hold a text of JSON: what does not needs no place.
fn may_hold_more(value: &Value) -> bool {
    match value {
        Value::Object(_) | Value::Array(_) => true,
        Value::String(text) => begins_like_json(text),
        _ => false,
    }
}

fn begins_like_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

fn is_rows(items: &[Value]) -> bool {
    items.first().is_some_and(|item| item.is_object() || item.is_array())
}

fn collect_arrays<'p>(
    value: &'p Value,
    pointer: &str,
    depth: usize,
    found: &mut Vec<(String, &'p [Value], usize)>,
) {
    match value {
        Value::Array(items) => found.push((pointer.to_owned(), items, depth)),
        Value::Object(members) if depth < DEPTH => {
            let hold_more = |member: &Value| member.is_array() || member.is_object();
            for (key, member) in members.iter().filter(|(_, member)| hold_more(member)) {
                collect_arrays(member, &join(pointer, key), depth + 1, found);
            }
        }
        _ => {}
    }
}

fn outline(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[… {}]", counted(items.len(), "item")),
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .map(|(key, member)| format!("{}:{}", Value::from(key.as_str()), outline(member)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn text(text: &str) -> Payload {
        Payload::of(&json!({"content": [{"type": "text", "text": text}]}))
    }

    #[test]
    fn the_list_is_the_rows_not_the_columns() {
        let payload = text(r#"{"data":{"cols":["a","b","c"],"rows":[[1],[2]]}}"#);
        let list = payload.list().unwrap();
        assert_eq!((list.pointer.as_str(), list.len), ("/content/0/text/data/rows", 2));
        assert_eq!(payload.shown(&list.pointer), "/result/content/0/text#/data/rows");
        assert_eq!(
            payload.outline(&list.pointer, 100),
            r#"{"data":{"cols":[… 3 items],"rows":[… 2 items]}}"#
        );
    }

    #[test]
    fn a_text_that_only_begins_like_json_is_prose() {
        let log = text("[2026-01-01] started\n[2026-01-02] stopped");
        assert_eq!(log.list(), None);
        assert!(log.at("/content/0/text").unwrap().is_string());
    }

    #[test]
    fn json_in_a_text_in_json_is_read_too() {
        let payload = Payload::of(&json!({"structuredContent": {"result": "{\"rows\": [1, 2]}"}}));
        let list = payload.list().unwrap();
        assert_eq!(payload.shown(&list.pointer), "/result/structuredContent/result#/rows");
    }
}
