//! What stands at the edges of a cut: half a credential looks like none. What may not enter: what stands further from them.

use std::ops::Range;

/// A part of a credential is at least so long to be worth anything, and no credential is longer than so much.
const LEAST: usize = 8;
const MOST: usize = 4096;

/// The run of signs at the end of what was kept of a beginning that may be the beginning of a credential.
pub(super) fn at_end(head: &str) -> Option<Range<usize>> {
    let bytes = head.as_bytes();
    let length = bytes.iter().rev().take(MOST).take_while(|byte| is_part(**byte)).count();
    let mut start = bytes.len() - length;
    // An escape stays whole, so that what is JSON stays JSON.
    if bytes[..start].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1 {
        start += if bytes.get(start) == Some(&b'u') { 5 } else { 1 };
    }
    (start < bytes.len()).then_some(start..bytes.len()).filter(|run| is_worth_it(&bytes[run.clone()]))
}

/// The run of signs at the beginning of what was kept of an end that may be the end of a credential.
pub(super) fn at_start(tail: &str) -> Option<Range<usize>> {
    let length = tail.bytes().take(MOST).take_while(|byte| is_part(*byte)).count();
    Some(0..length).filter(|run| is_worth_it(&tail.as_bytes()[run.clone()]))
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"+/=_-.~%$!@#*".contains(&byte)
}

/// Whether it is no number, and not one sign over and over.
fn is_worth_it(run: &[u8]) -> bool {
    let is_of_a_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
    run.len() >= LEAST && !run.iter().all(is_of_a_number) && run.iter().any(|byte| *byte != run[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_the_edge_and_nothing_else() {
        let at_end = |head: &'static str| at_end(head).map(|run| &head[run]);
        let at_start = |tail: &'static str| at_start(tail).map(|run| &tail[run]);
        assert_eq!(at_end(r#"{"a":"see ghp_16C7e42F29"#), Some("ghp_16C7e42F29"));
        assert_eq!(at_end(r#"{"a":"x\nabcdefgh1"#), Some("abcdefgh1"));
        assert_eq!(at_end(r#"{"a":"x\u00e9abcdefgh1"#), Some("abcdefgh1"));
        assert_eq!(at_end(r#"{"a":[1,12345678901"#), None);
        assert_eq!(at_end("{\"a\":\"xxxxxxxxxxxxxxxxxx"), None);
        assert_eq!(at_end("abcdefghi "), None);
        assert_eq!(at_end("\\"), None);
        assert_eq!(at_start(r#"2F292c6912E7 and more"}"#), Some("2F292c6912E7"));
        assert_eq!(at_start(r#" and more"}"#), None);
        assert_eq!(at_start(""), None);
    }
}
