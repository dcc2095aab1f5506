//! Holds answers against the output schema that is listed. What may not enter: repairs, and what was sent.

use jsonschema::{Draft, ValidationError, Validator};
use serde_json::Value;

use crate::ToolResult;
use crate::shown::{cut, known_name};

/// The longest reason that is repeated, in characters.
const REASON: usize = 200;

/// What the answers of one tool are said to be.
pub(super) struct Promise {
    tool: String,
    validator: Validator,
}

impl Promise {
    /// Compiles the schema: draft 2020-12, formats enforced, nothing fetched.
    pub fn new(tool: &str, schema: &Value) -> Result<Self, ValidationError<'static>> {
        let options = jsonschema::options().with_draft(Draft::Draft202012).should_validate_formats(true);
        Ok(Self { tool: tool.to_owned(), validator: options.build(schema)? })
    }

    /// The answer if it is as promised, else what is wrong with it, without its values.
    pub fn kept(&self, result: ToolResult) -> Result<ToolResult, String> {
        let Some(structured) = result.structured() else {
            return Err(format!("{} promises structured content and gave none", known_name(&self.tool)));
        };
        match self.validator.validate(structured) {
            Ok(()) => Ok(result),
            Err(error) => {
                let place = error.instance_path().as_str();
                let place = if place.is_empty() { "its root" } else { place };
                let reason = cut(&error.masked_with("the value").to_string(), REASON);
                let tool = known_name(&self.tool);
                Err(format!("the answer of {tool} does not fit its own output schema at {place}: {reason}"))
            }
        }
    }
}
