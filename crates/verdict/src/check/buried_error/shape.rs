//! What the parts of an error look like by themselves: its members' names, its texts, its objects and lists.

use serde_json::Value;

use crate::names::words;

/// Names of members that belong to an error, in lower case without punctuation.
pub(super) const ENVELOPE: &[&str] = &[
    "apiversion", "cause", "code", "description", "detail", "details", "documentationurl", "err", "error",
    "errorcode", "errordescription", "errormessage", "errors", "errortype", "exception", "failed", "fault",
    "haserror", "help", "issuccess", "issuccessful", "succeeded", "successful", "hint", "hints", "httpcode",
    "httpstatus", "instance", "iserror", "kind", "message", "metadata", "msg", "name", "next", "nextsteps",
    "ok", "path", "reason", "requestid", "retryafter", "retryable", "stack", "stacktrace", "status",
    "statuscode", "statustext", "success", "suggestion", "suggestions", "timestamp", "title", "tool",
    "traceback", "traceid", "type",
];
/// Names of texts that explain an error.
pub(super) const TEXTS: &[&str] = &[
    "detail", "details", "err", "error", "errordescription", "errormessage", "errors", "exception",
    "message", "msg", "reason", "traceback",
];
/// Members of a finding about a text: a list of these is what a linter or a compiler was asked for.
const PLACES: &[&str] = &["column", "file", "line", "rule", "severity"];

pub(super) fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Whether this is an error's own object, such as `{"code": 404, "message": "…"}`, and not a record of one.
pub(super) fn is_error_object(value: &Value) -> bool {
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

/// Whether these are the errors of the call: objects with a message and without a place in a text.
pub(super) fn is_error_list(value: &Value) -> bool {
    let explains = |item: &Value| {
        let is_place = PLACES.iter().any(|name| item.get(name).is_some());
        !is_place && ["message", "detail"].iter().any(|name| item.get(name).is_some_and(is_text))
    };
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(explains))
}
