//! Reads what the validator found. What may not enter: the sentences, see `sentence`.

use std::collections::BTreeSet;

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

use super::closed::token;
use super::expected::{forms, properties};
use super::violation::Violation;

/// Puts what the validator found into words.
pub(super) struct Reader<'a> {
    pub tool: &'a str,
    pub schema: &'a Value,
    pub sent: &'a Value,
}

/// The errors of one alternative.
type Branch = Vec<ValidationError<'static>>;

/// What does not fit: the first violations in sentences, and how many there are in all.
pub(super) struct Violations {
    pub told: Vec<Violation>,
    pub count: usize,
}

/// What the validator found, not yet in sentences: there may be as many as a caller sends members.
#[derive(Default)]
struct Found<'e> {
    list: Vec<Place<'e>>,
    /// Objects whose unknown members were read, by their schema and their place: one error each would be read again
    /// and again.
    closed: BTreeSet<(String, String)>,
}

struct Place<'e> {
    pointer: String,
    tell: Box<dyn Fn() -> Violation + 'e>,
}

impl<'e> Found<'e> {
    fn add(&mut self, pointer: impl Into<String>, tell: impl Fn() -> Violation + 'e) {
        self.list.push(Place { pointer: pointer.into(), tell: Box::new(tell) });
    }
}

impl Reader<'_> {
    /// Every violation once, in the order of their places; only so many are put into sentences.
    pub fn violations(&self, errors: &[ValidationError<'_>], most: usize) -> Violations {
        let (mut found, mut passed_over) = (Found::default(), Found::default());
        for error in errors {
            let (before, closed) = (found.list.len(), found.closed.len());
            self.read(error, &mut found);
            let again =
                matches!(error.kind(), Kind::FalseSchema) && closes(error) && found.closed.len() == closed;
            if found.list.len() == before && !again {
                passed_over.add(error.instance_path().as_str(), || self.out_of_place(error));
            }
        }
        let mut list = if found.list.is_empty() { passed_over.list } else { found.list };
        list.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        let (mut told, mut count) = (Vec::new(), 0);
        for same in list.chunk_by(|a, b| a.pointer == b.pointer) {
            // What is alone at its place needs no sentence to be counted.
            if told.len() >= most && same.len() == 1 {
                count += 1;
                continue;
            }
            let once = once(same.iter().map(|place| (place.tell)()));
            count += once.len();
            told.extend(once.into_iter().take(most - told.len()));
        }
        Violations { told, count }
    }

    fn read<'e>(&'e self, error: &'e ValidationError<'_>, found: &mut Found<'e>) {
        let place = error.instance_path().as_str();
        match error.kind() {
            Kind::AdditionalProperties { unexpected } => {
                self.unknown_members(error, unexpected.iter().map(String::as_str), found);
            }
            Kind::UnevaluatedProperties { unexpected } => self.unevaluated(error, unexpected, found),
            Kind::Required { property } => self.lacks(error, vec![name(property)], found),
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                self.alternatives(error, context, found)
            }
            Kind::FalseSchema if closes(error) => {
                // The place of this error is that of the object, and not of the member.
                if found.closed.insert((error.schema_path().to_string(), place.to_owned())) {
                    let object = self.sent.pointer(place).and_then(Value::as_object);
                    let known = properties(self.schema, self.node(error));
                    let names = object.into_iter().flat_map(Map::keys).map(String::as_str);
                    self.unknown_members(error, names.filter(|name| !known.contains(name)), found);
                }
            }
            Kind::Pattern { pattern } => found.add(place, || self.other_form(error, pattern)),
            kind if by_expectation(kind) => found.add(place, || self.misfit(error)),
            _ => found.add(place, || self.generic(error)),
        }
    }

    fn unknown_members<'e>(
        &'e self,
        error: &'e ValidationError<'_>,
        names: impl Iterator<Item = &'e str>,
        found: &mut Found<'e>,
    ) {
        for name in names {
            found.add(member(error, name), move || self.unknown(error, name));
        }
    }

    fn lacks<'e>(&'e self, error: &'e ValidationError<'_>, names: Vec<&'e str>, found: &mut Found<'e>) {
        let place = match names[..] {
            [name] => member(error, name),
            _ => error.instance_path().to_string(),
        };
        found.add(place, move || self.missing(error, &names));
    }

    /// Members that no schema in place vouches for. One that a schema there knows is passed over: that schema refused
    /// something else, or a condition that this member depends on is not met.
    fn unevaluated<'e>(
        &'e self,
        error: &'e ValidationError<'_>,
        unexpected: &'e [String],
        found: &mut Found<'e>,
    ) {
        let known = properties(self.schema, self.node(error));
        let unknown = unexpected.iter().map(String::as_str).filter(|name| !known.contains(name));
        self.unknown_members(error, unknown, found);
    }

    /// Reads on in the alternative that was meant, if it can be told which.
    fn alternatives<'e>(
        &'e self,
        error: &'e ValidationError<'_>,
        context: &'e [Branch],
        found: &mut Found<'e>,
    ) {
        let place = error.instance_path().as_str();
        let typed: Vec<&Branch> =
            context.iter().filter(|branch| !branch.iter().any(|error| refuses_whole(error, place))).collect();
        let fitting = |refuses: fn(&ValidationError<'_>, &str) -> bool| {
            let fits = |branch: &&Branch| !branch.iter().any(|error| refuses(error, place));
            typed.iter().copied().filter(fits).collect::<Vec<&Branch>>()
        };
        let (tagged, shaped) = (fitting(refuses_tag), fitting(refuses_shape));
        match (&typed[..], &tagged[..], &shaped[..]) {
            ([branch], ..) | (_, [branch], _) | (_, _, [branch]) => {
                branch.iter().for_each(|error| self.read(error, found));
            }
            (branches, ..) => match (lacking(branches, place), tag(branches, place)) {
                (Some(names), _) => self.lacks(error, names, found),
                (_, Some((place, choices))) => found.add(place, move || self.wrong_tag(place, &choices)),
                _ => match lacked_by_all(branches, place) {
                    Some(name) => found.add(member(error, name), move || Violation {
                        next: self.misfit(error).next,
                        ..self.missing(error, &[name])
                    }),
                    None => self.closest(error, branches, found),
                },
            },
        }
    }

    /// Names the alternatives where words tell them apart, else reads on in the one that misses least.
    fn closest<'e>(&'e self, error: &'e ValidationError<'_>, branches: &[&'e Branch], found: &mut Found<'e>) {
        let alike = forms(self.schema, self.node(error)).len() < 2;
        match branches.iter().min_by_key(|branch| branch.len()).filter(|_| alike) {
            Some(branch) => branch.iter().for_each(|error| self.read(error, found)),
            None => found.add(error.instance_path().as_str(), || self.misfit(error)),
        }
    }

    /// The schema that an error comes from.
    pub fn node(&self, error: &ValidationError<'_>) -> &Value {
        let keyword = error.schema_path().as_str();
        let schema = keyword.rsplit_once('/').and_then(|(schema, _)| self.schema.pointer(schema));
        schema.unwrap_or(&Value::Null)
    }
}

