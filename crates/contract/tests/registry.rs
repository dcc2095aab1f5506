//! A registry as a caller meets it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::sync::LazyLock;

use frankly_contract::{
    CallError, Code, Cursor, InvalidTool, Json, NoArguments, Page, Registry, Tool, ToolCall, ToolDef,
    ToolError, ToolResult, Tools,
};
use pollster::block_on;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

fn definition(input_schema: Value) -> ToolDef {
    ToolDef::new("list", "Lists.", input_schema)
}

/// A registry with the one tool `list`, which answers with the arguments as they came.
fn with_schema(input_schema: Value) -> Registry {
    let mut registry = Registry::new();
    registry
        .add(Tool::with_definition(definition(input_schema), |sent| async move { Ok(Json(sent)) }))
        .unwrap();
    registry
}

fn typed<A: serde::de::DeserializeOwned + JsonSchema + 'static>() -> Registry {
    let mut registry = Registry::new();
    registry.add(Tool::typed("list", "Lists.", |_: A| async { Ok("listed") })).unwrap();
    registry
}

fn call(registry: &Registry, arguments: &Value) -> Result<ToolResult, CallError> {
    block_on(registry.call(ToolCall::new("list", arguments.as_object().unwrap().clone())))
}

fn refused(registry: &Registry, arguments: &Value) -> ToolError {
    match call(registry, arguments) {
        Err(CallError::Tool(result)) => ToolError::from_result(&result).unwrap(),
        other => panic!("{arguments} gave {other:?}"),
    }
}

fn listed(registry: &Registry) -> Value {
    block_on(registry.list()).unwrap()[0].input_schema().unwrap().clone()
}

fn ledger() -> Registry {
    with_schema(json!({"type": "object", "properties": {
        "category": {"type": "string", "minLength": 1, "examples": ["Dining"]},
        "from": {"type": "string", "format": "date", "examples": ["2025-03-01"]},
        "limit": {"type": "integer", "minimum": 1, "maximum": 200, "default": 50},
        "cursor": {"type": "string", "pattern": "^row-[0-9]+$", "description": "The next_cursor of an earlier page, such as row-50."},
        "order": {"enum": ["oldest", "newest"]},
        "ids": {"type": "array", "items": {"type": "string", "maxLength": 4}, "maxItems": 2, "uniqueItems": true},
        "password": {"type": "string", "maxLength": 3},
    }}))
}

#[test]
fn a_refusal_says_what_was_sent_and_what_would_fit() {
    for (arguments, said) in [
        (
            json!({"limit": "5"}),
            "`limit` must be an integer from 1 to 200, and the string \"5\" was sent. Next: send `limit` as an integer from 1 to 200, such as 50.",
        ),
        (json!({"limit": 201}), "`limit` must be an integer from 1 to 200, and 201 was sent."),
        (json!({"limit": 1.5}), "from 1 to 200, and 1.5 was sent."),
        (json!({"limit": null}), "from 1 to 200, and null was sent."),
        (json!({"category": 5}), "`category` must be a string that is not empty, and 5 was sent."),
        (
            json!({"category": ""}),
            "`category` must be a string that is not empty, and an empty string was sent. Next: send `category` as a string that is not empty, such as \"Dining\".",
        ),
        (
            json!({"from": "March"}),
            "`from` must be a date as YYYY-MM-DD, and the string \"March\" was sent. Next: send `from` as a date as YYYY-MM-DD, such as \"2025-03-01\".",
        ),
        (json!({"from": "2025-02-30"}), "the string \"2025-02-30\" was sent."),
        (
            json!({"cursor": "50"}),
            "Next: send `cursor` as described: The next_cursor of an earlier page, such as row-50.",
        ),
        (
            json!({"order": "newst"}),
            "`order` must be \"oldest\" or \"newest\", and the string \"newst\" was sent. Did you mean `newest`?",
        ),
        (
            json!({"catgory": "x"}),
            "list has no argument `catgory`. Did you mean `category`? Next: rename `catgory` or leave it out: the arguments of list are `category`, `cursor`, `from`, `ids`, `limit`, `order` and `password`.",
        ),
        (json!({"merchant": "x"}), "list has no argument `merchant`. Next: leave out `merchant`:"),
        (json!({"ids": ["a", "a"]}), "`ids` has the same item twice."),
        (
            json!({"ids": ["a", "b", "c"]}),
            "`ids` must be an array of at most 2 items, each a string of at most 4 characters, and an array of 3 items was sent.",
        ),
        (json!({"ids": ["a", 7]}), "`/ids/1` must be a string of at most 4 characters, and 7 was sent."),
        (json!({"ids": ["abcde"]}), "and one of 5 characters was sent."),
    ] {
        let error = refused(&ledger(), &arguments);
        assert_eq!(error.code(), Code::InvalidArgs);
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(error.details()["violations"].as_array().unwrap().len(), 1, "{error}");
    }
}

