//! An error that shows the inside of the server.

use serde_json::{Map, Value};

use super::failure::Failure;
use super::{Check, Reading};
use crate::report::shorten;
use crate::secrets::password_in_url;
use crate::{Doc, Example, Expected, Finding, Severity};

/// Parts of paths that only an installation has.
const INSTALLED: &[&str] = &[
    "/dist-packages/", "/node_modules/", "/site-packages/", "/usr/lib/python", "/usr/local/lib/",
    "\\appdata\\", "\\node_modules\\", "\\site-packages\\",
];
/// How a line of a stack trace begins, of which there are several under one another.
const TRACES: &[&str] = &["File \"", "at ", "from /", "goroutine ", "thread '"];
/// So many of such lines make a trace.
const LEAST_LINES: usize = 2;
const SHOWN_CHARS: usize = 120;

/// See [`DOC`].
pub(super) struct LeakyError;

static DOC: Doc = Doc {
    name: "leaky-error",
    what: "an error with a stack trace, a path of the installation, an internal address, or a credential in a URL",
    why: "It tells the agent nothing that it can act on, fills its context, and tells whoever reads the conversation how the \
          server is built and where it runs.",
    severity: "warning; silent on what the caller itself sent",
    examples: &[
        Example {
            about: "a stack trace",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"pier":"Q"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no pier Q\n    at find (/srv/app/boats.js:12:9)\n    at run (/srv/app/main.js:4:1)"}],"isError":true}}}"#,
        },
        Example {
            about: "where the package is installed",
            expected: Expected::Finding(Severity::Warning, "/error/message"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"pier":"Q"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no pier Q (/opt/venv/lib/python3.11/site-packages/boats/db.py)"}}}"#,
        },
        Example {
            about: "the path that the caller asked for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/w/node_modules/a/index.js"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"NOT_FOUND: /w/node_modules/a/index.js does not exist"}],"isError":true}}}"#,
        },
        Example {
            about: "a cause in words",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"pier":"Q"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no pier Q; try again at 10:00, or see list_piers"}],"isError":true}}}"#,
        },
    ],
};

impl Check for LeakyError {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        for failure in reading.exchanges.iter().filter_map(Failure::of) {
            findings.extend(look_at(&failure, reading.server()));
        }
    }
}

fn look_at(failure: &Failure<'_, '_>, server: &str) -> Option<Finding> {
    let sent = Value::from(failure.exchange.call.arguments.cloned().unwrap_or_else(Map::new)).to_string();
    let (what, shown) = leak(&failure.text, &sent)?;
    let at = failure.pointer.as_str();
    let finding = Finding::suspected(&DOC, server, failure.exchange.call.name, at).saying(
        format!("the error shows {what}"),
        "something to act on, which it is not",
        "say what happened, why and what to do next in a sentence, and keep the rest for the log: an id of the entry will do",
    );
    Some(failure.exchange.finding(finding.with_evidence(shorten(shown.trim(), SHOWN_CHARS)), &[]))
}

/// What of the inside a text shows, with the line that does.
fn leak<'t>(text: &'t str, sent: &str) -> Option<(&'static str, &'t str)> {
    let trace: Vec<&str> = text.lines().filter(|line| is_trace(line)).collect();
    if trace.len() >= LEAST_LINES {
        return Some(("a stack trace", trace[0]));
    }
    let is_sent = |part: &str| sent.contains(part);
    text.lines().find_map(|line| {
        let mut parts = line
            .split(|c: char| c.is_whitespace() || "\"'`()<>,;".contains(c))
            .filter(|part| !part.is_empty());
        parts.find_map(|part| {
            let lower = part.to_lowercase();
            let is_installed = INSTALLED.iter().any(|installed| lower.contains(installed));
            let what = if password_in_url(part).is_some() {
                "a credential in a URL"
            } else if is_installed {
                "a path of the installation"
            } else if is_internal(&lower) {
                "an internal address"
            } else {
                return None;
            };
            (!is_sent(part)).then_some((what, line))
        })
    })
}

/// Whether a line is one of a stack trace: it begins as one, and has a place with a line number.
fn is_trace(line: &str) -> bool {
    let line = line.trim_start();
    let has_place = line.contains(", line ")
        || line.split(':').skip(1).any(|part| part.chars().next().is_some_and(|c| c.is_ascii_digit()));
    TRACES.iter().any(|start| line.starts_with(start)) && has_place
}

/// Whether a URL leads into a private network.
fn is_internal(part: &str) -> bool {
    let Some((scheme, rest)) = part.split_once("://") else { return false };
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    let numbers: Vec<u8> = host.split('.').filter_map(|part| part.parse().ok()).collect();
    let is_private = matches!(numbers[..], [10, _, _, _] | [192, 168, _, _])
        || matches!(numbers[..], [172, second, _, _] if (16..32).contains(&second));
    scheme.chars().all(char::is_alphanumeric)
        && (is_private
            || [".internal", ".local", ".svc", ".cluster.local"].iter().any(|end| host.ends_with(end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inside_is_told_from_what_the_caller_sent() {
        let of = |text: &str| leak(text, "http://10.0.0.7/own").map(|(what, _)| what);
        assert_eq!(of("failed: postgres://app:hunter2@db:5432/x"), Some("a credential in a URL"));
        assert_eq!(of("GET http://10.1.2.3:8080/boats failed"), Some("an internal address"));
        assert_eq!(of("GET http://boats.svc.cluster.local/ failed"), Some("an internal address"));
        let trace = "Traceback (most recent call last):\n  File \"/a.py\", line 3, in x\n  File \"/b.py\", line 9, in y";
        assert_eq!(of(trace), Some("a stack trace"));
        for fine in [
            "GET http://10.0.0.7/own failed",
            "see https://example.org/help",
            "postgres://app:***@db/x is down",
            "look at the log\nat 12:30 the pier closes",
        ] {
            assert_eq!(of(fine), None, "{fine}");
        }
    }
}
