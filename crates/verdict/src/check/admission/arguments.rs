//! What was sent: an answer that repeats it claims nothing by that.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::names::run_together;

/// The values that stand anywhere in the arguments of a call: an answer that holds one only repeats it.
#[derive(Debug, Default)]
pub(crate) struct Arguments<'a> {
    values: HashSet<&'a Value>,
    /// With their names.
    named: HashSet<(Cow<'a, str>, &'a Value)>,
}

impl<'a> Arguments<'a> {
    pub fn of(arguments: Option<&'a Map<String, Value>>) -> Self {
        let mut found = Self::default();
        arguments.into_iter().flatten().for_each(|(name, argument)| found.collect(name, argument));
        found
    }

    fn collect(&mut self, name: &'a str, argument: &'a Value) {
        match argument {
            Value::Object(members) => members.iter().for_each(|(name, member)| self.collect(name, member)),
            Value::Array(items) => items.iter().for_each(|item| self.collect(name, item)),
            scalar => {
                self.values.insert(scalar);
                self.named.insert((run_together(name), scalar));
            }
        }
    }

    pub(super) fn contain(&self, value: &Value) -> bool {
        self.values.contains(value)
    }

    /// Whether a value was sent under this very name.
    pub(super) fn contain_as(&self, words: &[Cow<'_, str>], value: &Value) -> bool {
        self.named.contains(&(Cow::Owned(words.concat()), value))
    }
}
