//! The list of two answers is whatever is longer in the second and otherwise alike.

use serde_json::{Map, Value};

use super::Payload;
use crate::schema::join;

/// How deep two answers are compared.
const DEPTH: usize = 8;
/// Arrays of equal length up to this are compared item by item: groups, each with a list of its own.
const GROUPS: usize = 16;
/// How many lines at either end of a text may be its frame rather than items.
const FRAME: usize = 3;

/// What is longer in the second of two answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Growth {
    /// Where the list is, within the result.
    pub pointer: String,
    pub shape: Shape,
    /// How many items the first answer holds.
    pub short: usize,
    /// How many the second holds.
    pub long: usize,
}

/// What kind of list it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Shape {
    /// An array; the content blocks are one too.
    Array,
    /// An object whose members are the items.
    Map,
    /// The lines of a text, of which so many at the start and at the end are no items.
    Lines { head: usize, tail: usize },
}

impl Shape {
    /// What one of the items is called in a sentence.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Array | Self::Map => "item",
            Self::Lines { .. } => "line",
        }
    }
}

impl Growth {
    /// How many items the first answer holds, as far as can be told: lines of its frame are none.
    pub fn items(&self) -> usize {
        match self.shape {
            Shape::Array | Shape::Map => self.short,
            Shape::Lines { head, tail } => self.short.saturating_sub(head + tail),
        }
    }
}

/// What is longer in the second answer, if anything is: structured content before text, lists before lines.
pub(crate) fn growth(short: &Payload, long: &Payload) -> Option<Growth> {
    let mut found = Vec::new();
    for part in ["/structuredContent", "/content"] {
        if let (Some(a), Some(b)) = (short.at(part), long.at(part)) {
            compare(a, b, part, 0, &mut found);
        }
    }
    let rank = |growth: &Growth| {
        let lines = matches!(growth.shape, Shape::Lines { .. });
        (lines, growth.pointer.starts_with("/content"), std::cmp::Reverse(growth.long - growth.short))
    };
    found.into_iter().min_by_key(rank)
}

fn compare(short: &Value, long: &Value, pointer: &str, depth: usize, found: &mut Vec<Growth>) {
    if depth > DEPTH {
        return;
    }
    let mut grown =
        |shape, short, long| found.push(Growth { pointer: pointer.to_owned(), shape, short, long });
    match (short, long) {
        (Value::Array(a), Value::Array(b)) if b.len() > a.len() => grown(Shape::Array, a.len(), b.len()),
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() && a.len() <= GROUPS => {
            for (index, (a, b)) in a.iter().zip(b).enumerate() {
                compare(a, b, &join(pointer, index), depth + 1, found);
            }
        }
        (Value::Object(a), Value::Object(b)) if is_longer_map(a, b) => grown(Shape::Map, a.len(), b.len()),
        (Value::Object(a), Value::Object(b)) => {
            for (key, a) in a {
                if let Some(b) = b.get(key) {
                    compare(a, b, &join(pointer, key), depth + 1, found);
                }
            }
        }
        (Value::String(a), Value::String(b)) => {
            if let Some((shape, a, b)) = longer_text(a, b) {
                grown(shape, a, b);
            }
        }
        _ => {}
    }
}

/// Whether the second object has all members of the first and more of the same kind.
fn is_longer_map(short: &Map<String, Value>, long: &Map<String, Value>) -> bool {
    long.len() > short.len()
        && !short.is_empty()
        && short.keys().all(|key| long.contains_key(key))
        && (long.values().all(Value::is_object) || long.values().all(Value::is_array))
}

/// Whether the second text holds the lines of the first and more, apart from a frame at either end.
fn longer_text(short: &str, long: &str) -> Option<(Shape, usize, usize)> {
    let lines = |text| str::lines(text).filter(|line| !line.trim().is_empty()).collect::<Vec<_>>();
    let (a, b) = (lines(short), lines(long));
    if b.len() <= a.len() || a.is_empty() {
        return None;
    }
    // A last line that both have is frame: the items end differently.
    let tail_of_both = a.iter().rev().zip(b.iter().rev()).take(FRAME).take_while(|(a, b)| a == b).count();
    for frame in 0..=2 * FRAME {
        for head in 0..=frame.min(FRAME) {
            let tail = (frame - head).max(tail_of_both);
            if tail > FRAME || head + tail >= a.len() {
                continue;
            }
            let items = &a[head..a.len() - tail];
            if b[head..].starts_with(items) {
                let head = head.max(header(items));
                return Some((Shape::Lines { head, tail }, a.len(), b.len()));
            }
        }
    }
    None
}

/// 1 where the first line is shaped unlike the second, as a header is; else 0.
fn header(lines: &[&str]) -> usize {
    let opening = |line: &str| {
        line.chars()
            .take_while(|c| !c.is_alphabetic())
            .map(|c| if c.is_numeric() { '0' } else { c })
            .collect::<String>()
    };
    match lines {
        [first, second, ..] if opening(first) != opening(second) => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn grown(short: Value, long: Value) -> Option<(String, usize, usize)> {
        let [short, long] = [short, long].map(|part| Payload::of(&json!({"structuredContent": part})));
        growth(&short, &long).map(|growth| (growth.pointer, growth.short, growth.long))
    }

    fn at(pointer: &str, short: usize, long: usize) -> Option<(String, usize, usize)> {
        Some((format!("/structuredContent{pointer}"), short, long))
    }

    #[test]
    fn arrays_maps_and_texts_grow_at_any_depth() {
        let deep =
            |rows: Value| json!({"data": {"repo": {"issues": {"edges": rows}}}, "tags": ["a", "b", "c"]});
        assert_eq!(grown(deep(json!([1])), deep(json!([1, 2]))), at("/data/repo/issues/edges", 1, 2));
        let by_id = |ids: &[&str]| json!({"users": ids.iter().map(|id| (*id, json!({}))).collect::<std::collections::BTreeMap<_, _>>()});
        assert_eq!(grown(by_id(&["a"]), by_id(&["a", "b"])), at("/users", 1, 2));
        let rows = |n: usize| json!({"result": (0..n).fold("id,name".to_owned(), |text, id| format!("{text}\n{id},x"))});
        assert_eq!(grown(rows(3), rows(4)), at("/result", 4, 5));
    }

    #[test]
    fn a_changed_header_and_a_constant_footer_are_frame() {
        let text = |n: usize| {
            let items: String = (0..n).map(|id| format!("- item {id}\n")).collect();
            json!(format!("Found {n} results:\n{items}That was it."))
        };
        let [short, long] = [text(3), text(4)].map(|text| Payload::of(&json!({"content": [{"text": text}]})));
        let growth = growth(&short, &long).unwrap();
        assert_eq!((growth.shape, growth.short, growth.long), (Shape::Lines { head: 1, tail: 1 }, 5, 6));
    }

    #[test]
    fn another_text_is_no_longer_form_of_this_one() {
        assert_eq!(grown(json!({"a": "one\ntwo"}), json!({"a": "three\nfour\nfive"})), None);
        assert_eq!(grown(json!({"a": [1, 2]}), json!({"a": [1]})), None);
        assert_eq!(grown(json!({"a": 1}), json!({"a": 1, "b": 2})), None);
    }
}
