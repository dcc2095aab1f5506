//! Frames without their credentials: lines of streams, both ends of what was cut, and what was noted beside. What may not enter: what a
//! credential is written like.

use std::borrow::Cow;

use serde_json::Value;

use super::key::OpenKey;
use super::strings::{Kind, Place};
use super::{Redactor, edges, scheme};
use crate::secrets::{BY_NAME, end_of_key, is_hash, is_left_out, looks_like_one};
use crate::transcript::{Channel, Cut, Event, Frame, Side};

/// What is so long and mixed was drawn by chance, whatever it stands under.
const LEAST_DRAWN: usize = 20;
const CUT: &str = "what touched a cut";

impl Redactor {
    /// A frame without its credentials, and otherwise the same.
    ///
    /// ```
    /// use frankly_verdict::transcript::{Frame, Redactor, Side};
    ///
    /// let noise = Frame::from_line(Side::Server, "PGPASSWORD=hunter2-91x".to_owned());
    /// let redacted = Redactor::default().frame(noise);
    /// assert_eq!(redacted.line(), "PGPASSWORD=<redacted 1: a credential by its name>");
    /// ```
    #[must_use]
    pub fn frame(&mut self, frame: Frame) -> Frame {
        let stream = (frame.from(), frame.channel());
        let redacted = match (frame.event(), frame.cut()) {
            (Some(event), _) => {
                let details = match self.value(&Value::from(event.details.clone()), Kind::Other) {
                    Value::Object(details) => details,
                    _ => event.details.clone(),
                };
                Frame::from_event(frame.from(), Event { name: event.name.clone(), details })
            }
            (None, Some(cut)) => {
                let key = self.keys.remove(&stream);
                let (cut, key) = self.cut(cut, key);
                self.keys.extend(key.map(|key| (stream, key)));
                Frame::from_cut(frame.from(), cut)
            }
            (None, None) => match self.line_of(stream, frame.line()) {
                Cow::Borrowed(_) => return self.context(frame),
                Cow::Owned(line) => Frame::from_line(frame.from(), line),
            },
        };
        let redacted = if frame.is_lossy() { redacted.not_utf8() } else { redacted };
        self.context(redacted.seen_as(&frame))
    }

    /// A line of a stream, in which a private key may go on.
    fn line_of<'t>(&mut self, stream: (Side, Channel), line: &'t str) -> Cow<'t, str> {
        if let Some(redacted) = self.structured(line, Kind::Message, 0) {
            return redacted;
        }
        self.key = self.keys.remove(&stream);
        let redacted = self.text(line, Place::Listed);
        self.keys.extend(self.key.take().map(|key| (stream, key)));
        redacted
    }

    /// Both ends of a line, and the key that goes on behind it.
    fn cut(&mut self, cut: &Cut, key: Option<OpenKey>) -> (Cut, Option<OpenKey>) {
        self.key = key;
        let head = self.text(&cut.head, Place::Listed).into_owned();
        let head = match edges::at_end(&head) {
            Some(run) => format!("{}{}", &head[..run.start], self.placeholder(&head[run], CUT)),
            None => head,
        };
        if ends_a_key(&cut.tail) {
            self.key = Some(OpenKey::BEGUN);
        }
        let tail = self.text(&cut.tail, Place::Listed).into_owned();
        let tail = match edges::at_start(&tail) {
            Some(run) => format!("{}{}", self.placeholder(&tail[run.clone()], CUT), &tail[run.end..]),
            None => tail,
        };
        (Cut { bytes: cut.bytes, head, tail }, self.key.take())
    }

    /// What was noted of whom a frame was sent for. Its parts are called as the user likes, whatever they were taken from.
    fn context(&mut self, frame: Frame) -> Frame {
        let Some(context) = frame.context() else { return frame };
        let mut context = self.value(context, Kind::Other);
        for part in context.as_object_mut().into_iter().flat_map(|parts| parts.values_mut()) {
            let Some(text) = part.as_str() else { continue };
            let scheme = scheme(text);
            let secret = &text[scheme.len()..];
            if (!scheme.is_empty() && !is_left_out(secret)) || is_drawn(text) {
                *part = Value::from(format!("{scheme}{}", self.placeholder(secret, BY_NAME)));
            }
        }
        frame.with_context(context)
    }
}

/// Whether a key ends in what was kept of an end that began in what was cut out.
fn ends_a_key(tail: &str) -> bool {
    let end = end_of_key(tail).filter(|end| tail[..*end].ends_with("-----"));
    end.is_some_and(|end| !tail[..end].contains("-----BEGIN "))
}

/// Whether a word was drawn by chance and stands for nothing that one would see in it.
fn is_drawn(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    text.len() >= LEAST_DRAWN
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && !text.contains('@')
        && looks_like_one(text)
        && !is_hash(text)
}
