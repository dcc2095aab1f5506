//! What each command writes.

use insta_cmd::assert_cmd_snapshot;

use super::{LYING, Place, ledger};

#[test]
fn help_shows_examples_and_exit_codes() {
    assert_cmd_snapshot!(Place::empty().frankly(&["--help"]));
    assert_cmd_snapshot!(Place::empty().frankly(&["probe", "--help"]));
}

#[test]
fn check_without_a_configuration_says_what_to_do() {
    assert_cmd_snapshot!(Place::empty().frankly(&["check"]));
}

#[test]
fn a_slip_is_answered_with_what_was_meant() {
    let place = Place::with_config(&ledger(""));
    assert_cmd_snapshot!(place.frankly(&["check", "leger"]));
    assert_cmd_snapshot!(place.frankly(&["explain", "silent-truncaton"]));
    assert_cmd_snapshot!(place.frankly(&["probe", "ledger", "--call", "query_transaction"]));
}

#[test]
fn the_json_report_is_complete() {
    assert_cmd_snapshot!(Place::with_config(&ledger(LYING)).frankly(&["check", "--format", "json"]));
}

#[test]
fn a_json_report_is_written_also_when_the_configuration_is_at_fault() {
    let (code, text) = Place::empty().run(&["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, Some(2));
    assert!(report["reason"].as_str().unwrap().starts_with("there is no frankly.toml"), "{report}");
}

#[test]
fn a_report_also_goes_to_files() {
    let place = Place::with_config(&ledger(LYING));
    let (code, text) = place.run(&["check", "--output", "json=report.json", "--output", "human=report.txt"]);
    assert_eq!(code, Some(1));
    assert_eq!(place.read("report.txt"), text);
    assert!(place.read("report.json").contains("\"frankly\": \"report\""));
}

#[test]
fn every_name_is_explained() {
    assert_cmd_snapshot!(Place::empty().frankly(&["explain"]));
    assert_cmd_snapshot!(Place::empty().frankly(&["explain", "missing-description"]));
}

#[test]
fn a_call_shows_the_raw_answer_and_its_size() {
    let place = Place::with_config(&ledger(""));
    assert_cmd_snapshot!(place.frankly(&["call", "ledger", "list_categories"]));
    assert_cmd_snapshot!(place.frankly(&["call", "ledger", "query_transactions", "{\"limit\": 999}"]));
    assert_cmd_snapshot!(place.frankly(&["call", "ledger", "query_transactions", "[]"]));
}

#[test]
fn the_tokens_of_an_answer_are_estimated_or_counted() {
    let place = Place::with_config(&ledger(""));
    let told = |arguments: &[&str]| {
        let call = ["call", "ledger", "query_transactions", "{\"limit\": 50}"];
        let output = place.frankly(&[&call[..], arguments].concat()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.starts_with(&format!("{} bytes, ", output.stdout.len() - 1)), "{told}");
        let (_, tokens) = told.trim_end().split_once(" bytes, ").unwrap();
        tokens.to_owned()
    };
    let (estimated, counted) = (told(&[]), told(&["--tokenizer", "o200k"]));
    assert!(estimated.starts_with('≈') && estimated.ends_with(" tokens"), "{estimated}");
    assert!(!counted.contains('≈') && counted.ends_with(" o200k tokens"), "{counted}");
    let number = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    assert_ne!(number(&estimated), number(&counted.replace("o200k", "")));
}

#[test]
fn definitions_are_linted_together() {
    let place = Place::empty();
    place.write(
        "one.json",
        r#"{"tools": [{"name": "sync", "inputSchema": {"type": "object", "required": null}}]}"#,
    );
    place.write(
        "two.json",
        r#"[{"name": "a", "description": "Reads the clock.", "inputSchema": {"type": "object",
        "properties": {"zone": {}, "unit": {}, "form": {}}}}]"#,
    );
    assert_cmd_snapshot!(place.frankly(&["lint", "one.json", "two.json"]));
}

