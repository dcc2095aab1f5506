//! What an answer holds only because the call itself sent it.

use serde_json::Value;

use crate::check::reading::Exchange;
use crate::payload::bytes_read_beside;

/// Shorter texts are a word of the answer's own.
const SHORTEST: usize = 64;
/// By so many bytes a text is known where only its beginning was kept.
const HEAD_BYTES: usize = 1024;
/// How deep in arguments texts are read.
const DEPTH: usize = 6;

/// How many bytes of an answer are not what the call sent, of all that it has.
pub(super) fn rest(exchange: &Exchange<'_>, result: &Value, bytes: usize) -> usize {
    let mut sent = Vec::new();
    exchange.call.arguments.into_iter().flatten().for_each(|(_, value)| collect(value, DEPTH, &mut sent));
    // A text that holds another goes before it.
    sent.sort_by_key(|text| std::cmp::Reverse(text.len()));
    if sent.is_empty() {
        return bytes;
    }
    if exchange.cut_bytes().is_none() {
        return bytes_read_beside(result, &sent);
    }
    // Of a long answer both ends are there, and of a long request too: it can only have sent what is known of it.
    let head = |text: &str| {
        let end = (0..=HEAD_BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
        let mut head = text.to_owned();
        head.truncate(end.unwrap_or_default());
        head
    };
    let all = bytes_read_beside(result, &[]);
    let came_back = sent.iter().find(|text| bytes_read_beside(result, &[&head(text)]) < all);
    let sent_bytes = |text: &&str| exchange.request_cut_bytes().unwrap_or(text.len());
    bytes.saturating_sub(came_back.map_or(0, sent_bytes))
}

fn collect<'v>(value: &'v Value, depth: usize, sent: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if text.len() >= SHORTEST => sent.push(text),
        Value::Array(items) if depth > 0 => items.iter().for_each(|item| collect(item, depth - 1, sent)),
        Value::Object(members) if depth > 0 => {
            members.values().for_each(|member| collect(member, depth - 1, sent));
        }
        _ => {}
    }
}
