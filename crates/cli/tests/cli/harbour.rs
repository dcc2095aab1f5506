//! A server that knows nothing of frankly and lies in the shape of what it returns.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::Value;

use crate::Place;

/// What each lie is found as.
const LIES: &[(&str, &str)] = &[
    ("silent-truncation", "list_boats"),
    ("ambiguous-empty", "get_boat"),
    ("ambiguous-empty", "list_trips"),
    ("over-budget", "export_log"),
    ("dead-end-error", "check_berth"),
    ("false-annotation", "boat_status"),
    ("cursor-fault", "list_messages"),
    ("structured-mismatch", "count_boats"),
];

/// The example beside the binary under test: cargo builds both before the tests.
fn harbour() -> PathBuf {
    let target = PathBuf::from(env!("CARGO_BIN_EXE_frankly"));
    target.with_file_name("examples").join(format!("harbour{}", std::env::consts::EXE_SUFFIX))
}

/// What is found on it above information, as rule and tool. It answers one call after the other, which only shows where the
/// machine is slow: that goes by the clock, and is none of its lies.
fn found(arguments: &[&str]) -> BTreeSet<(String, String)> {
    let place = Place::empty();
    let mut command = place.frankly(&[
        "probe", "--sandbox", "--call", "all", "--format", "json", "--fail-on", "never", "--ignore",
        "serial-calls", "--",
    ]);
    let output = command.arg(harbour()).args(arguments).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    findings
        .filter(|finding| finding["severity"] != "info")
        .map(|finding| (text(finding, "rule"), text(finding, "tool")))
        .collect()
}

#[test]
fn each_of_eight_lies_is_found_and_nothing_else() {
    let expected: BTreeSet<_> =
        LIES.iter().map(|(rule, tool)| ((*rule).to_owned(), (*tool).to_owned())).collect();
    assert_eq!(found(&[]), expected);
}

#[test]
fn the_honest_harbour_is_left_alone() {
    assert_eq!(found(&["--honest"]), BTreeSet::new());
}
