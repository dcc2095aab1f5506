//! What an answer shows now, written into cases that expect nothing yet.
//!
//! What may not enter: whether the answer deserves it. Whoever asks for this has looked at the findings first.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{CaseFile, Observed, Spot};
use crate::secrets::secret;

/// How deep a payload is written out; below it only how much there is.
const DEPTH: usize = 3;
/// A longer text is not written out.
const LONGEST_TEXT: usize = 120;

/// From here on a double does not hold every whole number.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What was seen of cases, by their names.
pub type Seen = BTreeMap<String, Observed>;

/// Why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the file would not read as before with what was to be written into it; write `expect` by hand")]
pub struct NotUpdated;

/// The text of a case file with what was seen of its cases in each `expect: {}`; all else stays as it is written.
///
/// ```
/// use frankly_contract::ToolResult;
/// use frankly_verdict::case::{CaseFile, ErrorShape, Observed, updated};
/// use serde_json::json;
///
/// let text = "cases:\n  - name: finds\n    call: search\n    expect: {}  # to come\n";
/// let observed = Observed::of(&Ok(ToolResult::json(&json!({"matched": 2, "items": ["a", "b"]}))?), &ErrorShape::default())?;
/// let file = CaseFile::parse("a.yaml", text)?;
/// assert_eq!(
///     updated(&file, text, &[("finds".to_owned(), observed)].into())?,
///     "cases:\n  - name: finds\n    call: search\n    expect: { json: { items: { $count: 2 }, matched: 2 } }  # to come\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`NotUpdated`] where the text would not read as the same cases afterwards.
pub fn updated(file: &CaseFile, text: &str, seen: &Seen) -> Result<String, NotUpdated> {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let mut places: Vec<(Spot, Value)> = file
        .cases
        .iter()
        .filter(|case| case.expects_nothing())
        .filter_map(|case| Some((case.expected_at(), shown(seen.get(&case.name)?))))
        .collect();
    // From the end, so that what is written moves no place that is still to come.
    places.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    for (at, expect) in &places {
        write(&mut lines, *at, &flow(expect)).ok_or(NotUpdated)?;
    }
    let new = lines.join("\n");
    let read = CaseFile::parse(&file.path, &new).map_err(|_| NotUpdated)?;
    let is_same = read.cases.len() == file.cases.len()
        && read.cases.iter().zip(&file.cases).all(|(new, old)| {
            new.name == old.name && new.call.tool == old.call.tool && new.call.arguments == old.call.arguments
        });
    if is_same { Ok(new) } else { Err(NotUpdated) }
}

/// Puts a text in the place of the `{}` that stands there.
fn write(lines: &mut [String], at: Spot, expect: &str) -> Option<()> {
    let line = lines.get_mut(at.line.checked_sub(1)?)?;
    let (start, _) = line.char_indices().nth(at.column.checked_sub(1)?)?;
    let inner = line.get(start..)?.strip_prefix('{')?;
    let end = start + 1 + (inner.len() - inner.trim_start().len());
    if line.get(end..)?.starts_with('}') {
        line.replace_range(start..=end, expect);
        return Some(());
    }
    None
}

/// The expectation that an answer meets.
fn shown(observed: &Observed) -> Value {
    if let Some((code, _)) = &observed.protocol_error {
        return json!({"protocol_error": code});
    }
    let mut expect = Map::new();
    if observed.is_error {
        expect.insert("is_error".to_owned(), json!(true));
        expect.extend(
            observed.code.as_ref().filter(|code| is_code(code)).map(|code| ("code".to_owned(), json!(code))),
        );
        expect.extend(
            observed.kind.as_ref().filter(|kind| is_plain(kind)).map(|kind| ("kind".to_owned(), json!(kind))),
        );
        let message = observed.message.as_deref().and_then(words);
        expect.extend(message.map(|message| ("message".to_owned(), json!(message))));
        return Value::Object(expect);
    }
    match (&observed.json, words(&observed.text)) {
        (Some(json), _) if json.as_object().is_none_or(|members| !members.is_empty()) => {
            expect.insert("json".to_owned(), outline(json, 0))
        }
        (_, Some(words)) => expect.insert("text".to_owned(), json!(words)),
        (_, None) => expect.insert("is_error".to_owned(), json!(false)),
    };
    Value::Object(expect)
}

fn is_code(code: &str) -> bool {
    frankly_contract::Code::ALL.iter().any(|known| known.as_str() == code)
}

/// Whether a text stands for itself in an expectation.
fn is_plain(text: &str) -> bool {
    !text.trim().is_empty() && !text.starts_with('/') && !text.contains("${")
}

/// Whether a text is likely to be the same next time, and may be written down: no time, no drawn id, no credential.
fn is_lasting(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_time = digits >= 6 && text.contains(':') && text.len() <= 40;
    let is_drawn = text.len() >= 16 && digits >= 4 && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let is_written = text.chars().count() <= LONGEST_TEXT && !text.contains("${") && !text.starts_with('$');
    is_written && !is_time && !is_drawn && secret("", text).is_none()
}

