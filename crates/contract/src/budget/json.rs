//! JSON of others within a budget: the longest list loses its end. What may not enter: a member that means
//! something else afterwards, and JSON that is cut in its middle.

use serde_json::{Map, Value};

use super::Budget;
use super::list::{most, written};
use crate::ToolError;
use crate::clause::clause;
use crate::shown::named;

/// So far below the top a list is looked for.
const DEPTH: usize = 4;

/// Numbers beside a list that say how many there are in all.
const TOTALS: [&str; 7] =
    ["matched", "total", "count", "total_count", "totalCount", "total_results", "totalResults"];

impl Budget {
    /// JSON that others made, if it fits; else with fewer items in its longest list, which is the one whose JSON is
    /// longest among those at most four levels below the top, and with `returned`, `matched`, `truncated: true`
    /// and `hint` beside that list. A list at the top becomes `items` of an object.
    ///
    /// `next` is what to do to see the rest, a clause. Members that are there already keep their meaning: a
    /// `returned` that is the number of items and a `truncated` are brought up to date, a `matched` that can be the
    /// total is kept, and a `hint` is kept after the new one. `matched` is the greatest total that stands beside
    /// the list, if that is more than its items.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGS` with the kind `over_budget` when there is no list, when not even one of its items fits, or
    /// when a member of these names means something else, so that nothing could say that items are missing.
    ///
    /// ```
    /// use frankly_contract::Budget;
    /// use serde_json::json;
    ///
    /// let rows: Vec<String> = (1..=50).map(|row| format!("row {row}")).collect();
    /// let short = Budget::bytes(270).json(json!({"rows": rows, "total": 262}), "ask for fewer rows")?;
    /// assert_eq!(
    ///     short,
    ///     json!({
    ///         "rows": ["row 1", "row 2", "row 3"], "total": 262, "returned": 3, "matched": 262, "truncated": true,
    ///         "hint": "`rows` has its first 3 of 50 items (the others were left out to keep the answer short); \
    ///                  do not add up or count these as if they were all. Next: ask for fewer rows."
    ///     })
    /// );
    /// # Ok::<(), frankly_contract::ToolError>(())
    /// ```
    pub fn json(&self, value: Value, next: &str) -> Result<Value, ToolError> {
        if self.allows(&written(&value)?) {
            return Ok(value);
        }
        let value = match value {
            Value::Array(items) => Value::Object(Map::from_iter([("items".to_owned(), Value::Array(items))])),
            other => other,
        };
        let Some(list) = longest(&value, 0, String::new()).map(|(_, place)| place) else {
            return Err(self.exceeded("an answer without a list to shorten does not fit", next));
        };
        let items = value.pointer(&list).and_then(Value::as_array).map_or(0, Vec::len);
        let short = |kept| shortened(&value, &list, kept, next);
        let fits = |kept| short(kept).map_or(Ok(false), |short| Ok(self.allows(&written(&short)?)));
        if short(1).is_none() {
            let what = "an answer whose own members leave no room to say that it was shortened does not fit";
            return Err(self.exceeded(what, next));
        }
        match most(items, fits)? {
            0 => Err(self.exceeded("not even one item fits", next)),
            kept => short(kept).ok_or_else(|| self.exceeded("not even one item fits", next)),
        }
    }
}

/// How long the longest list is when written, and its place as a JSON pointer.
fn longest(value: &Value, depth: usize, place: String) -> Option<(usize, String)> {
    match value {
        Value::Array(items) if !items.is_empty() => Some((value.to_string().len(), place)),
        Value::Object(members) if depth < DEPTH => members
            .iter()
            .filter_map(|(name, member)| {
                let name = name.replace('~', "~0").replace('/', "~1");
                longest(member, depth + 1, format!("{place}/{name}"))
            })
            .reduce(|longest, other| if other.0 > longest.0 { other } else { longest }),
        _ => None,
    }
}

/// The value with only the first items of the list, and with what says so beside it; `None` when it cannot be
/// said.
fn shortened(value: &Value, list: &str, kept: usize, next: &str) -> Option<Value> {
    let mut value = value.clone();
    let (parent, name) = list.rsplit_once('/')?;
    let name = name.replace("~1", "/").replace("~0", "~");
    let beside = value.pointer_mut(parent)?.as_object_mut()?;
    let items = beside.get_mut(&name)?.as_array_mut()?;
    let all = items.len() as u64;
    items.truncate(kept);
    let said = hint(beside, &name, kept, all, next);
    let total = TOTALS.iter().filter_map(|total| beside.get(*total)?.as_u64()).fold(all, u64::max);
    set(beside, "returned", Value::from(kept), |old| old.as_u64() == Some(all))?;
    set(beside, "matched", Value::from(total), |old| old.as_u64().is_some_and(|old| old >= all))?;
    set(beside, "truncated", Value::Bool(true), Value::is_boolean)?;
    let said = match beside.get("hint") {
        Some(Value::String(old)) if !clause(old).is_empty() => format!("{said} {old}"),
        _ => said,
    };
    set(beside, "hint", Value::String(said), Value::is_string)?;
    Some(value)
}

/// Sets a member, unless there is one that means something else.
fn set(
    beside: &mut Map<String, Value>,
    name: &str,
    value: Value,
    same: impl Fn(&Value) -> bool,
) -> Option<()> {
    if beside.get(name).is_some_and(|old| !old.is_null() && !same(old)) {
        return None;
    }
    beside.insert(name.to_owned(), value);
    Some(())
}

