//! The structured half of an answer against what was promised of it, and against the text beside it.

mod doc;
mod halves;
mod no_result;

use jsonschema::Validator;
use serde_json::Value;

use super::reading::Exchange;
use super::{Check, Reading};
use crate::report::shorten;
use crate::transcript::{Answer, Role};
use crate::{Doc, Finding, Severity};
use doc::DOC;
use halves::{Contradiction, contradiction};

/// The first revision with `outputSchema` and `structuredContent`.
const SINCE: &str = "2025-06-18";
/// The first revision in which `structuredContent` may be any JSON, and not only an object.
const ANY_JSON_SINCE: &str = "2026-07-28";
/// What is larger is only said not to fit, and not where: explaining takes long.
const EXPLAINED_BYTES: usize = 256 * 1024;
const SHOWN_CHARS: usize = 160;

/// See [`DOC`].
pub(super) struct StructuredMismatch;

impl Check for StructuredMismatch {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, reading: &Reading<'_>, findings: &mut Vec<Finding>) {
        let revision = reading.transcript.revision.as_deref();
        let look = Look { server: reading.server(), revision };
        let has_halves = revision.is_none_or(|revision| revision >= SINCE);
        for exchange in &reading.exchanges {
            let found = look.no_result(exchange, reading);
            findings.extend(found.or_else(|| has_halves.then(|| look.at(exchange)).flatten()));
        }
    }
}

struct Look<'a> {
    server: &'a str,
    revision: Option<&'a str>,
}

