//! JSON of others within a budget: the longest list loses its end. What may not enter: a member that means
//! something else afterwards, and JSON that is cut in its middle.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::Budget;
use super::list::most;
use crate::clause::clause;
use crate::shown::named;
use crate::{Page, ToolError};

/// So far below the top a list is looked for.
const DEPTH: usize = 4;

/// Numbers beside a list that say how many items are in it, where they are that many.
const COUNTS: [&str; 7] =
    ["count", "length", "item_count", "itemCount", "num_items", "returned_count", "returnedCount"];

/// Stands before a hint that was true of the whole list.
const BEFORE: &str = "Before items were left out, it said: ";

/// Members that say whether this is all there is, as their letters alone: first those that say so with `true`, then
/// those that say so with `false`.
const SAY_ALL: [&str; 8] =
    ["complete", "iscomplete", "islast", "islastpage", "lastpage", "last", "exhausted", "isall"];
const SAY_MORE: [&str; 11] = [
    "hasmore", "hasnext", "hasnextpage", "more", "moreavailable", "truncated", "istruncated", "partial",
    "ispartial", "incomplete", "isincomplete",
];

impl Budget {
    /// JSON that others made, if it fits; else with fewer items in its longest list, which is the one whose JSON is
    /// longest among those at most four levels below the top, and with `returned`, `truncated: true` and `hint` beside
    /// that list. A list at the top becomes `items` of an object.
    ///
    /// `next` is what to do to see the rest, a clause. How many there are in all is not known here: a number beside the
    /// list may be a sum as well as a total, so only the hint tells how many items the list had. Members that are there
    /// already keep their meaning: a `truncated` is brought up to date, and so are `returned`, `count` and their like
    /// where they are the number of items; a `matched` that can be the total is kept, and a `hint` is kept after the
    /// new one, as what was said before. So is every object around it: where one says that this is all, such as with
    /// `has_more: false` or `complete: true`, it is corrected. What is written as a [`Page`] is shortened like one, its cursor included.
    ///
    /// # Errors
    ///
    /// `INVALID_ARGS` with the kind `over_budget` when there is no list, when not even one of its items fits, or
    /// when a member named `returned`, `matched`, `truncated` or `hint` means something else, so that nothing could say
    /// that items are missing.
    ///
    /// ```
    /// use frankly_contract::Budget;
    /// use serde_json::json;
    ///
    /// let rows: Vec<String> = (1..=50).map(|row| format!("row {row}")).collect();
    /// let short = Budget::bytes(255).json(json!({"rows": rows, "total": 275225}), "ask for fewer rows")?;
    /// assert_eq!(
    ///     short,
    ///     json!({
    ///         "rows": ["row 1", "row 2", "row 3"], "total": 275225, "returned": 3, "truncated": true,
    ///         "hint": "`rows` has its first 3 of 50 items (the others were left out to keep the answer short); \
    ///                  do not add up or count these as if they were all. Next: ask for fewer rows."
    ///     })
    /// );
    /// # Ok::<(), frankly_contract::ToolError>(())
    /// ```
    pub fn json(&self, value: Value, next: &str) -> Result<Value, ToolError> {
        if self.allows(&value.to_string()) {
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
        if short(1).is_none() {
            let what = "an answer whose own members leave no room to say that it was shortened does not fit";
            return Err(self.exceeded(what, next));
        }
        let fits = |kept| short(kept).is_some_and(|short| self.allows(&short.to_string()));
        let kept = Some(most(items, fits)).filter(|kept| *kept > 0);
        kept.and_then(short).ok_or_else(|| self.exceeded("not even one item fits", next))
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
    let all = beside.get(&name)?.as_array()?.len() as u64;
    if name == "items" && shorten_page(beside, kept, next) {
        correct(&mut value, parent, kept, all);
        return Some(value);
    }
    let items = beside.get_mut(&name)?.as_array_mut()?;
    items.truncate(kept);
    let said = hint(beside, &name, kept, all, next);
    set(beside, "returned", Value::from(kept), |old| old.as_u64() == Some(all))?;
    if let Some(matched) = beside.get("matched").filter(|matched| !matched.is_null()) {
        matched.as_u64().filter(|matched| *matched >= all)?;
    }
    set(beside, "truncated", Value::Bool(true), Value::is_boolean)?;
    let said = match beside.get("hint") {
        Some(Value::String(old)) if !clause(old).is_empty() => format!("{said} {BEFORE}{old}"),
        _ => said,
    };
    set(beside, "hint", Value::String(said), Value::is_string)?;
    correct(&mut value, parent, kept, all);
    Some(value)
}

/// Corrects what the object at this place, and each around it, says of a list that had `all` items.
fn correct(value: &mut Value, place: &str, kept: usize, all: u64) {
    let mut around = Some(place);
    while let Some(object) = around {
        let members = value.pointer_mut(object).and_then(Value::as_object_mut);
        for (name, member) in members.into_iter().flatten() {
            let letters: String =
                name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
            let is_count = COUNTS.contains(&name.as_str()) || name == "returned";
            match member {
                Value::Bool(said) if *said && SAY_ALL.contains(&letters.as_str()) => *said = false,
                Value::Bool(said) if !*said && SAY_MORE.contains(&letters.as_str()) => *said = true,
                Value::Number(count) if is_count && count.as_u64() == Some(all) => {
                    *member = Value::from(kept)
                }
                Value::String(hint) if name == "hint" && object != place && !clause(hint).is_empty() => {
                    hint.insert_str(0, BEFORE);
                }
                _ => {}
            }
        }
        around = object.rsplit_once('/').map(|(around, _)| around);
    }
}

/// Shortens what is written as a page, with whatever else stands in the object; whether it is.
fn shorten_page(beside: &mut Map<String, Value>, kept: usize, next: &str) -> bool {
    let Ok(page) = Page::<Value>::deserialize(&*beside) else { return false };
    let Ok(Value::Object(page)) = serde_json::to_value(page.with_next(next).keep_first(kept)) else {
        return false;
    };
    beside.remove("next_cursor");
    beside.extend(page);
    true
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
    let onward = beside.iter().find(|(name, value)| is_place(value) && leads_on(name));
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

/// Whether a value can say where to go on; a yes or no cannot.
fn is_place(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::String(text) => !text.is_empty(),
        _ => true,
    }
}

/// Whether a member of this name is the way to the next page, which skips what was left out of this one.
fn leads_on(name: &str) -> bool {
    let name = name.to_lowercase();
    ["cursor", "next", "page_token", "pagetoken"].iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cursor;
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
            assert_eq!((&beside["returned"], beside.get("matched")), (&json!(kept), None));
            assert!(beside["hint"].as_str().unwrap().contains(&format!("has its first {kept} of 90 items")));
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
        assert!(
            short["hint"]
                .as_str()
                .unwrap()
                .contains("narrow the dates. Before items were left out, it said: Amounts")
        );
        for (name, value, after) in [
            ("total", json!(275_225), json!(275_225)),
            ("total", json!(50), json!(50)),
            ("count", json!(262), json!(262)),
            ("count", json!("50"), json!("50")),
        ] {
            let short = shortened(json!({"rows": rows(50), name: value, "hint": null}));
            assert_eq!((&short[name], short.get("matched")), (&after, None), "{short}");
        }
        let both = shortened(json!({"rows": rows(50), "matched": 262, "total": 847, "count": 50}));
        assert_eq!((&both["matched"], &both["total"]), (&json!(262), &json!(847)));
        assert_eq!(both["count"], both["returned"]);
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
    fn nothing_on_the_way_to_the_list_still_says_that_it_is_whole() {
        let mut all = json!({"rows": rows(50)});
        for name in ["has_more", "hasMore", "hasNextPage", "complete", "is_last_page"] {
            all[name] = json!(name.starts_with(['c', 'i']));
        }
        let short = shortened(all);
        for name in ["has_more", "hasMore", "hasNextPage"] {
            assert_eq!(short[name], true, "{short}");
        }
        for name in ["complete", "is_last_page"] {
            assert_eq!(short[name], false, "{short}");
        }
        let data = json!({"rows": rows(50), "has_more": true, "complete": false, "complete_rows": true});
        let short = shortened(
            json!({"returned": 50, "matched": 50, "truncated": false, "hint": "All.", "data": data}),
        );
        let kept = short["data"]["rows"].as_array().unwrap().len();
        assert_eq!((&short["returned"], &short["matched"]), (&json!(kept), &json!(50)));
        assert_eq!((&short["truncated"], &short["hint"]), (&json!(true), &json!(format!("{BEFORE}All."))));
        let data = &short["data"];
        assert_eq!(
            (&data["has_more"], &data["complete"], &data["complete_rows"]),
            (&json!(true), &json!(false), &json!(true))
        );
        let mut page = json!(Page::all(rows(50)));
        page["has_more"] = json!(false);
        assert_eq!(shortened(page)["has_more"], true);
    }

    #[test]
    fn a_cursor_that_skips_what_was_left_out_is_named() {
        let hint = |value| shortened(value)["hint"].as_str().unwrap().to_owned();
        let said = hint(json!({"rows": rows(50), "nextPageToken": "x9"}));
        assert!(said.contains("short, and `nextPageToken` goes on after them);"), "{said}");
        for none in [json!({"nextPageToken": null}), json!({"next": ""}), json!({"has_next": true})] {
            let mut value = none;
            value["rows"] = json!(rows(50));
            assert!(!hint(value.clone()).contains("goes on"), "{value}");
        }
    }

    #[test]
    fn a_page_is_shortened_like_one() {
        let page = Page::new(rows(50), Cursor::at(50), 50, || 262, "sum with SQL");
        let mut value = json!(page);
        value["file"] = json!("a.csv");
        let short = shortened(value.clone());
        let kept = short["items"].as_array().unwrap().len();
        let next = Cursor::at(50 + kept as u64);
        assert_eq!((&short["next_cursor"], &short["file"]), (&json!(next), &json!("a.csv")));
        let hint = short["hint"].as_str().unwrap();
        assert!(hint.starts_with(&format!(
            "Rows 51 to {} of 262 ({} more were left out",
            50 + kept,
            50 - kept
        )));
        assert!(hint.ends_with("Next: narrow the dates, or follow next_cursor."), "{hint}");
        assert!(serde_json::from_value::<Page<String>>(short).is_ok());
        let whole = shortened(json!(Page::all(rows(50))));
        assert_eq!((&whole["matched"], whole.get("next_cursor")), (&json!(50), None));
        assert_eq!(whole["truncated"], true);
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

    /// The object whose list lost its end, and how long that list was: everything else is as it was.
    fn shorter<'a>(before: &Value, after: &'a Value) -> Option<(&'a Map<String, Value>, usize)> {
        const SAID: [&str; 4] = ["returned", "truncated", "hint", "next_cursor"];
        let (before, after) = (before.as_object()?, after.as_object()?);
        let said = |name: &str| {
            let ours = SAID.contains(&name) || COUNTS.contains(&name);
            ours && !after.get(name).is_some_and(Value::is_object)
        };
        let same = |name: &String| said(name) || before.get(name) == after.get(name);
        let names = before.keys().chain(after.keys());
        let changed: std::collections::BTreeSet<&String> = names.filter(|name| !same(name)).collect();
        let [name] = changed.into_iter().collect::<Vec<_>>()[..] else { panic!("{before:?} {after:?}") };
        match (before.get(name)?, after.get(name)?) {
            (Value::Array(all), Value::Array(kept)) => {
                assert!(all.starts_with(kept) && after["returned"] == kept.len(), "{after:?}");
                Some((after, all.len()))
            }
            (before, inner) => shorter(before, inner),
        }
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
                    let list = value.as_array().map_or(value.clone(), |items| json!({"items": items}));
                    let (beside, whole) = shorter(&list, &short).unwrap();
                    let kept = beside["returned"].as_u64().unwrap();
                    prop_assert!(kept > 0 && (kept as usize) < whole, "{}", short);
                    prop_assert_eq!(&beside["truncated"], true);
                    prop_assert!(beside["hint"].as_str().unwrap().contains("left out to keep"), "{}", text);
                }
                Err(error) => {
                    prop_assert!(!budget.allows(&value.to_string()));
                    prop_assert_eq!((error.kind(), error.next()), (Some("over_budget"), "narrow"));
                }
            }
        }
    }
}
