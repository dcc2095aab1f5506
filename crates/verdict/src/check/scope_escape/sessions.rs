//! Sessions behind a gateway that several people share: what one of them sets is there for the next.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{DOC, shown};
use crate::Finding;
use crate::check::reading::{Exchange, Reading};
use crate::payload::Payload;

/// A value that somebody sent in a session, and the whole of what somebody else was answered there.
///
/// It may be chance, which a made-up mark would not be: this is suspected.
pub(super) fn look_at(reading: &Reading<'_>) -> Vec<Finding> {
    let context = |one: &Exchange<'_>| reading.transcript.frames.get(one.call.request)?.context();
    // By session and value: the call that first sent it there, and everybody who did.
    let mut sent: HashMap<(String, &str), (usize, Vec<Value>)> = HashMap::new();
    let mut found = Vec::new();
    for (position, exchange) in reading.exchanges.iter().enumerate() {
        let Some((session, whose)) = context(exchange).and_then(in_session) else { continue };
        for value in exchange.call.arguments.into_iter().flat_map(Map::values).filter_map(Value::as_str) {
            let (_, senders) = sent.entry((session.clone(), value)).or_insert_with(|| (position, Vec::new()));
            if !senders.contains(&whose) {
                senders.push(whose.clone());
            }
        }
        let Some((payload, _)) = exchange.success() else { continue };
        let Some(answer) = whole(payload) else { continue };
        let Some((writer, senders)) = sent.get(&(session.clone(), answer)) else { continue };
        let Some(owner) = senders.first().filter(|_| !senders.contains(&whose)) else { continue };
        let writer = &reading.exchanges[*writer];
        let what = format!(
            "{answer:?} was sent to `{}` for {}, and is all that {} was answered, who never sent it; both were in the session {session} of the server behind",
            writer.call.name,
            shown(owner),
            shown(&whose)
        );
        let finding =
            Finding::suspected(&DOC, reading.server(), exchange.call.name, "/result/content/0/text").saying(
                what,
                "this belongs to whoever asked",
                "open a session of its own for each user, also where several share one credential",
            );
        found.push(exchange.finding(finding.with_evidence(answer), &[writer]));
    }
    found
}

/// The session that a context names, and whose it is without that.
fn in_session(context: &Value) -> Option<(String, Value)> {
    let mut whose = context.as_object()?.clone();
    let session = whose.remove("session").filter(|session| !session.is_null())?;
    (!whose.is_empty()).then_some((session.to_string(), Value::Object(whose)))
}

/// The one text that an answer is.
fn whole(payload: &Payload) -> Option<&str> {
    let content = payload.at("/content")?.as_array()?;
    let [only] = content.as_slice() else { return None };
    only.get("text")?.as_str().filter(|text| !text.trim().is_empty())
}
