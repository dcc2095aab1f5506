//! What a schema says of its values: in sentences, by a default, and as limits.

use serde_json::Value;

use super::{Comparison, Direction, View, called, shown};
use crate::diff::{Weight, change_of_sentence, reads_alike, sentence_changed};
use crate::schema::join;

/// Keywords that bound a value.
const LIMITS: &[&str] = &[
    "exclusiveMaximum", "exclusiveMinimum", "format", "maxItems", "maxLength", "maxProperties", "maximum",
    "minItems", "minLength", "minProperties", "minimum", "multipleOf", "pattern", "uniqueItems",
];

impl<'a> Comparison<'_, 'a> {
    pub(super) fn sentences(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        let [before, after] =
            [old, new].map(|view| view.schema.get("description").and_then(Value::as_str).unwrap_or_default());
        if !reads_alike(before, after) {
            let what = sentence_changed(&format!("the description of {}", called(name)), before, after);
            self.changes.push(change_of_sentence("description", join(pointer, "description"), what));
        }
        let [before, after] = [old, new].map(|view| view.schema.get("default"));
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

    pub(super) fn limits(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        for limit in LIMITS {
            let what = match (old.schema.get(*limit), new.schema.get(*limit)) {
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
