//! Which parameter of a tool bounds how many items come back.
//!
//! Shared by the probes, which vary it, and the checks, which compare what it did. A name only suggests that a
//! parameter is such a bound; what it does is seen in the answers.

use std::collections::HashSet;

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use crate::names::words;
use crate::schema::{self, Document, join};

/// How deep in the arguments a limit is looked for: alone, in `pagination`, in `options.pagination`.
const DEPTH: usize = 3;
/// Words for what is counted.
const THINGS: &[&str] = &[
    "count", "entries", "hits", "items", "keys", "matches", "objects", "records", "result", "results",
    "rows", "size",
];
/// Words that make a bound of a word for what is counted.
const BOUNDS: &[&str] = &["batch", "max", "maximum", "num", "number", "page", "per", "result"];
/// Names that are a bound in one tool and something else in another.
const AMBIGUOUS: &[&str] = &["count", "first", "k", "max", "n", "num", "rows", "size", "take", "top"];
/// Words that make a limit one of something else than items.
const OTHER_LIMITS: &[&str] =
    &["bytes", "characters", "chars", "depth", "price", "rate", "seconds", "time", "timeout", "tokens"];

/// What one answer may be a page of: `per_page` bounds it, `per_group` does not.
const ANSWERS: &[&str] = &["batch", "call", "fetch", "page", "query", "request", "response", "screen"];
/// Words in a description that make a limit one of something else than the items of an answer.
const OTHER_MEANINGS: &[&str] = &[
    "budget", "bytes", "characters", "dollars", "each", "euro", "kb", "kilobytes", "mb", "megabytes",
    "minutes", "percent", "pixels", "price", "seconds", "spending", "tokens",
];

/// A parameter that bounds the number of items, with what its schema states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Where the parameter is, as a JSON pointer into the arguments.
    pub pointer: String,
    /// The parameter's own name.
    pub name: String,
    /// Whether the name leaves no doubt; `count` and `size` are something else as often.
    pub certain: bool,
    /// The stated default.
    pub default: Option<u64>,
    /// The stated minimum.
    pub minimum: Option<u64>,
    /// The stated maximum.
    pub maximum: Option<u64>,
    /// Whether the parameter must be given.
    pub required: bool,
}

impl Limit {
    /// Sets the limit in some arguments, making the objects around it where they are missing.
    pub fn set(&self, arguments: &mut Map<String, Value>, limit: u64) {
        let mut tokens: Vec<&str> = self.pointer.split('/').skip(1).collect();
        let Some(last) = tokens.pop() else { return };
        let mut at = arguments;
        for token in tokens {
            let inner = at.entry(token.to_owned()).or_insert_with(|| Value::Object(Map::new()));
            if !inner.is_object() {
                *inner = Value::Object(Map::new());
            }
            match inner {
                Value::Object(members) => at = members,
                _ => return,
            }
        }
        at.insert(last.to_owned(), limit.into());
    }

    /// Takes the limit out of some arguments.
    pub fn unset(&self, arguments: &mut Map<String, Value>) {
        remove(arguments, &self.pointer);
    }
}

/// The parameter that bounds the number of items this tool returns, if it has one.
#[must_use]
pub fn limit_of(tool: &ToolDef) -> Option<Limit> {
    let root = tool.input_schema()?;
    let mut found = Vec::new();
    collect(&Document::new(root), root, "", true, DEPTH, &mut found);
    found.into_iter().min_by_key(|limit| {
        (!limit.certain, limit.pointer.matches('/').count(), words(&limit.name) != ["limit"])
    })
}

/// The limit that a caller stated: its pointer and its value. Where it is known which parameter of the tool is its limit,
/// that one counts.
pub(crate) fn stated_limit(limit: Option<&Limit>, arguments: &Map<String, Value>) -> Option<(String, u64)> {
    if let Some(limit) = limit {
        let (first, rest) = limit.pointer.get(1..)?.split_once('/').unwrap_or((limit.pointer.get(1..)?, ""));
        let value = arguments.get(first)?;
        let value = if rest.is_empty() { value } else { value.pointer(&format!("/{rest}"))? };
        return Some((limit.pointer.clone(), value.as_u64()?));
    }
    let mut found = Vec::new();
    stated("", arguments, DEPTH, &mut found);
    found.into_iter().min_by_key(|(certain, ..)| !certain).map(|(_, pointer, value)| (pointer, value))
}

