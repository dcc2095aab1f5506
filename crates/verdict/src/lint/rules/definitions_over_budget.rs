//! What all definitions together cost.

use super::super::cost::{self, Dearest, Tokenizer};
use super::super::{Lint, Rule};
use crate::report::{counted, grouped, shorten};
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
    severity: "error against a budget that was stated; warning beyond 10,000 tokens; tokens are estimated unless --tokenizer counts them",
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
        let tokenizer = lint.audience.tokenizer;
        let tools = || lint.sets.iter().flat_map(|set| &set.tools);
        let bytes: usize = tools().map(cost::bytes_of).sum();
        let tokens: usize = tools().map(|tool| tokenizer.cost_of(tool)).sum();
        let over = |cost: usize, most: u64| u64::try_from(cost).is_ok_and(|cost| cost > most);
        let (is_over, severity, limit) = match lint.audience.budget {
            Some(SizeBudget::Bytes(most)) => {
                (over(bytes, most), Severity::Error, format!("the budget is {} bytes", grouped(most)))
            }
            Some(SizeBudget::Tokens(most)) => {
                (over(tokens, most), Severity::Error, format!("the budget is {} tokens", grouped(most)))
            }
            None => (over(tokens, MUCH), Severity::Warning, format!("{} are much", grouped(MUCH))),
        };
        if !is_over {
            return;
        }
        let dearest = Dearest::of(lint.sets, tokenizer);
        let what = format!(
            "the definitions of {} cost {} bytes ({}) in every request; {limit}",
            counted(dearest.tools.len(), "tool"),
            grouped(bytes as u64),
            tokenizer.shown(tokens)
        );
        let server = dearest.tools.first().map_or("", |tool| &tool.server);
        let finding =
            Finding::proven(&DOC, severity, server, "", "").with_evidence(evidence(&dearest, tokenizer));
        findings.push(finding.saying(
            what,
            "all of this matters for the question at hand",
            "shorten the dearest (`frankly lint --costs` lists them), offer fewer tools, or let the client load them when \
             they are needed",
        ));
    }
}

/// How many of the dearest tools are named.
const SHOWN: usize = 3;
/// How much of a sentence is shown.
const SENTENCE_CHARS: usize = 60;

/// Where the tokens go.
fn evidence(dearest: &Dearest, tokenizer: Tokenizer) -> String {
    let amount = |tokens: usize| tokenizer.shown(tokens);
    let tools = dearest.tools.iter().take(SHOWN);
    let tools: Vec<String> = tools.map(|tool| format!("{} {}", tool.tool, amount(tool.tokens))).collect();
    let mut evidence = format!("the dearest: {}", tools.join(", "));
    if let Some(sentence) = dearest.sentences.first() {
        let text = shorten(&sentence.sentence, SENTENCE_CHARS);
        let times = if sentence.times > 1 { format!(" {} times", sentence.times) } else { String::new() };
        evidence += &format!("; the dearest sentence: \"{text}\"{times}, {}", amount(sentence.total()));
    }
    if dearest.repeated() > 0 {
        evidence +=
            &format!("; for sentences that stand in other tools already: {}", amount(dearest.repeated()));
    }
    evidence
}