#[test]
fn definitions_are_judged_for_those_who_get_them() {
    let place = Place::empty();
    let tool = |said: &str| {
        format!(r#"[{{"name": "db.query", "description": "{said}", "inputSchema": {{"type": "object"}}}}]"#)
    };
    place.write("sales.json", &tool("Runs SQL on sales."));
    place.write("stock.json", &tool("Runs SQL on stock."));
    let code = |arguments: &[&str]| place.run(&[&["lint", "sales.json", "stock.json"], arguments].concat()).0;
    assert_eq!(code(&[]), Some(1), "a dot is refused by two of the three providers");
    assert_eq!(code(&["--target", "gemini"]), Some(0), "and not by this one; a collision is only suspected");
    assert_eq!(code(&["--target", "gemini", "--prefix", "none"]), Some(1), "bare names collide");
    assert_eq!(code(&["--target", "gemini", "--prefix", "{server}_"]), Some(0), "prefixed ones do not");
    assert_eq!(code(&["--target", "gemini", "--budget", "tokens=5"]), Some(1), "and together they cost more");
    assert_eq!(code(&["--prefix", "{name}_"]), Some(2), "only the server's name is filled in");
    assert_cmd_snapshot!(place.frankly(&["lint", "sales.json", "--target", "gemini,opanai"]));
    assert_cmd_snapshot!(place.frankly(&["lint", "--help"]));
}

#[test]
fn what_is_not_allowed_is_not_called() {
    let place = Place::with_config(&(ledger(LYING) + "tools.query_transactions.probe = \"never\"\n"));
    assert_cmd_snapshot!(place.frankly(&["probe", "ledger"]));
    let (code, text) = place.run(&["probe", "ledger", "--call", "query_transactions"]);
    assert_eq!(code, Some(1), "{text}");
    let (code, _) = place.run(&["probe", "ledger", "--call", "all"]);
    assert_eq!(code, Some(2), "`all` needs a sandbox");
    let (code, text) = place.run(&["probe", "ledger", "--call", "all", "--sandbox"]);
    assert_eq!(code, Some(0), "`all` does not go against `never`: {text}");
}

#[test]
fn writing_probes_are_reached_from_the_command_line_in_a_sandbox() {
    let place = Place::with_config(&ledger(""));
    let refused = |arguments: &[&str]| {
        let output = place.frankly(&[&["probe", "ledger"], arguments].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let told = refused(&["--call", "log_expense=writes"]);
    assert!(told.contains("--sandbox") && told.contains("or give --call log_expense"), "{told}");
    assert!(refused(&["--call", "all=writes"]).contains("--sandbox"));
    let told = refused(&["--sandbox", "--call", "log_expense=write"]);
    assert!(told.contains("log_expense=writes to write with it too"), "{told}");
    let left_out = |call: &str| {
        let (_, text) = place.run(&["probe", "ledger", "--sandbox", "--call", call]);
        text.lines()
            .filter(|line| line.starts_with("not sent: write-"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let [line] = &left_out("all")[..] else { panic!("one line") };
    assert!(line.ends_with("or frankly probe --sandbox --call NAME=writes"), "{line}");
    let [line] = &left_out("log_expense=writes")[..] else { panic!("one line") };
    assert!(line.contains("on import_csv:"), "{line}");
    assert_eq!(left_out("all=writes"), Vec::<String>::new());
}

#[test]
fn a_tool_that_is_not_there_leaves_nothing_to_report_but_the_reason() {
    let place = Place::with_config(&ledger(""));
    let slip = ["probe", "ledger", "--call", "log_expens"];
    assert_eq!(place.run(&slip), (Some(2), String::new()));
    let (code, text) = place.run(&[&slip[..], &["--format", "json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(code, Some(2));
    assert_eq!(
        report["reason"],
        "nothing was sent: ledger lists no tool `log_expens`; did you mean `log_expense`? (exit 2)"
    );
}

#[test]
fn what_suspected_means_is_told_where_something_is() {
    let place = Place::empty();
    place.write(
        "tools.json",
        r#"[{"name": "order", "description": "Order", "inputSchema": {"type": "object"}}]"#,
    );
    let (_, text) = place.run(&["lint", "tools.json"]);
    assert!(text.contains(", suspected\n") && text.contains("frankly explain suspected"), "{text}");
    let (code, text) = place.run(&["explain", "suspected"]);
    assert!(code == Some(0) && text.contains("at most a warning, so it fails no run"), "{text}");
    let (_, text) =
        place.run(&["lint", "tools.json", "--ignore", "vague-description", "--ignore", "no-boundary"]);
    assert_eq!(text.contains(", suspected\n"), text.contains("frankly explain suspected"), "{text}");
}

#[test]
fn a_budget_is_a_number_of_bytes_or_tokens() {
    let place = Place::with_config(&ledger(""));
    for good in ["bytes=25000", "tokens=8000"] {
        assert_eq!(place.run(&["probe", "ledger", "--budget", good]).0, Some(0), "{good}");
    }
    for bad in ["25000", "bytes=0", "pages=3", "bytes=25k"] {
        assert_eq!(place.run(&["probe", "ledger", "--budget", bad]).0, Some(2), "{bad}");
    }
}

#[test]
fn escape_sequences_of_tools_do_not_reach_the_terminal() {
    let place = Place::empty();
    place.write(
        "tools.json",
        r#"[{"name": "a\u001b[31m", "description": "", "inputSchema": {"type": "\u001b[2J\u202e"}}]"#,
    );
    let (_, text) = place.run(&["lint", "tools.json", "-v", "--color", "never"]);
    assert!(text.contains("\\u{1b}[31m") && text.contains("\\u{202e}"), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
}

#[test]
fn costs_list_the_dearest_tools_and_sentences() {
    let place = Place::empty();
    place.write(
        "clock.json",
        r#"[{"name": "read_clock", "description": "Sign in first. Reads the clock of a place, in its own zone.",
        "inputSchema": {"type": "object", "properties": {"place": {"type": "string", "description": "Sign in first."}}}},
        {"name": "set_clock", "description": "Sign in first. Sets it.", "inputSchema": {"type": "object"}}]"#,
    );
    let quietly = ["lint", "clock.json", "--costs", "--select", "definitions-over-budget"];
    assert_cmd_snapshot!(place.frankly(&quietly));
    assert_cmd_snapshot!(
        place.frankly(&[&quietly[..], &["--tokenizer", "o200k", "--format", "json"]].concat())
    );
}
