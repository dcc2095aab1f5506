//! What all definitions together cost.

use super::super::{Lint, Rule, Subject};
use crate::payload::estimated_tokens;
use crate::report::grouped;
use crate::transcript::SizeBudget;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct DefinitionsOverBudget;

/// What is much where nobody has said so: a twentieth of a window of 200,000 tokens, before the first question.
const MUCH: u64 = 10_000;

static DOC: Doc = Doc {
    name: "definitions-over-budget",
    what: "definitions that together cost more than a budget, or than 10,000 tokens",
    why: "Every request carries all definitions. They fill the window before the first question, cost money each turn, and \
          the more of them there are the worse models choose among them.",
    severity: "error against a budget that was stated; warning beyond 10,000 tokens; tokens are estimated",
    examples: &[
        Example {
            about: "beyond what was stated",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"budget": {"tokens": 20}, "servers": {"s": [
 {"name": "list_orders", "description": "Lists the orders of the signed-in customer, newest first.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "within it",
            expected: Expected::Silence,
            input: r#"{"budget": {"tokens": 2000}, "servers": {"s": [
 {"name": "list_orders", "description": "Lists the orders of the signed-in customer, newest first.", "inputSchema": {"type": "object"}}]}}"#,
        },
    ],
};

impl Rule for DefinitionsOverBudget {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        let mut costs: Vec<(u64, Subject<'_>)> =
            lint.subjects().map(|subject| (bytes(&subject), subject)).collect();
        let total: u64 = costs.iter().map(|(bytes, _)| bytes).sum();
        let tokens = |bytes: u64| estimated_tokens(usize::try_from(bytes).unwrap_or(usize::MAX)) as u64;
        let (is_over, severity, limit) = match lint.audience.budget {
            Some(SizeBudget::Bytes(most)) => {
                (total > most, Severity::Error, format!("the budget is {} bytes", grouped(most)))
            }
            Some(SizeBudget::Tokens(most)) => {
                (tokens(total) > most, Severity::Error, format!("the budget is {} tokens", grouped(most)))
            }
            None => (tokens(total) > MUCH, Severity::Warning, format!("{} are much", grouped(MUCH))),
        };
        costs.sort_by_key(|(bytes, _)| std::cmp::Reverse(*bytes));
        let Some((_, dearest)) = costs.first().filter(|_| is_over) else { return };
        let shown: Vec<String> = costs
            .iter()
            .take(SHOWN)
            .map(|(bytes, subject)| format!("{} ≈{}", subject.label, grouped(tokens(*bytes))))
            .collect();
        let what = format!(
            "the definitions of {} cost {} bytes (≈{} tokens) in every request; {limit}",
            crate::report::counted(costs.len(), "tool"),
            grouped(total),
            grouped(tokens(total))
        );
        let finding = Finding::proven(&DOC, severity, dearest.server, "", "");
        findings.push(
            finding
                .saying(
                    what,
                    "all of this matters for the question at hand",
                    "shorten the dearest, offer fewer tools, or let the client load them when they are needed",
                )
                .with_evidence(format!("the dearest: {}", shown.join(", "))),
        );
    }
}

/// How many of the dearest tools are named.
const SHOWN: usize = 3;

/// What reaches a model of a definition: name, description and input schema.
fn bytes(subject: &Subject<'_>) -> u64 {
    let schema = subject.tool.input_schema().map_or(0, length);
    (subject.tool.name().len() + subject.tool.description().len() + schema) as u64
}

/// How long a value is when it is written as JSON.
fn length(value: &serde_json::Value) -> usize {
    let mut length = Length(0);
    // What only counts takes everything, and every value can be written.
    let _ = serde_json::to_writer(&mut length, value);
    length.0
}

/// Counts what is written to it.
struct Length(usize);

impl std::io::Write for Length {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
