//! A server with eight tools of which each lies in the shape of what it returns, and with `--honest` none: something to try
//! `frankly probe` on. It knows nothing of frankly and speaks plain JSON-RPC, a line at a time.
//!
//! `cargo run --package frankly -- probe --sandbox --call all -- target/debug/examples/harbour`

use std::io::{BufRead, Write, stdin, stdout};

use serde_json::{Value, json};

const BOATS: usize = 130;
const MESSAGES: usize = 7;
const PAGE: usize = 3;
const PIERS: [&str; 3] = ["North", "South", "West"];
const INVALID_PARAMS: i64 = -32602;
const METHOD_NOT_FOUND: i64 = -32601;

fn main() {
    let mut harbour = Harbour { honest: std::env::args().any(|arg| arg == "--honest"), journal: Vec::new() };
    for line in stdin().lock().lines().map_while(Result::ok) {
        let answer = match serde_json::from_str::<Value>(&line) {
            Ok(request) => harbour.answer(&request),
            Err(_) => Some(
                json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "parse error"}}),
            ),
        };
        if let Some(answer) = answer {
            // Whoever does not read any more is not written to.
            if writeln!(stdout(), "{answer}").and_then(|()| stdout().flush()).is_err() {
                return;
            }
        }
    }
}

struct Harbour {
    honest: bool,
    /// What is written down; `boat_status` should leave it as it is.
    journal: Vec<String>,
}

impl Harbour {
    fn answer(&mut self, request: &Value) -> Option<Value> {
        let id = request.get("id")?;
        let outcome = match request["method"].as_str().unwrap_or_default() {
            "initialize" => Ok(json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                "serverInfo": {"name": "harbour", "version": "1.0.0"}
            })),
            "ping" => Ok(json!({})),
            "tools/list" => Ok(json!({"tools": tools()})),
            "tools/call" => self.call(&request["params"]),
            _ => Err((METHOD_NOT_FOUND, "method not found".to_owned())),
        };
        Some(match outcome {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err((code, message)) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
            }
        })
    }

    fn call(&mut self, params: &Value) -> Result<Value, (i64, String)> {
        let (name, sent) = (params["name"].as_str().unwrap_or_default(), &params["arguments"]);
        if !sent.is_object() && !sent.is_null() {
            return Err((INVALID_PARAMS, "`arguments` must be an object".to_owned()));
        }
        let tools = tools();
        let Some(tool) = tools.iter().find(|tool| tool["name"] == name) else {
            return Err((INVALID_PARAMS, format!("unknown tool: {name}")));
        };
        if let Some(mistake) = mistake(&tool["inputSchema"], sent) {
            // Says of every mistake that there was one.
            let is_opaque = name == "check_berth" && !self.honest;
            return Ok(if is_opaque { failed("Error") } else { refused(&mistake) });
        }
        Ok(match name {
            "list_boats" => self.list_boats(sent["limit"].as_u64()),
            "get_boat" => self.get_boat(sent["id"].as_str().unwrap_or_default()),
            "list_trips" => self.list_trips(sent["pier"].as_str().unwrap_or_default()),
            "export_log" => self.export_log(),
            "check_berth" => data(&json!({"free": true})),
            "boat_status" => self.boat_status(sent["id"].as_str().unwrap_or_default()),
            "list_messages" => self.list_messages(sent["cursor"].as_str()),
            "count_boats" => self.count_boats(),
            _ => data(&json!({ "entries": self.journal, "matched": self.journal.len(), "truncated": false })),
        })
    }

    /// Returns as many as were asked for, and says nothing of the others.
    fn list_boats(&self, limit: Option<u64>) -> Value {
        let limit = limit.map_or(50, |limit| limit as usize);
        let boats: Vec<Value> = (0..BOATS.min(limit)).map(boat).collect();
        if self.honest {
            let cut = boats.len() < BOATS;
            let hint = if cut { json!("raise `limit` to see the others") } else { Value::Null };
            return data(
                &json!({"boats": boats, "returned": boats.len(), "matched": BOATS, "truncated": cut, "hint": hint}),
            );
        }
        data(&json!({"boats": boats, "count": boats.len()}))
    }

    /// Answers an id that nobody has with nothing.
    fn get_boat(&self, id: &str) -> Value {
        match (0..BOATS).map(boat).find(|boat| boat["id"] == id) {
            Some(boat) => data(&boat),
            None if self.honest => missing(id),
            None => text("null"),
        }
    }

    /// Answers a pier that is not there like one without trips.
    fn list_trips(&self, pier: &str) -> Value {
        let trips: Vec<Value> = (0..9)
            .map(|trip| json!({"trip": format!("trip {trip}"), "pier": PIERS[trip % PIERS.len()]}))
            .filter(|trip| trip["pier"] == pier)
            .collect();
        if trips.is_empty() && self.honest {
            let note =
                format!("no pier is called {pier:?}; the piers are North, South and West, spelled just so");
            return data(&json!({"trips": [], "matched": 0, "truncated": false, "note": note}));
        }
        data(&json!({"trips": trips, "matched": trips.len(), "truncated": false}))
    }

    /// Returns all of it at once.
    fn export_log(&self) -> Value {
        let line = |number: usize| {
            format!("2026-01-01 00:00 boat {number} passed the harbour light at the north pier")
        };
        let lines = if self.honest { 20 } else { 6000 };
        let mut log: Vec<String> = (0..lines).map(line).collect();
        if self.honest {
            log.push("[5,980 lines more: ask for a day with list_trips]".to_owned());
        }
        text(&log.join("\n"))
    }

    /// Reads, by its annotations, and writes into the journal.
    fn boat_status(&mut self, id: &str) -> Value {
        if !(0..BOATS).any(|number| boat(number)["id"] == id) {
            return missing(id);
        }
        if !self.honest {
            self.journal.push(format!("{id} was looked at"));
        }
        data(&json!({"id": id, "status": "moored"}))
    }

    /// Gives a way on from the last page back to the first.
    fn list_messages(&self, cursor: Option<&str>) -> Value {
        let start =
            match cursor.map(|cursor| cursor.strip_prefix("after-").and_then(|number| number.parse().ok())) {
                None => 0,
                Some(Some(start)) if start < MESSAGES => start,
                Some(_) => return refused("`cursor` is none that was given: begin without one"),
            };
        let end = (start + PAGE).min(MESSAGES);
        let messages: Vec<Value> = (start..end)
            .map(|number| json!({"number": number, "text": format!("message {number}")}))
            .collect();
        let next = match end < MESSAGES {
            true => json!(format!("after-{end}")),
            false if self.honest => Value::Null,
            false => json!("after-0"),
        };
        data(&json!({"messages": messages, "matched": MESSAGES, "next_cursor": next}))
    }

    /// Says one thing to people and another to programs.
    fn count_boats(&self) -> Value {
        let structured = json!({"count": if self.honest { BOATS } else { 50 }});
        let text = json!({ "count": BOATS }).to_string();
        json!({"content": [{"type": "text", "text": text}], "structuredContent": structured})
    }
}

