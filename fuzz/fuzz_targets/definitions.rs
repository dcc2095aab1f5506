//! Any bytes as a definition file: read as the binary reads one, judged for every target, written in every format.

#![no_main]

use frankly_verdict::lint::cost::{Costs, Dearest};
use frankly_verdict::lint::{Audience, Prefix, RULES, TARGETS, fix, lint_all};
use frankly_verdict::report::{FORMATS, Options, plain};
use frankly_verdict::transcript::{SizeBudget, read_json};
use frankly_verdict::{Coverage, Definitions, Finding, Report, ToolSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some(definitions) = read(bytes) else { return };
    let tools = &definitions.tools;
    // The same tools behind a second server, so that there is something to collide with.
    let sets = [tools.clone(), ToolSet { server: "other.json".to_owned(), ..tools.clone() }];
    for prefix in [Prefix::Unstated, Prefix::Bare, Prefix::read("mcp__{server}__")] {
        let targets = TARGETS.iter().collect();
        let audience = Audience { targets, prefix, budget: Some(SizeBudget::Tokens(50)), ..Audience::default() };
        let mut findings = lint_all(&sets, &audience);
        let repairs = fix::repairs(&definitions, &findings);
        assert!(definitions.mended(&repairs).is_ok(), "a repair does not come out as it should: {repairs:?}");
        definitions.place(&mut findings);
        report(&sets, &audience, findings);
    }
});

/// The definitions, if these bytes are any.
fn read(bytes: &[u8]) -> Option<Definitions> {
    let text = std::str::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let definitions = Definitions::from_document("tools.json", read_json(text).ok()?).ok()?;
    Some(definitions.with_text(text.to_owned()))
}

/// Writes the report in every way, and holds it to what its readers rely on.
fn report(sets: &[ToolSet], audience: &Audience, findings: Vec<Finding>) {
    let tools_listed = sets.iter().map(|set| set.tools.len()).sum();
    let report = Report {
        source: "tools.json".to_owned(),
        coverage: Coverage { tools_listed, rules: RULES.len(), ..Coverage::default() },
        findings,
        costs: Some(Costs::of(sets, audience.tokenizer)),
        dearest: Some(Dearest::of(sets, audience.tokenizer)),
        ..Report::default()
    };
    for format in FORMATS {
        for bits in 0..8 {
            let options = Options { color: bits & 1 != 0, verbose: bits & 2 != 0, quiet: bits & 4 != 0 };
            let text = format.render(&report, &options);
            assert!(text.ends_with('\n'), "{}: no line end at the end", format.name());
            if !options.color {
                assert_harmless(format.name(), &text);
            }
            if format.name() == "json" {
                assert!(read_json(&text).is_ok(), "the JSON report is no JSON:\n{text}");
            }
        }
    }
}

/// No character but a line end that a terminal obeys, or that is not seen.
fn assert_harmless(format: &str, text: &str) {
    for line in text.split('\n') {
        assert_eq!(line, plain(line), "the report as {format} obeys what a tool says");
        assert!(!line.contains(char::is_control), "the report as {format} has a control character");
    }
}
