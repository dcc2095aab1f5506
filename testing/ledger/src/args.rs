//! Reads a tool's arguments and refuses what does not fit, naming what was sent and what would fit. What may
//! not enter: rmcp, which would drop unknown arguments, and silent repairs of any kind.

use std::ops::RangeInclusive;

use frankly_contract::{Code, Cursor, ToolDef, ToolError, nearest};
use serde_json::{Map, Value};

/// The longest value repeated in a message, in characters.
const SHOWN: usize = 60;

/// The arguments of one call, all of them known to the tool.
pub(crate) struct Arguments<'a>(&'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// Takes the arguments unless the definition does not have one of them, or requires one that is missing.
    pub fn check(tool: &ToolDef, arguments: &'a Map<String, Value>) -> Result<Self, ToolError> {
        let known: Vec<&str> = tool.parameters().map(|(name, _)| name).collect();
        if let Some(unknown) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
            return Err(unknown_argument(tool.name(), unknown, &known));
        }
        match tool.required().find(|name| !arguments.contains_key(*name)) {
            Some(missing) => Err(refuse(
                format!("{} was called without `{missing}`", tool.name()),
                format!("call it again with `{missing}`"),
            )),
            None => Ok(Self(arguments)),
        }
    }

    /// A text that is not empty.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>, ToolError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() => Err(refuse(
                format!("`{name}` is an empty string"),
                format!("give `{name}` a value or leave it out"),
            )),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => Err(refuse(
                format!("`{name}` must be a string, and {} was sent", shown(other)),
                format!("send `{name}` as a string"),
            )),
        }
    }

    /// A day that exists, written YYYY-MM-DD.
    pub fn date(&self, name: &str) -> Result<Option<&'a str>, ToolError> {
        match self.text(name)? {
            Some(text) if !is_date(text) => Err(refuse(
                format!("`{name}` must be a date, and {} was sent", shown_text(text)),
                format!("send `{name}` as an existing day in the form YYYY-MM-DD, such as 2025-03-31"),
            )),
            date => Ok(date),
        }
    }

    /// A whole number within the bounds.
    pub fn integer(&self, name: &str, bounds: RangeInclusive<u64>) -> Result<Option<u64>, ToolError> {
        let Some(value) = self.0.get(name) else { return Ok(None) };
        match whole(value) {
            Some(number) if bounds.contains(&number) => Ok(Some(number)),
            _ => {
                let (least, most) = bounds.into_inner();
                Err(refuse(
                    format!(
                        "`{name}` must be an integer from {least} to {most}, and {} was sent",
                        shown(value)
                    ),
                    format!("send `{name}` as an integer from {least} to {most}"),
                ))
            }
        }
    }

    /// A cursor as an earlier page gave it out.
    pub fn cursor(&self, name: &str) -> Result<Option<Cursor>, ToolError> {
        let Some(text) = self.text(name)? else { return Ok(None) };
        text.parse().map(Some).map_err(|error| {
            refuse(
                format!("`{name}` is {error}: {} was sent", shown_text(text)),
                format!("send the next_cursor of an earlier page, or leave `{name}` out for the first"),
            )
        })
    }
}

/// An `INVALID_ARGS` error.
pub(crate) fn refuse(what: impl Into<String>, next: impl Into<String>) -> ToolError {
    ToolError::new(Code::InvalidArgs, what, next)
}

/// A text as it was sent, as JSON and cut short, for use in a message.
pub(crate) fn shown_text(text: &str) -> String {
    let mut start: String = text.chars().take(SHOWN).collect();
    if start.len() < text.len() {
        start.push('…');
    }
    Value::String(start).to_string()
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the string {}", shown_text(text)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        number_or_word => number_or_word.to_string(),
    }
}

fn unknown_argument(tool: &str, unknown: &str, known: &[&str]) -> ToolError {
    let what = format!("{tool} has no argument {}", shown_text(unknown));
    let legal = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let next = match nearest(unknown, known.iter().copied()) {
        _ if known.is_empty() => "call it with {}: it takes no arguments".to_owned(),
        Some(meant) => format!("did you mean `{meant}`? Its arguments are {legal}"),
        None => format!("leave it out: the arguments are {legal}"),
    };
    refuse(what, next)
}

