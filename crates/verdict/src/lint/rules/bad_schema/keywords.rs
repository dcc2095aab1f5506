//! What the keywords of JSON Schema may hold, drafts 4 to 2020-12.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::schema::holds_schemas;

pub(super) const TYPES: &[&str] = &["array", "boolean", "integer", "null", "number", "object", "string"];

const TEXT: &[&str] = &[
    "$anchor", "$comment", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$schema", "contentEncoding",
    "contentMediaType", "description", "format", "title",
];
const NUMBER: &[&str] = &["maximum", "minimum"];
const NUMBER_OR_FLAG: &[&str] = &["exclusiveMaximum", "exclusiveMinimum"];
const WHOLE_NUMBER: &[&str] = &[
    "maxContains", "maxItems", "maxLength", "maxProperties", "minContains", "minItems", "minLength",
    "minProperties",
];
const FLAG: &[&str] = &["deprecated", "readOnly", "uniqueItems", "writeOnly"];
const LIST: &[&str] = &["enum", "examples"];

/// What the keyword must hold, when this value is not it. Unknown keywords may hold anything.
pub(super) fn mismatch(keyword: &str, value: &Value) -> Option<&'static str> {
    let expected = |ok: bool, what| (!ok).then_some(what);
    let is = |names: &[&str]| names.contains(&keyword);
    match keyword {
        "type" => {
            let names =
                value.as_array().is_some_and(|names| !names.is_empty() && names.iter().all(Value::is_string));
            return expected(value.is_string() || names, "a type name or a list of them");
        }
        "required" => return expected(is_list_of_distinct_texts(value), "a list of names, each once"),
        "dependentRequired" => {
            let lists = value.as_object().is_some_and(|lists| lists.values().all(is_list_of_distinct_texts));
            return expected(lists, "lists of names by name");
        }
        "multipleOf" => return expected(value.as_f64().is_some_and(|n| n > 0.0), "a number over 0"),
        "pattern" => return expected(value.as_str().is_some_and(is_pattern), "a regular expression"),
        "patternProperties" => {
            let patterns = value.as_object().is_some_and(|schemas| schemas.keys().all(|key| is_pattern(key)));
            return expected(patterns, "schemas by regular expression");
        }
        _ => {}
    }
    match holds_schemas(keyword) {
        (true, false, false) => return expected(value.is_object() || value.is_boolean(), "a schema"),
        (true, true, false) => {
            return expected(value.is_object() || value.is_boolean() || value.is_array(), "a schema");
        }
        (false, true, false) => {
            let filled = value.as_array().is_some_and(|schemas| !schemas.is_empty());
            return expected(filled, "a list of schemas, at least one");
        }
        (false, false, true) => return expected(value.is_object(), "an object of schemas by name"),
        _ => {}
    }
    if is(TEXT) {
        expected(value.is_string(), "a text")
    } else if is(NUMBER) {
        expected(value.is_number(), "a number")
    } else if is(NUMBER_OR_FLAG) {
        expected(value.is_number() || value.is_boolean(), "a number")
    } else if is(WHOLE_NUMBER) {
        let whole = value.as_u64().is_some() || value.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0);
        expected(whole, "a whole number, 0 or more")
    } else if is(FLAG) {
        expected(value.is_boolean(), "true or false")
    } else if is(LIST) {
        expected(value.is_array(), "a list")
    } else {
        None
    }
}

fn is_list_of_distinct_texts(value: &Value) -> bool {
    let Some(names) = value.as_array() else { return false };
    let mut seen = std::collections::HashSet::new();
    names.iter().all(|name| name.as_str().is_some_and(|name| seen.insert(name)))
}

/// Whether a validator can compile the pattern. Named back-references are good in the dialect of JSON Schema, and
/// this validator does not know them.
fn is_pattern(pattern: &str) -> bool {
    // What only Python and Rust know.
    if ["(?P<", "(?P=", "(?P>"].iter().any(|group| pattern.contains(group)) {
        return false;
    }
    // What ECMAScript takes and this validator does not.
    if ["[^]", "[]", "\\0", "[\\b"].iter().any(|part| pattern.contains(part)) {
        return true;
    }
    if is_plain_pattern(pattern) || pattern.contains("\\k<") {
        return true;
    }
    KNOWN.with_borrow_mut(|known| {
        if let Some(compiles) = known.get(pattern) {
            return *compiles;
        }
        let compiles = jsonschema::validator_for(&serde_json::json!({ "pattern": pattern })).is_ok();
        if known.len() >= MOST_KNOWN {
            known.clear();
        }
        known.insert(pattern.to_owned(), compiles);
        compiles
    })
}

/// How many patterns are kept.
const MOST_KNOWN: usize = 1_000;

thread_local! {
    /// Whether patterns compile, which takes long to find out; the tools of a server have few, and each many times.
    static KNOWN: RefCell<HashMap<String, bool>> = RefCell::new(HashMap::new());
}

/// Whether a pattern has no sign in it that could be wrong: letters, digits and spaces, parts of names, anchors at its
/// ends, and sets of those with at most one sign that repeats after each. `false` where that takes a closer look.
fn is_plain_pattern(pattern: &str) -> bool {
    let is_plain =
        |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_' | b'/' | b':' | b',' | b'@');
    let inner = pattern.strip_prefix('^').unwrap_or(pattern);
    let mut rest = inner.strip_suffix('$').unwrap_or(inner).as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = match first {
            b'[' => match after.iter().position(|byte| *byte == b']') {
                Some(end) if is_plain_set(&after[..end]) => &after[end + 1..],
                _ => return false,
            },
            byte if is_plain(*byte) || *byte == b'-' => after,
            _ => return false,
        };
        rest = rest.strip_prefix(b"+").or_else(|| rest.strip_prefix(b"*")).unwrap_or(rest);
    }
    true
}

/// `a-zA-Z0-9_-`
fn is_plain_set(set: &[u8]) -> bool {
    let mut rest = set.strip_suffix(b"-").unwrap_or(set);
    while let [first, after @ ..] = rest {
        rest = match after {
            [b'-', last, after @ ..]
                if first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric() && first <= last =>
            {
                after
            }
            _ if first.is_ascii_alphanumeric() || *first == b'_' => after,
            _ => return false,
        };
    }
    !set.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_plain_pattern_is_a_pattern(pattern in "\\^?([a-c]|[-_/ ]|\\[|\\]|-|[+*]|[A-C0-9]){0,12}\\$?") {
            let compiles = jsonschema::validator_for(&serde_json::json!({ "pattern": pattern })).is_ok();
            prop_assert!(!is_plain_pattern(&pattern) || compiles, "{pattern}");
        }
    }

    #[test]
    fn usual_patterns_are_plain() {
        for (pattern, expected) in [
            ("^[a-zA-Z0-9_-]+$", true),
            ("^/docs/[a-z]*", true),
            ("", true),
            ("[z-a]", false),
            ("[a-", false),
            ("+", false),
            ("a++", false),
            ("(a)", false),
            ("[]", false),
        ] {
            assert_eq!(is_plain_pattern(pattern), expected, "{pattern}");
        }
    }
}
