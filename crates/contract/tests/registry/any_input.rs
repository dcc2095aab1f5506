//! What must hold for all schemas and arguments.

use std::sync::LazyLock;

use frankly_contract::{CallError, Code, Registry, ToolError};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::typed::{Order, order};
use super::{call, listed, typed, with_schema};

/// Values that fit the schema of `Order` more or less.
fn nearly_an_order() -> impl Strategy<Value = Value> {
    let leaf = || {
        prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            (-2i64..300).prop_map(Value::from),
            Just(json!(2.0)),
            Just(json!(0.5)),
            Just(json!("card")),
            Just(json!("transfer")),
            Just(json!("open")),
            Just(json!("row-5")),
            "[a-z]{0,3}".prop_map(Value::from),
            Just(json!({})),
            Just(json!([])),
        ]
    };
    let line =
        prop::collection::btree_map("sku|price|parts|prize", leaf(), 0..4).prop_map(|line| json!(line));
    let payment =
        prop::collection::btree_map("by|number|iban|days", leaf(), 0..4).prop_map(|payment| json!(payment));
    let tags = prop::collection::btree_map("[a-c]", leaf(), 0..3).prop_map(|tags| json!(tags));
    let lines = prop::collection::vec(line, 0..3).prop_map(Value::from);
    let members = ("count|note|status|cursor|cuont", prop_oneof![3 => leaf(), 1 => lines.clone()]);
    (prop::collection::btree_map(members.0, members.1, 0..5), any::<[bool; 3]>(), payment, tags, lines)
        .prop_map(|(members, good, payment, tags, lines)| {
            let mut order = order();
            for (name, value) in members {
                order[name] = value;
            }
            for ((name, value), good) in
                [("payment", payment), ("tags", tags), ("lines", lines)].into_iter().zip(good)
            {
                if !good {
                    order[name] = value;
                }
            }
            order
        })
}

/// The registry, and a reader of what it lists who knows nothing of it.
static ORDERS: LazyLock<(Registry, jsonschema::Validator)> = LazyLock::new(|| {
    let registry = typed::<Order>();
    let listed = jsonschema::options().should_validate_formats(true).build(&listed(&registry)).unwrap();
    (registry, listed)
});

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_is_let_through_fits_the_listed_schema_and_what_is_refused_does_not(arguments in nearly_an_order()) {
        let (registry, listed) = &*ORDERS;
        match call(registry, &arguments) {
            Ok(_) => prop_assert!(listed.is_valid(&arguments), "{}", arguments),
            Err(CallError::Tool(result)) => {
                prop_assert!(!listed.is_valid(&arguments), "{}", arguments);
                let error = ToolError::from_result(&result).unwrap();
                prop_assert_eq!(error.code(), Code::InvalidArgs);
                let violations = error.details()["violations"].as_array().unwrap();
                prop_assert!(!violations.is_empty());
                for violation in violations {
                    prop_assert!(violation["pointer"].is_string() && !violation["problem"].as_str().unwrap().is_empty());
                    if let Some(value) = violation.get("value").filter(|value| !value.is_string()) {
                        prop_assert_eq!(arguments.pointer(violation["pointer"].as_str().unwrap()), Some(value));
                    }
                }
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }
}

/// Schemas of objects put together in every way, whose members are `a` to `d`.
fn composed() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "integer"})),
        Just(json!({"type": "string"})),
        Just(json!({"enum": [1, "x"]}))
    ];
    let object = |inner: BoxedStrategy<Value>| {
        let members = prop::collection::btree_map("[a-d]", inner, 0..3);
        (members, prop::collection::vec("[a-d]", 0..2)).prop_map(
            |(members, required)| json!({"type": "object", "properties": members, "required": required}),
        )
    };
    let plain = object(leaf.boxed());
    plain.prop_recursive(3, 24, 3, move |inner| {
        let (one, two) = (inner.clone(), inner.clone());
        prop_oneof![
            object(inner.clone().boxed()),
            (one.clone(), two.clone()).prop_map(|(a, b)| json!({"type": "object", "allOf": [a, b]})),
            (one.clone(), two.clone()).prop_map(|(a, b)| json!({"type": "object", "anyOf": [a, b]})),
            (one.clone(), two.clone()).prop_map(|(a, b)| json!({"type": "object", "properties": {"c": {}}, "oneOf": [a, b]})),
            (one.clone(), two.clone()).prop_map(|(a, b)| json!({"type": "object", "if": {"required": ["a"]}, "then": a, "else": b})),
            (one.clone(), two.clone()).prop_map(|(a, b)| json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}, "b": b}, "$ref": "#/$defs/a", "$defs": {"a": a}})),
            (one, two).prop_map(|(a, b)| json!({"type": "object", "dependentSchemas": {"a": a}, "properties": {"b": {"anyOf": [b, {"type": "null"}]}}})),
        ]
    })
}

