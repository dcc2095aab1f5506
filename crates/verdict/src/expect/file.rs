//! A file of expectations: read with the place of every fault, and held against a transcript.

use frankly_contract::{ToolDef, nearest};

use super::{Arguments, CallLog, Expectation, Matcher};
use crate::report::plain;
use crate::transcript::Transcript;
use crate::yaml::{Entry, Fault, Node, Spot, load};
use crate::{Certainty, Doc, Finding, Place, Severity};

static UNMET: Doc = Doc {
    name: "unmet-expectation",
    what: "calls that are not as the file of expectations says they must be",
    why: "Somebody wrote down which tools a run calls, in which order and under whose name; what ran was another run.",
    severity: "error",
    examples: &[],
};

/// What can be found about expectations.
pub static ABOUT_EXPECTATIONS: &[&Doc] = &[&UNMET];

const KEYS: &[&str] = &[
    "sequence", "in_order", "any_order", "includes", "once", "called", "not_called", "nothing_called",
    "context", "stable_key", "at_most_concurrent", "at_most_calls",
];
const CONTEXT_KEYS: &[&str] = &["tenant", "user", "run_id"];
const FILE: &str = "sequence: [search_flights, hold_seat]";
const NAMES: &str = "the names of tools, such as [search_flights, hold_seat]";
const CALLS: &str = "{ hold_seat: { seat: 12A } }, a tool with what its arguments must show, or [hold_seat]";
const CONTEXT: &str = "context: { tenant: acme, user: u_7 }";

/// Why a text is no file of expectations, or does not fit the tools.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}", plain(what))]
#[non_exhaustive]
pub struct ExpectationError {
    /// Where.
    pub place: Place,
    /// What is wrong there, and what to write.
    pub what: String,
}

/// What a file expects of the calls of a recording.
///
/// ```yaml
/// sequence: [search_flights, hold_seat]     # exactly; or in_order:, any_order:, includes:
/// once: { hold_seat: { seat: 12A } }
/// called: { search_flights: { to: { $match: /^AMS/ } } }
/// not_called: [refund]
/// context: { tenant: acme, user: u_7 }
/// stable_key: [charge]
/// at_most_concurrent: 4
/// at_most_calls: 3
/// ```
///
/// ```
/// use frankly_verdict::expect::ExpectationFile;
///
/// let file = ExpectationFile::parse("run.yaml", "not_called: [refund]\nat_most_calls: 3")?;
/// assert_eq!(file.len(), 2);
/// let error = ExpectationFile::parse("run.yaml", "not_caled: [refund]").unwrap_err();
/// assert_eq!(error.to_string(), "run.yaml:1:1: the file has no key `not_caled`; did you mean `not_called`?");
/// # Ok::<(), frankly_verdict::expect::ExpectationError>(())
/// ```
#[derive(Debug, Clone)]
pub struct ExpectationFile {
    path: String,
    stated: Vec<Stated>,
}

#[derive(Debug, Clone)]
struct Stated {
    at: Spot,
    expectation: Expectation,
}

impl ExpectationFile {
    /// Reads the text of a file; `path` is how the file is called in what is said of it.
    ///
    /// # Errors
    ///
    /// [`ExpectationError`], with line and column. A file that expects nothing is none.
    pub fn parse(path: &str, text: &str) -> Result<Self, ExpectationError> {
        let file = Self { path: path.to_owned(), stated: Vec::new() };
        match parse(text) {
            Ok(stated) => Ok(Self { stated, ..file }),
            Err(Fault { at, what }) => Err(ExpectationError { place: file.place(at), what }),
        }
    }

    /// How many expectations there are.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a file without expectations is none")]
    pub fn len(&self) -> usize {
        self.stated.len()
    }

    /// Looks up every tool that is named among those that there are: a name that is misspelled is never called.
    ///
    /// # Errors
    ///
    /// [`ExpectationError`] for the first one that there is not.
    pub fn look_up(&self, tools: &[ToolDef]) -> Result<(), ExpectationError> {
        let names = || tools.iter().map(ToolDef::name);
        for stated in &self.stated {
            let Some(unknown) =
                stated.expectation.tools().into_iter().find(|tool| !names().any(|name| name == *tool))
            else {
                continue;
            };
            let hint = match nearest(unknown, names()) {
                Some(meant) => format!("; did you mean `{meant}`?"),
                None => format!("; the tools are {}", names().collect::<Vec<_>>().join(", ")),
            };
            let what = format!("no tool is called `{unknown}`{hint}");
            return Err(ExpectationError { place: self.place(stated.at), what });
        }
        Ok(())
    }

