//! A list that is cut on its way through a proxy.

use serde_json::Value;

use super::Check;
use super::reading::Reading;
use crate::transcript::Channel;
use crate::transcript::requests::{Request, Requests};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct LostPage;

static DOC: Doc = Doc {
    name: "lost-page",
    what: "a proxy that hands on the first pages of a list as all of it",
    why: "The server behind says that there is more, and the proxy takes that word out. To the client the list is complete, \
          and tools that it never saw do not exist.",
    severity: "error. It needs a recording of both sides, with what the server behind was asked on the channel `upstream`.",
    examples: &[
        Example {
            about: "the cursor of the server behind is neither followed nor handed on",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1,"role":"proxy"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"client","channel":"upstream","msg":{"jsonrpc":"2.0","id":7,"method":"tools/list"}}
{"from":"server","channel":"upstream","msg":{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"a","description":"Does it.","inputSchema":{"type":"object"}}],"nextCursor":"u1"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"Does it.","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "the cursor is handed on",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"proxy"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"client","channel":"upstream","msg":{"jsonrpc":"2.0","id":7,"method":"tools/list"}}
{"from":"server","channel":"upstream","msg":{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"a","description":"Does it.","inputSchema":{"type":"object"}}],"nextCursor":"u1"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"Does it.","inputSchema":{"type":"object"}}],"nextCursor":"p1"}}}"#,
        },
        Example {
            about: "the proxy reads all pages itself",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"proxy"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"client","channel":"upstream","msg":{"jsonrpc":"2.0","id":7,"method":"tools/list"}}
{"from":"server","channel":"upstream","msg":{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"a","description":"Does it.","inputSchema":{"type":"object"}}],"nextCursor":"u1"}}}
{"from":"client","channel":"upstream","msg":{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":"u1"}}}
{"from":"server","channel":"upstream","msg":{"jsonrpc":"2.0","id":8,"result":{"tools":[{"name":"b","description":"Does it.","inputSchema":{"type":"object"}}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"Does it.","inputSchema":{"type":"object"}},{"name":"b","description":"Does it.","inputSchema":{"type":"object"}}]}}}"#,
        },
    ],
};

impl Check for LostPage {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let frames = &reading.transcript.frames;
        let behind = Requests::seen_on(frames, Channel::Upstream).all;
        if behind.is_empty() {
            return;
        }
        for asked in Requests::of(frames).all.iter().filter(|asked| asked.method.ends_with("/list")) {
            // What came between a request that was carried along and its answer is out of sight.
            if asked.frame >= reading.sight.front {
                findings.extend(look_at(asked, &behind, reading));
            }
        }
    }
}

fn look_at(asked: &Request<'_>, behind: &[Request<'_>], reading: &Reading<'_>) -> Option<Finding> {
    let (answered, result) = asked.result()?;
    if cursor(result).is_some() {
        return None;
    }
    // What was asked behind for this one.
    let meanwhile = |request: &&Request<'_>| {
        request.method == asked.method && request.frame > asked.frame && request.frame < answered
    };
    let pages: Vec<_> =
        behind.iter().filter(meanwhile).filter_map(|page| Some((page, page.result()?))).collect();
    let followed = |cursor: &Value| pages.iter().any(|(page, _)| page.param("cursor") == Some(cursor));
    let (at, left) = pages.iter().filter(|(_, (at, _))| *at < answered).find_map(|(_, (at, result))| {
        let left = cursor(result)?;
        (!followed(left)).then_some((*at, left))
    })?;
    let what = format!(
        "the server behind answered {} with `nextCursor: {left}`; nobody asked for the rest, and the answer that was handed on has no cursor",
        asked.method
    );
    let finding = Finding::proven(&DOC, Severity::Error, reading.server(), "", "/result").saying(
        what,
        "this is the whole list",
        "hand the cursor on, or read all pages before answering",
    );
    Some(reading.finding(finding.with_evidence(left.to_string()), &[answered, at]))
}

/// Where a list goes on, if it does.
fn cursor(result: &Value) -> Option<&Value> {
    result.get("nextCursor").filter(|cursor| cursor.as_str().is_some_and(|cursor| !cursor.is_empty()))
}