fn hint(beside: &Map<String, Value>, name: &str, kept: usize, all: u64, next: &str) -> String {
    let onward = beside.iter().find(|(name, value)| !value.is_null() && leads_on(name));
    let gap =
        onward.map_or_else(String::new, |(name, _)| format!(", and {} goes on after them", named(name)));
    let next = match clause(next) {
        "" => "ask for fewer items",
        next => next,
    };
    format!(
        "{} has its first {kept} of {all} items (the others were left out to keep the answer short{gap}); do not \
         add up or count these as if they were all. Next: {next}.",
        named(name)
    )
}

/// Whether a member of this name is the way to the next page, which skips what was left out of this one.
fn leads_on(name: &str) -> bool {
    let name = name.to_lowercase();
    ["cursor", "next", "page_token", "pagetoken"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn rows(count: usize) -> Vec<String> {
        (0..count).map(|row| format!("row number {row}")).collect()
    }

    fn shortened(value: Value) -> Value {
        Budget::bytes(400).json(value, "narrow the dates.").unwrap()
    }

    fn error(value: Value) -> String {
        Budget::bytes(400).json(value, "narrow the dates").unwrap_err().to_string()
    }

    #[test]
    fn what_fits_is_unchanged() {
        for value in [json!({"rows": rows(3), "truncated": "no"}), json!(rows(3)), json!("x"), json!(null)] {
            assert_eq!(shortened(value.clone()), value);
        }
    }

    #[test]
    fn the_longest_list_loses_its_end_wherever_it_is() {
        for (place, value) in [
            ("/items", json!(rows(90))),
            ("/rows", json!({"rows": rows(90), "few": rows(2), "name": "x"})),
            ("/a/b/rows", json!({"a": {"b": {"rows": rows(90)}, "few": [1, 2, 3]}})),
            ("/a~1b", json!({"a/b": rows(90)})),
        ] {
            let short = shortened(value);
            let (parent, _) = place.rsplit_once('/').unwrap();
            let (list, beside) = (short.pointer(place).unwrap(), short.pointer(parent).unwrap());
            let kept = list.as_array().unwrap().len();
            assert!(kept > 5 && *list == json!(rows(kept)), "{short}");
            assert_eq!((&beside["returned"], &beside["matched"]), (&json!(kept), &json!(90)));
            assert_eq!(beside["truncated"], true);
            assert!(beside["hint"].as_str().unwrap().ends_with(" Next: narrow the dates."), "{short}");
        }
    }

    #[test]
    fn members_that_are_there_keep_their_meaning() {
        let short = shortened(json!({
            "rows": rows(50), "returned": 50, "matched": 262, "truncated": false, "hint": "Amounts are in dollars."
        }));
        assert_eq!((&short["matched"], &short["truncated"]), (&json!(262), &json!(true)));
        assert_eq!(short["returned"], json!(short["rows"].as_array().unwrap().len()));
        assert!(short["hint"].as_str().unwrap().ends_with("narrow the dates. Amounts are in dollars."));
        assert_eq!(shortened(json!({"rows": rows(50), "total": 847, "hint": null}))["matched"], 847);
        for (name, value) in [
            ("returned", json!("2025-01-01")),
            ("returned", json!(7)),
            ("matched", json!(3)),
            ("hint", json!({})),
        ] {
            let said = error(json!({"rows": rows(50), name: value}));
            assert!(said.contains("own members leave no room"), "{said}");
        }
    }

    #[test]
    fn a_cursor_that_skips_what_was_left_out_is_named() {
        let hint = |value| shortened(value)["hint"].as_str().unwrap().to_owned();
        let said = hint(json!({"rows": rows(50), "nextPageToken": "x9"}));
        assert!(said.contains("short, and `nextPageToken` goes on after them);"), "{said}");
        assert!(!hint(json!({"rows": rows(50), "nextPageToken": null})).contains("goes on"));
    }

    #[test]
    fn what_cannot_be_shortened_is_an_error_with_a_next_step() {
        for (value, said) in [
            (json!("x".repeat(500)), "an answer without a list to shorten"),
            (json!({"text": "x".repeat(500), "none": []}), "an answer without a list to shorten"),
            (json!(["x".repeat(500), "y"]), "not even one item fits"),
            (json!(["x".repeat(500)]), "not even one item fits"),
        ] {
            let error = error(value);
            assert!(error.contains(said) && error.ends_with("Next: narrow the dates."), "{error}");
        }
    }

    fn json_values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<i32>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 60, 12, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..12).prop_map(Value::from),
                prop::collection::btree_map(
                    "[a-z/~]{1,4}|hint|matched|returned|truncated|total",
                    inner,
                    0..6
                )
                .prop_map(|members| json!(members)),
            ]
        })
    }

    proptest! {
        #[test]
        fn json_never_exceeds_its_budget_and_says_when_it_is_cut(value in json_values(), limit in 0usize..400) {
            let budget = Budget::bytes(limit);
            match budget.json(value.clone(), "narrow") {
                Ok(short) if short == value => prop_assert!(budget.allows(&short.to_string())),
                Ok(short) => {
                    let text = short.to_string();
                    prop_assert!(budget.allows(&text) && !budget.allows(&value.to_string()), "{}", text);
                    prop_assert!(text.contains("\"truncated\":true") && text.contains("left out to keep"), "{}", text);
                }
                Err(error) => {
                    prop_assert!(!budget.allows(&value.to_string()));
                    prop_assert_eq!((error.kind(), error.next()), (Some("over_budget"), "narrow"));
                }
            }
        }
    }
}
