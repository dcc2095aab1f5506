use std::time::Duration;

use serde_json::json;

use frankly_verdict::Severity;
use frankly_verdict::policy::Level;
use frankly_verdict::transcript::SizeBudget;

use super::*;
use crate::config::Consent;

fn parse(text: &str) -> Result<Config, String> {
    Config::parse(Path::new("frankly.toml"), text).map_err(|error| error.to_string())
}

fn server(text: &str) -> Result<Server, String> {
    let look_up = |name: &str| (name == "HERE").then(|| "/here".to_owned());
    parse(text)?.server_with("a", &look_up).map_err(|error| error.to_string())
}

#[test]
fn a_whole_file_is_read() {
    let server = server(
            r#"[servers.b]
command = ["${NOPE}"]
[servers.a]
command = ["${HERE}/ledger", "--all"]
env = { DB = "${HERE}/db" }
sandbox = true
reset = ["${HERE}/seed.sh", "--all"]
budget = { bytes = 25000 }
require = { tools_called = 2 }
timeout = "1500ms"
tools.query = { probe = "mutate", examples = [{ category = "Dining", day = 2026-01-31, in = { n = [1, 2.5] } }] }"#,
        )
        .unwrap();
    assert_eq!(server.command, ["/here/ledger", "--all"]);
    assert_eq!(server.shown, ["${HERE}/ledger", "--all"]);
    assert_eq!(
        (server.env["DB"].as_str(), server.sandbox, server.require.tools_called),
        ("/here/db", true, 2)
    );
    let reset = server.reset.unwrap();
    assert_eq!((reset.command[0].as_str(), reset.shown[0].as_str()), ("/here/seed.sh", "${HERE}/seed.sh"));
    assert_eq!(server.budget, Some(SizeBudget::Bytes(25_000)));
    assert_eq!(server.timeout, Some(Duration::from_millis(1500)));
    assert_eq!(server.tools["query"].probe, Some(Consent::Mutate));
    assert_eq!(
        json!(server.tools["query"].examples),
        json!([{"category": "Dining", "day": "2026-01-31", "in": {"n": [1, 2.5]}}])
    );
}

