//! The widest good call.

use frankly_contract::{BoxFuture, ToolDef};
use frankly_verdict::paging::limit_of;
use frankly_verdict::payload::item_count;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value};

use super::bench::{Bench, Reply};
use super::consent::{among, flag_writes, words};
use super::{Outcome, Probe};
use crate::config::Consent;

/// A larger maximum is the end of all numbers, as schema generators state it, and no bound of the tool.
pub(super) const SENSIBLE_MAXIMUM: u64 = 100_000;
/// How many items are asked for where the tool states no maximum.
const MANY: u64 = 1000;
/// Words in the name of an argument that says where to look: without it a call may go anywhere.
const PLACES: &str = "\
    account base catalog channel cwd database db dir directory folder host org organization owner path \
    profile project region repo repository root schema server site table team tenant user workspace";

/// See [`DOC`].
pub(super) struct LargestResult;

static DOC: Doc = Doc {
    name: "largest-result",
    what: "makes the widest good call: the good arguments without optional filters, with as many items as may be asked \
           for (1000 where no maximum is stated), and with `verbose`, `full`, `details` and `include_…` switched on; \
           arguments that say where to look stay",
    why: "The answer must keep to the stated budget, or be cut and say so. Where the widest call is refused, less wide \
          ones are made; a refusal is no fault.",
    severity: "needs the consent `mutate`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "the widest answer is cut and says so",
            expected: Expected::Silence,
            input: r#"{"rows": 3000, "maximum": 1000, "says": true}"#,
        },
        Example {
            about: "the widest call is refused, and a less wide one holds everything",
            expected: Expected::Silence,
            input: r#"{"good": {"limit": 2}, "rows": 30, "maximum": 50, "says": true}"#,
        },
        Example {
            about: "the top says that the answer is done, and the list further down is cut",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/status"),
            input: r#"{"rows": 3000, "maximum": 1000, "says": false}"#,
        },
    ],
};

impl Probe for LargestResult {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads() && !attempts(bench, 0).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { widen(bench).await.into() })
    }

    /// Up to `maximum` rows, no more of which may be asked for; 50 where nothing is said. The top `says` whether that is
    /// all, or claims to be done.
    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use serde_json::json;

        let [total, maximum] = ["rows", "maximum"].map(|member| example[member].as_u64().unwrap());
        let limit = arguments["limit"].as_u64().unwrap_or(50);
        if limit > maximum {
            let refusal = format!("INVALID_ARGS: `limit` must be at most {maximum}");
            return json!({"content": [{"type": "text", "text": refusal}], "isError": true});
        }
        let rows: Vec<Value> = (0..limit.min(total)).map(|id| json!({"id": id})).collect();
        let missing = total - rows.len() as u64;
        let payload = match example["says"].as_bool().unwrap() {
            true => json!({"returned": rows.len(), "matched": total, "truncated": missing > 0, "rows": rows}),
            false => json!({"status": "completed", "data": {"rows": rows, "rows_truncated": missing}}),
        };
        json!({"content": [], "structuredContent": payload})
    }
}

/// Wide calls, the widest first, without those that are the good one, whose answer held so many items: a limit of less
/// would narrow it.
fn attempts(bench: &Bench<'_>, items: u64) -> Vec<Map<String, Value>> {
    let (good, tool) = (bench.good_arguments(), bench.tool());
    let limit = limit_of(tool);
    let unfiltered = without_filters(tool, &good);
    let longest = |arguments: &Map<String, Value>| {
        let mut arguments = with_details(tool, arguments);
        if let Some(limit) = &limit {
            let most = limit.maximum.filter(|maximum| *maximum <= SENSIBLE_MAXIMUM).unwrap_or(MANY);
            if most > items {
                limit.set(&mut arguments, most);
            }
        }
        arguments
    };
    let mut attempts: Vec<Map<String, Value>> = Vec::new();
    for attempt in [longest(&unfiltered), longest(&good), with_details(tool, &unfiltered), unfiltered] {
        if attempt != good && !attempts.contains(&attempt) {
            attempts.push(attempt);
        }
    }
    attempts
}

