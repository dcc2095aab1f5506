//! How complete a recording is, as it says itself. What may not enter: what is missing from it without a word.

use frankly_verdict::report::counted;
use frankly_verdict::transcript::{Frame, Transcript};

/// The event that says that something could not be recorded.
const LEFT_OUT: &str = "left_out";
/// The events that say how a session ended.
const ENDS: [&str; 2] = ["end", "exit"];

/// How complete a recording is.
///
/// ```
/// use frankly_live::recording::Completeness;
/// use frankly_verdict::transcript::{Transcript, read_recording};
///
/// let text = "{\"frankly\":\"recording\",\"version\":1}\n{\"event\":\"left_out\",\"frames\":12}\n";
/// let of = Completeness::of(&read_recording("shop", text)?);
/// assert_eq!((of.left_out, of.has_end), (12, false));
/// # Ok::<(), frankly_verdict::transcript::RecordingError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Completeness {
    /// How many messages whoever wrote it left out.
    pub left_out: u64,
    /// Whether it says how the session ended.
    pub has_end: bool,
}

impl Completeness {
    /// Of a recording that was read.
    #[must_use]
    pub fn of(transcript: &Transcript) -> Self {
        let mut whole = Self::default();
        transcript.frames.iter().for_each(|frame| whole.note(frame));
        whole
    }

    /// Takes note of the next frame.
    pub(crate) fn note(&mut self, frame: &Frame) {
        let Some(event) = frame.event() else { return };
        if event.name == LEFT_OUT {
            // One that does not say how many there were speaks of one at least.
            let count = event.details.get("frames").and_then(serde_json::Value::as_u64).unwrap_or(1);
            self.left_out = self.left_out.saturating_add(count);
        }
        self.has_end |= ENDS.contains(&event.name.as_str());
    }

    /// What a reader of it has to know: clauses about the recording, none where it is whole.
    #[must_use]
    pub fn told(&self) -> Vec<String> {
        let mut told = Vec::new();
        if self.left_out > 0 {
            let are = if self.left_out == 1 { "is" } else { "are" };
            let messages = counted(usize::try_from(self.left_out).unwrap_or(usize::MAX), "message");
            told.push(format!(
                "{messages} {are} missing, which could not be recorded: calls and answers may be among what is missing"
            ));
        }
        if !self.has_end {
            told.push(
                "it does not say how the session ended: what has no answer may still have been under way"
                    .to_owned(),
            );
        }
        told
    }
}

#[cfg(test)]
mod tests {
    use frankly_verdict::transcript::read_recording;

    use super::*;

    fn of(lines: &str) -> Completeness {
        let text = format!("{{\"frankly\":\"recording\",\"version\":1}}\n{lines}");
        Completeness::of(&read_recording("x", &text).unwrap())
    }

    #[test]
    fn what_is_left_out_is_summed_up_and_either_end_is_one() {
        let left_out = "{\"event\":\"left_out\",\"frames\":2}\n{\"event\":\"left_out\"}\n";
        assert_eq!(of(left_out).left_out, 3);
        assert!(of(&format!("{left_out}{{\"event\":\"exit\",\"code\":1}}\n")).has_end);
        assert!(of("{\"event\":\"end\"}\n").told().is_empty());
        let told = of("{\"event\":\"left_out\",\"frames\":1}\n").told();
        assert_eq!(told.len(), 2);
        assert!(told[0].starts_with("1 message is missing, "), "{told:?}");
        // What a server says is no word of the recorder.
        assert_eq!(of("{\"from\":\"server\",\"raw\":\"left_out\"}\n").left_out, 0);
    }
}
