//! Runs that take turns. What may not enter: an executor, which would choose the order itself.

use std::future::{Future, poll_fn};
use std::task::Poll;

use futures_util::future::{MaybeDone, maybe_done};

/// Polls each future once, in their order, and then all of them again, until all have ended: whenever one gives way the next
/// one runs. Gives what they gave, and whether one ever gave way while another had not ended.
pub(super) async fn in_turn<F: Future>(runs: Vec<F>) -> (Vec<F::Output>, bool) {
    let mut runs: Vec<_> = runs.into_iter().map(|run| Box::pin(maybe_done(run))).collect();
    let mut unfinished = runs.len();
    let mut took_turns = false;
    poll_fn(|cx| {
        let mut waiting = 0;
        for run in &mut runs {
            let was_over = matches!(**run, MaybeDone::Done(_));
            match run.as_mut().poll(cx) {
                Poll::Pending => {
                    waiting += 1;
                    took_turns |= unfinished > 1;
                }
                Poll::Ready(()) if !was_over => unfinished -= 1,
                Poll::Ready(()) => {}
            }
        }
        if waiting == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    (runs.iter_mut().filter_map(|run| run.as_mut().take_output()).collect(), took_turns)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::give_way;

    #[test]
    fn each_has_one_step_until_all_have_ended() {
        let steps = Mutex::new(Vec::new());
        let run = |name: &'static str, length: usize| {
            let steps = &steps;
            async move {
                for step in 0..length {
                    steps.lock().unwrap().push(format!("{name}{step}"));
                    give_way().await;
                }
                name
            }
        };
        let ended = pollster::block_on(in_turn(vec![run("a", 2), run("b", 3), run("c", 0)]));
        assert_eq!(ended, (vec!["a", "b", "c"], true));
        assert_eq!(*steps.lock().unwrap(), ["a0", "b0", "a1", "b1", "b2"]);
        for (lengths, took_turns) in [([0, 0], false), ([0, 3], false), ([1, 0], true), ([1, 1], true)] {
            let runs = lengths.map(|length| run("a", length)).into();
            assert_eq!(pollster::block_on(in_turn(runs)).1, took_turns, "{lengths:?}");
        }
    }
}
