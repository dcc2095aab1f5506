//! Calls, joined from frames.

use frankly_contract::ToolCall;
use serde_json::{Map, Value};

use super::Frame;
use super::requests::{Request, Requests};

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
    /// The parameters as they were sent, whatever they are.
    pub(crate) params: Option<&'a Value>,
    /// The places of request and answer in the batches that their frames are, where they are some.
    pub(crate) batched: [Option<usize>; 2],
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
    calls_among(&Requests::of(frames))
}

/// The calls among requests that were joined already.
pub(crate) fn calls_among<'a>(requests: &Requests<'a>) -> Vec<Call<'a>> {
    let calls = requests.all.iter().filter(|request| request.method == "tools/call");
    calls.enumerate().map(|(index, request)| call(index, request)).collect()
}

fn call<'a>(index: usize, request: &Request<'a>) -> Call<'a> {
    let answered = request.answers.first();
    Call {
        index,
        request: request.frame,
        response: answered.map(|(frame, _)| *frame),
        batched: [request.in_batch, request.answer_in_batch],
        name: request.param("name").and_then(Value::as_str).unwrap_or_default(),
        arguments: request.param("arguments").and_then(Value::as_object),
        params: request.params,
        answer: answered.map_or(Answer::None, |(_, msg)| answer(msg)),
    }
}

fn answer(msg: &Value) -> Answer<'_> {
    // Some servers write `"error": null` beside a result.
    let member = |key| msg.get(key).filter(|member: &&Value| key != "error" || !member.is_null());
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
    use crate::transcript::Side;

    fn frames(lines: &[(Side, &str)]) -> Vec<Frame> {
        lines.iter().map(|(from, line)| Frame::from_line(*from, (*line).to_owned())).collect()
    }

    #[test]
    fn a_batch_is_joined_message_by_message_and_contexts_do_not_share_ids() {
        let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}"#;
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
        let batch = frames(&[(Side::Client, &format!("[{call}]")), (Side::Server, &format!("[{answer}]"))]);
        let calls = join_calls(&batch);
        assert_eq!((calls[0].name, calls[0].response, calls[0].batched), ("a", Some(1), [Some(0); 2]));
        let lines =
            [(Side::Client, call), (Side::Client, call), (Side::Server, answer), (Side::Server, answer)];
        let tenants = frames(&lines).into_iter().zip(["x", "y", "x", "y"]);
        let frames: Vec<Frame> = tenants.map(|(frame, tenant)| frame.with_context(tenant.into())).collect();
        let responses: Vec<_> = join_calls(&frames).iter().map(|call| call.response).collect();
        assert_eq!(responses, [Some(2), Some(3)]);
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
