//! JSON that was cut in the middle.

use serde_json::Value;
use serde_json::error::Category;

use super::reading::Exchange;
use super::{Check, Reading};
use crate::names::has_word;
use crate::report::shorten;
use crate::transcript::Answer;
use crate::{Doc, Example, Expected, Finding, Severity};

/// What is shorter is no document.
const LEAST_CHARS: usize = 20;
const SHOWN_CHARS: usize = 60;
/// Words in the names of tools, and of arguments, by which a part of a text is asked for: what comes back is that part.
const READERS: &[&str] = &[
    "cat", "chunk", "content", "contents", "download", "fetch", "file", "files", "grep", "head", "line",
    "lines", "log", "logs", "output", "range", "read", "slice", "tail",
];
/// How a cut is marked.
const MARKS: &[&str] =
    &["characters", "chars", "cut", "dropped", "elided", "left out", "more", "omitted", "truncated"];

/// See [`DOC`].
pub(super) struct BrokenCut;

static DOC: Doc = Doc {
    name: "broken-cut",
    what: "a text that begins as JSON and was cut in the middle, so that it is JSON no more",
    why: "A program cannot read it at all. A model reads what is left as the whole, or joins the two ends of a gap into one \
          item that never was.",
    severity: "error; silent where the tool or the call asks for a part of a text, since a part of a JSON file is no JSON",
    examples: &[
        Example {
            about: "a list with its middle dropped",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":1,\"pier\":\"N\"},{\"id\":2\n... 940 characters dropped ...\n\"pier\":\"S\"},{\"id\":40}]"}]}}}"#,
        },
        Example {
            about: "an object that ends where the budget did",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"boats\":[{\"id\":1,\"pier\":\"N\"},{\"id\":2,\"pi"}]}}}"#,
        },
        Example {
            about: "a preview that is JSON itself, with the way to the whole",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"preview\":[{\"id\":1}],\"matched\":40,\"truncated\":true,\"next_cursor\":\"b\"}"}]}}}"#,
        },
        Example {
            about: "the first lines of a JSON file, as they were asked for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"boats.json","head":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"boats\":[\n  {\"id\":1,\"pier\":\"N\"},"}]}}}"#,
        },
        Example {
            about: "a log whose lines begin with a bracket",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_state","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[12:00] \"boat 1\" left\n... 12 lines omitted ...\n[12:09] \"boat 2\" came"}]}}}"#,
        },
    ],
};

impl Check for BrokenCut {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        findings.extend(reading.exchanges.iter().filter_map(|exchange| look_at(exchange, reading.server())));
    }
}

fn look_at(exchange: &Exchange<'_>, server: &str) -> Option<Finding> {
    let (Answer::Success(result) | Answer::Failure(result)) = exchange.call.answer else { return None };
    if exchange.cut_bytes().is_some() || asks_for_a_part(exchange) {
        return None;
    }
    let blocks = result.get("content").and_then(Value::as_array)?;
    let texts =
        blocks.iter().enumerate().filter_map(|(index, block)| Some((index, block.get("text")?.as_str()?)));
    let (index, (cut, what)) = texts.into_iter().find_map(|(index, text)| Some((index, broken(text)?)))?;
    let pointer = format!("/result/content/{index}/text");
    let finding = Finding::proven(&DOC, Severity::Error, server, exchange.call.name, pointer).saying(
        format!("the text begins as JSON, and {what}"),
        "what is left is all there is, and the two ends belong together",
        "cut whole items and not characters: a shorter list that is JSON, with how many match and how to get the rest; or \
         keep the whole elsewhere and say where",
    );
    Some(exchange.finding(finding.with_evidence(cut), &[]))
}

fn asks_for_a_part(exchange: &Exchange<'_>) -> bool {
    let arguments = exchange.call.arguments.into_iter().flatten().map(|(name, _)| name.as_str());
    std::iter::once(exchange.call.name).chain(arguments).any(|name| has_word(name, READERS))
}

/// Where a document was cut, and how, if it was.
fn broken(text: &str) -> Option<(String, String)> {
    let text = text.trim();
    let begins = text.starts_with(['{', '[']) && text.len() >= LEAST_CHARS;
    let error = begins.then(|| serde_json::from_str::<serde::de::IgnoredAny>(text).err())??;
    if error.classify() == Category::Eof {
        let from = text.char_indices().rev().nth(SHOWN_CHARS).map_or(0, |(at, _)| at);
        return Some((format!("…{}", &text[from..]), "ends in the middle".to_owned()));
    }
    // A document that was read so far holds at least one whole member or item.
    let at = offset(text, error.line(), error.column());
    let has_read = ["\":", "\",", "},", "],"].iter().any(|part| text[..at].contains(part));
    let mark = text.lines().skip(error.line().saturating_sub(1)).take(2).find(|line| is_mark(line))?;
    has_read.then(|| {
        (
            shorten(mark, SHOWN_CHARS),
            format!("its middle is left out: {:?}", shorten(mark.trim(), SHOWN_CHARS)),
        )
    })
}

/// The place of an error in a text, in bytes and at a character's start.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let at = (before + column).min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()
}

/// Whether a line of a broken document says that something was left out.
fn is_mark(line: &str) -> bool {
    let lower = line.to_lowercase();
    (lower.contains("...") || lower.contains('…') || lower.contains('['))
        && MARKS.iter().any(|mark| lower.contains(mark))
        || matches!(line.trim(), "..." | "…" | "[...]" | "[…]")
}
