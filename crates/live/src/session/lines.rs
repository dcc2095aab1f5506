//! Lines from a byte stream, bounded.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// The longest line that is read.
pub(super) const MAX_LINE_BYTES: usize = 64 * 1024 * 1024;

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its line end; the last one may have had none.
    Whole(Vec<u8>),
    /// The line went on beyond the bound.
    TooLong,
    /// The stream ended, or failed.
    End,
}

/// Reads up to the next `\n`; a `\r` before it is kept, since the line is kept as it came.
pub(super) async fn next_line(reader: &mut (impl AsyncBufRead + Unpin), max_bytes: usize) -> Line {
    let mut line = Vec::new();
    loop {
        let Ok(available) = reader.fill_buf().await else { return Line::End };
        if available.is_empty() {
            return if line.is_empty() { Line::End } else { Line::Whole(line) };
        }
        let end = available.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(available.len());
        if line.len() + taken > max_bytes {
            return Line::TooLong;
        }
        line.extend_from_slice(&available[..taken]);
        reader.consume(end.map_or(taken, |end| end + 1));
        if end.is_some() {
            return Line::Whole(line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_end_with_a_line_feed_or_the_stream() {
        let mut reader = &b"one\r\n\ntwo"[..];
        for expected in [&b"one\r"[..], b"", b"two"] {
            assert_eq!(next_line(&mut reader, 10).await, Line::Whole(expected.to_vec()));
        }
        assert_eq!(next_line(&mut reader, 10).await, Line::End);
    }

    #[tokio::test]
    async fn a_line_beyond_the_bound_is_not_read_to_its_end() {
        let mut reader = &b"12345678901\n"[..];
        assert_eq!(next_line(&mut reader, 10).await, Line::TooLong);
    }
}
