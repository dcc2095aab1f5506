//! Which values a schema takes: its types, and what it lists.

use std::collections::BTreeSet;

use serde_json::Value;

use super::view::View;
use super::{Comparison, Direction, called, shown};
use crate::diff::Weight;
use crate::schema::join;

impl<'a> Comparison<'_, 'a> {
    pub(super) fn types(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        let takes = |types: &Option<BTreeSet<&str>>, one: &str| {
            types
                .as_ref()
                .is_none_or(|types| types.contains(one) || (one == "integer" && types.contains("number")))
        };
        // A list of values that is new says more than the types of them.
        if old.types == new.types || (old.values.is_none() && new.values.is_some() && old.types.is_none()) {
            return;
        }
        let lost = match &old.types {
            Some(old) => old.iter().any(|one| !takes(&new.types, one)),
            None => old.values.is_none(),
        };
        let gained = match &new.types {
            Some(new) => new.iter().any(|one| !takes(&old.types, one)),
            None => old.types.is_some(),
        };
        let is_breaking = match self.direction {
            Direction::Input => lost,
            Direction::Output => gained,
        };
        let what = format!("{} was {}, and is {} now", called(name), listed(&old.types), listed(&new.types));
        let weight = if is_breaking { Weight::Breaking } else { Weight::Safe };
        self.push(weight, "type", &join(pointer, "type"), what);
    }

    pub(super) fn values(&mut self, old: &View<'a>, new: &View<'a>, pointer: &str, name: &str) {
        let only_in = |one: &Option<Vec<&'a Value>>, other: &Option<Vec<&'a Value>>| {
            let missing = |value: &&&Value| other.as_ref().is_none_or(|values| !values.contains(*value));
            one.iter().flatten().filter(missing).map(|value| shown(value)).collect::<Vec<_>>()
        };
        let (gone, added) = (only_in(&old.values, &new.values), only_in(&new.values, &old.values));
        let at = join(pointer, "enum");
        let called = called(name);
        match (self.direction, &old.values, &new.values) {
            (_, None, None) => {}
            (Direction::Input, None, Some(_)) => {
                let any = old.types.as_ref().map_or("value".to_owned(), |_| listed(&old.types));
                let what = format!("{called} took any {any}, and takes only {} now", added.join(", "));
                self.push(Weight::Breaking, "values-closed", &at, what);
            }
            (Direction::Output, Some(_), None) => {
                self.push(
                    Weight::Risky,
                    "values-open",
                    &at,
                    format!("{called} was one of a list, and may be anything now"),
                );
            }
            (_, Some(_), None) => {
                self.push(Weight::Safe, "values-open", pointer, format!("{called} takes any value now"));
            }
            (_, _, Some(_)) => {
                if !gone.is_empty() && old.values.is_some() {
                    let weight =
                        if self.direction == Direction::Input { Weight::Breaking } else { Weight::Safe };
                    self.push(
                        weight,
                        "value-removed",
                        &at,
                        format!("{called} is no longer {}", gone.join(" or ")),
                    );
                }
                if !added.is_empty() && old.values.is_some() {
                    let weight =
                        if self.direction == Direction::Input { Weight::Safe } else { Weight::Risky };
                    self.push(
                        weight,
                        "value-added",
                        &at,
                        format!("{called} may also be {} now", added.join(" or ")),
                    );
                }
            }
        }
    }
}

fn listed(types: &Option<BTreeSet<&str>>) -> String {
    match types {
        Some(types) => types.iter().copied().collect::<Vec<_>>().join(" or "),
        None => "of any type".to_owned(),
    }
}
