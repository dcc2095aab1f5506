//! JSON bodies that are errors and nothing else.

use serde_json::{Map, Value};

use super::handed_on::asks_for;
use super::record::{Denial, denial, has_id, has_state};
use super::shape::{ENVELOPE, TEXTS, is_empty, is_error_list, is_error_object, is_text};
use super::status::{has_title, known_body};
use crate::check::kinds;
use crate::names::{has_word, run_together, singular, words};

/// What a body says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorBody {
    /// The member that says so.
    pub member: String,
    /// Whether nothing in the body speaks against it.
    pub certain: bool,
}

/// Names under which an error says what it is about.
const ERRORS: &[&str] = &["err", "error", "errormessage", "exception", "fault", "traceback"];
/// Other names of a flag that says whether it worked.
const IS_SUCCESS: &[&str] = &["issuccess", "issuccessful", "successful"];
const FAILED: &[&str] = &["err", "error", "fail", "failed", "failure"];
/// Words in the name of a tool whose answer is that something is wrong.
const JUDGES: &[&str] = &[
    "alert", "alerts", "check", "compile", "compiler", "diagnose", "error", "errors", "exception",
    "exceptions", "failure", "failures", "health", "incident", "incidents", "lint", "monitor", "ping",
    "uptime", "validate", "validator", "verify",
];
/// Words in the name of a tool that tells of what may have failed.
const REPORTERS: &[&str] = &[
    "build", "builds", "delivery", "deployment", "deployments", "email", "event", "events", "history", "log",
    "logs", "mail", "message", "messages", "pipeline", "runs", "status", "test", "tests", "trace", "traces",
    "webhook", "workflow",
];
/// Words in the name of a tool that keeps jobs, each with an id and a state.
const KEEPERS: &[&str] = &["job", "jobs", "task", "tasks"];
/// Words in the name of such a tool for what came of a job.
const OUTCOMES: &[&str] = &["outcome", "output", "result", "results"];

/// Whether by its name the answer of a tool is that something is wrong.
pub(super) fn judges(tool: &str) -> bool {
    has_word(tool, JUDGES)
}

/// Whether by its name a tool asks whether something is so: `is_prime`, `can_dock`, `compare_files`.
fn asks(tool: &str) -> bool {
    const ASKING: &[&str] = &[
        "are", "can", "compare", "contains", "contain", "diff", "does", "equal", "equals", "exists", "has",
        "is", "match", "matches", "may", "same", "should", "test", "will",
    ];
    let words = words(tool);
    words.first().is_some_and(|verb| ASKING.contains(&verb.as_str()))
        || words.last().is_some_and(|last| matches!(last.as_str(), "exists" | "matches"))
}

/// How a member says that its body is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// `success: false`, `isError: true`.
    Denies,
    /// `error: "…"`.
    Names,
    /// `status: "failed"`, `status: 404`, `errors: […]`: of the call, or of what the body is about.
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
    /// A value that was sent, as the records of things have it.
    echoes: bool,
    /// By its name, the tool reports on failures of something else.
    reports: bool,
    /// By its name, the tool keeps jobs.
    keeps_jobs: bool,
    /// The record of a job or the like: it has an id, and a state that is a word.
    is_of_a_job: bool,
    /// The only thing said is that it did not work, and that may be a fact of what was asked for.
    denial: Denial,
}

