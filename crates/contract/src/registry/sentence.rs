//! What does not fit, in sentences: what was sent, and what would fit. What may not enter: the search for it.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::Value;

use super::closed::token;
use super::expected::{choices, description, example, expected, joined, listed, properties};
use super::reader::Reader;
use super::sent;
use super::violation::Violation;
use crate::nearest;
use crate::shown::{cut, named};

impl Reader<'_> {
    /// A member that does not exist.
    pub fn unknown(&self, error: &ValidationError<'_>, name: &str) -> Violation {
        let place = error.instance_path().as_str();
        let object = self.sent.pointer(place);
        let known = properties(self.schema, self.node(error));
        let unused =
            known.iter().copied().filter(|known| object.and_then(|object| object.get(*known)).is_none());
        let meant = nearest(name, unused).or_else(|| nearest(name, known.iter().copied()));
        let legal = joined(&known.iter().map(|name| named(name)).collect::<Vec<_>>(), "and");
        let (problem, next) = match (place, known.is_empty()) {
            ("", true) => (
                format!("{} takes no arguments, and {} was sent", self.tool, named(name)),
                "call it with {}".to_owned(),
            ),
            ("", false) => (
                format!("{} has no argument {}", self.tool, named(name)),
                format!("leave out {}: the arguments are {legal}", named(name)),
            ),
            (_, true) => (
                format!("{} has no member {}", label(place), named(name)),
                format!("leave out {}", named(name)),
            ),
            (_, false) => {
                let problem = format!("{} has no member {}", label(place), named(name));
                (problem, format!("leave out {}: the members of {} are {legal}", named(name), label(place)))
            }
        };
        Violation {
            pointer: format!("{place}/{}", token(name)),
            value: object.and_then(|object| object.get(name)).and_then(|value| sent::value(value, name)),
            problem,
            next,
            did_you_mean: meant.map(str::to_owned),
        }
    }

    /// One of these members is needed, and none is there.
    pub fn missing(&self, error: &ValidationError<'_>, names: &[&str]) -> Violation {
        let place = error.instance_path().as_str();
        let list = joined(&names.iter().map(|name| named(name)).collect::<Vec<_>>(), "or");
        let what = match names {
            [name] => self
                .property(error, name)
                .map(|schema| format!(", which is {}", expected(self.schema, schema))),
            _ => None,
        };
        let what = what.unwrap_or_default();
        let (problem, next) = match place {
            "" => (
                format!("{} was called without {list}", self.tool),
                format!("call it again with {list}{what}"),
            ),
            _ => (
                format!("{} is without {list}", label(place)),
                format!("send {} with {list}{what}", label(place)),
            ),
        };
        Violation { pointer: place.to_owned(), value: None, problem, next, did_you_mean: None }
    }

    /// A value that is not what its schema expects.
    pub fn misfit(&self, error: &ValidationError<'_>) -> Violation {
        let (place, node) = (error.instance_path().as_str(), self.node(error));
        let expected = expected(self.schema, node);
        let wrong = match (error.kind(), &**error.instance()) {
            (Kind::MaxLength { .. }, Value::String(text)) => {
                format!("one of {} characters", text.chars().count())
            }
            (_, value) => sent::words(value, last(place)),
        };
        let choices = choices(self.schema, node).unwrap_or_default();
        let meant = error
            .instance()
            .as_str()
            .and_then(|text| nearest(text, choices.iter().filter_map(|choice| choice.as_str())));
        self.violation(
            error,
            format!("{} must be {expected}, and {wrong} was sent", label(place)),
            &expected,
            meant,
        )
    }

    /// A text that has not the form its pattern asks for, which its description tells better.
    pub fn other_form(&self, error: &ValidationError<'_>, pattern: &str) -> Violation {
        let (place, node) = (error.instance_path().as_str(), self.node(error));
        let wrong = sent::words(error.instance(), last(place));
        let form = match description(self.schema, node) {
            Some(description) => format!("described: {description}"),
            None if example(self.schema, node).is_some() => "a string of the right form".to_owned(),
            None => format!("a string that matches {}", cut(pattern, 120)),
        };
        let problem =
            format!("{} does not have the form that it must have, and {wrong} was sent", label(place));
        self.violation(error, problem, &form, None)
    }

    /// A member that says which alternative is meant, and names none of them.
    pub fn wrong_tag(&self, place: &str, choices: &[&Value]) -> Violation {
        let value = self.sent.pointer(place).unwrap_or(&Value::Null);
        let expected = listed(choices);
        let meant = value
            .as_str()
            .and_then(|text| nearest(text, choices.iter().filter_map(|choice| choice.as_str())));
        Violation {
            pointer: place.to_owned(),
            value: sent::value(value, last(place)),
            problem: format!(
                "{} must be {expected}, and {} was sent",
                label(place),
                sent::words(value, last(place))
            ),
            next: format!("send {} as {expected}", label(place)),
            did_you_mean: meant.map(str::to_owned),
        }
    }

    /// Anything else, in the validator's own words without the value.
    pub fn generic(&self, error: &ValidationError<'_>) -> Violation {
        let (place, node) = (error.instance_path().as_str(), self.node(error));
        let what = cut(&error.masked_with("the value").to_string(), 200);
        let form = match description(self.schema, node) {
            Some(description) => format!("described: {description}"),
            None => expected(self.schema, node),
        };
        self.violation(error, format!("{} does not fit: {what}", label(place)), &form, None)
    }

    fn violation(
        &self,
        error: &ValidationError<'_>,
        problem: String,
        form: &str,
        meant: Option<&str>,
    ) -> Violation {
        let place = error.instance_path().as_str();
        let such = example(self.schema, self.node(error))
            .map(|example| format!(", such as {}", cut(&example.to_string(), 60)))
            .filter(|such| !form.contains(such.trim_start_matches(", such as ")))
            .unwrap_or_default();
        Violation {
            pointer: place.to_owned(),
            value: sent::value(error.instance(), last(place)),
            problem,
            next: format!("send {} as {form}{such}", label(place)),
            did_you_mean: meant.map(str::to_owned),
        }
    }

    /// The schema of a member beside an error.
    fn property(&self, error: &ValidationError<'_>, name: &str) -> Option<&Value> {
        self.node(error).get("properties")?.get(name)
    }
}

/// What a place is called: an argument by its name, what is inside one by its pointer.
fn label(place: &str) -> String {
    match place.strip_prefix('/') {
        None => "the arguments".to_owned(),
        Some(name) if !name.contains('/') => named(&last(place).replace("~1", "/").replace("~0", "~")),
        Some(_) => named(place),
    }
}

/// The last part of a place.
fn last(place: &str) -> &str {
    place.rsplit('/').next().unwrap_or_default()
}
