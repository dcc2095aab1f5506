//! Reads what the validator found. What may not enter: the sentences, see `sentence`.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;
use serde_json::{Map, Value};

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

impl Reader<'_> {
    /// Every violation once, in the order of their places.
    pub fn violations<'e>(&self, errors: impl Iterator<Item = ValidationError<'e>>) -> Vec<Violation> {
        let (mut found, mut passed_over) = (Vec::new(), Vec::new());
        for error in errors {
            let before = found.len();
            self.read(&error, &mut found);
            if found.len() == before {
                passed_over.push(self.out_of_place(&error));
            }
        }
        if found.is_empty() {
            found = passed_over;
        }
        found.sort_by(|a, b| a.pointer.cmp(&b.pointer));
        let mut once: Vec<Violation> = Vec::new();
        for violation in found {
            let same =
                |other: &Violation| other.pointer == violation.pointer && other.problem == violation.problem;
            if !once.iter().any(same) {
                once.push(violation);
            }
        }
        once
    }

    fn read(&self, error: &ValidationError<'_>, found: &mut Vec<Violation>) {
        match error.kind() {
            Kind::AdditionalProperties { unexpected } => {
                found.extend(unexpected.iter().map(|name| self.unknown(error, name)));
            }
            Kind::UnevaluatedProperties { unexpected } => self.unevaluated(error, unexpected, found),
            Kind::Required { property } => found.push(self.missing(error, &[name(property)])),
            Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
                self.alternatives(error, context, found)
            }
            Kind::FalseSchema if closes(error) => {
                // The place of this error is that of the object, and not of the member.
                let object = self.sent.pointer(error.instance_path().as_str()).and_then(Value::as_object);
                let known = properties(self.schema, self.node(error));
                let names =
                    object.into_iter().flat_map(Map::keys).filter(|name| !known.contains(&name.as_str()));
                found.extend(names.map(|name| self.unknown(error, name)));
            }
            Kind::Pattern { pattern } => found.push(self.other_form(error, pattern)),
            kind if by_expectation(kind) => found.push(self.misfit(error)),
            _ => found.push(self.generic(error)),
        }
    }

    /// Members that no schema in place vouches for. One that a schema there knows is passed over: that schema refused
    /// something else, or a condition that this member depends on is not met.
    fn unevaluated(&self, error: &ValidationError<'_>, unexpected: &[String], found: &mut Vec<Violation>) {
        let known = properties(self.schema, self.node(error));
        let unknown = unexpected.iter().filter(|name| !known.contains(&name.as_str()));
        found.extend(unknown.map(|name| self.unknown(error, name)));
    }

    /// Reads on in the alternative that was meant, if it can be told which.
    fn alternatives(&self, error: &ValidationError<'_>, context: &[Branch], found: &mut Vec<Violation>) {
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
            (branches, ..) => found.push(match (lacking(branches, place), tag(branches, place)) {
                (Some(names), _) => self.missing(error, &names),
                (_, Some((place, choices))) => self.wrong_tag(place, &choices),
                _ => match lacked_by_all(branches, place) {
                    Some(name) => Violation { next: self.misfit(error).next, ..self.missing(error, &[name]) },
                    None => return self.closest(error, branches, found),
                },
            }),
        }
    }

    /// Names the alternatives where words tell them apart, else reads on in the one that misses least.
    fn closest(&self, error: &ValidationError<'_>, branches: &[&Branch], found: &mut Vec<Violation>) {
        let alike = forms(self.schema, self.node(error)).len() < 2;
        match branches.iter().min_by_key(|branch| branch.len()).filter(|_| alike) {
            Some(branch) => branch.iter().for_each(|error| self.read(error, found)),
            None => found.push(self.misfit(error)),
        }
    }

    /// The schema that an error comes from.
    pub fn node(&self, error: &ValidationError<'_>) -> &Value {
        let keyword = error.schema_path().as_str();
        let schema = keyword.rsplit_once('/').and_then(|(schema, _)| self.schema.pointer(schema));
        schema.unwrap_or(&Value::Null)
    }
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
