//! What was sent: an answer that repeats it claims nothing by that.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::names::words;

/// The values that stand anywhere in the arguments of a call: an answer that holds one only repeats it.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    values: HashSet<String>,
    /// With their names.
    named: HashSet<(String, String)>,
}

impl Arguments {
    pub fn of(arguments: Option<&Map<String, Value>>) -> Self {
        let mut found = Self::default();
        arguments.into_iter().flatten().for_each(|(name, argument)| found.collect(name, argument));
        found
    }

    fn collect(&mut self, name: &str, argument: &Value) {
        match argument {
            Value::Object(members) => members.iter().for_each(|(name, member)| self.collect(name, member)),
            Value::Array(items) => items.iter().for_each(|item| self.collect(name, item)),
            scalar => {
                self.values.insert(scalar.to_string());
                self.named.insert((words(name).concat(), scalar.to_string()));
            }
        }
    }

    pub(super) fn contain(&self, value: &Value) -> bool {
        self.values.contains(&value.to_string())
    }

    /// Whether a value was sent under this very name.
    pub(super) fn contain_as(&self, words: &[String], value: &Value) -> bool {
        self.named.contains(&(words.concat(), value.to_string()))
    }
}
