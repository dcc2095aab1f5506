//! A result as an agent reads it: JSON where it is JSON, prose where it is prose.

use std::borrow::Cow;

use frankly_contract::ToolResult;
use serde_json::Value;

use crate::names::normalise;
use crate::report::{counted, shorten};
use crate::schema::join;

/// How deep in objects a list, or a statement about one, is looked for.
const DEPTH: usize = 3;
/// How many lines at either end of prose are read as statements about it.
const EDGE_LINES: usize = 3;

/// How many items a successful result lists, if it lists any: rows of JSON, content blocks, or lines.
#[must_use]
pub fn item_count(result: &ToolResult) -> Option<usize> {
    let raw = Value::Object(result.raw().clone());
    let payload = Payload::of(&raw);
    payload.list_or_block().map(|list| list.len())
}

/// Whether two results list the same items in the same order, whatever else they say.
#[must_use]
pub fn same_items(a: &ToolResult, b: &ToolResult) -> bool {
    let (a, b) = (Value::Object(a.raw().clone()), Value::Object(b.raw().clone()));
    let (a, b) = (Payload::of(&a), Payload::of(&b));
    a.list_or_block() == b.list_or_block()
}

/// The parts of a result that carry information: structured content first, then the text blocks.
#[derive(Debug)]
pub(crate) struct Payload<'a> {
    parts: Vec<Part<'a>>,
}

#[derive(Debug)]
struct Part<'a> {
    /// Rooted at the frame's `msg`; ends in `#` where the JSON is in a text.
    pointer: String,
    body: Body<'a>,
}

#[derive(Debug)]
enum Body<'a> {
    /// An object or an array.
    Json(Cow<'a, Value>),
    Prose(&'a str),
}

/// Where the items of a payload are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ListKind {
    /// A JSON array at this pointer.
    Array(String),
    /// The content blocks, each of which is one JSON object.
    Blocks,
    /// The lines of the only text.
    Lines,
}

/// A list of items in a payload.
#[derive(Debug, PartialEq)]
pub(crate) struct List<'p> {
    pub kind: ListKind,
    pub items: Items<'p>,
}

/// The items of a list, comparable between payloads.
#[derive(Debug, PartialEq)]
pub(crate) enum Items<'p> {
    Values(Vec<&'p Value>),
    Lines(Vec<&'p str>),
}

/// Something a payload says beside its items: a member of an object, or a text.
#[derive(Debug)]
pub(crate) struct Statement<'p> {
    /// Where it stands.
    pub pointer: String,
    /// The normalised name; empty for a text.
    pub key: String,
    /// How many objects are around it in its part, itself not counted; 1 is the top level.
    pub depth: usize,
    pub said: Said<'p>,
}

/// What a [`Statement`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Said<'p> {
    Value(&'p Value),
    Text(&'p str),
}

impl List<'_> {
    pub fn len(&self) -> usize {
        match &self.items {
            Items::Values(values) => values.len(),
            Items::Lines(lines) => lines.len(),
        }
    }

    /// What one of the items is called in a sentence.
    pub fn noun(&self) -> &'static str {
        match self.kind {
            ListKind::Lines => "line",
            ListKind::Array(_) | ListKind::Blocks => "item",
        }
    }

    /// The pointer to the list.
    pub fn pointer(&self) -> &str {
        match &self.kind {
            ListKind::Array(pointer) => pointer,
            ListKind::Blocks => "/result/content",
            ListKind::Lines => "/result/content/0/text",
        }
    }
}

impl<'a> Payload<'a> {
    /// Reads a `tools/call` result.
    pub fn of(result: &'a Value) -> Self {
        let structured = result
            .get("structuredContent")
            .filter(|value| value.is_object() || value.is_array())
            .map(|value| Part {
                pointer: "/result/structuredContent".to_owned(),
                body: Body::Json(Cow::Borrowed(value)),
            });
        let blocks = result.get("content").and_then(Value::as_array).into_iter().flatten().enumerate();
        let texts = blocks.filter_map(|(index, block)| {
            let text = block.get("text").and_then(Value::as_str)?;
            let pointer = format!("/result/content/{index}/text");
            Some(match json_document(text) {
                Some(value) => Part { pointer: pointer + "#", body: Body::Json(Cow::Owned(value)) },
                None => Part { pointer, body: Body::Prose(text) },
            })
        });
        Self { parts: structured.into_iter().chain(texts).collect() }
    }

