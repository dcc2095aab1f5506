//! A running server on which cases are played, one after the other.

use frankly_contract::{CallError, ToolCall, ToolResult, Tools};
use frankly_verdict::case::{Call, Case, CaseFile, Observed, Outcome, Step, Variables, Verdict, fill};
use serde_json::{Map, Value, json};

use super::ground::Ground;
use crate::config::Server;
use crate::session::Session;

/// What is said where a step failed without a word.
const NO_WORDS: &str = "it wrote nothing to standard error";

/// A case that was played, and what came back.
pub(super) struct Played {
    pub outcome: Outcome,
    pub observed: Option<Observed>,
}

pub(super) struct Stage<'a> {
    session: &'a Session,
    server: &'a Server,
    ground: &'a Ground,
    variables: Variables,
    /// How many calls were made.
    calls: usize,
    /// The last of them.
    made: Option<ToolCall>,
    played: Vec<Played>,
}

impl Played {
    /// Whether the call failed, as the case expects.
    pub fn is_refused_as_expected(&self) -> bool {
        let failed =
            self.observed.as_ref().is_some_and(|seen| seen.is_error || seen.protocol_error.is_some());
        failed && matches!(self.outcome.verdict, Verdict::Passed | Verdict::Mended)
    }

    /// The position of a call that was made and not answered.
    pub fn unanswered(&self) -> Option<usize> {
        self.outcome.call.filter(|_| self.observed.is_none())
    }
}

impl<'a> Stage<'a> {
    pub fn new(session: &'a Session, server: &'a Server, ground: &'a Ground) -> Self {
        Self {
            session,
            server,
            ground,
            variables: Variables::new(),
            calls: 0,
            made: None,
            played: Vec::new(),
        }
    }

    /// What was played.
    pub fn leave(self) -> Vec<Played> {
        self.played
    }

    /// Plays a file from its setup to its teardown, which comes whatever was before.
    pub async fn play(&mut self, file: &CaseFile, wanted: &(dyn Fn(&Case) -> bool + Sync)) {
        self.variables = self.ground.variables();
        let mut hindered = None;
        for step in &file.setup {
            if let Err(why) = self.step(step).await {
                hindered = Some(format!("setup, line {}: {why}", line(step)));
                break;
            }
        }
        for case in &file.cases {
            let is_wanted = wanted(case);
            if !super::runs(case, wanted) {
                continue;
            }
            let played = match &hindered {
                Some(why) => self.outcome(file, case, None, Verdict::NotRun(why.clone())),
                None => self.case(file, case).await,
            };
            if is_wanted {
                self.played.push(played);
            }
        }
        for step in &file.teardown {
            if let Err(why) = self.step(step).await {
                let outcome = self.of_teardown(file, step, why);
                self.played.push(Played { outcome, observed: None });
                break;
            }
        }
    }

    async fn case(&mut self, file: &CaseFile, case: &Case) -> Played {
        let call = self.calls;
        let answer = match self.call(&case.call).await {
            Ok(answer) => answer,
            Err(why) => return self.outcome(file, case, None, Verdict::NotRun(why)),
        };
        let observed = match Observed::of(&answer, &self.server.errors) {
            Ok(observed) => observed,
            Err(error) => {
                let why = unanswered(&error);
                let verdict = match &case.known_failing {
                    Some(_) => Verdict::KnownFailing(vec![case.miss(why)]),
                    None => Verdict::NotRun(why),
                };
                return self.outcome(file, case, Some(call), verdict);
            }
        };
        let verdict = match case.expect(&self.variables) {
            Ok(expect) => {
                let mut misses = expect.misses(&observed);
                misses.extend(self.save(&case.call, &observed).into_iter().map(|what| case.miss(what)));
                Verdict::of(case, misses)
            }
            Err(why) => Verdict::NotRun(why),
        };
        Played { observed: Some(observed), ..self.outcome(file, case, Some(call), verdict) }
    }

    fn outcome(&self, file: &CaseFile, case: &Case, call: Option<usize>, verdict: Verdict) -> Played {
        let outcome = Outcome {
            file: file.path.clone(),
            case: case.name.clone(),
            at: case.at,
            server: self.session.server().to_owned(),
            tool: case.call.tool.clone(),
            known_failing: case.known_failing.clone(),
            call,
            replay: call.and_then(|_| self.made.clone()),
            verdict,
        };
        Played { outcome, observed: None }
    }

    /// A teardown that failed, told like a case that did not run.
    fn of_teardown(&self, file: &CaseFile, step: &Step, why: String) -> Outcome {
        let (at, tool) = match step {
            Step::Run { at, .. } => (*at, String::new()),
            Step::Call(call) => (call.at, call.tool.clone()),
        };
        Outcome {
            file: file.path.clone(),
            case: "teardown".to_owned(),
            at,
            server: self.session.server().to_owned(),
            tool,
            known_failing: None,
            call: None,
            replay: None,
            verdict: Verdict::NotRun(why),
        }
    }

    async fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::Run { command, .. } => {
                let filled = fill(&json!(command), &self.variables)?;
                let words = filled.as_array().into_iter().flatten().map(word).collect();
                self.ground.run(words, command, self.server).await.map_err(|error| {
                    let last = error.stderr().last().map_or(NO_WORDS, String::as_str);
                    format!("{error}: {last}")
                })
            }
            Step::Call(call) => {
                let answer = self.call(call).await?;
                let observed =
                    Observed::of(&answer, &self.server.errors).map_err(|error| unanswered(&error))?;
                match (answer, self.save(call, &observed).into_iter().next()) {
                    (Err(error), _) => Err(format!("`{}`: {error}", call.tool)),
                    (Ok(_), Some(why)) => Err(why),
                    (Ok(_), None) => Ok(()),
                }
            }
        }
    }

    /// Makes a call as it is written.
    async fn call(&mut self, call: &Call) -> Result<Result<ToolResult, CallError>, String> {
        let arguments = match fill(&Value::Object(call.arguments.clone()), &self.variables)? {
            Value::Object(arguments) => arguments,
            _ => Map::new(),
        };
        self.calls += 1;
        let call = ToolCall::new(&call.tool, arguments);
        self.made = Some(call.clone());
        Ok(self.session.call(call).await)
    }

    /// Keeps what later calls may use, and says what is not there.
    fn save(&mut self, call: &Call, observed: &Observed) -> Vec<String> {
        let mut missing = Vec::new();
        for (name, pointer) in &call.save {
            match observed.at(pointer) {
                Some(value) => {
                    self.variables.insert(name.clone(), value.clone());
                }
                None => missing.push(format!("there is nothing at {pointer} to save as `{name}`")),
            }
        }
        missing
    }
}

/// A word of a command: a text as it is, another value as JSON.
fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn unanswered(error: &CallError) -> String {
    format!("the call was not answered: {error}")
}

fn line(step: &Step) -> usize {
    match step {
        Step::Run { at, .. } => at.line,
        Step::Call(call) => call.at.line,
    }
}
