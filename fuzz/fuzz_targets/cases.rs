//! Any text as a file of contract cases: an error stands inside the file, and what was read can be filled in and held against an answer.

#![no_main]

use frankly_contract::ToolResult;
use frankly_verdict::case::{CaseFile, ErrorShape, Observed, Variables, updated};
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|text: &str| {
    let file = match CaseFile::parse("a.yaml", text) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.place.line <= text.split('\n').count() + 1, "{error} is not in the file");
            assert!(error.place.line > 0 && error.place.column > 0 && !error.what.is_empty());
            return;
        }
    };
    let answer = Ok(ToolResult::text(json!({"items": [{"id": 1}], "note": "ä"}).to_string()));
    let Ok(observed) = Observed::of(&answer, &ErrorShape::default()) else { return };
    for case in &file.cases {
        if let Ok(expect) = case.expect(&Variables::new()) {
            drop(expect.misses(&observed));
        }
    }
    let seen = file.cases.iter().map(|case| (case.name.clone(), observed.clone())).collect();
    if let Ok(new) = updated(&file, text, &seen) {
        assert!(CaseFile::parse("a.yaml", &new).is_ok(), "what was written cannot be read");
    }
});
