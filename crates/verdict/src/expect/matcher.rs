//! JSON: of an object a part, of a list every item, and operators where a value is not known beforehand.

use std::cmp::Ordering;

use frankly_contract::nearest;
use serde_json::{Map, Number, Value};

use super::Pattern;
use crate::report::{counted, shorten};
use crate::schema::join;
use crate::yaml::{Entry, Fault, Kind, Node};

/// How much of a value is shown.
const SHOWN_CHARS: usize = 120;
const OPERATORS: &[&str] =
    &["$match", "$any", "$absent", "$count", "$contains", "$gt", "$gte", "$lt", "$lte"];

/// What a JSON value must show.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Matcher {
    /// This value; numbers by what they are worth.
    Equals(Value),
    /// An object with at least these members.
    Object(Vec<(String, Matcher)>),
    /// An object with just these members.
    Just(Vec<(String, Matcher)>),
    /// A list of just these items.
    List(Vec<Matcher>),
    /// A text that shows this.
    Text(Pattern),
    /// Any value that is there, `null` too.
    Any,
    /// Not there.
    Absent,
    /// A list, map or text of a size that shows this.
    Count(Box<Matcher>),
    /// A list with an item that shows this.
    Contains(Box<Matcher>),
    /// A number on this side of another.
    Compared(Side, Number),
    /// All of these.
    All(Vec<Matcher>),
}

/// On which side of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Above,
    From,
    Below,
    UpTo,
}

/// Where a value is not as expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mismatch {
    /// A JSON pointer into the value.
    pub pointer: String,
    pub wanted: String,
    pub found: String,
}

impl Matcher {
    /// Reads a matcher as it is written in a file.
    pub fn read(node: &Node) -> Result<Self, Fault> {
        match &node.kind {
            Kind::Scalar(Value::String(text)) if OPERATORS.contains(&text.as_str()) => {
                Err(node
                    .fault(&format!("is the text {text:?}"), &format!("{{ {text}: … }} for the operator")))
            }
            Kind::Scalar(value) => Ok(Self::Equals(value.clone())),
            Kind::List(items) => items.iter().map(Self::read).collect::<Result<_, _>>().map(Self::List),
            Kind::Map(entries) if entries.iter().any(|entry| entry.key.starts_with('$')) => {
                operators(entries)
            }
            Kind::Map(entries) => {
                let members = entries.iter().map(|entry| Ok((entry.key.clone(), Self::read(&entry.node)?)));
                members.collect::<Result<_, _>>().map(Self::Object)
            }
        }
    }

    /// What is written in code rather than in a file: of an object a part, of a list every item, and no operators.
    pub fn literal(value: Value) -> Self {
        match value {
            Value::Object(members) => Self::Object(
                members.into_iter().map(|(name, member)| (name, Self::literal(member))).collect(),
            ),
            Value::Array(items) => Self::List(items.into_iter().map(Self::literal).collect()),
            scalar => Self::Equals(scalar),
        }
    }

    /// What is written in code, all the way down: of an object all of it, of a list every item, and no operators.
    pub fn exact(value: Value) -> Self {
        match value {
            Value::Object(members) => {
                Self::Just(members.into_iter().map(|(name, member)| (name, Self::exact(member))).collect())
            }
            Value::Array(items) => Self::List(items.into_iter().map(Self::exact).collect()),
            scalar => Self::Equals(scalar),
        }
    }

    /// Every place where an object is not as expected.
    pub fn mismatches_in(&self, found: &Map<String, Value>) -> Vec<Mismatch> {
        let Self::Object(members) = self else { return self.mismatches(Some(&Value::Object(found.clone()))) };
        let mut mismatches = Vec::new();
        for (name, member) in members {
            member.compare(found.get(name), &join("", name), &mut mismatches);
        }
        mismatches
    }

    /// Whether an object may show it.
    pub fn is_for_objects(&self) -> bool {
        match self {
            Self::Object(_) | Self::Just(_) | Self::Any | Self::Count(_) => true,
            Self::All(all) => all.iter().all(Self::is_for_objects),
            Self::Equals(_)
            | Self::List(_)
            | Self::Text(_)
            | Self::Absent
            | Self::Contains(_)
            | Self::Compared(..) => false,
        }
    }

    /// Every place where a value is not as expected; `None` is a value that is not there.
    pub fn mismatches(&self, found: Option<&Value>) -> Vec<Mismatch> {
        let mut mismatches = Vec::new();
        self.compare(found, "", &mut mismatches);
        mismatches
    }

