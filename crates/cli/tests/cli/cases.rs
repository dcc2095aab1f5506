//! Contract cases: `test`, `init`, `diff`, baselines, and the formats that a pull request sees.

use insta_cmd::assert_cmd_snapshot;

use super::{LYING, Place, ledger};

/// The examples, which stand at the root of the project.
fn example(name: &str) -> String {
    std::fs::read_to_string(format!("../../examples/{name}.yaml")).unwrap()
}

/// The verdict of `frankly test` on an example, on the demo server with these faults.
fn verdict(name: &str, faults: &[&str]) -> (Option<i32>, usize) {
    let faults: String = faults.iter().map(|fault| format!(", \"--fault\", \"{fault}\"")).collect();
    let place = Place::with_config(&ledger(&faults));
    place.write("cases.yaml", &example(name));
    let (code, report) = place.run(&["test", "cases.yaml", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let cases = report["cases"].as_array().unwrap();
    (code, cases.iter().filter(|case| case["outcome"] == "failed").count())
}

#[test]
fn the_examples_are_red_on_a_faulty_server_and_green_on_the_honest_one() {
    for (name, faults, failing) in [
        ("first-evening", &["assumed-argument", "path-escape", "empty-as-error"][..], 3),
        ("capped-page", &["silent-truncation"], 1),
        ("unknown-category", &["ambiguous-empty"], 1),
        ("unreadable-file", &["thrown-error", "buried-error"], 3),
        ("capped-sql", &["capped-sql-without-way-on"], 1),
    ] {
        assert_eq!(verdict(name, &[]), (Some(0), 0), "{name}, honest");
        assert_eq!(verdict(name, faults), (Some(1), failing), "{name}, {faults:?}");
    }
}

#[test]
fn every_fault_of_a_case_file_has_its_place_and_says_what_to_write() {
    let place = Place::with_config(&ledger(""));
    let case = |lines: &str| format!("cases:\n  - name: a\n    {}\n", lines.replace('\n', "\n    "));
    let files = [
        "casess: []".to_owned(),
        "- name: a".to_owned(),
        "cases: {}".to_owned(),
        "cases: []\ncases: []".to_owned(),
        "cases: []\n---\ncases: []".to_owned(),
        "cases: [".to_owned(),
        "cases:\n\t- name: a".to_owned(),
        "server: ledger".to_owned(),
        "server: { us: ledger }".to_owned(),
        "server: { use: ledger, command: [x] }".to_owned(),
        "server: { use: ledger, fresh: yes }".to_owned(),
        "server: { env: { A: 1 } }".to_owned(),
        "files: { ../a: x }".to_owned(),
        "setup: [{ runs: [x] }]".to_owned(),
        "setup: [{ run: [] }]".to_owned(),
        "teardown: [{ call: t, wth: {} }]".to_owned(),
        "name: a\ncall: t".to_owned(),
        case("nam: b"),
        case("args: {}"),
        case("call: t"),
        case("expect: {}"),
        case("call: ''\nexpect: {}"),
        case("call: t\nwith: [1]\nexpect: {}"),
        case("call: t\nwith: { id: \"${oder}\" }\nexpect: {}"),
        case("call: t\nsave: { id: items/0 }\nexpect: {}"),
        case("call: t\nsave: { DIR: /a }\nexpect: {}"),
        case("call: t\nknown_failing: true\nexpect: {}"),
        case("call: t\nmatched: 3\nexpect: {}"),
        case("call: t\nexpect: { jsn: {} }"),
        case("call: t\nexpect: { matched: 3 }"),
        case("call: t\nexpect: { code: NOTFOUND }"),
        case("call: t\nexpect: { is_error: maybe }"),
        case("call: t\nexpect: { max_bytes: -1 }"),
        case("call: t\nexpect: { message: /a(/ }"),
        case("call: t\nexpect: { message: /a/q }"),
        case("call: t\nexpect: { message: /.*/ }"),
        case("call: t\nexpect: { message: /a }"),
        case("call: t\nexpect: { next: /re: upload/ }"),
        case("call: t\nexpect:\n  next: /see #3/"),
        case("call: t\nexpect: { json: { n: { $gte: x } } }"),
        case("call: t\nexpect: { json: { n: { $mtch: /a/ } } }"),
        case("call: t\nexpect: { json: { n: $any } }"),
        case("call: t\nexpect: { json: { n: { $gt: 1, m: 2 } } }"),
        case("call: t\nexpect: { json: !x {} }"),
        format!("{}{}", case("call: t\nexpect: {}"), &case("call: t\nexpect: {}")[7..]),
    ];
    let mut told = String::new();
    for file in &files {
        place.write("a.yaml", file);
        let output = place.frankly(&["test", "a.yaml"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{file}");
        let indented = file.trim_end().replace('\n', "\n    ");
        told.push_str(&format!("    {indented}\n{}\n", String::from_utf8(output.stderr).unwrap()));
    }
    insta::assert_snapshot!(told);
}

#[test]
fn nothing_to_run_is_no_pass() {
    let place = Place::with_config(&ledger(""));
    place.write("empty.yaml", "server: { use: ledger }\n");
    assert_cmd_snapshot!(place.frankly(&["test", "empty.yaml"]));
    place.write("one.yaml", &example("unknown-category"));
    assert_cmd_snapshot!(place.frankly(&["test", "one.yaml", "--filter", "no such case"]));
    place.write(
        "other.yaml",
        "cases:\n  - name: a\n    call: query_transaction\n    expect: { is_error: true }\n",
    );
    assert_cmd_snapshot!(place.frankly(&["test", "other.yaml"]));
    place.write(
        "where.yaml",
        "server: { use: leger }\ncases:\n  - name: a\n    call: t\n    expect: { text: a }\n",
    );
    assert_cmd_snapshot!(place.frankly(&["test", "where.yaml"]));
    assert_cmd_snapshot!(place.frankly(&["test"]));
}

#[test]
fn a_case_that_fails_is_told_with_its_line_and_its_call() {
    let place = Place::with_config(&ledger(LYING));
    place.write("page.yaml", &example("capped-page"));
    assert_cmd_snapshot!(place.frankly(&["test", "page.yaml"]));
}

#[test]
fn what_is_known_to_fail_fails_no_run_and_is_told_when_it_passes() {
    let place = Place::with_config(&ledger(LYING));
    let case = format!("{}    known_failing: \"reported\"\n", example("capped-page"));
    place.write("page.yaml", &case);
    assert_cmd_snapshot!(place.frankly(&["test", "page.yaml", "-v"]));
    place.write("frankly.toml", &ledger(""));
    assert_cmd_snapshot!(place.frankly(&["test", "page.yaml"]));
}

#[test]
fn what_an_answer_shows_is_written_unless_a_check_speaks_against_it() {
    let place = Place::with_config(&ledger(", \"--fault\", \"text-at-odds\""));
    let cases = "\
cases:
  - name: accounts   # these lie
    call: list_accounts
    expect: {}
  - name: categories
    call: list_categories
    expect: {}      # to come
  - name: refused
    call: run_sql
    expect: {}
";
    place.write("new.yaml", cases);
    assert_cmd_snapshot!(place.frankly(&["test", "new.yaml", "--update", "--quiet"]));
    insta::assert_snapshot!(place.read("new.yaml"));
    let (_, report) = place.run(&["test", "new.yaml"]);
    assert!(report.contains("3 cases (2 passed, 1 expects nothing)"), "{report}");
}

#[test]
fn a_value_that_was_saved_goes_into_the_next_call_and_steps_stand_around_the_cases() {
    let place = Place::with_config(&ledger(""));
    let cases = "\
server: { use: ledger, fresh: true, env: { SPOOL: \"${DIR}/spool\" } }
files: { seed.txt: \"42\" }
setup:
  - run: [sh, -c, 'test \"$(cat ${DIR}/seed.txt)\" = 42 && echo done > ${DIR}/ran']
  - call: list_categories
    save: { first: /items/0/name }
cases:
  - name: the first category has transactions
    call: query_transactions
    with: { category: \"${first}\", limit: 1 }
    expect: { json: { items: [{ category: \"${first}\" }] } }
    save: { id: /items/0/id }
  - name: one of them can be had by its id
    call: run_sql
    with: { sql: \"SELECT id FROM transactions WHERE id = ${id}\" }
    expect: { json: { items: [{ id: \"${id}\" }] } }
teardown:
  - run: [test, -f, \"${DIR}/ran\"]
  - run: [test, \"${first}\", =, Dining]
  - run: [sh, -c, 'test -f \"$DIR/ran\"']
";
    place.write("steps.yaml", cases);
    let (code, report) = place.run(&["test", "steps.yaml"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("2 cases (2 passed)"), "{report}");
    place.write("broken.yaml", &cases.replace("= 42", "= 43"));
    let (code, report) = place.run(&["test", "broken.yaml"]);
    assert_eq!(code, Some(1), "{report}");
    assert!(report.contains("did not run: setup, line 4: "), "{report}");
}

#[test]
fn check_runs_the_cases_too() {
    let place = Place::with_config(&ledger(""));
    std::fs::create_dir(place.path().join("contracts")).unwrap();
    place.write("contracts/a.yaml", &example("unknown-category"));
    let (code, report) = place.run(&["check"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("8 tools listed") && report.contains("1 case (1 passed)"), "{report}");
}

#[test]
fn a_live_server_gives_a_configuration_and_first_cases_that_pass() {
    let place = Place::empty();
    let frankly = env!("CARGO_BIN_EXE_frankly");
    let lying = ["init", "--", frankly, "demo", "ledger", "--fault", "ambiguous-empty"];
    let (code, said) = place.run(&lying);
    assert_eq!(code, Some(0), "{said}");
    insta::assert_snapshot!(said.replace(frankly, "frankly"));
    insta::assert_snapshot!(place.read("frankly.toml").replace(frankly, "frankly"));
    insta::assert_snapshot!(place.read("contracts/ledger.yaml"));
    let (code, report) = place.run(&["test"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("1 known failing"), "{report}");
    let output = place.frankly(&lying).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: frankly.toml is here already"), "{said}");
}

#[test]
fn what_changed_is_told_by_what_it_breaks() {
    let place = Place::empty();
    let schema = |properties: &str, required: &str| {
        format!(
            r#"{{"tools": [{{"name": "search", "description": "Searches.", "inputSchema": {{"type": "object", "properties": {{{properties}}}, "required": [{required}]}}}}]}}"#
        )
    };
    place.write("old.json", &schema(r#""q": {"type": "string"}, "kind": {"enum": ["a", "b"]}"#, ""));
    place.write(
        "new.json",
        &schema(r#""q": {"type": "string"}, "kind": {"enum": ["a"]}, "n": {"type": "integer"}"#, r#""q""#),
    );
    assert_cmd_snapshot!(place.frankly(&["diff", "old.json", "new.json", "-v"]));
    assert_cmd_snapshot!(place.frankly(&["diff", "new.json", "old.json"]));
    assert_cmd_snapshot!(place.frankly(&["diff", "old.json", "old.json"]));
}

#[test]
fn a_snapshot_of_a_server_is_the_server() {
    let place = Place::with_config(&ledger(""));
    let (code, report) = place.run(&["lint", "ledger", "--save", "tools.json"]);
    assert_eq!(code, Some(0), "{report}");
    let (code, report) = place.run(&["diff", "tools.json", "ledger", "-v"]);
    assert_eq!(code, Some(0), "{report}");
    assert!(report.contains("0 errors, 0 warnings, 0 info"), "{report}");
}

#[test]
fn a_baseline_hides_what_is_known_and_tells_what_is_gone() {
    let place = Place::with_config(&ledger(LYING));
    assert_cmd_snapshot!(place.frankly(&["check", "--quiet", "--write-baseline", "known.json"]));
    let (code, report) = place.run(&["check", "--quiet", "--baseline", "known.json"]);
    assert_eq!(code, Some(0), "{report}");
    place.write("frankly.toml", &ledger(""));
    assert_cmd_snapshot!(place.frankly(&["check", "--quiet", "--baseline", "known.json"]));
    assert_cmd_snapshot!(place.frankly(&["check", "--quiet", "--baseline", "frankly.toml"]));
}
