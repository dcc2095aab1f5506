//! Lets a session be watched: what passes is handed to whoever judges it, while it goes on. What may not enter: judgement, which
//! is the business of `frankly_verdict::check`, and the traffic, which goes on whatever becomes of this.
//!
//! Frames wait in a queue that is bounded in bytes, and where that is full the recorder waits, as the traffic does for a recorder
//! that is slower: of a session with gaps nobody could say which call got no answer.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use frankly_verdict::check::{News, Ongoing, Size};
use frankly_verdict::report::Coverage;
use frankly_verdict::transcript::{Frame, Transcript};

use crate::recording::Completeness;

/// What a frame takes beside its line.
const EACH_BYTES: usize = 256;
/// How many bytes of lines may wait to be judged.
const MOST_BYTES: usize = 1 << 20;
/// How often the queue is looked into: to be woken for each frame would cost more than that.
const NAP: Duration = Duration::from_millis(40);
/// As much as a main thread has: answers nest.
const STACK: usize = 8 << 20;

/// What there is to tell of a session that is watched.
#[derive(Debug)]
pub enum Shown {
    /// Something was found, or what was told before is not so.
    News(News),
    /// The session is over: what is left to tell, what was looked at in all of it, and how complete that was.
    Over(News, Coverage, Completeness),
    /// The watching itself failed, and there is nothing more to tell. The session goes on.
    Failed,
}

/// Who is told what a session shows.
pub(super) type Tell = Box<dyn FnMut(Shown) + Send>;

/// A session that is watched, from where it is recorded.
#[derive(Debug)]
pub(super) struct Watching {
    waiting: Arc<Waiting>,
    judge: Option<JoinHandle<()>>,
}

impl Watching {
    /// Begins to watch a session of which this is known.
    pub fn start(about: Transcript, mut tell: Tell) -> io::Result<Self> {
        let waiting = Arc::<Waiting>::default();
        let judge = Builder::new().stack_size(STACK).spawn({
            let waiting = Arc::clone(&waiting);
            move || {
                let judged = catch_unwind(AssertUnwindSafe(|| judge(&waiting, about, &mut tell)));
                waiting.end(State::Gone);
                if judged.is_err() {
                    tell(Shown::Failed);
                }
            }
        })?;
        Ok(Self { waiting, judge: Some(judge) })
    }

    /// Whether a frame would find room at once.
    pub fn has_room(&self, frame: &Frame) -> bool {
        self.waiting.lock().has_room(takes(frame))
    }

    /// Hands on a frame, as soon as there is room for it.
    pub fn push(&self, frame: Frame) {
        self.waiting.push(frame);
    }

    /// To be told when nothing more comes from outside.
    pub fn haste(&self) -> Haste {
        Haste(Arc::clone(&self.waiting))
    }

    /// Waits until all is told, since the session is over.
    pub fn finish(mut self) {
        self.waiting.end(State::Over);
        // One that panicked has said so.
        let _ = self.judge.take().map(JoinHandle::join);
    }
}

/// Lets the recorder wait no longer: what it still holds has a bound, and is to be written down before anybody ends us.
#[derive(Debug)]
pub(super) struct Haste(Arc<Waiting>);

impl Haste {
    /// From here on everything finds room.
    pub fn make(self) {
        self.0.lock().is_hurried = true;
        self.0.room.notify_all();
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // Where it did not end there was no session.
        self.waiting.end(State::Gone);
    }
}

/// Listens to the end of a session, and tells of it.
fn judge(waiting: &Waiting, about: Transcript, tell: &mut Tell) {
    let mut session = Ongoing::of(about, Size::default());
    let mut pace = Pace::new(Instant::now());
    let mut completeness = Completeness::default();
    loop {
        let (frames, state) = waiting.take();
        if !frames.is_empty() {
            pace.heard(Instant::now());
        }
        for frame in frames {
            completeness.note(&frame);
            let news = session.push(frame);
            if !news.is_empty() {
                tell(Shown::News(news));
            }
        }
        match state {
            State::Open => {}
            State::Over => break,
            State::Gone => return,
        }
        let begin = Instant::now();
        if pace.is_due(begin) {
            let found = session.look();
            pace.looked(begin, Instant::now());
            if !found.is_empty() {
                tell(Shown::News(News { found, ..News::default() }));
            }
        }
    }
    let (news, coverage) = session.finish();
    tell(Shown::Over(news, coverage, completeness));
}

