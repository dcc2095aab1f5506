//! What changed between two schemas: for arguments, what is refused now; for answers, what is no longer promised.

mod accepted;
mod stated;
#[cfg(test)]
mod tests;
mod view;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Change, Weight};
use crate::report::shorten;
use crate::schema::{Document, join};
use view::View;

/// Deeper than this nobody writes schemas; references may go in a circle.
const DEEPEST: usize = 16;
/// More changes of one tool are not told apart.
const MOST: usize = 200;
const SHOWN_CHARS: usize = 80;

/// Who writes what the schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// The caller: less may be accepted.
    Input,
    /// The tool: less may be promised.
    Output,
}

/// What changed from the first schema to the second, which stand at this pointer of their definitions.
pub(super) fn compare([old, new]: [&Value; 2], pointer: &str, direction: Direction) -> Vec<Change> {
    let documents = [Document::new(old), Document::new(new)];
    let mut comparison =
        Comparison { documents: &documents, direction, changes: Vec::new(), seen: BTreeSet::new() };
    comparison.schemas([old, new], pointer, "", 0);
    comparison.changes
}

struct Comparison<'d, 'a> {
    documents: &'d [Document<'a>; 2],
    direction: Direction,
    changes: Vec<Change>,
    /// The pairs of schemas that were compared, by where they are kept.
    seen: BTreeSet<[usize; 2]>,
}

impl<'a> Comparison<'_, 'a> {
    /// `name` is how a reader calls what the schemas describe: `filter.kind`; empty for the whole.
    fn schemas(&mut self, [old, new]: [&'a Value; 2], pointer: &str, name: &str, depth: usize) {
        if depth > DEEPEST || self.changes.len() > MOST || (old == new && depth > 0 && !refers(old)) {
            return;
        }
        let [old, new] = [View::of(&self.documents[0], old), View::of(&self.documents[1], new)];
        // References may go in a circle, and what they lead to is told once.
        if !self.seen.insert([old.schema, new.schema].map(|schema| std::ptr::from_ref(schema).addr())) {
            return;
        }
        if !name.is_empty() {
            self.types(&old, &new, pointer, name);
            self.values(&old, &new, pointer, name);
            self.sentences(&old, &new, pointer, name);
        }
        self.limits(&old, &new, pointer, name);
        if old.combined != new.combined {
            self.push(
                Weight::Risky,
                "choice",
                pointer,
                format!("{} is another choice of schemas", called(name)),
            );
        }
        self.others(&old, &new, pointer, name);
        self.members(old.schema, new.schema, pointer, name, depth);
        if let (Some(old), Some(new)) = (old.schema.get("items"), new.schema.get("items")) {
            self.schemas([old, new], &join(pointer, "items"), &format!("{name}[]"), depth + 1);
        }
    }

    fn members(&mut self, old: &'a Value, new: &'a Value, pointer: &str, name: &str, depth: usize) {
        let at = join(pointer, "properties");
        let members = |schema: &'a Value| {
            let members = schema.get("properties").and_then(Value::as_object);
            members.into_iter().flatten().collect::<BTreeMap<&String, &Value>>()
        };
        let (old_members, new_members) = (members(old), members(new));
        let inner =
            |member: &str| if name.is_empty() { member.to_owned() } else { format!("{name}.{member}") };
        let requires = |schema: &Value, member: &str| {
            let names = schema.get("required").and_then(Value::as_array);
            names.is_some_and(|names| names.iter().any(|name| name == member))
        };
        let undeclared = |schema: &'a Value, members: &BTreeMap<&String, &Value>| {
            let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
            let names =
                names.filter_map(Value::as_str).filter(|name| !members.keys().any(|known| known == name));
            names.map(str::to_owned).collect::<BTreeSet<String>>()
        };
        if self.direction == Direction::Input {
            let (before, after) = (undeclared(old, &old_members), undeclared(new, &new_members));
            for member in after.difference(&before).filter(|member| !old_members.contains_key(member)) {
                let what = format!("{} is required now, and not declared", called(&inner(member)));
                self.push(Weight::Breaking, "required", &join(pointer, "required"), what);
            }
        }
        for (member, schema) in &old_members {
            let (called, place) = (called(&inner(member)), join(&at, member));
            let is_there = |other: &&&Value| **other != &Value::Bool(false) || *schema == &Value::Bool(false);
            let Some(other) = new_members.get(member).filter(is_there) else {
                self.member_gone(&called, &place, new);
                continue;
            };
            match (self.direction, requires(old, member), requires(new, member)) {
                (Direction::Input, false, true) => {
                    self.push(Weight::Breaking, "required", &place, format!("{called} is required now"));
                }
                (Direction::Input, true, false) => {
                    self.push(Weight::Safe, "optional", &place, format!("{called} may be left out now"));
                }
                (Direction::Output, true, false) => {
                    self.push(
                        Weight::Risky,
                        "optional",
                        &place,
                        format!("{called} may be missing from the answer now"),
                    );
                }
                (Direction::Output, false, true) => {
                    self.push(
                        Weight::Safe,
                        "required",
                        &place,
                        format!("{called} is always in the answer now"),
                    );
                }
                _ => {}
            }
            self.schemas([schema, other], &place, &inner(member), depth + 1);
        }
        for member in new_members.keys().filter(|member| !old_members.contains_key(*member)) {
            let (called, place) = (called(&inner(member)), join(&at, member));
            match (self.direction, requires(new, member)) {
                (Direction::Input, true) => {
                    self.push(
                        Weight::Breaking,
                        "required-added",
                        &place,
                        format!("{called} is new and required"),
                    );
                }
                (Direction::Input, false) => {
                    self.push(
                        Weight::Safe,
                        "optional-added",
                        &place,
                        format!("{called} is new, and may be left out"),
                    );
                }
                (Direction::Output, _) => {
                    self.push(Weight::Safe, "field-added", &place, format!("{called} is new in the answer"));
                }
            }
        }
    }

    fn member_gone(&mut self, called: &str, place: &str, new: &Value) {
        let (kind, what) = match self.direction {
            Direction::Output => ("field-removed", format!("{called} is gone from the answer")),
            Direction::Input if new.get("additionalProperties") == Some(&Value::Bool(false)) => {
                ("argument-removed", format!("{called} is gone, and refused"))
            }
            Direction::Input => (
                "argument-removed",
                format!("{called} is gone, and nothing says that it is refused where it is still sent"),
            ),
        };
        self.push(Weight::Breaking, kind, place, what);
    }

    fn push(&mut self, weight: Weight, kind: &'static str, pointer: &str, what: String) {
        let (reads_as, next) = match (weight, self.direction) {
            (Weight::Breaking, Direction::Input) => (
                "calls that were right are refused, or mean something else",
                "accept the old form beside the new one, or release this as a breaking change",
            ),
            (Weight::Breaking, Direction::Output) => (
                "it is empty, or it is what it always was",
                "keep the old form beside the new one, or release this as a breaking change",
            ),
            (Weight::Risky, _) => (
                "the same as before",
                "see what the calls that are made today come to, and tell those who make them",
            ),
            (Weight::Safe, _) => ("more than before", "nothing has to be done"),
        };
        self.changes.push(Change { weight, kind, pointer: pointer.to_owned(), what, reads_as, next });
    }
}

fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(members) => members.contains_key("$ref") || members.values().any(refers),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

fn called(name: &str) -> String {
    if name.is_empty() { "the whole".to_owned() } else { format!("`{name}`") }
}

fn shown(value: &Value) -> String {
    shorten(&value.to_string(), SHOWN_CHARS)
}
