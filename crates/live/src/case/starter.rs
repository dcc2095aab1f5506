//! The first cases for a tool: one good call, one that must be refused, and one that must come back empty and say why.
//!
//! What may not enter: calls that nobody allowed. Each starts from a call that a probe was allowed to make.

use frankly_contract::{ToolCall, ToolDef};
use frankly_verdict::case::{CaseFile, Outcome, Seen, Verdict, flow};
use frankly_verdict::report::shorten;
use serde_json::{Map, Value, json};

use crate::probe::unheard_of;

/// A member that no tool has.
const UNKNOWN: &str = "no_such_argument";
/// How large the answer of a first case may be; the default budget of a payload.
const MOST_BYTES: u64 = 100_000;
/// How much is said of why a case fails.
const REASON_CHARS: usize = 160;

/// A first case, not yet written.
#[derive(Debug, Clone, PartialEq)]
pub struct Starter {
    name: String,
    call: ToolCall,
    expect: Value,
    known_failing: Option<String>,
}

/// The first cases for the tools that these good calls are of, in order.
#[must_use]
pub fn starters(tools: &[ToolDef], good: &[ToolCall]) -> Vec<Starter> {
    let of_tool = |call: &ToolCall| {
        if call.name.trim().is_empty() {
            return None;
        }
        let tool = tools.iter().find(|tool| tool.name() == call.name)?;
        Some([Some(succeeds(call)), Some(refused(tool, call)), comes_back_empty(tool, call)])
    };
    good.iter().filter_map(of_tool).flatten().flatten().collect()
}

impl Starter {
    fn new(call: ToolCall, name: String, expect: Value) -> Self {
        Self { name, call, expect, known_failing: None }
    }

    /// Cases as a file for the server of this name in `frankly.toml`.
    #[must_use]
    pub fn file(server: &str, starters: &[Self]) -> String {
        let head = format!(
            "# First cases: for each tool a good call, one that must be refused, and one that finds nothing and says why.\n\
             # Make them yours: say in `expect` what the answers must show. Those that are `known_failing` fail today.\n\
             server: {}\ncases:\n",
            flow(&json!({"use": server}))
        );
        let cases: Vec<String> = starters.iter().map(Self::lines).collect();
        head + &cases.join("\n")
    }

    fn lines(&self) -> String {
        let mut lines = format!(
            "  - name: {}\n    call: {}\n    with: {}\n    expect: {}\n",
            flow(&json!(self.name)),
            flow(&json!(self.call.name)),
            flow(&escaped(&Value::Object(self.call.arguments.clone()))),
            flow(&self.expect)
        );
        if let Some(why) = &self.known_failing {
            lines.push_str(&format!("    known_failing: {}\n", Value::from(why.as_str())));
        }
        lines
    }

    /// Takes up what was seen: of an answer that is fit to be expected its members, and of a case that fails why.
    pub fn take_up(starters: &mut [Self], seen: &Seen, outcomes: &[Outcome]) {
        for starter in starters {
            if starter.expect == json!({}) {
                starter.expect = seen.get(&starter.name).map_or_else(
                    || json!({"is_error": false}),
                    |observed| {
                        let mut expect = json!({"max_bytes": MOST_BYTES});
                        match &observed.json {
                            Some(Value::Object(members)) => expect["json"] = members_of(members),
                            Some(Value::Array(items)) if !items.is_empty() => {
                                expect["json"] = json!({"$count": {"$gte": 1}});
                            }
                            _ => {}
                        }
                        expect
                    },
                );
            }
            let outcome = outcomes.iter().find(|outcome| outcome.case == starter.name);
            starter.known_failing = match outcome.map(|outcome| &outcome.verdict) {
                Some(Verdict::Failed(misses) | Verdict::KnownFailing(misses)) => {
                    misses.first().map(|miss| reason(&miss.what))
                }
                Some(Verdict::NotRun(why)) => Some(reason(why)),
                _ => None,
            };
        }
    }

    /// Whether it is known to fail.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.known_failing.is_some()
    }

    /// The cases as they are read from their file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read: a name or an argument could not be written.
    pub fn read(
        server: &str,
        starters: &[Self],
        path: &str,
    ) -> Result<CaseFile, frankly_verdict::case::CaseError> {
        CaseFile::parse(path, &Self::file(server, starters))
    }
}

/// A pattern for a name by itself, and not within another word.
fn word(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_plain { format!(r"/\b{name}\b/") } else { name.to_owned() }
}