/// When a session that goes on is worth a look.
#[derive(Debug)]
struct Pace {
    /// When the first thing came that was not looked at, and when the last one did.
    unseen: Option<(Instant, Instant)>,
    /// Until when not to look again.
    rest: Instant,
}

impl Pace {
    /// For how long nothing has come when it is quiet.
    const QUIET: Duration = Duration::from_millis(200);
    /// For how long a session that is never quiet is not looked at.
    const LONGEST: Duration = Duration::from_secs(2);
    /// A look costs what judging a stretch does, be it for one call: so many times that long there is no other.
    const REST: u32 = 9;

    fn new(now: Instant) -> Self {
        Self { unseen: None, rest: now }
    }

    fn heard(&mut self, now: Instant) {
        let first = self.unseen.map_or(now, |(first, _)| first);
        self.unseen = Some((first, now));
    }

    fn is_due(&self, now: Instant) -> bool {
        let is_worth_it = self.unseen.is_some_and(|(first, last)| {
            now.duration_since(last) >= Self::QUIET || now.duration_since(first) >= Self::LONGEST
        });
        is_worth_it && now >= self.rest
    }

    fn looked(&mut self, begin: Instant, end: Instant) {
        self.unseen = None;
        self.rest = end + end.duration_since(begin) * Self::REST;
    }
}

/// Frames on their way to whoever judges them.
#[derive(Debug, Default)]
struct Waiting {
    queue: Mutex<Waited>,
    more: Condvar,
    room: Condvar,
}

#[derive(Debug, Default)]
struct Waited {
    frames: VecDeque<Frame>,
    bytes: usize,
    state: State,
    is_hurried: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// More may come.
    #[default]
    Open,
    /// The session is over.
    Over,
    /// There is nobody to send, or to judge.
    Gone,
}

/// What a frame takes while it waits.
fn takes(frame: &Frame) -> usize {
    let context = frame.context().map_or(0, |context| context.to_string().len());
    EACH_BYTES + frame.line().len() + 2 * context
}

impl Waited {
    /// One that is larger than all the room there is gets it for itself.
    fn has_room(&self, bytes: usize) -> bool {
        let is_bounded = self.state != State::Gone && !self.is_hurried;
        !is_bounded || self.bytes == 0 || self.bytes + bytes <= MOST_BYTES
    }
}

