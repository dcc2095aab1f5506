//! One server, looked at: started, listed, linted, probed, checked, ended.

use frankly_contract::{CallError, ToolDef, nearest};
use frankly_verdict::check::check_all;
use frankly_verdict::report::Coverage;
use frankly_verdict::transcript::{Answer, Transcript};
use frankly_verdict::{Doc, Finding, Severity, ToolSet};

use crate::config::Server;
use crate::probe::{Grants, probe_all};
use crate::session::{Session, StartError, noise};

const METHOD_NOT_FOUND: i64 = -32601;

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
}

static NEVER_CAME_UP: Doc = Doc {
    name: "never-came-up",
    what: "a server that does not start, or never answers `initialize`",
    why: "The agent has none of its tools, and clients often do not say so.",
    severity: "error",
    examples: &[],
};

static NOT_LISTED: Doc = Doc {
    name: "not-listed",
    what: "a server that answers `initialize`, and `tools/list` not at all or with something else than tools",
    why: "The agent has none of its tools, and clients often do not say so.",
    severity: "error",
    examples: &[],
};

static DIED: Doc = Doc {
    name: "died",
    what: "a server that answered and later ended, closed its output, or flooded it",
    why: "Every later call fails, and whatever was under way is lost.",
    severity: "error",
    examples: &[],
};

/// What can be found about a server as a whole.
pub static OUTAGES: &[&Doc] = &[&NEVER_CAME_UP, &NOT_LISTED, &DIED];

/// Why a server could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum InspectError {
    /// It never came up.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The user named a tool that it does not list.
    #[error("{server} lists no tool `{tool}`{nearest}")]
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
        Err(CallError::Protocol { code: METHOD_NOT_FOUND, .. }) => {
            ToolSet { server: server_name.clone(), tools: Vec::new() }
        }
        Err(error) => {
            session.close(None).await;
            let finding = match &error {
                CallError::PeerGone(why) => died(&server_name, why),
                error => not_listed(&server_name, error),
            };
            let tools = ToolSet { server: server_name.clone(), tools: Vec::new() };
            let coverage = Coverage::default();
            return Ok(Inspection { server: server_name, tools, coverage, findings: vec![finding] });
        }
    };
    let mut coverage = Coverage { tools_listed: tools.tools.len(), ..Coverage::default() };
    if let Some(grants) = probe {
        if let Some(unknown) = unknown_tool(&tools, server, grants) {
            session.close(None).await;
            return Err(unknown);
        }
        coverage.absorb(probe_all(&session, &tools.tools, server, grants).await);
    }
    let gone = session.gone();
    let transcript = session.close(Some(tools.tools.clone())).await.transcript;
    let mut findings: Vec<_> = gone.map(|why| died(&server_name, &why)).into_iter().collect();
    findings.extend(check_all(&transcript));
    coverage.absorb(calls_covered(&transcript));
    Ok(Inspection { server: server_name, tools, coverage, findings })
}

/// The first tool that the user named and the server does not list.
fn unknown_tool(tools: &ToolSet, server: &Server, grants: &Grants) -> Option<InspectError> {
    let listed = || tools.tools.iter().map(ToolDef::name);
    let named = server.tools.keys().chain(&grants.tools);
    let unknown = named.into_iter().find(|name| !listed().any(|listed| listed == *name))?;
    let nearest = nearest(unknown, listed()).map(|name| format!("; did you mean `{name}`?"));
    Some(InspectError::UnknownTool {
        server: tools.server.clone(),
        tool: unknown.clone(),
        nearest: nearest.unwrap_or_default(),
    })
}

/// The finding about one server of several that never came up.
#[must_use]
pub fn never_came_up(server: &str, error: &StartError) -> Finding {
    Finding::proven(&NEVER_CAME_UP, Severity::Error, server, "", "").saying(
        error.to_string(),
        "this server has no tools",
        "start the command by hand and see what it says",
    )
}

fn died(server: &str, why: &str) -> Finding {
    Finding::proven(&DIED, Severity::Error, server, "", "").saying(
        format!("the server came up, and later {why}"),
        "whatever was asked last is not there",
        "make the call again that came last, and see what the server writes to standard error",
    )
}

fn not_listed(server: &str, error: &CallError) -> Finding {
    Finding::proven(&NOT_LISTED, Severity::Error, server, "", "").saying(
        format!("the server answered initialize, but not tools/list: {error}"),
        "this server has no tools",
        "answer tools/list with an array `tools`, and write nothing but protocol messages to standard output",
    )
}

fn calls_covered(transcript: &Transcript) -> Coverage {
    let calls = transcript.calls();
    let answered = || calls.iter().filter(|call| call.response.is_some());
    Coverage {
        calls_made: calls.len(),
        calls_answered: answered().count(),
        calls_succeeded: answered().filter(|call| matches!(call.answer, Answer::Success(_))).count(),
        tools_called: answered().map(|call| (transcript.server.clone(), call.name.to_owned())).collect(),
        noise: noise(&transcript.frames),
        ..Coverage::default()
    }
}