    /// What is not as expected in a transcript: one finding for each expectation, about the call that shows it.
    #[must_use]
    pub fn findings(&self, transcript: &Transcript) -> Vec<Finding> {
        let log = CallLog::of(transcript);
        let made = log.made();
        let misses = self.stated.iter().filter_map(|stated| Some((stated, stated.expectation.miss(&made)?)));
        misses
            .map(|(stated, miss)| {
                let call = miss.call();
                let tool = call.and_then(|call| made.get(call)).map_or("", |call| call.name);
                Finding {
                    severity: Severity::Error,
                    certainty: Certainty::Proven,
                    calls: call.into_iter().collect(),
                    frames: call.map(|call| log.frames(call)).unwrap_or_default(),
                    place: Some(self.place(stated.at)),
                    ..Finding::suspected(&UNMET, &transcript.server, tool, "")
                }
                .saying(
                    miss.to_string(),
                    "what ran is not the run that was expected",
                    "mend what made the calls, or the expectation where it asks for the wrong thing",
                )
            })
            .collect()
    }

    fn place(&self, at: Spot) -> Place {
        Place { file: self.path.clone(), line: at.line, column: at.column }
    }
}

fn parse(text: &str) -> Result<Vec<Stated>, Fault> {
    let nothing = |at| Fault {
        at,
        what: format!("the file expects nothing, so nothing can be held against it; write {FILE}"),
    };
    let Some(root) = load(text)? else { return Err(nothing(Spot { line: 1, column: 1 })) };
    root.only(KEYS, FILE, |_| None)?;
    let mut stated = Vec::new();
    for entry in root.entries(FILE)? {
        stated.extend(of_key(entry)?.into_iter().map(|expectation| Stated { at: entry.at, expectation }));
    }
    if stated.is_empty() { Err(nothing(root.at)) } else { Ok(stated) }
}

fn of_key(Entry { key, node, .. }: &Entry) -> Result<Vec<Expectation>, Fault> {
    let one = |expectation| Ok(vec![expectation]);
    match key.as_str() {
        "sequence" => one(Expectation::Sequence(node.texts(NAMES)?)),
        "in_order" => one(Expectation::InOrder(some_names(node)?)),
        "any_order" => one(Expectation::AnyOrder(node.texts(NAMES)?)),
        "includes" => one(Expectation::Includes(some_names(node)?)),
        "once" => Ok(calls(node)?.into_iter().map(|(tool, with)| Expectation::Once { tool, with }).collect()),
        "called" => {
            Ok(calls(node)?.into_iter().map(|(tool, with)| Expectation::Called { tool, with }).collect())
        }
        "not_called" => {
            Ok(some_names(node)?.into_iter().map(|tool| Expectation::NotCalled { tool }).collect())
        }
        "stable_key" => {
            Ok(some_names(node)?.into_iter().map(|tool| Expectation::StableKey { tool }).collect())
        }
        "nothing_called" if node.flag("nothing_called: true")? => one(Expectation::NothingCalled),
        "nothing_called" => Err(node.fault("has one value", "nothing_called: true")),
        "context" => one(context(node)?),
        "at_most_concurrent" => one(Expectation::AtMostConcurrent(number(node, "at_most_concurrent: 4")?)),
        _ => one(Expectation::AtMostCalls(number(node, "at_most_calls: 3")?)),
    }
}

/// Names, at least one: an empty list asks for nothing.
fn some_names(node: &Node) -> Result<Vec<String>, Fault> {
    let names = node.texts(NAMES)?;
    if names.is_empty() { Err(node.fault("is empty, so it cannot fail", NAMES)) } else { Ok(names) }
}

fn number(node: &Node, write: &str) -> Result<usize, Fault> {
    usize::try_from(node.count(write)?).map_err(|_| node.fault("is too large to be reached", write))
}

/// Tools, each with what its arguments must show, if anything.
fn calls(node: &Node) -> Result<Vec<(String, Option<Arguments>)>, Fault> {
    if let Ok(names) = node.texts(CALLS) {
        return if names.is_empty() {
            Err(node.fault("is empty, so it cannot fail", CALLS))
        } else {
            Ok(names.into_iter().map(|name| (name, None)).collect())
        };
    }
    let entries = node.entries(CALLS)?;
    if entries.is_empty() {
        return Err(node.fault("is empty, so it cannot fail", CALLS));
    }
    let call = |entry: &Entry| {
        let with = match &entry.node {
            node if node.is_blank() => None,
            node => {
                node.entries(CALLS)?;
                Some(Arguments::showing(Matcher::read(node)?))
            }
        };
        Ok((entry.key.clone(), with))
    };
    entries.iter().map(call).collect()
}

