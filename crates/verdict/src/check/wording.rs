//! What an error's words are worth to whoever has to go on from them.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::reading::Exchange;
use crate::names::words;

/// Words that every error may have, and that tell no cause.
const EMPTY_WORDS: &[&str] = &[
    "a", "again", "an", "and", "any", "argument", "arguments", "at", "bad", "be", "been", "call", "calling",
    "can", "cannot", "code", "complete", "completed", "contact", "could", "details", "did", "during",
    "encountered", "err", "error", "errors", "exception", "exceptions", "execute", "executing", "execution",
    "exit", "exited", "fail", "failed", "failure", "for", "from", "function", "general", "generic",
    "handling", "has", "have", "http", "https", "in", "inner", "input", "internal", "invalid", "is", "it",
    "later", "mcp", "message", "more", "none", "not", "null", "object", "occured", "occurred", "of", "one",
    "oops", "operation", "or", "our", "param", "parameter", "parameters", "params", "perform", "please",
    "problem", "process", "processing", "request", "response", "result", "returned", "run", "running", "see",
    "server", "service", "something", "sorry", "status", "support", "task", "the", "there", "this", "thrown",
    "to", "tool", "try", "type", "unable", "undefined", "unexpected", "unhandled", "unknown", "unsuccessful",
    "was", "we", "went", "while", "with", "wrong", "you", "your",
];
/// Numbers that tell a cause by themselves.
const TELLING_CODES: &[&str] = &["401", "402", "403", "404", "408", "409", "410", "413", "429", "503", "504"];
/// How a program says that it has a fault of its own.
const OWN_FAULTS: &[&str] = &[
    "attempt to index a nil value", "can't convert undefined", "cannot read propert", "has no attribute",
    "index out of range", "is not a function", "is not iterable", "is not subscriptable",
    "nil pointer dereference", "keyerror: ", "nonetype", "nullpointerexception", "object reference not set",
    "panicked at", "segmentation fault", "undefined is not", "undefined method",
];
/// Words about arguments.
const ABOUT_ARGUMENTS: &[&str] = &[
    "argument", "arguments", "bad request", "expected", "field", "input", "invalid", "missing", "param",
    "params", "parameter", "parameters", "required", "schema", "validation",
];
/// Words about something that is wrong whatever the arguments are.
const ABOUT_ELSE: &[&str] = &[
    "api key", "auth", "connect", "credential", "denied", "disconnect", "reconnect", "unauth",
    "not initialized", "not installed", "not ready", "not running", "not started", "offline", "forbidden",
    "limit", "login", "network", "permission", "quota", "rate", "session", "timed out", "timeout", "token",
    "unavailable", "busy", "database", "locked", "maintenance", "overloaded", "retry", "temporar",
];

/// What may stand behind such a word and leave it the same.
const ENDINGS: &[&str] = &[
    "", "s", "d", "ed", "ing", "ion", "ions", "able", "enticate", "enticated", "entication", "enticating",
    "orization", "orisation", "orized", "orised", "orize", "ily", "arily", "ary", "ried", "rying", "ries",
];

/// What a message says of a tool that is not there.
const NO_TOOL: &[&str] =
    &["method not found", "no such tool", "not a known tool", "unknown method", "unknown tool"];

/// Words of a sentence about a choice or a condition.
const CONDITIONS: &[&str] =
    &["at least one", "either", "one of", " or ", " if ", " unless ", " until ", " when "];
/// How a text goes on after the name of an argument that is missing.
const MISSING_BEHIND: &[&str] = &[
    "field required", "is a required", "is missing", "is required", "is undefined", "missing required",
    "must be given", "must be provided", "not provided", "required", "was not given", "was not provided",
];
/// What stands in a text before the name of an argument that is missing.
const MISSING_AHEAD: &[&str] = &[
    "missing", "missing argument", "missing arguments", "missing field", "missing fields",
    "missing parameter", "missing parameters", "missing properties", "missing property",
    "missing required argument", "missing required arguments", "missing required field",
    "missing required fields", "missing required parameter", "missing required parameters",
    "missing required properties", "missing required property", "needs", "received undefined at",
    "required argument", "required keyword-only argument", "required parameter",
    "required positional argument", "requires", "without",
];