#[test]
fn every_violation_is_named_with_its_place() {
    let error = refused(&ledger(), &json!({"limit": 0, "order": "old", "bogus": true, "ids": ["a", 7]}));
    assert!(error.what().starts_with("4 things do not fit: "), "{error}");
    let violations = error.details()["violations"].as_array().unwrap();
    let places: Vec<&Value> = violations.iter().map(|violation| &violation["pointer"]).collect();
    assert_eq!(places, ["/bogus", "/ids/1", "/limit", "/order"]);
    assert_eq!(violations[2]["value"], 0);
    assert_eq!(violations[3]["did_you_mean"], "oldest");
    assert_eq!(violations[2]["problem"], "`limit` must be an integer from 1 to 200, and 0 was sent");
}

#[test]
fn of_several_alternatives_the_one_that_was_meant_is_read_on() {
    let object = |members: Value, required: &[&str]| json!({"type": "object", "properties": members, "required": required});
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let schema = json!({"type": "object", "properties": {
        "nullable": {"anyOf": [object(json!({"a": text}), &[]), {"type": "null"}]},
        "nested": {"anyOf": [{"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, object(json!({"a": text}), &["a"])]},
        "alike": {"anyOf": [object(json!({"a": text, "b": text}), &[]), object(json!({"a": number, "c": text}), &[])]},
        "shapes": {"anyOf": [object(json!({"a": text}), &["a"]), object(json!({"b": text}), &["b"])]},
    }});
    for (arguments, said) in [
        (json!({"nullable": {"a": 1}}), "`/nullable/a` must be a string, and 1 was sent."),
        (json!({"nullable": 5}), "`nullable` must be an object or null, and 5 was sent."),
        (
            json!({"nested": {"b": 1}}),
            "2 things do not fit: `nested` is without `a`; `nested` has no member `b`.",
        ),
        (
            json!({"nested": "x"}),
            "`nested` must be an integer or true or false or an object with `a`, and the string \"x\" was sent.",
        ),
        (json!({"alike": {"a": true, "b": "x"}}), "`/alike/a` must be a string, and true was sent."),
        (json!({"shapes": {"b": 1}}), "`/shapes/b` must be a string, and 1 was sent."),
        (
            json!({"shapes": {"c": 1}}),
            "`shapes` must be an object with `a` or an object with `b`, and an object with `c` was sent.",
        ),
    ] {
        let error = refused(&with_schema(schema.clone()), &arguments);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn many_violations_are_counted_and_the_first_are_told() {
    let schema =
        json!({"type": "object", "properties": {"ids": {"type": "array", "items": {"type": "string"}}}});
    let error = refused(&with_schema(schema), &json!({"ids": vec![1; 500]}));
    assert!(
        error.what().starts_with("500 things do not fit: ") && error.what().ends_with("; and 492 more"),
        "{error}"
    );
    assert_eq!(error.details()["violations"].as_array().unwrap().len(), 100);
    assert_eq!(error.details()["violations_left_out"], 400);
}

#[test]
fn what_is_long_or_secret_is_not_repeated() {
    let error = refused(&ledger(), &json!({"password": "hunter2", "order": "x".repeat(5_000)}));
    let text = ToolResult::from(error).raw().clone();
    let text = json!(text).to_string();
    assert!(!text.contains("hunter2") && text.contains("xxx…") && text.len() < 2_000, "{text}");
    let name = "n".repeat(5_000);
    assert!(refused(&ledger(), &json!({ name: 1 })).to_string().len() < 500);
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read by serde, and by nobody here")]
struct Order {
    /// How many, e.g. 2.
    #[schemars(range(min = 1, max = 9))]
    count: u32,
    note: Option<String>,
    #[serde(default)]
    lines: Vec<Line>,
    tags: std::collections::BTreeMap<String, u8>,
    payment: Payment,
    status: Option<Status>,
    cursor: Option<Cursor>,
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read by serde, and by nobody here")]
struct Line {
    sku: String,
    price: f64,
    parts: Option<Vec<Line>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
#[expect(dead_code, reason = "read by serde, and by nobody here")]
enum Payment {
    Card { number: String },
    Transfer { iban: String, days: i32 },
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Status {
    /// Not yet paid.
    Open,
    Paid,
}

fn order() -> Value {
    json!({"count": 2, "tags": {}, "payment": {"by": "card", "number": "4"}})
}

fn order_with(member: &str, value: Value) -> Value {
    let mut order = order();
    order[member] = value;
    order
}

#[test]
fn a_derived_schema_is_closed_at_every_depth_and_says_nothing_twice() {
    let schema = listed(&typed::<Order>());
    let text = schema.to_string();
    assert!(!text.contains("$schema") && !text.contains("\"title\"") && !text.contains("uint32"), "{text}");
    let properties = &schema["properties"];
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(properties["lines"]["items"]["additionalProperties"], false);
    assert_eq!(properties["payment"]["oneOf"][1]["additionalProperties"], false);
    assert_eq!(properties["tags"]["additionalProperties"]["maximum"], 255);
    assert_eq!((&properties["count"]["minimum"], &properties["count"]["maximum"]), (&json!(1), &json!(9)));
    assert_eq!(properties["payment"]["oneOf"][1]["properties"]["days"]["maximum"], i32::MAX);
    assert_eq!(properties["count"]["description"], "How many, e.g. 2.");
}

#[test]
fn a_typed_tool_takes_what_fits_and_refuses_the_rest() {
    let registry = typed::<Order>();
    for arguments in [
        order(),
        order_with("count", json!(2.0)),
        order_with("note", json!(null)),
        order_with("lines", json!([{"sku": "a", "price": 1, "parts": [{"sku": "b", "price": 0.5}]}])),
        order_with("cursor", json!("row-50")),
        order_with("status", json!("open")),
    ] {
        assert!(call(&registry, &arguments).is_ok(), "{arguments}");
    }
    for (arguments, said) in [
        (
            order_with("count", json!("2")),
            "`count` must be an integer from 1 to 9, and the string \"2\" was sent",
        ),
        (
            order_with("lines", json!([{"sku": "a", "price": 1, "parts": [{"sku": 1, "price": 0.5}]}])),
            "`/lines/0/parts/0/sku` must be a string",
        ),
        (
            order_with("lines", json!([{"sku": "a", "prize": 1, "price": 1}])),
            "`/lines/0` has no member `prize`. Did you mean `price`?",
        ),
        (
            order_with("lines", json!([{"sku": "a"}])),
            "`/lines/0` is without `price`. Next: send `/lines/0` with `price`, which is a number.",
        ),
        (order_with("tags", json!({"a": 300})), "`/tags/a` must be an integer from 0 to 255"),
        (order_with("payment", json!({"by": "transfer", "iban": "x"})), "`payment` is without `days`"),
        (
            order_with("payment", json!({"by": "cash"})),
            "`/payment/by` must be \"card\" or \"transfer\", and the string \"cash\" was sent",
        ),
        (
            order_with("payment", json!({})),
            "`payment` is without `by`. Next: send `payment` as an object with `by` and `number` or an object with `by`, `iban` and `days`.",
        ),
        (
            order_with("status", json!("opne")),
            "`status` must be one of \"paid\", \"open\" or null, and the string \"opne\" was sent. Did you mean `open`?",
        ),
        (
            order_with("cursor", json!("50")),
            "Next: send `cursor` as described: The next_cursor of an earlier page",
        ),
        (
            order_with("cursor", json!("row-99999999999999999999")),
            "the arguments do not fit: not a cursor from an earlier page",
        ),
    ] {
        let error = refused(&registry, &arguments);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn an_unknown_tool_is_a_protocol_error_that_names_the_nearest() {
    let registry = ledger();
    let unknown =
        |name: &str| block_on(registry.call(ToolCall::new(name, serde_json::Map::new()))).unwrap_err();
    let CallError::Protocol { code, message, data } = unknown("lsit") else { panic!("no protocol error") };
    assert_eq!((code, data), (-32602, Some(json!({"did_you_mean": "list"}))));
    assert_eq!(message, "no tool is named \"lsit\"; did you mean `list`? The tools: `list`");
    let CallError::Protocol { message, .. } = unknown("zzz") else { panic!("no protocol error") };
    assert_eq!(message, "no tool is named \"zzz\". The tools: `list`");
}

#[test]
fn a_bad_definition_is_found_when_it_is_added() {
    let add = |definition| {
        let mut registry = ledger();
        registry.add(Tool::with_definition(definition, |_| async { Ok("never") })).map(|_| ()).unwrap_err()
    };
    let with_schema = |schema| add(ToolDef::new("other", "Other.", schema));
    for (error, said) in [
        (add(definition(json!({"type": "object"}))), "already a tool named `list`"),
        (add(ToolDef::new("", "Other.", json!({"type": "object"}))), "\"\" is no name for a tool"),
        (
            add(ToolDef::new("two words", "Other.", json!({"type": "object"}))),
            "\"two words\" is no name for a tool",
        ),
        (add(ToolDef::new("other", " ", json!({"type": "object"}))), "`other` has no description"),
        (add(ToolDef::from_raw(json!("other"))), "\"\" is no name for a tool"),
        (with_schema(json!({"type": "string"})), "does not say `\"type\": \"object\"`"),
        (with_schema(json!(true)), "does not say `\"type\": \"object\"`"),
        (
            with_schema(json!({"type": "object", "properties": {"a": {"type": "int"}}})),
            "wrong at /properties/a/type: ",
        ),
        (
            with_schema(json!({"type": "object", "properties": {"a": {"pattern": "("}}})),
            "wrong at /properties/a/pattern: ",
        ),
        (
            with_schema(json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/none"}}})),
            "'/$defs/none' does not exist",
        ),
        (
            with_schema(json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}})),
            "https://example.com/a",
        ),
        (
            with_schema(json!({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"})),
            "read as draft 2020-12",
        ),
        (
            {
                let tool = Tool::typed("other", "Other.", |_: NoArguments| async { Ok("x") })
                    .output_schema(json!({"type": "array"}));
                Registry::new().add(tool).map(|_| ()).unwrap_err()
            },
            "the output schema of `other` is wrong at its root",
        ),
        (
            Registry::new()
                .add(Tool::typed("other", "Other.", |_: String| async { Ok("x") }))
                .map(|_| ())
                .unwrap_err(),
            "the input schema of `other` is wrong at its root",
        ),
    ] {
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn what_a_tool_says_about_itself_is_listed() -> Result<(), InvalidTool> {
    let tool = || Tool::typed("list", "Lists.", |_: NoArguments| async { Ok(Page::all(vec![1])) });
    let mut registry = Registry::new();
    registry.add(tool().title("List").read_only().idempotent().closed_world().returning::<Page<u8>>())?;
    let raw = block_on(registry.list()).unwrap()[0].raw().clone();
    assert_eq!(
        raw["annotations"],
        json!({"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false})
    );
    assert_eq!(
        (&raw["title"], &raw["outputSchema"]["properties"]["items"]["type"]),
        (&json!("List"), &json!("array"))
    );
    let result = call(&registry, &json!({})).unwrap();
    let promised = jsonschema::validator_for(&raw["outputSchema"]).unwrap();
    assert!(promised.is_valid(result.structured().unwrap()));
    let hints = |tool: Tool| {
        let mut registry = Registry::new();
        registry.add(tool).unwrap();
        let listed = registry.definitions().next().unwrap().clone();
        (listed.annotation("readOnlyHint"), listed.annotation("destructiveHint"))
    };
    assert_eq!(hints(tool().read_only().destructive()), (Some(false), Some(true)), "the last word counts");
    assert_eq!(hints(tool().additive()), (Some(false), Some(false)));
    Ok(())
}

#[test]
fn an_answer_is_data_or_an_error() {
    let answer = |answer: Result<ToolResult, ToolError>| {
        let mut registry = Registry::new();
        let answer = std::sync::Mutex::new(Some(answer));
        let tool = Tool::typed("list", "Lists.", move |_: NoArguments| {
            let answer = answer.lock().unwrap().take().unwrap();
            async { answer }
        });
        registry.add(tool).unwrap();
        call(&registry, &json!({}))
    };
    assert_eq!(answer(Ok(ToolResult::text("x"))), Ok(ToolResult::text("x")));
    let failure = ToolResult::failure("it broke");
    assert_eq!(answer(Ok(failure.clone())), Err(CallError::Tool(failure)));
    let error = ToolError::new(Code::Forbidden, "no", "stop");
    assert_eq!(answer(Err(error.clone())), Err(CallError::Tool(error.into())));
    let mut registry = Registry::new();
    let odd = Tool::typed("list", "Lists.", |_: NoArguments| async {
        Ok(Json(std::collections::HashMap::from([((1, 2), 3)])))
    });
    registry.add(odd).unwrap();
    assert!(matches!(call(&registry, &json!({})), Err(CallError::Protocol { code: -32603, .. })));
}

#[test]
#[should_panic(expected = "the tool's own")]
fn a_panic_is_not_hidden() {
    let mut registry = Registry::new();
    let tool = Tool::typed("list", "Lists.", |_: NoArguments| async {
        if true {
            panic!("the tool's own");
        }
        Ok("never")
    });
    registry.add(tool).unwrap();
    let _ = call(&registry, &json!({}));
}

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
                let alternatives = schema.to_string().contains("Of\":");
                prop_assert!(!open.is_valid(&arguments) || unknown || alternatives, "{} {} {}", schema, arguments, error);
                if open.is_valid(&arguments) && !has_unknown(&arguments) {
                    prop_assert!(!says("`z`"), "{}", error);
                }
            }
            Err(other) => prop_assert!(false, "{:?}", other),
        }
    }
}