/// Why a case fails, without what came instead.
fn reason(what: &str) -> String {
    let end = [": \"", ", got "].iter().filter_map(|sign| what.find(sign)).min();
    let what = &what[..end.unwrap_or(what.len())];
    format!("since the first day: {}", shorten(what, REASON_CHARS))
}

/// Every member of an answer, whatever its value.
fn members_of(members: &Map<String, Value>) -> Value {
    let plain = members.keys().filter(|name| !name.starts_with('$'));
    plain.map(|name| (name.clone(), json!({"$any": true}))).collect()
}

fn succeeds(call: &ToolCall) -> Starter {
    Starter::new(call.clone(), format!("{}: a good call succeeds", call.name), json!({}))
}

/// The call without a required argument, or with one that is not there where none is required.
fn refused(tool: &ToolDef, call: &ToolCall) -> Starter {
    let mut arguments = call.arguments.clone();
    let required = tool.required().find(|name| arguments.contains_key(*name)).map(str::to_owned);
    let (name, expect) = match required {
        Some(required) => {
            arguments.remove(&required);
            let name = format!("{}: a call without {required} is refused by name", call.name);
            (name, json!({"is_error": true, "message": word(&required)}))
        }
        None => {
            arguments.insert(UNKNOWN.to_owned(), json!(1));
            let name = format!("{}: an argument that is not there is refused by name", call.name);
            (name, json!({"is_error": true, "message": UNKNOWN}))
        }
    };
    Starter::new(ToolCall::new(&call.name, arguments), name, expect)
}

/// The call with a value that cannot exist; none where no argument takes a text.
fn comes_back_empty(tool: &ToolDef, call: &ToolCall) -> Option<Starter> {
    let mut fits = unheard_of(tool);
    fits.retain(|(name, _)| !is_source(name));
    let given = fits.iter().find(|(name, _)| call.arguments.contains_key(name));
    let (name, value) = given.or(fits.first())?;
    let mut arguments = call.arguments.clone();
    arguments.insert(name.clone(), json!(value));
    let title = format!("{}: a {name} that does not exist is named", call.name);
    Some(Starter::new(ToolCall::new(&call.name, arguments), title, json!({"empty_because": value})))
}

/// Whether a parameter takes what is read by a machine, or stored: no text is looked for as it is.
fn is_source(name: &str) -> bool {
    const SOURCES: &[&str] = &[
        "body", "code", "command", "content", "expression", "html", "message", "pattern", "regex", "script",
        "sql", "url",
    ];
    name.to_lowercase().split(|c: char| !c.is_alphanumeric()).any(|word| SOURCES.contains(&word))
}

/// Arguments in which no text is taken for a variable.
fn escaped(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(text.replace("${", "$${")),
        Value::Array(items) => items.iter().map(escaped).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, member)| (name.clone(), escaped(member))).collect()
        }
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool() -> ToolDef {
        let schema = json!({
            "type": "object", "required": ["q"],
            "properties": {"q": {"type": "string"}, "kind": {"enum": ["a"]}, "limit": {"type": "integer"}},
        });
        ToolDef::new("search: all", "Searches.", schema)
    }

    fn call(arguments: Value) -> ToolCall {
        ToolCall::new("search: all", arguments.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn three_cases_stand_for_a_tool_and_can_be_read_back() {
        let starters = starters(&[tool()], &[call(json!({"q": "a \"b\" ${HOME}", "limit": 3}))]);
        assert_eq!(starters.len(), 3);
        let file = Starter::read("my server", &starters, "a.yaml").unwrap();
        assert_eq!(file.server.name.as_deref(), Some("my server"));
        assert!(file.cases[0].expects_nothing());
        let calls: Vec<_> = file.cases.iter().map(|case| json!(case.call.arguments)).collect();
        assert_eq!(
            calls,
            [
                json!({"q": "a \"b\" $${HOME}", "limit": 3}),
                json!({"limit": 3}),
                json!({"q": frankly_verdict::nonsense::VALUES[0], "limit": 3})
            ]
        );
    }

    #[test]
    fn a_tool_that_requires_nothing_refuses_what_it_does_not_know() {
        let tool = ToolDef::new("list", "Lists.", json!({"type": "object", "properties": {}}));
        let starters = starters(&[tool], &[ToolCall::new("list", Map::new())]);
        assert_eq!(starters.len(), 2);
        assert_eq!(starters[1].call.arguments, json!({UNKNOWN: 1}).as_object().cloned().unwrap());
    }
}
