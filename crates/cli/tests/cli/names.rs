//! Names that files, servers and tools have, wherever they are printed: a line end in one forges no line.

use std::process::Output;

use super::Place;

/// A name that would be read as a line of frankly's own.
const FORGED: &str = "a\nerror: forged\u{1b}[2J\rb";

/// Nothing that was written looks like the forged line, and nothing is obeyed by a terminal.
fn assert_whole(output: &Output, what: &str) {
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8(text.clone()).unwrap();
        assert!(!text.lines().any(|line| line.trim_start().starts_with("error: forged")), "{what}: {text}");
        let obeyed = text.chars().find(|c| c.is_control() && *c != '\n');
        assert_eq!(obeyed, None, "{what}: {text}");
    }
    let shown = [&output.stdout[..], &output.stderr[..]].concat();
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains(r"a\nerror: forged\u{1b}[2J\rb"), "{what}: the name itself is told: {shown}");
}

#[test]
fn no_name_of_a_file_forges_a_line() {
    const TOOLS: &str = r#"[{"name": "t", "description": "Reads it.", "inputSchema": {"properties": {"a": {}}}},
        {"type": "web_search"}]"#;
    let file = format!("{FORGED}.json");
    for (text, arguments) in [
        ("{", &[][..]),
        ("7", &[]),
        ("\u{ff}", &[]),
        (TOOLS, &[]),
        (TOOLS, &["--costs", "-v"]),
        (TOOLS, &["--fix"]),
        (r#"{"mcpServers": {"a": {}}}"#, &[]),
    ] {
        let place = Place::empty();
        place.write(&file, text);
        let output = place.frankly(&[&["lint", &file], arguments].concat()).output().unwrap();
        assert_whole(&output, text);
    }
    let place = Place::empty();
    for arguments in [
        &["lint", &file][..],
        &["lint", FORGED],
        &["probe", FORGED],
        &["lint", "a", "--config", &file],
        &["lint", "a", "--config", &format!("{FORGED}.toml")],
        &["explain", "missing-description", "--", FORGED],
        &["lint", "--", FORGED],
        &["lint", "--output", &format!("json={FORGED}/x"), "--", "true"],
        &["lint", "http://[", "--header", &format!("{FORGED}: ${{NOPE}}")],
    ] {
        assert_told(&place.frankly(arguments).output().unwrap(), &format!("{arguments:?}"));
    }
    place.write(
        "frankly.toml",
        "[servers.\"a\\nerror: forged\\u001b[2J\\rb\"]\ncommand = [\"${NOPE\\nerror: forged}\"]\n",
    );
    for arguments in [&["lint", FORGED][..], &["check"], &["lint", "other"], &["check", "other"]] {
        assert_told(&place.frankly(arguments).output().unwrap(), &format!("{arguments:?}"));
    }
    place.write("frankly.toml", "\"a\\nerror: forged\" = 1\n");
    assert_told(&place.frankly(&["check"]).output().unwrap(), "a key of frankly.toml");
}

/// As [`assert_whole`], for names that shells write in their own way.
fn assert_told(output: &Output, what: &str) {
    for text in [&output.stdout, &output.stderr] {
        let text = String::from_utf8(text.clone()).unwrap();
        assert!(!text.lines().any(|line| line.trim_start().starts_with("error: forged")), "{what}: {text}");
        assert!(!text.contains(['\u{1b}', '\r']), "{what}: {text}");
    }
    let shown = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(String::from_utf8_lossy(&shown).contains("forged"), "{what}: the name itself is told");
}

#[test]
fn no_name_that_a_server_gives_itself_forges_a_line() {
    let place = Place::empty();
    let own = r"a\nerror: forged\u001b[2J\rb";
    let server = |answer: &str| format!("read -r line; printf '%s\\n' '{answer}'; cat > /dev/null");
    let named = format!(
        r#"{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":"2025-11-25","capabilities":{{}},"serverInfo":{{"name":"{own}","version":"1"}}}}}}"#
    );
    let refused = format!(r#"{{"jsonrpc":"2.0","id":1,"error":{{"code":-1,"message":"{own}"}}}}"#);
    // It answers tools/list with the same words, and then with tools.
    let lists = |second: &str| {
        format!(
            "read -r line; printf '%s\\n' '{named}'; read -r line; read -r line; printf '%s\\n' '{second}'; cat > /dev/null"
        )
    };
    let failing = lists(&format!(r#"{{"jsonrpc":"2.0","id":2,"error":{{"code":-1,"message":"{own}"}}}}"#));
    let listing = lists(&format!(
        r#"{{"jsonrpc":"2.0","id":2,"result":{{"tools":[{{"name":"{own}","inputSchema":{{"type":"object"}}}}]}}}}"#
    ));
    for (script, arguments) in [
        (server(&refused), &["lint"][..]),
        (server(&refused), &["call", "t"]),
        (failing, &["lint"]),
        (listing.clone(), &["lint", "-v", "--costs"]),
        (listing.clone(), &["probe"]),
        (listing, &["probe", "--call", "tt"]),
    ] {
        let output = place.frankly(&[arguments, &["--", "sh", "-c", &script]].concat()).output().unwrap();
        assert_whole(&output, &script);
    }
}
