//! Paths that lead out of where a tool works.

use std::collections::HashSet;

use serde_json::Value;

use super::{DOC, place_of};
use crate::check::failure::Failure;
use crate::check::reading::{Exchange, Reading};
use crate::names::has_word;
use crate::payload::Payload;
use crate::report::shorten;
use crate::{Finding, Severity};

/// Words in the names of arguments that lead to a file or a directory.
const PATHS: &[&str] = &[
    "cwd", "dir", "directory", "file", "filename", "filepath", "folder", "path", "pathname", "paths", "root",
    "uri",
];
/// How a definition or a refusal says that there is an outside.
const FENCES: &[&str] = &[
    "allowed director", "cannot leave", "escapes", "inside", "jail", "must be relative", "no path",
    "not allowed outside", "only files", "outside", "relative to", "sandbox", "traversal", "under the",
    "within",
];
/// What stands in files and directories that every Unix or Windows system has, and no workspace.
const KNOWN: &[&str] = &["root:x:0:0:", "root:*:0:0:", "; for 16-bit app support", "daemon:x:1:"];
/// Entries of `/etc` that stand together nowhere else.
const IN_ETC: &[&str] = &["passwd", "hosts", "group"];

/// Calls that got out.
pub(super) fn look_at(reading: &Reading<'_>) -> Vec<Finding> {
    // A tool that refuses one way out says that there is an outside.
    let refusing: HashSet<&str> = reading
        .exchanges
        .iter()
        .filter_map(Failure::of)
        .filter(|failure| says_fence(&failure.text) && escapes(failure.exchange).is_some())
        .map(|failure| failure.exchange.call.name)
        .collect();
    let look = |exchange| look_at_call(exchange, &refusing, reading.server());
    reading.exchanges.iter().filter_map(look).collect()
}

fn look_at_call(exchange: &Exchange<'_>, refusing: &HashSet<&str>, server: &str) -> Option<Finding> {
    let (name, path) = escapes(exchange)?;
    let (payload, _) = exchange.success().filter(|(payload, _)| !payload.holds_nothing())?;
    let tool = exchange.call.name;
    let is_fenced = refusing.contains(tool) || has_fence(exchange, name, path);
    let known = known_content(payload);
    let is_proven = match (is_fenced, &known) {
        (true, Some(_)) => true,
        // It may have been taken for a path inside.
        (true, None) if !denies(payload) => false,
        // Where nothing says that there is an outside, an absolute path is just a path.
        (false, Some(_)) if !path.starts_with('/') => false,
        _ => return None,
    };
    let at = known.or_else(|| first_text(payload))?;
    let finding = if is_proven {
        Finding::proven(&DOC, Severity::Error, server, tool, payload.shown(&at))
    } else {
        Finding::suspected(&DOC, server, tool, payload.shown(&at))
    };
    let outcome = if is_proven { "what is outside came back" } else { "the call succeeded" };
    let finding = finding.saying(
        format!("`{name}: {:?}` leads out of where the tool works, and {outcome}", shorten(path, 80)),
        "whatever path a text talks the agent into, the tool reads it",
        "resolve the path, links included, and refuse with FORBIDDEN what is not below the root",
    );
    let evidence = payload.at(&at).and_then(Value::as_str).unwrap_or_default();
    let finding = Finding { mutation: name.to_owned(), ..finding.with_evidence(shorten(evidence, 80)) };
    Some(exchange.finding(finding, &[]))
}

/// The argument of a call that is a path out, if one is.
fn escapes<'a>(exchange: &Exchange<'a>) -> Option<(&'a str, &'a str)> {
    let is_path = |name: &str| has_word(name, PATHS);
    let texts = exchange
        .call
        .arguments
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    texts.into_iter().find(|(name, value)| is_path(name) && leads_out(value))
}

/// Whether a path climbs above where it begins, or begins at the root of the machine.
fn leads_out(path: &str) -> bool {
    let decoded = percent_encoding::percent_decode_str(path).decode_utf8_lossy();
    let decoded = percent_encoding::percent_decode_str(&decoded).decode_utf8_lossy().replace('\\', "/");
    let path = decoded.strip_prefix("file://").unwrap_or(&decoded);
    if path.starts_with("/etc") || path.starts_with("/proc") || path.to_lowercase().starts_with("c:/windows")
    {
        return true;
    }
    let mut depth = 0i32;
    path.split('/').any(|part| {
        depth += match part {
            ".." => -1,
            "" | "." => 0,
            _ => 1,
        };
        depth < 0
    })
}

/// Whether the definition says that paths stay inside something.
fn has_fence(exchange: &Exchange<'_>, name: &str, path: &str) -> bool {
    let Some(tool) = exchange.tool else { return false };
    let parameter = tool.parameters().find(|(known, _)| *known == name).map(|(_, schema)| schema);
    let said = parameter.and_then(|schema| schema.get("description")?.as_str()).unwrap_or_default();
    let is_welcome = path.starts_with('/') && said.to_lowercase().contains("absolute");
    !is_welcome && (says_fence(tool.description()) || says_fence(said))
}

fn says_fence(text: &str) -> bool {
    let text = text.to_lowercase();
    FENCES.iter().any(|words| text.contains(words))
}

/// Where something stands that is only in files of the system.
fn known_content(payload: &Payload) -> Option<String> {
    let known = KNOWN.iter().find_map(|content| place_of(payload, content));
    let listed = || {
        let at = place_of(payload, IN_ETC[0])?;
        IN_ETC.iter().all(|name| place_of(payload, name).is_some()).then_some(at)
    };
    known.or_else(listed)
}

/// Whether an answer only says that nothing is there.
fn denies(payload: &Payload) -> bool {
    const DENIALS: &[&str] = &["does not exist", "enoent", "no such", "not exist", "not found", "not_found"];
    let text = payload.at("/content/0/text").map(ToString::to_string).unwrap_or_default().to_lowercase();
    DENIALS.iter().any(|words| text.contains(words))
}

fn first_text(payload: &Payload) -> Option<String> {
    let parts = ["/structuredContent", "/content/0/text"];
    parts.into_iter().find(|part| payload.at(part).is_some_and(|value| !value.is_null())).map(str::to_owned)
}
