//! What a model wrote as calls of tools, in whatever form its API has them. Judges nothing.

use serde_json::{Map, Value};

use crate::transcript::{Channel, Transcript};

/// A call as a model wrote it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    /// The frame that it stands in.
    pub frame: usize,
    /// The tool, where that is said.
    pub name: Option<String>,
    pub arguments: Map<String, Value>,
}

/// The calls that the model wrote, in their order, as far as a recording has them.
pub(super) fn written(transcript: &Transcript) -> Vec<Written> {
    let frames = transcript.frames.iter().enumerate().filter(|(_, frame)| frame.channel() == Channel::Model);
    frames.flat_map(|(at, frame)| frame.msg().into_iter().flat_map(move |msg| of_message(at, msg))).collect()
}

fn of_message(frame: usize, msg: &Value) -> Vec<Written> {
    let list = |at: &str| msg.pointer(at).and_then(Value::as_array).into_iter().flatten();
    // Chat Completions.
    let chat =
        list("/choices").filter_map(|choice| choice.pointer("/message/tool_calls")?.as_array()).flatten();
    let chat = chat.filter_map(|call| call.get("function"));
    // Responses, and Messages.
    let is_kind = |item: &&Value, kind: &str| item.get("type").is_some_and(|own| own == kind);
    let responses = list("/output").filter(|item| is_kind(item, "function_call"));
    let messages = list("/content").filter(|item| is_kind(item, "tool_use"));
    chat.chain(responses)
        .chain(messages)
        .chain(std::iter::once(msg))
        .filter_map(|call| one(frame, call))
        .collect()
}

/// A call with its arguments as an object, or as the text of one.
fn one(frame: usize, call: &Value) -> Option<Written> {
    let arguments = ["arguments", "input"].iter().find_map(|name| match call.get(name)? {
        Value::Object(members) => Some(members.clone()),
        Value::String(text) => serde_json::from_str(text).ok(),
        _ => None,
    })?;
    let name = call.get("name").and_then(Value::as_str).map(str::to_owned);
    Some(Written { frame, name, arguments })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::{Frame, Side};
    use serde_json::json;

    #[test]
    fn every_form_of_a_call_is_read() {
        for msg in [
            json!({"name": "a", "arguments": {"x": "1"}}),
            json!({"choices": [{"message": {"tool_calls": [{"type": "function", "function": {"name": "a", "arguments": "{\"x\":\"1\"}"}}]}}]}),
            json!({"output": [{"type": "function_call", "name": "a", "arguments": "{\"x\":\"1\"}"}]}),
            json!({"content": [{"type": "text", "text": "ok"}, {"type": "tool_use", "name": "a", "input": {"x": "1"}}]}),
        ] {
            let frame = Frame::from_line(Side::Client, msg.to_string()).on(Channel::Model);
            let found = written(&Transcript { frames: vec![frame], ..Transcript::default() });
            assert_eq!(found.len(), 1, "{msg}");
            assert_eq!((found[0].name.as_deref(), &found[0].arguments["x"]), (Some("a"), &json!("1")));
        }
    }
}
