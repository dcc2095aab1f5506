//! Runs contract cases: starts the server, makes each call as it is written, and keeps what came back.
//!
//! What may not enter: judgement. What an answer must show is held against it in `frankly-verdict`.

mod ground;
mod stage;
mod starter;

use std::collections::{BTreeMap, BTreeSet};

use frankly_contract::{CallError, ToolDef, nearest};
use frankly_verdict::case::{Case, CaseFile, Outcome, Seen, Step, Verdict};
use frankly_verdict::check::{check_all, one_per_fault};
use frankly_verdict::report::{Coverage, plain};
use frankly_verdict::transcript::{Role, Transcript};
use frankly_verdict::{Finding, Place, Severity, ToolSet};

use crate::config::{MissingVariable, Server};
use crate::inspect::{failures, instead, malformed, told_once};
use crate::session::{Session, StartError};
use crate::shown;
use ground::Ground;
use stage::{Played, Stage};
pub use starter::{Starter, starters};

/// What is found of calls without an answer.
const UNANSWERED: &[&str] = &["lost-response", "no-answer"];

/// What came of the cases of some files that share a server.
#[derive(Debug)]
pub struct Tested {
    /// The server's name: as configured, else as it calls itself.
    pub server: String,
    /// Its tools.
    pub tools: ToolSet,
    /// What was covered.
    pub coverage: Coverage,
    /// What came of each case that was asked for, in order.
    pub outcomes: Vec<Outcome>,
    /// What was seen of cases that expect nothing yet, by file; not of those whose answers a check speaks against.
    pub seen: BTreeMap<String, Seen>,
    /// Those others.
    pub flagged: Vec<Flagged>,
    /// What the checks say of the answers, but for cases that are known to fail.
    pub findings: Vec<Finding>,
}

/// A case that expects nothing yet, whose answer is not fit to be expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged {
    /// The file.
    pub file: String,
    /// The case.
    pub case: String,
    /// The check that speaks against the answer.
    pub rule: &'static str,
}

/// Why no case could run.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The server never came up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// It came up, and did not list its tools.
    #[error("{} did not list its tools: {error}", plain(server))]
    NotListed {
        /// The server.
        server: String,
        /// What came instead.
        error: CallError,
    },
    /// A case calls a tool that is not there.
    #[error("{place}: {} lists no tool `{}`{nearest}", plain(server), plain(tool))]
    UnknownTool {
        /// Where the tool is named.
        place: Place,
        /// The server.
        server: String,
        /// The tool as it was named.
        tool: String,
        /// The most similar tool, as the end of a sentence; may be empty.
        nearest: String,
    },
    /// The temporary directory could not be made ready.
    #[error("{file}: the temporary directory could not be made ready: {error}")]
    Directory {
        /// The file that asks for it.
        file: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// A file asks for an environment, or a start of its own, of a server that is only reached.
    #[error(
        "{file}: `env` and `fresh` are for a server that is started, and this one is reached at a URL; leave them out"
    )]
    Reached {
        /// The file.
        file: String,
    },
    /// A variable of the environment is not set.
    #[error("{file}: {error}")]
    Variable {
        /// The file.
        file: String,
        /// Which one.
        error: MissingVariable,
    },
    /// A check failed on what the server answered.
    #[error("frankly itself failed on an answer of this server; please report it with the message above")]
    Internal,
}

impl TestError {
    /// Whether it is for the user to put something right, rather than for the server to come up.
    #[must_use]
    pub fn is_misconfigured(&self) -> bool {
        match self {
            Self::Start(error) => error.is_misconfigured(),
            Self::NotListed { .. } | Self::Internal => false,
            Self::UnknownTool { .. }
            | Self::Directory { .. }
            | Self::Reached { .. }
            | Self::Variable { .. } => true,
        }
    }
}

/// Whether files may share one server: none of them asks for one of its own.
#[must_use]
pub fn may_share(file: &CaseFile) -> bool {
    !file.server.fresh && file.server.env.is_empty() && !file.wants_directory()
}