/// How a body says that it is an error, if it does.
///
/// A record about something that failed is data: it has members of its own, such as an id, and stands under its name.
pub(super) fn error_body(body: &Map<String, Value>, tool: &str, arguments: &[&Value]) -> Option<ErrorBody> {
    // Most bodies have none of this, and no more of them is looked at.
    let known = known_body(body);
    let signals = body.iter().filter_map(|(name, value)| Some((name, signal(&run_together(name), value)?)));
    let signals: Vec<(&String, Signal)> = signals.collect();
    if (known.is_none() && signals.is_empty()) || judges(tool) {
        return None;
    }
    let asks = asks(tool);
    let rest = Rest::of(body, tool, arguments);
    let is_asked_for = |name: &str| arguments.iter().any(|argument| asks_for(argument, name));
    if let Some(member) = known.filter(|member| !is_asked_for(member) && !rest.reports) {
        return Some(ErrorBody { member: member.to_owned(), certain: false });
    }
    // "No" is an answer to what asks whether.
    let signals = signals.into_iter().filter(|(_, signal)| !asks || *signal != Signal::Denies);
    let mut found = signals.filter(|(name, _)| !is_asked_for(name)).filter_map(|(name, signal)| {
        let certain = signal.certainty(&rest)?;
        Some(ErrorBody { member: name.clone(), certain })
    });
    let first = found.next()?;
    let certain = first.certain || found.any(|other| other.certain);
    Some(ErrorBody { certain, ..first })
}

fn signal(name: &str, value: &Value) -> Option<Signal> {
    let denies = match value {
        Value::Bool(false) => matches!(name, "ok" | "success" | "succeeded") || IS_SUCCESS.contains(&name),
        Value::Bool(true) => matches!(name, "error" | "iserror" | "failed" | "haserror"),
        _ => false,
    };
    // As a text or a number it may be a count or a name; beside what explains an error it is the flag.
    let is_flag = match value {
        Value::String(text) => text.eq_ignore_ascii_case("false"),
        Value::Number(number) => number.as_u64() == Some(0),
        _ => false,
    } && (matches!(name, "ok" | "success" | "succeeded") || IS_SUCCESS.contains(&name));
    let is_exception = name == "type"
        && value
            .as_str()
            .is_some_and(|kind| kind.ends_with("Exception") && !kind.contains(char::is_whitespace));
    let is_word = || value.as_str().is_some_and(|text| FAILED.contains(&text.to_lowercase().as_str()));
    let is_status = matches!(name, "httpstatus" | "status" | "statuscode");
    // Under another name, and as a text, such a number is any code.
    let is_spelled = is_status || name == "code";
    let code = value.as_u64().or_else(|| value.as_str().filter(|_| is_spelled)?.parse().ok());
    let is_code = code.is_some_and(|code| (400..600).contains(&code));
    if denies {
        Some(Signal::Denies)
    } else if ERRORS.contains(&name) && (is_text(value) || is_error_object(value)) {
        Some(Signal::Names)
    } else if (matches!(name, "outcome" | "result" | "status") && is_word())
        || ((is_status || matches!(name, "code" | "httpcode")) && is_code)
        || (name == "errors" && is_error_list(value))
        || is_flag
        || is_exception
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
            Self::Names | Self::Fails if rest.is_of_a_job => None,
            Self::Denies if rest.is_of_a_job && rest.reports => None,
            Self::Denies if rest.reports => rest.explains.then_some(false),
            Self::Denies if rest.explains => Some(true),
            Self::Denies => match rest.denial {
                Denial::Outcome => Some(true),
                Denial::Doubtful => Some(false),
                Denial::Fact => None,
            },
            Self::Names => Some(!rest.reports && !rest.keeps_jobs),
            Self::Fails => {
                (rest.explains && !rest.reports && !rest.keeps_jobs && !rest.echoes).then_some(false)
            }
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
        let keeps_jobs = is_called(tool, KEEPERS);
        // With an id or a state it is a job that is told of, and else it may be the tool itself.
        let reports_a_job = keeps_jobs && (is_called(tool, OUTCOMES) || has_id(body) || has_state(body));
        Self {
            is_nothing: others.is_empty(),
            has_data: others.iter().any(|(_, value)| value.is_array() || value.is_object()),
            explains: named.iter().any(|(name, value)| {
                TEXTS.contains(&name.as_str())
                    && (is_text(value) || is_error_object(value) || is_error_list(value))
            }) || has_title(&named),
            echoes: body.values().any(|value| arguments.contains(&value)),
            reports: is_called(tool, REPORTERS) || reports_a_job,
            keeps_jobs,
            is_of_a_job: (has_id(body) || is_named_by(body, tool)) && has_state(body),
            denial: denial(&named, tool),
        }
    }
}

