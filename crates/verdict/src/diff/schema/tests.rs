use super::*;
use proptest::prelude::*;
use serde_json::{Map, json};

fn told(direction: Direction, old: &Value, new: &Value) -> Vec<String> {
    let sign = |weight| match weight {
        Weight::Breaking => '!',
        Weight::Risky => '?',
        Weight::Safe => '.',
    };
    let changes = compare([old, new], "", direction);
    changes
        .into_iter()
        .map(|change| format!("{}{} {}", sign(change.weight), change.pointer, change.what))
        .collect()
}

/// An object with one member `a` of this schema.
fn of(schema: Value) -> Value {
    json!({"type": "object", "properties": {"a": schema}})
}

#[test]
fn what_callers_may_send_becomes_less_or_more() {
    let cases = [
        (
            json!({"type": "number"}),
            json!({"type": "integer"}),
            "!/properties/a/type `a` was number, and is integer now",
        ),
        (
            json!({"type": "integer"}),
            json!({"type": "number"}),
            "./properties/a/type `a` was integer, and is number now",
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"type": "string"}),
            "!/properties/a/type `a` was null or string, and is string now",
        ),
        (json!({"enum": ["x", "y"]}), json!({"enum": ["x"]}), "!/properties/a/enum `a` is no longer \"y\""),
        (
            json!({"enum": ["x"]}),
            json!({"enum": ["x", "y"]}),
            "./properties/a/enum `a` may also be \"y\" now",
        ),
        (
            json!({"type": "string"}),
            json!({"type": "string", "enum": ["x"]}),
            "!/properties/a/enum `a` took any string, and takes only \"x\" now",
        ),
        (
            json!({"maximum": 200}),
            json!({"maximum": 100}),
            "?/properties/a/maximum `maximum` of `a` was 200, and is 100 now",
        ),
        (
            json!({"default": 50}),
            json!({"default": 25}),
            "?/properties/a/default left out, `a` was 50, and is 25 now",
        ),
        (
            json!({"items": {"type": "string"}}),
            json!({"items": {"type": "integer"}}),
            "!/properties/a/items/type `a[]` was string, and is integer now",
        ),
        (
            json!({"properties": {}}),
            json!({"properties": {"b": {}}, "required": ["b"]}),
            "!/properties/a/properties/b `a.b` is new and required",
        ),
        (
            json!({"description": "x"}),
            json!({"description": "y"}),
            "?/properties/a/description the description of `a` says \"y\" where it said \"x\"",
        ),
    ];
    for (old, new, says) in cases {
        assert_eq!(told(Direction::Input, &of(old), &of(new)), [says]);
    }
}

#[test]
fn what_answers_promise_becomes_less_or_more() {
    let fields = |names: &[&str], required: &[&str]| {
        let members: Map<String, Value> = names.iter().map(|name| ((*name).to_owned(), json!({}))).collect();
        json!({"type": "object", "properties": members, "required": required})
    };
    assert_eq!(
        told(Direction::Output, &fields(&["a", "b"], &["a"]), &fields(&["a", "c"], &[])),
        [
            "?/properties/a `a` may be missing from the answer now",
            "!/properties/b `b` is gone from the answer",
            "./properties/c `c` is new in the answer"
        ]
    );
    assert_eq!(
        told(Direction::Output, &of(json!({"type": "string"})), &of(json!({"type": ["string", "null"]}))),
        ["!/properties/a/type `a` was string, and is null or string now"]
    );
}

#[test]
fn a_schema_is_compared_where_its_references_lead() {
    let of = |kind: &str| json!({"properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": kind}}});
    assert_eq!(
        told(Direction::Input, &of("string"), &of("integer")),
        ["!/properties/a/type `a` was string, and is integer now"]
    );
    let circle = json!({"properties": {"a": {"$ref": "#"}}});
    assert!(told(Direction::Input, &circle, &circle).is_empty());
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({})),
        Just(json!({"type": "string", "default": "x"})),
        Just(json!({"type": ["integer", "null"], "minimum": 1})),
        Just(json!({"enum": ["a", 1]})),
        Just(json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        proptest::collection::btree_map("[a-c]", inner, 0..3)
            .prop_map(|members| json!({"type": "object", "properties": members, "required": ["a"]}))
    })
}

proptest! {
    #[test]
    fn nothing_changes_from_a_schema_to_itself(schema in schema()) {
        for direction in [Direction::Input, Direction::Output] {
            prop_assert_eq!(told(direction, &schema, &schema), Vec::<String>::new());
        }
    }

    #[test]
    fn whatever_differs_is_told(old in schema(), new in schema()) {
        let [old, new] = [of(old), of(new)];
        // `required` may name what is not there, which is another rule's business.
        prop_assume!(old["properties"]["a"].get("properties") == new["properties"]["a"].get("properties") || old != new);
        let is_told = !told(Direction::Input, &old, &new).is_empty();
        prop_assert!(is_told || !differs(&old, &new));
    }
}

/// Whether two schemas differ in more than what they require of members that are not there.
fn differs(old: &Value, new: &Value) -> bool {
    let bare = |schema: &Value| {
        let mut schema = schema.clone();
        strip(&mut schema);
        schema
    };
    bare(old) != bare(new)
}

fn strip(schema: &mut Value) {
    if let Value::Object(members) = schema {
        members.remove("required");
        if members.get("properties").is_some_and(|members| members == &json!({})) {
            members.remove("properties");
        }
        members.values_mut().for_each(strip);
    }
}
