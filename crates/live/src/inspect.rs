//! One server, looked at: started, listed, linted, probed, checked, ended.

pub(crate) mod instead;
pub(crate) mod malformed;

use std::collections::BTreeSet;

use frankly_contract::{CallError, ToolCall, ToolDef, nearest};
use frankly_verdict::check::{check_all, one_per_fault};
use frankly_verdict::report::{Coverage, plain};
use frankly_verdict::transcript::{Answer, Frame, Role, Side, Transcript};
use frankly_verdict::{Finding, ToolSet, outage};
use serde_json::Value;

use crate::config::Server;
use crate::probe::{Grants, Probed, probe_all};
use crate::session::{Closed, CommandError, Session, StartError, TAKEN_BACK};
use crate::shown;

const METHOD_NOT_FOUND: i64 = -32601;
/// The finding of a server that ended, which nothing else tells.
const DIED: &str = "died";
/// The check that tells of calls without an answer, one for all of a tool.
const LOST_RESPONSE: &str = "lost-response";

/// What was looked at on one server, and what was found.
#[derive(Debug)]
pub struct Inspection {
    /// The server's name: as configured, else as it calls itself.
    pub server: String,
    /// The tools as they were listed.
    pub tools: ToolSet,
    /// What was covered.
    pub coverage: Coverage,
    /// What was found.
    pub findings: Vec<Finding>,
    /// Calls of tools that read which succeeded: the first of each tool.
    pub good: Vec<ToolCall>,
    /// Why the state could not be reset, where it had to be; what may write was not sent after that.
    pub not_reset: Option<CommandError>,
}

impl Inspection {
    /// The same under another name of the server: frameworks call every server alike, and two that are looked at
    /// together have to be told apart.
    ///
    /// ```
    /// use frankly_live::Inspection;
    /// use frankly_verdict::{ToolSet, report::Coverage};
    ///
    /// let inspection = Inspection {
    ///     server: "FastMCP".to_owned(),
    ///     tools: ToolSet::new("FastMCP", Vec::new()),
    ///     coverage: Coverage::default(),
    ///     findings: Vec::new(),
    ///     good: Vec::new(),
    ///     not_reset: None,
    /// };
    /// assert_eq!(inspection.renamed("FastMCP (2)").tools.server, "FastMCP (2)");
    /// ```
    #[must_use]
    pub fn renamed(mut self, server: &str) -> Self {
        self.tools.server = server.to_owned();
        self.findings.iter_mut().for_each(|finding| finding.server = server.to_owned());
        let called = std::mem::take(&mut self.coverage.tools_called).into_iter();
        self.coverage.tools_called = called.map(|(_, tool)| (server.to_owned(), tool)).collect();
        let gaps = self.coverage.not_exercised.iter_mut().chain(&mut self.coverage.skipped);
        gaps.for_each(|gap| gap.server = server.to_owned());
        Self { server: server.to_owned(), ..self }
    }
}

/// Why a server could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// It never came up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A check failed on what the server answered.
    #[error("frankly itself failed on an answer of this server; please report it with the message above")]
    Internal,
    /// The user named a tool that it does not list.
    #[error("{} lists no tool `{}`{nearest}", plain(server), plain(tool))]
    UnknownTool {
        /// The server.
        server: String,
        /// The tool as it was named.
        tool: String,
        /// The most similar tool, as the end of a sentence; may be empty.
        nearest: String,
    },
}

/// Starts a server, lists its tools, probes them where `probe` grants something, checks what came back, and
/// ends the server.
///
/// # Errors
///
/// [`InspectError`] when the server never came up, or the user named a tool that it does not have. A server
/// that dies later is a finding.
pub async fn inspect(
    name: Option<&str>,
    server: &Server,
    probe: Option<&Grants>,
) -> Result<Inspection, InspectError> {
    let session = Session::start(&server.launch(name)).await?;
    let server_name = session.server().to_owned();
    let tools = match session.tool_set().await {
        Ok(tools) => tools,
        Err(CallError::Protocol { code: METHOD_NOT_FOUND, .. }) => ToolSet::new(&server_name, Vec::new()),
        Err(error) => return Ok(without_tools(session, &error).await),
    };
    let (mut not_reset, mut beside, mut good) = (None, Vec::new(), Vec::new());
    let mut coverage = Coverage { tools_listed: tools.tools.len(), ..Coverage::default() };
    if let Some(grants) = probe {
        if let Some(unknown) = unknown_tool(&tools, server, grants) {
            session.close(None).await;
            return Err(unknown);
        }
        let probed: Probed = probe_all(&session, &tools.tools, server, grants).await;
        coverage.absorb(probed.coverage);
        (not_reset, beside, good) = (probed.not_reset, probed.frames, probed.good);
    }
    session.look_again().await;
    let gone = session.gone();
    let mut closed = session.close(Some(tools.tools.clone())).await;
    closed.transcript.frames.extend(beside);
    let (failed, known) = (failures(&closed, gone), instead::requests(&closed));
    // What was sent wrong was sent so on purpose.
    let role = Some(Role::Server);
    let transcript = Transcript { budget: server.budget, role, ..closed.transcript };
    coverage.absorb(calls_covered(&transcript));
    // On a thread of its own: answers can be large, and a signal must be heard meanwhile.
    let findings = tokio::task::spawn_blocking(move || {
        let checked = one_per_fault(check_all(&transcript));
        let mut findings = told_once(failed, checked, &known);
        malformed::without_replay(&transcript, &mut findings);
        findings
    })
    .await
    .map_err(|_| InspectError::Internal)?;
    Ok(Inspection { server: server_name, tools, coverage, findings, good, not_reset })
}

