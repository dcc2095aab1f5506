//! `frankly lint --fix`.

use insta_cmd::assert_cmd_snapshot;

use super::Place;

const TOOLS: &str = r#"{
  "tools": [
    {
      "name": "list_orders",
      "description": "Lists orders, newest first.",
      "x-owner": { "team": 7, "share": 1.50, "id": 12345678901234567890123 },
      "parameters": {
        "properties": {
          "limit": { "type": "integer", "description": "How many, max 200 (default: 50)." },
          "state": { "type": "string", "enum": ["open", 1, true] }
        }
      }
    }
  ]
}
"#;

#[test]
fn repairs_are_shown_then_made_and_the_rest_of_the_file_survives() {
    let place = Place::empty();
    place.write("tools.json", TOOLS);
    assert_cmd_snapshot!(place.frankly(&["lint", "tools.json", "--fix"]));
    assert_eq!(place.read("tools.json"), TOOLS, "showing changes nothing");
    let (code, report) = place.run(&["lint", "tools.json", "--fix", "--write"]);
    assert_eq!(code, Some(0), "{report}");
    insta::assert_snapshot!(place.read("tools.json"));
    let (_, nothing) = place.run(&["lint", "tools.json", "--fix"]);
    assert_eq!(nothing, "", "what was repaired is not repaired again");
}

#[test]
fn line_ends_and_the_byte_order_mark_survive() {
    let place = Place::empty();
    let text = format!("\u{feff}{}", TOOLS.replace('\n', "\r\n"));
    place.write("tools.json", &text);
    place.run(&["lint", "tools.json", "--fix", "--write"]);
    let mended = place.read("tools.json");
    assert!(mended.starts_with('\u{feff}') && mended.len() > text.len());
    assert_eq!(mended.matches('\n').count(), mended.matches("\r\n").count());
}

#[test]
fn what_the_user_lets_pass_is_not_repaired() {
    let place = Place::with_config(
        "[rules]\nopen-object = \"off\"\n[[allow]]\nrule = \"default-drift\"\nreason = \"r\"\n",
    );
    place.write("tools.json", TOOLS);
    let (code, diff) = place.run(&["lint", "tools.json", "--fix", "--ignore", "bad-schema"]);
    assert_eq!((code, diff.as_str()), (Some(0), ""));
    assert_eq!(place.run(&["lint", "--fix", "--", "true"]).0, Some(2), "a server cannot be repaired");
    assert_eq!(
        place.run(&["lint", "tools.json", "--fix", "--format", "json"]).0,
        Some(2),
        "a diff is no JSON"
    );
    assert_eq!(
        place.run(&["lint", "tools.json", "http://x:y/", "--fix"]).0,
        Some(2),
        "an address that is none"
    );
}

/// What applies a diff: the rules of the format, and programs where they are installed.
const APPLIERS: [&[&str]; 3] = [&[], &["patch", "-p0"], &["git", "apply", "-p0"]];

/// What a file becomes with the diff that is shown, and what frankly makes of it.
fn applied(name: &str, text: &str, program: &[&str]) -> (String, String) {
    let place = Place::empty();
    place.write(name, text);
    let diff = place.frankly(&["lint", name, "--fix"]).output().unwrap().stdout;
    let diff = String::from_utf8(diff).unwrap();
    place.write("the.diff", &diff);
    let patched = match program.split_first() {
        None => by_the_rules(text, &diff),
        Some((program, arguments)) => {
            let input = std::fs::File::open(place.path().join("the.diff")).unwrap();
            let mut command = std::process::Command::new(program);
            match command.args(arguments).current_dir(place.path()).stdin(input).output() {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => by_the_rules(text, &diff),
                output => {
                    let output = output.unwrap();
                    let told = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
                    assert!(output.status.success(), "{program} {name} {text:?}: {told}{diff}");
                    place.read(name)
                }
            }
        }
    };
    place.write(name, text);
    place.run(&["lint", name, "--fix", "--write"]);
    (patched, place.read(name))
}

/// A text with a unified diff applied to it, line for line.
fn by_the_rules(text: &str, diff: &str) -> String {
    let mut old = text.split_inclusive('\n');
    let (mut at, mut new) = (1, String::new());
    let diff: Vec<&str> = diff.split_inclusive('\n').skip(2).collect();
    for (number, line) in diff.iter().enumerate() {
        if let Some(hunk) = line.strip_prefix("@@ -") {
            let start: usize = hunk.split([',', ' ']).next().unwrap().parse().unwrap();
            while at < start {
                new += old.next().unwrap();
                at += 1;
            }
            continue;
        }
        let ends = !diff.get(number + 1).is_some_and(|next| next.starts_with('\\'));
        let said = if ends { &line[1..] } else { line[1..].strip_suffix('\n').unwrap() };
        if line.starts_with([' ', '-']) {
            assert_eq!(old.next(), Some(said));
            at += 1;
        }
        if line.starts_with([' ', '+']) {
            new += said;
        }
    }
    new + &old.collect::<String>()
}

#[test]
fn the_diff_can_be_applied_whatever_the_file_is_written_with() {
    let joined = TOOLS.replace('\n', " ").replace("newest first", &"newest first ".repeat(100));
    let tabs = TOOLS.replace("  ", "\t").replace("Lists orders", "Lists 👩\u{200d}🔧\u{ad} orders");
    for (form, text) in [
        ("tabs", tabs.clone()),
        ("CRLF", tabs.replace('\n', "\r\n")),
        ("CR alone", tabs.replace('\n', "\r")),
        ("CR at the end", tabs.trim_end().replace('\n', "\r\n") + "\r"),
        ("mixed", tabs.replacen('\n', "\r", 3).replacen('\n', "\r\n", 3)),
        ("no line end", TOOLS.trim_end().to_owned()),
        ("one long line", joined),
        ("a byte order mark", format!("\u{feff}{}", TOOLS.trim_start())),
        ("a byte order mark and one line", format!("\u{feff}{}", TOOLS.replace('\n', " "))),
    ] {
        for program in APPLIERS {
            let (patched, written) = applied("tools.json", &text, program);
            assert_eq!(patched, written, "{form} {program:?}");
            assert_ne!(written, text, "{form}");
        }
    }
    for name in ["a b.json", "é \"q\" \\.json", "a\tb\nc.json", "./a.json"] {
        for program in APPLIERS {
            let (patched, written) = applied(name, &tabs, program);
            assert_eq!(patched, written, "{name} {program:?}");
        }
    }
}

#[test]
fn a_diff_that_cannot_be_applied_says_so() {
    let place = Place::empty();
    place.write("tools.json", &TOOLS.replace("How many", "How\u{7f}\u{9b}31m many"));
    let output = place.frankly(&["lint", "tools.json", "--fix"]).output().unwrap();
    let (diff, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(diff.contains(r"How\u{7f}\u{9b}31m many"), "{diff}");
    assert!(told.starts_with("tools.json: has control characters, which the diff writes out"), "{told}");
}
