//! A line of JSON-RPC, as far as the wire has to know it.

use serde_json::Value;

/// What a line is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// A call of a tool, and whether its arguments are of the shape that the protocol wants.
    Call { id: Value, tool: String, is_shaped: bool },
    /// The call with this id is not waited for any more.
    Cancel { id: Value },
    /// An answer to the request with this id.
    Answer { id: Value },
    /// Anything else.
    Other,
}

impl Message {
    pub fn read(line: &[u8]) -> Self {
        let Ok(message) = serde_json::from_slice::<Value>(line) else { return Self::Other };
        let id = message.get("id").cloned();
        match (message.get("method").and_then(Value::as_str), id) {
            (Some("tools/call"), Some(id)) => {
                let params = message.get("params").and_then(Value::as_object);
                let arguments = params.and_then(|params| params.get("arguments"));
                let tool = params.and_then(|params| params.get("name")?.as_str()).unwrap_or_default();
                let is_shaped = params.is_some() && arguments.is_none_or(Value::is_object);
                Self::Call { id, tool: tool.to_owned(), is_shaped }
            }
            (Some("notifications/cancelled"), None) => {
                Self::Cancel { id: message["params"]["requestId"].clone() }
            }
            (None, Some(id)) => Self::Answer { id },
            _ => Self::Other,
        }
    }
}

/// An answer under another id.
pub(super) fn readdressed(line: &[u8], id: &Value) -> Vec<u8> {
    let Ok(mut message) = serde_json::from_slice::<Value>(line) else { return line.to_vec() };
    message["id"] = id.clone();
    message.to_string().into_bytes()
}

/// A text in Latin-1, which has one byte for each of its letters, and a question mark for those of others.
pub(super) fn latin1(line: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(line);
    text.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_line_is_what_it_is() {
        let read = |message: Value| Message::read(message.to_string().as_bytes());
        let call = |params: Value| read(json!({"id": 1, "method": "tools/call", "params": params}));
        let expected = |is_shaped| Message::Call { id: json!(1), tool: "t".to_owned(), is_shaped };
        assert_eq!(call(json!({"name": "t"})), expected(true));
        assert_eq!(call(json!({"name": "t", "arguments": {}})), expected(true));
        assert_eq!(call(json!({"name": "t", "arguments": "{}"})), expected(false));
        assert!(matches!(call(json!(null)), Message::Call { is_shaped: false, .. }));
        let cancel = json!({"method": "notifications/cancelled", "params": {"requestId": "x"}});
        assert_eq!(read(cancel), Message::Cancel { id: json!("x") });
        assert_eq!(read(json!({"id": 2, "result": {}})), Message::Answer { id: json!(2) });
        assert_eq!(read(json!({"id": 2, "method": "ping"})), Message::Other);
        assert_eq!(Message::read(b"no json"), Message::Other);
    }

    #[test]
    fn latin_letters_are_one_byte() {
        assert_eq!(latin1("Zoë ☕".as_bytes()), b"Zo\xeb ?");
    }
}
