//! The text form of a transcript: a header line, then a line per frame.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::{Frame, Side, SizeBudget, Transcript};

/// The version of the format that is read.
const VERSION: u64 = 1;

/// A recording that cannot be read, with the line at fault, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct RecordingError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

/// Reads a recording: a header line `{"frankly":"recording","version":1}`, optionally with `revision`,
/// `tools` and `budget` (`{"bytes":N}` or `{"tokens":N}`), then a line per frame,
/// `{"from":"client"|"server","msg":…}` or with `raw` where the line was not JSON.
///
/// # Errors
///
/// The first line that is not what it should be.
pub fn read_recording(server: &str, text: &str) -> Result<Transcript, RecordingError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (number, header) =
        lines.next().ok_or(RecordingError { line: 1, what: "the recording is empty".to_owned() })?;
    let mut transcript =
        read_header(server, header).map_err(|what| RecordingError { line: number + 1, what })?;
    for (number, line) in lines {
        let frame = read_frame(line).map_err(|what| RecordingError { line: number + 1, what })?;
        transcript.frames.push(frame);
    }
    Ok(transcript)
}

fn read_header(server: &str, line: &str) -> Result<Transcript, String> {
    let header: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if header.get("frankly").and_then(Value::as_str) != Some("recording") {
        return Err(
            "not a recording: the first line must be {\"frankly\":\"recording\",\"version\":1}".to_owned()
        );
    }
    match header.get("version").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(other) => {
            return Err(format!("version {other} is not read, only {VERSION} is"));
        }
        None => return Err("the header has no `version`".to_owned()),
    }
    let tools = header.get("tools").and_then(Value::as_array);
    Ok(Transcript {
        server: server.to_owned(),
        revision: header.get("revision").and_then(Value::as_str).map(str::to_owned),
        tools: tools.map(|tools| tools.iter().cloned().map(ToolDef::from_raw).collect()),
        budget: header.get("budget").and_then(SizeBudget::read),
        frames: Vec::new(),
    })
}

fn read_frame(line: &str) -> Result<Frame, String> {
    let entry: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let from = match entry.get("from").and_then(Value::as_str) {
        Some("client") => Side::Client,
        Some("server") => Side::Server,
        _ => return Err("`from` must be \"client\" or \"server\"".to_owned()),
    };
    match (entry.get("msg"), entry.get("raw").and_then(Value::as_str)) {
        (Some(msg), None) => Ok(Frame::from_line(from, msg.to_string())),
        (None, Some(raw)) => Ok(Frame::from_line(from, raw.to_owned())),
        _ => Err("a frame has either `msg` or, as text, `raw`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recording_is_read_frame_by_frame() {
        let text = r#"{"frankly":"recording","version":1,"revision":"2025-11-25","tools":[{"name":"a"}]}
{"from":"server","raw":"Server started"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
"#;
        let transcript = read_recording("x", text).unwrap();
        assert_eq!(transcript.revision.as_deref(), Some("2025-11-25"));
        assert!(transcript.frames[0].is_noise() && !transcript.frames[1].is_noise());
        assert!(transcript.tool("a").is_some());
        assert_eq!(transcript.calls()[0].name, "a");
    }

    #[test]
    fn a_budget_is_read_and_one_of_another_kind_is_none() {
        let budget = |stated: &str| {
            let header = format!(r#"{{"frankly":"recording","version":1,"budget":{stated}}}"#);
            read_recording("x", &header).unwrap().budget
        };
        assert_eq!(budget(r#"{"bytes":25000}"#), Some(SizeBudget::Bytes(25_000)));
        assert_eq!(budget(r#"{"tokens":8000,"tokenizer":"o200k"}"#), Some(SizeBudget::Tokens(8_000)));
        for other in ["null", "25000", r#"{"bytes":-1}"#, r#"{"bytes":1,"tokens":1}"#, r#"{"pages":3}"#] {
            assert_eq!(budget(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text: &str| read_recording("x", text).unwrap_err().to_string();
        assert_eq!(error(""), "line 1: the recording is empty");
        assert!(error("{}").starts_with("line 1: not a recording"));
        assert!(error(r#"{"frankly":"recording","version":2}"#).contains("version 2 is not read"));
        let header = r#"{"frankly":"recording","version":1}"#;
        assert!(error(&format!("{header}\n\n{{\"from\":\"nobody\"}}")).starts_with("line 3: `from`"));
        assert!(error(&format!("{header}\n{{\"from\":\"client\"}}")).starts_with("line 2: a frame has"));
    }
}
