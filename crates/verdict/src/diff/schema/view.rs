//! A schema as far as two of them can be compared: references followed, choices between plain values made one.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::schema::{Document, type_name, types};

/// Keywords of a choice that says no more than which values it takes.
const PLAIN: &[&str] = &["$comment", "const", "description", "enum", "title", "type"];

/// See the module.
pub(super) struct View<'a> {
    /// The schema, or the one choice of it that is not `null`.
    pub schema: &'a Value,
    /// What stands beside that choice, or beside the reference that led there.
    pub beside: Vec<&'a Value>,
    /// The types that it takes; `None` for any.
    pub types: Option<BTreeSet<&'a str>>,
    /// What it takes one of, where that is listed.
    pub values: Option<Vec<&'a Value>>,
    /// A choice of several that is compared as a whole, in an order of its own.
    pub combined: Vec<String>,
}

impl<'a> View<'a> {
    /// What a keyword says: beside a choice or a reference, else in what it leads to.
    pub fn says(&self, keyword: &str) -> Option<&'a Value> {
        self.beside.iter().rev().find_map(|beside| beside.get(keyword)).or_else(|| self.schema.get(keyword))
    }

    pub fn of(document: &Document<'a>, schema: &'a Value) -> Self {
        let whole = document.dereference(schema);
        let branches = ["anyOf", "oneOf"].into_iter().find_map(|keyword| whole.get(keyword)?.as_array());
        let branches: Vec<&Value> =
            branches.into_iter().flatten().map(|branch| document.dereference(branch)).collect();
        let (nulls, others): (Vec<&Value>, Vec<&Value>) =
            branches.into_iter().partition(|branch| is_null(branch));
        let is_nullable = |schema: &Value| schema.get("nullable") == Some(&Value::Bool(true));
        let (inner, parts, combined) = match others.as_slice() {
            [] => (whole, vec![whole], Vec::new()),
            [one] => (*one, vec![*one], Vec::new()),
            several if several.iter().all(|branch| is_plain(branch)) => (whole, several.to_vec(), Vec::new()),
            several => (whole, vec![whole], in_order(several)),
        };
        let mut types = parts.iter().map(|part| types_of(part)).collect::<Option<Vec<_>>>().map(union);
        if let Some(types) = &mut types
            && (!nulls.is_empty() || is_nullable(whole))
        {
            types.insert("null");
        }
        let values = parts.iter().map(|part| values_of(part)).collect::<Option<Vec<_>>>();
        let beside = [whole, schema].into_iter().filter(|beside| !std::ptr::eq(*beside, inner)).collect();
        Self { schema: inner, beside, types, values: values.map(|values| values.concat()), combined }
    }
}

fn union(types: Vec<BTreeSet<&str>>) -> BTreeSet<&str> {
    types.into_iter().flatten().collect()
}

/// The types that a schema takes: those that it states, else those of the values that it lists.
fn types_of(schema: &Value) -> Option<BTreeSet<&str>> {
    let stated: BTreeSet<&str> = types(schema).into_iter().collect();
    if !stated.is_empty() {
        return Some(stated);
    }
    values_of(schema).map(|values| values.into_iter().map(type_name).collect())
}

fn values_of(schema: &Value) -> Option<Vec<&Value>> {
    let listed = schema.get("enum").and_then(Value::as_array).map(|values| values.iter().collect());
    listed.or_else(|| schema.get("const").map(|value| vec![value]))
}

fn is_plain(schema: &Value) -> bool {
    schema.as_object().is_some_and(|members| members.keys().all(|key| PLAIN.contains(&key.as_str())))
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").is_some_and(|name| name == "null") || schema.get("const").is_some_and(Value::is_null)
}

fn in_order(schemas: &[&Value]) -> Vec<String> {
    let mut written: Vec<String> = schemas.iter().map(ToString::to_string).collect();
    written.sort();
    written
}