fn context(node: &Node) -> Result<Expectation, Fault> {
    node.only(CONTEXT_KEYS, CONTEXT, |_| None)?;
    let member = |key| node.get(key).map(|node| node.text(CONTEXT).map(str::to_owned)).transpose();
    let (tenant, user, run_id) = (member("tenant")?, member("user")?, member("run_id")?);
    if tenant.is_none() && user.is_none() && run_id.is_none() {
        return Err(node.fault("is empty, so it cannot fail", CONTEXT));
    }
    Ok(Expectation::Context { tenant, user, run_id })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::read_recording;
    use serde_json::{Value, json};

    /// A recording of these calls, each with what its context and its arguments are.
    fn recording(calls: &[(&str, Value, Value)]) -> Transcript {
        let mut text = json!({"frankly": "recording", "version": 1}).to_string() + "\n";
        for (id, (tool, context, arguments)) in calls.iter().enumerate() {
            let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": {"content": []}});
            text += &(json!({"from": "client", "context": context, "msg": call}).to_string() + "\n");
            text += &(json!({"from": "server", "context": context, "msg": answer}).to_string() + "\n");
        }
        read_recording("flights", &text).unwrap()
    }

    fn run() -> Transcript {
        let acme = json!({"tenant": "acme", "user": "u_7"});
        recording(&[
            ("search_flights", acme.clone(), json!({"to": "AMS"})),
            ("hold_seat", acme.clone(), json!({"seat": "12A"})),
            ("charge", acme.clone(), json!({"amount": 5, "idempotency_key": "k-1"})),
            ("charge", acme, json!({"amount": 5, "idempotency_key": "k-2"})),
        ])
    }

    fn told(expected: &str) -> Vec<String> {
        let file = ExpectationFile::parse("run.yaml", expected).unwrap();
        file.findings(&run()).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn what_the_run_shows_is_as_expected() {
        let expected = "\
sequence: [search_flights, hold_seat, charge, charge]
in_order: [search_flights, charge]
any_order: [charge, charge, hold_seat, search_flights]
includes: [hold_seat]
once: { hold_seat: { seat: 12A }, search_flights: }
called: { charge: { amount: { $gte: 5 }, idempotency_key: k-2 } }
not_called: [refund]
context: { tenant: acme, user: u_7 }
at_most_concurrent: 1
at_most_calls: 4
";
        assert_eq!(told(expected), [] as [String; 0]);
        let file = ExpectationFile::parse("run.yaml", expected).unwrap();
        assert_eq!(file.len(), 11);
    }

    #[test]
    fn each_miss_is_a_finding_about_its_call_and_its_line() {
        let expected =
            "not_called: [hold_seat]\nstable_key: [charge]\ncontext: { tenant: globex }\nonce: [charge]\n";
        let file = ExpectationFile::parse("run.yaml", expected).unwrap();
        let findings = file.findings(&run());
        let seen: Vec<_> = findings
            .iter()
            .map(|one| (one.place.clone().unwrap().to_string(), &*one.tool, &one.calls[..], &one.frames[..]))
            .collect();
        assert_eq!(
            seen,
            [
                ("run.yaml:1:1".to_owned(), "hold_seat", &[1][..], &[2, 3][..]),
                ("run.yaml:2:1".to_owned(), "charge", &[3], &[6, 7]),
                ("run.yaml:3:1".to_owned(), "search_flights", &[0], &[0, 1]),
                ("run.yaml:4:1".to_owned(), "charge", &[3], &[6, 7]),
            ]
        );
        assert_eq!(
            findings[1].what,
            "call 4: `charge` has the arguments of call 3 and the key `k-2` instead of `k-1`: as a retry it takes effect a second time"
        );
        assert!(findings.iter().all(|one| one.severity == Severity::Error));
        assert_eq!(told("nothing_called: true").len(), 1);
    }

    #[test]
    fn what_is_no_expectation_says_where_and_what_to_write() {
        for (text, why) in [
            ("", "run.yaml:1:1: the file expects nothing"),
            ("{}", "run.yaml:1:1: the file expects nothing"),
            ("sequnce: [a]", "run.yaml:1:1: the file has no key `sequnce`; did you mean `sequence`?"),
            (
                "sequence: a",
                "run.yaml:1:11: sequence is a text, and should be a list; write the names of tools",
            ),
            ("not_called: []", "run.yaml:1:13: not_called is empty, so it cannot fail"),
            ("once: {}", "run.yaml:1:7: once is empty, so it cannot fail"),
            ("once: { a: 5 }", "run.yaml:1:12: once.a is a number, and should be a map"),
            ("called: { a: { b: { $macth: /x/ } } }", "did you mean `$match`?"),
            ("nothing_called: false", "nothing_called has one value; write nothing_called: true"),
            ("context: { tenant: 5 }", "context.tenant is a number, and should be a text"),
            ("context: {}", "context is empty, so it cannot fail"),
            ("context: { user_id: x }", "context has no key `user_id`; did you mean `user`?"),
            ("at_most_calls: -1", "at_most_calls is -1, and no count"),
        ] {
            let error = ExpectationFile::parse("run.yaml", text).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    #[test]
    fn a_tool_that_is_not_there_is_a_slip_of_the_pen() {
        let tools = ["search_flights", "refund"].map(|name| ToolDef::new(name, "", json!({})));
        let file = ExpectationFile::parse("run.yaml", "at_most_calls: 3\nnot_called: [refunds]").unwrap();
        assert_eq!(
            file.look_up(&tools).unwrap_err().to_string(),
            "run.yaml:2:1: no tool is called `refunds`; did you mean `refund`?"
        );
        let file = ExpectationFile::parse("run.yaml", "not_called: [refund]").unwrap();
        assert!(file.look_up(&tools).is_ok());
        let file = ExpectationFile::parse("run.yaml", "sequence: [pay]").unwrap();
        assert!(
            file.look_up(&tools).unwrap_err().to_string().ends_with("the tools are search_flights, refund")
        );
    }
}
