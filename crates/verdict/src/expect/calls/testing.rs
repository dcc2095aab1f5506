//! Calls for tests.

use serde_json::{Map, Value};

use super::super::{Expectation, Made};

/// Calls one after the other, by tool and arguments.
pub(super) struct Log(pub Vec<(String, Map<String, Value>)>);

impl Log {
    pub fn new(calls: &[(&str, Value)]) -> Self {
        let call = |(tool, arguments): &(&str, Value)| {
            ((*tool).to_owned(), arguments.as_object().cloned().unwrap_or_default())
        };
        Self(calls.iter().map(call).collect())
    }

    /// Calls without arguments.
    pub fn of<T: AsRef<str>>(tools: &[T]) -> Self {
        Self(tools.iter().map(|tool| (tool.as_ref().to_owned(), Map::new())).collect())
    }

    pub fn made(&self) -> Vec<Made<'_>> {
        let calls = (0..).zip(&self.0);
        let made = calls.map(|(place, (tool, arguments))| Made {
            began: 2 * place,
            ended: Some(2 * place + 1),
            ..Made::new(tool, arguments)
        });
        made.collect()
    }
}

/// The sentence of a miss with its call's number, or nothing.
pub(super) fn told(expected: &Expectation, calls: &[Made<'_>]) -> String {
    expected.miss(calls).map(|miss| format!("{miss} @{:?}", miss.call())).unwrap_or_default()
}

pub(super) fn tools(names: &str) -> Vec<String> {
    names.split_whitespace().map(str::to_owned).collect()
}