/// The violations of one place without those that say the same.
fn once(all: impl Iterator<Item = Violation>) -> Vec<Violation> {
    let mut once: Vec<Violation> = Vec::new();
    for violation in all {
        if !once.iter().any(|other| other.problem == violation.problem) {
            once.push(violation);
        }
    }
    once
}

/// The pointer of a member of the object that an error is about.
pub(super) fn member(error: &ValidationError<'_>, name: &str) -> String {
    format!("{}/{}", error.instance_path(), token(name))
}

/// Errors for which what was expected says everything.
fn by_expectation(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::Type { .. }
            | Kind::Enum { .. }
            | Kind::Constant { .. }
            | Kind::Format { .. }
            | Kind::Minimum { .. }
            | Kind::Maximum { .. }
            | Kind::ExclusiveMinimum { .. }
            | Kind::ExclusiveMaximum { .. }
            | Kind::MultipleOf { .. }
            | Kind::MinLength { .. }
            | Kind::MaxLength { .. }
            | Kind::MinItems { .. }
            | Kind::MaxItems { .. }
    )
}

/// Whether an alternative is for another type, or another value, altogether.
fn refuses_whole(error: &ValidationError<'_>, place: &str) -> bool {
    let whole = match error.kind() {
        Kind::Type { .. } | Kind::Enum { .. } | Kind::Constant { .. } => true,
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            context.iter().all(|branch| branch.iter().any(|error| refuses_whole(error, place)))
        }
        _ => false,
    };
    whole && error.instance_path().as_str() == place
}

/// Whether an alternative is for another value of a member that says which alternative is meant.
fn refuses_tag(error: &ValidationError<'_>, place: &str) -> bool {
    let is_tag = matches!(error.kind(), Kind::Enum { .. } | Kind::Constant { .. });
    is_tag && error.instance_path().as_str().rsplit_once('/').is_some_and(|(parent, _)| parent == place)
}

/// Whether an alternative lacks members that were sent, or has others.
fn refuses_shape(error: &ValidationError<'_>, place: &str) -> bool {
    error.instance_path().as_str() == place
}

/// Whether an error is about the members of an object that has none.
fn closes(error: &ValidationError<'_>) -> bool {
    let keyword = error.schema_path().as_str();
    keyword.ends_with("/additionalProperties") || keyword.ends_with("/unevaluatedProperties")
}

/// The first member that every alternative misses.
fn lacked_by_all<'e>(branches: &[&'e Branch], place: &str) -> Option<&'e str> {
    let missing = |branch: &'e Branch| {
        branch.iter().filter(|error| error.instance_path().as_str() == place).filter_map(|error| match error
            .kind()
        {
            Kind::Required { property } => Some(name(property)),
            _ => None,
        })
    };
    let (first, others) = branches.split_first()?;
    missing(first).find(|name| others.iter().all(|branch| missing(branch).any(|other| other == *name)))
}

/// What is missing, when every alternative misses one member and nothing else.
fn lacking<'e>(branches: &[&'e Branch], place: &str) -> Option<Vec<&'e str>> {
    let missing = branches.iter().map(|branch| match &branch[..] {
        [error] if error.instance_path().as_str() == place => match error.kind() {
            Kind::Required { property } => Some(name(property)),
            _ => None,
        },
        _ => None,
    });
    missing.collect::<Option<Vec<_>>>().filter(|names| !names.is_empty())
}

/// The member that says which alternative is meant, and its legal values, when none has the one that was sent.
fn tag<'e>(branches: &[&'e Branch], place: &str) -> Option<(&'e str, Vec<&'e Value>)> {
    let tags = |branch: &'e Branch| branch.iter().find(|error| refuses_tag(error, place));
    let errors = branches.iter().map(|branch| tags(branch)).collect::<Option<Vec<_>>>()?;
    let tag = errors.first()?.instance_path().as_str();
    let choices = errors.iter().filter(|error| error.instance_path().as_str() == tag).flat_map(|error| {
        match error.kind() {
            Kind::Constant { expected_value } => vec![&**expected_value],
            Kind::Enum { options } => options.as_array().into_iter().flatten().collect(),
            _ => vec![],
        }
    });
    Some((tag, choices.collect()))
}

fn name(property: &Value) -> &str {
    property.as_str().unwrap_or_default()
}
