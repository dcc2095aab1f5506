//! Reads arguments that fit their schema into the type of a tool, and says what is wrong where that refuses more than
//! the schema can say. What may not enter: the schema.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};

use super::arguments::refusal;
use super::closed::token;
use super::reader::Violations;
use super::sent;
use super::sentence::label;
use super::violation::{Step, Violation};
use crate::ToolError;
use crate::clause::clause;
use crate::shown::{cut, plain};

/// The longest message of a `Deserialize` that is repeated, in characters.
const REASON: usize = 160;

/// The arguments as the tool's own type.
pub(super) fn read<A: DeserializeOwned>(tool: &str, arguments: Map<String, Value>) -> Result<A, ToolError> {
    let sent = Value::Object(arguments);
    serde_path_to_error::deserialize(&sent).map_err(|error| {
        let violation = violation(tool, &sent, place(&sent, error.path()), &error.inner().to_string());
        refusal(&Violations { told: vec![violation], count: 1 })
    })
}

fn violation(tool: &str, arguments: &Value, pointer: String, reason: &str) -> Violation {
    let value = arguments.pointer(&pointer).unwrap_or(&Value::Null);
    let place = match &*pointer {
        "" => format!("the arguments of {tool}"),
        place => label(place),
    };
    let reason = match clause(reason) {
        reason if reason.is_empty() || sent::tells_secret(arguments, reason) => "it is refused".to_owned(),
        reason => cut(&plain(reason), REASON),
    };
    let (problem, value) = match &*pointer {
        "" => (format!("{place} cannot be used: {reason}"), None),
        _ => (
            format!("{place} cannot be used, and {} was sent: {reason}", sent::words(value, &pointer)),
            sent::value(value, &pointer),
        ),
    };
    let next = Step::alone(format!("send {place} as the tool describes, and cursors as they were given"));
    Violation { pointer, value, problem, next, did_you_mean: None }
}

/// Where it is in what was sent, as a JSON pointer. The variant of an enum need not be a place there.
fn place(sent: &Value, path: &Path) -> String {
    let known = path.iter().take_while(|segment| !matches!(segment, Segment::Unknown));
    let tokens = known.map(|segment| match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } | Segment::Enum { variant: key } => format!("/{}", token(key)),
        Segment::Unknown => String::new(),
    });
    let mut place: String = tokens.collect();
    while sent.pointer(&place).is_none() {
        place.truncate(place.rfind('/').unwrap_or_default());
    }
    place
}
