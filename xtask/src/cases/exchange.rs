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
    /// Where the message of each frame stands in the input.
    roots: Vec<String>,
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
        let mut roots = Vec::new();
        for (number, message) in items(&input["messages"]) {
            recording.add(message.clone());
            roots.push(format!("/messages/{number}/msg"));
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
        let tools =
            items(&input["tools"]).map(|(_, tool)| tool["name"].as_str().unwrap_or_default().to_owned());
        Self { recording, roots, tools: tools.collect() }
    }

    /// Both sides of a gateway: what it was asked, what it asked and was told behind, and what it answered.
    pub fn of_gateway(input: &Value) -> Self {
        let mut exchange = Self { recording: Recording::new(), ..Self::default() };
        exchange.recording.say("role", &json!("proxy"));
        let (asked, told): (Vec<_>, Vec<_>) =
            items(&input["downstream"]).partition(|(_, message)| message["from"] == "client");
        let behind: Vec<_> = items(&input["upstream"]).collect();
        for (member, messages) in [("downstream", asked), ("upstream", behind), ("downstream", told)] {
            for (number, message) in messages {
                let mut frame = message.clone();
                if member == "upstream" {
                    frame["channel"] = json!("upstream");
                }
                exchange.add(frame, format!("/{member}/{number}/msg"));
            }
        }
        exchange.recording.add(json!({"event": "end"}));
        exchange
    }

    /// Calls by different people, each with the session behind that it went over.
    pub fn of_identities(input: &Value) -> Self {
        let mut exchange = Self { recording: Recording::new(), ..Self::default() };
        for (id, call) in items(&input["messages"]) {
            let context = json!({"tenant": call["auth"], "session": call["upstream_session"]});
            let arguments = call.get("args").cloned().unwrap_or_else(|| json!({}));
            let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
                "params": {"name": call["call"], "arguments": arguments}});
            let text = call["result"].as_str().map_or_else(|| call["result"].to_string(), str::to_owned);
            let answer =
                json!({"jsonrpc": "2.0", "id": id, "result": {"content": [{"type": "text", "text": text}]}});
            for (from, msg) in [("client", request), ("server", answer)] {
                exchange.add(
                    json!({"from": from, "context": context, "msg": msg}),
                    format!("/messages/{id}/result"),
                );
            }
        }
        exchange.recording.add(json!({"event": "end"}));
        exchange
    }

    /// Requests to other services and their answers, as another tool recorded them.
    pub fn of_interactions(input: &Value) -> Option<Self> {
        let is_plain =
            |interaction: &Value| interaction.get("url").is_some() && interaction.get("response").is_some();
        let interactions: Vec<_> = items(&input["interactions"]).collect();
        // What was served in their place is a question of its own.
        if interactions.is_empty()
            || !items(&input["replay"]).collect::<Vec<_>>().is_empty()
            || !interactions.iter().all(|(_, one)| is_plain(one))
        {
            return None;
        }
        let mut exchange = Self { recording: Recording::new(), ..Self::default() };
        for (number, interaction) in interactions {
            let mut request = interaction.clone();
            let response = request["response"].take();
            for (from, msg, member) in [("client", request, ""), ("server", response, "/response")] {
                let frame = json!({"from": from, "channel": "upstream", "msg": msg});
                exchange.add(frame, format!("/interactions/{number}{member}"));
            }
        }
        Some(exchange)
    }

    fn add(&mut self, frame: Value, root: String) {
        self.recording.add(frame);
        self.roots.push(root);
    }

    /// What a server wrote to its standard output, line by line or as bytes.
    pub fn of_lines(input: &Value) -> anyhow::Result<Self> {
        let mut recording = Recording::new();
        let mut lines: Vec<Value> = items(&input["lines"])
            .filter_map(|(_, line)| Some(json!({"from": "server", "raw": line.as_str()?})))
            .collect();
        let bytes = input.as_object().into_iter().flatten().find(|(key, _)| key.contains("base64"));
        if let Some(encoded) = bytes.and_then(|(_, bytes)| bytes.as_str()) {
            let bytes = STANDARD.decode(encoded).context("failed to decode the bytes")?;
            // A last line end ends the last line, and begins none.
            let bytes = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
            lines.extend(bytes.split(|byte| *byte == b'\n').map(raw));
        }
        let roots = (0..lines.len()).map(|number| format!("/lines/{number}/msg")).collect();
        for line in lines {
            recording.add(line);
        }
        beside(&mut recording, "stderr", "stderr", &input["stderr"]);
        recording.add(json!({"event": "end"}));
        Ok(Self { recording, roots, tools: Vec::new() })
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
        // What goes on inside a text is below it.
        let pointer = pointer.split('#').next().unwrap_or_default();
        let frame = finding["frames"][0].as_u64().and_then(|frame| usize::try_from(frame).ok());
        let root = frame.and_then(|frame| self.roots.get(frame)).map_or("", String::as_str);
        // A finding about a message as a whole is about the line that it came in.
        if pointer.is_empty() { root.trim_end_matches("/msg").to_owned() } else { format!("{root}{pointer}") }
    }
}

fn items(list: &Value) -> impl Iterator<Item = (usize, &Value)> {
    list.as_array().into_iter().flatten().enumerate()
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
