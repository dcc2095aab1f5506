//! Probes of a server as a whole, sent once: what becomes of the next call when one was taken back, was not waited for,
//! or was no proper call; and what the list of tools is like the second time.

mod at_once;
mod cancel_then_call;
mod garbage_then_call;
mod list_twice;
mod slow_then_call;
mod two_identities;
mod unknown_tool;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use frankly_contract::{BoxFuture, CallError, ToolCall, Tools};
use frankly_verdict::Doc;
use frankly_verdict::transcript::Frame;

use super::Outcome;
use super::bench::shown;
use super::run::{Healthy, Run};
use crate::config::Server;
use crate::session::Session;

/// Sends calls of one kind to a server.
pub(super) trait ServerProbe: Sync {
    /// What it sends and which relation must hold.
    fn doc(&self) -> &'static Doc;
    /// Whether it is sent only where the server's state may be changed.
    fn needs_sandbox(&self) -> bool {
        false
    }
    /// Whether the server has what this probe varies; one that has not does not count as a gap.
    fn fits(&self, _server: &Server) -> bool {
        true
    }
    /// Sends the calls.
    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome>;
    /// The configuration of the server in one of the probe's examples; what it stores is in this file.
    #[cfg(test)]
    fn example_server(&self, _example: &serde_json::Value, _store: &std::path::Path) -> Server {
        Server::default()
    }
    /// What is known from before, in the probe's examples.
    #[cfg(test)]
    fn before_example(&self, _bench: &ServerBench<'_>) {}
    /// What the server of one of the probe's examples answers to a message after those `before` it: nothing, once, or
    /// more often.
    #[cfg(test)]
    fn example_answer(
        &self,
        _example: &serde_json::Value,
        before: &[serde_json::Value],
        request: &serde_json::Value,
    ) -> Vec<serde_json::Value> {
        tests::answers(before, request)
    }
}

/// Every probe of a server as a whole, in the order in which they are sent: what may end a server comes last.
pub(super) static SERVER_PROBES: &[&dyn ServerProbe] = &[
    &list_twice::ListTwice,
    &unknown_tool::UnknownTool,
    &at_once::AtOnce,
    &slow_then_call::SlowThenCall,
    &cancel_then_call::CancelThenCall,
    &two_identities::TwoIdentities,
    &garbage_then_call::GarbageThenCall,
];

/// A server under test, after its tools were called.
pub(super) struct ServerBench<'a> {
    session: &'a Session,
    server: &'a Server,
    run: &'a Run,
    refusals: AtomicUsize,
    /// What was said in sessions of their own.
    frames: Mutex<Vec<Frame>>,
}

impl<'a> ServerBench<'a> {
    /// A bench for one server.
    pub(super) fn new(session: &'a Session, server: &'a Server, run: &'a Run) -> Self {
        Self { session, server, run, refusals: AtomicUsize::new(0), frames: Mutex::default() }
    }

    /// What was said in sessions of their own.
    pub(super) fn into_frames(self) -> Vec<Frame> {
        self.frames.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many calls were refused that were made to see what becomes of them.
    pub fn refusals(&self) -> usize {
        self.refusals.load(Ordering::Relaxed)
    }

    /// A call that succeeded. Without one nothing shows that the server still answers.
    fn healthy(&self) -> Result<Arc<Healthy>, String> {
        self.run.health_check().ok_or_else(|| {
            "no call succeeded to a tool that reads, so that none can show whether the server still answers".to_owned()
        })
    }

    /// Makes a call that succeeded again. Whether it was answered; what that shows is for the
    /// checks. An error only where it was not sent.
    async fn still_answers(&self, healthy: &Healthy) -> Result<bool, String> {
        self.run.spend()?;
        let result = self.session.call(healthy.call.clone()).await;
        let is_answered = !matches!(result, Err(CallError::TimedOut | CallError::PeerGone(_)));
        self.run.heard(is_answered);
        Ok(is_answered)
    }

    /// Makes a call that should be refused.
    async fn ask(&self, call: ToolCall) -> Result<(), String> {
        self.run.spend()?;
        let result = self.session.call(call).await;
        self.run.heard(!matches!(result, Err(CallError::TimedOut)));
        match result {
            Ok(_) => Ok(()),
            Err(error @ (CallError::Tool(_) | CallError::Protocol { .. })) => {
                self.refused(&error);
                Ok(())
            }
            Err(error) => Err(shown(&error)),
        }
    }

    /// Keeps what was said in a session of its own.
    fn keep(&self, frames: impl Iterator<Item = Frame>) {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner).extend(frames);
    }

    /// Takes note of a refusal that was expected.
    fn refused(&self, error: &CallError) {
        if matches!(error, CallError::Tool(_) | CallError::Protocol { .. }) {
            self.refusals.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests;