fn of_these_members() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("x")), Just(json!(null)), Just(json!([]))];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop::collection::btree_map("[a-d]|[a-d]|[a-d]|z", inner, 0..4).prop_map(|members| json!(members))
    })
}

/// Whether a member that no schema declares is anywhere.
fn has_unknown(value: &Value) -> bool {
    value.as_object().is_some_and(|members| members.contains_key("z") || members.values().any(has_unknown))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Closing refuses what nobody declares, and nothing else.
    #[test]
    fn a_schema_that_was_closed_takes_what_it_took_but_unknown_members(
        schema in composed(), arguments in prop::collection::btree_map("[a-d]|[a-d]|[a-d]|z", of_these_members(), 0..4),
    ) {
        let Ok(open) = jsonschema::validator_for(&schema) else { return Ok(()) };
        let arguments = json!(arguments);
        let registry = with_schema(schema.clone());
        match call(&registry, &arguments) {
            Ok(_) => {
                // One that is refused inside one of two alternatives that fit leaves exactly one.
                let exactly_one = schema.to_string().contains("oneOf");
                prop_assert!(open.is_valid(&arguments) || exactly_one, "{} {}", schema, arguments);
                prop_assert!(arguments.get("z").is_none(), "{} {}", schema, arguments);
            }
            Err(CallError::Tool(result)) => {
                let error = ToolError::from_result(&result).unwrap();
                let violations = error.details()["violations"].as_array().unwrap();
                let says = |words: &str| violations.iter().any(|violation| violation["problem"].as_str().unwrap().contains(words));
                let unknown = says("has no argument") || says("has no member") || says("cannot be combined");
                // A member that is refused inside an alternative refuses the alternative.
                let text = schema.to_string();
                let alternatives = text.contains("\"anyOf\":") || text.contains("\"oneOf\":");
                prop_assert!(!open.is_valid(&arguments) || unknown || alternatives, "{} {} {}", schema, arguments, error);
                if open.is_valid(&arguments) && !has_unknown(&arguments) {
                    prop_assert!(!says("`z`"), "{}", error);
                }
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }
}

/// Schemas of objects in objects, in lists and beside null, each with a value that fits.
fn fitting() -> impl Strategy<Value = (Value, Value)> {
    let leaf = Just((json!({"type": "integer"}), json!(1)));
    let object = |inner: BoxedStrategy<(Value, Value)>| {
        prop::collection::btree_map("[a-d]", inner, 1..4).prop_map(|members| {
            let (schemas, values): (serde_json::Map<_, _>, serde_json::Map<_, _>) = members
                .into_iter()
                .map(|(name, (schema, value))| ((name.clone(), schema), (name, value)))
                .unzip();
            (json!({"type": "object", "properties": schemas}), json!(values))
        })
    };
    let any = leaf.prop_recursive(3, 20, 3, move |inner| {
        prop_oneof![
            2 => object(inner.clone().boxed()),
            1 => inner.clone().prop_map(|(schema, value)| (json!({"type": "array", "items": schema}), json!([value]))),
            1 => inner.prop_map(|(schema, value)| (json!({"anyOf": [schema, {"type": "null"}]}), value)),
        ]
    });
    object(any.boxed())
}

/// The places of all objects in a value.
fn objects(value: &Value, place: &str, places: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            places.push(place.to_owned());
            members.iter().for_each(|(name, member)| objects(member, &format!("{place}/{name}"), places));
        }
        Value::Array(items) => {
            items
                .iter()
                .enumerate()
                .for_each(|(index, item)| objects(item, &format!("{place}/{index}"), places));
        }
        _ => {}
    }
}

proptest! {
    #[test]
    fn an_unknown_member_is_refused_wherever_it_is((schema, arguments) in fitting(), place: prop::sample::Index) {
        let registry = with_schema(schema.clone());
        prop_assert!(call(&registry, &arguments).is_ok(), "{} {}", schema, arguments);
        let mut places = Vec::new();
        objects(&arguments, "", &mut places);
        let place = place.get(&places);
        let mut unknown = arguments.clone();
        unknown.pointer_mut(place).unwrap()["z"] = json!(null);
        let Err(CallError::Tool(result)) = call(&registry, &unknown) else {
            panic!("{schema} took {unknown}");
        };
        let error = ToolError::from_result(&result).unwrap();
        prop_assert_eq!(&error.details()["violations"][0]["pointer"], &format!("{}/z", place), "{}", error);
    }
}
