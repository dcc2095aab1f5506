//! The calls of a recording, as expectations look at them. What may not enter: what is expected.

use frankly_contract::key_among;
use serde_json::{Map, Value};

use super::{Made, Whose};
use crate::transcript::Transcript;

/// The calls of a transcript, each with its place in the order of frames.
///
/// Under whose name a call ran is what the `context` of its request says (`tenant`, `user`, `run_id`). Its key is the
/// `idempotency_key` there, or else an argument that is called like one.
///
/// ```
/// use frankly_verdict::expect::{CallLog, Expectation};
/// use frankly_verdict::transcript::read_recording;
///
/// let recording = r#"{"frankly":"recording","version":1}
/// {"from":"client","context":{"tenant":"acme"},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}}
/// "#;
/// let transcript = read_recording("flights", recording)?;
/// let log = CallLog::of(&transcript);
/// let acme = Expectation::Context { tenant: Some("globex".into()), user: None, run_id: None };
/// assert_eq!(
///     acme.miss(&log.made()).map(|miss| miss.to_string()).as_deref(),
///     Some("call 1: `search` ran under tenant `acme`, expected `globex`")
/// );
/// # Ok::<(), frankly_verdict::transcript::RecordingError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CallLog(Vec<Logged>);

#[derive(Debug, Clone, PartialEq)]
struct Logged {
    name: String,
    arguments: Map<String, Value>,
    context: Option<Value>,
    key: Option<String>,
    request: usize,
    response: Option<usize>,
}

impl CallLog {
    /// The calls of a transcript.
    #[must_use]
    pub fn of(transcript: &Transcript) -> Self {
        let mut log = Self::default();
        for call in transcript.calls() {
            let context = transcript.frames.get(call.request).and_then(|frame| frame.context()).map(as_texts);
            let arguments = call.arguments.cloned().unwrap_or_default();
            let key = key(context.as_ref(), &arguments);
            let name = call.name.to_owned();
            log.0.push(Logged {
                name,
                arguments,
                context,
                key,
                request: call.request,
                response: call.response,
            });
        }
        log
    }

    /// The calls, to be held against expectations.
    #[must_use]
    pub fn made(&self) -> Vec<Made<'_>> {
        self.0.iter().map(Logged::made).collect()
    }

    /// The frames of a call: its request and its answer.
    #[must_use]
    pub fn frames(&self, call: usize) -> Vec<usize> {
        self.0
            .get(call)
            .into_iter()
            .flat_map(|call| std::iter::once(call.request).chain(call.response))
            .collect()
    }
}

impl Logged {
    fn made(&self) -> Made<'_> {
        Made {
            whose: self.context.as_ref().and_then(whose),
            key: self.key.as_deref(),
            began: self.request as u64,
            ended: self.response.map(|at| at as u64),
            ..Made::new(&self.name, &self.arguments)
        }
    }
}

/// Whose a call is; nobody's where a context says neither tenant, user nor run.
fn whose(context: &Value) -> Option<Whose<'_>> {
    let member = |name| context.get(name).and_then(Value::as_str);
    let whose = Whose { tenant: member("tenant"), user: member("user"), run_id: member("run_id") };
    let is_somebodys = [whose.tenant, whose.user, whose.run_id].iter().any(Option::is_some);
    is_somebodys.then_some(whose)
}

/// A context whose numbers and booleans are texts: expectations are written as texts.
fn as_texts(context: &Value) -> Value {
    let as_text = |value: &Value| match value {
        Value::Number(_) | Value::Bool(_) => Value::String(value.to_string()),
        other => other.clone(),
    };
    match context.as_object() {
        Some(parts) => parts.iter().map(|(part, value)| (part.clone(), as_text(value))).collect(),
        None => context.clone(),
    }
}

/// The key of a call: what an argument with such a name says, else what its context does.
fn key(context: Option<&Value>, arguments: &Map<String, Value>) -> Option<String> {
    let bound = || context?.get("idempotency_key")?.as_str().map(str::to_owned);
    key_among(arguments).map(|(_, key)| key).or_else(bound)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::expect::Expectation;
    use crate::transcript::{Frame, Side};

    #[test]
    fn a_context_without_a_tenant_is_one_and_numbers_are_texts() {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search"}});
        let call = Frame::from_line(Side::Client, call.to_string());
        let told = |context: Value, user: &str| {
            let transcript =
                Transcript { frames: vec![call.clone().with_context(context)], ..Transcript::default() };
            let wanted = Expectation::Context { tenant: None, user: Some(user.to_owned()), run_id: None };
            wanted.miss(&CallLog::of(&transcript).made()).map(|miss| miss.to_string()).unwrap_or_default()
        };
        assert_eq!(told(json!({"user": "u_7"}), "u_7"), "");
        assert_eq!(told(json!({"user": 7}), "7"), "");
        assert_eq!(told(json!({"user": 7}), "8"), "call 1: `search` ran under user `7`, expected `8`");
        assert_eq!(told(json!({"tenant": "acme"}), "7"), "call 1: `search` ran without a user, expected `7`");
        assert!(told(json!({"region": "eu"}), "7").starts_with("call 1: `search` ran without a run context"));
    }
}
