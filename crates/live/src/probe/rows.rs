//! Values that a tool itself has given: what a row holds under the name of a filter is a valid value of it.

use frankly_contract::ToolResult;
use serde_json::Value;

use super::consent::words;

/// How deep rows are looked for.
const DEPTH: usize = 6;
/// How many rows of a list are looked at.
const ROWS: usize = 50;
/// What is longer is no name of a thing.
const LONGEST: usize = 100;

/// A value that the rows of an answer hold under a name, compared without case and punctuation: the first one with
/// letters in it, else the first one.
pub(super) fn value_in_rows(answer: &ToolResult, name: &str) -> Option<String> {
    let found = values_in_rows(answer, name);
    let with_letters = found.iter().find(|value| value.contains(char::is_alphabetic));
    with_letters.or(found.first()).cloned()
}

/// All values that the rows of an answer hold under a name, as they stand there.
pub(super) fn values_in_rows(answer: &ToolResult, name: &str) -> Vec<String> {
    let texts = answer.texts().filter_map(|(_, text)| serde_json::from_str(text).ok());
    let parts: Vec<Value> = answer.structured().cloned().into_iter().chain(texts).collect();
    let mut found = Vec::new();
    parts.iter().for_each(|part| collect(part, &words(name).concat(), 0, &mut found));
    found.into_iter().map(str::to_owned).collect()
}

fn collect<'v>(value: &'v Value, name: &str, depth: usize, found: &mut Vec<&'v str>) {
    match value {
        _ if depth > DEPTH => {}
        Value::Array(rows) => {
            for row in rows.iter().take(ROWS) {
                match row.as_object() {
                    Some(members) => found.extend(members.iter().filter_map(|(key, member)| {
                        let text = member.as_str().filter(|_| words(key).concat() == name)?;
                        (!text.trim().is_empty() && text.chars().count() <= LONGEST).then_some(text)
                    })),
                    None => collect(row, name, depth + 1, found),
                }
            }
        }
        Value::Object(members) => members.values().for_each(|member| collect(member, name, depth + 1, found)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rows_are_found_at_any_depth_and_in_texts() {
        let rows = json!({"data": {"rows": [{"Cate-Gory": "7"}, {"category": "Dining"}], "category": "all"}});
        let in_text = ToolResult::text(rows.to_string());
        for answer in [ToolResult::json(&rows).unwrap(), in_text] {
            assert_eq!(value_in_rows(&answer, "category").as_deref(), Some("Dining"));
            assert_eq!(value_in_rows(&answer, "merchant"), None);
        }
        let odd = json!([{"category": ""}, {"category": 3}, {"category": "x".repeat(101)}]);
        assert_eq!(value_in_rows(&ToolResult::text(odd.to_string()), "category"), None);
    }
}
