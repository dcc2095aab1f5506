//! What can be found about a server as a whole, from facts that whoever talked to it has seen.

use crate::report::plain;
use crate::transcript::{Answer, Call, Transcript};
use crate::{Doc, Finding, Severity};

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

static NO_ANSWER: Doc = Doc {
    name: "no-answer",
    what: "a call that a running server did not answer in time, or with something that is no result",
    why: "The agent waits until its own patience ends, and cannot tell a slow tool from a lost call.",
    severity: "error",
    examples: &[],
};

/// What can be found about a server as a whole.
pub static OUTAGES: &[&Doc] = &[&NEVER_CAME_UP, &NOT_LISTED, &DIED, &NO_ANSWER];

/// Whether a finding is about a server that failed as a whole.
#[must_use]
pub fn is_one(finding: &Finding) -> bool {
    OUTAGES.iter().any(|doc| doc.name == finding.rule)
}

/// A server that never came up; `what` says how it failed, and may have several lines.
#[must_use]
pub fn never_came_up(server: &str, what: impl Into<String>) -> Finding {
    Finding::proven(&NEVER_CAME_UP, Severity::Error, server, "", "").saying(
        what,
        "this server has no tools",
        "make the command start and answer, and look again",
    )
}

/// A server that came up and did not list its tools, for this reason.
#[must_use]
pub fn not_listed(server: &str, why: &str, stderr: &[String]) -> Finding {
    Finding::proven(&NOT_LISTED, Severity::Error, server, "", "").saying(
        with_stderr(format!("the server answered initialize, but not tools/list: {why}"), stderr),
        "this server has no tools",
        "answer tools/list with an array `tools`, and write nothing but protocol messages to standard output",
    )
}

/// A server that was gone before it was ended; `what` is what it did, such as "closed its output".
#[must_use]
pub fn died(transcript: &Transcript, what: &str, stderr: &[String]) -> Finding {
    let calls = transcript.calls();
    let last = calls.iter().rev().find(|call| call.answer == Answer::None);
    let during = last.map(|call| format!(" during a call of `{}`", plain(call.name))).unwrap_or_default();
    let tool = last.map_or("", |call| call.name);
    let finding = Finding::proven(&DIED, Severity::Error, &transcript.server, tool, "").saying(
        with_stderr(format!("the server came up, and {what}{during}"), stderr),
        "whatever was asked last is not there",
        "answer every call, with an error where it cannot be done, and stay up",
    );
    last.map_or(finding.clone(), |call| about(finding, call))
}

/// The calls that were never answered although the server was up, or whose answer is none.
#[must_use]
pub fn unanswered(transcript: &Transcript) -> Vec<Finding> {
    let finding = |call: &Call<'_>| match call.answer {
        Answer::None => Some((
            "the call was not answered in time",
            "the tool is still at work, or the call was lost",
            "answer within the time, with an error that says to try again later where need be; if it only needs longer, \
             raise the server's `timeout` in frankly.toml",
        )),
        Answer::Malformed => Some((
            "the call was answered with something that is no result",
            "nothing came back",
            "answer with a result object that has `content`",
        )),
        _ => None,
    };
    let calls = transcript.calls();
    let found = calls.iter().filter_map(|call| {
        let (what, reads_as, next) = finding(call)?;
        let finding = Finding::proven(&NO_ANSWER, Severity::Error, &transcript.server, call.name, "");
        Some(about(finding.saying(what, reads_as, next), call))
    });
    found.collect()
}

fn about(finding: Finding, call: &Call<'_>) -> Finding {
    Finding {
        frames: vec![call.request],
        calls: vec![call.index],
        replay: vec![call.to_tool_call()],
        ..finding
    }
}

fn with_stderr(what: String, stderr: &[String]) -> String {
    if stderr.is_empty() {
        return what;
    }
    format!("{what}; the end of its standard error:\n  {}", stderr.join("\n  "))
}
