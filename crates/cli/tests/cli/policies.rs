//! What users decide about findings in `frankly.toml`: `[rules]` and `[[allow]]`.

use super::Place;

const TOOLS: &str = r#"[
  {"name": "run_sql", "description": "Runs SQL on the orders and returns the rows.", "inputSchema": {"type": "object",
    "properties": {"payload": {"type": "string", "description": "JSON string of the query."}}, "required": ["payload"]}},
  {"name": "sync", "inputSchema": {"type": "object"}}
]"#;

fn place(toml: &str) -> Place {
    let place = Place::with_config(toml);
    place.write("tools.json", TOOLS);
    place
}

fn report(place: &Place, arguments: &[&str]) -> (Option<i32>, serde_json::Value) {
    let (code, text) = place.run(&[&["lint", "tools.json", "--format", "json"], arguments].concat());
    (code, serde_json::from_str(&text).unwrap())
}

fn severities(report: &serde_json::Value, rule: &str) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    let of_rule = findings.filter(|finding| finding["rule"] == rule);
    of_rule.map(|finding| finding["severity"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn rules_weigh_what_the_user_says() {
    let (code, found) = report(&place(""), &[]);
    assert_eq!(code, Some(1), "a tool without a description is an error");
    assert_eq!(severities(&found, "missing-description"), ["error"]);
    assert_eq!(severities(&found, "stringly-typed"), ["warning"]);
    let place = place("[rules]\nmissing-description = \"off\"\n\"stringly-typed\" = \"error\"\n");
    let (code, found) = report(&place, &[]);
    assert_eq!(code, Some(1));
    assert!(severities(&found, "missing-description").is_empty());
    assert_eq!(severities(&found, "stringly-typed"), ["error"]);
    let (code, _) = report(&place, &["--select", "missing-description"]);
    assert_eq!(code, Some(4), "what is off is not looked at, and nothing else was selected");
}

#[test]
fn what_is_allowed_is_counted_and_an_entry_that_matches_nothing_is_reported() {
    let allow = |rule: &str, tool: &str| {
        format!(
            "[[allow]]\nrule = \"{rule}\"\nserver = \"tools.json\"\ntool = \"{tool}\"\nreason = \"r\"\n\n"
        )
    };
    let entries = allow("missing-description", "sync")
        + &allow("stringly-typed", "sync")
        + &allow("silent-truncation", "sync");
    let place = place(&entries);
    let (code, found) = report(&place, &[]);
    assert_eq!((code, found["summary"]["allowed"].as_u64()), (Some(0), Some(1)));
    assert!(severities(&found, "missing-description").is_empty());
    let stale: Vec<_> = found["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["rule"] == "stale-allow")
        .collect();
    assert_eq!(stale.len(), 1, "no check was held against anything, so its entry says nothing: {stale:?}");
    assert_eq!(stale[0]["place"]["line"], 7);
    let (_, human) = place.run(&["lint", "tools.json", "--select", "stringly-typed"]);
    assert!(human.contains("warning[stale-allow] frankly.toml"), "{human}");
    assert!(human.contains("at       frankly.toml:7:1"), "{human}");
    let (_, found) = report(&place, &["--ignore", "stringly-typed"]);
    assert!(severities(&found, "stale-allow").is_empty(), "what is ignored is not exercised");
}
