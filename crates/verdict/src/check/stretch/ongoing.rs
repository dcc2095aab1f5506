//! A session that goes on: what is found in it is told as soon as it can be known, and in the end nothing else is told than
//! of the same session when it is over.
//!
//! What is told early is a finding in what came so far, of which the checks know that more may come. Where what comes then shows
//! otherwise, it is taken back. What may not enter: clocks. When it is worth a look is for whoever hears the session.

use std::collections::{HashMap, HashSet};

use super::carried::{Carried, Front};
use super::{Size, Stretches, Told};
use crate::check::Judged;
use crate::report::Coverage;
use crate::transcript::{Frame, Transcript};
use crate::{Certainty, Finding, Severity};

/// A session that is listened to.
///
/// ```
/// use frankly_verdict::check::{Ongoing, Size};
/// use frankly_verdict::transcript::{Frame, Side, Transcript};
///
/// let about = Transcript { server: "shop".to_owned(), ..Transcript::default() };
/// let mut session = Ongoing::of(about, Size::default());
/// let call = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","arguments":{"id":"x"}}}"#;
/// let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false,\"error\":\"no such order\"}"}]}}"#;
///
/// session.push(Frame::from_line(Side::Client, call.to_owned()));
/// assert_eq!(session.look(), []);
/// session.push(Frame::from_line(Side::Server, answer.to_owned()));
/// assert_eq!(session.look()[0].rule, "buried-error");
/// assert_eq!(session.look(), []);
///
/// let (news, coverage) = session.finish();
/// assert!(news.is_empty());
/// assert_eq!(coverage.calls_answered, 1);
/// ```
#[derive(Debug)]
pub struct Ongoing {
    stretches: Stretches,
    told: Told,
    /// What was told of the stretch that is growing.
    early: HashMap<Known, Vec<Finding>>,
}

/// What there is to tell.
#[derive(Debug, Default)]
#[must_use = "nobody else knows of it"]
pub struct News {
    /// What was found and not told before.
    pub found: Vec<Finding>,
    /// What was told before and weighs differently by now, as one of those that were found says.
    pub overtaken: Vec<Finding>,
    /// What was told before, and is not so: more has been seen since.
    pub taken_back: Vec<Finding>,
}

impl News {
    /// Whether there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && self.overtaken.is_empty() && self.taken_back.is_empty()
    }
}

