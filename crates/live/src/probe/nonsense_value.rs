//! A value that cannot exist, against a valid one.

mod filters;
mod rows;
#[cfg(test)]
mod tests;
mod token;

#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_contract::{BoxFuture, ToolResult};
use frankly_verdict::payload::{holds_nothing, is_longer};
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::{Map, Value};

use super::bench::{Bench, Reply};
use super::{Outcome, Probe};
use crate::config::Consent;
use filters::{Filter, filters, is_reference};
use rows::value_in_rows;
use token::{nonsense, other_case};

/// How many parameters are given a value that cannot exist.
const MOST_PARAMETERS: usize = 4;
const MOVED: &str = "the data moved: the same call gave more or fewer items a moment later";

/// See [`DOC`].
pub(super) struct NonsenseValue;

static DOC: Doc = Doc {
    name: "nonsense-value",
    what: "gives each parameter that names something (a category, a key, a path), at most 4, a value that cannot exist, \
           then the valid one in another case, and makes the good call again; a valid value for one that is left out \
           is taken from the tool's own rows",
    why: "The answer must be told apart from an honest empty one: by a NOT_FOUND with a next step, or by a note that \
          names the unknown value. The valid value shows that rows are found by it, the repeated call that the data did \
          not move. Free text, dates, cursors, secrets and closed sets are left alone.",
    severity: "needs the consent `mutate`; of a tool that may write, only ids of what must be there are changed, and the \
               good call is not made again",
    examples: &[
        Example {
            about: "an unknown category is answered as one without rows",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/items"),
            input: r#"{"good": {"category": "Dining"}, "note": ""}"#,
        },
        Example {
            about: "an unknown category is told apart from one without rows",
            expected: Expected::Silence,
            input: r#"{"good": {"category": "Dining"}, "note": "no category is named so; list_categories lists them"}"#,
        },
        Example {
            about: "the same, where a category comes from the rows of the good call",
            expected: Expected::Silence,
            input: r#"{"good": {}, "note": "no category is named so; list_categories lists them"}"#,
        },
    ],
};

impl Probe for NonsenseValue {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        !subjects(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { tell_apart(bench).await.into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let category = serde_json::json!({"type": "string", "description": "Exact name of a category."});
        super::examples::reading("list_transactions", serde_json::json!({ "category": category }), &[])
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        use serde_json::json;

        let rows = [(1, "Dining"), (2, "Dining"), (3, "Rent")];
        let rows = rows.map(|(id, category)| json!({"id": id, "category": category}));
        let wanted = arguments.get("category");
        let rows: Vec<_> =
            rows.into_iter().filter(|row| wanted.is_none_or(|wanted| row["category"] == *wanted)).collect();
        let mut payload =
            json!({"returned": rows.len(), "matched": rows.len(), "truncated": false, "items": rows});
        if rows.is_empty() {
            payload["note"] = example["note"].clone();
        }
        json!({"content": [], "structuredContent": payload})
    }
}

/// A parameter with what it is given.
struct Subject<'a> {
    filter: Filter<'a>,
    /// Its value in the good arguments.
    valid: Option<String>,
    nonsense: String,
}

/// What is varied: optional parameters with a valid value first, then required ones, then those left out.
fn subjects<'a>(bench: &'a Bench<'_>) -> Vec<Subject<'a>> {
    let good = bench.good_arguments();
    let subject = |filter: Filter<'a>| {
        let valid = match good.get(filter.name) {
            Some(Value::String(text)) => Some(text.clone()).filter(|text| !text.is_empty()),
            Some(_) => return None,
            None => None,
        };
        let nonsense = nonsense(filter.schema, valid.as_deref())?;
        Some(Subject { filter, valid, nonsense })
    };
    let may_vary = |subject: &Subject<'_>| {
        bench.reads() || (subject.valid.is_some() && is_reference(bench.tool(), subject.filter.name))
    };
    let mut subjects: Vec<_> = filters(bench.tool()).filter_map(subject).filter(may_vary).collect();
    subjects.sort_by_key(|subject| (subject.valid.is_none(), subject.filter.required));
    subjects.truncate(MOST_PARAMETERS);
    subjects
}

async fn tell_apart(bench: &Bench<'_>) -> Result<(), String> {
    let good = bench.good().await?;
    if holds_nothing(&good) {
        let key = bench.examples_key();
        return Err(format!("the good call found nothing; give arguments that find something as {key}"));
    }
    let (given, left_out): (Vec<_>, Vec<_>) =
        subjects(bench).into_iter().partition(|subject| subject.valid.is_some());
    let mut shown = !given.is_empty() && vary(bench, &bench.good_arguments(), &good, &given).await?;
    for subject in left_out {
        shown |= vary_left_out(bench, &good, subject).await?;
    }
    if shown { Ok(()) } else { Err(MOVED.to_owned()) }
}

/// Changes arguments that are there, one at a time, and makes the call with all of them again. Whether that shows
/// anything: not where the data moved.
async fn vary(
    bench: &Bench<'_>,
    arguments: &Map<String, Value>,
    answer: &ToolResult,
    subjects: &[Subject<'_>],
) -> Result<bool, String> {
    for Subject { filter, valid, nonsense } in subjects {
        bench.ask(&with(arguments, filter.name, nonsense)).await?;
        let other =
            valid.as_deref().filter(|_| bench.reads()).and_then(|valid| other_case(filter.schema, valid));
        if let Some(other) = other {
            bench.ask(&with(arguments, filter.name, &other)).await?;
        }
    }
    if !bench.reads() {
        return Ok(true);
    }
    let again = bench.call(arguments).await?;
    Ok(!is_longer(&again, answer) && !is_longer(answer, &again))
}

/// Gives an argument that was left out a value from the tool's own rows and then one that cannot exist; where no row
/// has one, only the latter.
async fn vary_left_out(bench: &Bench<'_>, good: &ToolResult, subject: Subject<'_>) -> Result<bool, String> {
    let (filter, arguments) = (subject.filter, bench.good_arguments());
    let valid = value_in_rows(good, filter.name);
    let nonsense = valid.as_deref().and_then(|valid| nonsense(filter.schema, Some(valid)));
    if let (Some(valid), Some(nonsense)) = (valid, nonsense) {
        let arguments = with(&arguments, filter.name, &valid);
        let reply = bench.ask(&arguments).await?;
        if let Reply::Answer(answer) = reply
            && !holds_nothing(&answer)
        {
            let subject = Subject { filter, valid: Some(valid), nonsense };
            return vary(bench, &arguments, &answer, &[subject]).await;
        }
    }
    bench.ask(&with(&arguments, filter.name, &subject.nonsense)).await?;
    Ok(true)
}

fn with(arguments: &Map<String, Value>, name: &str, value: &str) -> Map<String, Value> {
    let mut arguments = arguments.clone();
    arguments.insert(name.to_owned(), value.into());
    arguments
}
