//! What a schema says of its values: in sentences, by a default, and as limits.

use std::collections::BTreeSet;

use serde_json::Value;

use super::view::View;
use super::{Comparison, Direction, called, shown};
use crate::diff::{Weight, change_of_sentence, reads_alike, sentence_changed};
use crate::schema::join;

/// Keywords that are compared elsewhere, or say nothing of the values.
const COMPARED: &[&str] = &[
    "$anchor", "$comment", "$defs", "$id", "$ref", "$schema", "anyOf", "const", "default", "definitions",
    "deprecated", "description", "enum", "examples", "nullable", "oneOf", "properties", "readOnly",
    "required", "title", "type",
];
/// Keywords that bound a value.
const LIMITS: &[&str] = &[
    "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength", "maxProperties", "maximum",
    "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern", "uniqueItems",
];

impl<'a> Comparison<'_, 'a> {
    pub(super) fn sentences(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        let [before, after] =
            [old, new].map(|view| view.says("description").and_then(Value::as_str).unwrap_or_default());
        if !reads_alike(before, after) {
            let what = sentence_changed(&format!("the description of {}", called(name)), before, after);
            self.changes.push(change_of_sentence("description", join(pointer, "description"), what));
        }
        let [before, after] = [old, new].map(|view| view.says("default"));
        if before != after {
            let what = match (before, after) {
                (Some(before), Some(after)) => {
                    format!("left out, {} was {}, and is {} now", called(name), shown(before), shown(after))
                }
                (Some(before), None) => {
                    format!("{} had the default {}, and states none now", called(name), shown(before))
                }
                (_, after) => {
                    format!("{} has the default {} now", called(name), after.map(shown).unwrap_or_default())
                }
            };
            self.push(Weight::Risky, "default", &join(pointer, "default"), what);
        }
    }

    /// What else a schema has to say, which is not compared part by part.
    pub(super) fn others(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        let keywords = |view: &View<'a>| {
            view.schema
                .as_object()
                .into_iter()
                .flat_map(|members| members.keys().cloned())
                .collect::<BTreeSet<_>>()
        };
        for keyword in
            keywords(old).union(&keywords(new)).filter(|keyword| !COMPARED.contains(&keyword.as_str()))
        {
            let [before, after] = [old, new].map(|view| view.schema.get(keyword.as_str()));
            // Whether undeclared members are taken at all is a limit.
            let is_flag = |value: Option<&Value>| value.is_none_or(Value::is_boolean);
            let is_limit = LIMITS.contains(&keyword.as_str())
                || (keyword == "additionalProperties" && is_flag(before) && is_flag(after));
            let is_one_schema = keyword == "items"
                && before.is_some_and(Value::is_object)
                && after.is_some_and(Value::is_object);
            if before != after && !is_limit && !is_one_schema {
                let what = format!(
                    "`{keyword}` of {} is another one, and what that refuses is not told here",
                    called(name)
                );
                self.push(Weight::Risky, "other", &join(pointer, keyword), what);
            }
        }
    }

    pub(super) fn limits(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        for limit in LIMITS {
            let what = match (old.says(limit), new.says(limit)) {
                (before, after) if before == after => continue,
                (Some(before), Some(after)) => format!(
                    "`{limit}` of {} was {}, and is {} now",
                    called(name),
                    shown(before),
                    shown(after)
                ),
                (Some(before), None) => {
                    format!("{} has no `{limit}` any more; it was {}", called(name), shown(before))
                }
                (_, after) => {
                    format!("{} has `{limit}` {} now", called(name), after.map(shown).unwrap_or_default())
                }
            };
            self.push(Weight::Risky, limit, &join(pointer, limit), what);
        }
        let closed = |view: &View<'_>| view.schema.get("additionalProperties") == Some(&Value::Bool(false));
        if self.direction == Direction::Input && closed(old) != closed(new) {
            let what = match closed(new) {
                true => format!("{} takes no undeclared members any more", called(name)),
                false => format!("{} takes undeclared members now", called(name)),
            };
            self.push(Weight::Risky, "additionalProperties", pointer, what);
        }
    }
}