/// Whether a text only says that something failed.
pub(super) fn says_nothing(text: &str, tool: &str) -> bool {
    const LONGEST: usize = 400;
    if text.len() > LONGEST {
        return false;
    }
    let own = words(tool);
    let telling = |word: &str| {
        let is_number = word.chars().all(|c| c.is_ascii_digit());
        let is_empty = EMPTY_WORDS.contains(&word) || own.iter().any(|own| own == word);
        !is_empty && (!is_number || TELLING_CODES.contains(&word))
    };
    !text
        .to_lowercase()
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty())
        .any(telling)
}

/// Whether a text says that there is no such tool.
pub(super) fn is_unknown_tool(text: &str) -> bool {
    let text = text.to_lowercase();
    NO_TOOL.iter().any(|words| text.contains(words))
}

/// Whether a text is about a fault of the program, in its own terms.
pub(super) fn is_own_fault(text: &str) -> bool {
    let text = text.to_lowercase();
    OWN_FAULTS.iter().any(|fault| text.contains(fault))
}

/// Whether a text is about arguments, and about nothing that would come before them.
pub(super) fn is_about_arguments(text: &str) -> bool {
    let lower = text.to_lowercase();
    ABOUT_ARGUMENTS.iter().any(|word| lower.contains(word)) && !is_about_else(text)
}

/// Whether a text is about something that is wrong whatever the arguments are.
pub(super) fn is_about_else(text: &str) -> bool {
    let text = text.to_lowercase();
    ABOUT_ELSE.iter().any(|known| {
        text.match_indices(known).any(|(at, _)| {
            let (before, after) = (&text[..at], &text[at + known.len()..]);
            let end: String = after.chars().take_while(|c| c.is_alphanumeric()).collect();
            // `connect` of "connection", and not `rate` of "generate".
            !before.ends_with(char::is_alphanumeric) && ENDINGS.contains(&end.as_str())
        })
    })
}

/// Whether a text names an argument or repeats its value.
pub(super) fn mentions(text: &str, name: &str, value: Option<&Value>) -> bool {
    let plain = |text: &str| text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let shown = match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(value) => value.to_string(),
    };
    plain(text).contains(&plain(name)) || (!shown.is_empty() && text.contains(&shown))
}

/// Whether a text names an argument of a call, or a parameter of its tool.
pub(super) fn names_an_argument(text: &str, exchange: &Exchange<'_>) -> bool {
    let known = exchange.tool.into_iter().flat_map(ToolDef::parameters).map(|(name, _)| name);
    let sent = exchange.call.arguments.into_iter().flatten().map(|(name, _)| name.as_str());
    known.chain(sent).any(|name| name.len() > 1 && mentions(text, name, None))
}

/// Whether a text says that this argument is missing.
pub(super) fn says_missing(text: &str, name: &str) -> bool {
    if name.is_empty() {
        return false;
    }
    let (text, name) = (text.to_lowercase(), name.to_lowercase());
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_quote = |c: char| c.is_whitespace() || matches!(c, '`' | '\'' | '"' | ':' | ',' | '/');
    text.match_indices(&name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_whole = !before.ends_with(|c| is_part(c) || c == '.') && !after.starts_with(is_part);
        // "missing key 'port'" is about `port`.
        let leads_to_another = after.starts_with(' ') && after.trim_start().starts_with(['`', '\'', '"']);
        let (before, after) = (before.trim_end_matches(is_quote), after.trim_start_matches(is_quote));
        let rest: String = after.chars().take(60).take_while(|c| *c != '\n').collect();
        // "path is missing on disk" is about a file.
        let is_elsewhere =
            ["at", "from", "in", "on"].iter().any(|at| rest.starts_with(&format!("is missing {at} ")));
        // A validator's list of issues: `"path": ["ms"], "message": "Required"`.
        let in_path = before.ends_with('[') && text.contains("\"path\"") && text.contains("required");
        // "requires project rights" is about rights.
        let leads_on = is_adjective(&text[..at], &text[at + name.len()..]);
        is_whole
            && !leads_to_another
            && !is_elsewhere
            && (in_path
                || rest.contains("received undefined")
                || MISSING_BEHIND.iter().any(|said| after.starts_with(said))
                || (!leads_on && MISSING_AHEAD.iter().any(|said| before.ends_with(said))))
    })
}

