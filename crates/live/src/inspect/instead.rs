//! What came while a call waited in vain. What may not enter: calls that were answered.

use std::collections::BTreeSet;

use frankly_verdict::Finding;
use frankly_verdict::report::plain;
use frankly_verdict::transcript::{Answer, Frame, Side, Transcript};
use serde_json::Value;

use crate::session::Closed;

/// A call without an answer, told by what came instead, where something did.
pub(super) fn told(closed: &Closed, finding: Finding) -> Finding {
    let Some(&request) = finding.frames.first() else { return finding };
    if let Some(what) = closed.instead.get(&request) {
        return finding.saying(
            format!("the call was not answered: the server {}", plain(what)),
            "nothing came back",
            "answer every call with a message, HTTP 200 and a result that says in `isError` that it failed",
        );
    }
    match meanwhile(closed, request) {
        None => finding,
        Some(meanwhile) => finding.saying(
            format!("the call was not answered in time; meanwhile {meanwhile}"),
            "the tool is still at work, or the call was lost",
            "write nothing but messages to standard output, each on a line of its own with its line end, and flush them; logs \
             belong on standard error",
        ),
    }
}

/// The requests of calls without an answer of which more is known than that.
pub(crate) fn requests(closed: &Closed) -> BTreeSet<usize> {
    let calls = closed.transcript.calls();
    let unanswered = calls.iter().filter(|call| call.answer == Answer::None).map(|call| call.request);
    unanswered
        .filter(|request| closed.instead.contains_key(request) || meanwhile(closed, *request).is_some())
        .collect()
}

/// What else was on standard output while this call waited, as a sentence.
fn meanwhile(closed: &Closed, request: usize) -> Option<String> {
    let unended = closed.unended.get(&request).copied();
    let others = no_messages(&closed.transcript, request);
    let none = (others > 0).then(|| format!("{others} bytes came on standard output that are no message"));
    let half = unended.map(|bytes| format!("{bytes} bytes came on standard output without a line end"));
    match (none, half) {
        (Some(none), Some(half)) => Some(format!("{none}, and {half}")),
        (none, half) => none.or(half),
    }
}

/// How many bytes that are no message came from this request to its being taken back, to the next one, or to the end.
fn no_messages(transcript: &Transcript, request: usize) -> u64 {
    let after = transcript.frames.iter().skip(request + 1);
    let while_it_waits = after.take_while(|frame| frame.from() == Side::Server);
    while_it_waits.filter(|frame| frame.is_on_the_wire() && !is_message(frame)).map(Frame::bytes).sum()
}

/// Whether a line is a message, or the beginning of one.
fn is_message(frame: &Frame) -> bool {
    match (frame.msg(), frame.cut()) {
        (Some(msg), _) => msg.is_array() || msg.get("jsonrpc").is_some_and(Value::is_string),
        (None, Some(cut)) => cut.head.trim_start().starts_with(['{', '[']),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use frankly_verdict::outage;
    use frankly_verdict::transcript::Cut;
    use serde_json::json;

    use super::*;

    fn closed(answers: Vec<Frame>, unended: BTreeMap<usize, u64>) -> Closed {
        let request = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list"}});
        let frames = [vec![Frame::from_line(Side::Client, request.to_string())], answers].concat();
        let transcript = Transcript { frames, ..Transcript::default() };
        Closed { transcript, status: None, stderr: Vec::new(), instead: BTreeMap::new(), unended }
    }

    fn what(closed: &Closed) -> String {
        told(closed, outage::unanswered(&closed.transcript).remove(0)).what
    }

    fn long(head: &str) -> Frame {
        let cut = Cut { bytes: 500_000_000, head: head.to_owned(), tail: "A".to_owned() };
        Frame::from_cut(Side::Server, cut)
    }

    #[test]
    fn what_came_while_a_call_waited_is_told() {
        let flooded = closed(vec![long("AAAA")], BTreeMap::new());
        let meanwhile = "the call was not answered in time; meanwhile 500000000 bytes came on standard output that are no message";
        assert_eq!(what(&flooded), meanwhile);
        assert_eq!(requests(&flooded).into_iter().collect::<Vec<_>>(), [0]);
        let half = closed(vec![], BTreeMap::from([(0, 7)]));
        assert!(what(&half).ends_with("meanwhile 7 bytes came on standard output without a line end"));
        let both = closed(vec![Frame::from_line(Side::Server, "up".to_owned())], BTreeMap::from([(0, 7)]));
        assert!(
            what(&both).contains("2 bytes came on standard output that are no message, and 7 bytes came")
        );
    }

    #[test]
    fn messages_and_what_comes_after_the_call_was_taken_back_are_none_of_it() {
        let notice = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}}).to_string();
        let taken_back =
            json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
        let quiet = closed(
            vec![
                Frame::from_line(Side::Server, notice),
                long("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"a\":\""),
                Frame::from_line(Side::Client, taken_back.to_string()),
                long("AAAA"),
            ],
            BTreeMap::new(),
        );
        assert_eq!(what(&quiet), "the call was not answered in time");
        assert!(requests(&quiet).is_empty());
    }
}
