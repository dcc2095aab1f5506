//! A text that is written as one identity, looked for as another.

use frankly_contract::{BoxFuture, ToolCall, ToolDef, ToolResult, Tools};
use frankly_verdict::transcript::Frame;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::Value;
use serde_json::json;

use super::super::Outcome;
use super::super::bench::shown;
use super::super::cursor_walk::{cursor_of, next_cursor};
use super::super::echo::says;
use super::super::readers::{look_for, readers_about};
use super::super::write_then_read::marked;
use super::{ServerBench, ServerProbe};
use crate::config::{Identity, Server};
use crate::session::Session;

/// How many tools are asked what was stored.
const MOST_READERS: usize = 3;
/// How many pages of each are read.
const MOST_PAGES: usize = 4;
/// Beyond the ids of any session before.
const IDS_APART: i64 = 1_000_000;

/// See [`DOC`].
pub(super) struct TwoIdentities;

static DOC: Doc = Doc {
    name: "two-identities",
    what: "as one of `identities`, in a session of its own, makes the good call of a tool that writes, with a text that \
           stands nowhere else, and asks at most 3 tools that read for it; then asks the same as another identity",
    why: "What one tenant wrote must not be shown to another. The text is seen by whoever wrote it, or nothing is shown.",
    severity: "sent once, where the server has two `identities` in frankly.toml; needs the consent `writes` for a tool that \
               writes",
    examples: &[
        Example {
            about: "one is shown the notes of all",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/notes/2/note"),
            input: r#"{"acme": "acme", "zenith": ""}"#,
        },
        Example {
            about: "each is shown its own notes",
            expected: Expected::Silence,
            input: r#"{"acme": "acme", "zenith": "zenith"}"#,
        },
    ],
};

impl ServerProbe for TwoIdentities {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs_sandbox(&self) -> bool {
        true
    }

    fn fits(&self, server: &Server) -> bool {
        server.identities.len() > 1
    }

    fn run<'a>(&'a self, bench: &'a ServerBench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { look_across(bench).await.into() })
    }

    /// A server for each identity, which shows the notes that the example says.
    #[cfg(test)]
    fn example_server(&self, example: &Value, store: &std::path::Path) -> Server {
        let identity = |(tenant, shown): (&String, &Value)| {
            let env = [("TENANT", tenant.as_str()), ("SHOWN", shown.as_str().unwrap())];
            let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            (tenant.clone(), Identity { env, tenant: tenant.clone(), ..Identity::default() })
        };
        std::fs::write(store, "acme first\nzenith first\n").unwrap();
        Server {
            command: ["sh", "-c", include_str!("../../../tests/notes.sh")].map(str::to_owned).to_vec(),
            env: [("STORE".to_owned(), store.to_str().unwrap().to_owned())].into(),
            identities: example.as_object().unwrap().iter().map(identity).collect(),
            ..Server::default()
        }
    }

    /// A note that was written, and the list of notes that was read.
    #[cfg(test)]
    fn before_example(&self, bench: &ServerBench<'_>) {
        use super::super::examples::reading;

        let text = json!({"type": "string", "description": "The note."});
        let (writer, reader) =
            (reading("add_note", json!({ "text": text }), &["text"]), reading("list_notes", json!({}), &[]));
        let call = |tool: &ToolDef, arguments: Value| {
            ToolCall::new(tool.name(), arguments.as_object().cloned().unwrap_or_default())
        };
        bench.run.wrote(&writer, call(&writer, json!({"text": "milk"})));
        let listed = call(&reader, json!({}));
        bench.run.learn(&reader, listed, &ToolResult::text("known"), std::time::Duration::ZERO, true);
    }
}

async fn look_across(bench: &ServerBench<'_>) -> Result<(), String> {
    let mut identities = bench.server.identities.values();
    let (Some(writer), Some(other)) = (identities.next(), identities.next()) else {
        return Err("the server has no two identities".to_owned());
    };
    let marker = bench.run.marker_to_write();
    let looks = As::begin(bench, writer, 1).await?.write(&marker).await?;
    As::begin(bench, other, 2).await?.look(&looks).await
}

