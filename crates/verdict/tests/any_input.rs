//! What must hold for all input, however odd.

use frankly_contract::ToolResult;
use frankly_verdict::check::check_all;
use frankly_verdict::payload::{is_longer, item_count};
use frankly_verdict::report::{plain, shorten};
use frankly_verdict::transcript::{Frame, Side, Transcript, read_recording};
use frankly_verdict::{
    Definitions, ToolSet,
    lint::{Audience, fix, lint_all},
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[a-z_]{0,8}|[ -~]{0,12}|[0-9]{1,3} of [0-9]{1,3}|.{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let key = "total|count|truncated|error|success|status|message|minimum|maximum|next|items|limit|type|required|properties|\\$ref|default|[a-z]{1,3}|[^#]{0,3}";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(key, inner, 0..5).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// A schema that has much to repair.
fn any_schema() -> impl Strategy<Value = Value> {
    let parameter = prop_oneof![
        Just(json!({"type": "integer", "description": "How many (max 20, default: 5)."})),
        Just(json!({"type": ["string", "null"], "enum": [1, "a~/b", true, null]})),
        any_json(),
    ];
    let object = |properties: std::collections::BTreeMap<String, Value>| json!({"properties": properties});
    let properties = prop::collection::btree_map("[a-z]{1,3}|a/b|~|\\PC{1,2}", parameter.clone(), 0..4);
    let inner = properties.prop_map(object);
    prop::collection::btree_map("[a-z]{1,3}|/|é", prop_oneof![parameter, inner], 0..4).prop_map(object)
}

/// A document with every repair made in it; `None` where one does not come out as it should.
fn mended_text(text: &str) -> Option<String> {
    let document = serde_json::from_str(text).ok()?;
    let read = Definitions::from_document("a.json", document).ok()?.with_text(text.to_owned());
    let findings = lint_all(std::slice::from_ref(&read.tools), &Audience::default());
    read.mended(&fix::repairs(&read, &findings)).ok()
}

fn result(structured: &Value, text: &str) -> Value {
    json!({"structuredContent": structured, "content": [{"type": "text", "text": text}]})
}

fn transcript(answers: &[(Option<u64>, Value)]) -> Transcript {
    let mut frames = Vec::new();
    for (id, (limit, answer)) in answers.iter().enumerate() {
        let arguments = limit.map_or_else(|| json!({}), |limit| json!({ "limit": limit }));
        let call = json!({"id": id, "method": "tools/call", "params": {"name": "t", "arguments": arguments}});
        frames.push(Frame::from_line(Side::Client, call.to_string()));
        frames.push(Frame::from_line(Side::Server, json!({"id": id, "result": answer}).to_string()));
    }
    Transcript { server: "s".to_owned(), frames, ..Transcript::default() }
}

proptest! {
    #[test]
    fn plain_text_has_nothing_that_a_terminal_obeys(text in "(.|\\PC|\\x1b|\u{202e}|\u{200b}|\n){0,60}") {
        let plain = plain(&text);
        prop_assert!(!plain.chars().any(|c| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}')), "{plain:?}");
    }

    #[test]
    fn what_is_cut_is_at_most_so_long(text in ".{0,40}", most in 0usize..50) {
        prop_assert!(shorten(&text, most).chars().count() <= most + 1);
    }

    #[test]
    fn any_bytes_make_a_frame(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let frame = Frame::from_bytes(Side::Server, bytes.clone());
        if let Ok(text) = std::str::from_utf8(&bytes) {
            prop_assert_eq!(frame.line(), text);
        }
    }

    #[test]
    fn any_text_is_a_recording_or_an_error(text in "(\\{\"frankly\":\"recording\",\"version\":1\\}\n)?[ -~\n]{0,80}") {
        let _ = read_recording("s", &text);
    }

    #[test]
    fn any_definitions_can_be_linted(tools in prop::collection::vec(any_json(), 0..4), schema in any_json()) {
        let mut tools = tools;
        tools.push(json!({"name": "t", "description": "d", "inputSchema": schema}));
        if let Ok(set) = ToolSet::from_document("s", Value::from(tools)) {
            for finding in lint_all(&[set], &Audience::default()) {
                prop_assert!(!finding.what.is_empty() && !finding.reads_as.is_empty() && !finding.next.is_empty());
            }
        }
    }

    /// Every repair comes out as it should, in any form of any document, and is not to be made again.
    #[test]
    fn repairs_are_made_once(schema in any_schema(), form in 0usize..4, is_pretty in any::<bool>()) {
        let tool = match form {
            0 => json!({"name": "t", "description": "d", "inputSchema": schema}),
            1 => json!({"type": "function", "function": {"name": "t", "parameters": schema}}),
            2 => json!({"type": "function", "name": "t", "parameters": schema}),
            _ => json!({"name": "t", "input_schema": schema}),
        };
        let document = json!({"tools": [{"name": "other", "inputSchema": {"type": "object"}}, tool]});
        let text = if is_pretty { serde_json::to_string_pretty(&document)? } else { document.to_string() };
        let Some(mended) = mended_text(&text) else { return Err(TestCaseError::fail("not mended")) };
        prop_assert!(mended.len() >= text.len());
        prop_assert_eq!(mended.lines().count() > 1, is_pretty);
        prop_assert_eq!(mended_text(&mended), Some(mended));
    }

    /// The same answer to every question is never proof of anything.
    #[test]
    fn equal_answers_prove_nothing(structured in any_json(), text in ".{0,40}") {
        let answer = result(&structured, &text);
        let transcript = transcript(&[(None, answer.clone()), (Some(9), answer.clone()), (None, answer)]);
        for finding in check_all(&transcript) {
            prop_assert_eq!(finding.frames.len(), 1, "compared: {:?}", finding.what);
        }
    }

    #[test]
    fn any_answers_can_be_compared(a in any_json(), b in any_json(), text in "([ -~]{0,10}\n){0,6}", more in "([ -~]{0,10}\n){0,3}") {
        let (short, long) = (result(&a, &text), result(&b, &(text.clone() + &more)));
        let as_result = |value: &Value| ToolResult::try_from(value.clone()).unwrap_or_else(|_| ToolResult::text(""));
        let _ = (item_count(&as_result(&short)), is_longer(&as_result(&long), &as_result(&short)));
        let _ = check_all(&transcript(&[(None, short.clone()), (Some(50), long), (None, short)]));
    }

    /// Whatever is asked and answered, a finding points at something that is there.
    #[test]
    fn every_finding_points_at_what_was_answered(
        schema in any_json(),
        exchanges in prop::collection::vec((any_json(), any_answer()), 1..6),
    ) {
        let mut frames = Vec::new();
        for (id, (arguments, answer)) in exchanges.into_iter().enumerate() {
            let call = json!({"id": id, "method": "tools/call", "params": {"name": "t", "arguments": arguments}});
            frames.push(Frame::from_line(Side::Client, call.to_string()));
            let mut answer = answer;
            answer["id"] = id.into();
            frames.push(Frame::from_line(Side::Server, answer.to_string()));
        }
        let tools = json!([{"name": "t", "description": "d", "inputSchema": schema}]);
        let tools = ToolSet::from_document("s", tools).unwrap().tools;
        let revision = Some("2025-11-25".to_owned());
        let transcript = Transcript { frames, tools: Some(tools), revision, ..Transcript::default() };
        for finding in check_all(&transcript) {
            let msg = transcript.frames[finding.frames[0]].msg().unwrap();
            prop_assert!(points(msg, &finding.pointer), "{} at {} in {msg}", finding.rule, finding.pointer);
            prop_assert_eq!(finding.frames.len(), finding.calls.len());
        }
    }
}

/// Whether something stands at a finding's pointer: `#` goes on inside a text that is JSON.
fn points(msg: &Value, pointer: &str) -> bool {
    match pointer.split_once('#') {
        None => msg.pointer(pointer).is_some(),
        Some((outer, inner)) => {
            let text = msg.pointer(outer).and_then(Value::as_str).unwrap_or_default();
            serde_json::from_str(text).is_ok_and(|inside: Value| points(&inside, inner))
        }
    }
}

fn any_answer() -> impl Strategy<Value = Value> {
    let text = "(Error|not found|no such|missing [a-z]{1,3}| |\n|truncated|[a-z\"{}:]{1,6}){0,20}";
    let content = (any_json(), text).prop_map(|(json, text)| {
        let inside = json!({ "result": json.to_string() }).to_string();
        prop::sample::select(vec![
            json!({"content": [{"type": "text", "text": json.to_string()}]}),
            json!({"content": [{"type": "text", "text": inside}], "structuredContent": json}),
            json!({"content": [{"type": "text", "text": text}, {"type": "text", "text": text}]}),
            json!({"content": [], "structuredContent": json}),
            json!({"content": json}),
            json!({"isError": true, "content": [{"type": "text", "text": text}]}),
        ])
    });
    let result = content.prop_flat_map(|results| results).prop_map(|result| json!({ "result": result }));
    let error =
        (-32700i64..-31900, text).prop_map(|(code, text)| json!({"error": {"code": code, "message": text}}));
    prop_oneof![4 => result, 1 => error, 1 => any_json().prop_map(|error| json!({ "error": error }))]
}