impl Waiting {
    fn push(&self, frame: Frame) {
        let bytes = takes(&frame);
        let mut queue = self.lock();
        while !queue.has_room(bytes) {
            self.more.notify_one();
            queue = self.room.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        if queue.state == State::Open {
            queue.bytes += bytes;
            queue.frames.push_back(frame);
        }
    }

    /// What has come, after a moment where nothing has; and whether more may.
    fn take(&self) -> (VecDeque<Frame>, State) {
        let mut queue = self.lock();
        if queue.frames.is_empty() && queue.state == State::Open {
            queue = self.more.wait_timeout(queue, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
        queue.bytes = 0;
        self.room.notify_all();
        (mem::take(&mut queue.frames), queue.state)
    }

    fn end(&self, state: State) {
        let mut queue = self.lock();
        if queue.state == State::Open {
            queue.state = state;
        }
        drop(queue);
        self.more.notify_all();
        self.room.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Waited> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use frankly_verdict::transcript::Side;

    use super::*;

    fn lines(fault: u32, from: u32, to: u32) -> impl Iterator<Item = Frame> {
        (from..to).flat_map(move |id| {
            let call = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"get","arguments":{{"id":"{id}"}}}}}}"#);
            let text = if id == fault { r#"{\"success\":false,\"error\":\"no such order\"}"# } else { "an order" };
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#);
            [Frame::from_line(Side::Client, call), Frame::from_line(Side::Server, answer)]
        })
    }

    #[test]
    fn a_fault_is_told_while_the_session_goes_on_and_the_counts_when_it_is_over() {
        let (sender, told) = channel();
        let tell = Box::new(move |shown| sender.send(shown).unwrap());
        let watching = Watching::start(Transcript::default(), tell).unwrap();
        lines(2, 0, 5).for_each(|frame| watching.push(frame));
        let Shown::News(News { found, .. }) = told.recv().unwrap() else { panic!("it is not over") };
        assert_eq!(
            found.iter().map(|one| (one.rule, one.calls[0])).collect::<Vec<_>>(),
            [("buried-error", 2)]
        );
        lines(9, 5, 10).for_each(|frame| watching.push(frame));
        watching.finish();
        let Shown::Over(news, coverage, _) = told.recv().unwrap() else { panic!("it is over") };
        assert_eq!((news.found.len(), coverage.calls_answered), (1, 10));
        assert!(told.recv().is_err());
    }

    /// So many healthy calls with long answers.
    fn long(from: u32, to: u32) -> impl Iterator<Item = Frame> {
        lines(u32::MAX, from, to).map(|frame| {
            let line = frame.line().replace("an order", &"an order ".repeat(300));
            Frame::from_line(frame.from(), line)
        })
    }

    #[test]
    fn far_more_than_finds_room_is_judged_and_nothing_is_left_out() {
        let (sender, told) = channel();
        let tell = Box::new(move |shown| sender.send(shown).unwrap());
        let watching = Watching::start(Transcript::default(), tell).unwrap();
        long(0, 450).for_each(|frame| watching.push(frame));
        watching.finish();
        let over = told.iter().find_map(|shown| match shown {
            Shown::Over(_, coverage, _) => Some(coverage),
            _ => None,
        });
        assert_eq!(over.unwrap().calls_answered, 450);
    }

    #[test]
    fn nobody_waits_for_what_is_judged_once_nothing_more_comes() {
        let ((tells, telling), (go_on, wait)) = (channel(), channel::<()>());
        let tell = Box::new(move |_| {
            tells.send(()).unwrap();
            let _ = wait.recv();
        });
        let watching = Watching::start(Transcript::default(), tell).unwrap();
        lines(0, 0, 1).for_each(|frame| watching.push(frame));
        telling.recv().unwrap();
        watching.haste().make();
        // More than finds room, while nobody judges.
        long(1, 450).for_each(|frame| watching.push(frame));
        drop((go_on, telling.try_recv()));
        let finishing = std::thread::spawn(move || watching.finish());
        telling.recv().unwrap();
        finishing.join().unwrap();
    }

    #[test]
    fn whoever_fails_to_watch_says_so_and_holds_up_nothing() {
        let (sender, told) = channel();
        let tell = Box::new(move |shown| match shown {
            Shown::Failed => sender.send(()).unwrap(),
            _ => panic!("as a check could"),
        });
        let watching = Watching::start(Transcript::default(), tell).unwrap();
        lines(0, 0, 1).for_each(|frame| watching.push(frame));
        told.recv().unwrap();
        long(0, 450).for_each(|frame| watching.push(frame));
        watching.finish();
        assert!(told.recv().is_err());
    }

    #[test]
    fn where_no_session_began_nothing_is_told() {
        let (sender, told) = channel();
        let tell = Box::new(move |shown| sender.send(shown).unwrap());
        drop(Watching::start(Transcript::default(), tell).unwrap());
        assert!(told.recv().is_err());
    }

    #[test]
    fn a_look_waits_for_a_quiet_moment_but_not_for_ever_and_a_dear_one_is_rare() {
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let mut pace = Pace::new(begin);
        assert!(!pace.is_due(at(5000)));
        pace.heard(at(5000));
        assert!(!pace.is_due(at(5100)));
        assert!(pace.is_due(at(5200)));
        pace.looked(at(5200), at(5201));
        assert!(!pace.is_due(at(9000)));
        for ms in (9000..11_000).step_by(100) {
            pace.heard(at(ms));
            assert!(!pace.is_due(at(ms)), "{ms}");
        }
        assert!(pace.is_due(at(11_000)));
        pace.looked(at(11_000), at(11_300));
        pace.heard(at(11_300));
        assert!(!pace.is_due(at(13_900)));
        assert!(pace.is_due(at(14_000)));
    }
}
