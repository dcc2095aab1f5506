//! Definition files under several names, from pipes, and with something odd in them.

use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::{Output, Stdio};

use super::{Place, ledger};

const TOOLS: &str = r#"[
  {"name": "list_orders", "description": "Lists orders, newest first.", "inputSchema": {"type": "object",
    "properties": {"state": {"type": "string", "description": "Such as open or done."}}}}
]
"#;

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// `frankly` with these arguments and this on standard input.
fn fed(place: &Place, arguments: &[&str], input: &str) -> Output {
    let mut command = place.frankly(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // Who does not read it may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// A place with one file under many names, and another that says the same.
fn many_names() -> Place {
    let place = Place::empty();
    std::fs::create_dir(place.path().join("tools")).unwrap();
    place.write("tools/a.json", TOOLS);
    symlink("tools/a.json", place.path().join("link.json")).unwrap();
    std::fs::hard_link(place.path().join("tools/a.json"), place.path().join("hard.json")).unwrap();
    place.write("copy.json", TOOLS);
    place
}

#[test]
fn a_file_is_looked_at_and_repaired_once_however_it_is_named() {
    let second =
        ["tools/a.json", "./tools/a.json", "tools/../tools/a.json", "tools", "link.json", "hard.json"];
    for second in second {
        let place = many_names();
        let named = ["tools/a.json", second];
        let (_, report) = place.run(&[&["lint", "--format", "json"], &named[..]].concat());
        assert!(report.contains("\"listed\": 1"), "{second}: {report}");
        assert!(!report.contains("name-collision") && !report.contains("duplicate-definitions"), "{report}");
        let output = place.frankly(&[&["lint", "--fix"], &named[..]].concat()).output().unwrap();
        assert_eq!(text(&output.stdout).matches("--- ").count(), 1, "{second}");
        let output = place.frankly(&[&["lint", "--fix", "--write"], &named[..]].concat()).output().unwrap();
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{second}: {told}");
        assert_eq!(told.matches("looked at once").count(), 1, "{second}: {told}");
        assert!(place.read("tools/a.json").contains("additionalProperties"), "{second}");
    }
    let (_, report) = many_names().run(&["lint", "tools/a.json", "copy.json", "--format", "json"]);
    assert!(report.contains("\"listed\": 2"), "a copy is another file: {report}");
}

#[test]
fn a_server_is_looked_at_once_however_often_it_is_named() {
    let place = Place::with_config(&ledger(""));
    for command in ["lint", "check"] {
        let output = place.frankly(&[command, "ledger", "ledger"]).output().unwrap();
        assert!(text(&output.stdout).contains("8 tools listed"), "{}", text(&output.stdout));
        assert_eq!(text(&output.stderr), "ledger is named twice, and is looked at once\n");
    }
}

#[test]
fn definitions_may_come_through_standard_input_and_pipes() {
    let place = Place::empty();
    let is_here = |name: &&str| *name == "-" || std::fs::metadata(name).is_ok();
    for name in ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].into_iter().filter(is_here) {
        let output = fed(&place, &["lint", name, "--select", "open-object", "--format", "json"], TOOLS);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains("\"listed\": 1"), "{name}");
        let output = fed(&place, &["lint", name, "--fix"], TOOLS);
        assert!(text(&output.stdout).contains("+++ "), "{name}: {}", text(&output.stderr));
        let output = fed(&place, &["lint", name, "--fix", "--write"], TOOLS);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {error}");
        assert!(error.contains("is read as it comes and cannot be written back"), "{name}: {error}");
        for command in [&["probe", name][..], &["call", name, "t"]] {
            assert_eq!(fed(&place, command, TOOLS).status.code(), Some(2), "{command:?}");
        }
    }
    let output = fed(&place, &["lint", "-", "-v", "--color", "never"], TOOLS);
    assert!(text(&output.stdout).contains("<stdin>:2:"), "{}", text(&output.stdout));
    let output = fed(&place, &["lint", "-", "/dev/stdin"], TOOLS);
    assert!(text(&output.stderr).contains("looked at once"), "{}", text(&output.stderr));
    let output = fed(&place, &["lint", "-"], "");
    assert!(text(&output.stderr).contains("<stdin>: not JSON"), "{}", text(&output.stderr));
}

