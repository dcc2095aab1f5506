use super::*;
use crate::transcript::{Cut, Event, Frame, Side, frame_line, header_line, read_recording};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;
use serde_json::json;

fn redacted(line: &str) -> String {
    Redactor::default().line(line).into_owned()
}

#[test]
fn by_the_name_of_what_holds_it_whatever_it_looks_like() {
    for (line, left) in [
        (r#"{"password": "letmein"}"#, r#"{"password": "<redacted 1: a credential by its name>"}"#),
        (
            r#"{"Authorization":"Bearer abc"}"#,
            r#"{"Authorization":"Bearer <redacted 1: a credential by its name>"}"#,
        ),
        (
            r#"{"api-key":["a","b","a"],"x":1.50}"#,
            r#"{"api-key":["<redacted 1: a credential by its name>","<redacted 2: a credential by its name>","<redacted 1: a credential by its name>"],"x":1.50}"#,
        ),
        (r#"{"passwd":123456}"#, r#"{"passwd":"<redacted 1: a credential by its name>"}"#),
        (
            r#"{"text":"{\"client_secret\":\"no\"}"}"#,
            r#"{"text":"{\"client_secret\":\"<redacted 1: a credential by its name>\"}"}"#,
        ),
    ] {
        assert_eq!(redacted(line), left);
    }
}

#[test]
fn what_is_no_credential_stays_byte_for_byte() {
    for line in [
        r#"{"monkey":"bananas", "keyboard":"qwerty-12", "key":"row-1", "max_tokens": 1e3, "keys" : [ "a" ]}"#,
        r#"{"password":"", "secret":null, "cookie":true, "api_key":"${API_KEY}", "token_count":7}"#,
        r#"{"properties":{"password":{"type":"string","description":"At least 8 characters"}}}"#,
        r#"{"id":-1,"method":"tools/call","params":{"name":"monkey","arguments":{"text":"\ud83d\ude00 \u00e9 \/"}}}"#,
        r#"{"half":"\ud83d"}"#,
        "listening on http://127.0.0.1:8080",
        "",
        "{ no json }",
        r#"{"next_cursor":"eyJwYWdlIjoyfQ==","hash":"0f343b0931126a20f133d67c2b018a3b"}"#,
    ] {
        assert!(matches!(Redactor::default().line(line), Cow::Borrowed(_)), "{line}");
    }
}

#[test]
fn what_was_known_by_its_name_is_gone_where_it_has_none() {
    let mut redactor = Redactor::default();
    let _ = redactor.line(r#"{"password":"hunter2-91"}"#);
    let echo = redactor.line("cannot log in with hunter2-91, sorry");
    assert_eq!(echo, "cannot log in with <redacted 1: a credential by its name>, sorry");
}

#[test]
fn a_number_that_stands_there_is_not_given_again() {
    let before = r#"{"password":"<redacted 7: a credential by its name>"}"#;
    let mut redactor = Redactor::default().going_on_from(before);
    assert_eq!(redactor.line(before), before);
    assert_eq!(
        redactor.line(r#"{"password":"x"}"#),
        r#"{"password":"<redacted 8: a credential by its name>"}"#
    );
}

#[test]
fn beside_the_messages_too_and_a_frame_stays_what_it_was() {
    let url = "postgres://app:hunter2-91@db/x";
    let frames = [
        Frame::from_line(Side::Client, json!({"id": 1, "method": url}).to_string()).at(7),
        Frame::from_line(Side::Client, "{}".to_owned())
            .with_context(json!({"tenant": "acme", "access_token": "q9"})),
        Frame::from_bytes(Side::Server, [url.as_bytes(), b" \xff"].concat())
            .on(crate::transcript::Channel::Stderr),
        Frame::from_cut(
            Side::Server,
            Cut { bytes: 1 << 21, head: format!("{{\"a\":\"{url} "), tail: url.to_owned() },
        ),
        Frame::from_event(
            Side::Server,
            Event { name: "exit".to_owned(), details: json!({"why": url}).as_object().cloned().unwrap() },
        ),
    ];
    let mut redactor = Redactor::default();
    for frame in frames {
        let left = redactor.frame(frame.clone());
        let line = frame_line(&left);
        assert!(!line.contains("hunter2") && !line.contains("q9"), "{line}");
        let what = |frame: &Frame| {
            (
                frame.from(),
                frame.channel(),
                frame.at_ms(),
                frame.flaw(),
                frame.event().is_some(),
                frame.bytes() > 1 << 20,
            )
        };
        assert_eq!(what(&left), what(&frame));
    }
}

#[test]
fn a_pattern_that_would_leave_nothing_is_refused() {
    assert_eq!(
        Redactor::new(&["("]).unwrap_err().to_string(),
        "the pattern `(` cannot be read: unclosed group"
    );
    let mut redactor = Redactor::new(&["red"]).unwrap();
    let once = redactor.line("a red thing").into_owned();
    assert_eq!(once, "a <redacted 1: a match of your pattern> thing");
    assert_eq!(redactor.line(&once), once);
}

/// Credentials that nobody has, each with a part that must not be left.
fn secret() -> impl Strategy<Value = (String, String)> {
    let word = |length: usize| {
        proptest::string::string_regex(&format!("[a-z][A-Z][0-9][a-zA-Z0-9]{{{length}}}")).unwrap()
    };
    prop_oneof![
        word(33).prop_map(|part| (format!("ghp_{part}"), part)),
        word(18).prop_map(|part| (format!("sk-{part}"), part)),
        word(12).prop_map(|part| (format!("postgres://app:{part}@db.example.org/x"), part)),
        word(40).prop_map(|part| (format!("eyJhbGciOi.eyJzdWIiOj.{part}"), part)),
        word(12).prop_map(|part| (format!("Authorization: Bearer {part}"), part)),
        word(12).prop_map(|part| (format!("PGPASSWORD={part}"), part)),
        word(12).prop_map(|part| (json!({"deep": [{"client_secret": part}]}).to_string(), part)),
        word(30).prop_map(|part| (format!("-----BEGIN PRIVATE KEY-----\n{part}"), part)),
        word(12).prop_map(|part| (format!("run --password {part}"), part)),
        word(12).prop_map(|part| (format!("<client_secret>{part}</client_secret>"), part)),
        word(12).prop_map(|part| (format!("log {{\\\"db_password\\\": \\\"{part}\\\""), part)),
        word(20).prop_map(|part| (format!("GITHUB_TOKEN={part}"), part)),
        word(20).prop_map(|part| (format!("Cookie: sid={part}; a=b"), part)),
        word(36).prop_map(|part| (format!("https://hooks.slack.com/services/T0/B0/{part}"), part)),
    ]
}

/// The ways in which a text gets into a message.
fn wrapped(way: u8, text: &str) -> String {
    match way {
        0 => text.to_owned(),
        1 => json!({"result": {"content": [{"type": "text", "text": text}]}}).to_string(),
        2 => json!({"text": json!({"rows": [text, 7]}).to_string()}).to_string(),
        3 => json!({"blob": STANDARD.encode(text)}).to_string(),
        4 => format!("see {} there", URL_SAFE_NO_PAD.encode(text)),
        5 => json!({"to": format!("http://h/?x={}&y=1", utf8_percent_encode(text, NON_ALPHANUMERIC))})
            .to_string(),
        6 => json!({text: 1, "é\u{1f600}": [text]}).to_string(),
        _ => json!({"a": format!("first {text}"), "b": [format!("{text} again")]}).to_string(),
    }
}

proptest! {
    #[test]
    fn nothing_is_left_of_a_credential_and_a_second_time_changes_nothing((text, part) in secret(), way in 0u8..8) {
        let line = wrapped(way, &text);
        let once = redacted(&line);
        prop_assert!(!once.contains(&part), "{line}\n{once}");
        prop_assert!(!once.contains(&STANDARD.encode(&part)), "{line}\n{once}");
        prop_assert_eq!(redacted(&once), once.clone());
        let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
        prop_assert_eq!(is_json(&once), is_json(&line));
    }

    #[test]
    fn any_line_is_redacted_to_one_that_stays(line in "(\"|'|</|password>|--token |Cookie: a=|-----BEGIN PRIVATE KEY-----|-----END |\\\\\"|a1b2c3d4e5|\\{|\\}|\\[|:|,|\\\\|password|Bearer |=|ghp_|[a-z0-9]{1,12}|%3A|<redacted 2: x>| |\n|é){0,40}") {
        let once = redacted(&line);
        prop_assert_eq!(redacted(&once), once.clone());
    }

    #[test]
    fn what_is_recorded_is_read_as_it_was(texts in proptest::collection::vec("\\PC{0,40}", 1..6), at in 0u64..9, bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let bytes: Vec<u8> = bytes.into_iter().filter(|byte| *byte != b'\n').collect();
        let mut frames: Vec<Frame> = texts.iter().map(|text| {
            Frame::from_line(Side::Client, json!({"jsonrpc": "2.0", "id": text, "method": "x"}).to_string()).at(at)
        }).collect();
        frames.push(Frame::from_bytes(Side::Server, bytes));
        let transcript = crate::transcript::Transcript { frames, ..Default::default() };
        let lines: Vec<String> = std::iter::once(header_line(&transcript)).chain(transcript.frames.iter().map(frame_line)).collect();
        let read = read_recording("", &(lines.join("\n") + "\n")).unwrap();
        prop_assert_eq!(read.frames, transcript.frames);
    }
}
