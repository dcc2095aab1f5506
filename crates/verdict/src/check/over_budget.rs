//! An answer larger than a model should be given.

mod echo;

use serde_json::Value;

use super::reading::Exchange;
use super::{Check, Reading};
use crate::payload::{bytes_read, estimated_tokens};
use crate::report::grouped;
use crate::transcript::{Answer, SizeBudget};
use crate::{Doc, Example, Expected, Finding, Severity};

/// No tokenizer makes tokens as long as this of text or JSON on average.
const LONGEST_TOKEN: usize = 8;
/// The most bytes of an answer where nobody stated a budget.
const DEFAULT_BYTES: usize = 100_000;

/// See [`DOC`].
pub(super) struct OverBudget;

static DOC: Doc = Doc {
    name: "over-budget",
    what: "an answer larger than the budget",
    why: "What does not fit pushes the task itself out of the agent's context, or is cut by the client, and then reads as \
          the whole. The agent pays for all of it, and for the rest of the conversation too.",
    severity: "error against a budget that was stated (`budget` of the server in frankly.toml); warning against the \
               default of 100,000 bytes, and where the estimated tokens are over a stated budget by less than half. The larger of the texts and the structured content counts, since the one is \
               a copy of the other; tokens are estimated. Silent where the answer fits but for a text that the call itself sent.",
    examples: &[
        Example {
            about: "60 bytes of text against a budget of 40",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1,"budget":{"bytes":40}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_log","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"12:00 started\n12:01 ready\n12:02 request 1\n12:03 request 2\n12:"}]}}}"#,
        },
        Example {
            about: "the same log, cut to its budget and saying so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"budget":{"tokens":12}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_log","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"12:00 started\n[4 lines more: use offset=1]"}]}}}"#,
        },
        Example {
            about: "what was sent comes back",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"budget":{"bytes":64}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"The pier in the north is closed from the first of May to the last of June."}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Echo: The pier in the north is closed from the first of May to the last of June."}]}}}"#,
        },
        Example {
            about: "what was sent comes back twice",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1,"budget":{"bytes":64}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"The pier in the north is closed from the first of May to the last of June."}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The pier in the north is closed from the first of May to the last of June. The pier in the north is closed from the first of May to the last of June."}]}}}"#,
        },
    ],
};

impl Check for OverBudget {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let budget = reading.transcript.budget;
        findings.extend(reading.exchanges.iter().filter_map(|one| look_at(one, budget, reading.server())));
    }
}

fn look_at(exchange: &Exchange<'_>, budget: Option<SizeBudget>, server: &str) -> Option<Finding> {
    let (Answer::Success(result) | Answer::Failure(result)) = exchange.call.answer else { return None };
    // Where the line was cut within a picture, what was left out is no text.
    let cut = exchange.cut_bytes().filter(|_| !is_cut_in_data(result));
    let bytes = cut.unwrap_or_else(|| bytes_read(result));
    let (is_over, severity, limit) = judge(bytes, budget);
    // What the call itself sent and gets back is not the answer's doing.
    if !is_over || !judge(echo::rest(exchange, result, bytes), budget).0 {
        return None;
    }
    let tokens = estimated_tokens(bytes);
    let finding = Finding::proven(&DOC, severity, server, exchange.call.name, "/result").saying(
        format!(
            "the answer is {} bytes long (≈{} tokens); {limit}",
            grouped(bytes as u64),
            grouped(tokens as u64)
        ),
        "whatever is left of it after the client or the context has cut it",
        "answer with less: a page that says how many match and how to get the rest, the head and the tail of a text with \
         the way to its middle, or fewer fields for each item",
    );
    Some(exchange.finding(finding, &[]))
}

/// Whether the kept beginning of an answer ends in the bytes of a picture, of sound or of a blob.
fn is_cut_in_data(result: &Value) -> bool {
    let last = result.get("content").and_then(Value::as_array).and_then(|blocks| blocks.last());
    let data = last.and_then(|block| {
        ["/data", "/resource/blob"].iter().find_map(|at| block.pointer(at)).and_then(Value::as_str)
    });
    // The bytes themselves have no such sign.
    data.is_some_and(|data| data.contains('…'))
}

