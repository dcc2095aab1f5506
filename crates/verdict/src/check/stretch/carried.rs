//! What is carried along from one stretch to the next, beside the part that both have: as little as will do.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use crate::check::reading::Sight;
use crate::transcript::requests::{Request, Requests};
use crate::transcript::{Flaw, Frame, Role, Side};

/// So many open requests, and pages that nobody went on from, are carried along.
const MOST: usize = 500;
/// So many bytes of open requests are, and the last one however long it is.
const MOST_BYTES: usize = 2 << 20;
/// So many answered requests of its kind, sent later, show that one is lost.
const WITNESSES: usize = 2;

/// A frame that is carried along, with its number, and that of the call in it.
#[derive(Debug)]
pub(super) struct Carried {
    pub frame: Frame,
    pub number: usize,
    pub call: Option<usize>,
}

/// What stands in front of a stretch, in order.
#[derive(Debug, Default)]
pub(super) struct Front {
    pub frames: Vec<Carried>,
    /// Whether some open requests were too many.
    pub forgot: bool,
}

/// What is carried on from a stretch, and the frames of requests that are not waited for any longer.
pub(super) struct Left {
    pub front: Front,
    pub given_up: Vec<usize>,
}

/// What the next stretch, which begins at this frame, cannot do without.
pub(super) fn from(
    (frames, numbers): (&[Frame], &[usize]),
    requests: &Requests<'_>,
    sight: &Sight,
    seam: usize,
    role: Option<Role>,
) -> Left {
    let gone = || requests.all.iter().enumerate().filter(|(_, one)| one.frame < seam);
    let calls = call_numbers(requests, sight);
    let mut open: Vec<(usize, &Request<'_>)> = gone().filter(|(_, one)| is_open(one, seam)).collect();
    let given_up = give_up(&mut open, frames);
    // By their places: messages in batches are taken out of those, since the others in them are none of these.
    let mut kept: BTreeMap<(usize, usize), Carried> = BTreeMap::new();
    let mut keep = |at: usize, frame: Frame, call: Option<usize>, position: usize| {
        kept.entry((at, position)).or_insert(Carried { frame, number: numbers[at], call });
    };
    for (at, request) in &open {
        let frame = alone(&frames[request.frame], request.in_batch);
        keep(request.frame, frame, calls[*at], request.in_batch.unwrap_or_default());
        let gone = request.cancelled.into_iter().chain(request.settled);
        gone.filter(|gone| *gone < seam).for_each(|gone| keep(gone, frames[gone].clone(), None, 0));
    }
    let pages = match role {
        Some(Role::Client) => not_gone_on(requests, seam),
        _ => Vec::new(),
    };
    for at in witnesses(requests, &open, seam).into_iter().chain(pages) {
        let request = &requests.all[at];
        let answer = request.answers.first().map(|(answer, _)| *answer);
        if request.in_batch.or(request.answer_in_batch).is_none() {
            keep(request.frame, frames[request.frame].clone(), calls[at], 0);
            answer.into_iter().for_each(|answer| keep(answer, frames[answer].clone(), None, 0));
        }
    }
    for at in signs(&frames[..seam], &open) {
        keep(at, frames[at].clone(), None, 0);
    }
    let forgot = sight.forgot || !given_up.is_empty();
    Left { front: Front { frames: kept.into_values().collect(), forgot }, given_up }
}

/// Of each request the number of the call that it is.
fn call_numbers(requests: &Requests<'_>, sight: &Sight) -> Vec<Option<usize>> {
    let mut carried = sight.carried_calls.iter().copied();
    let mut others = sight.first_call..;
    let number = |one: &Request<'_>| match one.method {
        "tools/call" if one.frame < sight.front => carried.next(),
        "tools/call" => others.next(),
        _ => None,
    };
    requests.all.iter().map(number).collect()
}

/// Whether a request waits for its answer at a frame.
fn is_open(request: &Request<'_>, seam: usize) -> bool {
    !request.id.is_null() && request.answers.first().is_none_or(|(answer, _)| *answer >= seam)
}

