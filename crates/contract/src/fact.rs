//! What an error may tell besides its sentences. What may not enter: rows of data.

use serde_json::Value;

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

scalars!(bool, i32, i64, u32, u64, usize, f64, &str, String);

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
}