/// Whether a parameter of this name bounds the number of items beyond doubt.
pub(crate) fn is_certain(name: &str) -> bool {
    likeness(name) == Some(true)
}

/// The arguments without what stands at a pointer.
pub(crate) fn without(arguments: &Map<String, Value>, pointer: &str) -> Map<String, Value> {
    let mut others = arguments.clone();
    remove(&mut others, pointer);
    others
}

fn remove(arguments: &mut Map<String, Value>, pointer: &str) {
    match pointer.get(1..).and_then(|path| path.split_once('/')) {
        Some((first, rest)) => {
            if let Some(Value::Object(members)) = arguments.get_mut(first) {
                remove(members, &format!("/{rest}"));
            }
        }
        None => {
            arguments.remove(pointer.trim_start_matches('/'));
        }
    }
}

fn stated(pointer: &str, arguments: &Map<String, Value>, depth: usize, found: &mut Vec<(bool, String, u64)>) {
    for (name, value) in arguments {
        match (value, likeness(name)) {
            (Value::Number(number), Some(certain)) => {
                found.extend(number.as_u64().map(|limit| (certain, join(pointer, name), limit)));
            }
            (Value::Object(members), _) if depth > 1 => {
                stated(&join(pointer, name), members, depth - 1, found)
            }
            _ => {}
        }
    }
}

fn collect<'a>(
    document: &Document<'a>,
    schema: &'a Value,
    pointer: &str,
    needed: bool,
    depth: usize,
    found: &mut Vec<Limit>,
) {
    let schema = document.dereference(schema);
    let required: HashSet<&str> = schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    for (name, parameter) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let at = join(pointer, name);
        let needed = needed && required.contains(name.as_str());
        if let (Some(certain), Some(number)) = (likeness(name), whole_number(document, parameter)) {
            let stated = |keyword: &str| number.get(keyword).and_then(Value::as_u64);
            found.push(Limit {
                pointer: at,
                name: name.clone(),
                certain: certain && !means_something_else(parameter),
                default: parameter.get("default").and_then(Value::as_u64),
                minimum: stated("minimum").or_else(|| stated("exclusiveMinimum")?.checked_add(1)),
                maximum: stated("maximum").or_else(|| stated("exclusiveMaximum")?.checked_sub(1)),
                required: needed,
            });
        } else if depth > 1 {
            collect(document, parameter, &at, needed, depth - 1, found);
        }
    }
}

/// Whether a parameter of this name may bound the number of items, and whether that is certain.
fn likeness(name: &str) -> Option<bool> {
    let words = words(name);
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let per = words.iter().position(|word| word == "per").and_then(|at| words.get(at + 1));
    if has(OTHER_LIMITS) || per.is_some_and(|what| !ANSWERS.contains(&what.as_str())) {
        return None;
    }
    let whole = words.concat();
    if AMBIGUOUS.contains(&whole.as_str()) {
        return Some(false);
    }
    let bound = words.iter().position(|word| BOUNDS.contains(&word.as_str()));
    let thing = words.iter().rposition(|word| THINGS.contains(&word.as_str()));
    let bounded = bound.zip(thing).is_some_and(|(bound, thing)| bound < thing);
    let run_together =
        BOUNDS.iter().any(|bound| whole.strip_prefix(bound).is_some_and(|rest| THINGS.contains(&rest)));
    let limit = words.iter().any(|word| word == "limit" || word.ends_with("limit"));
    let record_count = words.len() > 1
        && words.last().is_some_and(|word| word == "count")
        && has(&["record", "row", "item"]);
    let hits = words.len() > 1 && has(&["per"]) && has(&["page"]);
    let top = words.len() == 2 && words[0] == "top" && matches!(words[1].as_str(), "k" | "n");
    (bounded
        || run_together
        || limit
        || record_count
        || hits
        || top
        || matches!(whole.as_str(), "topk" | "topn"))
    .then_some(true)
}

/// Whether the description of a limit says that it bounds bytes, a price, or the items of each group.
fn means_something_else(parameter: &Value) -> bool {
    let text = parameter.get("description").and_then(Value::as_str).unwrap_or_default().to_lowercase();
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let per_other = words.windows(2).any(|pair| pair[0] == "per" && !ANSWERS.contains(&pair[1]));
    per_other || words.iter().any(|word| OTHER_MEANINGS.contains(word))
}

