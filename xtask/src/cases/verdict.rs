//! Whether findings hit a case, and whether its twins stay silent.

use std::fmt;

use serde_json::Value;

use super::read::{Case, Input};

/// A finding, with its place rooted at the input of the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub rule: String,
    pub severity: String,
    /// `/servers/0/tools/1/name`; shorter where it is about a server as a whole.
    pub place: String,
}

impl Found {
    pub fn of(finding: &Value, input: &Input) -> Self {
        let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        let place = match input {
            Input::Definitions(definitions) => definitions.place(finding),
            Input::Exchange(exchange) => exchange.place(finding),
            Input::Unread => String::new(),
        };
        Self { rule: text("rule"), severity: text("severity"), place }
    }

    /// Whether this is at the place of a fault, in it, or around it, but not around the whole tool.
    fn is_at(&self, place: &str) -> bool {
        let is_in = |inner: &str, outer: &str| {
            inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        // A tool of one of several servers, a tool, a message, a line.
        let whole = if place.starts_with("/servers/") { 4 } else { 2 };
        is_in(&self.place, place) || (is_in(place, &self.place) && self.place.matches('/').count() >= whole)
    }
}

/// What came of one case.
#[derive(Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The rule that found the fault.
    pub hit: Option<String>,
    /// Errors on healthy twins.
    pub false_alarms: Vec<String>,
}

/// Judges a case by what was found on its fault and on its twins.
pub fn judge(case: &Case, bad: &[Found], twins: &[Vec<Found>]) -> Verdict {
    let weighs = |found: &Found| case.is_info || found.severity != "info";
    let is_everywhere = |found: &Found| {
        twins.iter().flatten().any(|other| other.rule == found.rule && other.place == found.place)
    };
    let hit = bad.iter().find(|found| weighs(found) && found.is_at(&case.place) && !is_everywhere(found));
    let alarms = twins.iter().flatten().filter(|found| found.severity == "error");
    Verdict {
        hit: hit.map(|found| found.rule.clone()),
        false_alarms: alarms.map(|found| format!("{} at {}", found.rule, found.place)).collect(),
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.hit {
            Some(rule) => write!(f, "hit by {rule}")?,
            None => f.write_str("MISS")?,
        }
        match self.false_alarms.as_slice() {
            [] => f.write_str("; silence"),
            alarms => write!(f, "; FALSE ALARM: {}", alarms.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(severity: &str, place: &str) -> Found {
        Found { rule: "r".to_owned(), severity: severity.to_owned(), place: place.to_owned() }
    }

    fn case(place: &str) -> Case {
        Case {
            id: String::new(),
            kind: String::new(),
            input: String::new(),
            place: place.to_owned(),
            is_info: false,
            bad: Input::Unread,
            twins: Vec::new(),
        }
    }

    #[test]
    fn a_hit_is_near_the_fault_and_not_on_the_twin() {
        let case = case("/servers/0/tools/0/name");
        let hit = |bad: Found, twin: Option<Found>| {
            judge(&case, &[bad], &[twin.into_iter().collect()]).hit.is_some()
        };
        let (at, tool) = ("/servers/0/tools/0/name", "/servers/0/tools/0");
        assert!(hit(found("warning", at), None));
        assert!(hit(found("error", tool), None), "the tool around it");
        assert!(!hit(found("error", "/servers/0/tools"), None), "the server around it");
        assert!(!hit(found("info", at), None));
        assert!(!hit(found("error", "/servers/0/tools/0/names"), None), "another place");
        assert!(!hit(found("error", at), Some(found("warning", at))), "also on the twin");
    }

    #[test]
    fn an_error_on_a_twin_is_a_false_alarm_wherever_it_is() {
        let twins =
            [vec![found("error", "/servers/0/tools/7")], vec![found("warning", "/servers/0/tools/0")]];
        let verdict = judge(&case("/servers/0/tools/0"), &[], &twins);
        assert_eq!(verdict.false_alarms, ["r at /servers/0/tools/7"]);
        assert_eq!(verdict.to_string(), "MISS; FALSE ALARM: r at /servers/0/tools/7");
    }
}