/// The arguments without what narrows the answer and may be left out.
fn without_filters(tool: &ToolDef, good: &Map<String, Value>) -> Map<String, Value> {
    let is_required = |name: &str| tool.required().any(|required| required == name);
    let is_place = |name: &str| words(name).iter().any(|word| among(word, PLACES));
    let stays = |name: &str, value: &Value| is_required(name) || value.is_boolean() || is_place(name);
    good.iter()
        .filter(|(name, value)| stays(name, value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// The arguments with every flag on by which the tool tells more.
fn with_details(tool: &ToolDef, arguments: &Map<String, Value>) -> Map<String, Value> {
    let mut arguments = arguments.clone();
    let flags = tool
        .parameters()
        .filter(|(name, schema)| tells_more(name) && is_flag(schema) && !flag_writes(name, schema));
    arguments.extend(flags.map(|(name, _)| (name.to_owned(), Value::Bool(true))));
    arguments
}

fn tells_more(name: &str) -> bool {
    let words = words(name);
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["verbose" | "full" | "detail" | "details" | "detailed"] => true,
        ["include" | "with", ..] => words.len() > 1,
        ["show", "all" | "details"] | ["full", "details"] => true,
        _ => false,
    }
}

fn is_flag(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("boolean")
}

async fn widen(bench: &Bench<'_>) -> Result<(), String> {
    let items = item_count(&bench.good().await?).unwrap_or_default() as u64;
    let attempts = attempts(bench, items);
    if attempts.is_empty() {
        return Ok(());
    }
    let mut refusal = String::new();
    for arguments in attempts {
        match bench.ask(&arguments).await? {
            Reply::Answer(_) => return Ok(()),
            Reply::Refused(why) => refusal = why,
        }
    }
    Err(format!("every wider call than the good one was refused, the last one so: {refusal}"))
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::{reading, sent};
    use super::*;
    use serde_json::json;

    fn tool(limit: Value) -> ToolDef {
        let (text, flag) = (json!({"type": "string"}), json!({"type": "boolean"}));
        let properties = json!({
            "path": text, "category": text, "since": text, "verbose": flag, "include_closed": flag,
            "recursive": flag, "full_text": flag, "details": text, "limit": limit
        });
        reading("list", properties, &[])
    }

    fn answer(_: &Value) -> Value {
        json!({"content": [{"type": "text", "text": "a report"}]})
    }

    async fn widest(limit: Value, answer: fn(&Value) -> Value) -> (Option<Outcome>, Vec<Value>) {
        let good =
            json!({"path": "src", "category": "a", "since": "2025-01-01", "recursive": true, "limit": 5});
        sent(&LargestResult, tool(limit), good, Nature::Unmarked, answer).await
    }

    #[tokio::test]
    async fn filters_go_and_places_stay() {
        let wide = |limit: u64| json!({"path": "src", "recursive": true, "verbose": true, "include_closed": true, "limit": limit});
        let end_of_numbers = 9_007_199_254_740_991_u64;
        for (limit, expected) in [
            (json!({"type": "integer", "maximum": 200}), 200),
            (json!({"type": "integer"}), MANY),
            (json!({"type": "integer", "maximum": end_of_numbers}), MANY),
        ] {
            let (outcome, sent) = widest(limit, answer).await;
            assert_eq!((outcome, &sent[1..]), (Some(Outcome::Exercised), &[wide(expected)][..]));
        }
    }

    #[tokio::test]
    async fn a_refusal_is_answered_with_less() {
        let refuses_many = |arguments: &Value| match arguments["limit"].as_u64() {
            Some(1000) => json!({"content": [{"type": "text", "text": "too many"}], "isError": true}),
            _ => answer(arguments),
        };
        let (outcome, sent) = widest(json!({"type": "integer"}), refuses_many).await;
        assert_eq!(outcome, Some(Outcome::Exercised));
        assert_eq!(sent.len(), 4, "the good call, two refused ones, and one without a limit");
        assert_eq!(
            sent[3],
            json!({"path": "src", "recursive": true, "verbose": true, "include_closed": true})
        );
        let refuses_wide = |arguments: &Value| match arguments.get("category") {
            None => json!({"content": [{"type": "text", "text": "too wide"}], "isError": true}),
            Some(_) => answer(arguments),
        };
        let (outcome, sent) = widest(json!({"type": "integer"}), refuses_wide).await;
        assert_eq!((outcome, sent[2]["category"].as_str()), (Some(Outcome::Exercised), Some("a")));
    }

    #[tokio::test]
    async fn a_good_call_that_holds_more_than_is_asked_for_is_not_narrowed() {
        let long = |_: &Value| json!({"content": [], "structuredContent": {"items": vec![0; 2000]}});
        let tool = || reading("list", json!({"limit": {"type": "integer"}}), &[]);
        let (outcome, sent_calls) = sent(&LargestResult, tool(), json!({}), Nature::Reads, long).await;
        assert_eq!((outcome, sent_calls), (Some(Outcome::Exercised), vec![json!({})]));
    }

    #[tokio::test]
    async fn what_cannot_be_widened_or_may_write_is_left_alone() {
        let sql = reading("run_sql", json!({"sql": {"type": "string"}}), &["sql"]);
        assert_eq!(
            sent(&LargestResult, sql, json!({"sql": "SELECT 1"}), Nature::Reads, answer).await.0,
            None
        );
        let writer = tool(json!({"type": "integer"}));
        assert_eq!(sent(&LargestResult, writer, json!({}), Nature::Writes, answer).await.0, None);
    }
}