/// Whether so many bytes are over the budget, how bad that is, and what the budget is.
fn judge(bytes: usize, budget: Option<SizeBudget>) -> (bool, Severity, String) {
    let tokens = estimated_tokens(bytes);
    match budget {
        Some(SizeBudget::Bytes(most)) => {
            (bytes as u64 > most, Severity::Error, format!("the budget is {} bytes", grouped(most)))
        }
        // Tokens are estimated: it is proven where even long ones are too many.
        Some(SizeBudget::Tokens(most)) => {
            let is_sure = (bytes / LONGEST_TOKEN) as u64 > most;
            let severity = if is_sure { Severity::Error } else { Severity::Warning };
            (tokens as u64 > most, severity, format!("the budget is {} tokens", grouped(most)))
        }
        None => {
            let limit = format!("the budget is {} bytes where none is stated", grouped(DEFAULT_BYTES as u64));
            (bytes > DEFAULT_BYTES, Severity::Warning, limit)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Answers;
    use crate::transcript::{Frame, Side, Transcript, frame_line, header_line, read_recording};
    use serde_json::json;

    /// What is found where this is sent and that comes back, in a session and in its recording, which keeps both ends.
    fn found(sent: &str, back: &str) -> [usize; 2] {
        let params = json!({"name": "echo", "arguments": {"text": sent}});
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let content = json!([{"type": "text", "text": back}]);
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {"content": content}});
        let frames = [(Side::Client, call), (Side::Server, answer)];
        let frames = frames.map(|(from, msg)| Frame::from_line(from, msg.to_string())).to_vec();
        let live = Transcript { frames, ..Transcript::default() };
        let lines: Vec<String> =
            std::iter::once(header_line(&live)).chain(live.frames.iter().map(frame_line)).collect();
        let recorded = read_recording("", &(lines.join("\n") + "\n")).unwrap();
        [&live, &recorded].map(|transcript| {
            let mut findings = Vec::new();
            OverBudget.check(&Reading::of(&Answers::of(transcript)), &mut findings);
            findings.len()
        })
    }

    #[test]
    fn a_picture_that_was_cut_is_no_text_and_rows_that_were_cut_are() {
        let found = |content: serde_json::Value| {
            let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "a"}});
            let answer = json!({"jsonrpc": "2.0", "id": 1, "result": content});
            let lines: Vec<String> = [
                header_line(&Transcript::default()),
                frame_line(&Frame::from_line(Side::Client, call.to_string())),
                frame_line(&Frame::from_line(Side::Server, answer.to_string())),
            ]
            .to_vec();
            let recorded = read_recording("", &(lines.join("\n") + "\n")).unwrap();
            assert!(recorded.calls()[0].response.is_some(), "the call was answered");
            let mut findings = Vec::new();
            OverBudget.check(&Reading::of(&Answers::of(&recorded)), &mut findings);
            findings.len()
        };
        let picture = "iVBORw0KGgo".repeat(200_000);
        assert_eq!(
            found(json!({"content": [{"type": "image", "mimeType": "image/png", "data": picture}]})),
            0
        );
        // Cut outside of any text.
        let numbers: Vec<u32> = (0..400_000).collect();
        assert_eq!(found(json!({"content": [], "structuredContent": {"numbers": numbers}})), 1);
    }

    #[test]
    fn an_echo_is_not_over_budget_and_what_comes_with_it_may_be() {
        let sent: String = (0..100_000).map(|number| format!("line {number}\n")).collect();
        let more = "another line\n".repeat(10_000);
        assert!(sent.len() > 1 << 20);
        assert_eq!(found(&sent, &sent), [0, 0]);
        assert_eq!(found(&sent, &format!("{} bytes: {sent}", sent.len())), [0, 0]);
        assert_eq!(found(&sent, &format!("{sent}{more}")), [1, 1]);
        assert_eq!(found("short", &sent), [1, 1]);
    }
}
