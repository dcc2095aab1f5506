use std::io::Cursor;

use frankly_verdict::transcript::{Channel, Side};
use serde_json::json;

use super::*;

const MIB: usize = 1024 * 1024;
const CALL: &str = r#"{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}"#;

fn read_bytes(bytes: impl AsRef<[u8]>) -> Result<Transcript, String> {
    read_from(Path::new("x"), "x", Cursor::new(bytes)).map_err(|error| error.to_string())
}

fn error(bytes: impl AsRef<[u8]>) -> String {
    read_bytes(bytes).unwrap_err()
}

#[test]
fn a_mark_at_the_beginning_blank_lines_and_a_torn_end_are_no_fault() {
    let transcript =
        read_bytes(format!("\u{feff}\r\n\n{HEADER}\n{CALL}\r\n{CALL}\n{{\"from\":\"cl")).unwrap();
    assert_eq!((transcript.frames.len(), transcript.torn), (2, true));
    let within_a_character =
        [HEADER.as_bytes(), CALL.as_bytes(), b"\n{\"from\":\"client\",\"raw\":\"\xc3"].concat();
    let transcript = read_bytes(within_a_character).unwrap();
    assert_eq!((transcript.frames.len(), transcript.torn), (1, true));
    assert!(!read_bytes(format!("{HEADER}{CALL}")).unwrap().torn);
}

#[test]
fn the_line_at_fault_is_named_in_whatever_part_it_is() {
    let many = format!("{HEADER}{}", format!("{CALL}\n").repeat(50_000));
    assert!(many.len() > 3 * PART_BYTES);
    assert_eq!(read_bytes(&many).unwrap().frames.len(), 50_000);
    let wrong = error(format!("{many}\n{{\"from\":\"client\"}}\n"));
    assert!(wrong.starts_with("x: line 50003: a frame has one of"), "{wrong}");
    let cut_off = error(format!("{many}{{\"from\":\"cl\n{CALL}\n"));
    assert!(cut_off.starts_with("x: line 50002: "), "{cut_off}");
}

#[test]
fn what_is_no_recording_is_told_with_what_to_write() {
    let utf16: Vec<u8> = "\u{feff}{}\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(error(utf16).ends_with(
        "line 1: the file is in UTF-16: write it in UTF-8, such as with iconv -f UTF-16 -t UTF-8"
    ));
    let bad_byte = [HEADER.as_bytes(), CALL.as_bytes(), b"\n\xff\n"].concat();
    assert!(error(bad_byte).starts_with("x: line 3: its byte 1 is not UTF-8: "));
    let twice = format!("{HEADER}{CALL}\n{HEADER}{CALL}\n");
    assert_eq!(error(twice), "x: line 3: a second recording begins here: give the files one by one");
    let message = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    assert!(
        error(format!("{message}\n"))
            .contains(r#"and each message after it is written {"from":"client","msg":{…}}"#)
    );
    assert!(
        error(format!("{HEADER}{message}\n"))
            .contains(r#"line 2: a message without who sent it: it is written {"from""#)
    );
    assert_eq!(error(""), "x: line 1: the recording is empty");
    assert!(error(vec![0; 17 * MIB]).starts_with("x: line 1: the first line must be"));
}

#[test]
fn a_line_of_more_than_16_mib_is_kept_by_both_ends() {
    let text = "a,\\n\\\"".repeat(17 * MIB / 6);
    let message =
        format!(r#"{{"jsonrpc":"2.0","id":7,"result":{{"content":[{{"type":"text","text":"{text}"}}]}}}}"#);
    for line in [
        format!(r#"{{"from":"server","at_ms":5,"channel":"upstream","msg":{message}}}"#),
        format!(r#"{{ "from" : "server", "msg" : {message} , "channel":"upstream","at_ms": 5 }}"#),
    ] {
        let transcript = read_bytes(format!("{HEADER}{CALL}\n{line}\n{CALL}\n")).unwrap();
        let [_, long, _] = transcript.frames.as_slice() else { panic!("{}", transcript.frames.len()) };
        let cut = long.cut().unwrap();
        assert_eq!(cut.bytes, message.len() as u64);
        assert!(message.starts_with(&cut.head) && message.ends_with(&cut.tail) && cut.tail.ends_with("}]}}"));
        assert_eq!((long.from(), long.at_ms(), long.channel()), (Side::Server, Some(5), Channel::Upstream));
        assert_eq!(long.id(), Some(&json!(7)));
    }
    let raw = format!("{HEADER}{{\"from\":\"server\",\"raw\":\"{text}\"}}\n");
    let cut = read_bytes(raw).unwrap().frames[0].cut().cloned().unwrap();
    assert!(cut.head.starts_with("a,\n\"a") && cut.tail.ends_with("a,\n\""));
    let wrong = error(format!("{HEADER}{{\"msg\":{message},\"from\":\"nobody\"}}\n"));
    assert!(wrong.starts_with("x: line 2: `from`"), "{wrong}");
    let torn = read_bytes(format!("{HEADER}{{\"from\":\"server\",\"msg\":{}", &message[..17 * MIB])).unwrap();
    assert!(torn.torn && torn.frames.is_empty());
    assert!(
        error(format!("{HEADER}{text}\n")).contains("line 2: a line of more than 16 MiB must begin like")
    );
}

#[test]
fn a_listing_is_read_by_itself_wherever_its_messages_stand() {
    let asks = r#"{"from":"client","msg":{"jsonrpc":"2.0","id":"l","method":"tools/list"}}"#;
    let answers = r#"{"from":"server","msg":{"jsonrpc":"2.0","id":"l","result":{"tools":[{"name":"a"}]}}}"#;
    let between = format!("{CALL}\n").repeat(PART_BYTES / CALL.len() + 1);
    let header = HEADER.replace(",\"tools\":[]", "");
    let transcript = read_bytes(format!("{header}{asks}\n{between}{answers}\n")).unwrap();
    assert_eq!(transcript.tools.unwrap()[0].name(), "a");
}
