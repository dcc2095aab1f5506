//! Where in a line of JSON its texts and numbers stand, and what each is the value of. What may not enter: what they say.

use std::ops::Range;

/// A text or a number in a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scalar {
    /// Where it stands, quotes included.
    pub range: Range<usize>,
    /// The name of the member that it is the value of, or is in a list of; empty where there is none.
    pub name: String,
    /// Whether it is the name of a member itself.
    pub is_name: bool,
}

/// The texts and numbers of a line; `None` for one that is no JSON as far as their places go.
pub(super) fn scalars(line: &str) -> Option<Vec<Scalar>> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    // The name under which each open object and list stands, and the one that is being read in it.
    let mut open: Vec<(u8, String)> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let next = match byte {
            b'"' => {
                let end = end_of_text(bytes, at)?;
                let is_name = matches!(open.last(), Some((b'{', _))) && follows(bytes, end) == Some(b':');
                let name = open.last().map(|(_, name)| name.clone()).unwrap_or_default();
                if is_name {
                    let written = &line[at..end];
                    let name = serde_json::from_str(written).unwrap_or_else(|_| written.to_owned());
                    open.last_mut()?.1 = name;
                }
                found.push(Scalar { range: at..end, name, is_name });
                end
            }
            b'{' | b'[' => {
                // A list stands under the name of what it is the value of.
                let inherited = open.last().map(|(_, name)| name.clone()).filter(|_| *byte == b'[');
                open.push((*byte, inherited.unwrap_or_default()));
                at + 1
            }
            b'}' | b']' => {
                let (opened, _) = open.pop()?;
                // In ASCII each closing sign is two after its opening one.
                if opened + 2 != *byte {
                    return None;
                }
                at + 1
            }
            b'-' | b'0'..=b'9' => {
                let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let end = at + bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                let name = open.last().map(|(_, name)| name.clone()).unwrap_or_default();
                found.push(Scalar { range: at..end, name, is_name: false });
                end
            }
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => at + 1,
            // true, false and null
            byte if byte.is_ascii_lowercase() => at + 1,
            _ => return None,
        };
        at = next;
    }
    open.is_empty().then_some(found)
}

/// Where the text that begins here ends, after its quote.
fn end_of_text(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        match bytes[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

/// The first sign after a place that is no space.
fn follows(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at..)?.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