/// The call for the page after this one, if there is one.
fn page_after(tool: &ToolDef, call: &ToolCall, page: &ToolResult) -> Option<ToolCall> {
    let (cursor, next) = (cursor_of(tool)?, next_cursor(page)?);
    let mut arguments = call.arguments.clone();
    arguments.insert(cursor.name.to_owned(), next);
    Some(ToolCall::new(tool.name(), arguments))
}

/// A session as somebody.
struct As<'b, 'a> {
    bench: &'b ServerBench<'a>,
    session: Session,
    tenant: &'b str,
    /// When it began, in milliseconds since the round did.
    since: u64,
}

impl<'b, 'a> As<'b, 'a> {
    async fn begin(bench: &'b ServerBench<'a>, identity: &'b Identity, number: i64) -> Result<Self, String> {
        let mut launch = bench.server.launch_as(bench.session.server(), identity);
        launch.ids_from = number * IDS_APART;
        let since = bench.run.elapsed_ms();
        let session =
            Session::start(&launch).await.map_err(|error| format!("as {}, {error}", identity.tenant))?;
        Ok(Self { bench, session, tenant: &identity.tenant, since })
    }

    /// Writes, and looks for what was written; the calls by which it was looked for.
    async fn write(self, marker: &str) -> Result<Vec<ToolCall>, String> {
        let result = self.write_and_look(marker).await;
        self.end().await;
        result
    }

    async fn write_and_look(&self, marker: &str) -> Result<Vec<ToolCall>, String> {
        let writers = self.bench.run.writers();
        let Some((tool, good)) = writers.first() else {
            let advice = "set tools.NAME.probe = \"writes\" for one in frankly.toml";
            return Err(format!("no call succeeded to a tool that writes and may do so; {advice}"));
        };
        let arguments = marked(tool, &good.arguments, marker);
        self.bench.run.spend()?;
        let written = self.session.call(ToolCall::new(tool.name(), arguments.clone())).await;
        let answer = written.map_err(|error| format!("as {}, {}", self.tenant, shown(&error)))?;
        let readers = readers_about(tool, self.bench.run);
        let (mut seen, mut looks) = (false, Vec::new());
        for reader in readers.iter().take(MOST_READERS) {
            let mut look = Some(look_for(reader, &arguments, &answer, tool));
            // What was written last may stand on the last page.
            for _ in 0..MOST_PAGES {
                let Some(call) = look.take() else { break };
                self.bench.run.spend()?;
                let page = self.session.call(call.clone()).await;
                let is_here = says(&page, marker);
                seen |= is_here;
                look = page.ok().filter(|_| !is_here).and_then(|page| page_after(&reader.tool, &call, &page));
                looks.push(call);
            }
        }
        match seen {
            true => Ok(looks),
            false => Err(format!("no tool that reads shows what `{}` stored", tool.name())),
        }
    }

    /// Looks for what somebody else wrote.
    async fn look(self, looks: &[ToolCall]) -> Result<(), String> {
        let mut result = Ok(());
        for look in looks {
            if let Err(why) = self.bench.run.spend() {
                result = Err(why);
                break;
            }
            // A refusal is as good as an answer without it.
            let _ = self.session.call(look.clone()).await.map_err(|error| self.bench.refused(&error));
        }
        self.end().await;
        result
    }

    async fn end(self) {
        let Self { bench, session, tenant, since } = self;
        let frames = session.close(None).await.transcript.frames.into_iter();
        let placed = |frame: Frame| {
            let at = since.saturating_add(frame.at_ms().unwrap_or_default());
            frame.at(at).with_context(json!({ "tenant": tenant }))
        };
        bench.keep(frames.map(placed));
    }
}
