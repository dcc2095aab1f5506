//! Runs that take turns. What may not enter: an executor, which would choose the order itself.

use std::future::{Future, poll_fn};
use std::task::Poll;

use futures_util::future::maybe_done;

/// Polls each future once, in their order, and then all of them again, until all have ended: whenever one gives way the next
/// one runs.
pub(super) async fn in_turn<F: Future>(runs: Vec<F>) -> Vec<F::Output> {
    let mut runs: Vec<_> = runs.into_iter().map(|run| Box::pin(maybe_done(run))).collect();
    poll_fn(|cx| {
        let waiting =
            runs.iter_mut().filter_map(|run| run.as_mut().poll(cx).is_pending().then_some(())).count();
        if waiting == 0 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    runs.iter_mut().filter_map(|run| run.as_mut().take_output()).collect()
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
        assert_eq!(ended, ["a", "b", "c"]);
        assert_eq!(steps.into_inner().unwrap(), ["a0", "b0", "a1", "b1", "b2"]);
    }
}