/// Every call without an answer once: as a check tells of it, which says more than that it was not answered; but where something
/// came instead, by that.
pub(crate) fn told_once(
    mut failures: Vec<Finding>,
    mut checked: Vec<Finding>,
    instead: &BTreeSet<usize>,
) -> Vec<Finding> {
    let came = |finding: &Finding| finding.frames.first().is_some_and(|frame| instead.contains(frame));
    checked.retain(|finding| finding.rule != LOST_RESPONSE || !came(finding));
    let is_told = |finding: &Finding| {
        checked.iter().any(|other| {
            other.frames.first() == finding.frames.first()
                || (other.rule == LOST_RESPONSE && other.tool == finding.tool)
        })
    };
    failures.retain(|finding| finding.rule == DIED || finding.frames.is_empty() || !is_told(finding));
    failures.extend(checked);
    failures
}

/// What went wrong with the server as a whole.
pub(crate) fn failures(closed: &Closed, gone: Option<String>) -> Vec<Finding> {
    let taken_back = taken_back(&closed.transcript);
    let is_missed = |finding: &Finding| !finding.frames.iter().any(|frame| taken_back.contains(frame));
    let unanswered: Vec<_> = outage::unanswered(&closed.transcript)
        .into_iter()
        .filter(is_missed)
        .map(|finding| instead::told(closed, finding))
        .collect();
    let ended = closed.status.map(|status| format!("ended ({status})"));
    // A server whose children keep its output open ends without a sign but its status.
    let crashed = !unanswered.is_empty() && closed.status.is_some_and(|status| !status.success());
    let what = match (gone, ended) {
        (Some(what), Some(ended)) => format!("{what}, and {ended}"),
        (Some(what), None) => what,
        (None, Some(ended)) if crashed => ended,
        _ => return unanswered,
    };
    vec![malformed::died(closed, &plain(&what))]
}

/// The frames of requests that were taken back before anybody was tired of waiting: none is missed.
fn taken_back(transcript: &Transcript) -> BTreeSet<usize> {
    let params = |frame: &Frame| frame.msg().and_then(|msg| msg.get("params")).cloned();
    let notices = transcript.frames.iter().filter(|frame| frame.method() == Some("notifications/cancelled"));
    let ids: Vec<Value> = notices
        .filter_map(params)
        .filter(|params| params.get("reason").is_some_and(|reason| reason == TAKEN_BACK))
        .filter_map(|params| params.get("requestId").cloned())
        .collect();
    let is_ours = |frame: &Frame| frame.from() == Side::Client && frame.method().is_some();
    let frames = transcript.frames.iter().enumerate();
    let taken = frames.filter(|(_, frame)| is_ours(frame) && frame.id().is_some_and(|id| ids.contains(id)));
    taken.map(|(index, _)| index).collect()
}

/// A server that came up and did not list its tools.
async fn without_tools(session: Session, error: &CallError) -> Inspection {
    let (server, gone) = (session.server().to_owned(), session.gone());
    let closed = session.close(None).await;
    let findings = match gone {
        Some(_) => failures(&closed, gone),
        None => vec![outage::not_listed(&server, &plain(&error.to_string()), &closed.stderr)],
    };
    let coverage = calls_covered(&closed.transcript);
    let tools = ToolSet::new(&server, Vec::new());
    Inspection { server, tools, coverage, findings, good: Vec::new(), not_reset: None }
}

/// The first tool that the user named and the server does not list.
fn unknown_tool(tools: &ToolSet, server: &Server, grants: &Grants) -> Option<InspectError> {
    let listed = || tools.tools.iter().map(ToolDef::name);
    let named = server.tools.keys().chain(grants.tools.keys());
    let unknown = named.into_iter().find(|name| !listed().any(|listed| listed == *name))?;
    let nearest = nearest(unknown, listed()).map(shown::did_you_mean);
    Some(InspectError::UnknownTool {
        server: tools.server.clone(),
        tool: unknown.clone(),
        nearest: nearest.unwrap_or_default(),
    })
}

/// What the calls came to, without those that were taken back on purpose: whether they are answered is a matter of luck.
fn calls_covered(transcript: &Transcript) -> Coverage {
    let taken_back = taken_back(transcript);
    let mut calls = transcript.calls();
    calls.retain(|call| taken_back.contains(&call.request));
    let mut covered = Coverage::of_calls(transcript);
    covered.calls_made -= calls.len();
    covered.calls_answered -= calls.iter().filter(|call| call.response.is_some()).count();
    covered.calls_succeeded -= calls.iter().filter(|call| matches!(call.answer, Answer::Success(_))).count();
    covered
}
