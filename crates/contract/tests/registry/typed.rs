//! Tools whose arguments are a struct.

use frankly_contract::{Cursor, Registry, Tool, ToolDef};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{call, listed, refused, typed};

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read by serde, and by nobody here")]
pub struct Order {
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

pub fn order() -> Value {
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
            "Next: send `cursor` as described: The next_cursor of an earlier page",
        ),
    ] {
        let error = refused(&registry, &arguments);
        assert!(error.to_string().contains(said), "{error}");
    }
}

/// A schema cannot say all that a type refuses.
#[derive(Debug)]
struct Even;

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        match text.len().is_multiple_of(2) {
            true => Ok(Self),
            false => Err(serde::de::Error::custom(format!("{text} has an odd length"))),
        }
    }
}

impl JsonSchema for Even {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Even".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({"type": "string"})
    }
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "read by serde, and by nobody here")]
struct Pairs {
    name: Option<Even>,
    list: Option<Vec<Even>>,
    password: Option<Even>,
}

#[test]
fn what_only_the_type_refuses_is_refused_like_the_rest() {
    let registry = typed::<Pairs>();
    for (arguments, pointer, said) in [
        (
            json!({"name": "odd"}),
            "/name",
            "INVALID_ARGS: `name` cannot be used, and the string \"odd\" was sent: odd has an odd length. \
             Next: send `name` as the tool describes, and cursors as they were given.",
        ),
        (
            json!({"list": ["even", "odd"]}),
            "/list/1",
            "`/list/1` cannot be used, and the string \"odd\" was sent",
        ),
        (
            json!({"password": "hunter2"}),
            "/password",
            "`password` cannot be used, and a string of 7 characters was sent: it is refused.",
        ),
    ] {
        let error = refused(&registry, &arguments);
        assert!(error.to_string().contains(said), "{error}");
        let violations = error.details()["violations"].as_array().unwrap();
        assert_eq!((violations.len(), &violations[0]["pointer"]), (1, &json!(pointer)));
        assert!(!json!(error).to_string().contains("hunter2"), "{error}");
    }
    let long = refused(&registry, &json!({"name": "x".repeat(10_001)}));
    assert!(json!(long).to_string().len() < 1_000, "{long}");
}

#[test]
fn what_a_rust_integer_cannot_hold_is_refused_by_the_schema() {
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "read by serde, and by nobody here")]
    struct Wide {
        unsigned: Option<u64>,
        signed: Option<i64>,
        size: Option<usize>,
    }
    let registry = typed::<Wide>();
    for good in [json!({"unsigned": u64::MAX}), json!({"signed": i64::MIN}), json!({"size": 0})] {
        assert!(call(&registry, &good).is_ok(), "{good}");
    }
    for (bad, said) in [
        (json!({"unsigned": 1e20}), "from 0 to 18446744073709551615"),
        (json!({"signed": -1e19}), "from -9223372036854775808 to 9223372036854775807"),
        (json!({"size": -1}), "from 0 to 18446744073709551615"),
    ] {
        let error = refused(&registry, &bad);
        assert!(error.to_string().contains(said) && error.what().contains("must be"), "{error}");
    }
}

#[test]
fn a_whole_number_is_an_integer_on_every_way_to_a_tool() {
    #[derive(Deserialize)]
    struct Count {
        n: u64,
    }
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let definition = ToolDef::new("list", "Lists.", schema);
    let text = |tool| {
        let mut registry = Registry::new();
        registry.add(tool).unwrap();
        call(&registry, &json!({"n": 50.0})).unwrap().texts().next().unwrap().1.to_owned()
    };
    let raw = Tool::with_definition(definition.clone(), |sent| async move {
        Ok(sent["n"].as_u64().unwrap().to_string())
    });
    let read = Tool::with_schema(definition, |count: Count| async move { Ok(count.n.to_string()) });
    assert_eq!([text(raw), text(read)], ["50", "50"]);
}
