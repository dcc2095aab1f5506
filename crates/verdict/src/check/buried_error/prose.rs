//! Texts that are errors from their first words on.

use serde_json::Value;

use super::body::judges;
use super::handed_on::asks_for_texts;
use super::status::{error_of_http, is_crash};
use crate::names::words;

/// Only so many characters at the start of a text are looked at, and only so long a text is one message.
const HEAD_CHARS: usize = 300;
const LONGEST: usize = 4000;
/// Words at the start of a text that fails, whatever comes after them.
const STARTS: &[&str] = &[
    "cannot", "can't", "client error", "could not", "couldn't", "failed to", "fatal", "internal error",
    "internal server error", "mcp error", "request failed", "server error",
    "traceback (most recent call last)", "unable to", "uncaught", "unhandled", "unknown tool",
];
/// Words at the start of a text that fails, where a colon, a code or what was being done comes after them.
const LABELS: &[&str] = &[
    "erreur", "erro", "error", "errore", "exception", "failed", "failure", "fehler", "panic", "ошибка",
    "エラー", "错误", "錯誤",
];
/// Ends of what stands before the first colon of a text that fails.
const ENDS: &[&str] = &["error", "exception", "failed", "failure"];
/// What is said of something that is not there, or not right.
const DENIALS: &[&str] = &[
    "does not exist", "doesn't exist", "is invalid", "is not valid", "no such", "not exist", "not found",
    "unknown",
];
/// Verbs of tools that do something with a text other than handing it on.
const WRITERS: &[&str] = &[
    "add", "append", "close", "commit", "copy", "create", "delete", "edit", "insert", "merge", "move",
    "patch", "post", "pull", "push", "remove", "rename", "reply", "save", "send", "set", "submit", "update",
    "upload", "write",
];
/// Verbs before which such a word is the name of what is looked at.
const LOOKERS: &[&str] = &["fetch", "find", "get", "list", "load", "read", "search", "show", "view"];
/// Words in the names of tools that hand on text that others wrote.
const READERS: &[&str] = &[
    "answer", "article", "ask", "blame", "caption", "captions", "cat", "chat", "comment", "comments",
    "commit", "commits", "content", "contents", "define", "describe", "diff", "doc", "docs", "document",
    "documentation", "download", "email", "explain", "fetch", "file", "files", "guide", "head", "headline",
    "help", "issue", "issues", "log", "logs", "message", "messages", "note", "notes", "ocr", "page", "post",
    "pull", "read", "review", "show", "subject", "subtitles", "summarize", "summary", "tail", "thread",
    "ticket", "tickets", "title", "titles", "transcribe", "transcript", "transcription", "translate", "view",
    "wiki",
];
/// Words in the names of tools that hand on what a program printed.
const RUNNERS: &[&str] = &[
    "bash", "cli", "command", "commands", "console", "eval", "evaluate", "javascript", "js", "output",
    "process", "repl", "script", "shell", "ssh", "terminal",
];
/// How whoever looked for something says that there is none.
const NONE: &[&str] = &["cannot find", "could not find", "couldn't find", "unable to find"];
/// Words in the names of tools for which "not found" is an answer.
const SEEKERS: &[&str] = &[
    "check", "count", "exists", "filter", "find", "grep", "has", "is", "list", "lookup", "match", "query",
    "search", "test",
];

/// Words for what went wrong: who looks for them finds them.
const WRONG: &[&str] = &["error", "exception", "fail", "panic", "traceback"];
/// How a database words an error of its own.
const OF_A_DATABASE: &[&str] =
    &["does not exist", "no such", "operational", "programming", "sql", "syntax", "unknown column"];

/// The line with which a text says that it is an error, if it does.
pub(super) fn error_line<'t>(text: &'t str, tool: &str, arguments: &[&Value]) -> Option<&'t str> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let line = text.lines().next()?;
    let words = words(tool);
    let is = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    if is(RUNNERS) || (judges(tool) && !line.contains(tool)) || is_numbered(line) {
        return None;
    }
    let names_the_tool = !tool.is_empty() && line.contains(tool);
    if !names_the_tool && (is(SEEKERS) && looks_for_errors(arguments) || is_selected(line, arguments)) {
        return None;
    }
    let names_the_call = quotes(line, arguments) || names_the_tool;
    // The verb may stand behind the name of a service: `git_commit`, but not `get_commit`.
    let looks = words.first().is_some_and(|verb| LOOKERS.contains(&verb.as_str()));
    let writes = !looks && words.iter().take(2).any(|verb| WRITERS.contains(&verb.as_str()));
    // A bare `get` hands on whatever was put there.
    let is_bare = matches!(words.as_slice(), [verb] if ["get", "load", "fetch", "recall", "show"].contains(&verb.as_str()));
    let stored = !writes && (is(READERS) || is_bare);
    // A heading and what comes under it are a document, whose heading may be what was asked for.
    let is_document = stored && text.contains("\n\n");
    let names_the_call = names_the_tool || (names_the_call && !is_document);
    let found_none = is(SEEKERS) && NONE.iter().any(|words| plain(line).starts_with(words));
    if let Some(line) = error_of_http(text).filter(|_| !stored) {
        return Some(line);
    }
    let fails = (fails(line) || is_crash(text)) && (names_the_call || !stored) && !found_none;
    let denies = names_the_call && !is(SEEKERS) && denies(line);
    (fails || denies).then_some(line)
}

