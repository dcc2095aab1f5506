//! Arguments that the caller's side got wrong.

use serde_json::Value;

use super::mistakes::Kind;
use super::reading::{Exchange, Reading};
use super::written::{Written, written};
use super::{Check, beside};
use crate::report::shorten;
use crate::schema::{join, type_name, types};
use crate::transcript::Role;
use crate::{Doc, Example, Expected, Finding, Severity};

const SHOWN_CHARS: usize = 80;

/// See [`DOC`].
pub(super) struct CallerInvalidArgument;

static DOC: Doc = Doc {
    name: "caller-invalid-argument",
    what: "the caller's side: an object or a list sent as a text, or an argument whose type was changed between the model and \
           the server",
    why: "The model did what the schema says, or meant to, and something on the way to the server changed it. The refusal then \
          reads as the tool's, and the model mends what was right.",
    severity: "error where the recording has what the model wrote and it was right; warning otherwise. Whatever else is wrong \
               with arguments is told only where the client is under test (`role: client`), and nothing where only the server is (`role: server`), as in what \
               probes send.",
    examples: &[
        Example {
            about: "the model wrote a text, and a number arrived",
            expected: Expected::Finding(Severity::Error, "/params/arguments/sheet"),
            input: r#"{"frankly":"recording","version":1,"role":"client","tools":[{"name":"open_sheet","inputSchema":{"type":"object","properties":{"sheet":{"type":"string"}}}}]}
{"from":"client","channel":"model","msg":{"name":"open_sheet","arguments":{"sheet":"1"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_sheet","arguments":{"sheet":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"INVALID_ARGS: `sheet` must be a string"}],"isError":true}}}"#,
        },
        Example {
            about: "an object, written out as a text",
            expected: Expected::Finding(Severity::Warning, "/params/arguments/fields"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"edit_boat","inputSchema":{"type":"object","properties":{"fields":{"type":"object"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"edit_boat","arguments":{"fields":"{\"pier\":\"N\"}"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"INVALID_ARGS: `fields` must be an object, not a string"}],"isError":true}}}"#,
        },
        Example {
            about: "the model wrote a number itself, after it had written a text for another call",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"open_sheet","inputSchema":{"type":"object","properties":{"sheet":{"type":"string"}}}}]}
{"from":"client","channel":"model","msg":{"name":"open_sheet","arguments":{"sheet":"1"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"open_sheet","arguments":{"sheet":"1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a"}]}}}
{"from":"client","channel":"model","msg":{"name":"open_sheet","arguments":{"sheet":2}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"open_sheet","arguments":{"sheet":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":9,"result":{"isError":true,"content":[{"type":"text","text":"INVALID_ARGS: `sheet` must be a string"}]}}}"#,
        },
        Example {
            about: "a text that is meant to hold JSON",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"check_source","inputSchema":{"type":"object","properties":{"source":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"check_source","arguments":{"source":"{\"pier\":\"N\"}"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"valid"}]}}}"#,
        },
        Example {
            about: "the client turned a text into what the schema asks for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"client","tools":[{"name":"wait","inputSchema":{"type":"object","properties":{"seconds":{"type":"integer"}}}}]}
{"from":"client","channel":"model","msg":{"name":"wait","arguments":{"seconds":"3"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait","arguments":{"seconds":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"waited"}]}}}"#,
        },
    ],
};

impl Check for CallerInvalidArgument {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let written = written(reading.transcript);
        for exchange in reading.exchanges.iter().filter(|exchange| !exchange.is_malformed) {
            let Some(tool) = exchange.tool else { continue };
            for mistake in exchange.mistakes() {
                let sent = exchange.call.arguments.and_then(|arguments| arguments.get(mistake.name));
                let schema =
                    tool.parameters().find(|(name, _)| *name == mistake.name).map(|(_, schema)| schema);
                let found = Mistaken { exchange, name: mistake.name, kind: mistake.kind, sent, schema };
                findings.extend(found.judge(reading, &written));
            }
        }
    }
}

/// An argument that breaks its schema.
struct Mistaken<'r, 'a> {
    exchange: &'r Exchange<'a>,
    name: &'a str,
    kind: Kind,
    sent: Option<&'a Value>,
    schema: Option<&'a Value>,
}

impl Mistaken<'_, '_> {
    fn judge(&self, reading: &Reading<'_>, written: &[Written]) -> Option<Finding> {
        let (name, tool) = (self.name, self.exchange.call.name);
        let was = self.was_right(written);
        let shown = |value: &Value| shorten(&value.to_string(), SHOWN_CHARS);
        let pointer = match self.sent {
            Some(_) => join("/params/arguments", name),
            None => "/params/arguments".to_owned(),
        };
        let (finding, what) = match (was, self.sent) {
            (Some(was), Some(sent)) => (
                Finding::proven(&DOC, Severity::Error, reading.server(), tool, pointer),
                format!("the model wrote `{name}: {}`, and `{name}: {}` was sent", shown(was), shown(sent)),
            ),
            (None, Some(sent)) if self.is_written_out() && reading.transcript.role != Some(Role::Server) => (
                Finding::suspected(&DOC, reading.server(), tool, pointer),
                format!(
                    "`{name}` must be {}, and its JSON was sent as a text: {}",
                    self.wanted(),
                    shown(sent)
                ),
            ),
            _ if reading.transcript.role == Some(Role::Client) => (
                Finding::suspected(&DOC, reading.server(), tool, pointer),
                format!("`{name}` breaks the schema of the tool: {}", self.told()),
            ),
            _ => return None,
        };
        let finding = finding.saying(
            what,
            "the tool refuses what the model meant",
            "send arguments as the schema has them: check them against it before the call, and change no type on the way",
        );
        let request = self.exchange.call.request;
        let finding = self.exchange.finding(finding, &[]);
        Some(Finding { frames: vec![request], mutation: name.to_owned(), ..finding })
    }

    /// What the model wrote last for this very tool before the call, where it fits and is not what was sent.
    fn was_right<'v>(&self, written: &'v [Written]) -> Option<&'v Value> {
        let call = &self.exchange.call;
        let is_for_it = |one: &&Written| {
            one.frame < call.request && one.name.as_deref().is_none_or(|name| name.ends_with(call.name))
        };
        let others = beside::asked(call.arguments, Some(self.name));
        let last = written.iter().rfind(is_for_it).map(|one| &one.arguments)?;
        let was = last.get(self.name).filter(|_| beside::asked(Some(last), Some(self.name)) == others)?;
        let fits = self.schema.is_some_and(|schema| types(schema).contains(&type_name(was)));
        (fits && Some(was) != self.sent).then_some(was)
    }

    /// Whether an object or a list was sent as its JSON.
    fn is_written_out(&self) -> bool {
        let Some(text) = self.sent.and_then(Value::as_str) else { return false };
        let wanted = self.schema.map(types).unwrap_or_default();
        self.kind == Kind::Type
            && serde_json::from_str::<Value>(text).is_ok_and(|value| {
                (value.is_object() || value.is_array()) && wanted.contains(&type_name(&value))
            })
    }

    fn wanted(&self) -> &'static str {
        let wanted = self.schema.map(types).unwrap_or_default();
        if wanted.contains(&"array") { "a list" } else { "an object" }
    }

    fn told(&self) -> &'static str {
        match self.kind {
            Kind::Missing => "it is required, and was not sent",
            Kind::Type => "it has another type",
            Kind::Enum => "it is none of the values allowed",
            Kind::Bound => "it is out of bounds",
            Kind::Unknown => "there is no such parameter",
        }
    }
}
