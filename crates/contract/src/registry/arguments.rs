//! Holds arguments against a schema. What may not enter: repairs. What does not fit is refused as it was sent.

use jsonschema::{Draft, ValidationError, Validator};
use serde_json::{Map, Value, json};

use super::reader::{Reader, Violations};
use super::violation::{Step, Violation};
use crate::{Code, ToolError};

/// So many violations are told in the text of an error, and so many in its details.
const TOLD: usize = 8;
const DETAILED: usize = 100;

/// What the arguments of one tool must be.
pub(super) struct Arguments {
    tool: String,
    schema: Value,
    validator: Validator,
}

impl Arguments {
    /// Compiles the schema: draft 2020-12, formats enforced, nothing fetched.
    pub fn new(tool: &str, schema: Value) -> Result<Self, ValidationError<'static>> {
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        let validator = options.build(&schema)?;
        Ok(Self { tool: tool.to_owned(), schema, validator })
    }

    /// The arguments if they fit, else one error that names everything that does not.
    pub fn check(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, ToolError> {
        let sent = Value::Object(arguments);
        if !self.validator.is_valid(&sent) {
            let reader = Reader { tool: &self.tool, schema: &self.schema, sent: &sent };
            let errors: Vec<ValidationError<'_>> = self.validator.iter_errors(&sent).collect();
            return Err(refusal(&reader.violations(&errors, DETAILED)));
        }
        match sent {
            Value::Object(arguments) => Ok(arguments),
            _ => Ok(Map::new()),
        }
    }
}

/// The one error for all that does not fit.
pub(super) fn refusal(violations: &Violations) -> ToolError {
    let (what, next) = match &violations.told[..] {
        [only] => (only.problem.clone(), only.next.to_string()),
        several => {
            let told = &several[..several.len().min(TOLD)];
            let problems: Vec<String> = told.iter().map(Violation::aloud).collect();
            let more = match violations.count - told.len() {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            let what = format!("{} things do not fit: {}{more}", violations.count, problems.join("; "));
            (what, Step::all(told.iter().map(|violation| &violation.next)))
        }
    };
    let meant = match &violations.told[..] {
        [only] => only.did_you_mean.clone(),
        _ => None,
    };
    let detailed: Vec<Value> = violations.told.iter().map(Violation::to_json).collect();
    let error = ToolError::new(Code::InvalidArgs, what, next).meaning(meant).with_violations(json!(detailed));
    match violations.count - violations.told.len() {
        0 => error,
        more => error.with_detail("violations_left_out", more),
    }
}
