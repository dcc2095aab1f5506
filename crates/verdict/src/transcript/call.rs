//! Calls, joined from frames.

use std::collections::HashMap;

use frankly_contract::ToolCall;
use serde_json::{Map, Value};

use super::{Frame, Side};

/// What came back for a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Answer<'a> {
    /// A result that is not flagged as an error.
    Success(&'a Value),
    /// A result with `isError: true`.
    Failure(&'a Value),
    /// A JSON-RPC error.
    ProtocolError(&'a Value),
    /// An answer that the protocol does not allow: a result that is no object.
    Malformed,
    /// Nothing.
    None,
}

/// One `tools/call` request and what came back for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Call<'a> {
    /// Position among the `tools/call` requests, from 0.
    pub index: usize,
    /// The frame of the request.
    pub request: usize,
    /// The frame of the answer, if there is one.
    pub response: Option<usize>,
    /// The tool as asked for; empty where the request names none.
    pub name: &'a str,
    /// The arguments; `None` where the request has none, or something that is no object.
    pub arguments: Option<&'a Map<String, Value>>,
    /// What came back.
    pub answer: Answer<'a>,
}

impl Call<'_> {
    /// The call, to be made again.
    #[must_use]
    pub fn to_tool_call(&self) -> ToolCall {
        ToolCall::new(self.name, self.arguments.cloned().unwrap_or_default())
    }
}

/// Joins requests and answers by id and direction; the first answer counts, a call without one is still an
/// attempt.
#[must_use]
pub(super) fn join_calls(frames: &[Frame]) -> Vec<Call<'_>> {
    let mut calls: Vec<Call<'_>> = Vec::new();
    let mut waiting: HashMap<String, usize> = HashMap::new();
    let wire = frames.iter().enumerate().filter(|(_, frame)| frame.is_on_the_wire());
    for (number, frame) in wire {
        match frame.from() {
            Side::Client if frame.method() == Some("tools/call") => {
                if let Some(id) = frame.id() {
                    waiting.insert(id.to_string(), calls.len());
                }
                let params = frame.msg().and_then(|msg| msg.get("params"));
                calls.push(Call {
                    index: calls.len(),
                    request: number,
                    response: None,
                    name: params.and_then(|params| params.get("name")?.as_str()).unwrap_or_default(),
                    arguments: params.and_then(|params| params.get("arguments")?.as_object()),
                    answer: Answer::None,
                });
            }
            Side::Server if frame.is_response() => {
                let Some(position) = frame.id().and_then(|id| waiting.remove(&id.to_string())) else {
                    continue;
                };
                calls[position].response = Some(number);
                calls[position].answer = answer(frame);
            }
            _ => {}
        }
    }
    calls
}

fn answer(frame: &Frame) -> Answer<'_> {
    // Some servers write `"error": null` beside a result.
    let member =
        |key| frame.msg().and_then(|msg| msg.get(key)).filter(|member| key != "error" || !member.is_null());
    match (member("error"), member("result")) {
        (Some(error), _) => Answer::ProtocolError(error),
        (None, Some(result)) if result.get("isError").and_then(Value::as_bool) == Some(true) => {
            Answer::Failure(result)
        }
        (None, Some(result @ Value::Object(_))) => Answer::Success(result),
        (None, Some(_)) => Answer::Malformed,
        (None, None) => Answer::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(lines: &[(Side, &str)]) -> Vec<Frame> {
        lines.iter().map(|(from, line)| Frame::from_line(*from, (*line).to_owned())).collect()
    }

    #[test]
    fn answers_are_joined_by_id_type_and_direction() {
        let frames = frames(&[
            (Side::Client, r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#),
            (Side::Client, r#"{"jsonrpc":"2.0","id":"1","method":"tools/call","params":{"name":"b"}}"#),
            (Side::Server, r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#),
            (Side::Client, r#"{"jsonrpc":"2.0","id":1,"result":{}}"#),
            (Side::Server, r#"{"jsonrpc":"2.0","id":"1","result":{"isError":true}}"#),
            (Side::Server, r#"{"jsonrpc":"2.0","id":1,"result":{"first":true}}"#),
            (Side::Server, r#"{"jsonrpc":"2.0","id":1,"result":{"second":true}}"#),
            (Side::Client, r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"c"}}"#),
        ]);
        let calls = join_calls(&frames);
        assert_eq!(calls.iter().map(|call| call.name).collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(calls.iter().map(|call| call.response).collect::<Vec<_>>(), [Some(5), Some(4), None]);
        assert!(matches!(calls[0].answer, Answer::Success(result) if result.get("first").is_some()));
        assert!(matches!(calls[1].answer, Answer::Failure(_)));
        assert_eq!(calls[2].answer, Answer::None);
    }
}
