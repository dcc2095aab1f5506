//! A value that cannot exist, against a valid one.

mod filters;
#[cfg(test)]
mod tests;
mod token;

use frankly_contract::{BoxFuture, ToolDef};
use frankly_verdict::payload::holds_nothing;
use frankly_verdict::{Doc, Example, Expected, Severity};
use serde_json::Value;

use super::bench::{Bench, Reply};
use super::parameter::{Parameter, parameters};
use super::relation::{Baseline, with};
use super::rows::value_in_rows;
use super::{Outcome, Probe};
use crate::config::Consent;
pub(super) use filters::only_shapes;
use filters::{Filter, filters, is_reference, numbers};
use token::{nonsense, nonsense_number, other_case};

/// How many parameters are given a value that cannot exist.
const MOST_PARAMETERS: usize = 4;

/// See [`DOC`].
pub(super) struct NonsenseValue;

static DOC: Doc = Doc {
    name: "nonsense-value",
    what: "gives each parameter that names something (a category, a key, a path, an id that is a number), at most 4, a \
           value that cannot exist, then the valid one in another case, and makes the good call again; a valid value for \
           one that is left out is taken from the tool's own rows",
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

/// The parameters that take any text, each with one that cannot exist; those that filter by a name or an id come first.
pub(crate) fn unheard_of(tool: &ToolDef) -> Vec<(String, String)> {
    let named: Vec<&str> = filters(tool).map(|filter| filter.name).collect();
    let mut texts: Vec<_> = parameters(tool).filter(Parameter::is_open_text).collect();
    texts.sort_by_key(|text| !named.contains(&text.name));
    texts.into_iter().filter_map(|text| Some((text.name.to_owned(), nonsense(text.schema, None)?))).collect()
}

/// A parameter with what it is given.
struct Subject<'a> {
    filter: Filter<'a>,
    /// Its value in the good arguments.
    valid: Option<Value>,
    nonsense: Value,
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
        let nonsense = nonsense(filter.schema, valid.as_deref())?.into();
        Some(Subject { filter, valid: valid.map(Value::from), nonsense })
    };
    let number = |filter: Filter<'a>| {
        let valid = good.get(filter.name).filter(|value| value.is_i64())?.clone();
        let nonsense = nonsense_number(filter.schema, &valid)?;
        Some(Subject { filter, valid: Some(valid), nonsense })
    };
    let may_vary = |subject: &Subject<'_>| {
        bench.reads() || (subject.valid.is_some() && is_reference(bench.tool(), subject.filter.name))
    };
    let texts = filters(bench.tool()).filter_map(subject);
    let numbers = numbers(bench.tool()).filter_map(number);
    let mut subjects: Vec<_> = texts.chain(numbers).filter(may_vary).collect();
    subjects.sort_by_key(|subject| (subject.valid.is_none(), subject.filter.required));
    subjects.truncate(MOST_PARAMETERS);
    subjects
}

async fn tell_apart(bench: &Bench<'_>) -> Result<(), String> {
    let good = Baseline::good(bench).await?.that_holds_something()?;
    let (given, left_out): (Vec<_>, Vec<_>) =
        subjects(bench).into_iter().partition(|subject| subject.valid.is_some());
    let mut all = Vec::new();
    if !given.is_empty() {
        all.push(vary(bench, &good, &given).await?);
    }
    for subject in left_out {
        all.push(vary_left_out(bench, &good, subject).await?);
    }
    // One that shows something is enough.
    let moved: Option<Vec<String>> = all.into_iter().collect();
    moved.and_then(|why| why.into_iter().next()).map_or(Ok(()), Err)
}

/// Changes arguments that are there, one at a time, and makes the call with all of them again. Why that shows nothing,
/// where the data moved.
async fn vary(
    bench: &Bench<'_>,
    page: &Baseline<'_, '_>,
    subjects: &[Subject<'_>],
) -> Result<Option<String>, String> {
    for Subject { filter, valid, nonsense } in subjects {
        bench.ask(&with(&page.arguments, filter.name, nonsense.clone())).await?;
        let valid = valid.as_ref().and_then(Value::as_str).filter(|_| bench.reads());
        let other = valid.and_then(|valid| other_case(filter.schema, valid));
        if let Some(other) = other {
            bench.ask(&with(&page.arguments, filter.name, other)).await?;
        }
    }
    page.moved().await
}

/// Gives an argument that was left out a value from the tool's own rows and then one that cannot exist; where no row
/// has one, only the latter.
async fn vary_left_out(
    bench: &Bench<'_>,
    good: &Baseline<'_, '_>,
    subject: Subject<'_>,
) -> Result<Option<String>, String> {
    let filter = subject.filter;
    let valid = value_in_rows(&good.answer, filter.name);
    let nonsense = valid.as_deref().and_then(|valid| nonsense(filter.schema, Some(valid)));
    if let (Some(valid), Some(nonsense)) = (valid, nonsense) {
        let arguments = with(&good.arguments, filter.name, valid.as_str());
        let reply = bench.ask(&arguments).await?;
        if let Reply::Answer(answer) = reply
            && !holds_nothing(&answer)
        {
            let subject = Subject { filter, valid: Some(valid.into()), nonsense: nonsense.into() };
            let page = Baseline::answered_so(bench, arguments, answer);
            return vary(bench, &page, &[subject]).await;
        }
    }
    bench.ask(&with(&good.arguments, filter.name, subject.nonsense)).await?;
    Ok(None)
}
