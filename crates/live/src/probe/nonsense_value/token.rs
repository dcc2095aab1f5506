//! Values that cannot exist, and values that only look like one that does.

use frankly_verdict::nonsense::{UUID, VALUES};
use serde_json::Value;

/// Formats of texts that have to be of their kind before it is looked whether they exist.
const UUID_FORMATS: &[&str] = &["guid", "uuid"];
/// A schema that takes more text than this is not compiled.
const LONGEST_SCHEMA: usize = 20_000;
/// Numbers that no thing is counted by, within what fits four bytes: the larger first.
const NUMBERS: &[i64] = &[2_147_480_173, 999_980_173];
/// What is longer is no name of a thing.
const LONGEST_NAME: usize = 200;

/// A value that the schema admits and that cannot exist, like the valid one in what surrounds it: the directory of a
/// path, the ending of a file. `None` where the schema leaves no room for one.
pub(super) fn nonsense(schema: &Value, valid: Option<&str>) -> Option<String> {
    let format = schema.get("format").and_then(Value::as_str);
    let is_uuid = valid.is_some_and(looks_like_uuid) || format.is_some_and(|f| UUID_FORMATS.contains(&f));
    match format {
        Some(format) if !UUID_FORMATS.contains(&format) => return None,
        _ => {}
    }
    let (before, after) = valid.map(surroundings).unwrap_or_default();
    let uuid = is_uuid.then(|| UUID.to_owned());
    let within = VALUES.iter().map(|token| format!("{before}{token}{after}"));
    let bare = VALUES.iter().map(|token| (*token).to_owned());
    admitted(schema, uuid.into_iter().chain(within).chain(bare))
}

/// The same for what is named by a number: one that is larger than things are numbered.
pub(super) fn nonsense_number(schema: &Value, valid: &Value) -> Option<Value> {
    if schema.to_string().len() > LONGEST_SCHEMA {
        return None;
    }
    let validator = jsonschema::validator_for(schema).ok()?;
    NUMBERS
        .iter()
        .map(|number| Value::from(*number))
        .find(|number| number != valid && validator.is_valid(number))
}

/// A valid value in another case, where that is still a word: `Dining` and `dining`, `orders` and `Orders`.
pub(super) fn other_case(schema: &Value, valid: &str) -> Option<String> {
    let is_word = valid.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-' | '_' | '&' | '\''));
    if !is_word || valid.chars().filter(|c| c.is_alphabetic()).count() < 2 {
        return None;
    }
    let lower = valid.to_lowercase();
    let mut letters = valid.chars();
    let capital = letters.next().map(|first| first.to_uppercase().chain(letters).collect());
    let other = if lower == valid { capital? } else { lower };
    admitted(schema, std::iter::once(other).filter(|other| other != valid))
}

/// The first of some values that the schema admits.
fn admitted(schema: &Value, values: impl Iterator<Item = String>) -> Option<String> {
    let mut values = values;
    if schema.to_string().len() > LONGEST_SCHEMA {
        return None;
    }
    let validator = jsonschema::validator_for(schema).ok()?;
    values.find(|value| validator.is_valid(&Value::from(value.as_str())))
}

/// What stands around the last name in a value: `src/` and `.rs` in `src/main.rs`.
fn surroundings(valid: &str) -> (&str, &str) {
    if valid.len() > LONGEST_NAME {
        return ("", "");
    }
    let start = valid.rfind(['/', '\\']).map_or(0, |at| at + 1);
    let (before, name) = valid.split_at(start);
    let is_ending = |ending: &str| {
        (2..=6).contains(&ending.len())
            && ending[1..].chars().all(|c| c.is_ascii_alphanumeric())
            && ending.contains(|c: char| c.is_ascii_alphabetic())
    };
    let ending = name.rfind('.').filter(|at| *at > 0).map(|at| &name[at..]);
    (before, ending.filter(|ending| is_ending(ending)).unwrap_or_default())
}

fn looks_like_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    lengths.eq([8, 4, 4, 4, 12]) && text.chars().all(|c| c.is_ascii_hexdigit() || c == '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_value_that_cannot_exist_keeps_to_the_schema() {
        let text = |schema: Value| nonsense(&schema, None);
        assert_eq!(text(json!({"type": "string"})).as_deref(), Some("zz-no-such-value-7f3a"));
        assert_eq!(text(json!({"maxLength": 8})).as_deref(), Some("zzqx7f3a"));
        assert_eq!(text(json!({"pattern": "^[A-Z]{3,4}$"})).as_deref(), Some("ZZQX"));
        assert_eq!(text(json!({"format": "uuid"})).as_deref(), Some(UUID));
        for full in [
            json!({"enum": ["a", "b"]}),
            json!({"const": "a"}),
            json!({"maxLength": 3}),
            json!({"pattern": "^ORD-[0-9]+$"}),
            json!({"format": "date"}),
            json!({"type": "integer"}),
            json!({"pattern": "("}),
        ] {
            assert_eq!(text(full.clone()), None, "{full}");
        }
    }

    #[test]
    fn what_surrounds_a_valid_value_stays() {
        for (valid, expected) in [
            ("Dining", "zz-no-such-value-7f3a"),
            ("/srv/files/notes.txt", "/srv/files/zz-no-such-value-7f3a.txt"),
            ("Europe/Berlin", "Europe/zz-no-such-value-7f3a"),
            ("data.csv", "zz-no-such-value-7f3a.csv"),
            ("v1.2", "zz-no-such-value-7f3a"),
            (".env", "zz-no-such-value-7f3a"),
            ("1b4e28ba-2fa1-11d2-883f-0016d3cca427", UUID),
        ] {
            assert_eq!(nonsense(&json!({}), Some(valid)).as_deref(), Some(expected), "{valid}");
        }
    }

    #[test]
    fn a_number_that_cannot_exist_keeps_to_the_schema() {
        let number = |schema: Value| nonsense_number(&schema, &json!(7));
        assert_eq!(number(json!({"type": "integer"})), Some(json!(NUMBERS[0])));
        assert_eq!(number(json!({"type": "integer", "maximum": 1_000_000_000})), Some(json!(NUMBERS[1])));
        assert_eq!(number(json!({"type": "integer", "maximum": 9})), None);
        assert_eq!(nonsense_number(&json!({}), &json!(NUMBERS[0])), Some(json!(NUMBERS[1])));
    }

    #[test]
    fn only_words_have_another_case() {
        let other = |valid: &str| other_case(&json!({"type": "string"}), valid);
        assert_eq!(other("Dining").as_deref(), Some("dining"));
        assert_eq!(other("Café au lait").as_deref(), Some("café au lait"));
        assert_eq!(other("orders").as_deref(), Some("Orders"));
        for none in ["", "a", "f-3b", "src/Main", "日本", "2025"] {
            assert_eq!(other(none), None, "{none}");
        }
        assert_eq!(other_case(&json!({"pattern": "^[A-Z]+$"}), "USD"), None);
    }

    proptest! {
        #[test]
        fn nonsense_is_never_the_valid_value(valid in ".{0,40}", most in 0usize..40) {
            let schema = json!({"type": "string", "maxLength": most});
            if let Some(value) = nonsense(&schema, Some(&valid)) {
                prop_assert!(value.chars().count() <= most);
                prop_assert_ne!(value, valid);
            }
        }
    }
}
