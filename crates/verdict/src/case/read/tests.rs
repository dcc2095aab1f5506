use super::*;
use serde_json::json;

const CASE: &str = "cases:\n  - name: a\n    call: t\n    expect: { is_error: true }\n";

fn fault(text: &str) -> String {
    CaseFile::parse("a.yaml", text).unwrap_err().to_string()
}

/// A case with this under its name.
fn with(lines: &str) -> String {
    let lines: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    format!("cases:\n  - name: a\n{lines}")
}

#[test]
fn a_file_is_read_with_all_that_can_be_in_it() {
    let text = "\
server: { use: ledger, fresh: true, env: { DB: \"${DIR}/847.db\" } }
files: { a.csv: \"x\" }
setup:
  - run: [./seed.sh]
  - call: log_expense
    with: { amount: 3 }
    save: { id: /id }
cases:
  - name: it is there
    call: get
    with: { id: \"${id}\" }
    save: { when: /date }
    expect: { json: { id: \"${id}\" }, max_bytes: 100 }
  - name: refused
    call: get
    expect: { is_error: true, code: NOT_FOUND, message: \"/${when}/\" }
    known_failing: reported
teardown:
  - call: delete
    with: { id: \"${id}\" }
";
    let file = CaseFile::parse("a.yaml", text).unwrap();
    assert_eq!((file.server.name.as_deref(), file.server.fresh), (Some("ledger"), true));
    assert_eq!((file.setup.len(), file.teardown.len(), file.cases.len()), (2, 1, 2));
    assert_eq!(file.cases[0].call.arguments, json!({"id": "${id}"}).as_object().unwrap().clone());
    assert_eq!(file.cases[1].known_failing.as_deref(), Some("reported"));
    assert!(file.wants_directory());
    assert!(!CaseFile::parse("a.yaml", CASE).unwrap().wants_directory());
}

#[test]
fn every_fault_has_its_place_and_says_what_to_write() {
    for (text, says) in [
        ("casess: []", "a.yaml:1:1: the file has no key `casess`; did you mean `cases`?"),
        ("- name: a", "a.yaml:1:1: the file is a list, and should be a map"),
        ("server: ledger", "a.yaml:1:9: server is a text; write server: { use: ledger }"),
        (
            "server: { use: ledger, command: [x] }",
            "a.yaml:1:24: server has no key `command`; a server stands in frankly.toml",
        ),
        ("files: { ../a: x }", "a.yaml:1:10: the path `../a` names no file within ${DIR}"),
        ("setup: [{ runs: [x] }]", "a.yaml:1:11: setup[0] has no key `runs`"),
        (&with("args: {}"), "a.yaml:3:5: cases[0] has no key `args`; arguments are written as `with`"),
        (&with("call: t"), "a.yaml:2:5: cases[0] has no `expect`"),
        (&with("expect: {}"), "a.yaml:2:5: cases[0] has no `call`"),
        (
            &with("call: t\nwith: [1]\nexpect: {}"),
            "a.yaml:4:11: cases[0].with is a list, and should be a map",
        ),
        (
            &with("call: t\nexpect: { jsn: {} }"),
            "a.yaml:4:15: cases[0].expect has no key `jsn`; did you mean `json`?",
        ),
        (
            &with("call: t\nexpect: { code: NOTFOUND }"),
            "cases[0].expect.code is `NOTFOUND`, which is no code (did you mean NOT_FOUND?)",
        ),
        (&with("call: t\nexpect: { max_bytes: -1 }"), "cases[0].expect.max_bytes is -1, and no count"),
        (
            &with("call: t\nexpect: { message: /a(/ }"),
            "cases[0].expect.message is no pattern: unclosed group",
        ),
        (
            &with("call: t\nexpect: { json: { n: { $gte: x } } }"),
            "cases[0].expect.json.n.$gte is a text, and should be a number",
        ),
        (
            &with("call: t\nwith: { id: \"${oder}\" }\nexpect: {}"),
            "a.yaml:4:17: nothing before this is called `${oder}`",
        ),
        (
            &with("call: t\nsave: { id: items/0 }\nexpect: {}"),
            "a.yaml:4:17: cases[0].save.id is \"items/0\", and no JSON pointer",
        ),
        (
            &with("call: t\nknown_failing: true\nexpect: {}"),
            "a.yaml:4:20: cases[0].known_failing is true or false, and should be a text",
        ),
        (&with("call: t\nexpect: { next: /a: b/ }"), "stands in quotes"),
    ] {
        let error = fault(text);
        assert!(error.contains(says), "{text}\n{error}");
    }
    assert!(
        fault(&format!("{CASE}{}", &CASE[7..]))
            .starts_with("a.yaml:5:5: a case before this is named \"a\" too")
    );
}

#[test]
fn a_file_without_cases_is_read_and_has_none() {
    for text in ["", "# to come\n", "server: { use: a }\n", "cases:\n"] {
        assert!(CaseFile::parse("a.yaml", text).unwrap().cases.is_empty());
    }
}
