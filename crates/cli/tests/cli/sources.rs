//! What may be named as a source: directories, definitions in every form, and servers in the files of clients.

use super::Place;

/// A tool whose parameter says nothing, in three forms.
const FORMS: [(&str, &str, &str); 3] = [
    (
        "chat.json",
        r#"[{"type": "function", "function": {"name": "read_clock", "description": "Reads the clock.",
            "parameters": {"type": "object", "properties": {"zone": {"type": "strin"}}}}}]"#,
        "/function/parameters/properties/zone/type",
    ),
    (
        "responses.json",
        r#"{"model": "m", "tools": [{"type": "web_search"}, {"type": "function", "name": "read_clock",
            "description": "Reads the clock.",
            "parameters": {"type": "object", "properties": {"zone": {"type": "strin"}}}}]}"#,
        "/parameters/properties/zone/type",
    ),
    (
        "messages.json",
        r#"{"tools": [{"name": "read_clock", "description": "Reads the clock.",
            "input_schema": {"type": "object", "properties": {"zone": {"type": "strin"}}}}]}"#,
        "/input_schema/properties/zone/type",
    ),
];

fn pointers(report: &str) -> Vec<String> {
    let report: serde_json::Value = serde_json::from_str(report).unwrap();
    let findings = report["findings"].as_array().unwrap();
    findings.iter().map(|finding| finding["pointer"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn definitions_in_every_form_are_linted_where_they_were_written() {
    let place = Place::empty();
    for (file, text, pointer) in FORMS {
        place.write(file, text);
        let (code, report) = place.run(&["lint", file, "--format", "json", "--select", "bad-schema"]);
        assert_eq!((code, pointers(&report)), (Some(1), vec![pointer.to_owned()]), "{report}");
    }
    let output = place.frankly(&["lint", "responses.json"]).output().unwrap();
    let note = String::from_utf8(output.stderr).unwrap();
    assert!(note.contains("responses.json: 1 tool there without a schema, web_search"), "{note}");
}

#[test]
fn what_a_sentence_costs_is_told_where_it_was_written() {
    let place = Place::empty();
    for (file, text, pointer) in FORMS {
        let pointer = pointer.trim_end_matches("type").to_owned() + "description";
        let said = r#"{"description": "The zone of the place, as IANA names it.", "type""#;
        place.write(file, &text.replace(r#"{"type": "strin"#, &format!(r#"{said}: "strin"#)));
        let (_, report) = place.run(&["lint", file, "--costs", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let sentences = report["costs"]["dearest"]["sentences"].as_array().unwrap();
        let pointers: Vec<_> = sentences.iter().filter_map(|sentence| sentence["pointer"].as_str()).collect();
        assert!(pointers.contains(&pointer.as_str()), "{file}: {pointers:?}");
        let (_, human) = place.run(&["lint", file, "--costs"]);
        assert!(human.contains(&format!("(read_clock {pointer})")), "{human}");
        assert!(!human.contains("/inputSchema"), "{human}");
    }
    let mcp =
        r#"[{"name": "read_clock", "description": "Reads the clock.", "inputSchema": {"type": "object"}}]"#;
    place.write("mcp.json", mcp);
    let (_, human) = place.run(&["lint", "chat.json", "mcp.json", "--costs"]);
    assert!(human.contains("chat.json · read_clock /function/description and 1 more"), "{human}");
}

#[test]
fn a_directory_is_linted_as_one_agent_would_see_it() {
    let place = Place::empty();
    std::fs::create_dir(place.path().join("tools")).unwrap();
    for (file, text, _) in FORMS {
        place.write(&format!("tools/{file}"), text);
    }
    let (code, report) = place.run(&["lint", "tools", "--format", "json", "--select", "bad-schema"]);
    assert_eq!(code, Some(1), "{report}");
    assert_eq!(pointers(&report).len(), 3, "{report}");
    assert!(report.contains("tools/chat.json"), "{report}");
    let (code, _) = place.run(&["probe", "tools"]);
    assert_eq!(code, Some(2), "definitions cannot be probed");
    std::fs::create_dir(place.path().join("empty")).unwrap();
    assert_eq!(place.run(&["lint", "empty"]).0, Some(2));
    place.write("tools/package.json", "{}");
    assert_eq!(place.run(&["lint", "tools"]).0, Some(2));
}

#[test]
fn servers_in_the_files_of_clients_are_found_by_name() {
    let place = Place::empty();
    let exe = env!("CARGO_BIN_EXE_frankly");
    let server = format!(r#"{{"command": "{exe}", "args": ["demo", "${{LEDGER_OF_NOBODY:-ledger}}"]}}"#);
    place.write(".mcp.json", &format!(r#"{{"mcpServers": {{"book": {server}}}}}"#));
    place.write("desktop.json", &format!("{{// a client's\n\"mcpServers\": {{\"desk\": {server},}}}}"));
    assert_eq!(place.run(&["call", "book", "list_categories"]).0, Some(0));
    let (code, text) = place.run(&["lint", "book"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(place.run(&["lint", "desk"]).0, Some(2), "only where it is named");
    let (code, text) = place.run(&["lint", "desk", "--config", "desktop.json"]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(place.run(&["call", "desk", "list_categories", "--config", "desktop.json"]).0, Some(0));
    assert_eq!(place.run(&["call", "book", "list_categories", "--config", "desktop.json"]).0, Some(2));
}

#[test]
fn what_a_client_would_ask_for_is_named_and_nothing_is_started() {
    let place = Place::empty();
    std::fs::create_dir(place.path().join(".vscode")).unwrap();
    place.write(
        ".vscode/mcp.json",
        r#"{"inputs": [{"id": "key"}], "servers": {
            "asks": {"url": "http://127.0.0.1:9/", "headers": {"Authorization": "Bearer ${input:key}"}},
            "old": {"type": "sse", "url": "http://127.0.0.1:9/"}}}"#,
    );
    for (name, expected) in [
        ("asks", "${input:key} is filled in only by the editor"),
        ("old", "the transport before streamable HTTP"),
        ("ask", "did you mean `asks`?"),
    ] {
        let output = place.frankly(&["lint", name]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("mcp.json") && error.contains(expected), "{error}");
    }
}

#[test]
fn a_finding_says_how_to_call_again_where_its_server_was_looked_up() {
    let place = Place::empty();
    let exe = env!("CARGO_BIN_EXE_frankly");
    let arguments = r#"["demo", "ledger", "--fault", "silent-truncation"]"#;
    let server = format!(r#"{{"command": "{exe}", "args": {arguments}}}"#);
    place.write("my client.json", &format!(r#"{{"mcpServers": {{"desk": {server}}}}}"#));
    let (code, text) = place.run(&["probe", "desk", "--config", "my client.json"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("frankly call desk query_transactions"), "{text}");
    assert!(text.contains("--config 'my client.json'"), "{text}");
}