#[test]
fn slips_are_answered_with_their_place_and_the_right_form() {
    for (line, at, expected) in [
        ("sandbx = true", "3:1", "servers.a has no key `sandbx`; did you mean `sandbox`?"),
        ("args = [\"x\"]", "3:1", "arguments belong in `command`"),
        ("tools.t.probe = \"mutat\"", "3:17", "did you mean `mutate`?"),
        ("tools.t.probe = \"writes\"", "3:17", "it needs servers.a.sandbox = true"),
        ("tools.t = \"mutate\"", "3:11", "write tools.t = { probe = \"mutate\" }"),
        ("tools.t.examples = { a = 1 }", "3:20", "write examples = [{ NAME = VALUE }]"),
        ("tools.t.examples = [{ a = nan }]", "3:27", "nan is no number that JSON has"),
        ("timeout = \"ten\"", "3:11", "is no duration"),
        ("timeout = 10", "3:11", "write timeout = \"10s\""),
        ("timeout = 10s", "3:11", "\"10s\""),
        ("timeout = \"0s\"", "3:11", "nothing answers"),
        ("require = 1", "3:11", "write require = { tools_called = 1 }"),
        ("require = { tools_called = -1 }", "3:28", "cannot be negative"),
        (
            "reset = [\"./seed.sh\"]",
            "3:9",
            "servers.a.reset changes state: it needs servers.a.sandbox = true",
        ),
        ("reset = \"./seed.sh --all\"", "3:9", "write reset = [\"./seed.sh\", \"--all\"]"),
        ("reset = []", "3:9", "servers.a.reset is empty; write reset = [\"./seed.sh\"]"),
        (
            "reset = true",
            "3:9",
            "is true or false, and should be an array of texts; write reset = [\"./seed.sh\"]",
        ),
        ("reset = [\"~/seed.sh\"]", "3:10", "write \"${HOME}/seed.sh\""),
        ("reset = [7]", "3:10", "each word of servers.a.reset is a text; write \"7\""),
        ("budget = 25000", "3:10", "is a number, and should be a table; write budget = { bytes = 25000 }"),
        ("budget = \"25 KB\"", "3:10", "write budget = { bytes = 25000 } or budget = { tokens = 8000 }"),
        ("budget = {}", "3:10", "servers.a.budget states no size; write budget = { bytes"),
        ("budget = { byte = 1 }", "3:12", "servers.a.budget has no key `byte`; did you mean `bytes`?"),
        ("budget = { bytes = 0 }", "3:20", "servers.a.budget.bytes is 0"),
        ("budget = { bytes = \"9\" }", "3:20", "is a text, and should be a number"),
        ("budget = { bytes = 1, tokens = 1 }", "3:10", "states both bytes and tokens"),
        ("sandbox = \"true\"", "3:11", "write sandbox = true"),
        ("sandbox = yes", "3:11", "; write true or false"),
        ("command = [\"y\"]", "3:1", "duplicate key `command`: write it once"),
        ("tools.t.probe = mutate", "3:17", "a text stands in quotes: \"mutate\""),
        ("env = { PORT = 80 }", "3:16", "write PORT = \"80\""),
        ("env = { DB = \"~/db\" }", "3:14", "write \"${HOME}/db\""),
        ("env = { DB = \"$HOME/db\" }", "3:14", "write \"${HOME}/db\""),
    ] {
        let error = server(&format!("[servers.a]\ncommand = [\"x\"]\n{line}\n")).unwrap_err();
        assert!(error.starts_with(&format!("frankly.toml:{at}: ")), "{line}: {error}");
        assert!(error.contains(expected), "{line}: {error}");
        assert!(!error.contains("expected a") && !error.contains("struct"), "{line}: {error}");
    }
}

#[test]
fn a_command_is_an_array_of_words_for_no_shell() {
    for (line, expected) in [
        ("command = \"node x\"", "write command = [\"node\", \"x\"]"),
        ("command = []", "frankly.toml:2:11: servers.a.command is empty"),
        ("command = [\"node\", 8080]", "write \"8080\""),
        ("command = [\"~/server\"]", "write \"${HOME}/server\""),
        ("command = [\"$HOME/server\"]", "write \"${HOME}/server\""),
        ("command = [node]", "\"node\""),
        ("", "servers.a has neither `command` nor `url`"),
    ] {
        let error = server(&format!("[servers.a]\n{line}\n")).unwrap_err();
        assert!(error.contains(expected), "{line}: {error}");
    }
    assert!(server("[servers.a]\ncommand = [\"sh\", \"-c\", \"$X --all\", \"a~\", \"$1\"]\n").is_ok());
}

