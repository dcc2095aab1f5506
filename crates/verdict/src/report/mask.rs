//! A report without the credentials in it: what is written of a fault goes into logs, and stays there.

use std::collections::BTreeSet;

use frankly_contract::ToolCall;
use serde_json::{Map, Value};

use super::Report;
use crate::Finding;
use crate::case::Outcome;
use crate::secrets::{cut_password, secret};

/// So many credentials of one text are looked for.
const MOST: usize = 20;

/// The same report, in which a word stands for each credential. A credential that one place shows is masked in all.
pub(super) fn masked(report: &Report) -> Report {
    let mut known = BTreeSet::new();
    report.findings.iter().for_each(|finding| of_finding(finding, &mut known));
    report.cases.iter().for_each(|case| of_case(case, &mut known));
    of_text("", &report.source, &mut known);
    let mut report = report.clone();
    if known.is_empty() {
        return report;
    }
    // The longest first: one may be a part of another.
    let mut known: Vec<(String, &str)> = known.into_iter().collect();
    known.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
    let mask = |text: &mut String| {
        for (secret, what) in known.iter().filter(|(secret, _)| text.contains(secret)).collect::<Vec<_>>() {
            *text = text.replace(secret.as_str(), &format!("<{what}>"));
        }
    };
    mask(&mut report.source);
    for case in &mut report.cases {
        case.verdict.texts_mut().for_each(mask);
        case.known_failing.iter_mut().for_each(mask);
    }
    for finding in &mut report.findings {
        [&mut finding.what, &mut finding.reads_as, &mut finding.next, &mut finding.evidence]
            .into_iter()
            .for_each(mask);
        for call in &mut finding.replay {
            call.arguments.values_mut().for_each(|value| mask_value(value, &mask));
        }
    }
    report
}

fn mask_value(value: &mut Value, mask: &impl Fn(&mut String)) {
    match value {
        Value::String(text) => mask(text),
        Value::Array(items) => items.iter_mut().for_each(|item| mask_value(item, mask)),
        Value::Object(members) => members.values_mut().for_each(|member| mask_value(member, mask)),
        _ => {}
    }
}

fn of_finding(finding: &Finding, known: &mut BTreeSet<(String, &'static str)>) {
    for text in [&finding.what, &finding.evidence] {
        of_text("", text, known);
    }
    finding
        .replay
        .iter()
        .map(|call: &ToolCall| &call.arguments)
        .for_each(|arguments| of_members(arguments, known));
}

fn of_case(outcome: &Outcome, known: &mut BTreeSet<(String, &'static str)>) {
    let mut outcome = outcome.clone();
    outcome.verdict.texts_mut().for_each(|text| of_text("", text, known));
    outcome.known_failing.iter().for_each(|why| of_text("", why, known));
}

fn of_members(members: &Map<String, Value>, known: &mut BTreeSet<(String, &'static str)>) {
    members.iter().for_each(|(name, value)| of_value(name, value, known));
}

fn of_value(name: &str, value: &Value, known: &mut BTreeSet<(String, &'static str)>) {
    match value {
        Value::String(text) => of_text(name, text, known),
        Value::Array(items) => items.iter().for_each(|item| of_value(name, item, known)),
        Value::Object(members) => of_members(members, known),
        _ => {}
    }
}

/// Adds every credential of a text, each looked for in what the ones before it leave.
fn of_text(name: &str, text: &str, known: &mut BTreeSet<(String, &'static str)>) {
    let mut rest = text.to_owned();
    for _ in 0..MOST {
        let Some(found) = secret(name, &rest).or_else(|| cut_password(&rest)) else { return };
        let (found, what) = (found.text.to_owned(), found.what);
        rest = rest.replace(&found, "<>");
        known.insert((found, what));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Doc;
    use crate::report::{FORMATS, Options};
    use serde_json::json;

    #[test]
    fn no_format_shows_a_credential_and_the_call_can_be_made_again_with_it() {
        let doc = Doc { name: "leaky-error", what: "", why: "", severity: "", examples: &[] };
        let url = "could not connect to postgres://app:hunter2-91@db.example.org/boats";
        let arguments = json!({"user": "a", "password": "s3cr3t-91x", "deep": [{"api_key": "q9-w8-e7-r6"}]});
        let finding = Finding {
            replay: vec![ToolCall::new("login", arguments.as_object().cloned().unwrap_or_default())],
            ..Finding::suspected(&doc, "s", "login", "")
                .saying(format!("{url}: s3cr3t-91x is wrong"), "b", "c")
                .with_evidence("see postgres://app:s3cr3t-91x…")
        };
        let report = Report { findings: vec![finding], ..Report::default() };
        for format in FORMATS {
            let text = format.render(&report, &Options { verbose: true, ..Options::default() });
            for secret in ["hunter2-91", "s3cr3t-91x", "q9-w8-e7-r6"] {
                assert!(!text.contains(secret), "{}: {text}", format.name());
            }
        }
        let call = &masked(&report).findings[0].replay[0];
        assert_eq!(call.arguments["password"], "<a credential by its name>");
        assert_eq!(call.arguments["user"], "a");
    }

    #[test]
    fn what_holds_no_credential_is_left_as_it_is() {
        let doc = Doc { name: "leaky-error", what: "", why: "", severity: "", examples: &[] };
        let finding = Finding::suspected(&doc, "s", "t", "").saying("see http://h:8080/…", "b", "c");
        let report = Report { findings: vec![finding], ..Report::default() };
        assert_eq!(masked(&report).findings, report.findings);
    }
}
