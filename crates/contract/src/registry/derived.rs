//! Schemas derived from types. What may not enter: what a caller sent.

use schemars::JsonSchema;
use schemars::generate::{SchemaGenerator, SchemaSettings};
use serde_json::{Map, Value, json};

use super::closed::subschemas_mut;

/// The schema of a tool's arguments, still open, and without a description of its own: the tool has one, and what is
/// written above a struct is for those who read the source.
pub(super) fn input_schema<A: JsonSchema>() -> Value {
    let mut schema = schema::<A>(SchemaSettings::draft2020_12().for_deserialize());
    if let Some(members) = schema.as_object_mut() {
        members.remove("description");
    }
    schema
}

/// The schema of what a tool returns.
pub(super) fn output_schema<T: JsonSchema>() -> Value {
    schema::<T>(SchemaSettings::draft2020_12().for_serialize())
}

fn schema<T: JsonSchema>(settings: SchemaSettings) -> Value {
    // Some clients resolve no references; only what contains itself cannot be written without one.
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = SchemaGenerator::new(settings).into_root_schema_for::<T>().to_value();
    tidy(&mut schema);
    schema
}

/// Takes out what costs tokens and says nothing, and says in bounds what is only in the name of a Rust type.
fn tidy(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    if members.get("title").is_some_and(Value::is_string) {
        members.remove("title");
    }
    if let Some(format) = members.get("format").and_then(Value::as_str).map(str::to_owned) {
        number_format(members, &format);
    }
    subschemas_mut(members, &mut tidy);
}

/// `uint32` and its kind are no formats of JSON Schema: their bounds are what they mean.
fn number_format(members: &mut Map<String, Value>, format: &str) {
    let bounds: &[(&str, Value)] = match format {
        "int32" => &[("minimum", json!(i32::MIN)), ("maximum", json!(i32::MAX))],
        "uint32" => &[("maximum", json!(u32::MAX))],
        "int64" => &[("minimum", json!(i64::MIN)), ("maximum", json!(i64::MAX))],
        "uint64" => &[("maximum", json!(u64::MAX))],
        "int" => &[("minimum", json!(isize::MIN)), ("maximum", json!(isize::MAX))],
        "uint" => &[("maximum", json!(usize::MAX))],
        "int8" | "int16" | "uint8" | "uint16" | "int128" | "uint128" | "float" | "double" => &[],
        _ => return,
    };
    members.remove("format");
    for (bound, value) in bounds {
        members.entry(*bound).or_insert_with(|| value.clone());
    }
}

/// Writes 50.0 as 50, which in JSON is the same number and in Rust another type.
pub(super) fn whole_numbers(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(whole_numbers),
        Value::Object(members) => members.values_mut().for_each(whole_numbers),
        Value::Number(number) if number.is_f64() => {
            if let Some(whole) = number.as_f64().and_then(whole) {
                *value = whole;
            }
        }
        _ => {}
    }
}

/// The integer that a double is; exact, as long as it is within what Rust's integers hold.
fn whole(number: f64) -> Option<Value> {
    const BEYOND_I64: f64 = 9_223_372_036_854_775_808.0;
    if number.fract() != 0.0 || !(-BEYOND_I64..2.0 * BEYOND_I64).contains(&number) {
        return None;
    }
    Some(if number < BEYOND_I64 { Value::from(number as i64) } else { Value::from(number as u64) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_an_integer_and_no_other() {
        for (sent, read) in [
            (json!([50.0, {"a": -1.0}]), json!([50, {"a": -1}])),
            (json!(1.5), json!(1.5)),
            (json!(1e18), json!(1_000_000_000_000_000_000_u64)),
            (json!(1e19), json!(10_000_000_000_000_000_000_u64)),
            (json!(-9_223_372_036_854_775_808.0), json!(i64::MIN)),
            (json!(1e300), json!(1e300)),
            (json!("50.0"), json!("50.0")),
        ] {
            let mut value = sent;
            whole_numbers(&mut value);
            assert_eq!(value, read);
        }
    }
}