#[test]
fn a_server_has_a_command_or_an_address() {
    let server = |lines: &str| server(&format!("[servers.a]\n{lines}\n"));
    let read = server(
            "url = \"http://h${HERE}\"\nheaders = { Authorization = \"Bearer ${HERE}\" }\nrevision = \"2026-07-28\"",
        )
        .unwrap();
    assert_eq!(read.url.as_deref(), Some("http://h/here"));
    assert_eq!(read.headers["Authorization"], "Bearer /here");
    assert_eq!((read.shown, read.stateless), (vec!["http://h${HERE}".to_owned()], true));
    let identities = "identities = { a = { headers = { K = \"${HERE}\" } }, b = { tenant = \"acme\" } }";
    let read = server(&format!("url = \"http://h\"\n{identities}")).unwrap().identities;
    assert_eq!((read["a"].headers["K"].as_str(), read["a"].tenant.as_str()), ("/here", "a"));
    assert_eq!(read["b"].tenant, "acme");
    for (lines, at, expected) in [
        ("url = \"http://h\"\ncommand = [\"x\"]", "2:1", "has both `command` and `url`"),
        ("url = \"h/mcp\"", "2:7", "servers.a.url = \"h/mcp\" is no address of http or https; write url = "),
        ("url = [\"http://h\"]", "2:7", "is an array, and should be a text"),
        ("url = \"http://h\"\nenv = { A = \"b\" }", "3:1", "`env` only beside `command`"),
        ("command = [\"x\"]\nheaders = { A = \"b\" }", "3:1", "`headers` only beside `url`"),
        ("url = \"http://h\"\nheaders = { A = \"Bearer $TOKEN\" }", "3:17", "write \"${TOKEN}\""),
        ("url = \"http://h\"\nheaders = { A = 1 }", "3:17", "is a number, and should be a text"),
        (
            "url = \"http://h\"\nidentities = { a = { env = { A = \"b\" } }, b = {} }",
            "3:22",
            "servers.a.identities.a.env does not go with this server; write identities.NAME = { headers",
        ),
        (
            "url = \"http://h\"\nidentities = { a = {} }",
            "3:14",
            "names fewer than two, and one is compared with another",
        ),
        (
            "command = [\"x\"]\nidentities = { a = { tenants = \"b\" }, b = {} }",
            "3:22",
            "did you mean `tenant`?",
        ),
        ("url = \"http://h\"\nrevision = \"2024-01-01\"", "3:12", "is not spoken here"),
        ("uri = \"http://h\"", "2:1", "did you mean `url`?"),
    ] {
        let error = server(lines).unwrap_err();
        assert!(error.starts_with(&format!("frankly.toml:{at}: ")), "{lines}: {error}");
        assert!(error.contains(expected), "{lines}: {error}");
    }
    let error = server("url = \"http://h\"\nheaders = { A = \"Bearer ${NOPE}\" }").unwrap_err();
    assert!(error.contains("the environment variable NOPE is not set (servers.a needs it)"), "{error}");
}

#[test]
fn a_file_without_servers_says_what_to_write() {
    for text in ["", "[servers]\n", "# nothing\n"] {
        let error = server(text).unwrap_err();
        assert!(error.contains("has no servers") && error.contains("[servers.my-server]"), "{error}");
    }
    assert!(parse("[server.a]\n").unwrap_err().contains("did you mean `servers`?"));
    assert!(parse("servers.a = \"node\"\n").unwrap_err().contains("write [servers.a]"));
}

