//! `frankly spy`

mod live;

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use frankly_live::config::{Config, Server, Source};
use frankly_live::proxy::{ContextSources, HttpSpy, Spy as Proxy, Streams, Upstream};
use frankly_live::recording::{RecordingFileError, Writer};
use frankly_verdict::transcript::{Frame, Redactor, Transcript};

use live::Live;

use crate::exit::Exit;
use crate::server::call_source;
use crate::{args, output, runtime, signalled};

/// Stands between an agent and a server, and records what passes
///
/// Put it into the agent's configuration in place of the server's command: everything goes on unchanged, in both directions, and
/// the server's exit code becomes its own. With --upstream it stands before a server over HTTP, and clients connect to the address that it
/// says. Credentials are recorded as placeholders. A recording is read by `frankly verify`; with --live what verify would tell is told
/// on standard error while the session goes on.
#[derive(Debug, Args)]
#[command(
    override_usage = "frankly spy --record FILE [--live] [OPTIONS] -- COMMAND...\n       frankly spy --record FILE [--live] [OPTIONS] --upstream URL\n       frankly spy --record FILE [--live] [OPTIONS] SERVER\n       frankly spy --live [OPTIONS] -- COMMAND...",
    after_help = "\
Examples:
  frankly spy --record /tmp/session.jsonl -- node dist/index.js
  frankly spy --record /tmp/session.jsonl --upstream http://127.0.0.1:8080/mcp
  frankly spy --record /tmp/session.jsonl --context tenant=header:x-tenant --upstream http://127.0.0.1:8080/mcp
  frankly verify /tmp/session.jsonl
  frankly spy --live -- node dist/index.js              tells findings on standard error as they happen

Where the file is there already, a new one is written beside it: session-2.jsonl, session-3.jsonl and so on."
)]
pub struct Spy {
    /// Where to record; better an absolute path, since the agent decides where it starts its servers
    #[arg(long, value_name = "FILE", required_unless_present = "live")]
    record: Option<PathBuf>,
    /// Tells findings as they happen, on standard error: soon after the call that shows them, and the counts at the end
    #[arg(long)]
    live: bool,
    /// Also takes out what matches this; repeatable
    #[arg(long, value_name = "REGEX", conflicts_with = "keep_secrets")]
    redact: Vec<String>,
    /// Takes nothing out: credentials are recorded as they pass
    #[arg(long)]
    keep_secrets: bool,
    /// Records for whom each call is, from env:NAME, from meta:KEY of a request or, over HTTP, from header:NAME; repeatable
    #[arg(long, value_name = "PART=SOURCE", value_parser = part)]
    context: Vec<(String, String)>,
    /// The server over HTTP to stand before; headers are those that clients send, and none beside
    #[arg(long, value_name = "URL")]
    upstream: Option<String>,
    /// Where clients connect to a spy over HTTP: 127.0.0.1 and a port that is free, if nothing is said
    #[arg(long, value_name = "ADDR", value_parser = args::address)]
    listen: Option<SocketAddr>,
    /// Lets in clients that ask for this name, beside those that ask for this machine; repeatable
    #[arg(long, value_name = "NAME")]
    host: Vec<String>,
    /// Looks SERVER up in this file, such as .mcp.json or a frankly.toml elsewhere
    #[arg(long, value_name = "FILE", requires = "server")]
    config: Option<PathBuf>,
    /// A server by its name in frankly.toml: its command with its variables, or its `url`; its `headers` are not sent
    #[arg(value_name = "SERVER", conflicts_with_all = ["upstream", "command"])]
    server: Option<String>,
    /// The server to start, after `--`
    #[arg(
        last = true,
        value_name = "COMMAND",
        required_unless_present_any = ["upstream", "server"],
        conflicts_with = "upstream"
    )]
    command: Vec<String>,
}

/// What every frame passes through before it is written.
type Step = Box<dyn FnMut(Frame) -> Frame + Send>;

impl Spy {
    pub fn execute(self) -> anyhow::Result<Exit> {
        let (name, server) = self.server()?;
        let step = self.step()?;
        // What is said on the command line counts before what is configured.
        let parts: Vec<_> = server.context.clone().into_iter().chain(self.context.clone()).collect();
        let context = ContextSources::parse(&parts)?;
        match &server.url {
            Some(url) => {
                let upstream = Upstream::parse(url)?;
                runtime(self.over_http(upstream, (name.as_deref(), &server), step, context))
            }
            None => self.over_streams((name.as_deref(), &server), step, context),
        }
    }

