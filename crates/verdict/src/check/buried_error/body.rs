//! JSON bodies that are errors and nothing else.

use serde_json::{Map, Value};

use crate::names::words;

/// What a body says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorBody {
    /// The member that says so.
    pub member: String,
    /// Whether nothing in the body speaks against it.
    pub certain: bool,
}

/// Names of members that belong to an error, in lower case without punctuation.
const ENVELOPE: &[&str] = &[
    "apiversion", "cause", "code", "description", "detail", "details", "documentationurl", "err", "error",
    "errorcode", "errordescription", "errormessage", "errors", "errortype", "exception", "fault", "help",
    "hint", "hints", "httpcode", "httpstatus", "instance", "iserror", "kind", "message", "metadata", "msg",
    "name", "next", "nextsteps", "ok", "path", "reason", "requestid", "retryafter", "retryable", "stack",
    "stacktrace", "status", "statuscode", "statustext", "success", "suggestion", "suggestions", "timestamp",
    "title", "tool", "traceback", "traceid", "type",
];
/// Names under which an error says what it is about.
const ERRORS: &[&str] = &["err", "error", "errormessage", "exception", "fault", "traceback"];
/// Names of texts that explain an error.
const TEXTS: &[&str] = &[
    "description", "detail", "details", "err", "error", "errordescription", "errormessage", "errors",
    "exception", "message", "msg", "reason", "title", "traceback",
];
const FAILED: &[&str] = &["err", "error", "fail", "failed", "failure"];
/// Words in the name of a tool whose answer is that something is wrong.
const JUDGES: &[&str] = &[
    "alert", "alerts", "check", "compile", "compiler", "diagnose", "error", "errors", "exception",
    "exceptions", "failure", "failures", "health", "incident", "incidents", "lint", "monitor", "ping",
    "uptime", "validate", "validator", "verify",
];
/// Words in the name of a tool that tells of what may have failed.
const REPORTERS: &[&str] = &[
    "build", "builds", "delivery", "deployment", "deployments", "email", "event", "events", "history", "job",
    "jobs", "log", "logs", "mail", "message", "messages", "pipeline", "runs", "status", "task", "tasks",
    "test", "tests", "trace", "traces", "webhook", "workflow",
];

/// Whether by its name the answer of a tool is that something is wrong.
pub(super) fn judges(tool: &str) -> bool {
    words(tool).iter().any(|word| JUDGES.contains(&word.as_str()))
}

/// How a member says that its body is an error.
#[derive(Debug, Clone, Copy)]
enum Signal {
    /// `success: false`, `isError: true`.
    Denies,
    /// `error: "…"`.
    Names,
    /// `status: "failed"`, `status: 404`: of the call, or of what the body is about.
    Fails,
}

/// What else a body has.
struct Rest {
    /// Nothing but what belongs to an error.
    is_nothing: bool,
    /// Lists or objects.
    has_data: bool,
    /// A text that explains an error.
    explains: bool,
    /// By its name, the tool reports on failures of something else.
    reports: bool,
}

/// How a body says that it is an error, if it does.
///
/// A record about something that failed is data: it has members of its own, such as an id, and stands under its name.
pub(super) fn error_body(body: &Map<String, Value>, tool: &str, arguments: &[&Value]) -> Option<ErrorBody> {
    if judges(tool) {
        return None;
    }
    let rest = Rest::of(body, tool, arguments);
    body.iter().find_map(|(name, value)| {
        let certain = signal(&words(name).concat(), value)?.certainty(&rest)?;
        Some(ErrorBody { member: name.clone(), certain })
    })
}

fn signal(name: &str, value: &Value) -> Option<Signal> {
    let denies = match value {
        Value::Bool(false) => matches!(name, "ok" | "success" | "succeeded"),
        Value::Bool(true) => matches!(name, "error" | "iserror" | "failed"),
        _ => false,
    };
    let is_word = value.as_str().is_some_and(|text| FAILED.contains(&text.to_lowercase().as_str()));
    let code = value.as_u64().or_else(|| value.as_str()?.parse().ok());
    let is_code = code.is_some_and(|code| (400..600).contains(&code));
    if denies {
        Some(Signal::Denies)
    } else if (ERRORS.contains(&name) && (is_text(value) || is_error_object(value)))
        || (name == "errors" && is_error_list(value))
    {
        Some(Signal::Names)
    } else if (matches!(name, "outcome" | "result" | "status") && is_word)
        || (matches!(name, "code" | "httpcode" | "httpstatus" | "status" | "statuscode") && is_code)
    {
        Some(Signal::Fails)
    } else {
        None
    }
}

impl Signal {
    /// Whether a body with this beside it is an error beyond doubt; `None` where it is data.
    fn certainty(self, rest: &Rest) -> Option<bool> {
        if !rest.is_nothing {
            // Beside facts of its own, even a denial may be one of them.
            let denied = matches!(self, Self::Denies) && rest.explains && !rest.has_data && !rest.reports;
            return denied.then_some(false);
        }
        match self {
            Self::Denies if rest.reports => rest.explains.then_some(false),
            Self::Denies => Some(true),
            Self::Names => Some(!rest.reports),
            Self::Fails => (rest.explains && !rest.reports).then_some(true),
        }
    }
}