    /// The list that the payload is about, if it is about one.
    pub fn list(&self) -> Option<List<'_>> {
        let array = self.json_parts().find_map(|(pointer, value)| {
            let mut arrays = Vec::new();
            collect_arrays(value, pointer, 0, &mut arrays);
            arrays.into_iter().max_by_key(|(_, items, depth)| (is_rows(items), items.len(), DEPTH - depth))
        });
        if let Some((pointer, items, _)) = array {
            return Some(List {
                kind: ListKind::Array(pointer),
                items: Items::Values(items.iter().collect()),
            });
        }
        [ListKind::Blocks, ListKind::Lines]
            .iter()
            .filter_map(|kind| self.list_like(kind))
            .find(|list| list.len() > 1)
    }

    /// The list that the payload is about, or the single block that may be a list of one.
    pub fn list_or_block(&self) -> Option<List<'_>> {
        self.list().or_else(|| self.list_like(&ListKind::Blocks))
    }

    /// The list in the same place as one in another payload of the same tool, however short.
    pub fn list_like(&self, kind: &ListKind) -> Option<List<'_>> {
        let items = match kind {
            ListKind::Array(pointer) => {
                let (part, inner) =
                    self.json_parts().find_map(|(root, value)| Some((value, pointer.strip_prefix(root)?)))?;
                Items::Values(part.pointer(inner)?.as_array()?.iter().collect())
            }
            ListKind::Blocks => {
                let objects: Vec<_> =
                    self.json_parts().map(|(_, value)| value).filter(|value| value.is_object()).collect();
                (objects.len() == self.parts.len() && !objects.is_empty())
                    .then_some(Items::Values(objects))?
            }
            ListKind::Lines => match self.parts.as_slice() {
                [Part { body: Body::Prose(text), .. }] => {
                    Items::Lines(text.lines().filter(|line| !line.trim().is_empty()).collect())
                }
                _ => return None,
            },
        };
        Some(List { kind: kind.clone(), items })
    }

    /// What the payload says beside its items.
    pub fn statements(&self) -> Vec<Statement<'_>> {
        let mut found = Vec::new();
        for part in &self.parts {
            match &part.body {
                Body::Json(value) => collect_statements(value, &part.pointer, 1, &mut found),
                Body::Prose(text) => {
                    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
                    let tail = lines.len().saturating_sub(EDGE_LINES).max(EDGE_LINES.min(lines.len()));
                    found.extend(lines.iter().take(EDGE_LINES).chain(&lines[tail..]).map(|line| Statement {
                        pointer: part.pointer.clone(),
                        key: String::new(),
                        depth: 1,
                        said: Said::Text(line),
                    }));
                }
            }
        }
        found
    }

    /// The payload with the items of every list left out, at most `max_chars` characters of it.
    pub fn outline(&self, list: &List<'_>, max_chars: usize) -> String {
        let part = self.parts.iter().find(|part| list.pointer().starts_with(part.pointer.as_str()));
        let text = match part.map(|part| &part.body) {
            Some(Body::Json(value)) => outline(value),
            Some(Body::Prose(text)) => (*text).to_owned(),
            None => format!("[… {}]", counted(list.len(), list.noun())),
        };
        shorten(&text, max_chars)
    }

    fn json_parts(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.parts.iter().filter_map(|part| match &part.body {
            Body::Json(value) => Some((part.pointer.as_str(), value.as_ref())),
            Body::Prose(_) => None,
        })
    }
}

fn json_document(text: &str) -> Option<Value> {
    text.trim_start().starts_with(['{', '[']).then(|| serde_json::from_str(text).ok()).flatten()
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
            for (key, member) in members {
                collect_arrays(member, &join(pointer, key), depth + 1, found);
            }
        }
        _ => {}
    }
}

fn collect_statements<'p>(value: &'p Value, pointer: &str, depth: usize, found: &mut Vec<Statement<'p>>) {
    let Some(members) = value.as_object() else { return };
    for (key, member) in members {
        let at = join(pointer, key);
        match member {
            Value::Array(texts) if texts.len() <= EDGE_LINES => {
                found.extend(texts.iter().filter(|text| text.is_string()).map(|text| Statement {
                    pointer: at.clone(),
                    key: normalise(key),
                    depth,
                    said: Said::Value(text),
                }));
            }
            Value::Array(_) => {}
            Value::Object(_) if depth < DEPTH => collect_statements(member, &at, depth + 1, found),
            _ => {
                found.push(Statement { pointer: at, key: normalise(key), depth, said: Said::Value(member) });
            }
        }
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

    fn text(text: &str) -> Value {
        json!({"content": [{"type": "text", "text": text}]})
    }

    #[test]
    fn the_list_is_the_rows_not_the_columns() {
        let result = text(r#"{"data":{"cols":["a","b","c"],"rows":[[1],[2]]}}"#);
        let payload = Payload::of(&result);
        let list = payload.list().unwrap();
        assert_eq!((list.pointer(), list.len()), ("/result/content/0/text#/data/rows", 2));
        assert_eq!(payload.outline(&list, 100), r#"{"data":{"cols":[… 3 items],"rows":[… 2 items]}}"#);
    }

    #[test]
    fn blocks_and_lines_are_lists_too() {
        let block = |id: u8| json!({"type": "text", "text": format!("{{\"id\":{id}}}")});
        let (two, one) = (json!({"content": [block(1), block(2)]}), json!({"content": [block(1)]}));
        assert_eq!(Payload::of(&two).list().unwrap().len(), 2);
        assert!(Payload::of(&one).list().is_none(), "one object is not a list");
        assert_eq!(Payload::of(&one).list_like(&ListKind::Blocks).unwrap().len(), 1);
        let prose = text("first\n\nsecond\n");
        assert_eq!(Payload::of(&prose).list().unwrap().len(), 2);
    }

    #[test]
    fn statements_are_what_stands_beside_the_items() {
        let result = text(r#"{"total":7,"page":{"nextCursor":null},"items":[{"truncated":true}]}"#);
        let payload = Payload::of(&result);
        let said: Vec<_> = payload.statements().into_iter().map(|s| (s.key, s.depth)).collect();
        assert_eq!(said, [("nextcursor".to_owned(), 2), ("total".to_owned(), 1)]);
    }

    #[test]
    fn a_text_that_only_begins_like_json_is_prose() {
        let log = text("[2026-01-01] started\n[2026-01-02] stopped");
        assert_eq!(Payload::of(&log).list().unwrap().noun(), "line");
    }
}