    /// The server to stand before, as far as it is known, with its name where it has one.
    fn server(&self) -> anyhow::Result<(Option<String>, Server)> {
        let source = match (&self.server, &self.upstream) {
            (Some(name), _) => Source::named(name, self.config.as_deref())?,
            (None, Some(url)) => Source::address(url),
            (None, None) => Source::command(self.command.clone(), []),
        };
        match source {
            Source::Server(name, server) => Ok((name, *server)),
            other => Err(args::no_server(&other, "recorded")),
        }
    }

    fn step(&self) -> anyhow::Result<Step> {
        if self.keep_secrets {
            return Ok(Box::new(|frame| frame));
        }
        let mut redactor = Redactor::new(&self.redact)?;
        Ok(Box::new(move |frame| redactor.frame(frame)))
    }

    /// What the user has decided about findings, where they are told.
    fn decisions(&self) -> anyhow::Result<Option<Config>> {
        self.live.then(|| args::decisions(self.config.as_deref())).transpose()
    }

    /// Begins the recording, if there is to be one, with what is known of the session: `verify` judges by it as `--live` does.
    fn recording(&self, server: &Server) -> anyhow::Result<Option<Writer>> {
        let about = about(server);
        Ok(self.record.as_deref().map(|path| Writer::create(path, &about)).transpose()?)
    }

    /// Who tells of the session with this server, where somebody is to.
    fn live(
        &self,
        server: (Option<&str>, &Server),
        decisions: Option<&Config>,
        recording: Option<&Writer>,
    ) -> anyhow::Result<Option<Live>> {
        let looked_up_in = args::looked_up_in(self.config.as_deref());
        let source = call_source(server.0, server.1, &looked_up_in);
        let of = |config: &Config| Live::of(server.0, source, config.policy(), recording.map(Writer::path));
        decisions.map(of).transpose()
    }

    fn over_streams(
        self,
        server: (Option<&str>, &Server),
        step: Step,
        context: ContextSources,
    ) -> anyhow::Result<Exit> {
        if let Some(part) = context.header() {
            bail!(
                "the context `{part}` is taken from a header, and a server that is started gets none; write env:NAME or meta:KEY"
            );
        }
        if self.listen.is_some() || !self.host.is_empty() {
            bail!("--listen and --host are for clients over HTTP; they go with --upstream URL");
        }
        let decisions = self.decisions()?;
        let recording = self.recording(server.1)?;
        let live = self.live(server, decisions.as_ref(), recording.as_ref())?;
        let mut spy =
            Proxy::of(server.1.launch(None), recording).context(context).step(step).complain(complain);
        if let Some(mut live) = live {
            spy = spy.watch(live.about(about(server.1)), move |shown| live.hear(shown))?;
        }
        let ended = spy.run(Streams::of_process()?)?;
        ended.die_alike();
        Ok(Exit::OfServer(ended.code()))
    }

    /// Passes on until a signal comes.
    async fn over_http(
        self,
        upstream: Upstream,
        server: (Option<&str>, &Server),
        step: Step,
        context: ContextSources,
    ) -> anyhow::Result<Exit> {
        let signal = signalled()?;
        let decisions = self.decisions()?;
        let address = self.listen.unwrap_or_else(|| ([127, 0, 0, 1], 0).into());
        let mut spy = HttpSpy::bind(upstream, address, &self.host).await?;
        let recording = self.recording(server.1)?;
        let live = self.live(server, decisions.as_ref(), recording.as_ref())?;
        if let Some(recording) = recording {
            spy = spy.record(recording);
        }
        if let Some(mut live) = live {
            spy = spy.watch(live.about(about(server.1)), move |shown| live.hear(shown))?;
        }
        let spy = spy.context(context).step(step).complain(complain);
        output::note(&format!("listening on {}", spy.url()));
        spy.serve(async {
            signal.await;
        })
        .await;
        Ok(Exit::Clean)
    }
}

/// What is known of a session with this server before it begins.
fn about(server: &Server) -> Transcript {
    Transcript { budget: server.budget, ..Transcript::default() }
}

fn complain(error: &RecordingFileError) {
    output::note(&format!("frankly spy: {error}; the session goes on, and is recorded no further"));
}

fn part(text: &str) -> Result<(String, String), String> {
    let wanted = "write it as PART=SOURCE, such as tenant=env:TENANT or user=meta:com.example/user";
    text.split_once('=')
        .map(|(part, source)| (part.to_owned(), source.to_owned()))
        .ok_or_else(|| wanted.to_owned())
}
