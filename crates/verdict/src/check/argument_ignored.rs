//! An argument that was dropped, or quietly taken for something else.

use std::collections::HashSet;

use serde_json::Value;

mod dates;
mod doc;
mod filters;
pub(super) mod totals;
mod undeclared;

use super::Check;
use super::ambiguous_empty::AmbiguousEmpty;
use super::announced::Announcement;
use super::beside::Beside;
use super::buried_error::BuriedError;
use super::limit_ignored::{LimitIgnored, means_all};
use super::lost_response::crossed_answers;
use super::mistakes::Kind;
use super::reading::{Exchange, Reading};
use crate::payload::Payload;
use crate::report::shorten;
use crate::schema;
use crate::{Certainty, Doc, Finding, Severity};
use doc::DOC;

const SHOWN_CHARS: usize = 60;
const EVIDENCE_CHARS: usize = 160;

/// See [`DOC`].
pub(super) struct ArgumentIgnored;

impl Check for ArgumentIgnored {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let beside = Beside::of(reading);
        let mut found = Vec::new();
        for exchange in reading.exchanges.iter().filter(|one| !one.is_malformed && !is_open(one)) {
            found.extend(against_the_schema(exchange, reading.server()));
            found.extend(undeclared::look_at(exchange, &beside, reading));
            found.extend(dates::look_at(exchange, reading.server()));
            found.extend(negative_limit(exchange, reading.server()));
        }
        found.extend(filters::look_at(reading, &beside));
        found.extend(totals::look_at(reading));
        if !found.is_empty() {
            let told = Told::of(reading);
            found.retain(|finding| !told.covers(finding));
        }
        found.sort_by_key(|finding| {
            (finding.certainty == Certainty::Suspected, finding.frames.first().copied())
        });
        findings.extend(found);
    }
}

/// What more specific checks say already.
struct Told {
    /// Answers that are no success, whatever their flag says, or those of other calls.
    failed: HashSet<usize>,
    /// Answers with the argument that is spoken of.
    arguments: HashSet<(usize, String)>,
}

impl Told {
    fn of(reading: &Reading<'_>) -> Self {
        let found_by = |check: &dyn Check| {
            let mut findings = Vec::new();
            check.check(reading, &mut findings);
            findings
        };
        let frame = |finding: &Finding| finding.frames.first().copied();
        let failed =
            found_by(&BuriedError).iter().filter_map(frame).chain(crossed_answers(reading)).collect();
        let told = [found_by(&LimitIgnored), found_by(&AmbiguousEmpty)].concat();
        let arguments = told.into_iter().filter_map(|finding| Some((frame(&finding)?, finding.mutation)));
        Self { failed, arguments: arguments.collect() }
    }

    fn covers(&self, finding: &Finding) -> bool {
        let Some(frame) = finding.frames.first() else { return false };
        self.failed.contains(frame) || self.arguments.contains(&(*frame, finding.mutation.clone()))
    }
}

/// Whether an answer is none yet: it asks back, or names a task.
fn is_open(exchange: &Exchange<'_>) -> bool {
    exchange.success().is_some_and(|(payload, _)| {
        payload.at("/resultType").is_some_and(|kind| kind != "complete")
            || payload.at("/task/taskId").is_some()
    })
}

/// Arguments that the schema refuses, and the tool took without a word.
fn against_the_schema(exchange: &Exchange<'_>, server: &str) -> Vec<Finding> {
    let (Some(tool), Some((payload, _))) = (exchange.tool, exchange.success()) else { return Vec::new() };
    let wrong = exchange.mistakes();
    if wrong.is_empty() {
        return Vec::new();
    }
    let said = Announcement::of(payload);
    let look = |name: &str, kind| {
        let value = exchange.call.arguments.and_then(|arguments| arguments.get(name));
        let parameter = tool.parameters().find(|(known, _)| *known == name).map(|(_, schema)| schema);
        let weight = weight(kind, value, parameter)?;
        // "No pier is called 5" says what came of the 5.
        let came_to_nothing = payload.holds_nothing() && value.is_some_and(|value| said.repeats(value));
        if is_announced(&said, name, kind, value) || came_to_nothing {
            return None;
        }
        let finding = finding(exchange, payload, server, weight == Certainty::Proven);
        let (what, reads_as, next) = told(name, kind, value, parameter);
        Some(Finding { mutation: name.to_owned(), ..finding.saying(what, reads_as, next) })
    };
    wrong.iter().filter_map(|mistake| look(mistake.name, mistake.kind)).collect()
}

/// How sure it is that taking this value is wrong; `None` where it does no harm.
fn weight(kind: Kind, value: Option<&Value>, parameter: Option<&Value>) -> Option<Certainty> {
    let types = parameter.map(schema::types).unwrap_or_default();
    let text = value.and_then(Value::as_str).map(str::trim);
    match kind {
        // What has a default is not missed.
        Kind::Missing if parameter.is_some_and(|schema| schema.get("default").is_some()) => None,
        // Nothing, sent for nothing.
        Kind::Type if value.is_some_and(Value::is_null) || text == Some("") => None,
        Kind::Type => match text {
            // A text that can be read as what is wanted was read as that.
            Some(text) if types.iter().any(|name| reads_as(text, name)) => Some(Certainty::Suspected),
            _ => Some(Certainty::Proven),
        },
        Kind::Enum => {
            let allowed = parameter.and_then(|schema| schema.get("enum")?.as_array());
            let is_near = |one: &Value| {
                one.as_str().zip(text).is_some_and(|(one, text)| one.to_lowercase() == text.to_lowercase())
                    || one.to_string().trim_matches('"') == text.unwrap_or_default()
            };
            (!allowed.into_iter().flatten().any(is_near)).then_some(Certainty::Proven)
        }
        Kind::Bound
            if parameter.is_some_and(|schema| text == Some("") && schema.get("minLength").is_some()) =>
        {
            None
        }
        _ => Some(Certainty::Proven),
    }
}