#[test]
fn what_is_decided_about_findings_is_read_with_its_place() {
    let text = "[rules]\n\"no-limit\" = \"error\"\nopen-object = \"off\"\n\n[[allow]]\nrule = \"stringly-typed\"\n\
            server = \"a\"\ntool = \"run_sql\"\nreason = \"SQL\"\n[servers.a]\ncommand = [\"x\"]\n";
    let policy = parse(text).unwrap().policy;
    assert_eq!(policy.levels["no-limit"], Level::Weighs(Severity::Error));
    assert_eq!(policy.levels["open-object"], Level::Off);
    let allow = &policy.allows[0];
    assert_eq!((allow.tool.as_deref(), allow.pointer.as_deref()), (Some("run_sql"), None));
    assert_eq!(allow.place.to_string(), "frankly.toml:5:1");
    for (text, at, expected) in [
        ("[rules]\nno-limits = \"off\"\n", "2:1", "no rule or check \"no-limits\"; did you mean `no-limit`?"),
        (
            "[rules]\nno-limit = \"warn\"\n",
            "2:12",
            "rules.no-limit = \"warn\" is no level; did you mean \"warning\"?",
        ),
        ("[rules]\nno-limit = true\n", "2:12", "write \"no-limit\" = \"warning\""),
        ("[rules]\n  \"died\" = \"off\"\n", "2:3", "no rule or check"),
        ("rules = 1\n", "1:9", "write [rules]"),
        ("allow = 1\n", "1:9", "write [[allow]]"),
        ("[[allow]]\nrule = \"no-limit\"\n", "1:1", "allow[0] says no reason"),
        ("[[allow]]\nrule = \"no-limit\"\nreason = \" \"\n", "1:1", "allow[0] says no reason"),
        ("[[allow]]\nreason = \"r\"\n", "1:1", "allow[0] names no rule"),
        ("[[allow]]\nrule = \"no-limt\"\nreason = \"r\"\n", "2:8", "did you mean `no-limit`?"),
        ("[[allow]]\nrul = \"no-limit\"\n", "2:1", "did you mean `rule`?"),
        ("[[allow]]\nrule = 1\n", "2:8", "is a number, and should be a text"),
        (
            "[[allow]]\nrule = \"no-limit\"\nreason = \"r\"\nserver = \"legder\"\n[servers.ledger]\ncommand = [\"x\"]\n",
            "4:10",
            "did you mean `ledger`?",
        ),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.starts_with(&format!("frankly.toml:{at}: ")), "{text}: {error}");
        assert!(error.contains(expected), "{text}: {error}");
    }
    for file in ["tools.json", "ledger.json", "./ledger"] {
        let other = format!(
            "[[allow]]\nrule = \"no-limit\"\nreason = \"r\"\nserver = \"{file}\"\n[servers.ledger]\ncommand = [\"x\"]\n"
        );
        assert!(parse(&other).is_ok(), "{file} is a file, whatever the server is called");
    }
}

#[test]
fn variables_are_filled_in_only_for_the_server_that_is_asked_for() {
    let error = server("[servers.a]\ncommand = [\"${NOPE}\"]\n").unwrap_err();
    assert_eq!(
        error,
        "frankly.toml: the environment variable NOPE is not set (servers.a needs it); set it, or write the value"
    );
    assert!(server("[servers.a]\ncommand = [\"x\"]\n[servers.b]\ncommand = [\"${NOPE}\"]\n").is_ok());
    let error = server("[servers.aa]\ncommand = [\"x\"]\n").unwrap_err();
    assert!(error.starts_with("frankly.toml has no server \"a\"; "), "{error}");
}

#[test]
fn the_context_of_recorded_calls_is_taken_from_where_it_is_or_says_what_to_write() {
    let with = |kind: &str, context: &str| server(&format!("[servers.a]\n{kind}\ncontext = {context}"));
    let (command, url) = ("command = [\"x\"]", "url = \"http://h/mcp\"");
    let read = with(url, r#"{ tenant = "header:x-tenant", user = "meta:com.example/user" }"#).unwrap();
    assert_eq!(
        (read.context["tenant"].as_str(), read.context["user"].as_str()),
        ("header:x-tenant", "meta:com.example/user")
    );
    // What the environment says is asked for when something is recorded.
    assert!(with(command, r#"{ user = "env:NOT_SET_HERE" }"#).is_ok());
    for (kind, context, told) in [
        (command, "\"meta:tenant\"", "3:11: servers.a.context is a text, and should be a table"),
        (command, "{ tenant = 3 }", "write \"tenant\" = \"meta:tenant\""),
        (
            command,
            r#"{ tenant = "mata:t" }"#,
            "3:22: servers.a.context.tenant cannot be taken from \"mata:t\"; did you mean `meta:t`?",
        ),
        (command, r#"{ tenant = "cookie:t" }"#, "write env:TENANT, meta:tenant or header:x-tenant"),
        (command, r#"{ tenant = "header:t" }"#, "a server that is started gets none; write context = "),
    ] {
        let error = with(kind, context).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
    assert!(
        server("[servers.a]\ncommand = [\"x\"]\ncontxt = {}")
            .unwrap_err()
            .contains("did you mean `context`?")
    );
}
