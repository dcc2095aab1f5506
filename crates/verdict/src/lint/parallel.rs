//! Work that is shared among the processors; what comes of it is in the order in which it was given. Judges nothing.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread::{Builder, ScopedJoinHandle, available_parallelism, scope};

/// Fewer are not worth a thread, nor the memory that each thread keeps for itself.
const LEAST: usize = 50;
/// As much as a main thread has: schemas nest.
const STACK: usize = 8 << 20;

/// Does this to each part of some things, as many parts as there are processors.
pub(super) fn parts<T: Send, R: Send>(things: Vec<T>, run: impl Fn(Vec<T>) -> R + Sync) -> Vec<R> {
    let all = things.len();
    let count = processors().min(all / LEAST).max(1);
    let size = all.div_ceil(count);
    let mut things = things.into_iter();
    let parts: Vec<_> = (0..count).map(|_| Mutex::new(Some(things.by_ref().take(size).collect()))).collect();
    each(&parts, all, |part: &Mutex<Option<Vec<T>>>| {
        let part = part.lock().ok().and_then(|mut part| part.take());
        run(part.unwrap_or_default())
    })
}

/// Does this to each of some things, the next one as soon as a processor is free; one by one where the work is small, which
/// depends on so many things that each of them looks at.
pub(super) fn each<T: Sync, R: Send>(things: &[T], looks_at: usize, run: impl Fn(&T) -> R + Sync) -> Vec<R> {
    if looks_at < 2 * LEAST {
        return things.iter().map(run).collect();
    }
    let next = Mutex::new(things.iter().enumerate());
    let work = || {
        let mut done = Vec::new();
        let take = || next.lock().ok().and_then(|mut next| next.next());
        while let Some((at, thing)) = take() {
            done.push((at, run(thing)));
        }
        done
    };
    let mut done = scope(|scope| {
        // Where no thread can be had, this one does all.
        let others = (1..processors().min(things.len()))
            .filter_map(|_| Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok());
        let others: Vec<ScopedJoinHandle<'_, Vec<(usize, R)>>> = others.collect();
        let mut done = work();
        for other in others {
            done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, done)| done).collect()
}

fn processors() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_of_it_is_in_order_and_whole() {
        for count in [0, 1, LEAST - 1, 10 * LEAST + 7] {
            let numbers: Vec<usize> = (0..count).collect();
            let doubled: Vec<usize> = numbers.iter().map(|number| number * 2).collect();
            assert_eq!(each(&numbers, 4 * LEAST, |number| number * 2), doubled);
            assert_eq!(parts(numbers, |part| part).concat(), (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "at the last")]
    fn a_panic_is_not_lost() {
        each(&[1, 2, 3], 4 * LEAST, |number| assert!(*number < 3, "at the last"));
    }
}
