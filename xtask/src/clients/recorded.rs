//! Whether recordings hold what a client did: each call that it made, with the answer that it got. What may not enter: processes.

use frankly_verdict::transcript::{Answer, Call, Transcript};
use serde_json::{Value, json};

use super::seen::Made;

/// What of the calls is not in the recordings as the client saw it, in words.
pub fn missing(made: &[Made<'_>], recordings: &[Transcript]) -> Vec<String> {
    let mut recorded: Vec<_> = recordings.iter().flat_map(Transcript::calls).collect();
    let look = |made: &Made<'_>| {
        let is_it = |call: &Call<'_>| {
            call.name == made.name
                && json!(call.arguments) == *made.arguments
                && fits(made.answer, call.answer)
        };
        match recorded.iter().position(is_it) {
            Some(at) => {
                recorded.remove(at);
                None
            }
            None => Some(told(made, &recorded)),
        }
    };
    made.iter().filter_map(look).collect()
}

fn told(made: &Made<'_>, left: &[Call<'_>]) -> String {
    let call = format!("{} {}", made.name, made.arguments);
    let is_there = left.iter().any(|call| call.name == made.name && json!(call.arguments) == *made.arguments);
    match is_there {
        true => format!("{call}: recorded with another answer than the client saw"),
        false => format!("{call}: not recorded"),
    }
}

/// Whether a client may have seen this for what is recorded. What it took back, or what it did not take, may have any answer.
fn fits(seen: Option<&Value>, recorded: Answer<'_>) -> bool {
    let Some(seen) = seen else { return true };
    if let Some(result) = seen.get("result") {
        return match recorded {
            Answer::Success(recorded) | Answer::Failure(recorded) => {
                ["content", "structuredContent"].iter().all(|part| alike(&result[*part], &recorded[*part]))
                    && is_error(result) == is_error(recorded)
            }
            Answer::ProtocolError(_) | Answer::Malformed | Answer::None => false,
        };
    }
    let Some(error) = seen.get("error") else { return true };
    matches!(recorded, Answer::ProtocolError(recorded)
        if error["code"] == recorded["code"] && error["message"] == recorded["message"])
}

/// Whether two values are the same: numbers are, however they are written.
fn alike(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_in_other =
                |(key, one): (&String, &Value)| other.get(key).is_some_and(|other| alike(one, other));
            one.len() == other.len() && one.iter().all(is_in_other)
        }
        _ => one == other,
    }
}

fn is_error(result: &Value) -> bool {
    result["isError"].as_bool().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use frankly_verdict::transcript::read_recording;

    use super::super::seen::Seen;
    use super::*;

    fn recording(frames: &[Value]) -> Transcript {
        let header = json!({"frankly": "recording", "version": 1});
        let text: String =
            std::iter::once(&header).chain(frames).map(|line| line.to_string() + "\n").collect();
        read_recording("a", &text).unwrap()
    }

    fn call(id: u64, text: &str) -> Value {
        let params = json!({"name": "answer", "arguments": {"text": text}});
        json!({"from": "client", "msg": {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}})
    }

    fn answer(id: u64, text: &str) -> Value {
        let result = json!({"content": [{"type": "text", "text": text}]});
        json!({"from": "server", "msg": {"jsonrpc": "2.0", "id": id, "result": result}})
    }

    fn seen(text: &str, got: Value) -> Seen {
        let mut told = json!({"saw": "answer", "name": "answer"});
        for (key, value) in got.as_object().unwrap() {
            told[key] = value.clone();
        }
        let call = json!({"saw": "call", "name": "answer", "arguments": {"text": text}});
        Seen::read(&format!("{call}\n{told}\n")).unwrap()
    }

    fn result(text: &str) -> Value {
        json!({"result": {"content": [{"type": "text", "text": text}], "isError": false}})
    }

    #[test]
    fn each_call_needs_one_of_its_own_with_its_answer() {
        let one = recording(&[call(1, "a"), answer(1, "a")]);
        let seen_once = seen("a", result("a"));
        assert_eq!(missing(&seen_once.calls(), std::slice::from_ref(&one)), [""; 0]);
        assert_eq!(
            missing(&seen_once.calls(), &[recording(&[]), one.clone()]),
            [""; 0],
            "of several recordings"
        );
        let mut twice = seen_once.clone();
        twice.append(seen_once);
        assert_eq!(missing(&twice.calls(), &[one]), ["answer {\"text\":\"a\"}: not recorded"]);
    }

    #[test]
    fn another_answer_or_none_is_told() {
        for frames in [vec![call(1, "a"), answer(1, "b")], vec![call(1, "a")]] {
            let missing = missing(&seen("a", result("a")).calls(), &[recording(&frames)]);
            assert!(missing[0].ends_with("another answer than the client saw"), "{missing:?}");
        }
    }

    #[test]
    fn numbers_are_the_same_however_they_are_written() {
        assert!(alike(&json!({"a": [1, "x"]}), &json!({"a": [1.0, "x"]})));
        let others =
            [json!({"a": [1]}), json!({"a": [1, "y"]}), json!({"a": [2, "x"]}), json!({"b": [1, "x"]})];
        assert!(others.iter().all(|other| !alike(&json!({"a": [1, "x"]}), other)));
        assert!(!alike(&json!({}), &json!({"a": null})));
    }

    #[test]
    fn errors_go_by_code_and_message_and_what_was_refused_by_nothing() {
        let error = json!({"code": -32602, "message": "no"});
        let refused = json!({"from": "server", "msg": {"jsonrpc": "2.0", "id": 1, "error": error}});
        let recorded = [recording(&[call(1, "a"), refused])];
        let missing = |got| missing(&seen("a", got).calls(), &recorded).len();
        assert_eq!(missing(json!({"error": error})), 0);
        assert_eq!(missing(json!({"error": {"code": -32602, "message": "yes"}})), 1);
        assert_eq!(missing(json!({"refused by the client": "its shape"})), 0);
        assert_eq!(missing(result("a")), 1);
    }
}
