//! Whatever a server may write to its output, as a recording and line by line, under every check.

#![no_main]

use frankly_verdict::check::check_all;
use frankly_verdict::report::{FORMATS, Options, Report};
use frankly_verdict::transcript::{Frame, Side, Transcript, frame_line, header_line, read_recording};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(transcript) = read_recording("fuzzed", text)
    {
        let lines = std::iter::once(header_line(&transcript)).chain(transcript.frames.iter().map(frame_line));
        let written: String = lines.map(|line| line + "\n").collect();
        let again = read_recording("fuzzed", &written).expect("what was written is read");
        // What was torn is left out, and is not torn again; a second writing changes nothing.
        assert_eq!(again.frames.len(), transcript.frames.len());
        let rewritten: String = std::iter::once(header_line(&again))
            .chain(again.frames.iter().map(frame_line))
            .map(|line| line + "\n")
            .collect();
        assert_eq!(written, rewritten);
        judge(&transcript);
    }
    judge(&Transcript { frames: answers(data), ..Transcript::default() });
});

/// Each line as an answer of the server, with a call before it.
fn answers(data: &[u8]) -> Vec<Frame> {
    let lines = data.split(|byte| *byte == b'\n').take(64).enumerate();
    let call = |id| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"a","arguments":{{"q":"x"}}}}}}"#);
    lines
        .flat_map(|(id, line)| {
            [Frame::from_line(Side::Client, call(id)), Frame::from_bytes(Side::Server, line.to_vec())]
        })
        .collect()
}

fn judge(transcript: &Transcript) {
    let findings = check_all(transcript);
    for finding in &findings {
        assert!(!finding.frames.is_empty() && finding.frames.iter().all(|frame| *frame < transcript.frames.len()));
    }
    let report = Report { findings, ..Report::default() };
    for format in FORMATS {
        let text = format.render(&report, &Options { verbose: true, ..Options::default() });
        assert!(!text.contains('\u{1b}'), "an escape sequence reaches the terminal");
    }
}
