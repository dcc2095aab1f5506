//! A credential in what was said.

use frankly_contract::ToolDef;
use serde_json::{Map, Value};

use super::Check;
use super::reading::Reading;
use crate::schema::join;
use crate::secrets::{Secret, secret};
use crate::transcript::{Frame, Side};
use crate::{Certainty, Doc, Example, Expected, Finding, Severity};

/// How deep a message is looked through.
const DEEPEST: usize = 40;

/// See [`DOC`].
pub(super) struct SecretInRecording;

static DOC: Doc = Doc {
    name: "secret-in-recording",
    what: "a credential in a message, in a definition, or in what was noted beside, also one in base 64",
    why: "What a tool answers goes to the model, into logs and into recordings that are committed beside tests. Who reads any \
          of them can use it.",
    severity: "error where its form leaves no doubt; warning where only the name of what holds it says so. Placeholders are let \
               be. One finding for each message; the credential itself is not shown.",
    examples: &[
        Example {
            about: "a password in a URL that an answer shows",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_settings","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"DB=postgres://app:hunter2@db.example.org/boats"}]}}}"#,
        },
        Example {
            about: "a member that is called like one",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/client_secret"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_settings","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"client_secret":"s3cr3t-91"}}}}"#,
        },
        Example {
            about: "a password in the definition of a tool",
            expected: Expected::Finding(Severity::Error, "/description"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"a","inputSchema":{"type":"object"},"description":"Reads postgres://app:hunter2@db.example.org/boats"}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}}"#,
        },
        Example {
            about: "a token in what was noted of whom the message was sent for",
            expected: Expected::Finding(Severity::Warning, "/context/access_token"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","context":{"access_token":"q9-w8-e7-r6"},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}}"#,
        },
        Example {
            about: "placeholders, and words that merely contain one",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_settings","arguments":{"max_tokens":4000}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"DB=postgres://app:***@db.example.org/boats, monkey=Bobo-1234"}],"structuredContent":{"client_secret":"<redacted>"}}}}"#,
        },
    ],
};

impl Check for SecretInRecording {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let tools = reading.transcript.tools.iter().flatten().enumerate();
        findings.extend(tools.filter_map(|(number, tool)| in_definition(number, tool, reading)));
        for (number, frame) in reading.transcript.frames.iter().enumerate() {
            findings.extend(look_at(number, frame, reading));
        }
    }
}

fn look_at(number: usize, frame: &Frame, reading: &Reading<'_>) -> Option<Finding> {
    let whole;
    let msg = match frame.msg() {
        Some(msg) => msg,
        None => {
            whole = Value::from(frame.line());
            &whole
        }
    };
    let beside = || {
        let context = frame
            .context()
            .and_then(|context| first(context, "", 0).map(|(at, secret)| (format!("/context{at}"), secret)));
        context
            .or_else(|| members(&frame.event()?.details, 0))
            .map(|found| (found, "noted beside the messages"))
    };
    let by = match frame.from() {
        Side::Client => "sent",
        Side::Server => "answered",
    };
    let ((pointer, secret), by) = first(msg, "", 0).map(|found| (found, by)).or_else(beside)?;
    let exchange = reading.exchange_at(number);
    let tool = exchange.map_or("", |one| one.call.name);
    let finding = finding(&secret, by, reading, tool, pointer);
    Some(match exchange {
        Some(exchange) => Finding { frames: vec![number], ..exchange.finding(finding, &[]) },
        None => Finding { frames: vec![number], ..finding },
    })
}

/// A credential in a definition, which every model reads that is offered the tool.
fn in_definition(number: usize, tool: &ToolDef, reading: &Reading<'_>) -> Option<Finding> {
    let (pointer, secret) = first(tool.raw(), "", 0)?;
    let finding = finding(&secret, "listed with a tool", reading, tool.name(), pointer);
    Some(Finding { definition: Some(number), ..finding })
}

fn finding(secret: &Secret<'_>, by: &str, reading: &Reading<'_>, tool: &str, pointer: String) -> Finding {
    let finding = Finding::proven(&DOC, Severity::Error, reading.server(), tool, pointer).saying(
        format!("{} was {by}: {}", secret.what, secret.masked()),
        "whoever sees this conversation may use it",
        "keep credentials in the server's environment, and show a placeholder; take this one back where the recording has \
         been shared",
    );
    match secret.is_certain {
        true => finding,
        false => Finding { severity: Severity::Warning, certainty: Certainty::Suspected, ..finding },
    }
}

/// The first credential in a message, with its pointer, which is put together only where there is one.
fn first<'v>(value: &'v Value, name: &str, depth: usize) -> Option<(String, Secret<'v>)> {
    match value {
        _ if depth > DEEPEST => None,
        Value::String(text) => Some((String::new(), secret(name, text)?)),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
            let (at, secret) = first(item, name, depth + 1)?;
            Some((join("", index) + &at, secret))
        }),
        Value::Object(inner) => members(inner, depth),
        _ => None,
    }
}

fn members<'v>(members: &'v Map<String, Value>, depth: usize) -> Option<(String, Secret<'v>)> {
    members.iter().find_map(|(name, member)| {
        let (at, secret) = first(member, name, depth + 1)?;
        Some((join("", name) + &at, secret))
    })
}
