//! One fixed report, in every format.

use frankly_contract::ToolCall;
use frankly_verdict::case::{Miss, Outcome, Spot, Verdict};
use frankly_verdict::report::{CallSource, Coverage, FORMATS, Gap, Options, Stretched};
use frankly_verdict::{Certainty, Finding, Place, Report, Severity};
use serde_json::json;

fn finding(rule: &'static str, severity: Severity, tool: &str, pointer: &str) -> Finding {
    Finding {
        rule,
        severity,
        certainty: Certainty::Proven,
        server: "shop".to_owned(),
        tool: tool.to_owned(),
        definition: None,
        place: None,
        pointer: pointer.to_owned(),
        mutation: String::new(),
        frames: Vec::new(),
        calls: Vec::new(),
        replay: Vec::new(),
        what: format!("`{}` is not right", pointer.rsplit('/').next().unwrap_or_default()),
        reads_as: "all is well".to_owned(),
        next: "put it right".to_owned(),
        evidence: String::new(),
    }
}

fn cases() -> Vec<Outcome> {
    let case = |name: &str, line, verdict| Outcome {
        file: "contracts/shop.yaml".to_owned(),
        case: name.to_owned(),
        at: Spot { line, column: 5 },
        server: "shop".to_owned(),
        tool: "get".to_owned(),
        known_failing: Some("reported".to_owned()).filter(|_| matches!(verdict, Verdict::KnownFailing(_))),
        call: Some(0),
        replay: None,
        verdict,
    };
    let miss = Miss {
        clause: "json",
        at: Spot { line: 9, column: 7 },
        pointer: "/n".to_owned(),
        what: "/n: expected 1, got <2>".to_owned(),
    };
    vec![
        case("it is there", 3, Verdict::Passed),
        case("it has a number", 7, Verdict::Failed(vec![miss.clone()])),
        case("it is old", 11, Verdict::KnownFailing(vec![miss])),
        case("it is slow", 15, Verdict::NotRun("the call was not answered: no answer in time".to_owned())),
    ]
}

fn report() -> Report {
    let arguments = json!({"name": "O'Brien", "limit": 1}).as_object().cloned().unwrap_or_default();
    let called = Finding {
        certainty: Certainty::Suspected,
        frames: vec![6],
        calls: vec![0],
        replay: vec![ToolCall::new("list orders", arguments)],
        evidence: "a \u{1b}[31mred\u{1b}[0m text".to_owned(),
        what: "first line\nsecond line".to_owned(),
        ..finding("a-check", Severity::Error, "list orders", "/result/content")
    };
    let gap = |tool: &str, why: &str| Gap {
        server: "shop".to_owned(),
        tool: tool.to_owned(),
        probe: "a-probe",
        why: why.to_owned(),
    };
    let place = Place { file: "shop.json".to_owned(), line: 12, column: 7 };
    Report {
        allowed: 1,
        known: 1,
        costs: None,
        dearest: None,
        source: "frankly.toml".to_owned(),
        reason: "1 finding at error or above (exit 1)".to_owned(),
        exit: 1,
        cases: cases(),
        coverage: Coverage {
            tools_listed: 9,
            tools_called: [("shop".to_owned(), "list orders".to_owned())].into(),
            rules: 2,
            calls_made: 4,
            calls_answered: 3,
            calls_succeeded: 1,
            refusals_expected: 0,
            probes_run: 1,
            not_exercised: vec![gap("get", "the tool failed")],
            skipped: (0..8).map(|number| gap(&format!("write{number}"), "not allowed")).collect(),
            noise: 2,
            expectations: 0,
            expectations_met: 0,
            stretched: Stretched::default(),
        },
        findings: vec![
            finding("a-rule", Severity::Warning, "get", "/inputSchema/properties/a"),
            finding("a-rule", Severity::Warning, "get", "/inputSchema/properties/b"),
            Finding {
                place: Some(place),
                ..finding("a-rule", Severity::Warning, "put", "/inputSchema/properties/c")
            },
            finding("a-rule", Severity::Info, "put", "/inputSchema/properties/d"),
            called,
        ]
        .into_iter()
        .chain(cases().iter().filter_map(Outcome::finding))
        .collect(),
        sources: [("shop".to_owned(), CallSource { before: "shop".to_owned(), after: String::new() })].into(),
    }
}

#[test]
fn a_fixed_report_in_every_format() {
    for format in FORMATS {
        insta::assert_snapshot!(format.name(), format.render(&report(), &Options::default()));
    }
}

#[test]
fn what_is_counted_is_written_out_on_demand_and_in_colour() {
    for format in FORMATS.iter().filter(|format| format.name() == "human") {
        let options = Options { color: true, verbose: true, quiet: false };
        insta::assert_snapshot!("human_verbose_in_colour", format.render(&report(), &options));
        let options = Options { quiet: true, ..Options::default() };
        let quiet = format.render(&report(), &options);
        assert!(quiet.starts_with("error[a-check]") && !quiet.contains("not exercised"), "{quiet}");
    }
}

#[test]
fn a_refusal_that_was_asked_for_is_no_failure() {
    let failed = |refusals_expected| {
        let coverage =
            Coverage { calls_answered: 10, calls_succeeded: 4, refusals_expected, ..Coverage::default() };
        let report = Report { coverage, ..Report::default() };
        FORMATS[0].render(&report, &Options::default()).contains("most calls failed")
    };
    assert!(failed(0) && failed(1));
    assert!(!failed(2) && !failed(6) && !failed(11));
}
