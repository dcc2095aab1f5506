//! A number in an agent's answer that comes from nowhere.

use serde_json::Value;

mod doc;
mod figures;
mod sources;
mod units;

use super::Check;
use super::reading::Reading;
use crate::transcript::{Channel, Frame};
use crate::{Doc, Finding};
use doc::DOC;
use figures::figures;
use sources::Sources;

/// See [`DOC`].
pub(super) struct UnsourcedFigure;

impl Check for UnsourcedFigure {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        // A figure may come from whatever was said before.
        if !reading.sight.is_whole() {
            return;
        }
        let frames = &reading.transcript.frames;
        let is_model = |frame: &Frame| frame.channel() == Channel::Model;
        let answers = frames.iter().enumerate().rev().filter(|(_, frame)| is_model(frame));
        let mut answers = answers.filter_map(|(at, frame)| Some((at, final_answer(frame.msg()?)?)));
        let Some((at, (pointer, text))) = answers.next() else { return };
        // Where no tool was asked, there is nothing that a figure could come from.
        if !reading.exchanges.iter().any(|one| one.call.response.is_some()) {
            return;
        }
        let sources = Sources::of(reading, at);
        let stray = figures(text).into_iter().find(|figure| !sources.explain(figure));
        findings.extend(stray.map(|figure| {
            let finding = Finding::suspected(&DOC, reading.server(), "", pointer).saying(
                format!(
                    "the answer says `{}`, which stands in no tool result and no prompt, and is no count, sum or ratio of \
                     what does",
                    figure.shown
                ),
                "the tools said so",
                "let the agent quote figures as the tools gave them, or say how it came to others",
            );
            reading.finding(finding.with_evidence(figure.around), &[at])
        }));
    }
}

/// The text of a model's answer that ends its turn, and where it stands: of the usual interfaces, or a trace's `final`.
fn final_answer(msg: &Value) -> Option<(String, &str)> {
    let text = |pointer: &str| Some((pointer.to_owned(), msg.pointer(pointer)?.as_str()?));
    let is = |pointer: &str, wanted: &str| msg.pointer(pointer).is_some_and(|value| value == wanted);
    let has_items =
        |pointer: &str| msg.pointer(pointer).and_then(Value::as_array).is_some_and(|items| !items.is_empty());
    let last_of = |list: &str, wanted: &str, inner: &str| {
        let items = msg.pointer(list)?.as_array()?;
        let asks = |item: &Value| {
            item.get("type")
                .and_then(Value::as_str)
                .is_some_and(|kind| kind == "tool_use" || kind.ends_with("_call"))
        };
        if items.iter().any(asks) {
            return None;
        }
        let at = items.iter().rposition(|item| item.get("type").is_some_and(|kind| kind == wanted))?;
        text(&format!("{list}/{at}{inner}"))
    };
    let chat = || {
        (!has_items("/choices/0/message/tool_calls")).then(|| text("/choices/0/message/content")).flatten()
    };
    let message = || {
        is("/role", "assistant")
            .then(|| text("/content").or_else(|| last_of("/content", "text", "/text")))
            .flatten()
    };
    text("/final").or_else(chat).or_else(message).or_else(|| last_of("/output", "message", "/content/0/text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_answer_of_each_interface_is_read_and_calls_are_none() {
        for (msg, pointer) in [
            (json!({"final": "42"}), "/final"),
            (
                json!({"choices": [{"message": {"role": "assistant", "content": "42"}}]}),
                "/choices/0/message/content",
            ),
            (json!({"role": "assistant", "content": [{"type": "text", "text": "42"}]}), "/content/0/text"),
            (
                json!({"output": [{"type": "reasoning"}, {"type": "message", "content": [{"type": "output_text", "text": "42"}]}]}),
                "/output/1/content/0/text",
            ),
        ] {
            assert_eq!(final_answer(&msg), Some((pointer.to_owned(), "42")), "{msg}");
        }
        for msg in [
            json!({"role": "user", "content": "42"}),
            json!({"choices": [{"message": {"content": "42", "tool_calls": [{"id": "a"}]}}]}),
            json!({"role": "assistant", "content": [{"type": "text", "text": "42"}, {"type": "tool_use"}]}),
        ] {
            assert_eq!(final_answer(&msg), None, "{msg}");
        }
    }
}
