//! A default that is another one than the schema says: the proof of the rule of the same name.

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

mod doc;

use super::Check;
use super::beside::{Beside, is_same};
use super::effects::writes;
use super::reading::{Exchange, Reading};
use crate::payload::Payload;
use crate::report::{counted, shorten};
use crate::{Doc, Finding, Severity};
use doc::DOC;

const EVIDENCE_CHARS: usize = 160;
const SHOWN_CHARS: usize = 60;

/// See [`DOC`].
pub(super) struct DefaultDrift;

impl Check for DefaultDrift {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let beside = Beside::of(reading);
        findings.extend(reading.exchanges.iter().filter_map(|one| look_at(one, &beside, reading.server())));
    }
}

fn look_at<'a>(exchange: &Exchange<'a>, beside: &Beside<'_, 'a>, server: &str) -> Option<Finding> {
    let tool = exchange.tool.filter(|tool| !writes(tool.name(), Some(tool)))?;
    let (payload, _) = exchange.success()?;
    let spelled = spelled_out(tool, exchange.call.arguments?);
    let names: Vec<&str> = spelled.iter().map(|(name, _)| *name).collect();
    if names.is_empty() {
        return None;
    }
    let [before, after] = beside.without_all(exchange, &names).still()?;
    let (other, _) = before.success()?;
    if is_same(exchange, before) || is_echo(payload, other, &spelled) {
        return None;
    }
    let (mine, theirs) = (payload.list(), other.list());
    let counts = mine.as_ref().zip(theirs.as_ref()).filter(|(mine, theirs)| mine.len != theirs.len);
    let difference = counts.map_or_else(String::new, |(mine, theirs)| {
        format!(": {} with it, {} without", counted(mine.len, "item"), theirs.len)
    });
    let at = mine.map(|list| list.pointer.clone()).or_else(|| part(payload)).unwrap_or_default();
    let shown: Vec<_> = spelled
        .iter()
        .map(|(name, value)| format!("`{name}: {}`", shorten(&value.to_string(), SHOWN_CHARS)))
        .collect();
    let (shown, is_one) = (shown.join(", "), names.len() == 1);
    let finding = Finding::proven(&DOC, Severity::Error, server, tool.name(), payload.shown(&at)).saying(
        format!(
            "the schema says that {shown} {}, and the answer is another one when {} left out{difference}",
            if is_one { "is the default" } else { "are the defaults" },
            if is_one { "it is" } else { "they are" },
        ),
        "leaving it out is the same as what the schema states",
        "let the code take its default from the schema, or the schema from the code",
    );
    let finding =
        Finding { mutation: names.join(" "), evidence: payload.outline(&at, EVIDENCE_CHARS), ..finding };
    Some(exchange.finding(finding, &[before, after]))
}

/// The arguments that are just what the schema says they are when left out.
fn spelled_out<'a>(tool: &'a ToolDef, arguments: &'a Map<String, Value>) -> Vec<(&'a str, &'a Value)> {
    let default = |name: &str| tool.parameters().find(|(known, _)| *known == name)?.1.get("default");
    let is_default = |(name, value): &(&String, &Value)| {
        default(name).is_some_and(|default| {
            default == *value || (default.is_number() && default.as_f64() == value.as_f64())
        })
    };
    arguments.iter().filter(is_default).map(|(name, value)| (name.as_str(), value)).collect()
}

/// Whether two answers differ in nothing but that one repeats the arguments.
fn is_echo(one: &Payload, other: &Payload, spelled: &[(&str, &Value)]) -> bool {
    let items = |payload: &Payload| payload.list().and_then(|list| payload.at(&list.pointer).cloned());
    match (items(one), items(other)) {
        (Some(mine), Some(theirs)) => mine == theirs,
        _ => {
            let parts = ["/structuredContent", "/content"];
            let without = |value: Option<&Value>| value.map(|value| without(value, spelled));
            parts.into_iter().all(|part| without(one.at(part)) == without(other.at(part)))
        }
    }
}

/// A value without the members that are called like arguments, and without their values in its texts.
fn without(value: &Value, spelled: &[(&str, &Value)]) -> Value {
    match value {
        Value::Object(members) => {
            let others = members.iter().filter(|(name, _)| !spelled.iter().any(|(known, _)| known == name));
            Value::Object(others.map(|(name, value)| (name.clone(), without(value, spelled))).collect())
        }
        Value::Array(items) => items.iter().map(|item| without(item, spelled)).collect(),
        Value::String(text) => {
            let is_told = |(name, value): &(&str, &Value)| {
                text.contains(name) || text.contains(value.to_string().trim_matches('"'))
            };
            if spelled.iter().any(is_told) { Value::Null } else { value.clone() }
        }
        _ => value.clone(),
    }
}

fn part(payload: &Payload) -> Option<String> {
    let parts = ["/structuredContent", "/content/0/text", "/content"];
    parts.into_iter().find(|part| payload.at(part).is_some_and(|value| !value.is_null())).map(str::to_owned)
}
