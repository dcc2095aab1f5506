//! What keeping a line costs, told from its bytes before they are parsed, so that the bound holds in time.

use serde_json::Value;

/// What a frame costs beside its line, in a vector that doubles.
const FRAME_BYTES: usize = 256;
/// A member of an array or object, in a vector that doubles.
const MEMBER_BYTES: usize = 2 * size_of::<Value>();
/// What the first member of an object costs: a whole node of the tree it is kept in.
const NODE_BYTES: usize = 11 * (size_of::<Value>() + size_of::<String>());
/// What the name of a member costs beside its text.
const KEY_BYTES: usize = 2 * size_of::<String>();

/// About how many bytes a line takes once it is parsed and kept; rather too many than too few.
pub(crate) fn kept_bytes(line: &[u8]) -> usize {
    let fixed = FRAME_BYTES + line.len();
    if !matches!(line.trim_ascii_start().first(), Some(b'{' | b'[')) {
        return fixed;
    }
    let (mut in_string, mut escaped) = (false, false);
    let mut values = 0;
    for byte in line {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b',' | b'[' => values += MEMBER_BYTES,
            b':' => values += KEY_BYTES,
            b'{' => values += NODE_BYTES,
            _ => {}
        }
    }
    // The texts in it are kept once more, parsed.
    fixed + line.len() + values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_values_cost_more_than_their_bytes_and_text_does_not() {
        let empty_objects = "[".to_owned() + &"{},".repeat(1000) + "{}]";
        assert!(kept_bytes(empty_objects.as_bytes()) > 100 * empty_objects.len());
        let text = format!("[\"{}\"]", "{\\\",".repeat(1000));
        assert!(kept_bytes(text.as_bytes()) < 3 * text.len());
        assert_eq!(kept_bytes(b"y"), FRAME_BYTES + 1);
    }
}
