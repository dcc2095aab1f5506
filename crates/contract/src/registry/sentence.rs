//! What does not fit, in sentences: what was sent, and what would fit. What may not enter: the search for it.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::expected::{
    choices, description, example, expected, expected_alternative, few, listed, properties,
};
use super::reader::{Reader, member};
use super::sent;
use super::violation::{Step, Violation};
use crate::nearest;
use crate::shown::{cut, known_name, named, offered};

/// The longest example that is given, in characters.
const EXAMPLE: usize = 60;

impl Reader<'_> {
    /// A value in which so many alternatives are nested that nobody can say which of them was meant.
    pub fn unexplained(&self, place: &str, schema: &Value) -> Violation {
        let (label, expected) = (label(place), expected(self.schema, schema));
        Violation {
            pointer: place.to_owned(),
            value: None,
            problem: format!(
                "{label} does not fit, and the alternatives in it are nested too deeply to say where"
            ),
            next: Step::alone(format!("send {label} as {expected}, first with less nested in it")),
            did_you_mean: None,
        }
    }

    /// A member that does not exist.
    pub fn unknown(&self, error: &ValidationError<'_>, name: &str) -> Violation {
        let place = error.instance_path().as_str();
        let object = self.sent.pointer(place);
        let known = properties(self.schema, self.node(error));
        let unused =
            known.iter().copied().filter(|known| object.and_then(|object| object.get(*known)).is_none());
        let meant = nearest(name, unused).or_else(|| nearest(name, known.iter().copied()));
        let whose = if place.is_empty() { self.tool.to_owned() } else { label(place) };
        let what = if place.is_empty() { "argument" } else { "member" };
        let legal = match &known[..] {
            [] => self.names(error, &whose, what),
            [only] => format!("the only {what} of {whose} is {}", known_name(only)),
            names => format!("the {what}s of {whose} are {}", few(all(names, known_name), "and")),
        };
        let way = match meant.and_then(offered) {
            Some(_) => "rename or leave out",
            None => "leave out",
        };
        Violation {
            pointer: member(error, name),
            value: object
                .and_then(|object| object.get(name))
                .and_then(|value| sent::value(value, &member(error, name))),
            problem: format!("{whose} has no {what} {}", sent::name(name)),
            next: Step::of(way, sent::name(name), format!(": {legal}")),
            did_you_mean: meant.map(str::to_owned),
        }
    }

    /// Which members an object may have that names none of them.
    fn names(&self, error: &ValidationError<'_>, whose: &str, what: &str) -> String {
        let patterns = self.node(error).get("patternProperties").and_then(Value::as_object);
        let patterns: Vec<String> =
            patterns.into_iter().flat_map(Map::keys).map(|name| named(name)).collect();
        match patterns.len() {
            0 => format!("{whose} takes no {what}s"),
            _ => format!("{whose} takes {what}s whose names match {}", few(patterns, "or")),
        }
    }

    /// A member that is known and does not go with the others.
    pub fn out_of_place(&self, error: &ValidationError<'_>) -> Violation {
        let place = error.instance_path().as_str();
        let Kind::UnevaluatedProperties { unexpected } = error.kind() else { return self.generic(error) };
        let names = few(unexpected.iter().map(|name| sent::name(name)).collect(), "and");
        Violation {
            pointer: place.to_owned(),
            value: None,
            problem: format!("{names} cannot be combined with what else was sent"),
            next: Step::alone(format!("leave out {names}, or change the others as their descriptions say")),
            did_you_mean: None,
        }
    }

    /// One of these members is needed, and none is there.
    pub fn missing(&self, error: &ValidationError<'_>, names: &[&str]) -> Violation {
        let place = error.instance_path().as_str();
        let list = few(all(names, known_name), "or");
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
                Step::of("call it again with", format!("{list}{what}"), String::new()),
            ),
            _ => (
                format!("{} is without {list}", label(place)),
                Step::alone(format!("send {} with {list}{what}", label(place))),
            ),
        };
        let pointer = match names {
            [name] => member(error, name),
            _ => place.to_owned(),
        };
        Violation { pointer, value: None, problem, next, did_you_mean: None }
    }

    /// A value that is not what its schema expects.
    pub fn misfit(&self, error: &ValidationError<'_>) -> Violation {
        let (place, node) = (error.instance_path().as_str(), self.node(error));
        let expected = match error.kind() {
            Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => expected_alternative(self.schema, node),
            _ => expected(self.schema, node),
        };
        let wrong = match (error.kind(), &**error.instance()) {
            (Kind::MaxLength { .. }, Value::String(text)) => {
                format!("one of {} characters", text.chars().count())
            }
            (_, value) => sent::words(value, place),
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
        let wrong = sent::words(error.instance(), place);
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
            value: sent::value(value, place),
            problem: format!(
                "{} must be {expected}, and {} was sent",
                label(place),
                sent::words(value, place)
            ),
            next: Step::alone(format!("send {} as {expected}", label(place))),
            did_you_mean: meant.map(str::to_owned),
        }
    }

    /// Anything else: where there is no sentence for it, in the validator's own words without the value.
    pub fn generic(&self, error: &ValidationError<'_>) -> Violation {
        let (place, node) = (error.instance_path().as_str(), self.node(error));
        let form = match description(self.schema, node) {
            Some(description) => format!("described: {description}"),
            None => expected(self.schema, node),
        };
        let label = label(place);
        let problem = match error.kind() {
            Kind::FalseSchema => format!("{label} cannot be sent"),
            Kind::Not { schema } => format!("{label} must not be {}", expected(self.schema, schema)),
            Kind::UniqueItems => format!("{label} has the same item twice"),
            Kind::Contains => format!("{label} is without an item that it needs"),
            Kind::AdditionalItems { .. } | Kind::UnevaluatedItems { .. } => {
                format!("{label} has too many items")
            }
            Kind::OneOfMultipleValid { .. } => {
                format!("{label} fits more than one of the forms of which it must have one")
            }
            Kind::PropertyNames { error } => {
                let name = error.instance().as_str().unwrap_or_default();
                format!("{label} cannot have a member named {}", sent::name(name))
            }
            _ => format!("{label} is refused: {}", cut(&error.masked_with("the value").to_string(), 200)),
        };
        match error.kind() {
            Kind::FalseSchema | Kind::PropertyNames { .. } => {
                let next = match error.kind() {
                    Kind::FalseSchema => Step::of("leave out", label.clone(), String::new()),
                    _ => Step::alone("rename it or leave it out".to_owned()),
                };
                Violation { next, ..self.violation(error, problem, &form, None) }
            }
            _ => self.violation(error, problem, &form, None),
        }
    }

    fn violation(
        &self,
        error: &ValidationError<'_>,
        problem: String,
        form: &str,
        meant: Option<&str>,
    ) -> Violation {
        let place = error.instance_path().as_str();
        let such = example(self.schema, self.node(error)).filter(|example| {
            let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            !form.contains(&text)
        });
        // Half of an example is none.
        let such = such.map(Value::to_string).filter(|example| example.chars().count() <= EXAMPLE);
        let such = such.map(|example| format!(", such as {example}")).unwrap_or_default();
        Violation {
            pointer: place.to_owned(),
            value: sent::value(error.instance(), place),
            problem,
            next: Step::alone(format!("send {} as {form}{such}", label(place))),
            did_you_mean: meant.map(str::to_owned),
        }
    }

    /// The schema of a member beside an error.
    fn property(&self, error: &ValidationError<'_>, name: &str) -> Option<&Value> {
        self.node(error).get("properties")?.get(name)
    }
}

fn all(names: &[&str], written: impl Fn(&str) -> String) -> Vec<String> {
    names.iter().map(|name| written(name)).collect()
}

/// What a place is called: an argument by its name, what is inside one by its pointer.
pub(super) fn label(place: &str) -> String {
    match place.strip_prefix('/') {
        None => "the argument object".to_owned(),
        Some(name) if !name.contains('/') => sent::name(&name.replace("~1", "/").replace("~0", "~")),
        Some(_) => named(&sent::place(place)),
    }
}
