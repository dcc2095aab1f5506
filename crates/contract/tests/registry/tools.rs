//! What a tool says about itself, and what it answers.

use frankly_contract::{
    Answer, Budget, CallError, Code, InvalidTool, Json, NoArguments, Page, Registry, Tool, ToolCall, ToolDef,
    ToolError, ToolResult, Tools,
};
use pollster::block_on;
use serde_json::{Value, json};

use super::{call, definition, ledger};

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
    registry
        .add(tool().title("List").read_only().idempotent(true).open_world(false).returning::<Page<u8>>())?;
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
    let denied = tool().idempotent(false).open_world(true);
    let mut registry = Registry::new();
    registry.add(denied)?;
    let annotations = &registry.definitions().next().unwrap().raw()["annotations"];
    assert_eq!(annotations, &json!({"idempotentHint": false, "openWorldHint": true}));
    Ok(())
}

#[test]
fn an_answer_is_data_or_an_error() {
    let answer = |answer: Result<Answer, ToolError>| {
        let mut registry = Registry::new();
        let answer = std::sync::Mutex::new(Some(answer));
        let tool = Tool::typed("list", "Lists.", move |_: NoArguments| {
            let answer = answer.lock().unwrap().take().unwrap();
            async { answer }
        });
        registry.add(tool).unwrap();
        call(&registry, &json!({}))
    };
    assert_eq!(answer(Ok(Answer::text("x"))), Ok(ToolResult::text("x")));
    // What says of itself that it is an error is still what the tool found.
    let raw = json!({"isError": true, "_meta": {"frankly/error": {}}});
    assert!(!answer(Ok(Answer::json(&raw).unwrap())).unwrap().is_error());
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

#[test]
fn an_answer_that_breaks_its_output_schema_is_not_handed_on() {
    let call_with = |tool: Tool| {
        let mut registry = Registry::new();
        registry.add(tool).unwrap();
        call(&registry, &json!({}))
    };
    let tool = |rows: Value| {
        Tool::typed("list", "Lists.", move |_: NoArguments| {
            let page = Page::all(vec![rows.clone()]);
            async { Ok(page) }
        })
    };
    assert!(call_with(tool(json!(7)).returning::<Page<u8>>()).is_ok());
    let Err(CallError::Protocol { code, message, .. }) =
        call_with(tool(json!("the sentinel")).returning::<Page<u8>>())
    else {
        panic!("it was handed on");
    };
    assert_eq!(code, -32603);
    assert!(
        message.starts_with("the answer of `list` does not fit its own output schema at /items/0: "),
        "{message}"
    );
    assert!(!message.contains("the sentinel"), "{message}");
    let text = Tool::typed("list", "Lists.", |_: NoArguments| async { Ok("a text") }).returning::<Page<u8>>();
    let Err(CallError::Protocol { message, .. }) = call_with(text) else { panic!("it was handed on") };
    assert_eq!(message, "`list` promises structured content and gave none");
}

#[test]
fn a_row_without_a_json_form_fails_alike_with_and_without_a_budget() {
    let odd = || Page::all(vec![std::collections::HashMap::from([((1, 2), 3)])]);
    for budget in [None, Some(Budget::bytes(10))] {
        let mut registry = Registry::new();
        let tool = Tool::typed("list", "Lists.", move |_: NoArguments| {
            let page = budget.as_ref().map_or_else(|| Ok(odd()), |budget| budget.page(odd()));
            async { page }
        });
        registry.add(tool).unwrap();
        assert!(matches!(call(&registry, &json!({})), Err(CallError::Protocol { code: -32603, .. })));
    }
}