/// Whether a text is a number, a flag or JSON of the type that was wanted.
fn reads_as(text: &str, wanted: &str) -> bool {
    match wanted {
        "integer" | "number" => text.parse::<f64>().is_ok_and(f64::is_finite),
        "boolean" => matches!(text.to_lowercase().as_str(), "0" | "1" | "false" | "no" | "true" | "yes"),
        "array" | "object" => {
            serde_json::from_str::<Value>(text).is_ok_and(|value| schema::type_name(&value) == wanted)
        }
        _ => false,
    }
}

fn is_announced(said: &Announcement<'_>, name: &str, kind: Kind, value: Option<&Value>) -> bool {
    let by_name = match kind {
        Kind::Missing => said.states_another(name, None),
        Kind::Unknown => said.names(name),
        // That it took the very value is what is wrong with it.
        Kind::Type => said.states_another(name, value),
        Kind::Enum | Kind::Bound => {
            said.states_another(name, value) || value.is_some_and(|value| said.repeats(value))
        }
    };
    by_name || said.tells()
}

fn told(
    name: &str,
    kind: Kind,
    value: Option<&Value>,
    parameter: Option<&Value>,
) -> (String, &'static str, String) {
    let sent = shown(name, value);
    let refuse = format!("refuse the call and name `{name}`, or say in the answer what was taken instead");
    match kind {
        Kind::Missing => (
            format!("`{name}` is required and was left out, and the call succeeded without a word about it"),
            "this is what was asked for",
            format!("refuse the call and name `{name}`, or do not list it under `required`"),
        ),
        Kind::Unknown => (
            format!(
                "{sent} is no argument of this tool, its schema allows no others, and the call succeeded without a word about it"
            ),
            "the argument had its effect",
            format!(
                "refuse it as the schema says, with the nearest known name, or say in the answer that `{name}` was ignored"
            ),
        ),
        Kind::Type => (
            format!(
                "{sent} has another type than the schema's {}, and the call succeeded without a word about it",
                parameter.map(schema::types).unwrap_or_default().join(" or ")
            ),
            "the value was understood as it was sent",
            refuse,
        ),
        Kind::Enum => (
            format!(
                "{sent} is none of the values that the schema allows, and the call succeeded without a word about it"
            ),
            "this is what was asked for by that value",
            format!(
                "refuse the call and list the values of `{name}`, or say in the answer which one was taken"
            ),
        ),
        Kind::Bound => (
            format!(
                "{sent} is outside the bounds that the schema states, and the call succeeded without a word about it"
            ),
            "the value was taken as it was sent",
            format!(
                "refuse the call and name the bounds of `{name}`, or say in the answer which value was taken"
            ),
        ),
    }
}

/// A negative number of items, where the schema states no minimum, answered as if it were one.
fn negative_limit(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let (payload, _) = exchange.success().filter(|(payload, _)| !payload.holds_nothing())?;
    let limit = exchange.limit.as_deref().filter(|limit| limit.certain && limit.minimum.is_none())?;
    let asked = exchange.call.arguments?.get(&limit.name).filter(|asked| asked.as_f64() < Some(0.0))?;
    let said = Announcement::of(payload);
    if means_all(exchange.tool, limit) || said.states_another(&limit.name, Some(asked)) || said.tells() {
        return None;
    }
    let name = &limit.name;
    let finding = finding(exchange, payload, server, false).saying(
        format!("`{name}: {asked}` is no number of items, and the call succeeded without a word about it"),
        "these are as many as were asked for",
        format!("refuse it and state the `minimum` of `{name}`, or say in its description what a negative one means"),
    );
    Some(Finding { mutation: name.clone(), ..finding })
}

/// A finding about this answer, at its list or at its first part.
fn finding(exchange: &Exchange<'_>, payload: &Payload, server: &str, is_proven: bool) -> Finding {
    let at = place(payload);
    let (tool, shown) = (exchange.call.name, payload.shown(&at));
    let finding = if is_proven {
        Finding::proven(&DOC, Severity::Error, server, tool, shown)
    } else {
        Finding::suspected(&DOC, server, tool, shown)
    };
    let evidence = payload.outline(&at, EVIDENCE_CHARS);
    exchange.finding(Finding { evidence, ..finding }, &[])
}

fn place(payload: &Payload) -> String {
    let parts = ["/structuredContent", "/content/0/text"];
    let part = || parts.into_iter().find(|part| payload.at(part).is_some_and(|value| !value.is_null()));
    payload.list().map(|list| list.pointer.clone()).or_else(|| part().map(str::to_owned)).unwrap_or_default()
}

fn shown(name: &str, value: Option<&Value>) -> String {
    let value = value.map(ToString::to_string).unwrap_or_default();
    format!("`{name}: {}`", shorten(&value, SHOWN_CHARS))
}
