//! Tables of a TOML file, read member by member: every fault has a place and says how it is written right.

use frankly_contract::nearest;
use serde_json::{Map, Number, Value};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// What is wrong at a place of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    /// The byte at which it is.
    pub at: usize,
    /// What is wrong, and what to write.
    pub what: String,
}

/// A table, and how it is called from the root of the file.
pub(super) struct Table<'a> {
    pub path: String,
    pub at: usize,
    members: &'a DeTable<'a>,
}

/// A value in a table.
pub(super) struct Member<'a> {
    pub path: String,
    pub key: &'a str,
    /// The byte at which the key stands; an element of an array has none, and stands there itself.
    pub key_at: usize,
    /// The byte at which the value stands.
    pub at: usize,
    pub value: &'a DeValue<'a>,
}

impl<'a> Table<'a> {
    /// The whole file.
    pub fn root(document: &'a Spanned<DeTable<'a>>) -> Self {
        Self { path: String::new(), at: 0, members: document.get_ref() }
    }

    /// Everything in it, in the order of the names.
    pub fn members(&self) -> impl Iterator<Item = Member<'a>> {
        self.members.iter().map(|(key, value)| Member {
            path: self.path_of(key.get_ref()),
            key: key.get_ref(),
            key_at: key.span().start,
            at: value.span().start,
            value: value.get_ref(),
        })
    }

    pub fn get(&self, key: &str) -> Option<Member<'a>> {
        self.members().find(|member| member.key == key)
    }

    /// Refuses every key but these; `advice` knows of keys that stand for another.
    pub fn only(&self, known: &[&str], advice: impl Fn(&Member<'_>) -> Option<String>) -> Result<(), Fault> {
        let unknown = self.members.iter().find(|(key, _)| !known.contains(&key.get_ref().as_ref()));
        let Some((key, _)) = unknown else { return Ok(()) };
        let name = key.get_ref().as_ref();
        let own_advice = self.get(name).and_then(|member| advice(&member));
        let hint = own_advice.unwrap_or_else(|| match nearest(name, known.iter().copied()) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!("known there: {}", known.join(", ")),
        });
        let table = if self.path.is_empty() { "the file" } else { &self.path };
        Err(Fault { at: key.span().start, what: format!("{table} has no key `{name}`; {hint}") })
    }

    fn path_of(&self, key: &str) -> String {
        let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        let bare = !key.is_empty() && key.chars().all(is_bare);
        let key = if bare { key.to_owned() } else { format!("{key:?}") };
        if self.path.is_empty() { key } else { format!("{}.{key}", self.path) }
    }
}

impl<'a> Member<'a> {
    /// A fault at this place that says what it is and how it is written.
    pub fn fault(&self, what: &str, write: &str) -> Fault {
        Fault { at: self.at, what: format!("{} {what}; write {write}", self.path) }
    }

    /// A fault of the key: that it stands there at all.
    pub fn misplaced(&self, what: &str, write: &str) -> Fault {
        Fault { at: self.key_at, ..self.fault(what, write) }
    }

    /// A fault about a value of the wrong type.
    pub fn is_no(&self, wanted: &str, write: &str) -> Fault {
        self.fault(&format!("is {}, and should be {wanted}", type_name(self.value)), write)
    }

    pub fn table(&self, write: &str) -> Result<Table<'a>, Fault> {
        let members = self.value.as_table().ok_or_else(|| self.is_no("a table", write))?;
        Ok(Table { path: self.path.clone(), at: self.at, members })
    }

    pub fn array(&self, wanted: &str, write: &str) -> Result<&'a DeArray<'a>, Fault> {
        self.value.as_array().ok_or_else(|| self.is_no(wanted, write))
    }

    /// The elements of an array, each as a member of its own.
    pub fn elements(&self, wanted: &str, write: &str) -> Result<impl Iterator<Item = Member<'a>>, Fault> {
        let elements = self.array(wanted, write)?;
        let path = self.path.clone();
        Ok(elements.iter().enumerate().map(move |(index, element)| Member {
            path: format!("{path}[{index}]"),
            key: "",
            key_at: element.span().start,
            at: element.span().start,
            value: element.get_ref(),
        }))
    }

    /// A text; `write` says how the value at hand would be written as one.
    pub fn text(&self, write: &str) -> Result<&'a str, Fault> {
        self.value.as_str().ok_or_else(|| self.is_no("a text", write))
    }

    pub fn flag(&self) -> Result<bool, Fault> {
        let write = format!("{} = true or {} = false", self.key, self.key);
        self.value.as_bool().ok_or_else(|| self.is_no("true or false", &write))
    }

    /// A number that is not negative, of which `such_as` is an example.
    pub fn count(&self, such_as: u32) -> Result<usize, Fault> {
        let write = format!("{} = {such_as}", self.key);
        let Some(number) = self.value.as_integer() else { return Err(self.is_no("a number", &write)) };
        if number.as_str().starts_with('-') {
            return Err(self.fault("cannot be negative", &write));
        }
        usize::from_str_radix(number.as_str(), number.radix()).map_err(|_| self.fault("is too large", &write))
    }
}

/// A value as it is written in the file, where it is short: a number as its digits.
pub(super) fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        DeValue::Boolean(flag) => Some(flag.to_string()),
        DeValue::Datetime(moment) => Some(moment.to_string()),
        DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// A table as arguments of a tool. Dates become their text.
pub(super) fn json_object(table: &DeTable<'_>) -> Result<Map<String, Value>, Fault> {
    table.iter().map(|(key, value)| Ok((key.get_ref().to_string(), json(value)?))).collect()
}

fn json(value: &Spanned<DeValue<'_>>) -> Result<Value, Fault> {
    let fault = |what: String| Fault { at: value.span().start, what };
    Ok(match value.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            let (digits, radix) = (number.as_str(), number.radix());
            let signed = i64::from_str_radix(digits, radix).map(Number::from);
            let whole = signed.or_else(|_| u64::from_str_radix(digits, radix).map(Number::from));
            Value::Number(whole.map_err(|_| fault(format!("{number} is too large for a whole number")))?)
        }
        DeValue::Float(number) => {
            let finite = number.as_str().parse().ok().and_then(Number::from_f64);
            let none =
                || fault(format!("{number} is no number that JSON has, and arguments are sent as JSON"));
            Value::Number(finite.ok_or_else(none)?)
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(moment) => Value::String(moment.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(json).collect::<Result<_, _>>()?),
        DeValue::Table(table) => Value::Object(json_object(table)?),
    })
}

fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
