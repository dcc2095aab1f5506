//! What an error may tell besides its sentences. What may not enter: rows of data.

use serde_json::Value;

use crate::shown::{is_plain, shown};

/// So many facts of a list are told in the text of an error.
const TOLD: usize = 12;

/// A fact that helps to mend a call: a word, a number, a yes or no, or a list of those, such as the headers of
/// a file.
///
/// There is no way from an object or a list of objects to a fact, because rows in an error would make it both
/// data and an error:
///
/// ```
/// use frankly_contract::{Code, ToolError};
/// use serde_json::json;
///
/// let error = ToolError::new(Code::InvalidArgs, "the file has no rows", "ask for another file")
///     .with_detail("headers", ["date", "amount"])
///     .with_detail("lines", 1);
/// assert_eq!(json!(error.details()), json!({"headers": ["date", "amount"], "lines": 1}));
/// ```
///
/// A number that JSON has no form for is told as a text, `NaN` or `Infinity`: null would read as none.
///
/// ```compile_fail,E0277
/// use frankly_contract::{Code, ToolError};
/// use serde_json::json;
///
/// ToolError::new(Code::InvalidArgs, "the second row has no date", "ask for another file")
///     .with_detail("rows", json!([{"date": "2025-01-01"}, {"date": null}]));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Fact(Value);

impl Fact {
    /// The fact as JSON.
    pub(crate) fn into_json(self) -> Value {
        self.0
    }

    /// The fact that was written as this JSON, if it is one.
    pub(crate) fn read(json: Value) -> Option<Self> {
        let scalar = |value: &Value| value.is_boolean() || value.is_number() || value.is_string();
        let is_fact = match &json {
            Value::Array(list) => list.iter().all(scalar),
            value => scalar(value),
        };
        is_fact.then_some(Self(json))
    }

    /// The fact in words: texts cut, and quoted where they would not be told from what stands around them.
    pub(crate) fn words(&self) -> String {
        match &self.0 {
            Value::Array(list) if list.is_empty() => "none".to_owned(),
            Value::Array(list) => {
                let mut words: Vec<String> = list.iter().take(TOLD).map(word).collect();
                if list.len() > TOLD {
                    words.push(format!("{} more", list.len() - TOLD));
                }
                words.join(", ")
            }
            value => word(value),
        }
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) if is_plain(text) => text.clone(),
        Value::String(text) => shown(text),
        other => other.to_string(),
    }
}

/// A word, a number, or a yes or no. Nobody else can add a type to these.
pub trait Scalar: sealed::Sealed {}

mod sealed {
    pub trait Sealed {
        fn json(self) -> serde_json::Value;
    }
}

macro_rules! scalars {
    ($($scalar:ty),*) => {$(
        impl sealed::Sealed for $scalar {
            fn json(self) -> Value {
                Value::from(self)
            }
        }
        impl Scalar for $scalar {}
    )*};
}

scalars!(bool, i32, i64, u32, u64, usize, &str, String);

impl sealed::Sealed for f64 {
    fn json(self) -> Value {
        match self {
            Self::INFINITY => Value::from("Infinity"),
            Self::NEG_INFINITY => Value::from("-Infinity"),
            number if number.is_nan() => Value::from("NaN"),
            number => Value::from(number),
        }
    }
}
impl Scalar for f64 {}

impl sealed::Sealed for &String {
    fn json(self) -> Value {
        Value::from(self.as_str())
    }
}
impl Scalar for &String {}

impl<T: Scalar> From<T> for Fact {
    fn from(scalar: T) -> Self {
        Self(scalar.json())
    }
}

impl<T: Scalar> From<Vec<T>> for Fact {
    fn from(list: Vec<T>) -> Self {
        Self(list.into_iter().map(sealed::Sealed::json).collect())
    }
}

impl<T: Scalar + Clone> From<&[T]> for Fact {
    fn from(list: &[T]) -> Self {
        Self(list.iter().cloned().map(sealed::Sealed::json).collect())
    }
}

impl<T: Scalar, const N: usize> From<[T; N]> for Fact {
    fn from(list: [T; N]) -> Self {
        Self(list.into_iter().map(sealed::Sealed::json).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_are_scalars_and_lists_of_them() {
        let word = "date".to_owned();
        for (fact, written) in [
            (Fact::from(true), json!(true)),
            (Fact::from(-1), json!(-1)),
            (Fact::from(0.5), json!(0.5)),
            (Fact::from("date"), json!("date")),
            (Fact::from(&word), json!("date")),
            (Fact::from(vec![word.clone()]), json!(["date"])),
            (Fact::from(&["date", "amount"][..]), json!(["date", "amount"])),
            (Fact::from([1_usize, 2]), json!([1, 2])),
        ] {
            assert_eq!(fact.into_json(), written);
        }
    }

    #[test]
    fn a_number_without_a_json_form_is_not_none() {
        for (number, written) in
            [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")]
        {
            assert_eq!(Fact::from(number).into_json(), json!(written));
        }
    }

    #[test]
    fn what_is_read_as_a_fact_is_one() {
        for fact in [json!(true), json!(0.5), json!("x"), json!([]), json!(["x", 1])] {
            assert_eq!(Fact::read(fact.clone()).map(Fact::into_json), Some(fact));
        }
        for other in [json!(null), json!({}), json!([{}]), json!([["x"]]), json!([null])] {
            assert_eq!(Fact::read(other.clone()), None, "{other}");
        }
    }

    #[test]
    fn words_are_cut_and_quoted_where_they_would_be_misread() {
        for (fact, words) in [
            (Fact::from(["date", "net amount"]), "date, net amount".to_owned()),
            (Fact::from(["a, b", "c"]), "\"a, b\", c".to_owned()),
            (Fact::from(Vec::<String>::new()), "none".to_owned()),
            (Fact::from(" x"), "\" x\"".to_owned()),
            (
                Fact::from((1..15).collect::<Vec<i32>>()),
                "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 2 more".to_owned(),
            ),
            (Fact::from("x".repeat(100)), format!("\"{}…\"", "x".repeat(60))),
        ] {
            assert_eq!(fact.words(), words);
        }
    }
}