    fn compare(&self, found: Option<&Value>, pointer: &str, mismatches: &mut Vec<Mismatch>) {
        match (self, found) {
            (Self::Object(members), Some(Value::Object(found))) => {
                for (name, member) in members {
                    member.compare(found.get(name), &join(pointer, name), mismatches);
                }
            }
            (Self::Just(members), Some(Value::Object(found))) => {
                for (name, member) in members {
                    member.compare(found.get(name), &join(pointer, name), mismatches);
                }
                let others =
                    found.iter().filter(|(name, _)| !members.iter().any(|(known, _)| known == *name));
                for (name, other) in others {
                    Self::Absent.compare(Some(other), &join(pointer, name), mismatches);
                }
            }
            (Self::List(items), Some(Value::Array(found))) if items.len() == found.len() => {
                for (index, (item, found)) in items.iter().zip(found).enumerate() {
                    item.compare(Some(found), &join(pointer, index), mismatches);
                }
            }
            (Self::All(all), found) => all.iter().for_each(|one| one.compare(found, pointer, mismatches)),
            (one, found) if !one.holds(found) => mismatches.push(Mismatch {
                pointer: pointer.to_owned(),
                wanted: one.wanted(),
                found: one.found(found),
            }),
            _ => {}
        }
    }

    fn fits(&self, found: &Value) -> bool {
        self.mismatches(Some(found)).is_empty()
    }

    fn holds(&self, found: Option<&Value>) -> bool {
        let Some(found) = found else { return matches!(self, Self::Absent) };
        match (self, found) {
            (Self::Any, _) => true,
            (Self::Equals(Value::Number(wanted)), Value::Number(found)) => {
                order(wanted, found) == Some(Ordering::Equal)
            }
            (Self::Equals(wanted), found) => wanted == found,
            (Self::Text(pattern), Value::String(text)) => pattern.fits(text),
            (Self::Count(count), found) => size(found).is_some_and(|size| count.fits(&Value::from(size))),
            (Self::Contains(item), Value::Array(items)) => items.iter().any(|found| item.fits(found)),
            (Self::Compared(side, bound), Value::Number(found)) => {
                order(found, bound).is_some_and(|order| side.admits(order))
            }
            _ => false,
        }
    }

    /// What is expected, in words.
    pub fn wanted(&self) -> String {
        match self {
            Self::Equals(value) => short(value),
            Self::Object(members) if members.is_empty() => "an object".to_owned(),
            Self::Object(members) => format!("an object with {}", names(members)),
            Self::Just(members) if members.is_empty() => "an empty object".to_owned(),
            Self::Just(members) => format!("an object with just {}", names(members)),
            Self::List(items) => format!("a list of {}", counted(items.len(), "item")),
            Self::Text(pattern) => format!("a text that shows {pattern}"),
            Self::Any => "any value".to_owned(),
            Self::Absent => "nothing".to_owned(),
            Self::Count(count) => format!("{} in number", count.wanted()),
            Self::Contains(item) => format!("a list that holds {}", item.wanted()),
            Self::Compared(side, bound) => format!("{} {bound}", side.words()),
            Self::All(all) => all.iter().map(Self::wanted).collect::<Vec<_>>().join(" and "),
        }
    }

    /// What is there instead, told so that the difference can be seen.
    fn found(&self, found: Option<&Value>) -> String {
        match (self, found) {
            (_, None) => "nothing".to_owned(),
            (Self::Count(_), Some(value)) => match size(value) {
                Some(size) => size.to_string(),
                None => short(value),
            },
            (Self::List(_), Some(Value::Array(items))) => {
                format!("a list of {}", counted(items.len(), "item"))
            }
            (_, Some(value)) => short(value),
        }
    }
}

impl Side {
    fn admits(self, order: Ordering) -> bool {
        match self {
            Self::Above => order == Ordering::Greater,
            Self::From => order != Ordering::Less,
            Self::Below => order == Ordering::Less,
            Self::UpTo => order != Ordering::Greater,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Above => "more than",
            Self::From => "at least",
            Self::Below => "less than",
            Self::UpTo => "at most",
        }
    }
}

fn operators(entries: &[Entry]) -> Result<Matcher, Fault> {
    let mut all = entries.iter().map(operator).collect::<Result<Vec<_>, _>>()?;
    Ok(if all.len() == 1 { all.remove(0) } else { Matcher::All(all) })
}

