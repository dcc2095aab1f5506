//! What all definitions together cost.

use super::super::cost::{Dearest, Tokenizer};
use super::super::target::{Target, What, titles, verb};
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
    what: "definitions that together cost more than a budget, or than 10,000 tokens, or that are more than a target takes",
    why: "Every request carries all definitions. They fill the window before the first question, cost money each turn, and \
          the more of them there are the worse models choose among them.",
    severity: "error against a budget that was stated, and for more tools than a target takes in a request; warning beyond 10,000 tokens; tokens are estimated unless --tokenizer counts them",
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

    fn depends(&self) -> bool {
        true
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        findings.extend(too_many(lint));
        let tokenizer = lint.audience.tokenizer;
        let tools = || lint.sets.iter().flat_map(|set| &set.tools);
        let costs = tools().map(|tool| tokenizer.cost_with_bytes(tool));
        let (tokens, bytes) =
            costs.fold((0, 0), |(all, in_all), (tokens, bytes)| (all + tokens, in_all + bytes));
        let over = |cost: usize, most: u64| u64::try_from(cost).is_ok_and(|cost| cost > most);
        let (is_over, severity, limit) = match lint.audience.budget {
            Some(SizeBudget::Bytes(most)) => {
                (over(bytes, most), Severity::Error, format!("the budget is {} bytes", grouped(most)))
            }
            Some(SizeBudget::Tokens(most)) => {
                (over(tokens, most), Severity::Error, format!("the budget is {} tokens", grouped(most)))
            }
            None => (over(tokens, MUCH), Severity::Warning, format!("{} tokens are much", grouped(MUCH))),
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
        let finding =
            Finding::proven(&DOC, severity, whose(lint), "", "").with_evidence(evidence(&dearest, tokenizer));
        findings.push(finding.saying(
            what,
            "all of this matters for the question at hand",
            "shorten the dearest (`frankly lint --costs` lists them), offer fewer tools, or let the client load them when \
             they are needed",
        ));
    }
}

/// The server, where it is the only one: several are too much together, and no single one of them.
fn whose<'a>(lint: &Lint<'a>) -> &'a str {
    match lint.sets {
        [set] => &set.server,
        _ => "",
    }
}

/// More tools than targets take in one request.
fn too_many(lint: &Lint<'_>) -> Option<Finding> {
    let count = lint.sets.iter().map(|set| set.tools.len()).sum::<usize>();
    let most = |target: &Target| {
        let limit = target.beyond(|what| matches!(what, What::ToolCount(most) if count > most))?;
        if let What::ToolCount(most) = limit.what { Some(most) } else { None }
    };
    let targets: Vec<(&Target, usize)> =
        lint.audience.targets.iter().filter_map(|target| Some((*target, most(target)?))).collect();
    let (_, least) = targets.iter().min_by_key(|(_, most)| *most)?;
    let who: Vec<_> = targets.iter().map(|(target, _)| *target).collect();
    let limits: Vec<_> =
        targets.iter().map(|(target, most)| format!("{} takes {most}", target.title)).collect();
    let what = format!(
        "there are {}, and {} {} a request with so many: {}",
        counted(count, "tool"),
        titles(&who),
        verb(&who, "refuses", "refuse"),
        limits.join(", ")
    );
    Some(Finding::proven(&DOC, Severity::Error, whose(lint), "", "").saying(
        what,
        "there is no tool at all: the whole request is refused",
        format!("offer {least} or fewer, in sets that a user turns on, or let the client load them when they are needed"),
    ))
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

#[cfg(test)]
mod tests {
    use super::super::super::Audience;
    use super::super::super::testing::found_by;
    use super::*;
    use crate::ToolSet;
    use frankly_contract::ToolDef;
    use serde_json::json;

    #[test]
    fn tools_are_counted_over_all_servers_that_an_agent_sees() {
        let told = |targets: &str, counts: &[usize]| -> Vec<String> {
            let tool = |at| ToolDef::new(format!("t{at}"), "", json!({"type": "object"}));
            let sets: Vec<_> =
                counts.iter().map(|count| ToolSet::new("s", (0..*count).map(tool).collect())).collect();
            let audience = Audience { targets: Target::read(targets).unwrap(), ..Audience::default() };
            let found = found_by(&DefinitionsOverBudget, &sets, &audience);
            found.into_iter().filter(|finding| finding.severity == Severity::Error).map(|f| f.what).collect()
        };
        assert_eq!(told("openai,vscode", &[128]), [""; 0]);
        assert_eq!(told("gemini,anthropic,claude-code", &[129]), [""; 0]);
        let what = &told("openai,gemini,vscode", &[64, 65])[0];
        assert_eq!(
            what,
            "there are 129 tools, and OpenAI and VS Code refuse a request with so many: OpenAI takes 128, VS Code takes 128"
        );
    }
}
