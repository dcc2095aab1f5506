//! A session of any length, read in stretches: frames go in one by one, and what is held at once has a bound.
//!
//! A stretch begins with a part of the one before, so that what lies near each other is seen together. What it cannot do
//! without is carried along from further back: the tools as they were listed, requests that are still open, and the little by
//! which it is told whether those are lost. Stretches do not depend on what is found in each other, so they may be judged
//! anywhere and in any order; [`Told`] puts together what is found. A session that fits one stretch is judged as a whole.
//! What may not enter: files and threads.

mod carried;
mod one;
mod ongoing;
mod told;

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::listings::Listings;
use super::reading::Sight;
use super::sent_before::SentBefore;
use crate::transcript::requests::{Request, Requests};
use crate::transcript::{Agreed, Frame, Transcript, listed_after};
use carried::Front;
pub use one::{Judged, Stretch};
pub use ongoing::{News, Ongoing};
pub use told::Told;

/// So much of a stretch, as one of so many parts, is in the next one too.
const SEAM: usize = 8;

/// How much makes a stretch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// How many bytes its lines have at most, as long as it is not one line alone.
    pub bytes: usize,
    /// How many frames it has at most.
    pub frames: usize,
}

impl Default for Size {
    /// What takes some 20 MB once it is read and judged: about 1,000 ordinary calls.
    fn default() -> Self {
        Self { bytes: 640 << 10, frames: 8192 }
    }
}

/// A session that is fed frame by frame, and gives a stretch whenever there is enough for one.
///
/// ```
/// use frankly_verdict::check::{Size, Stretches, Told, check_all};
/// use frankly_verdict::transcript::{Transcript, read_recording};
///
/// let call = |id: u32| format!(
///     "{{\"from\":\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"get\"}}}}}}\n"
/// );
/// let text = (0..100).map(call).fold("{\"frankly\":\"recording\",\"version\":1}\n".to_owned(), |text, line| text + &line)
///     + "{\"event\":\"end\"}\n";
/// let session = read_recording("shop", &text).unwrap();
///
/// let about = Transcript { frames: Vec::new(), ..session.clone() };
/// let mut stretches = Stretches::of(about, Size { bytes: 2000, frames: 40 });
/// let mut told = Told::default();
/// for frame in session.frames.clone() {
///     if let Some(stretch) = stretches.push(frame) {
///         told.add(stretch.judge());
///     }
/// }
/// told.add(stretches.finish().judge());
///
/// // Nothing was answered, which is told once of each call.
/// assert_eq!(told.findings().len(), check_all(&session).len());
/// ```
#[derive(Debug)]
pub struct Stretches {
    size: Size,
    /// The session without its frames, with the tools as they are known so far.
    about: Transcript,
    has_stated_tools: bool,
    has_stated_revision: bool,
    agreed: Agreed,
    front: Front,
    /// The frames since the stretch before, and those of it that are in this one too.
    frames: Vec<Frame>,
    bytes: usize,
    /// How many of those frames were in the stretch before.
    old: usize,
    /// The number of the first of those frames, and of the first call from there on.
    first: usize,
    first_call: usize,
    sent: Option<Arc<SentBefore>>,
    /// The tools that were listed in several ways.
    redefined: BTreeSet<String>,
}

impl Stretches {
    /// A session of which this is known beside its frames: any that are in it are left out.
    #[must_use]
    pub fn of(about: Transcript, size: Size) -> Self {
        Self {
            size,
            has_stated_tools: about.tools.is_some(),
            has_stated_revision: about.revision.is_some(),
            agreed: Agreed::default(),
            about: Transcript { frames: Vec::new(), ..about },
            front: Front::default(),
            frames: Vec::new(),
            bytes: 0,
            old: 0,
            first: 0,
            first_call: 0,
            sent: None,
            redefined: BTreeSet::new(),
        }
    }

    /// Takes the next frame. Where the ones before it fill a stretch, that comes back.
    #[must_use = "a stretch that is not judged is not looked at"]
    pub fn push(&mut self, frame: Frame) -> Option<Stretch> {
        let bytes = frame.line().len();
        let has_new = self.frames.len() > self.old;
        let is_full = self.bytes + bytes > self.size.bytes || self.frames.len() >= self.size.frames;
        let stretch = (is_full && has_new).then(|| self.cut(false));
        self.bytes += bytes;
        self.frames.push(frame);
        stretch
    }

