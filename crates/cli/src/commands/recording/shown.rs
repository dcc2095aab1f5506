//! What is in a recording, a line for each thing.

use frankly_verdict::report::{plain, shorten};
use frankly_verdict::transcript::{Answer, Call, Channel, Frame, Side, Transcript};
use serde_json::{Value, json};

/// How much of what was said is shown.
const SHOWN_CHARS: usize = 100;

/// Every frame, by its number.
pub fn frames(transcript: &Transcript) -> String {
    let width = transcript.frames.len().to_string().len();
    transcript.frames.iter().enumerate().fold(String::new(), |text, (number, frame)| {
        text + &format!("{number:>width$} {}\n", of_frame(frame).trim_end())
    })
}

fn of_frame(frame: &Frame) -> String {
    let at = frame.at_ms().map(|at| format!("{at:>7} ms ")).unwrap_or_default();
    let from = match frame.from() {
        Side::Client => "client",
        Side::Server => "server",
    };
    if let Some(event) = frame.event() {
        let details = if event.details.is_empty() { String::new() } else { json!(event.details).to_string() };
        return format!("{at}event  {} {}", plain(&event.name), short(&details));
    }
    let channel =
        if frame.channel() == Channel::Wire { String::new() } else { format!("{} ", frame.channel().name()) };
    let whose =
        frame.context().map(|context| format!(" for {}", short(&context.to_string()))).unwrap_or_default();
    format!("{at}{from} {channel}{}{whose}", said(frame))
}

/// What a frame is: a request by its method, an answer by what it holds.
fn said(frame: &Frame) -> String {
    let Some(msg) = frame.msg().filter(|_| !frame.is_noise()) else { return short(frame.line()) };
    let id = frame.id().map(|id| format!(" {id}")).unwrap_or_default();
    let of = |key: &str| msg.get(key).map(|value| short(&value.to_string())).unwrap_or_default();
    match frame.method() {
        Some(method) => format!("{}{id} {}", plain(method), of("params")),
        None if msg.get("error").is_some_and(|error| !error.is_null()) => {
            format!("error{id} {}", of("error"))
        }
        None if msg.get("result").is_some() => format!("result{id} {}", of("result")),
        None => short(frame.line()),
    }
}

/// Every call, by its number.
pub fn calls(transcript: &Transcript) -> String {
    let calls = transcript.calls();
    let width = calls.len().to_string().len();
    let mut text = String::new();
    for call in &calls {
        let arguments = call.arguments.map_or_else(String::new, |arguments| json!(arguments).to_string());
        let number = call.index;
        text += &format!(
            "{number:>width$} {} {}{}\n",
            plain(call.name),
            short(&arguments),
            whose(transcript, call)
        );
        text += &format!("{:width$}   {}\n", "", answered(transcript, call));
    }
    text
}

fn whose(transcript: &Transcript, call: &Call<'_>) -> String {
    let context = transcript.frames.get(call.request).and_then(Frame::context);
    context.map(|context| format!(" for {}", short(&context.to_string()))).unwrap_or_default()
}

fn answered(transcript: &Transcript, call: &Call<'_>) -> String {
    let frame = call.response.and_then(|at| transcript.frames.get(at));
    let Some(frame) = frame else { return "no answer".to_owned() };
    let (kind, held) = match call.answer {
        Answer::Success(result) => ("answered", content(result)),
        Answer::Failure(result) => ("failed", content(result)),
        Answer::ProtocolError(error) => ("refused by the protocol", short(&error.to_string())),
        Answer::Malformed | Answer::None => ("no result", short(frame.line())),
    };
    let asked = transcript.frames.get(call.request).and_then(Frame::at_ms);
    let took = frame.at_ms().zip(asked).map(|(end, begin)| format!(", {} ms", end.saturating_sub(begin)));
    format!("{kind}, {} bytes{}: {held}", frame.bytes(), took.unwrap_or_default())
}

/// The data of a result, else its first text.
fn content(result: &Value) -> String {
    let text = || result.pointer("/content/0/text").and_then(Value::as_str).map(str::to_owned);
    let data = result.get("structuredContent").map(Value::to_string);
    short(&data.or_else(text).unwrap_or_else(|| result.to_string()))
}

fn short(text: &str) -> String {
    plain(&shorten(text, SHOWN_CHARS))
}
