//! Definition files that nobody means well with: a clear error or a finding, and nothing that a terminal obeys.

use super::Place;

/// A file's bytes, and how the run has to end: 2 where it is no definition file, else as its findings say.
fn run(name: &str, bytes: &[u8]) -> (Option<i32>, String) {
    let place = Place::empty();
    std::fs::write(place.path().join(name), bytes).unwrap();
    let mut shown = String::new();
    let mut codes = Vec::new();
    for arguments in [&["-v", "--costs"][..], &["--format", "json"], &["--fix"]] {
        let output = place.frankly(&[&["lint", name], arguments].concat()).output().unwrap();
        for text in [output.stdout, output.stderr] {
            let text = String::from_utf8(text).unwrap();
            let obeyed = text.chars().find(|c| c.is_control() && !matches!(c, '\n'));
            assert_eq!(obeyed, None, "{name} {arguments:?}: {text}");
            assert!(!text.contains("panicked") && !text.contains("frankly itself failed"), "{text}");
            shown += &text;
        }
        codes.push(output.status.code());
    }
    let code = codes[0];
    assert!(matches!(code, Some(0 | 1 | 2 | 4)), "{name}: {code:?}");
    (code, shown)
}

fn tool(schema: &str) -> Vec<u8> {
    format!(
        r#"[{{"name": "read_clock", "description": "Reads the clock of a place.", "inputSchema": {schema}}}]"#
    )
    .into_bytes()
}

#[test]
fn what_is_no_definition_file_is_a_clear_error() {
    let whole = tool(r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#);
    for end in [0, 1, 20, whole.len() - 1] {
        let (code, shown) = run("cut.json", &whole[..end]);
        assert!(code == Some(2) && shown.contains("cut.json: not JSON: "), "{shown}");
    }
    for (bytes, expected) in [
        (&b"\xff\xfe[\x00]\x00"[..], "not UTF-8"),
        (b"[{\"name\": \"\xc3\"}]", "not UTF-8"),
        (b"{\"tools\": {}}", "its `tools` is not an array"),
        (b"7", "neither an array of tools nor an object"),
    ] {
        let (code, shown) = run("odd.json", bytes);
        assert!(code == Some(2) && shown.contains(expected), "{shown}");
    }
}

#[test]
fn nesting_is_bounded() {
    for (before, inside, after) in [
        ("[", "1", "]"),
        (r#"{"a":"#, "1", "}"),
        (r#"{"type":"object","properties":{"a":"#, "{}", "}}"),
        (r#"{"items":"#, "{}", "}"),
    ] {
        for levels in [100, 130, 200, 300, 100_000] {
            let schema = before.repeat(levels) + inside + &after.repeat(levels);
            let (code, shown) = run("deep.json", &tool(&schema));
            assert!(
                levels < 100_000 || (code == Some(2) && shown.contains("recursion limit")),
                "{levels}: {code:?}"
            );
        }
    }
}

#[test]
fn schemas_that_are_none_are_findings() {
    for schema in [
        "true",
        "false",
        "null",
        "[]",
        "\"x\"",
        r#"{"type": "object", "properties": {"a": true, "b": false, "c": null, "d": 3}}"#,
        r##"{"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}"##,
        r#"{"type": "object", "properties": {"a": {"type": "number", "maximum": 1e400, "default": -1e999, "enum": [1e400]}}}"#,
        r#"{"type": "object", "properties": {"a": {"type": "string", "pattern": "((a+)+)+$", "enum": {}, "default": []}}}"#,
        r#"{"type": "object", "type": "array", "properties": {}, "properties": {"x": {"type": "objekt"}}}"#,
    ] {
        let (code, shown) = run("odd.json", &tool(schema));
        assert!(code == Some(1) || code == Some(0), "{schema}: {shown}");
    }
}

#[test]
fn no_text_of_a_tool_reaches_a_terminal_as_it_is() {
    let evil = r"\u001b[2J\u0007\u202e\u200b\r\n\u0000\ud800x";
    let text = r#"{"instructions": "EVIL", "tools": [{"name": "read_EVIL", "title": "EVIL", "description": "EVIL uses `EVIL`. Call get_EVIL first.",
      "inputSchema": {"properties": {"EVIL": {"type": "EVIL", "description": "EVIL", "enum": ["EVIL", 1], "default": "EVIL"}}, "required": ["EVILx"]}},
      {"name": "read_EVIL", "inputSchema": {"type": "object"}}]}"#;
    let (code, _) = run("evil.json", text.replace("EVIL", evil).as_bytes());
    assert_eq!(code, Some(2), "half a surrogate pair is no text");
    let evil = evil.replace(r"\ud800", "");
    let (code, shown) = run("evil.json", text.replace("EVIL", &evil).as_bytes());
    assert!(code == Some(1) && shown.contains(r"\u{1b}[2J"), "{shown}");
}

#[test]
fn a_byte_order_mark_is_no_fault() {
    let (code, shown) = run("bom.json", &[b"\xef\xbb\xbf", &tool(r#"{"type": "object"}"#)[..]].concat());
    assert_eq!(code, Some(0), "{shown}");
}