/// Whether a word without quotes belongs to the next one: `config` in "missing config file".
fn is_adjective(before: &str, after: &str) -> bool {
    const NO_NOUNS: &[&str] = &[
        "and", "are", "argument", "arguments", "as", "but", "field", "for", "in", "is", "key", "must", "or",
        "parameter", "property", "to", "value", "was", "when",
    ];
    let is_quoted = before.ends_with(['`', '\'', '"']);
    let next = after.strip_prefix(' ').and_then(|after| after.split(|c: char| !c.is_alphanumeric()).next());
    !is_quoted && next.is_some_and(|next| !next.is_empty() && !NO_NOUNS.contains(&next))
}

/// Whether a text speaks of a choice or a condition, so that what is missing depends on what else was sent.
pub(super) fn is_conditional(text: &str) -> bool {
    let text = text.to_lowercase();
    CONDITIONS.iter().any(|word| text.contains(word))
}

/// Whether a text says which type was wanted or given.
pub(super) fn names_a_type(text: &str) -> bool {
    let text = text.to_lowercase();
    [
        "array", "boolean", "dict", "expected", "got ", "integer", "list", "number", "object", "received",
        "string", "type",
    ]
    .iter()
    .any(|name| text.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrappers_say_nothing_and_causes_say_something() {
        for text in [
            "",
            "One or more errors occurred.",
            "Error executing tool list_tables",
            "Request failed with status code 500",
            "invalid tool arguments",
            "Something went wrong. Please try again later.",
            "[object Object]",
            "Error: 400",
            "❌ Internal server error",
        ] {
            assert!(says_nothing(text, "list_tables"), "{text}");
        }
        for text in [
            "no table named ordres", "Request failed with status code 404", "rate limited", "Nicht gefunden",
            "timed out", "`id` must be an integer",
        ] {
            assert!(!says_nothing(text, "list_tables"), "{text}");
        }
    }

    #[test]
    fn what_is_about_else_is_told_by_whole_words() {
        for text in [
            "connection refused", "authentication failed", "rate limited", "unauthorized", "retrying",
            "permissions", "temporarily away",
        ] {
            assert!(is_about_else(text), "{text}");
        }
        for text in ["could not generate `author`", "`strategy` is no separate thing", "unlimited"] {
            assert!(!is_about_else(text), "{text}");
        }
    }

    #[test]
    fn an_argument_is_said_to_be_missing_only_where_that_is_said() {
        for text in [
            "ms is required and must be positive",
            "Missing required parameter: 'ms'",
            "missing field `ms`",
            "1 validation error\nms\n  Field required",
            "'ms' is a required property",
            "sleep was called without `ms`",
        ] {
            assert!(says_missing(text, "ms"), "{text}");
        }
        for text in [
            "ms must be a number", "terms is required", "ms.unit is required", "missing ms 'port' in a.toml",
            "ms is missing on disk", "a unit is required for ms", "this tool requires ms admin rights",
            "Missing ms file: run `init` first",
        ] {
            assert!(!says_missing(text, "ms"), "{text}");
        }
    }
}
