//! What a peer may send to make redaction slow, or to blind the recording.

use super::*;
use crate::transcript::{Cut, Frame};
use serde_json::json;

const MIB: usize = 1 << 20;
/// Enough for what grows with the square of the length to take minutes, where so many are looked through.
const QUARTER: usize = MIB / 4;

/// A part over and over, up to so many bytes.
fn over(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len())
}

/// Looks through a line; what has been seen before is looked for in it too.
fn look_through(line: &str) {
    let mut redactor = Redactor::default();
    let _ = redactor.line(r#"{"a":{"password":"a1b2c3d4"},"b":{"password":"k1:key:key:"}}"#);
    let _ = redactor.line(line);
}

/// With anything that grows with the square of the length these take minutes, or memory that nobody has.
#[test]
fn a_mebibyte_takes_no_longer_than_another() {
    let name = "n".repeat(MIB / 2);
    for line in [
        format!("{{\"{name}\":[{}1]}}", "1,".repeat(MIB / 4)),
        format!("{{\"{name}password\":[{}1]}}", "\"\",".repeat(MIB / 6)),
        format!("{}{}", "[".repeat(MIB / 2), "]".repeat(MIB / 2)),
        format!("{}{}", "key=".repeat(MIB / 8), "}".repeat(MIB / 2)),
        format!("{}{}", "cookie:".repeat(MIB / 14), " ".repeat(MIB / 2)),
        format!("password={}", "a1".repeat(MIB / 2)),
        format!("key{}", ":".repeat(MIB)),
        over("<redacted ", MIB),
        over("<redacted 1: x>", MIB),
    ] {
        look_through(&line);
    }
}

/// Parts that make a scanner look far ahead or far back.
#[test]
fn what_is_said_over_and_over_is_looked_through_once() {
    for part in [
        "key:", "key=:", "password:", "password=", "password='", "password=\"", "password\\\":\\\"",
        "password=a1", "authorization:", "authorization:a1b2c3d4", "authorization: digest ", "cookie:",
        "cookie:a=", "token=a1b2c3d4", "<redacted ", "<redacted 1: x>", "<redacted 1: x>password=a1b2c3d4 ",
        "<password>", "<password>a", "</password>", "--password ", "--password", "--token \"", "curl -u a:b",
        "curl --user=",
    ] {
        look_through(&over(part, QUARTER));
    }
}

/// The same for parts that stand in a member of a message.
#[test]
fn so_is_what_a_message_says_over_and_over() {
    for part in [
        "-----BEGIN ", "-----END ", "-----BEGIN PRIVATE KEY-----", "eyJ.", "ghp_", "sk-", "://a:b@",
        "a://b:c@d ", "a/", "a=", "%3D", "%41=", "Bearer ", "bearer:", "name=password value=",
        "{\"name\":\"password\",\"value\":\"", "\\", "\\\"", "\"", "'", "key\\\\\\\\\"=\"",
        "hooks.slack.com/services/", "cGFzc3dvcmQ9aHVudGVyMi05MXg/", "é=", "passwordé:",
    ] {
        look_through(&json!({"text": over(part, QUARTER)}).to_string());
    }
}

/// What was under a secret name once, and comes up where it is something else.
#[test]
fn words_of_the_protocol_stay_whatever_stood_under_a_secret_name() {
    let answers = [
        r#"{"jsonrpc":"2.0","id":1,"result":{"secret":"tools/call","password":"password"}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"authorization":"required","x":{"password":"list_notes"}}}"#,
        r#"{"jsonrpc":"2.0","id":3,"result":{"password":12345678,"api_key":"k9-list-n0tes","secret":"r3quired-91"}}"#,
    ];
    let calls = [
        r#"{"jsonrpc":"2.0","id":"k9-list-n0tes","method":"tools/call","params":{"name":"list_notes","arguments":{"x":"required"}}}"#,
        r#"{"jsonrpc":"2.0","id":7,"method":"k9-list-n0tes","params":{"name":"k9-list-n0tes"}}"#,
        r#"{"jsonrpc":"2.0","id":8,"result":{"tools":[{"name":"k9-list-n0tes","inputSchema":{"type":"object","properties":{"password":{"type":"string"},"r3quired-91":{}},"required":["password","r3quired-91"]}}]}}"#,
        r#"{"sha":"12345678aaaa12345678bbbb","see":"a12345678b, tools/call, required, password"}"#,
        r#"[{"jsonrpc":"2.0","id":"r3quired-91","method":"r3quired-91"}]"#,
    ];
    let mut redactor = Redactor::default();
    for answer in answers {
        let left = redactor.line(answer);
        assert!(left.contains("<redacted "), "{left}");
    }
    for call in calls {
        assert_eq!(redactor.line(call), call);
    }
    let echo = redactor.line(r#"{"jsonrpc":"2.0","id":9,"result":{"text":"it was k9-list-n0tes"}}"#);
    assert!(!echo.contains("k9-list"), "{echo}");
    let tool = ToolDef::new(
        "k9-list-n0tes",
        "Takes r3quired-91.",
        json!({"type": "object", "required": ["r3quired-91"]}),
    );
    let left = redactor.tool(&tool);
    assert_eq!(left.name(), "k9-list-n0tes");
    assert!(
        !left.description().contains("r3quired-91") && left.raw().to_string().contains("[\"r3quired-91\"]")
    );
}

#[test]
fn a_key_of_which_each_line_is_a_frame_is_gone_and_what_comes_behind_it_is_not() {
    let begin = format!("-----BEGIN RSA PRIVATE {}-----", "KEY");
    let end = format!("-----END RSA PRIVATE {}-----", "KEY");
    let lines = [
        &*begin,
        "MIIEowIBAAKCAQEAq7Xk2mVw9TzB4nRp6LsD8fGh",
        "abQ7=",
        "listening on 8080",
        &end,
        "listening again",
    ];
    let mut redactor = Redactor::default();
    let mut left = |side, line: &str| {
        let frame = Frame::from_line(side, line.to_owned()).on(Channel::Stderr);
        redactor.frame(frame).line().to_owned()
    };
    let all: Vec<String> = lines
        .iter()
        .map(|line| {
            assert_eq!(
                left(Side::Client, "another stream MIIEowIBAAKCAQEAq7Xk2mVw"),
                "another stream MIIEowIBAAKCAQEAq7Xk2mVw"
            );
            left(Side::Server, line)
        })
        .collect();
    for gone in [0, 1, 2, 4] {
        assert!(all[gone].starts_with("<redacted ") && all[gone].ends_with(": a private key>"), "{all:?}");
    }
    assert_eq!([&*all[3], &*all[5]], ["listening on 8080", "listening again"]);
    let list =
        json!({"lines": [begin, "MIIEowIBAAKCAQEA", "abQ7", end, "listening"], "next": "MIIEowIBAAKCAQEA"});
    let left = Redactor::default().line(&list.to_string()).into_owned();
    let left: Value = serde_json::from_str(&left).unwrap();
    assert!((0..4).all(|at| left["lines"][at].as_str().unwrap().contains("a private key")), "{left}");
    assert_eq!((&left["lines"][4], &left["next"]), (&json!("listening"), &json!("MIIEowIBAAKCAQEA")));
    let text = format!("{begin}\nMIIEow\n{end} and more");
    assert_eq!(Redactor::default().line(&text), "<redacted 1: a private key> and more");
}

#[test]
fn half_a_credential_at_the_edge_of_a_cut_is_gone() {
    let cut = |head: &str, tail: &str| {
        let cut = Cut { bytes: 1 << 21, head: head.to_owned(), tail: tail.to_owned() };
        let left = Redactor::default().frame(Frame::from_cut(Side::Server, cut));
        let left = left.cut().unwrap().clone();
        (left.head, left.tail)
    };
    let key_end = format!("-----END PRIVATE {}-----", "KEY");
    let (head, tail) = cut(
        r#"{"a":"b","db_password":"hunter2-91x","c":"see ghp_16C7e42F292c"#,
        r#"6912E7710c838347Ae178B4a","d":"plain"}"#,
    );
    assert!(!head.contains("hunter2") && !head.contains("16C7e"), "{head}");
    assert!(head.starts_with(r#"{"a":"b","#) && tail.ends_with(r#"","d":"plain"}"#), "{head} {tail}");
    assert!(!tail.contains("6912E"), "{tail}");
    let (_, tail) =
        cut("{", &format!("9TzB4nRp\\nq7Xk2mVw9TzB4nRp6LsD8fGh\\n{key_end}\\n\",\"d\":\"plain\"}}"));
    assert!(!tail.contains("q7Xk2") && tail.ends_with("\\n\",\"d\":\"plain\"}"), "{tail}");
    let (head, _) = cut(r#"{"body":"{\"passwd\": \"correct horse batt"#, "}");
    assert!(!head.contains("horse"), "{head}");
    let (head, tail) = cut(r#"{"a":[1,2,3,4"#, "5,6,7]}");
    assert_eq!((&*head, &*tail), (r#"{"a":[1,2,3,4"#, "5,6,7]}"));
}