fn boat(number: usize) -> Value {
    json!({"id": format!("boat-{number:03}"), "name": format!("Tern {number}"), "pier": PIERS[number % PIERS.len()]})
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn data(value: &Value) -> Value {
    text(&value.to_string())
}

fn failed(why: &str) -> Value {
    json!({"content": [{"type": "text", "text": why}], "isError": true})
}

fn refused(why: &str) -> Value {
    failed(&format!("INVALID_ARGS: {why}"))
}

fn missing(id: &str) -> Value {
    let id: String = id.chars().take(40).collect();
    failed(&format!("NOT_FOUND: no boat has the id {id:?}; see list_boats for those that there are"))
}

/// What is wrong with arguments under a schema of this server.
fn mistake(schema: &Value, sent: &Value) -> Option<String> {
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    if let Some(name) = required.into_iter().find(|name| sent.get(name).is_none()) {
        return Some(format!("`{name}` is required, and missing"));
    }
    sent.as_object().into_iter().flatten().find_map(|(name, value)| {
        let parameter = &schema["properties"][name];
        let is_typed = match parameter["type"].as_str() {
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64(),
            Some("number") => value.is_number(),
            _ => return Some(format!("there is no parameter `{name}`")),
        };
        let bound = |keyword: &str| parameter[keyword].as_i64();
        let number = value.as_f64().map(|number| number as i64);
        let outside = number.is_some_and(|number| {
            bound("minimum").is_some_and(|least| number < least)
                || bound("maximum").is_some_and(|most| number > most)
        });
        let (kind, shown) = (parameter["type"].as_str().unwrap_or_default(), value.to_string());
        let shown: String = shown.chars().take(40).collect();
        if !is_typed {
            return Some(format!("`{name}` must be of type {kind}, and {shown} is not"));
        }
        if value.as_str().is_some_and(|text| text.trim().is_empty()) {
            return Some(format!("`{name}` must not be blank"));
        }
        outside.then(|| format!("`{name}` is out of bounds: {shown}"))
    })
}

fn tools() -> Vec<Value> {
    let tool = |name: &str, description: &str, properties: Value, required: &[&str]| {
        json!({
            "name": name,
            "description": description,
            "annotations": {"readOnlyHint": true},
            "inputSchema": {
                "type": "object", "properties": properties, "required": required, "additionalProperties": false
            }
        })
    };
    let id = || json!({"type": "string", "description": "As list_boats has it.", "examples": ["boat-001"]});
    let limit = json!({"type": "integer", "minimum": 1, "maximum": 200, "default": 50, "description": "How many boats to return."});
    let pier = json!({"type": "string", "description": "The name of the pier.", "examples": ["North"]});
    let number =
        json!({"type": "integer", "minimum": 1, "maximum": 40, "description": "The number of the berth."});
    let length =
        json!({"type": "number", "minimum": 1, "maximum": 90, "description": "The boat's length in metres."});
    let cursor = json!({"type": "string", "description": "The `next_cursor` of the page before."});
    vec![
        tool("list_boats", "Lists the boats of the harbour, by id.", json!({ "limit": limit }), &[]),
        tool("get_boat", "Gets one boat by its id.", json!({ "id": id() }), &["id"]),
        tool("list_trips", "Lists the trips from one pier.", json!({ "pier": pier }), &["pier"]),
        tool("export_log", "Gives the harbour's log as text.", json!({}), &[]),
        tool(
            "check_berth",
            "Tells whether a berth is free for a boat of this length.",
            json!({"number": number, "length": length}),
            &["number", "length"],
        ),
        tool("boat_status", "Tells where a boat is; changes nothing.", json!({ "id": id() }), &["id"]),
        tool(
            "list_messages",
            "Lists the messages to the harbour master, by number.",
            json!({ "cursor": cursor }),
            &[],
        ),
        tool("count_boats", "Counts the boats in the harbour.", json!({}), &[]),
        tool("list_journal", "Lists the entries of the journal.", json!({}), &[]),
    ]
}