/// The first line that says something.
fn words(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let cut = line.char_indices().nth(LONGEST_TEXT).and_then(|(end, _)| line[..end].rfind(' '));
    let line: String = line[..cut.unwrap_or(line.len())].chars().take(LONGEST_TEXT).collect();
    (is_plain(&line) && secret("", &line).is_none()).then(|| line.trim_end().to_owned())
}

/// A payload with its values; of lists, long texts and what is deep only how much there is.
fn outline(value: &Value, depth: usize) -> Value {
    match value {
        Value::Array(items) => json!({"$count": items.len()}),
        Value::Object(members) if depth >= DEPTH => json!({"$count": members.len()}),
        Value::Object(members) if members.keys().any(|key| key.starts_with('$')) => {
            json!({"$count": members.len()})
        }
        Value::Object(members) => {
            members.iter().map(|(key, member)| (key.clone(), outline(member, depth + 1))).collect()
        }
        Value::String(text) if !is_lasting(text) => json!({"$any": true}),
        Value::Number(number) if number.as_f64().is_some_and(|number| number.abs() >= EXACT) => {
            json!({"$any": true})
        }
        scalar => scalar.clone(),
    }
}

/// JSON as YAML on one line, with keys and words bare where they may be.
///
/// ```
/// use frankly_verdict::case::flow;
///
/// assert_eq!(flow(&serde_json::json!({"city": "Bergen", "days": 1, "at": "1: x"})), r#"{ at: "1: x", city: Bergen, days: 1 }"#);
/// ```
#[must_use]
pub fn flow(value: &Value) -> String {
    match value {
        Value::Object(members) if members.is_empty() => "{}".to_owned(),
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, member)| format!("{}: {}", bare(key), flow(member))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::String(text) if !text.starts_with('$') => bare(text),
        Value::Array(items) => format!("[{}]", items.iter().map(flow).collect::<Vec<_>>().join(", ")),
        scalar => scalar.to_string(),
    }
}

/// A word as it is, where YAML reads it as that word.
fn bare(key: &str) -> String {
    let is_word = key.strip_prefix('$').unwrap_or(key).chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let begins_well = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '$' || c == '_');
    let means_something =
        ["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&key.to_lowercase().as_str());
    if is_word && begins_well && !means_something { key.to_owned() } else { Value::from(key).to_string() }
}

#[cfg(test)]
mod tests {
    use frankly_contract::{CallError, Code, ToolError, ToolResult};
    use proptest::prelude::*;

    use super::*;
    use crate::case::{ErrorShape, Expect};
    use crate::yaml::load;

    fn update(text: &str, answer: &Result<ToolResult, CallError>) -> Result<String, NotUpdated> {
        let file = CaseFile::parse("a.yaml", text).unwrap();
        let observed = Observed::of(answer, &ErrorShape::default()).unwrap();
        updated(&file, text, &file.cases.iter().map(|case| (case.name.clone(), observed.clone())).collect())
    }

    #[test]
    fn only_what_is_empty_is_filled_and_the_rest_stays() {
        let text = "# mine\ncases:\n- { name: ä, call: t, expect: { } } # x\n- name: b\n  call: t\n  expect: { is_error: true }\n";
        let error = ToolError::new(Code::Forbidden, "not yours", "stop").with_kind("k");
        let new = update(text, &Err(CallError::Tool(error.into()))).unwrap();
        let filled = "expect: { code: FORBIDDEN, is_error: true, kind: k, message: \"FORBIDDEN: not yours. Next: stop.\" } } # x";
        assert_eq!(new, text.replace("expect: { } } # x", filled));
    }

    #[test]
    fn what_cannot_be_written_in_place_is_left() {
        let text = "cases:\n- name: a\n  call: t\n  expect: {\n    }\n";
        assert_eq!(update(text, &Ok(ToolResult::text("x"))), Err(NotUpdated));
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("[$a-z:# ]{0,4}", inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn an_answer_meets_what_was_written_of_it(value in json()) {
            let answer = Ok(ToolResult::json(&json!({"value": value})).unwrap());
            let new = update("cases:\n- name: a\n  call: t\n  expect: {}\n", &answer).unwrap();
            let root = load(&new).unwrap().unwrap();
            let expect = root.get("cases").unwrap().items("").unwrap()[0].get("expect").unwrap();
            let observed = Observed::of(&answer, &ErrorShape::default()).unwrap();
            prop_assert_eq!(Expect::read(expect).unwrap().misses(&observed), vec![]);
        }

        #[test]
        fn a_text_meets_what_was_written_of_it(text in ".{1,40}") {
            let answer = Ok(ToolResult::text(text));
            if let Ok(new) = update("cases:\n- name: a\n  call: t\n  expect: {}\n", &answer) {
                let root = load(&new).unwrap().unwrap();
                let expect = root.get("cases").unwrap().items("").unwrap()[0].get("expect").unwrap();
                let observed = Observed::of(&answer, &ErrorShape::default()).unwrap();
                prop_assert_eq!(Expect::read(expect).unwrap().misses(&observed), vec![]);
            }
        }
    }
}
