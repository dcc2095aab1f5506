//! Failed calls with the words in which they failed.

use serde_json::Value;

use super::reading::Exchange;
use crate::transcript::Answer;

/// A failure with its words.
pub(super) struct Failure<'r, 'a> {
    pub exchange: &'r Exchange<'a>,
    pub text: String,
    /// Where the words stand in the answer.
    pub pointer: &'static str,
}

impl<'r, 'a> Failure<'r, 'a> {
    /// The failure of a call, whether it came as a result or as a JSON-RPC error.
    pub fn of(exchange: &'r Exchange<'a>) -> Option<Self> {
        let (text, pointer) = match exchange.call.answer {
            Answer::Failure(result) => {
                let blocks =
                    result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
                let texts: Vec<_> = blocks.iter().filter_map(|block| block.get("text")?.as_str()).collect();
                (texts.join("\n"), if texts.is_empty() { "/result" } else { "/result/content/0/text" })
            }
            Answer::ProtocolError(error) => {
                let message = error.get("message").and_then(Value::as_str).unwrap_or_default();
                let data = error.get("data").map(ToString::to_string).unwrap_or_default();
                (format!("{message} {data}").trim().to_owned(), "/error/message")
            }
            _ => return None,
        };
        Some(Self { exchange, text, pointer })
    }
}