fn operator(entry: &Entry) -> Result<Matcher, Fault> {
    let node = &entry.node;
    let compared = |side| match &node.kind {
        Kind::Scalar(Value::Number(number)) => Ok(Matcher::Compared(side, number.clone())),
        _ => Err(node.is_no("a number", &format!("{{ {}: 3 }}", entry.key))),
    };
    let switched_on = |matcher: Matcher| match &node.kind {
        Kind::Scalar(Value::Bool(true)) => Ok(matcher),
        _ => Err(node.fault("has one value", &format!("{{ {}: true }}", entry.key))),
    };
    match entry.key.as_str() {
        "$match" => Pattern::read(node).map(Matcher::Text),
        "$any" => switched_on(Matcher::Any),
        "$absent" => switched_on(Matcher::Absent),
        "$count" => Matcher::read(node).map(|count| Matcher::Count(Box::new(count))),
        "$contains" => Matcher::read(node).map(|item| Matcher::Contains(Box::new(item))),
        "$gt" => compared(Side::Above),
        "$gte" => compared(Side::From),
        "$lt" => compared(Side::Below),
        "$lte" => compared(Side::UpTo),
        other if other.starts_with('$') => {
            let hint = match nearest(other, OPERATORS.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("the operators are {}", OPERATORS.join(", ")),
            };
            Err(Fault { at: entry.at, what: format!("`{other}` is no operator; {hint}") })
        }
        other => {
            let what = format!("`{other}` stands beside an operator; write operators by themselves");
            Err(Fault { at: entry.at, what })
        }
    }
}

/// How two numbers stand to each other: whole numbers exactly, others as well as a `f64` can tell.
fn order(one: &Number, other: &Number) -> Option<Ordering> {
    let whole = |number: &Number| number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => one.as_f64()?.partial_cmp(&other.as_f64()?),
    }
}

fn size(value: &Value) -> Option<usize> {
    match value {
        Value::Array(items) => Some(items.len()),
        Value::Object(members) => Some(members.len()),
        Value::String(text) => Some(text.chars().count()),
        _ => None,
    }
}

fn names(members: &[(String, Matcher)]) -> String {
    members.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn short(value: &Value) -> String {
    shorten(&value.to_string(), SHOWN_CHARS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::load;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Matcher, String> {
        Matcher::read(&load(text).unwrap().unwrap()).map_err(|fault| fault.what)
    }

    fn differs(text: &str, found: &Value) -> Vec<String> {
        let mismatches = read(text).unwrap().mismatches(Some(found));
        mismatches.into_iter().map(|one| format!("{}: {} / {}", one.pointer, one.wanted, one.found)).collect()
    }

    #[test]
    fn an_object_is_expected_in_part_and_a_list_as_a_whole() {
        let found = json!({"returned": 50, "matched": 262, "items": [{"id": 1, "x": "y"}, {"id": 2}]});
        assert!(differs("{ returned: 50, items: [{id: 1}, {id: 2}] }", &found).is_empty());
        assert_eq!(differs("{ returned: 51 }", &found), ["/returned: 51 / 50"]);
        assert_eq!(differs("{ items: [{id: 1}] }", &found), ["/items: a list of 1 item / a list of 2 items"]);
        assert_eq!(
            differs("{ items: [{id: 1}, {id: 3}], truncated: true }", &found),
            ["/items/1/id: 3 / 2", "/truncated: true / nothing"]
        );
        assert_eq!(differs("{ a: 1 }", &json!("text")), [": an object with `a` / \"text\""]);
    }

    #[test]
    fn operators_stand_for_what_is_not_known_beforehand() {
        let found = json!({"n": 7, "name": "Ada", "items": [1, 2, 3], "none": null});
        for holds in [
            "{ n: { $gt: 6, $lte: 7 } }",
            "{ name: { $match: /^a/i } }",
            "{ items: { $count: 3 } }",
            "{ items: { $count: { $gte: 2 } } }",
            "{ items: { $contains: 2 } }",
            "{ none: { $any: true }, other: { $absent: true } }",
            "{ n: 7.0 }",
        ] {
            assert!(differs(holds, &found).is_empty(), "{holds}");
        }
        assert_eq!(differs("{ n: { $gt: 7 } }", &found), ["/n: more than 7 / 7"]);
        assert_eq!(differs("{ items: { $count: 4 } }", &found), ["/items: 4 in number / 3"]);
        assert_eq!(differs("{ none: { $absent: true } }", &found), ["/none: nothing / null"]);
        assert_eq!(differs("{ other: { $any: true } }", &found), ["/other: any value / nothing"]);
    }

    #[test]
    fn what_is_no_operator_says_what_to_write() {
        for (text, why) in [
            ("{ $macth: /a/ }", "did you mean `$match`?"),
            ("{ $gt: big }", "should be a number"),
            ("{ $any: false }", "write { $any: true }"),
            ("{ a: 1, $gt: 2 }", "by themselves"),
            ("{ a: $any }", "write { $any: … }"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_there_is_what_it_is(rows in proptest::collection::vec(("[a-z]{1,5}", -1000i64..1000), 0..5)) {
            let rows: Vec<Value> = rows.into_iter().map(|(key, number)| json!({key: number})).collect();
            let value = json!({"rows": rows});
            let matcher = read(&value.to_string()).unwrap();
            prop_assert!(matcher.mismatches(Some(&value)).is_empty());
        }
    }
}
