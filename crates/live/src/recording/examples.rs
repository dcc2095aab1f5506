//! Arguments that worked: what an agent really asked, for probes to begin with.

use std::collections::BTreeMap;

use frankly_verdict::transcript::{Answer, Transcript};
use serde_json::{Map, Value};

/// So many of one tool are kept: each is a call of its own.
const MOST: usize = 3;
/// How a placeholder for a credential begins.
const REDACTED: &str = "<redacted ";

/// The arguments of the calls of a recording that had a result, by tool: the first few of each, every one once. What holds a
/// placeholder for a credential is left out, since no server knows it.
///
/// ```
/// use frankly_live::recording::examples;
/// use frankly_verdict::transcript::read_recording;
///
/// let recording = r#"{"frankly":"recording","version":1}
/// {"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"tea"}}}}
/// {"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[]}}}
/// "#;
/// let examples = examples(&read_recording("notes", recording)?);
/// assert_eq!(examples["search"][0]["query"], "tea");
/// # Ok::<(), frankly_verdict::transcript::RecordingError>(())
/// ```
#[must_use]
pub fn examples(transcript: &Transcript) -> BTreeMap<String, Vec<Map<String, Value>>> {
    let mut examples: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for call in transcript.calls() {
        let Answer::Success(_) = call.answer else { continue };
        let arguments = call.arguments.cloned().unwrap_or_default();
        let known = examples.entry(call.name.to_owned()).or_default();
        if known.len() < MOST && !known.contains(&arguments) && !is_redacted(&arguments) {
            known.push(arguments);
        }
    }
    examples.retain(|_, known| !known.is_empty());
    examples
}

fn is_redacted(arguments: &Map<String, Value>) -> bool {
    Value::from(arguments.clone()).to_string().contains(REDACTED)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_verdict::transcript::{Frame, Side};
    use serde_json::json;

    #[test]
    fn only_what_worked_is_an_example_and_each_once() {
        let call = |id: u64, arguments: Value, answer: Value| {
            let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "a", "arguments": arguments}});
            let mut answered = json!({"jsonrpc": "2.0", "id": id});
            answered["result"] = answer;
            [
                Frame::from_line(Side::Client, request.to_string()),
                Frame::from_line(Side::Server, answered.to_string()),
            ]
        };
        let fine = || json!({"content": []});
        let frames = [
            call(1, json!({"q": 1}), json!({"isError": true})),
            call(2, json!({"q": 2}), fine()),
            call(3, json!({"q": 2}), fine()),
            call(4, json!({"q": "<redacted 1: an API key>"}), fine()),
            call(5, json!({"q": 3}), fine()),
            call(6, json!({"q": 4}), fine()),
            call(7, json!({"q": 5}), fine()),
        ];
        let transcript =
            Transcript { frames: frames.into_iter().flatten().collect(), ..Transcript::default() };
        let known: Vec<Value> = examples(&transcript)["a"].iter().map(|one| one["q"].clone()).collect();
        assert_eq!(known, [2, 3, 4]);
    }
}