impl Rest {
    fn of(body: &Map<String, Value>, tool: &str, arguments: &[&Value]) -> Self {
        let named: Vec<_> = body.iter().map(|(name, value)| (words(name).concat(), value)).collect();
        let others: Vec<_> = named
            .iter()
            .filter(|(name, value)| {
                !ENVELOPE.contains(&name.as_str()) && !is_empty(value) && !arguments.contains(value)
            })
            .collect();
        Self {
            is_nothing: others.is_empty(),
            has_data: others.iter().any(|(_, value)| value.is_array() || value.is_object()),
            explains: named.iter().any(|(name, value)| {
                TEXTS.contains(&name.as_str()) && (is_text(value) || is_error_object(value))
            }),
            reports: words(tool).iter().any(|word| REPORTERS.contains(&word.as_str())),
        }
    }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether this is an error's own object, such as `{"code": 404, "message": "…"}`, and not a record of one.
fn is_error_object(value: &Value) -> bool {
    const RECORD: &[&str] = &["count", "id", "seen"];
    value.as_object().is_some_and(|members| {
        let names: Vec<_> = members.keys().map(|name| words(name)).collect();
        let explains = names.iter().any(|words| TEXTS.contains(&words.concat().as_str()));
        let known = names.iter().all(|words| ENVELOPE.contains(&words.concat().as_str()));
        let records =
            names.iter().any(|words| words.last().is_some_and(|last| RECORD.contains(&last.as_str())));
        !members.is_empty() && (known || (explains && !records))
    })
}

/// Whether these are the errors of the call: texts, or objects with a message.
fn is_error_list(value: &Value) -> bool {
    let explains = |item: &Value| {
        is_text(item) || ["message", "detail", "title"].iter().any(|name| item.get(name).is_some_and(is_text))
    };
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(explains))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(tool: &str, body: Value) -> Option<(String, bool)> {
        let id = json!("p1");
        error_body(body.as_object().unwrap(), tool, &[&id]).map(|found| (found.member, found.certain))
    }

    #[test]
    fn a_body_that_is_only_an_error_is_one() {
        for (body, member) in [
            (json!({"status": "error", "message": "Paper not found"}), "status"),
            (json!({"success": false, "error_code": "SQL_ERROR", "error": "Table not found"}), "error"),
            (json!({"success": false}), "success"),
            (json!({"error": "401 invalid token", "data": null}), "error"),
            (json!({"error": {"code": 404, "message": "gone"}, "id": "p1"}), "error"),
            (json!({"statusCode": 404, "message": "gone"}), "statusCode"),
            (json!({"isError": true, "message": "gone"}), "isError"),
            (json!({"errors": [{"message": "Cannot query field"}], "data": null}), "errors"),
            (
                json!({"status": "404", "message": "Not Found", "documentation_url": "https://a.test/"}),
                "status",
            ),
            (
                json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": "no pod"}),
                "status",
            ),
        ] {
            assert_eq!(found("get_paper", body.clone()), Some((member.to_owned(), true)), "{body}");
        }
    }

    #[test]
    fn records_batches_and_reports_are_data() {
        for (tool, body) in [
            ("get_job", json!({"id": "j7", "status": "error", "message": "disk full"})),
            ("get_job", json!({"status": "failed", "message": "disk full"})),
            ("get_order", json!({"order": 7, "status": "failed", "message": "card declined"})),
            ("http_get", json!({"status": 404, "headers": {"a": "b"}, "body": "no such page"})),
            ("search", json!({"results": [{"id": 1}], "error": "engine 2 did not answer"})),
            ("run_tests", json!({"success": false, "tests": [{"name": "a", "ok": false}]})),
            ("list", json!({"items": [], "error": null, "success": true})),
            ("get_event", json!({"error": {"id": "E1", "type": "TypeError", "message": "x", "count": 31}})),
            ("health_check", json!({"status": "error", "error": "connection refused"})),
            ("validate_json", json!({"valid": false, "error": "Expected a name"})),
            ("get_message", json!({"id": 3, "to": "a@b.test", "status": "failed", "error": "550 unknown"})),
            ("compile", json!({"success": false, "errors": ["a.c:1: expected )"]})),
            ("lint", json!({"errors": [{"line": 1}], "warnings": []})),
        ] {
            assert_eq!(found(tool, body.clone()), None, "{tool}: {body}");
        }
    }

    #[test]
    fn what_has_something_beside_the_error_leaves_a_doubt() {
        let body = json!({"success": false, "message": "quota", "used": 3});
        assert_eq!(found("send", body), Some(("success".to_owned(), false)));
        assert_eq!(found("get_event", json!({"error": "disk full"})), Some(("error".to_owned(), false)));
    }
}
