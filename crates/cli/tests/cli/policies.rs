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

/// What a report says of entries, each with its place, what is wrong and what to do.
fn entries(report: &serde_json::Value) -> Vec<String> {
    let findings = report["findings"].as_array().unwrap().iter();
    let of_entries = findings.filter(|finding| finding["rule"] == "stale-allow");
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    of_entries
        .map(|finding| [&finding["pointer"], &finding["what"], &finding["next"]].map(text).join(": "))
        .collect()
}

fn allow(rule: &str, server: Option<&str>, tool: Option<&str>) -> String {
    let name =
        |key: &str, name: Option<&str>| name.map(|name| format!("{key} = {name:?}\n")).unwrap_or_default();
    format!("[[allow]]\nrule = {rule:?}\n{}{}reason = \"r\"\n", name("server", server), name("tool", tool))
}

#[test]
fn a_slip_in_an_entry_is_answered_with_what_was_meant() {
    for (server, tool, expected) in [
        (Some("tools.json"), Some("snyc"), &["names the tool `snyc`", "write `sync`"][..]),
        (None, Some("snyc"), &[]),
        (
            Some("tools.json"),
            Some("other"),
            &["on `tools.json` names the tool `other`", "name a tool that is listed"],
        ),
        (None, Some("other"), &[]),
        (
            Some("tool.json"),
            Some("sync"),
            &["names `tool.json`, which is no server and no file", "write `tools.json`"],
        ),
        (Some("orders.json"), None, &[]),
        (Some("client"), None, &[]),
    ] {
        // What is no rule but a check is answered too, although no call was made.
        for rule in ["missing-description", "silent-truncation"] {
            let place = place(&allow(rule, server, tool));
            place.write("orders.json", "[]");
            place.write(".mcp.json", r#"{"mcpServers": {"client": {"command": "x"}}}"#);
            let (_, found) = report(&place, &[]);
            let told = entries(&found);
            assert_eq!(told.len(), usize::from(!expected.is_empty()), "{rule} {server:?} {tool:?}: {told:?}");
            for words in expected {
                assert!(told[0].contains(words), "{rule} {server:?} {tool:?}: {told:?}");
            }
            let (_, found) = report(&place, &["--ignore", rule]);
            assert!(entries(&found).is_empty(), "what is ignored is not looked at");
        }
    }
}

#[test]
fn an_entry_is_stale_only_where_all_that_it_may_be_about_was_looked_at() {
    let servers = super::ledger("") + "[servers.other]\ncommand = [\"/does/not/exist\"]\n";
    let toml = |entry: &str, servers: &str| format!("{entry}{servers}");
    let everywhere = allow("stringly-typed", None, None);
    let a_tool = allow("stringly-typed", None, Some("list_categories"));
    let stale = |toml: &str, arguments: &[&str]| {
        let (_, text) = Place::with_config(toml).run(&[arguments, &["--format", "json"]].concat());
        entries(&serde_json::from_str(&text).unwrap()).len()
    };
    for entry in [&everywhere, &a_tool] {
        assert_eq!(stale(&toml(entry, &servers), &["lint", "ledger"]), 0, "another server was left out");
        assert_eq!(stale(&toml(entry, &servers), &["check"]), 0, "another server did not come up");
        assert_eq!(stale(&toml(entry, &super::ledger("")), &["check"]), 1, "this is all");
    }
    let other = allow("stringly-typed", Some("other"), None);
    assert_eq!(stale(&toml(&other, &servers), &["lint", "ledger"]), 0);
    let this = allow("stringly-typed", Some("ledger"), Some("list_categories"));
    assert_eq!(stale(&toml(&this, &servers), &["lint", "ledger"]), 1);
    let check = allow("silent-truncation", Some("ledger"), Some("query_transactions"));
    assert_eq!(stale(&toml(&check, &servers), &["probe", "ledger"]), 1, "it was called, and is honest");
    assert_eq!(stale(&toml(&check, &servers), &["lint", "ledger"]), 0);
}

#[test]
fn an_entry_names_a_file_by_its_path_its_name_or_as_it_lies_beside_the_configuration() {
    for server in ["defs/tools.json", "./defs/tools.json", "tools.json", "link.json"] {
        let place = Place::with_config(&allow("missing-description", Some(server), Some("sync")));
        std::fs::create_dir(place.path().join("defs")).unwrap();
        place.write("defs/tools.json", TOOLS);
        std::os::unix::fs::symlink("defs/tools.json", place.path().join("link.json")).unwrap();
        for named in ["defs/tools.json", "./defs/tools.json", "defs"] {
            let (code, text) = place.run(&["lint", named, "--format", "json"]);
            let found: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert_eq!((code, found["summary"]["allowed"].as_u64()), (Some(0), Some(1)), "{server} {named}");
            assert!(entries(&found).is_empty(), "{server} {named}");
        }
    }
    let place = Place::empty();
    std::fs::create_dir(place.path().join("conf")).unwrap();
    place.write("conf/tools.json", TOOLS);
    place.write("conf/frankly.toml", &allow("missing-description", Some("tools.json"), Some("sync")));
    let (_, found) = report_of(&place, &["lint", "conf/tools.json", "--config", "conf/frankly.toml"]);
    assert_eq!(found["summary"]["allowed"], 1);
    let (_, text) = place.run(&["lint", "conf/tools.json", "--config", "conf/none.toml"]);
    assert_eq!(text, "", "a configuration that is named and not there is an error");
}

fn report_of(place: &Place, arguments: &[&str]) -> (Option<i32>, serde_json::Value) {
    let (code, text) = place.run(&[arguments, &["--format", "json"]].concat());
    (code, serde_json::from_str(&text).unwrap())
}

#[test]
fn an_entry_for_two_files_of_one_name_is_stale_where_neither_has_it() {
    let place = Place::with_config(
        &(allow("missing-description", Some("tools.json"), Some("sync"))
            + &allow("no-limit", Some("tools.json"), Some("sync"))
            + &allow("no-limit", Some("tools.json"), Some("run_sql"))),
    );
    for directory in ["a", "b"] {
        std::fs::create_dir(place.path().join(directory)).unwrap();
    }
    place.write("a/tools.json", TOOLS);
    place.write(
        "b/tools.json",
        &TOOLS.replace("\"sync\",", "\"sync\", \"description\": \"Brings both sides together.\","),
    );
    let (_, found) =
        report_of(&place, &["lint", "a/tools.json", "b/tools.json", "--prefix", "mcp__{server}__"]);
    let told = entries(&found);
    assert_eq!(told.len(), 2, "each once: {told:?}");
    assert!(told[0].starts_with("/allow/1: ") && told[1].starts_with("/allow/2: "), "{told:?}");
    let (_, human) = place.run(&["lint", "a/tools.json", "b/tools.json"]);
    assert!(human.contains("warning[stale-allow] frankly.toml · sync\n"), "{human}");
    assert!(
        human.contains("what     the [[allow]] of `no-limit` on `tools.json` `sync` matches nothing"),
        "{human}"
    );
    assert!(human.contains("also at  run_sql frankly.toml:11:1 /allow/2"), "{human}");
}