/// The schema that admits whole numbers: this one, or the branch of an optional. One that states only a number as
/// its default admits them too.
fn whole_number<'a>(document: &Document<'a>, schema: &'a Value) -> Option<&'a Value> {
    let admits =
        |schema: &&Value| schema::types(schema).iter().any(|name| matches!(*name, "integer" | "number"));
    let branches = document.branches(schema);
    let untyped = schema.get("type").is_none() && schema.get("default").is_some_and(Value::is_u64);
    branches.into_iter().find(admits).or(untyped.then_some(schema))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn limit(properties: Value) -> Option<Limit> {
        limit_of(&ToolDef::new(
            "t",
            "",
            json!({"type": "object", "properties": properties, "required": ["top", "page"]}),
        ))
    }

    #[test]
    fn the_most_telling_name_wins_and_its_bounds_are_read() {
        let found = limit(json!({
            "count": {"type": "integer"},
            "max-Results": {"anyOf": [{"type": "integer", "minimum": 1, "exclusiveMaximum": 201}, {"type": "null"}], "default": 50}
        }));
        assert_eq!(
            found,
            Some(Limit {
                pointer: "/max-Results".into(),
                name: "max-Results".into(),
                certain: true,
                default: Some(50),
                minimum: Some(1),
                maximum: Some(200),
                required: false
            })
        );
    }

    #[test]
    fn a_text_or_another_number_is_no_limit() {
        for name in [
            "year", "page", "timeLimit", "max_tokens", "limit_price", "page_number", "rate_limit",
            "maxDepth", "limit_per_group",
        ] {
            assert_eq!(limit(json!({ name: {"type": "integer"} })), None, "{name}");
        }
        assert_eq!(limit(json!({"limit": {"type": "string"}})), None);
    }

    #[test]
    fn many_names_are_limits_and_some_are_doubtful() {
        for name in [
            "limit", "srlimit", "page_limit", "maxResults", "MaxKeys", "per_page", "hitsPerPage", "pageSize",
            "batchSize", "resultRecordCount", "num_results", "max_matches", "topK", "resultsPerPage",
            "pagesize",
        ] {
            assert!(
                limit(json!({ name: {"type": "integer"} })).unwrap_or_else(|| panic!("{name}")).certain,
                "{name}"
            );
        }
        for name in ["count", "n", "first", "size", "top", "rows"] {
            assert!(
                !limit(json!({ name: {"type": "integer"} })).unwrap_or_else(|| panic!("{name}")).certain,
                "{name}"
            );
        }
        assert!(limit(json!({"top": {"type": "integer"}})).unwrap().required);
    }

    #[test]
    fn a_description_may_make_a_limit_one_of_something_else() {
        for (description, certain) in [
            ("How many rows per page.", true),
            ("At most so many rows.", true),
            ("At most so many rows per group.", false),
            ("Size limit in kB.", false),
            ("The most to pay, a price in euro.", false),
        ] {
            let found = limit(json!({"limit": {"type": "integer", "description": description}})).unwrap();
            assert_eq!(found.certain, certain, "{description}");
        }
    }

    #[test]
    fn a_limit_in_an_object_is_found_set_and_stated() {
        let tool = ToolDef::new(
            "t",
            "",
            json!({"type": "object", "$defs": {"P": {"type": "object", "properties":
            {"page_size": {"default": 10}}}}, "properties": {"params": {"$ref": "#/$defs/P"}}}),
        );
        let limit = limit_of(&tool).unwrap();
        assert_eq!((limit.pointer.as_str(), limit.default), ("/params/page_size", Some(10)));
        let mut arguments = Map::new();
        limit.set(&mut arguments, 3);
        assert_eq!(Value::Object(arguments.clone()), json!({"params": {"page_size": 3}}));
        for limit in [Some(&limit), None] {
            assert_eq!(stated_limit(limit, &arguments), Some(("/params/page_size".to_owned(), 3)));
        }
        limit.unset(&mut arguments);
        assert_eq!(Value::Object(arguments), json!({"params": {}}));
    }

    #[test]
    fn a_bound_at_the_end_of_all_numbers_is_no_bound() {
        let limit = limit(json!({"limit": {"type": "integer", "exclusiveMinimum": u64::MAX}})).unwrap();
        assert_eq!(limit.minimum, None);
    }
}
