//! One tool under test: its good arguments, and the ways to call it.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use frankly_contract::{CallError, ToolCall, ToolDef, ToolResult, Tools};
use frankly_verdict::report::shorten;
use serde_json::{Map, Value};
use tokio::sync::OnceCell;

use super::arguments::{fill, generate, offered};
use super::consent::{Nature, makes, writing_value};
use super::echo;
use super::parameter::parameters;
use super::run::Run;

/// How much of an error is shown.
const SHOWN_CHARS: usize = 200;

/// A tool with arguments to start from.
pub(super) struct Bench<'a> {
    tools: &'a dyn Tools,
    tool: &'a ToolDef,
    setup: Setup<'a>,
    /// What the whole round has in common.
    run: &'a Run,
    /// What came of the good call, once it was made.
    good: OnceCell<Good>,
    /// How many calls were refused that were made to see what becomes of them.
    refusals: AtomicUsize,
    /// Parameters whose text came back in an answer, where it was none that is known to be there.
    echoed: Mutex<BTreeSet<String>>,
}

/// What is known of a tool beside its definition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setup<'a> {
    /// Arguments that the user knows to be good.
    pub examples: &'a [Map<String, Value>],
    /// Whether it changes state.
    pub nature: Nature,
    /// Whether the user said that the server's state may be changed.
    pub sandbox: bool,
    /// Whether it may be written with it as often as need be.
    pub may_write: bool,
}

/// The good call and what came of it.
struct Good {
    arguments: Map<String, Value>,
    result: Result<ToolResult, String>,
}

/// What came back for a call that may well be refused.
pub(super) enum Reply {
    /// The tool accepted it.
    Answer(ToolResult),
    /// It was refused, in these words.
    Refused(String),
}

/// Why there is no good answer.
enum Unanswered {
    /// Nothing more may be sent, for this reason.
    Spent(String),
    Call(CallError),
}

impl<'a> Bench<'a> {
    /// A bench for one tool.
    pub(super) fn new(tools: &'a dyn Tools, tool: &'a ToolDef, setup: Setup<'a>, run: &'a Run) -> Self {
        let (good, refusals) = (OnceCell::new(), AtomicUsize::new(0));
        Self { tools, tool, setup, run, good, refusals, echoed: Mutex::default() }
    }

    /// The definition.
    pub fn tool(&self) -> &ToolDef {
        self.tool
    }

    /// Whether nothing says that the tool changes anything, so that a good call may be sent again.
    pub fn reads(&self) -> bool {
        self.setup.nature != Nature::Writes
    }

    /// Whether the user said that the server's state may be changed.
    pub fn in_sandbox(&self) -> bool {
        self.setup.sandbox
    }