/// JSON Schema's integer, in which 50.0 is one.
fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        (number.fract() == 0.0 && (0.0..=9e15).contains(&number)).then_some(number as u64)
    })
}

fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    if !(digits(year, 4) && digits(month, 2) && digits(day, 2)) {
        return false;
    }
    let (Ok(year), Ok(month), Ok(day)) = (year.parse::<u32>(), month.parse::<u32>(), day.parse::<u32>())
    else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn sent(arguments: Value) -> Map<String, Value> {
        arguments.as_object().unwrap().clone()
    }

    fn definition() -> ToolDef {
        let properties = json!({"category": {}, "limit": {}, "sql": {}});
        ToolDef::new(
            "list",
            "Lists.",
            json!({"type": "object", "properties": properties, "required": ["sql"]}),
        )
    }

    #[test]
    fn an_unknown_argument_is_named_with_the_nearest_and_all_known_ones() {
        let error = |arguments| match Arguments::check(&definition(), &sent(arguments)) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(
            error(json!({"sql": "x", "catgory": "Dining"})),
            "INVALID_ARGS: list has no argument \"catgory\". \
             Next: did you mean `category`? Its arguments are `category`, `limit`, `sql`."
        );
        assert!(
            error(json!({"sql": "x", "merchant": "m"}))
                .contains("the arguments are `category`, `limit`, `sql`")
        );
        assert!(error(json!({})).contains("without `sql`"));
        assert_eq!(error(json!({"sql": "x"})), "");
    }

    #[test]
    fn a_wrong_type_names_the_parameter_and_what_was_sent() {
        for (value, said) in [
            (json!("ten"), "the string \"ten\""),
            (json!("10"), "the string \"10\""),
            (json!(0), "0"),
            (json!(201), "201"),
            (json!(-1), "-1"),
            (json!(1.5), "1.5"),
            (json!(1e300), "1e+300"),
            (json!(null), "null"),
            (json!([1]), "an array"),
            (json!({}), "an object"),
        ] {
            let map = sent(json!({ "limit": value }));
            let error = Arguments(&map).integer("limit", 1..=200).unwrap_err().to_string();
            assert!(error.contains(&format!("from 1 to 200, and {said} was sent")), "{error}");
        }
        let map = sent(json!({"category": 5, "limit": ""}));
        let error = Arguments(&map).text("category").unwrap_err().to_string();
        assert!(error.contains("`category` must be a string, and 5 was sent"), "{error}");
        assert!(
            Arguments(&map).text("limit").unwrap_err().to_string().contains("`limit` is an empty string")
        );
    }

    #[test]
    fn what_fits_the_schema_is_taken() {
        let map = sent(json!({"one": 1, "float": 50.0, "most": 200}));
        let integer = |name| Arguments(&map).integer(name, 1..=200);
        assert_eq!(integer("one"), Ok(Some(1)));
        assert_eq!(integer("float"), Ok(Some(50)));
        assert_eq!(integer("most"), Ok(Some(200)));
        assert_eq!(integer("absent"), Ok(None));
    }

    #[test]
    fn a_date_is_a_day_that_exists() {
        for date in ["2025-01-01", "2024-02-29", "2000-02-29", "2025-12-31"] {
            assert!(is_date(date), "{date}");
        }
        for text in [
            "2025-02-29",
            "1900-02-29",
            "2025-13-01",
            "2025-00-10",
            "2025-04-31",
            "2025-1-1",
            "March",
            "2025-01-01T00:00",
            "+025-01-01",
            "2025-01",
            "",
            "２025-01-01",
        ] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn a_cursor_is_taken_only_as_it_was_given_out() {
        let map = sent(json!({"cursor": "row-50", "bad": "50"}));
        assert_eq!(Arguments(&map).cursor("cursor"), Ok(Some(Cursor::at(50))));
        let error = Arguments(&map).cursor("bad").unwrap_err().to_string();
        assert!(error.contains("`bad` is not a cursor from an earlier page: \"50\" was sent"), "{error}");
    }

    #[test]
    fn a_long_value_is_cut_in_a_message() {
        assert_eq!(shown_text("é\n"), "\"é\\n\"");
        assert_eq!(shown_text(&"é".repeat(1_000)).chars().count(), SHOWN + 3);
    }
}
