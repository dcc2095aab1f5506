//! One test for each exit code.

use insta_cmd::assert_cmd_snapshot;

use super::{LYING, Place, ledger};

#[test]
fn code_0_nothing_to_complain_of() {
    assert_cmd_snapshot!(Place::with_config(&ledger("")).frankly(&["check"]));
}

#[test]
fn code_1_findings() {
    assert_cmd_snapshot!(Place::with_config(&ledger(LYING)).frankly(&["check"]));
}

#[test]
fn code_2_configuration() {
    let toml = ledger("").replace("command", "comand");
    assert_cmd_snapshot!(Place::with_config(&toml).frankly(&["check"]));
}

#[test]
fn code_2_for_a_state_that_cannot_be_reset() {
    // With such a value the tool is taken for one that writes.
    let toml = ledger("")
        + "sandbox = true\nreset = [\"sh\", \"-c\", \"echo 'no such table' >&2; exit 3\"]\n\
           tools.query_transactions = { probe = \"mutate\", examples = [{ category = \"DELETE\" }] }\n";
    assert_cmd_snapshot!(Place::with_config(&toml).frankly(&["check"]));
}

#[test]
fn code_3_nothing_came_up() {
    let toml = "[servers.broken]\ncommand = [\"sh\", \"-c\", \"echo 'cannot find module' >&2; exit 7\"]\n";
    assert_cmd_snapshot!(Place::with_config(toml).frankly(&["check"]));
}

#[test]
fn code_4_less_than_required() {
    let toml = ledger("") + "require = { tools_called = 7 }\n";
    assert_cmd_snapshot!(Place::with_config(&toml).frankly(&["check"]));
}

#[test]
fn code_1_for_one_server_of_several_that_does_not_come_up() {
    let toml = ledger("") + "[servers.broken]\ncommand = [\"/does/not/exist\"]\n";
    let (code, text) = Place::with_config(&toml).run(&["check", "--quiet"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("error[never-came-up] broken"), "{text}");
}

#[test]
fn code_1_for_a_server_that_dies_after_it_answered() {
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}"#;
    let toml =
        format!("[servers.brittle]\ncommand = [\"sh\", \"-c\", '''read -r line; echo '{answer}' ''']\n");
    let (code, text) = Place::with_config(&toml).run(&["check", "--quiet"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.starts_with("error[died] brittle"), "{text}");
}

#[test]
fn code_4_for_a_server_without_tools() {
    let place = Place::empty();
    place.write("tools.json", "{\"tools\": []}");
    let (code, text) = place.run(&["lint", "tools.json"]);
    assert_eq!(code, Some(4), "{text}");
}

#[test]
fn fail_on_moves_the_threshold() {
    let place = Place::with_config(&ledger(LYING));
    assert_eq!(place.run(&["check", "--fail-on", "never"]).0, Some(0));
    assert_eq!(place.run(&["check", "--ignore", "silent-truncation"]).0, Some(0));
    place.write(
        "tools.json",
        r#"[{"name": "order", "description": "Order", "inputSchema": {"type": "object"}}]"#,
    );
    assert_eq!(place.run(&["lint", "tools.json"]).0, Some(0));
    assert_eq!(place.run(&["lint", "tools.json", "--fail-on", "warning"]).0, Some(1));
}