    /// What is known of the tool beside its definition.
    pub(super) fn setup(&self) -> Setup<'a> {
        self.setup
    }

    /// What the whole round has in common.
    pub(super) fn run(&self) -> &Run {
        self.run
    }

    /// How many calls were refused that were made to see what becomes of them.
    pub fn refusals(&self) -> usize {
        self.refusals.load(Ordering::Relaxed)
    }

    /// The parameters whose text came back in an answer although it names nothing that is there.
    pub(super) fn echoed(&self) -> BTreeSet<String> {
        self.echoed.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The best arguments there are: those that were good, else those that are tried first.
    pub fn good_arguments(&self) -> Map<String, Value> {
        self.good.get().map_or_else(|| self.first_candidate(), |good| good.arguments.clone())
    }

    fn first_candidate(&self) -> Map<String, Value> {
        self.setup
            .examples
            .first()
            .cloned()
            .unwrap_or_else(|| fill(self.tool, |name, schema| offered(schema).or_else(|| self.chained(name))))
    }

    /// What is tried as the good call, in order: the user's first example; else what the schema offers, completed by
    /// what other tools returned; then the latter first. What writes is tried once, and gets nothing of other tools.
    fn candidates(&self) -> Vec<Map<String, Value>> {
        if !self.setup.examples.is_empty() {
            return vec![self.first_candidate()];
        }
        if !self.reads() {
            return vec![generate(self.tool)];
        }
        let chained = fill(self.tool, |name, schema| self.chained(name).or_else(|| offered(schema)));
        let mut candidates = vec![self.first_candidate()];
        let is_new = !candidates.contains(&chained) && writing_value(&chained).is_none();
        candidates.extend(is_new.then_some(chained));
        candidates
    }

    /// A value that another tool returned, for a tool that reads.
    fn chained(&self, name: &str) -> Option<Value> {
        let parameter = parameters(self.tool).find(|parameter| parameter.name == name)?;
        let may = |value: &Value| {
            parameter.kind().is_none_or(|_| parameter.admits(value))
                && writing_value(&Map::from_iter([(name.to_owned(), value.clone())])).is_none()
        };
        self.reads().then(|| self.run.value_for(self.tool, name, may))?
    }

    /// The answer to the good arguments. The call is made once, whoever asks first: a tool that writes does not write
    /// twice, and probes that begin alike share their beginning. A second look is a [`Bench::call`].
    ///
    /// # Errors
    ///
    /// As [`Bench::call`].
    pub async fn good(&self) -> Result<ToolResult, String> {
        self.good.get_or_init(|| self.find_good()).await.result.clone()
    }

    async fn find_good(&self) -> Good {
        let mut candidates = self.candidates();
        let last = candidates.pop().unwrap_or_default();
        let is_made_up = self.setup.examples.is_empty();
        if is_made_up && !self.reads() && !self.in_sandbox() && !makes(self.tool) {
            let key = self.examples_key();
            let why =
                format!("made-up arguments may change more than was meant; give some as {key}, or a sandbox");
            return Good { arguments: last, result: Err(why) };
        }
        for arguments in candidates {
            if let Ok(Reply::Answer(answer)) = self.ask(&arguments).await {
                return Good { arguments, result: Ok(answer) };
            }
        }
        let result = self.call(&last).await;
        Good { arguments: last, result }
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
        self.send(arguments).await.map_err(|unanswered| match unanswered {
            Unanswered::Call(error @ (CallError::Tool(_) | CallError::Protocol { .. }))
                if self.setup.examples.is_empty() =>
            {
                format!("{}; give arguments that work as {}", shown(&error), self.examples_key())
            }
            Unanswered::Call(error) => shown(&error),
            Unanswered::Spent(why) => why,
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
            Err(Unanswered::Call(error @ (CallError::Tool(_) | CallError::Protocol { .. }))) => {
                self.refusals.fetch_add(1, Ordering::Relaxed);
                Ok(Reply::Refused(shown(&error)))
            }
            Err(Unanswered::Call(error)) => Err(shown(&error)),
            Err(Unanswered::Spent(why)) => Err(why),
        }
    }

    /// Calls another tool, as it was called before with success. That it fails now is for the checks.
    ///
    /// # Errors
    ///
    /// Why it was not sent, as the end of a sentence.
    pub(super) async fn call_other(&self, call: &ToolCall) -> Result<Option<ToolResult>, String> {
        self.run.spend()?;
        let result = self.tools.call(call.clone()).await;
        self.run.heard(!matches!(result, Err(CallError::TimedOut)));
        Ok(result.ok())
    }

    /// Makes a call that succeeded before, to a tool that reads: this one, or any other. That it fails is for the
    /// checks.
    ///
    /// # Errors
    ///
    /// Why it was not sent, as the end of a sentence.
    pub(super) async fn still_answers(&self) -> Result<(), String> {
        let own = self.good.get().filter(|good| self.reads() && good.result.is_ok());
        let own = own.map(|good| ToolCall::new(self.tool.name(), good.arguments.clone()));
        match own.or_else(|| self.run.health_check().map(|healthy| healthy.call.clone())) {
            Some(call) => self.call_other(&call).await.map(|_| ()),
            None => Ok(()),
        }
    }

    /// Where the user gives good arguments.
    pub fn examples_key(&self) -> String {
        format!("tools.{}.examples of the server in frankly.toml", self.tool.name())
    }

    async fn send(&self, arguments: &Map<String, Value>) -> Result<ToolResult, Unanswered> {
        self.run.spend().map_err(Unanswered::Spent)?;
        let call = ToolCall::new(self.tool.name(), arguments.clone());
        let start = Instant::now();
        let result = self.tools.call(call.clone()).await;
        self.run.heard(!matches!(result, Err(CallError::TimedOut)));
        match (&result, self.good.get()) {
            (_, Some(good)) => {
                let mut came_back = echo::came_back(arguments, &good.arguments, &result);
                // A misspelled one comes back in its refusal.
                came_back.retain(|name| self.tool.parameters().any(|(declared, _)| declared == name));
                if self.reads() {
                    came_back.iter().for_each(|name| self.run.echoed(&call, name));
                }
                self.echoed.lock().unwrap_or_else(PoisonError::into_inner).extend(came_back);
            }
            (Ok(answer), None) => {
                self.run.learn(self.tool, call.clone(), answer, start.elapsed(), self.reads());
                if self.setup.may_write && !self.reads() {
                    self.run.wrote(self.tool, call);
                }
            }
            (Err(_), None) => {}
        }
        result.map_err(Unanswered::Call)
    }
}

pub(super) fn shown(error: &CallError) -> String {
    shorten(error.to_string().trim_end_matches('.'), SHOWN_CHARS)
}
