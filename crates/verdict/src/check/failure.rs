//! Failed calls with the words in which they failed.

use serde_json::Value;

use super::reading::Exchange;
use crate::transcript::Answer;

/// A failure with its words.
pub(super) struct Failure<'r, 'a> {
    pub exchange: &'r Exchange<'a>,
    pub text: String,
    /// Where the words stand in the answer.
    pub pointer: String,
}

impl<'r, 'a> Failure<'r, 'a> {
    /// The failure of a call, whether it came as a result or as a JSON-RPC error.
    pub fn of(exchange: &'r Exchange<'a>) -> Option<Self> {
        let (text, pointer) = match exchange.call.answer {
            Answer::Failure(result) => {
                let blocks =
                    result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let texts: Vec<_> = blocks
                    .iter()
                    .enumerate()
                    .filter_map(|(index, block)| Some((index, block.get("text")?.as_str()?)))
                    .collect();
                let at = texts.first().map(|(index, _)| format!("/result/content/{index}/text"));
                let texts: Vec<_> = texts.into_iter().map(|(_, text)| text).collect();
                (texts.join("\n"), at.unwrap_or_else(|| "/result".to_owned()))
            }
            Answer::ProtocolError(error) => {
                let message = error.get("message").and_then(Value::as_str);
                let data = error.get("data").map(ToString::to_string).unwrap_or_default();
                let at = if message.is_some() { "/error/message" } else { "/error" };
                (format!("{} {data}", message.unwrap_or_default()).trim().to_owned(), at.to_owned())
            }
            _ => return None,
        };
        Some(Self { exchange, text, pointer })
    }
}
