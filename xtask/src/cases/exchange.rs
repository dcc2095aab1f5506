//! What went between a client and a server, as a recording.

use anyhow::Context;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::recording::Recording;

/// A session, with what leads from a frame back to the input.
#[derive(Debug, Default)]
pub struct Exchange {
    pub recording: Recording,
    /// The member of the input that holds the frames: `messages` or `lines`.
    member: &'static str,
    /// The names of the tools, in their order.
    tools: Vec<String>,
}

impl Exchange {
    /// A session by its messages. What the input knows beside them becomes frames of other channels.
    pub fn of_messages(input: &Value) -> Self {
        let mut recording = Recording::new();
        recording.say("revision", &input["protocolVersion"]);
        recording.say("tools", &input["tools"]);
        // As many characters are at least as many bytes.
        let characters = input["budget"].get("max_chars").map(|most| json!({ "bytes": most }));
        recording.say("budget", characters.as_ref().unwrap_or(&input["budget"]));
        // Some say it in words: "client under test".
        let role = input["role"].as_str().and_then(|role| role.split_whitespace().next());
        recording.say("role", &role.map_or(Value::Null, |role| json!(role)));
        for message in input["messages"].as_array().into_iter().flatten() {
            recording.add(message.clone());
        }
        for (key, channel) in [
            ("upstream", "upstream"),
            ("server_executed", "upstream"),
            ("server_log", "stderr"),
            ("model_emitted", "model"),
            ("model_calls", "model"),
            ("model_saw", "model"),
        ] {
            beside(&mut recording, key, channel, &input[key]);
        }
        recording.add(json!({"event": "end", "reason": input["end"]}));
        let tools = input["tools"].as_array().into_iter().flatten();
        let tools = tools.map(|tool| tool["name"].as_str().unwrap_or_default().to_owned());
        Self { recording, member: "messages", tools: tools.collect() }
    }

    /// What a server wrote to its standard output, line by line or as bytes.
    pub fn of_lines(input: &Value) -> anyhow::Result<Self> {
        let mut recording = Recording::new();
        let lines = input["lines"].as_array().into_iter().flatten();
        for line in lines.filter_map(Value::as_str) {
            recording.add(json!({"from": "server", "raw": line}));
        }
        let bytes = input.as_object().into_iter().flatten().find(|(key, _)| key.contains("base64"));
        if let Some(encoded) = bytes.and_then(|(_, bytes)| bytes.as_str()) {
            let bytes = STANDARD.decode(encoded).context("failed to decode the bytes")?;
            // A last line end ends the last line, and begins none.
            let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            for line in bytes.split(|byte| *byte == b'\n') {
                recording.add(raw(line));
            }
        }
        beside(&mut recording, "stderr", "stderr", &input["stderr"]);
        recording.add(json!({"event": "end"}));
        Ok(Self { recording, member: "lines", tools: Vec::new() })
    }

    /// Where a finding is, rooted at the input: a pointer that leads into a definition stays there, any other is rooted at
    /// its first frame.
    pub fn place(&self, finding: &Value) -> String {
        const OF_DEFINITIONS: &[&str] =
            &["/inputSchema", "/outputSchema", "/annotations", "/description", "/name"];
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let pointer = text("pointer");
        let tool = self.tools.iter().position(|name| name == text("tool"));
        if let Some(tool) = tool.filter(|_| OF_DEFINITIONS.iter().any(|root| pointer.starts_with(root))) {
            return format!("/tools/{tool}{pointer}");
        }
        let frame = finding["frames"][0].as_u64().map_or_else(String::new, |frame| format!("/{frame}"));
        // What goes on inside a text is below it.
        let pointer = pointer.split('#').next().unwrap_or_default();
        let within = if pointer.is_empty() { String::new() } else { format!("/msg{pointer}") };
        format!("/{}{frame}{within}", self.member)
    }
}

fn raw(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(line) => json!({"from": "server", "raw": line}),
        Err(_) => json!({"from": "server", "raw": String::from_utf8_lossy(bytes), "utf8": false}),
    }
}

/// Adds what was seen elsewhere: text as it is, anything else as a message.
fn beside(recording: &mut Recording, key: &str, channel: &str, value: &Value) {
    match value {
        Value::Null => {}
        Value::Array(items) => items.iter().for_each(|item| beside(recording, key, channel, item)),
        Value::String(text) => {
            recording.add(json!({"from": "server", "channel": channel, "raw": text}));
        }
        Value::Object(members) if members.contains_key("msg") => {
            let mut frame = value.clone();
            frame["channel"] = json!(channel);
            recording.add(frame);
        }
        other => {
            // What a model wrote as the arguments of a call, in the form of an API.
            let msg = match key {
                "model_emitted" => json!({"content": [{"type": "tool_use", "input": other}]}),
                key => json!({ key: other }),
            };
            recording.add(json!({"from": "server", "channel": channel, "msg": msg}));
        }
    }
}