impl Look<'_> {
    fn at(&self, exchange: &Exchange<'_>) -> Option<Finding> {
        let (result, failed) = match exchange.call.answer {
            Answer::Success(result) => (result, false),
            Answer::Failure(result) => (result, true),
            _ => return None,
        };
        // What stood in the middle is not known; a question back is no result yet.
        if exchange.cut_bytes().is_some() || is_question(result) {
            return None;
        }
        let schema = exchange.tool.and_then(|tool| tool.output_schema());
        let finding = match result.get("structuredContent") {
            None => self.missing(exchange, schema.filter(|_| !failed)?),
            Some(half) => self
                .not_an_object(exchange, half)
                .or_else(|| self.violation(exchange, schema?, half, failed))
                .or_else(|| self.at_odds(exchange, result).filter(|_| !failed))?,
        };
        Some(exchange.finding(finding, &[]))
    }

    /// What the protocol itself takes for no result, whatever the definition promises.
    fn no_result(&self, exchange: &Exchange<'_>, reading: &Reading<'_>) -> Option<Finding> {
        let (_, msg) = exchange.answer(reading.transcript)?;
        let result = msg.get("result")?;
        let is_failed = matches!(exchange.call.answer, Answer::ProtocolError(_));
        if is_failed || exchange.cut_bytes().is_some() || is_question(result) {
            return None;
        }
        // Of a server that was called live, the report of that session tells already (`no-answer`).
        let is_live =
            reading.transcript.role == Some(Role::Server) && reading.transcript.end() != Some("end");
        if is_live && !result.is_object() {
            return None;
        }
        let flaw = no_result::flaw(result)?;
        let finding = self.finding(exchange, Severity::Error, &flaw.at);
        let evidence = shorten(&result.to_string(), SHOWN_CHARS);
        Some(
            exchange
                .finding(finding.saying(flaw.what, flaw.reads_as, flaw.next).with_evidence(evidence), &[]),
        )
    }

    fn finding(&self, exchange: &Exchange<'_>, severity: Severity, pointer: &str) -> Finding {
        Finding::proven(&DOC, severity, self.server, exchange.call.name, pointer)
    }

    /// An answer without the half that the definition promises.
    fn missing(&self, exchange: &Exchange<'_>, schema: &Value) -> Finding {
        self.finding(exchange, Severity::Error, "/result").saying(
            "the definition has an `outputSchema`, and the answer no `structuredContent`",
            "the call failed: clients that hold answers against the schema refuse this one",
            "put the value that the schema describes into `structuredContent`, beside its text; or take the `outputSchema` \
             out of the definition",
        )
        .with_evidence(format!("outputSchema: {}", shorten(&schema.to_string(), SHOWN_CHARS)))
    }

    /// What is no object, in a revision in which it has to be one.
    fn not_an_object(&self, exchange: &Exchange<'_>, half: &Value) -> Option<Finding> {
        let revision = self.revision.filter(|revision| *revision < ANY_JSON_SINCE)?;
        if half.is_object() {
            return None;
        }
        let finding = self.finding(exchange, Severity::Error, "/result/structuredContent");
        Some(
            finding
                .saying(
                    format!("`structuredContent` is no object, which it has to be in revision {revision}"),
                    "the call failed: clients of that revision refuse the answer",
                    "wrap it in an object, such as {\"items\": […]}",
                )
                .with_evidence(shorten(&half.to_string(), SHOWN_CHARS)),
        )
    }

    /// What violates the schema of the definition.
    fn violation(
        &self,
        exchange: &Exchange<'_>,
        schema: &Value,
        half: &Value,
        failed: bool,
    ) -> Option<Finding> {
        let validator = jsonschema::validator_for(schema).ok()?;
        if validator.is_valid(half) {
            return None;
        }
        let (at, why) = explained(&validator, half);
        // The protocol asks nothing of an error's structured half; some clients hold it against the schema all the same.
        let severity = if failed { Severity::Warning } else { Severity::Error };
        let what = if failed { "an error's `structuredContent`" } else { "`structuredContent`" };
        let reads_as = if failed {
            "the answer is malformed: a client that checks it hides the error itself"
        } else {
            "the call failed: clients that hold answers against the schema refuse this one"
        };
        let next = if failed {
            "leave `structuredContent` out of errors, and put what they say into the text"
        } else {
            "return what the schema describes, or let it describe what is returned"
        };
        let finding = self.finding(exchange, severity, &format!("/result/structuredContent{at}"));
        Some(
            finding
                .saying(format!("{what} violates the definition's `outputSchema`{why}"), reads_as, next)
                .with_evidence(shorten(&half.to_string(), SHOWN_CHARS)),
        )
    }

    /// Two halves that say different things.
    fn at_odds(&self, exchange: &Exchange<'_>, result: &Value) -> Option<Finding> {
        let (payload, _) = exchange.success()?;
        let Contradiction { at, text, structured } = contradiction(result, payload)?;
        let finding = self.finding(exchange, Severity::Error, &format!("/result/structuredContent{at}"));
        let shown = |value: &str| shorten(value, SHOWN_CHARS);
        Some(
            finding
                .saying(
                    "the text and `structuredContent` say different things",
                    "one of the two, and it depends on the client which",
                    "make both from the same value: the text is the structured content written out",
                )
                .with_evidence(format!("text: {}; structuredContent: {}", shown(&text), shown(&structured))),
        )
    }
}

/// Whether the server asks for more before it answers, as it may since 2026-07-28.
fn is_question(result: &Value) -> bool {
    let kinds = ["resultType", "type", "status"].iter().filter_map(|key| result.get(key)?.as_str());
    // Of a task, what comes first is only its handle.
    kinds.into_iter().any(|kind| kind == "input_required" || kind == "task")
        || result.get("task").is_some_and(|task| task.get("taskId").is_some())
}

/// Where the first violation is, and what is wrong there.
fn explained(validator: &Validator, half: &Value) -> (String, String) {
    if half.to_string().len() > EXPLAINED_BYTES {
        return Default::default();
    }
    let Some(error) = validator.iter_errors(half).next() else { return Default::default() };
    let at = error.instance_path().to_string();
    // The value itself is the evidence.
    let why = format!(": {}", shorten(&error.masked_with("the value").to_string(), SHOWN_CHARS));
    (at, why)
}