/// Whether a body has what its tool is called after under that name: `"job": 7` of `get_job`.
fn is_named_by(body: &Map<String, Value>, tool: &str) -> bool {
    let kinds = kinds::of_tool(tool);
    body.iter().any(|(name, value)| {
        let is_scalar =
            value.is_number() || value.as_str().is_some_and(|text| !text.contains(char::is_whitespace));
        is_scalar && kinds.contains(&singular(&run_together(name)))
    })
}

pub(super) fn is_called(tool: &str, known: &[&str]) -> bool {
    has_word(tool, known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn found(tool: &str, body: Value, sent: &[Value]) -> Option<(String, bool)> {
        let sent: Vec<&Value> = sent.iter().collect();
        error_body(body.as_object().unwrap(), tool, &sent).map(|found| (found.member, found.certain))
    }

    #[test]
    fn a_body_that_is_only_an_error_is_one() {
        for (body, member, certain) in [
            (json!({"success": false, "error_code": "SQL_ERROR", "error": "Table not found"}), "error", true),
            (json!({"success": false}), "success", false),
            (json!({"error": "401 invalid token", "data": null}), "error", true),
            (json!({"error": {"code": 404, "message": "gone"}, "id": "p1"}), "error", true),
            (
                json!({"error": {"type": "index_not_found_exception", "reason": "no such index", "index": "x"}, "status": 404}),
                "error",
                true,
            ),
            (json!({"isError": true, "message": "gone"}), "isError", true),
            (json!({"status": "error", "message": "Paper not found"}), "status", false),
            (json!({"statusCode": 404, "message": "gone"}), "statusCode", false),
            (json!({"code": "500", "message": "backend exploded"}), "code", false),
            (json!({"success": "false", "message": "gone"}), "success", false),
            (json!({"success": 0, "error": null, "message": "gone"}), "success", false),
            (json!({"isSuccess": false, "message": "gone"}), "isSuccess", true),
            (json!({"failed": true, "message": "gone"}), "failed", true),
            (json!({"exception": "KeyError: 'x'"}), "exception", true),
            (json!({"__type": "ThrottlingException", "message": "Rate exceeded"}), "__type", false),
            (json!({"type": "about:blank", "title": "Not Found", "status": 404}), "status", false),
            (json!({"errors": [{"message": "Cannot query field"}], "data": null}), "errors", false),
            (
                json!({"status": "404", "message": "Not Found", "documentation_url": "https://a.test/"}),
                "status",
                false,
            ),
        ] {
            let found = found("get_paper", body.clone(), &[json!("p1")]);
            assert_eq!(found, Some((member.to_owned(), certain)), "{body}");
        }
    }

    #[test]
    fn records_batches_and_reports_are_data() {
        for (tool, body, sent) in [
            ("get_job", json!({"id": "j7", "status": "error", "message": "disk full"}), json!("j7")),
            ("get_row", json!({"ok": false, "name": "pump 3"}), json!("3")),
            ("get_feature_flag", json!({"success": false}), json!("banner")),
            ("is_prime", json!({"ok": false}), json!(4)),
            ("compare_files", json!({"ok": false}), json!("x")),
            ("can_dock", json!({"ok": false, "reason": "the berth is taken"}), json!("Tern")),
            ("get_job", json!({"job": 7, "status": "failed", "error": "exit 1"}), json!(8)),
            ("query", json!({"error": "reset", "code": 500}), json!("SELECT error, code FROM logs LIMIT 1")),
            (
                "get_export",
                json!({"export_id": "e1", "state": "failed", "error": {"code": "E", "message": "disk full"}}),
                json!("e1"),
            ),
            (
                "get_order",
                json!({"order": "o-7", "status": "failed", "message": "card declined"}),
                json!("o-7"),
            ),
            ("get_order", json!({"order": 7, "status": "failed", "message": "card declined"}), json!(7)),
            ("tally", json!({"success": 0, "failure": 3, "rows": 3}), json!("x")),
            ("get_boat", json!({"__type": "Boat", "message": "moored"}), json!("x")),
            ("get_page_info", json!({"title": "Not Found", "author": "Ann", "pages": 310}), json!("x")),
            ("lookup", json!({"code": "511", "title": "Publishing Industries"}), json!("511")),
            (
                "lookup",
                json!({"code": "410", "description": "infarction", "type": "diagnosis"}),
                json!("410"),
            ),
            (
                "get_meta",
                json!({"url": "https://a.test/", "status": 404, "title": "Not Found"}),
                json!("https://a.test/"),
            ),
            (
                "http_get",
                json!({"status": 404, "headers": {"a": "b"}, "body": "no such page"}),
                json!("https://a.test/"),
            ),
            ("search", json!({"results": [{"id": 1}], "error": "engine 2 did not answer"}), json!("x")),
            ("run_tests", json!({"success": false, "tests": [{"name": "a", "ok": false}]}), json!("x")),
            ("list", json!({"items": [], "error": null, "success": true}), json!("x")),
            ("get_event", json!({"error": {"id": "E1", "message": "x", "count": 31}}), json!("E1")),
            ("health_check", json!({"status": "error", "error": "connection refused"}), json!("db")),
            ("validate_json", json!({"valid": false, "error": "Expected a name"}), json!("{")),
            (
                "get_message",
                json!({"id": 3, "to": "a@b.test", "status": "failed", "error": "550 unknown"}),
                json!(3),
            ),
            ("compile", json!({"success": false, "errors": ["a.c:1: expected )"]}), json!("int")),
            (
                "get_diagnostics",
                json!({"errors": [{"line": 3, "message": "unused"}], "warnings": []}),
                json!("a.c"),
            ),
            ("lint", json!({"errors": [{"line": 1}], "warnings": []}), json!("a.c")),
        ] {
            assert_eq!(found(tool, body.clone(), &[sent]), None, "{tool}: {body}");
        }
    }

    #[test]
    fn what_has_something_beside_the_error_leaves_a_doubt() {
        let body = json!({"success": false, "message": "quota", "used": 3});
        assert_eq!(found("send", body, &[]), Some(("success".to_owned(), false)));
        assert_eq!(found("get_event", json!({"error": "disk full"}), &[]), Some(("error".to_owned(), false)));
    }

    #[test]
    fn what_was_done_or_explained_needs_no_more_and_a_tool_of_jobs_may_fail_itself() {
        for (tool, body, certain) in [
            ("delete_paper", json!({"success": false}), true),
            ("move_file", json!({"ok": false, "path": "a"}), true),
            ("get_row", json!({"ok": false, "error": "no such table"}), true),
            ("update_record", json!({"success": false}), true),
            ("query", json!({"success": false}), false),
            (
                "get_order",
                json!({"order_id": "o1", "status": "not_found", "error": "No such order", "message": "o1"}),
                true,
            ),
            ("create_task", json!({"success": false, "error": "The title may not be empty"}), true),
            ("get_task", json!({"error": "disk full"}), false),
            ("get_task_result", json!({"success": false, "error": "disk full"}), false),
            ("get_task", json!({"success": false, "error": "disk full", "task_id": "o1"}), false),
            ("run_tests", json!({"success": false, "message": "2 failed"}), false),
        ] {
            assert_eq!(
                found(tool, body.clone(), &[json!("o1")]).map(|(_, certain)| certain),
                Some(certain),
                "{body}"
            );
        }
    }
}
