//! One tool under test: its good arguments, and the ways to call it.

use std::sync::atomic::{AtomicUsize, Ordering};

use frankly_contract::{CallError, ToolCall, ToolDef, ToolResult, Tools};
use frankly_verdict::report::shorten;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use super::arguments;
use super::consent::{Nature, makes};

/// How much of an error is shown.
const SHOWN_CHARS: usize = 200;

/// A tool with arguments to start from.
pub struct Bench<'a> {
    tools: &'a dyn Tools,
    tool: &'a ToolDef,
    examples: &'a [Map<String, Value>],
    nature: Nature,
    sandbox: bool,
    /// How many calls in a row were not answered in time, also on other tools of the server.
    silence: &'a AtomicUsize,
    /// What came of the good call, once it was made.
    good: OnceCell<Result<ToolResult, String>>,
    /// How many calls were refused that were made to see what becomes of them.
    refusals: AtomicUsize,
}

/// What came back for a call that may well be refused.
pub enum Reply {
    /// The tool accepted it.
    Answer(ToolResult),
    /// It was refused, in these words.
    Refused(String),
}

impl<'a> Bench<'a> {
    /// A bench for one tool, which may change state or not, and in a sandbox or not; `examples` are arguments that the
    /// user knows to be good.
    pub(super) fn new(
        tools: &'a dyn Tools,
        tool: &'a ToolDef,
        examples: &'a [Map<String, Value>],
        (nature, sandbox): (Nature, bool),
        silence: &'a AtomicUsize,
    ) -> Self {
        let (good, refusals) = (OnceCell::new(), AtomicUsize::new(0));
        Self { tools, tool, examples, nature, sandbox, silence, good, refusals }
    }

    /// The definition.
    pub fn tool(&self) -> &ToolDef {
        self.tool
    }

    /// Whether nothing says that the tool changes anything, so that a good call may be sent again.
    pub fn reads(&self) -> bool {
        self.nature != Nature::Writes
    }

    /// Whether the user said that the server's state may be changed.
    pub fn in_sandbox(&self) -> bool {
        self.sandbox
    }

    /// How many calls were refused that were made to see what becomes of them.
    pub fn refusals(&self) -> usize {
        self.refusals.load(Ordering::Relaxed)
    }

    /// The best arguments there are: the user's first example, else what the schema offers.
    pub fn good_arguments(&self) -> Map<String, Value> {
        self.examples.first().cloned().unwrap_or_else(|| arguments::generate(self.tool))
    }

    /// The answer to the good arguments. The call is made once, whoever asks first: a tool that writes does not write
    /// twice, and probes that begin alike share their beginning. A second look is a [`Bench::call`].
    ///
    /// # Errors
    ///
    /// As [`Bench::call`].
    pub async fn good(&self) -> Result<ToolResult, String> {
        let first = async || {
            if self.examples.is_empty() && !self.reads() && !self.sandbox && !makes(self.tool) {
                return Err(format!(
                    "made-up arguments may change more than was meant; give some as {}, or a sandbox",
                    self.examples_key()
                ));
            }
            self.call(&self.good_arguments()).await
        };
        self.good.get_or_init(first).await.clone()
    }

    /// The first answer to some arguments: that of the good call, where they are the good ones.
    ///
    /// # Errors
    ///
    /// As [`Bench::call`].
    pub async fn first(&self, arguments: &Map<String, Value>) -> Result<ToolResult, String> {
        if *arguments == self.good_arguments() { self.good().await } else { self.call(arguments).await }
    }

    /// Calls the tool, which should answer.
    ///
    /// # Errors
    ///
    /// Why there is no good answer, as the end of a sentence.
    pub async fn call(&self, arguments: &Map<String, Value>) -> Result<ToolResult, String> {
        self.send(arguments).await.map_err(|error| {
            let advice = match &error {
                CallError::Tool(_) | CallError::Protocol { .. } if self.examples.is_empty() => {
                    format!("; give arguments that work as {}", self.examples_key())
                }
                _ => String::new(),
            };
            format!("{}{advice}", shown(&error))
        })
    }

    /// Calls the tool with something that it may well refuse.
    ///
    /// # Errors
    ///
    /// Why there is no answer at all, as the end of a sentence.
    pub async fn ask(&self, arguments: &Map<String, Value>) -> Result<Reply, String> {
        match self.send(arguments).await {
            Ok(answer) => Ok(Reply::Answer(answer)),
            Err(error @ (CallError::Tool(_) | CallError::Protocol { .. })) => {
                self.refusals.fetch_add(1, Ordering::Relaxed);
                Ok(Reply::Refused(shown(&error)))
            }
            Err(error) => Err(shown(&error)),
        }
    }

    /// Where the user gives good arguments.
    pub fn examples_key(&self) -> String {
        format!("tools.{}.examples of the server in frankly.toml", self.tool.name())
    }

    async fn send(&self, arguments: &Map<String, Value>) -> Result<ToolResult, CallError> {
        let call = ToolCall::new(self.tool.name(), arguments.clone());
        let result = self.tools.call(call).await;
        match result {
            Err(CallError::TimedOut) => self.silence.fetch_add(1, Ordering::Relaxed),
            _ => self.silence.swap(0, Ordering::Relaxed),
        };
        result
    }
}

fn shown(error: &CallError) -> String {
    shorten(error.to_string().trim_end_matches('.'), SHOWN_CHARS)
}
