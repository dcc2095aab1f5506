//! What a refusal says.

use frankly_contract::{Code, Registry, ToolResult};
use serde_json::{Value, json};

use super::{ledger, refused, with_schema};

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
            "list has no argument `catgory`. Did you mean `category`? Next: rename or leave out `catgory`: the arguments of list are `category`, `cursor`, `from`, `ids`, `limit`, `order` and `password`.",
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

/// By the count of sentences and not by the clock: each of these was compared with each, and put into a sentence of
/// its own.
#[test]
fn many_unknown_arguments_are_counted_without_comparing_each_with_each() {
    let arguments: serde_json::Map<String, Value> =
        (0..50_000).map(|n| (format!("k{n}"), json!(n))).collect();
    for schema in [
        json!({"type": "object", "properties": {"limit": {"type": "integer"}}}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"limit": {}}, "unevaluatedProperties": false}),
        json!({"type": "object", "allOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}),
    ] {
        let error = refused(&with_schema(schema.clone()), &Value::Object(arguments.clone()));
        assert!(error.what().starts_with("50000 things do not fit: "), "{schema} {}", error.what());
        assert_eq!(error.details()["violations_left_out"], 49_900);
        assert!(error.to_string().len() < 2_000, "{error}");
    }
}

#[test]
fn steps_that_differ_only_in_a_name_are_one() {
    let schema = json!({"type": "object", "required": ["a", "b"], "properties": {
        "a": {"type": "number", "minimum": 0}, "b": {"type": "string"}
    }});
    let error = refused(&with_schema(schema), &json!({"x": 1, "y": 2}));
    assert_eq!(
        error.next(),
        "call it again with `a`, which is a number of at least 0, and `b`, which is a string; \
         leave out `x` and `y`: the arguments of list are `a` and `b`"
    );
}

#[test]
fn no_half_of_a_name_is_offered() {
    let name = format!("a_name_of_more_than_sixty_characters_{}", "x".repeat(60));
    let properties = json!({ &*name: {"enum": [name, "short"]} });
    let registry = with_schema(json!({"type": "object", "properties": properties}));
    let slip = refused(&registry, &json!({ format!("{name}y"): "short" }));
    assert!(slip.to_string().contains(&format!("Did you mean `{name}`? ")), "{slip}");
    assert!(slip.next().ends_with(&format!("the only argument of list is `{name}`")), "{slip}");
    let choice = refused(&registry, &json!({ &*name: "shrt" }));
    assert!(choice.what().contains("must be \"short\" or 1 more that its schema lists"), "{choice}");
    let missing = with_schema(json!({"type": "object", "properties": properties, "required": [name]}));
    assert!(refused(&missing, &json!({})).next().starts_with(&format!("call it again with `{name}`")));
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

/// Explaining each alternative of each alternative would take longer than the world lasts.
#[test]
fn alternatives_in_alternatives_are_explained_only_so_far() {
    let registry = with_schema(json!({
        "type": "object", "required": ["tree"],
        "properties": {"tree": {"$ref": "#/$defs/tree"}, "count": {"type": "integer"}},
        "$defs": {"tree": {"anyOf": [
            {"type": "object", "properties": {"leaf": {"type": "integer"}}, "required": ["leaf"]},
            {"type": "object", "properties": {"kid": {"$ref": "#/$defs/tree"}}, "required": ["kid"]},
            {"type": "object", "properties": {"kid": {"$ref": "#/$defs/tree"}, "name": {"type": "string"}}, "required": ["kid", "name"]},
        ]}},
    }));
    let nested = |depth, leaf| (0..depth).fold(json!({"leaf": leaf}), |inner, _| json!({"kid": inner}));
    assert!(super::call(&registry, &json!({"tree": nested(60, json!(1))})).is_ok());
    let near = refused(&registry, &json!({"tree": nested(2, json!("x"))}));
    assert!(near.what().starts_with("`/tree/kid/kid/leaf` must be an integer"), "{near}");
    let far = refused(&registry, &json!({"tree": nested(60, json!("x")), "count": "y"}));
    assert!(far.what().contains("`tree` does not fit, and the alternatives in it"), "{far}");
    assert!(far.what().contains("`count` must be an integer"), "{far}");
    let beside = refused(&registry, &json!({"tree": nested(60, json!(1)), "count": "y"}));
    assert!(beside.what().starts_with("`count` must be an integer"), "{beside}");
}

/// Neither what a caller sends nor what an author lists makes an error as long as it likes.
#[test]
fn a_refusal_is_short_whatever_was_sent_and_whatever_is_known() {
    let length = |registry: &Registry, arguments: &Value| {
        let error = refused(registry, arguments);
        let told = serde_json::to_string(&ToolResult::from(error.clone())).unwrap();
        assert!(told.len() < 8_000, "{} bytes: {}", told.len(), &told[..2_000]);
        error
    };
    length(&ledger(), &json!({"x".repeat(100_000): 1}));
    length(&ledger(), &json!({"ids": {"/".repeat(100_000): 1}}));
    let known: serde_json::Map<String, Value> =
        (0..2_000).map(|n| (format!("name_{n}"), json!({}))).collect();
    let names: Vec<&String> = known.keys().collect();
    let wide = with_schema(json!({"type": "object", "properties": known}));
    let error = length(&wide, &json!({"zzz": 1}));
    assert!(error.next().contains("`name_0`") && error.next().ends_with(" and 1980 more"), "{error}");
    let inner = json!({"type": "object", "properties": known, "required": names});
    length(&with_schema(json!({"type": "object", "properties": {"a": inner}})), &json!({"a": 1}));
    let parts = json!({"type": "object", "anyOf": [{"properties": known, "required": ["name_1"]}, {"required": ["b"], "properties": {"b": {}}}]});
    length(&with_schema(parts), &json!({"name_0": 1}));
}

#[test]
fn a_secret_is_not_repeated_wherever_it_was_sent() {
    let registry = with_schema(json!({"type": "object", "properties": {
        "password": {"type": "string", "maxLength": 3}, "text": {"type": "integer"},
        "passwords": {"type": "array", "items": {"type": "integer"}},
        "login": {"type": "object", "properties": {"pin": {"type": "string"}}},
    }}));
    for (arguments, secret) in [
        (json!({"password": 12_345_678}), "12345678"),
        (json!({"passwords": ["hunter2"]}), "hunter2"),
        (json!({"login": {"pin": 4711}}), "4711"),
        (json!({"login": {"ghp_0123456789abcdef": 1}}), "ghp_0"),
        (json!({"ghp_0123456789abcdef": 1}), "ghp_0"),
        (json!({"text": {"ghp_0123456789abcdef": 1}}), "ghp_0"),
        (json!({"text": "postgres://bob:hunter2@db/x"}), "hunter2"),
    ] {
        let told = serde_json::to_string(&ToolResult::from(refused(&registry, &arguments))).unwrap();
        assert!(!told.contains(secret), "{told}");
    }
}