/// Whether a line is the first of a numbered list: "1. Error: …".
fn is_numbered(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "))
}

/// Whether the caller looks for what has gone wrong somewhere.
fn looks_for_errors(arguments: &[&Value]) -> bool {
    let texts = arguments.iter().filter_map(|value| value.as_str()).map(str::to_lowercase);
    texts.into_iter().any(|text| WRONG.iter().any(|word| text.contains(word)))
}

/// Whether a line is one of the texts that a statement selects, and not what a database says of the statement.
fn is_selected(line: &str, arguments: &[&Value]) -> bool {
    let line = line.to_lowercase();
    arguments.iter().any(|argument| asks_for_texts(argument))
        && !OF_A_DATABASE.iter().any(|words| line.contains(words))
}

/// Whether a line begins as an error does: `Error: …`, `Database error: …`, `ValueError: …`, `Failed to …`.
fn fails(line: &str) -> bool {
    let line = plain(line);
    let after =
        |start: &&str| line.strip_prefix(*start).filter(|rest| !rest.starts_with(char::is_alphanumeric));
    let start = STARTS.iter().any(|start| after(start).is_some())
        || LABELS.iter().filter_map(after).any(is_label)
        || line.split_once(" validation error").is_some_and(|(count, _)| count.parse::<u32>().is_ok());
    let head = line.split([':', '(']).next().unwrap_or_default().trim();
    let is_short = head.len() < line.len() && head.split_whitespace().count() <= 4;
    let negated = ["no ", "0 ", "without "].iter().any(|no| head.starts_with(no));
    // "Error rate: 3 %" and "Errors: 0" are figures.
    let figure = line.split_once(':').is_some_and(|(head, rest)| {
        !ENDS.iter().any(|end| head.trim().ends_with(end))
            && rest.trim().starts_with(|c: char| c.is_ascii_digit())
            && rest.trim().len() < 12
    });
    !figure && (start || (is_short && !negated && ENDS.iter().any(|end| head.ends_with(end))))
}

/// Whether what comes after a word such as "error" makes it the label of one: "Error: …", "Error 404", "Error calling …".
fn is_label(rest: &str) -> bool {
    let rest = rest.trim_start_matches('*');
    let next = rest.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let acts = next.ends_with("ing") && next != "handling";
    let places = ["at", "code", "during", "from", "in", "while", "with"].contains(&next);
    // French sets a space before the colon, Chinese and Japanese have a wide one.
    rest.starts_with([':', ']'])
        || rest.trim_start().starts_with([':', '：'])
        || rest.starts_with(" - ")
        || acts
        || places
        || next.parse::<u32>().is_ok()
}

/// Whether a line says in its first sentence that something is not there.
fn denies(line: &str) -> bool {
    let line = plain(line);
    let sentence = line.split(". ").next().unwrap_or_default();
    DENIALS.iter().any(|denial| sentence.contains(denial)) && !sentence.starts_with("no ")
}

/// The start of a line in lower case, without the signs before its first word.
fn plain(line: &str) -> String {
    let line: String = line.chars().take(HEAD_CHARS).collect::<String>().to_lowercase();
    // A quote or a bracket begins a value, but for the bracket of a label such as `[ERROR]`.
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && !"([{<'\"`".contains(c));
    line.strip_prefix('[').filter(|rest| rest.starts_with(char::is_alphabetic)).unwrap_or(line).to_owned()
}

