use frankly_contract::{CallError, Page, ToolError, ToolResult};
use serde_json::json;

use super::*;
use crate::case::ErrorShape;
use crate::yaml::load;

fn misses(expect: &str, answer: &Result<ToolResult, CallError>, shape: &ErrorShape) -> Vec<String> {
    let expect = Expect::read(&load(expect).unwrap().unwrap()).unwrap();
    let observed = Observed::of(answer, shape).unwrap();
    expect.misses(&observed).into_iter().map(|miss| miss.what).collect()
}

fn holds(expect: &str, answer: &Result<ToolResult, CallError>) -> bool {
    misses(expect, answer, &ErrorShape::default()).is_empty()
}

fn refused() -> Result<ToolResult, CallError> {
    let error =
        ToolError::new(Code::NotFound, "the file `abc` cannot be read", "ask the user to re-upload it");
    Err(CallError::Tool(error.with_kind("file_unreadable").into()))
}

fn ok(value: &Value) -> Result<ToolResult, CallError> {
    Ok(ToolResult::json(value).unwrap())
}

#[test]
fn a_coded_error_shows_its_code_kind_message_and_next_step() {
    assert!(holds(
        "{ is_error: true, code: NOT_FOUND, kind: file_unreadable, message: /re-upload/, next: re-upload }",
        &refused()
    ));
    let missed = misses("{ code: FORBIDDEN, kind: other }", &refused(), &ErrorShape::default());
    assert_eq!(missed[0], "expected the code FORBIDDEN, got \"NOT_FOUND\"");
    assert_eq!(missed[1], "expected the kind \"other\", got \"file_unreadable\"");
}

#[test]
fn where_nothing_is_said_of_errors_the_call_must_succeed() {
    let missed = misses("{ max_bytes: 10000 }", &refused(), &ErrorShape::default());
    assert!(missed[0].starts_with("expected a success, the call failed: "), "{missed:?}");
    let protocol = Err(CallError::Protocol { code: -32602, message: "no `id`".to_owned(), data: None });
    let missed = misses("{ is_error: true }", &protocol, &ErrorShape::default());
    assert!(missed[0].contains("clients may keep from the model"), "{missed:?}");
    assert!(holds("{ protocol_error: -32602 }", &protocol));
    assert!(!holds("{ protocol_error: -32600 }", &protocol));
    assert!(!holds("{ is_error: true }", &ok(&json!({"a": 1}))));
}

#[test]
fn an_empty_answer_says_why_or_is_not_found() {
    let page: Page<Value> =
        Page::all(vec![]).with_note("no category is named \"dining\"; list_categories lists them");
    let honest = Ok(ToolResult::try_from(page).unwrap());
    assert!(holds("{ empty_because: /dining/, next: /list_categories/ }", &honest));
    assert!(holds("{ empty_because: /abc/ }", &refused()));
    let silent = ok(&json!({"items": [], "matched": 0}));
    let missed = misses("{ empty_because: /dining/, next: /list/ }", &silent, &ErrorShape::default());
    assert!(missed[0].contains("it says nothing of it"), "{missed:?}");
    assert!(missed[1].contains("no hint, note or next step is there"), "{missed:?}");
    let full = ok(&json!({"items": [{"id": 1}], "note": "dining"}));
    assert!(!holds("{ empty_because: /dining/ }", &full));
}

#[test]
fn a_server_has_errors_of_its_own_shape() {
    let own = json!({"error": "file_unreadable", "message": "please re-upload", "hint": "upload again"});
    let answer = Err(CallError::Tool(ToolResult::failure(own.to_string())));
    let shape = ErrorShape {
        kind: Some("/error".to_owned()),
        message: Some("/message".to_owned()),
        ..ErrorShape::default()
    };
    assert!(misses("{ kind: file_unreadable, message: /^please/, next: again }", &answer, &shape).is_empty());
    let missed = misses("{ kind: file_unreadable }", &answer, &ErrorShape::default());
    assert!(missed[0].contains("the error states none"), "{missed:?}");
}

#[test]
fn json_is_held_member_by_member_and_prose_is_no_json() {
    let capped = ok(&json!({"returned": 50, "matched": 50, "truncated": false}));
    assert_eq!(
        misses("{ json: { returned: 50, matched: 262, truncated: true } }", &capped, &ErrorShape::default()),
        ["/matched: expected 262, got 50", "/truncated: expected true, got false"]
    );
    let prose = Ok(ToolResult::text("done"));
    assert_eq!(misses("{ json: { a: 1 } }", &prose, &ErrorShape::default()), ["expected JSON, got \"done\""]);
    assert!(holds("{ text: done, max_tokens: 1 }", &prose));
    assert_eq!(
        misses("{ max_bytes: 3 }", &prose, &ErrorShape::default()),
        ["expected at most 3 bytes, got 4 bytes"]
    );
}