#[test]
fn standard_input_that_is_a_file_is_read_and_left_as_it_is() {
    let place = Place::empty();
    place.write("a.json", TOOLS);
    for name in ["-", "/dev/stdin"] {
        let input = std::fs::File::open(place.path().join("a.json")).unwrap();
        let output = place.frankly(&["lint", name, "--fix", "--write"]).stdin(input).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert_eq!(place.read("a.json"), TOOLS);
        let input = std::fs::File::open(place.path().join("a.json")).unwrap();
        let output = place.frankly(&["lint", "a.json", name]).stdin(input).output().unwrap();
        assert!(text(&output.stderr).contains("is the same file as a.json"), "{}", text(&output.stderr));
    }
}

#[test]
fn a_pipe_with_a_name_is_read_to_its_end_and_not_beyond_what_a_server_may_send() {
    let place = Place::empty();
    let made = std::process::Command::new("mkfifo").arg(place.path().join("pipe.json")).status().unwrap();
    assert!(made.success());
    let path = place.path().join("pipe.json");
    let writer = std::thread::spawn(move || std::fs::write(path, TOOLS).unwrap());
    let (code, report) = place.run(&["lint", "pipe.json", "--format", "json"]);
    assert!(code == Some(0) && report.contains("\"listed\": 1"), "{report}");
    writer.join().unwrap();
    let (code, _) = place.run(&["lint", "."]);
    assert_eq!(code, Some(2), "a directory is searched for files, and nobody writes into this pipe");
    let output = place.frankly(&["lint", "/dev/zero"]).output().unwrap();
    assert!(text(&output.stderr).contains("/dev/zero has more than 64 MiB"), "{}", text(&output.stderr));
    let config = r#"{"mcpServers": {"desk": {"command": "none-of-these"}}}"#;
    let output = fed(&place, &["lint", "desk", "--config", "/dev/stdin"], config);
    assert!(text(&output.stdout).contains("none-of-these"), "{}", text(&output.stderr));
}

#[test]
fn a_name_that_stands_twice_is_told() {
    let place = Place::empty();
    place.write(
        "a.json",
        "{\"tools\": [],\n \"tools\": [{\"name\": \"t\", \"inputSchema\": {\"type\": \"object\"}}]}",
    );
    let output = place.frankly(&["lint", "a.json"]).output().unwrap();
    assert_eq!(
        text(&output.stderr),
        "a.json:2:2: \"tools\" stands twice in one object, and only the last of them counts; leave one out\n"
    );
    place.write("a.json", &format!("{{{}\"tools\": []}}", "\"a\": 1, ".repeat(9)));
    let told = text(&place.frankly(&["lint", "a.json"]).output().unwrap().stderr);
    assert!(told.ends_with("a.json: 5 more stand there twice\n"), "{told}");
    place.write("a.json", TOOLS);
    assert_eq!(text(&place.frankly(&["lint", "a.json"]).output().unwrap().stderr), "");
}

#[test]
fn a_configuration_is_answered_with_how_to_name_a_server_of_it() {
    let place = Place::with_config("[servers.book]\ncommand = [\"x\"]\n");
    let servers =
        r#"{/* a client's */ "mcpServers": {"my desk": {"command": "x"}, "far": {"url": "http://h"}}}"#;
    place.write(".mcp.json", &servers.replace("/* a client's */ ", ""));
    place.write("my client.json", servers);
    place.write("package.json", r#"{"name": "x"}"#);
    for (file, expected) in [
        (
            ".mcp.json",
            "error: .mcp.json is a client's configuration, which has servers and no definitions: name a server instead of \
             the file, as `far`; servers there: far, my desk\n",
        ),
        ("./.mcp.json", "as `far`; servers there: far, my desk\n"),
        ("my client.json", "as `far --config 'my client.json'`; servers there"),
        ("frankly.toml", "frankly.toml is frankly's own configuration, which has servers and no definitions"),
    ] {
        for command in [&["lint", file][..], &["probe", file], &["call", file, "t"]] {
            let output = place.frankly(command).output().unwrap();
            assert_eq!(output.status.code(), Some(2));
            assert!(text(&output.stderr).contains(expected), "{command:?}: {}", text(&output.stderr));
        }
    }
    let output = place.frankly(&["lint", "package.json"]).output().unwrap();
    assert!(text(&output.stderr).contains("neither an array of tools"), "{}", text(&output.stderr));
}