/// Whether a line repeats what the caller sent.
pub(super) fn quotes(line: &str, arguments: &[&Value]) -> bool {
    arguments.iter().any(|value| match value {
        Value::String(text) => {
            let parts =
                text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | ';' | '\'' | '"'));
            // A short word is in many sentences by chance.
            (text.len() > 2 && line.contains(text.as_str()))
                || parts.filter(|part| part.len() > 4).any(|part| line.contains(part))
        }
        Value::Number(number) => line.contains(&number.to_string()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_selected_text_is_data_and_what_a_database_says_is_none() {
        let sql = json!("SELECT message FROM logs LIMIT 1");
        assert_eq!(error_line("Error: connection reset", "query", &[&sql]), None);
        assert!(error_line("Error: no such table: logs", "query", &[&sql]).is_some());
        assert!(error_line("Error: connection reset", "query", &[&json!("SELECT 1")]).is_some());
    }

    #[test]
    fn errors_are_told_from_figures_findings_and_stored_texts() {
        let sql = json!("SELECT * FROM ordres");
        let key = json!("nope");
        let pattern = json!("Error");
        for (tool, text) in [
            ("execute_query", "Error: (sqlite3.OperationalError) no such table: ordres\n[SQL: …]"),
            ("query", "Database error: Catalog Error: Table with name ordres does not exist!"),
            ("cluster_health", "Error executing cluster_health: AuthenticationException(401)"),
            ("ping", "❌ Node error: Unknown tool: ping. Is the node running?"),
            ("parse", "ValueError: bad literal"),
            ("parse", "Fehler: Verbindung fehlgeschlagen"),
            ("parse", "Erreur : le service est indisponible"),
            ("parse", "Erro: falha na conexão"),
            ("parse", "エラー：データベースに接続できません"),
            ("parse", "错误：无法连接数据库"),
            ("parse", "thread 'main' panicked at src/main.rs:3:5:\nboom"),
            ("parse", "503 Service Unavailable"),
            ("parse", "Traceback (most recent call last):\n  File \"x\""),
            ("parse", "**Error:** quota"),
            ("parse", "[ERROR] quota"),
            ("parse", "Failed to load the model"),
            ("parse", "1 validation error for Model\ncity\n  Field required"),
            ("parse", "MCP error -32602: Input validation error"),
            ("parse", "Error executing query"),
            ("parse", "panic: runtime error: index out of range"),
            ("move_file", "Error: ENOENT: no such file"),
            ("get", "Key not found: nope"),
            ("edit_block", "Search content not found in nope."),
            ("read_file", "Error: cannot open nope"),
            ("git_commit", "Error: nothing is staged"),
            ("git_pull", "Failed to merge"),
        ] {
            assert!(error_line(text, tool, &[&sql, &key]).is_some(), "{tool}: {text}");
        }
        for (tool, text) in [
            ("read_log", "Error: disk full\nretrying"),
            ("read_log", "thread 'main' panicked at src/main.rs:3:5:\nboom"),
            ("read_page", "<html><head><title>404 Not Found</title></head></html>"),
            ("parse", "Fehlerfreie Fahrt seit 2019: Boot Tern"),
            ("parse", "Aucune erreur. Le service est disponible."),
            ("parse", "エラーはありません。船: Tern"),
            ("parse", "404 boats found"),
            ("run_command", "Error: nope"),
            ("get", "Error: stored by someone"),
            ("search", "nope not found"),
            ("search_pages", "Could not find any page in nope. Spaces match exactly."),
            ("parse", "No results for 'nope'."),
            ("parse", "Errors: 0"),
            ("get_docs", "Error handling\n==="),
            ("parse", "Error\n\nAn error is an inaccurate action."),
            ("explain_exception", "KeyError: raised when a key is not found"),
            ("summarize", "Failed states are studied by political scientists."),
            ("parse", "Failed states are studied by political scientists."),
            ("parse", "Error rate: 0.3 %"),
            ("parse", "No errors: all fine"),
            ("parse", "1. row\nmessage: Error: connection refused"),
            ("parse", "[('Error: connection refused',)]"),
            ("parse", "Deleted 3 keys"),
            ("parse", "Errors found: none"),
            ("parse", "1. Error: cannot borrow (E0502)\n2. Exception handling"),
            ("grep", "Error: unknown option\nsrc/a.py:3: raise Error"),
            ("get_issue", "Error: nope cannot be opened (#1)\nstate: open\n\nWhen I open a file"),
            ("get_commit", "Error: handle missing file"),
            ("git_show", "Error: handle missing file\n\ndiff --git a/x b/x"),
            ("ocr", "Error: Something went wrong"),
            ("transcribe", "Failed to see that coming, said Bob."),
            ("evaluate_js", "Error: boom"),
            ("get_page", "nope Not Found\n\nThe code for what does not exist."),
        ] {
            let sent: &[&Value] = if tool == "grep" { &[&pattern] } else { &[&sql, &key] };
            assert_eq!(error_line(text, tool, sent), None, "{tool}: {text}");
        }
    }
}
