//! How much of an answer an agent reads.

use std::io::{self, Write};

use serde_json::Value;

/// What a token takes in English prose and in JSON, on average over the usual tokenizers.
const BYTES_PER_TOKEN: usize = 4;

/// About how many tokens so many bytes are; print it with `≈`.
///
/// ```
/// assert_eq!(frankly_verdict::payload::estimated_tokens(25_001), 6_251);
/// ```
#[must_use]
pub fn estimated_tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// The bytes of a result that reach a model: its texts or its structured content, whichever is more, since the one is
/// a copy of the other and clients hand on one of them. Pictures, sound and blobs are no text and do not count.
pub(crate) fn bytes_read(result: &Value) -> usize {
    let blocks = result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |at: &str, block: &Value| block.pointer(at).and_then(Value::as_str).map_or(0, str::len);
    let texts = blocks.iter().map(|block| text("/text", block) + text("/resource/text", block)).sum();
    let structured = result.get("structuredContent").map_or(0, written_bytes);
    structured.max(texts)
}

/// How many bytes a value takes, written as JSON.
pub(crate) fn written_bytes(value: &Value) -> usize {
    let mut count = Count(0);
    // What only counts refuses nothing.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// Counts what is written to it.
struct Count(usize);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The same without these texts, each of which counts as left out once in the texts and once in the structured content:
/// as it is, or as it is written in JSON.
pub(crate) fn bytes_read_beside(result: &Value, sent: &[&str]) -> usize {
    let blocks = result.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let text = |at: &str, block: &Value| block.pointer(at).and_then(Value::as_str).map(str::to_owned);
    let texts = blocks.iter().flat_map(|block| [text("/text", block), text("/resource/text", block)]);
    let structured = result.get("structuredContent").map(ToString::to_string);
    rest(structured.into_iter().collect(), sent).max(rest(texts.flatten().collect(), sent))
}

/// How long texts are without these others, each taken out where it stands first.
fn rest(mut texts: Vec<String>, sent: &[&str]) -> usize {
    for sent in sent {
        let written = Value::from(*sent).to_string();
        let forms = [sent, written.trim_start_matches('"').strip_suffix('"').unwrap_or(&written)];
        let mut places = texts.iter_mut().flat_map(|text| {
            let place = forms.iter().find_map(|form| text.find(form).map(|at| at..at + form.len()));
            place.map(|place| (text, place))
        });
        if let Some((text, place)) = places.next() {
            text.replace_range(place, "");
        }
    }
    texts.iter().map(String::len).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_larger_half_counts_and_pictures_do_not() {
        let text = json!({"type": "text", "text": "1234567890"});
        let image = json!({"type": "image", "data": "A".repeat(99), "mimeType": "image/png"});
        let resource = json!({"type": "resource", "resource": {"uri": "a:b", "text": "12345"}});
        assert_eq!(bytes_read(&json!({"content": [text, image, resource]})), 15);
        assert_eq!(bytes_read(&json!({"content": [text], "structuredContent": {"rows": [1, 2, 3]}})), 16);
        assert_eq!(bytes_read(&json!({"content": "odd"})), 0);
    }

    #[test]
    fn what_is_counted_is_what_is_written() {
        for value in [json!(null), json!("a\"b\u{1}ü"), json!([1.5, -3, {"a": [true, "b"]}]), json!({})] {
            assert_eq!(written_bytes(&value), value.to_string().len());
        }
    }

    #[test]
    fn what_was_sent_is_taken_out_once() {
        let rest = |result: Value| bytes_read_beside(&result, &["a\"b"]);
        assert_eq!(rest(json!({"content": [{"text": "is a\"b."}, {"text": "12"}]})), 6);
        assert_eq!(rest(json!({"content": [{"text": "a\"b a\"b"}]})), 4);
        assert_eq!(rest(json!({"content": [], "structuredContent": {"t": "a\"b"}})), r#"{"t":""}"#.len());
        assert_eq!(rest(json!({"content": [{"text": "none"}]})), 4);
    }
}
