//! Calls that are none, which a probe sends on purpose: what came of one is told, and nobody is given another call to
//! make in its place.

use frankly_verdict::transcript::{Answer, Call, Transcript};
use frankly_verdict::{Finding, outage};
use serde_json::Value;

use crate::session::Closed;

/// The finding of a server that ended: `what` is what it did.
pub(super) fn died(closed: &Closed, what: &str) -> Finding {
    let calls = closed.transcript.calls();
    let Some(last) = last_words(&closed.transcript, &calls) else {
        return outage::died(&closed.transcript, what, &closed.stderr);
    };
    // Told without the calls, of which the last would be taken for what was under way.
    let silent = Transcript { server: closed.transcript.server.clone(), ..Transcript::default() };
    let what = format!("{what} after a message that is no request");
    let finding = outage::died(&silent, &what, &closed.stderr);
    Finding { frames: vec![last.request], calls: vec![last.index], ..finding }
}

/// The malformed call after which nothing was answered any more.
fn last_words<'c, 't>(transcript: &Transcript, calls: &'c [Call<'t>]) -> Option<&'c Call<'t>> {
    let unanswered = calls.iter().rev().take_while(|call| call.answer == Answer::None);
    unanswered.filter(|call| is_malformed(transcript, call)).last()
}

/// Takes the calls off these findings where not all of them can be made again as they were.
pub(crate) fn without_replay(transcript: &Transcript, findings: &mut [Finding]) {
    let calls = transcript.calls();
    let malformed: Vec<usize> =
        calls.iter().filter(|call| is_malformed(transcript, call)).map(|call| call.index).collect();
    for finding in findings {
        if finding.calls.iter().any(|call| malformed.contains(call)) {
            finding.replay.clear();
        }
    }
}

/// Whether this asks for no tool by name, or gives arguments that are none.
fn is_malformed(transcript: &Transcript, call: &Call<'_>) -> bool {
    let params = transcript.frames.get(call.request).and_then(|frame| frame.msg()?.get("params"));
    let arguments = params.and_then(|params| params.get("arguments"));
    call.name.is_empty() || arguments.is_some_and(|arguments| !matches!(arguments, Value::Object(_)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use frankly_verdict::transcript::{Frame, Side};
    use serde_json::json;

    use super::*;

    fn closed(exchanges: &[(Value, bool)]) -> Closed {
        let mut frames = Vec::new();
        for (id, (params, answered)) in exchanges.iter().enumerate() {
            let mut request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
            if params.is_null() {
                request.as_object_mut().unwrap().remove("params");
            }
            frames.push(Frame::from_line(Side::Client, request.to_string()));
            if *answered {
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
                frames.push(Frame::from_line(Side::Server, answer.to_string()));
            }
        }
        let transcript = Transcript { frames, ..Transcript::default() };
        Closed {
            transcript,
            status: None,
            stderr: Vec::new(),
            instead: BTreeMap::new(),
            unended: BTreeMap::new(),
        }
    }

    #[test]
    fn what_ends_a_server_is_the_malformed_message_and_no_call_beside_it() {
        let good = || json!({"name": "list", "arguments": {}});
        for malformed in
            [Value::Null, json!({"name": "list", "arguments": "no object"}), json!({"arguments": {}})]
        {
            for after in [&[][..], &[(good(), false)]] {
                let exchanges = [&[(good(), true), (malformed.clone(), false)], after].concat();
                let finding = died(&closed(&exchanges), "closed its output");
                let what = "the server came up, and closed its output after a message that is no request";
                assert_eq!((finding.what.as_str(), finding.replay.len()), (what, 0));
                assert_eq!((finding.frames, finding.calls), (vec![2], vec![1]));
            }
            let survived = [(malformed, false), (good(), true), (good(), false)];
            let finding = died(&closed(&survived), "closed its output");
            assert!(finding.what.ends_with("during a call of `list`"), "{}", finding.what);
            assert_eq!(finding.replay.len(), 1);
        }
    }

    #[test]
    fn no_other_call_is_given_in_place_of_one_that_is_none() {
        let closed = closed(&[(Value::Null, false), (json!({"name": "list"}), false)]);
        let mut findings = outage::unanswered(&closed.transcript);
        without_replay(&closed.transcript, &mut findings);
        assert_eq!(findings.iter().map(|finding| finding.replay.len()).collect::<Vec<_>>(), [0, 1]);
    }
}