/// Starts a server, runs the cases of these files that `wanted` takes, in order, and ends the server. A case that is not
/// wanted still runs where later ones may need what it saves. Files that do not [share](may_share) come alone.
///
/// # Errors
///
/// [`TestError`] where no case could run. What goes wrong later is an outcome.
pub async fn test(
    name: Option<&str>,
    server: &Server,
    files: &[&CaseFile],
    wanted: &(dyn Fn(&Case) -> bool + Sync),
) -> Result<Tested, TestError> {
    let ground = Ground::of(files)?;
    let server = ground.server(server)?;
    let session = Session::start(&server.launch(name)).await?;
    let tools = match session.tool_set().await {
        Ok(tools) => tools,
        Err(error) => {
            let server = session.server().to_owned();
            session.close(None).await;
            return Err(TestError::NotListed { server, error });
        }
    };
    if let Some(unknown) = unknown_tool(&tools, files, wanted) {
        session.close(None).await;
        return Err(unknown);
    }
    let mut stage = Stage::new(&session, &server, &ground);
    for file in files {
        stage.play(file, wanted).await;
    }
    let played = stage.leave();
    session.look_again().await;
    let gone = session.gone();
    let closed = session.close(Some(tools.tools.clone())).await;
    let (failed, known) = (failures(&closed, gone), instead::requests(&closed));
    // What is sent wrong is sent so on purpose.
    let transcript = Transcript { budget: server.budget, role: Some(Role::Server), ..closed.transcript };
    let coverage = Coverage {
        tools_listed: tools.tools.len(),
        refusals_expected: played.iter().filter(|played| played.is_refused_as_expected()).count(),
        ..Coverage::of_calls(&transcript)
    };
    // On a thread of its own: there may be thousands of cases, and a signal must be heard meanwhile.
    let mut findings = tokio::task::spawn_blocking(move || {
        let mut findings = told_once(failed, check_all(&transcript), &known);
        malformed::without_replay(&transcript, &mut findings);
        findings
    })
    .await
    .map_err(|_| TestError::Internal)?;
    // A case without an answer says so itself.
    let unanswered: BTreeSet<usize> = played.iter().filter_map(Played::unanswered).collect();
    findings.retain(|finding| {
        !(UNANSWERED.contains(&finding.rule)
            && finding.calls.first().is_some_and(|call| unanswered.contains(call)))
    });
    let (seen, flagged) = fit_to_expect(&played, &findings, &server);
    let known: BTreeSet<usize> = played.iter().filter_map(known_to_fail).collect();
    findings.retain(|finding| !finding.calls.first().is_some_and(|call| known.contains(call)));
    let findings = one_per_fault(findings);
    let outcomes = played.into_iter().map(|played| played.outcome).collect();
    Ok(Tested { server: tools.server.clone(), tools, coverage, outcomes, seen, flagged, findings })
}

/// Whether a case runs: it is wanted, or later ones may need what it saves.
fn runs(case: &Case, wanted: &(dyn Fn(&Case) -> bool + Sync)) -> bool {
    wanted(case) || !case.call.save.is_empty()
}

/// The first tool that a file calls and the server does not list; a case may expect that it is refused.
fn unknown_tool(
    tools: &ToolSet,
    files: &[&CaseFile],
    wanted: &(dyn Fn(&Case) -> bool + Sync),
) -> Option<TestError> {
    let listed = || tools.tools.iter().map(ToolDef::name);
    let calls = files.iter().flat_map(|file| {
        let steps = file.setup.iter().chain(&file.teardown).filter_map(|step| match step {
            Step::Call(call) => Some(call),
            Step::Run { .. } => None,
        });
        let cases = file
            .cases
            .iter()
            .filter(|case| !case.expects_protocol_error() && runs(case, wanted))
            .map(|case| &case.call);
        cases.chain(steps).map(move |call| (file, call))
    });
    let (file, call) = calls.into_iter().find(|(_, call)| !listed().any(|name| name == call.tool))?;
    Some(TestError::UnknownTool {
        place: Place { file: file.path.clone(), line: call.at.line, column: call.at.column },
        server: tools.server.clone(),
        tool: call.tool.clone(),
        nearest: nearest(&call.tool, listed()).map(shown::did_you_mean).unwrap_or_default(),
    })
}

/// What was seen of cases that expect nothing yet, parted by whether a check speaks against it.
fn fit_to_expect(
    played: &[Played],
    findings: &[Finding],
    server: &Server,
) -> (BTreeMap<String, Seen>, Vec<Flagged>) {
    let (mut seen, mut flagged) = (BTreeMap::<String, Seen>::new(), Vec::new());
    for Played { outcome, observed } in played {
        let (Verdict::ExpectsNothing, Some(observed)) = (&outcome.verdict, observed) else { continue };
        let (file, case) = (outcome.file.clone(), outcome.case.clone());
        let against = findings.iter().find(|finding| {
            finding.severity >= Severity::Warning && finding.calls.first() == outcome.call.as_ref()
        });
        let shows_own = server.secrets().any(|secret| observed.text.contains(secret));
        let against = against.map(|finding| finding.rule).or(shows_own.then_some("secret-in-recording"));
        match against {
            Some(rule) => flagged.push(Flagged { file, case, rule }),
            None => {
                seen.entry(file).or_default().insert(case, observed.clone());
            }
        }
    }
    (seen, flagged)
}

/// The call of a case that fails as is known.
fn known_to_fail(played: &Played) -> Option<usize> {
    played.outcome.call.filter(|_| matches!(played.outcome.verdict, Verdict::KnownFailing(_)))
}
