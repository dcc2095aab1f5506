//! A call that several callers wait for. What may not enter: whether it may be repeated.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::FutureExt;
use futures_util::future::Shared;

use super::Outcome;
use crate::BoxFuture;

type Panic = Box<dyn Any + Send>;

/// A call that ends once, however many wait for it.
#[derive(Clone)]
pub(super) struct Effect {
    ended: Shared<BoxFuture<'static, Ended>>,
    /// For the first of its callers.
    panic: Arc<Mutex<Option<Panic>>>,
}

/// How it ended.
#[derive(Clone)]
pub(super) enum Ended {
    Outcome(Outcome),
    Panicked,
}

impl Effect {
    pub fn of(call: impl Future<Output = Outcome> + Send + 'static) -> Self {
        let panic = Arc::new(Mutex::new(None));
        let slot = Arc::clone(&panic);
        let ended = AssertUnwindSafe(call).catch_unwind().map(move |ended| match ended {
            Ok(outcome) => Ended::Outcome(outcome),
            Err(payload) => {
                *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(payload);
                Ended::Panicked
            }
        });
        Self { ended: ended.boxed().shared(), panic }
    }

    /// Waits for its end, and drives it there.
    pub fn ended(&self) -> impl Future<Output = Ended> + use<> {
        self.ended.clone()
    }

    /// The same, for whoever runs it without waiting for it.
    pub fn by_itself(&self) -> BoxFuture<'static, ()> {
        self.ended.clone().map(|_| ()).boxed()
    }

    pub fn has_ended(&self) -> bool {
        self.ended.peek().is_some()
    }

    /// What it panicked with, for whoever asks first.
    pub fn panic(&self) -> Option<Panic> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether this is the very same.
    pub fn is(&self, other: &Self) -> bool {
        self.ended.ptr_eq(&other.ended)
    }
}
