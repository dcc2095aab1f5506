//! Definition files, from the text to findings with places and to repairs.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its own input has failed")]

use frankly_verdict::lint::{Audience, fix, lint_all};
use frankly_verdict::{Definitions, Finding, NotAToolSet};
use serde_json::{Value, json};

fn read(text: &str) -> Definitions {
    let document = serde_json::from_str(text).unwrap();
    Definitions::from_document("a.json", document).unwrap().with_text(text.to_owned())
}

fn placed(read: &Definitions) -> Vec<Finding> {
    let mut findings = lint_all(std::slice::from_ref(&read.tools), &Audience::default());
    read.place(&mut findings);
    findings
}

#[test]
fn two_definitions_of_one_name_are_told_apart() {
    let read = read(
        r#"[
  {"type": "function", "function": {"name": "export", "description": "Exports.", "parameters": {"type": "object"}}},
  {"name": "export", "description": "Exports all.", "inputSchema": {"type": "objekt", "properties": {"a": {"type": "string"}}}}
]"#,
    );
    let findings = placed(&read);
    let lines = |rule: &str| -> Vec<(usize, &str)> {
        let of_rule = findings.iter().filter(|finding| finding.rule == rule);
        of_rule.map(|finding| (finding.place.as_ref().unwrap().line, finding.pointer.as_str())).collect()
    };
    assert_eq!(lines("name-collision"), [(3, "/name")]);
    assert!(lines("bad-schema").contains(&(3, "/inputSchema/type")), "{findings:?}");
}

#[test]
fn only_the_definition_with_the_finding_is_repaired() {
    let read = read(
        r#"[{"name": "a", "description": "Reads it.", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}},
 {"name": "a", "description": "Reads all of it.", "inputSchema": {"type": "object", "properties": {"x": {"type": "string"}}}}]"#,
    );
    let mut findings = placed(&read);
    findings.retain(|finding| finding.rule == "open-object" && finding.definition == Some(1));
    let repairs = fix::repairs(&read, &findings);
    assert_eq!(repairs.iter().map(|repair| repair.tool).collect::<Vec<_>>(), [1]);
}

#[test]
fn what_is_no_list_of_tools_any_more_is_refused() {
    let many = Value::from(vec![json!(1); 200_001]);
    let error = Definitions::from_document("a.json", json!({ "tools": many })).unwrap_err();
    assert_eq!(error, NotAToolSet::TooMany { count: 200_001 });
    assert_eq!(error.to_string(), "it has 200001 definitions, and at most 200000 are read");
}

#[test]
fn the_instructions_of_a_request_are_no_server_s() {
    let of = |document: Value| Definitions::from_document("a.json", document).unwrap().tools.instructions;
    assert_eq!(of(json!({"model": "m", "instructions": "Look first.", "tools": []})), "");
    assert_eq!(of(json!({"instructions": "Look first.", "tools": []})), "Look first.");
}