/// Leaves so many that they can be carried: of those that were taken back and of those that wait the longest the others go.
fn give_up(open: &mut Vec<(usize, &Request<'_>)>, frames: &[Frame]) -> Vec<usize> {
    let mut bytes = 0;
    let mut latest: Vec<usize> = (0..open.len()).collect();
    latest.sort_by_key(|at| (open[*at].1.is_let_go(), std::cmp::Reverse(*at)));
    let fits = |(count, at): (usize, &usize)| {
        bytes += frames[open[*at].1.frame].line().len();
        count == 0 || (count < MOST && bytes <= MOST_BYTES)
    };
    let fitting = latest.iter().enumerate().map(fits).take_while(|fits| *fits).count();
    let mut kept = latest[..fitting].to_vec();
    kept.sort_unstable();
    let given_up = latest[fitting..].iter().map(|at| open[*at].1.frame).collect();
    *open = kept.into_iter().map(|at| open[at]).collect();
    given_up
}

/// A message out of a batch, or the frame as it is.
fn alone(frame: &Frame, in_batch: Option<usize>) -> Frame {
    let Some(msg) = in_batch.and_then(|place| frame.msg()?.get(place)) else { return frame.clone() };
    Frame::from_line(frame.from(), msg.to_string()).seen_as(frame)
}

/// Answered requests by which it is told whether the open ones are lost: the last ones of each kind.
fn witnesses(requests: &Requests<'_>, open: &[(usize, &Request<'_>)], seam: usize) -> Vec<usize> {
    let mut kinds: HashMap<(&str, Option<&Value>), Vec<usize>> = HashMap::new();
    let kind = |one: &Request<'_>| (one.method.to_owned(), one.param("name").map(Value::to_string));
    let waiting: std::collections::HashSet<_> = open.iter().map(|(_, one)| kind(one)).collect();
    if waiting.is_empty() {
        return Vec::new();
    }
    for (at, one) in requests.all.iter().enumerate() {
        let is_answered = one.answers.first().is_some_and(|(answer, _)| *answer < seam);
        if is_answered && waiting.contains(&kind(one)) {
            let last = kinds.entry((one.method, one.param("name"))).or_default();
            last.push(at);
            if last.len() > WITNESSES {
                last.remove(0);
            }
        }
    }
    kinds.into_values().flatten().collect()
}

/// Pages of the protocol's lists whose way on nobody has taken yet.
fn not_gone_on(requests: &Requests<'_>, seam: usize) -> Vec<usize> {
    let cursors: std::collections::HashSet<(&str, String)> =
        requests.all.iter().filter_map(|one| Some((one.method, one.param("cursor")?.to_string()))).collect();
    let is_left = |(_, one): &(usize, &Request<'_>)| {
        let Some((answer, result)) = one.result().filter(|_| one.method.ends_with("/list")) else {
            return false;
        };
        let next = result.get("nextCursor").filter(|next| !next.is_null());
        answer < seam && next.is_some_and(|next| !cursors.contains(&(one.method, next.to_string())))
    };
    let left: Vec<usize> = requests.all.iter().enumerate().filter(is_left).map(|(at, _)| at).collect();
    left[left.len().saturating_sub(MOST)..].to_vec()
}

/// Frames that say how the session went: the last end of it and the first one behind each open request, the last notice of
/// each list that changed, and the last line that was too deep to be read.
fn signs(frames: &[Frame], open: &[(usize, &Request<'_>)]) -> Vec<usize> {
    let (mut ends, mut last) = (Vec::new(), BTreeMap::new());
    for (at, frame) in frames.iter().enumerate() {
        let is_of_server = frame.from() == Side::Server && frame.is_on_the_wire();
        if frame.event().is_some_and(|event| matches!(&*event.name, "end" | "exit")) {
            ends.push(at);
        } else if let Some(method) = frame.method().filter(|method| method.ends_with("/list_changed")) {
            last.insert(method, at);
        } else if is_of_server && frame.flaw() == Some(Flaw::TooDeep) {
            last.insert("", at);
        }
    }
    let behind =
        |(_, one): &(usize, &Request<'_>)| ends.get(ends.partition_point(|end| *end <= one.frame)).copied();
    open.iter().filter_map(behind).chain(ends.last().copied()).chain(last.into_values()).collect()
}
