//! Server-sent events, read leniently. What may not enter: what the events say.

use std::time::Duration;

use frankly_verdict::transcript::Cut;

use super::super::lines::{Kept, Line, MAX_LINE_BYTES};

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A stream of events, however its bytes are split.
#[derive(Debug)]
pub(crate) struct Events {
    /// Of what is longer only both ends are kept.
    longest: usize,
    line: Kept,
    /// Whether the line before ended in a carriage return, which a line feed may belong to.
    after_return: bool,
    has_begun: bool,
    data: Option<Kept>,
    /// What kind of event is under way, where it is another than a message: those are for other listeners.
    is_other: bool,
    /// The id of the last event that had one: where a broken stream goes on.
    pub last_id: Option<String>,
    /// How long the server would have us wait before we come back.
    pub retry: Option<Duration>,
}

impl Default for Events {
    fn default() -> Self {
        Self::keeping(MAX_LINE_BYTES)
    }
}

impl Events {
    /// A stream of events of which at most so many bytes each are kept whole.
    pub fn keeping(longest: usize) -> Self {
        Self {
            longest,
            line: Kept::default(),
            after_return: false,
            has_begun: false,
            data: None,
            is_other: false,
            last_id: None,
            retry: None,
        }
    }

    /// Reads on; gives back the data of each event that is at its end now. Events without data are left out.
    pub fn feed(&mut self, mut bytes: &[u8]) -> Vec<Line> {
        let mut events = Vec::new();
        while let Some(first) = bytes.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let (taken, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            self.line.push(taken, self.longest);
            if let Some((line_end, rest)) = rest.split_first() {
                self.after_return = *line_end == b'\r';
                events.extend(self.end_line());
                bytes = rest;
            } else {
                break;
            }
        }
        events
    }

    /// Whether the event under way is taken to have no end.
    pub fn is_endless(&self) -> bool {
        self.line.is_endless() || self.data.as_ref().is_some_and(Kept::is_endless)
    }

    /// The stream has ended; gives back the data of an event that was not closed by a blank line.
    pub fn finish(&mut self) -> Option<Line> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.take_data()
    }

    fn end_line(&mut self) -> Option<Line> {
        let first = !std::mem::replace(&mut self.has_begun, true);
        let whole = match std::mem::take(&mut self.line).into_line() {
            Line::Whole(whole) => whole,
            Line::Cut(cut, _) => {
                self.add_cut(cut);
                return None;
            }
        };
        let line = whole.strip_prefix(BYTE_ORDER_MARK).filter(|_| first).unwrap_or(&whole);
        if line.is_empty() {
            return self.take_data();
        }
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (field, value) = line.split_at(colon);
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => self.add(Line::Whole(value.to_vec())),
            b"id" if !value.contains(&0) => {
                self.last_id = Some(String::from_utf8_lossy(value).into_owned()).filter(|id| !id.is_empty());
            }
            b"retry" => {
                let millis = std::str::from_utf8(value).ok().and_then(|digits| digits.parse().ok());
                self.retry = millis.map(Duration::from_millis).or(self.retry);
            }
            b"event" => self.is_other = !matches!(value, b"" | b"message"),
            // Comments, and what later revisions may add.
            _ => {}
        }
        None
    }

    /// Adds a line of data that was too long to be kept whole.
    fn add_cut(&mut self, cut: Cut) {
        let Some(value) = cut.head.strip_prefix("data:") else { return };
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        let bytes = cut.bytes - (cut.head.len() - value.len()) as u64;
        self.add(Line::Cut(Cut { bytes, head: value, tail: cut.tail }, None));
    }

    fn add(&mut self, value: Line) {
        match &mut self.data {
            Some(data) => data.push(b"\n", self.longest),
            None => self.data = Some(Kept::default()),
        }
        self.data.get_or_insert_default().push_line(value, self.longest);
    }

    fn take_data(&mut self) -> Option<Line> {
        let is_other = std::mem::take(&mut self.is_other);
        let data = self.data.take().map(Kept::into_line).filter(|_| !is_other);
        data.filter(|data| !data.head().trim_ascii().is_empty())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(chunks: &[&[u8]]) -> (Vec<String>, Events) {
        let mut events = Events::default();
        let mut read: Vec<_> = chunks.iter().flat_map(|chunk| events.feed(chunk)).collect();
        read.extend(events.finish());
        (read.into_iter().map(|data| String::from_utf8(data.head().to_vec()).unwrap()).collect(), events)
    }

    #[test]
    fn events_are_read_as_browsers_read_them_and_the_last_without_its_blank_line() {
        for (stream, expected) in [
            ("data: a\n\ndata:b\n\n", vec!["a", "b"]),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", vec!["a", "b", "c"]),
            ("\u{feff}data: a\n\n", vec!["a"]),
            ("data: {\ndata:  \"a\": 1\ndata: }\n\n", vec!["{\n \"a\": 1\n}"]),
            ("event: ping\ndata: {}\n\nevent:\ndata: a\n\nevent: endpoint\n\ndata: b\n\n", vec!["a", "b"]),
            (": still here\n\nevent: message\nid: 7\ndata: a\n\n", vec!["a"]),
            ("id: 1\nretry: 3000\ndata:\n\n", vec![]),
            ("dat: a\ndata\nx\n\n", vec![]),
            ("data: a", vec!["a"]),
            ("data: a\n", vec!["a"]),
            ("", vec![]),
        ] {
            assert_eq!(read(&[stream.as_bytes()]).0, expected, "{stream:?}");
        }
        let (_, events) = read(&[b"id: 1\nretry: 3000\ndata:\n\nretry: soon\n\n"]);
        assert_eq!((events.last_id.as_deref(), events.retry), (Some("1"), Some(Duration::from_secs(3))));
        assert_eq!(read(&[b"id: 1\n\nid\n\n"]).1.last_id, None);
    }

    #[test]
    fn of_an_event_beyond_the_bound_both_ends_are_kept() {
        let mut events = Events::default();
        let half = vec![b'x'; MAX_LINE_BYTES / 2];
        for part in [b"data: ab", &half[..], b"\ndata: ", &half, b"yz"] {
            assert_eq!(events.feed(part), []);
        }
        let [Line::Cut(cut, _)] = &events.feed(b"\n\n")[..] else { panic!("it is cut") };
        assert_eq!(cut.bytes, MAX_LINE_BYTES as u64 + 5);
        assert!(cut.head.starts_with("abxx") && cut.tail.ends_with("xxyz"));
        let whole = vec![b'x'; MAX_LINE_BYTES + 1];
        assert_eq!([&b"data: ["[..], &whole].map(|part| events.feed(part).len()), [0, 0]);
        let [Line::Cut(cut, _)] = &events.feed(b"]\n\ndata: 1\n\n")[..1] else { panic!("it is cut") };
        assert_eq!(cut.bytes, MAX_LINE_BYTES as u64 + 3);
        assert!(cut.head.starts_with("[xx") && cut.tail.ends_with("x]"));
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_split_makes_no_difference(
            stream in "(data: ?[a-c]{0,3}(\n|\r|\r\n)|id: 1\n|: c\r\n|\n|\r\n|\r){0,12}",
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        ) {
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(stream.len() + 1)).collect();
            cuts.extend([0, stream.len()]);
            cuts.sort_unstable();
            let chunks: Vec<_> = cuts.windows(2).map(|cut| &stream.as_bytes()[cut[0]..cut[1]]).collect();
            prop_assert_eq!(read(&chunks).0, read(&[stream.as_bytes()]).0);
        }
    }
}
