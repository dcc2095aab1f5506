//! A recording of any length, looked at as it is read: stretch by stretch, on as many threads as are wanted. What is found
//! does not depend on their number.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism, scope};

use frankly_verdict::Finding;
use frankly_verdict::check::{Judged, Size, Stretch, Stretches, Told};
use frankly_verdict::report::Coverage;
use frankly_verdict::transcript::{Frame, SizeBudget, Transcript};

use super::lines::Lines;
use super::{Completeness, INPUT, RecordingFileError, each_frame, name_of, read_header};

/// So many stretches at most are judged at once: each takes memory.
const MOST_AT_ONCE: usize = 2;
/// As much as a main thread has: answers nest.
const STACK: usize = 8 << 20;
/// So much text is held beside what was read of it.
const PART_BYTES: usize = 64 * 1024;

/// How a recording is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Watch {
    /// How large an answer may be; else as the recording says.
    pub budget: Option<SizeBudget>,
    /// How much of it is held at once.
    pub size: Size,
    /// On how many threads stretches are judged; with 1, on that which reads.
    pub threads: usize,
}

impl Default for Watch {
    /// As many threads as help, and no more than memory allows.
    fn default() -> Self {
        let threads = available_parallelism().map_or(1, NonZero::get).min(MOST_AT_ONCE);
        Self { budget: None, size: Size::default(), threads }
    }
}

/// What a recording shows.
#[derive(Debug)]
pub struct Watched {
    /// What was found, stretch by stretch.
    pub findings: Vec<Finding>,
    /// What was looked at, with how many tools are known.
    pub coverage: Coverage,
    /// Whether it ends in the middle of a line.
    pub torn: bool,
    /// How complete it is, as it says itself.
    pub completeness: Completeness,
}

impl Watch {
    /// Looks at the recording in a file. The server is called as the file is, without its ending.
    ///
    /// ```
    /// let file = tempfile::NamedTempFile::with_suffix("ledger.jsonl")?;
    /// std::fs::write(&file, "{\"frankly\":\"recording\",\"version\":1}\n")?;
    /// let watched = frankly_live::recording::Watch::default().file(file.path())?;
    /// assert_eq!((watched.coverage.calls_made, watched.findings.len()), (0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RecordingFileError`] names the file, and the line where one is at fault.
    pub fn file(&self, path: &Path) -> Result<Watched, RecordingFileError> {
        let file =
            File::open(path).map_err(|why| RecordingFileError::Unreadable { path: path.to_owned(), why })?;
        self.lines_of(path, &name_of(path), BufReader::new(file))
    }

    /// Looks at the recording that comes on standard input.
    ///
    /// # Errors
    ///
    /// As [`Self::file`].
    pub fn input(&self) -> Result<Watched, RecordingFileError> {
        self.lines_of(Path::new(INPUT), INPUT, std::io::stdin().lock())
    }

    pub(super) fn lines_of(
        &self,
        path: &Path,
        server: &str,
        from: impl BufRead,
    ) -> Result<Watched, RecordingFileError> {
        let mut lines = Lines::of_any_length(path, from);
        let about = read_header(server, &mut lines)?;
        let about = Transcript { budget: self.budget.or(about.budget), ..about };
        let in_order = Mutex::new(InOrder::default());
        let mut completeness = Completeness::default();
        let torn = scope(|scope| {
            let mut stretches = Stretches::of(about, self.size);
            let mut judges = Judges::of(scope, &in_order, self.threads);
            let torn = each_frame(&mut lines, PART_BYTES, &mut |frame: Frame| {
                completeness.note(&frame);
                stretches.push(frame).into_iter().for_each(|stretch| judges.judge(stretch));
            })?;
            judges.judge(stretches.finish());
            judges.finish();
            Ok::<_, RecordingFileError>(torn)
        })?;
        let told = in_order.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).told;
        let (findings, coverage) = told.into_parts();
        Ok(Watched { findings, coverage, torn, completeness })
    }
}

/// What was judged, put together in the order of the stretches.
#[derive(Default)]
struct InOrder {
    told: Told,
    next: usize,
    ahead: BTreeMap<usize, Judged>,
}

impl InOrder {
    fn add(&mut self, at: usize, judged: Judged) {
        self.ahead.insert(at, judged);
        while let Some(judged) = self.ahead.remove(&self.next) {
            self.told.add(judged);
            self.next += 1;
        }
    }
}

/// Whoever judges stretches: threads, which are started once there is more than one stretch, or else this one.
struct Judges<'s, 'e> {
    scope: &'s Scope<'s, 'e>,
    in_order: &'e Mutex<InOrder>,
    threads: usize,
    count: usize,
    sender: Option<SyncSender<(usize, Stretch)>>,
    others: Vec<ScopedJoinHandle<'s, ()>>,
}

impl<'s, 'e> Judges<'s, 'e> {
    fn of(scope: &'s Scope<'s, 'e>, in_order: &'e Mutex<InOrder>, threads: usize) -> Self {
        Self { scope, in_order, threads, count: 0, sender: None, others: Vec::new() }
    }

    fn judge(&mut self, stretch: Stretch) {
        if self.sender.is_none() && self.threads > 1 && !stretch.is_last() {
            self.start();
        }
        let next = (self.count, stretch);
        self.count += 1;
        // Without a queue: a stretch that waits takes memory too.
        let left = match &self.sender {
            Some(sender) => sender.send(next).err().map(|refused| refused.0),
            None => Some(next),
        };
        left.into_iter().for_each(|next| judge(next, self.in_order));
    }

    /// Starts the threads; where none can be had, the one that reads judges too.
    fn start(&mut self) {
        let (sender, receiver) = sync_channel(0);
        let (receiver, in_order) = (std::sync::Arc::new(Mutex::new(receiver)), self.in_order);
        for _ in 0..self.threads {
            let receiver = receiver.clone();
            let work = move || {
                while let Some(next) = take(&receiver) {
                    judge(next, in_order);
                }
            };
            self.others.extend(Builder::new().stack_size(STACK).spawn_scoped(self.scope, work));
        }
        self.sender = (!self.others.is_empty()).then_some(sender);
    }

    fn finish(mut self) {
        drop(self.sender.take());
        for other in self.others {
            other.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    }
}

fn take(receiver: &Mutex<Receiver<(usize, Stretch)>>) -> Option<(usize, Stretch)> {
    receiver.lock().ok()?.recv().ok()
}

fn judge((at, stretch): (usize, Stretch), in_order: &Mutex<InOrder>) {
    let judged = stretch.judge();
    drop(stretch);
    if let Ok(mut in_order) = in_order.lock() {
        in_order.add(at, judged);
    }
}