/// Where a finding is, whatever it weighs.
type Place = (&'static str, Option<usize>, String, Option<usize>);
/// By what a finding is known that is found again.
type Known = (Place, Severity, Certainty);

impl Ongoing {
    /// A session of which this is known beside its frames; so much of it is held at once.
    #[must_use]
    pub fn of(about: Transcript, size: Size) -> Self {
        Self { stretches: Stretches::of(about, size), told: Told::default(), early: HashMap::new() }
    }

    /// Takes the next frame. Where the ones before it fill a stretch, this is what there is to tell of it.
    pub fn push(&mut self, frame: Frame) -> News {
        match self.stretches.push(frame) {
            Some(stretch) => self.settle(stretch.judge()),
            None => News::default(),
        }
    }

    /// What can be told by now and was not before. It costs as much as judging a stretch.
    #[must_use = "it is told once"]
    pub fn look(&mut self) -> Vec<Finding> {
        let judged = self.stretches.so_far();
        let mut again: HashMap<Known, usize> = HashMap::new();
        let mut found = self.told.untold(judged);
        found.retain(|finding| {
            let known = known(finding);
            let told = self.early.get(&known).map_or(0, Vec::len);
            let count = again.entry(known).or_default();
            *count += 1;
            *count > told
        });
        for finding in &found {
            self.early.entry(known(finding)).or_default().push(finding.clone());
        }
        found
    }

    /// What is left to tell once the session is over, and what was looked at in all of it.
    pub fn finish(mut self) -> (News, Coverage) {
        let last = self.stretches.cut(true).judge();
        let news = self.settle(last);
        (news, self.told.into_parts().1)
    }

    /// What a stretch shows beyond what was told while it grew.
    fn settle(&mut self, judged: Judged) -> News {
        self.told.add(judged);
        let mut early = std::mem::take(&mut self.early);
        let mut found = self.told.take();
        let places: HashSet<Place> = found.iter().map(place).collect();
        found.retain(|finding| early.get_mut(&known(finding)).and_then(Vec::pop).is_none());
        let mut left: Vec<_> = early.into_values().flatten().collect();
        left.sort_by(|one, other| (&one.frames, one.rule).cmp(&(&other.frames, other.rule)));
        let (overtaken, taken_back) = left.into_iter().partition(|one| places.contains(&place(one)));
        News { found, overtaken, taken_back }
    }
}

impl Stretches {
    /// Judges what came since the last stretch, of which more may come.
    fn so_far(&mut self) -> Judged {
        let calls: Vec<Option<usize>> = self.front.frames.iter().map(|one| one.call).collect();
        let stretch = self.gather(false);
        let judged = stretch.judge();
        let forgot = stretch.sight.forgot;
        let mut frames = stretch.transcript.frames;
        self.frames = frames.split_off(calls.len());
        let carried = frames.into_iter().zip(stretch.numbers).zip(calls);
        let carried = carried.map(|((frame, number), call)| Carried { frame, number, call });
        self.front = Front { frames: carried.collect(), forgot };
        judged
    }
}

fn place(finding: &Finding) -> Place {
    (finding.rule, finding.definition, finding.pointer.clone(), finding.frames.first().copied())
}

fn known(finding: &Finding) -> Known {
    (place(finding), finding.severity, finding.certainty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CHECKS;
    use crate::check::stretch::tests::{HEADER, answer, call, healthy, in_stretches, read, small, text};

    /// All that is told of a session that is looked at after every so many frames, and how often something was taken back.
    fn told(session: &Transcript, size: Size, every: usize) -> (Vec<Finding>, usize) {
        let mut ongoing = Ongoing::of(session.clone(), size);
        let (mut told, mut taken_back) = (Vec::new(), 0);
        let mut hear = |told: &mut Vec<Finding>, news: News| {
            for gone in news.overtaken.iter().chain(&news.taken_back) {
                let at = told.iter().position(|one| one == gone).expect("only what was told is taken back");
                told.remove(at);
            }
            taken_back += news.taken_back.len();
            told.extend(news.found);
        };
        for (at, frame) in session.frames.iter().enumerate() {
            hear(&mut told, ongoing.push(frame.clone()));
            if (at + 1) % every == 0 {
                told.extend(ongoing.look());
            }
        }
        hear(&mut told, ongoing.finish().0);
        (told, taken_back)
    }

    /// What findings are known by, in one order.
    fn sorted(findings: &[Finding]) -> Vec<String> {
        let mut all: Vec<String> = findings.iter().map(|one| format!("{:?}", known(one))).collect();
        all.sort();
        all
    }

    #[test]
    fn in_the_end_as_much_is_told_as_of_a_session_that_is_over() {
        for example in CHECKS.iter().flat_map(|check| check.doc().examples) {
            let session = read(example.input);
            for (size, every) in
                [(Size::default(), 1), (Size::default(), 3), (Size { bytes: 1 << 30, frames: 4 }, 1)]
            {
                let (told, _) = told(&session, size, every);
                assert_eq!(sorted(&told), sorted(&in_stretches(&session, size)), "{}", example.about);
            }
        }
    }

    #[test]
    fn what_is_told_early_is_so() {
        for example in CHECKS.iter().flat_map(|check| check.doc().examples) {
            let (_, taken_back) = told(&read(example.input), Size::default(), 1);
            assert_eq!(taken_back, 0, "{}", example.about);
        }
    }

    #[test]
    fn a_fault_is_told_before_the_stretch_is_over_and_a_call_without_an_answer_is_not() {
        let fault = |id| {
            call(id, "get_boat", "{\"id\":\"b1\"}")
                + &answer(id, &text("{\\\"success\\\":false,\\\"error\\\":\\\"no such boat\\\"}"))
        };
        let open = call(7777, "get_boat", "{\"id\":\"slow\"}");
        let session = read(&(HEADER.to_owned() + &healthy(0, 100) + &open + &fault(1000)));
        let mut ongoing = Ongoing::of(session.clone(), small());
        let mut told = Vec::new();
        for frame in session.frames {
            told.extend(ongoing.push(frame).found);
            told.extend(ongoing.look());
        }
        assert_eq!(
            told.iter().map(|one| (one.rule, one.calls[0])).collect::<Vec<_>>(),
            [("buried-error", 101)]
        );
        // That the session is over is told by an event.
        let over = Frame::from_event(
            crate::transcript::Side::Server,
            crate::transcript::Event { name: "end".to_owned(), details: serde_json::Map::new() },
        );
        assert!(ongoing.push(over).is_empty());
        let (news, coverage) = ongoing.finish();
        assert_eq!(
            news.found.iter().map(|one| (one.rule, one.calls[0])).collect::<Vec<_>>(),
            [("lost-response", 100)]
        );
        assert_eq!((coverage.calls_made, coverage.calls_answered), (102, 101));
    }
}
