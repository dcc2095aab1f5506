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

#[test]
fn a_line_that_nobody_can_read_is_shown_repair_by_repair() {
    let place = Place::empty();
    let document: serde_json::Value = serde_json::from_str(TOOLS).unwrap();
    let padded = document.to_string().replace("newest first", &"newest first ".repeat(100));
    place.write("tools.json", &padded);
    let (_, shown) = place.run(&["lint", "tools.json", "--fix", "--select", "open-object"]);
    assert_eq!(shown, "tools.json: list_orders /parameters: additionalProperties = false\n");
}