    /// The last stretch.
    #[must_use]
    pub fn finish(mut self) -> Stretch {
        self.cut(true)
    }

    /// Makes a stretch of what is there, and leaves what the next one begins with.
    fn cut(&mut self, ends: bool) -> Stretch {
        let (first, behind) = (self.first, self.front.frames.len());
        let mut stretch = self.gather(ends);
        let Stretch { transcript: Transcript { frames, .. }, numbers, new, sight, .. } = &mut stretch;
        if !ends {
            let requests = Requests::of(frames);
            let seam = seam(frames, *new, self.size);
            let left = carried::from((frames, numbers), &requests, sight, seam, self.about.role);
            sight.given_up = left.given_up;
            let gone = requests.all.iter().filter(|one| one.frame >= behind && one.frame < seam);
            self.note_sent(gone.clone(), frames);
            self.first_call += gone.filter(|one| one.method == "tools/call").count();
            self.front = left.front;
            self.frames = frames[seam..].to_vec();
            (self.old, self.first) = (self.frames.len(), first + (seam - behind));
            self.bytes = self.frames.iter().map(|frame| frame.line().len()).sum();
        }
        stretch
    }

    /// Takes all that is there as one stretch.
    fn gather(&mut self, ends: bool) -> Stretch {
        let front = std::mem::take(&mut self.front);
        let behind = front.frames.len();
        let mut numbers: Vec<usize> = front.frames.iter().map(|one| one.number).collect();
        let carried_calls = front.frames.iter().filter_map(|one| one.call).collect();
        let mut frames: Vec<Frame> = front.frames.into_iter().map(|one| one.frame).collect();
        numbers.extend((0..self.frames.len()).map(|at| self.first + at));
        frames.append(&mut self.frames);
        let sight = Sight {
            front: behind,
            carried_calls,
            first_call: self.first_call,
            begins: self.first == 0,
            ends,
            forgot: front.forgot,
            given_up: Vec::new(),
            sent: self.sent.clone(),
            redefined: self.redefined.clone(),
        };
        let requests = Requests::of(&frames);
        if !self.has_stated_revision {
            self.agreed.note(&requests);
            self.about.revision = self.agreed.revision();
        }
        self.redefined
            .extend(Listings::redefined(&requests, self.about.tools.as_deref().unwrap_or_default()));
        if !self.has_stated_tools {
            self.about.tools = listed_after(self.about.tools.take(), &requests);
        }
        let new = behind + self.old;
        let late = late(&requests, &sight, new);
        let transcript = Transcript { frames, ..self.about.clone() };
        Stretch { transcript, numbers, new, sight, late }
    }

    /// Keeps what was sent, and for whom where frames say so.
    fn note_sent<'a>(&mut self, requests: impl Iterator<Item = &'a Request<'a>>, frames: &[Frame]) {
        let sent = Arc::make_mut(self.sent.get_or_insert_default());
        for request in requests.filter(|request| request.method == "tools/call") {
            let whose = frames.get(request.frame).and_then(Frame::context);
            sent.note(request.param("arguments").and_then(Value::as_object), whose);
        }
    }
}

/// The calls that were carried along and are answered now, each with its number and the two frames.
fn late(requests: &Requests<'_>, sight: &Sight, new: usize) -> Vec<(usize, [usize; 2])> {
    let calls = requests.all.iter().filter(|one| one.method == "tools/call" && one.frame < sight.front);
    let calls = calls.zip(&sight.carried_calls);
    let answered = calls.filter_map(|(one, number)| Some((*number, [one.frame, one.answers.first()?.0])));
    answered.filter(|(_, [_, answer])| *answer >= new).collect()
}

/// From which frame on a stretch is in the next one too: the last part of it, and nothing that was in the one before.
fn seam(frames: &[Frame], new: usize, size: Size) -> usize {
    let (mut bytes, mut at) = (0, frames.len());
    while at > new && frames.len() - at < size.frames / SEAM {
        bytes += frames[at - 1].line().len();
        if bytes > size.bytes / SEAM {
            break;
        }
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests;
