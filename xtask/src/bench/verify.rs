//! How long `frankly verify` takes for a long recording, and how much memory, beside reading and parsing its lines.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use super::{measure, megabytes};
use crate::binary;

/// Makes a recording of so many healthy calls, and measures both. Only a `frankly` that fails or finds something fails this.
pub fn run(calls: u64) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    let file = folder.path().join("long.jsonl");
    write(&file, calls)?;
    let bytes = std::fs::metadata(&file)?.len();
    println!("a recording of {calls} calls, {:.0} MB", bytes as f64 / 1e6);
    let this = std::env::current_exe().context("failed to find this binary")?;
    let parse = measure(Command::new(this).args(["bench", "parse"]).arg(&file).stdout(Stdio::null()))?;
    ensure!(parse.status.success(), "the lines could not be parsed");
    let frankly = binary::frankly()?;
    let verify = measure(Command::new(frankly).arg("verify").arg(&file).current_dir(folder.path()))?;
    for (name, took) in [("read and parse, one thread", &parse), ("frankly verify", &verify)] {
        println!("{name}: {:.2} s, at most {} of memory", took.time.as_secs_f64(), megabytes(took.peak));
    }
    println!("ratio: {:.2}", verify.time.as_secs_f64() / parse.time.as_secs_f64());
    Ok(verify.status.success())
}

/// Reads a file line by line, and each line as JSON: what cannot be done without.
pub fn parse(file: &Path) -> anyhow::Result<bool> {
    let mut lines = BufReader::new(File::open(file)?);
    let (mut line, mut count) = (Vec::new(), 0_u64);
    while lines.read_until(b'\n', &mut line)? > 0 {
        let value: Value = serde_json::from_slice(&line)?;
        count += u64::from(value.is_object());
        line.clear();
    }
    println!("{count} lines");
    Ok(true)
}

/// Numbers that are the same each time.
struct Numbers(u64);

impl Numbers {
    /// A number below another, by xorshift64* (Vigna 2016).
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % most
    }

    fn word(&mut self) -> &'static str {
        const WORDS: &[&str] = &[
            "tea", "coffee", "rent", "dinner", "flight", "hotel", "train", "book", "lamp", "chair", "table",
            "phone", "paper", "green", "blue", "red",
        ];
        WORDS[self.below(WORDS.len() as u64) as usize]
    }
}

/// Writes a recording of a healthy server of notes: searches, lookups and additions.
fn write(file: &Path, calls: u64) -> anyhow::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    let mut numbers = Numbers(7);
    let header = json!({"frankly": "recording", "version": 1, "revision": "2025-11-25", "tools": tools()});
    writeln!(out, "{header}")?;
    let mut at_ms = 0;
    for id in 0..calls {
        at_ms += 4 + numbers.below(20);
        let (name, arguments, answer) = call(id, &mut numbers);
        let params = json!({"name": name, "arguments": arguments});
        let request = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let result =
            json!({"content": [{"type": "text", "text": answer.to_string()}], "structuredContent": answer});
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
        writeln!(out, "{}", json!({"from": "client", "at_ms": at_ms, "msg": request}))?;
        writeln!(out, "{}", json!({"from": "server", "at_ms": at_ms + 3, "msg": answer}))?;
    }
    writeln!(out, "{}", json!({"event": "end"}))?;
    Ok(out.flush()?)
}

fn tools() -> Value {
    let schema = |properties: Value, required: &str| json!({"type": "object", "properties": properties, "required": [required], "additionalProperties": false});
    let limit = json!({"type": "integer", "minimum": 1, "maximum": 100});
    json!([
        {
            "name": "search_notes", "description": "Searches notes by their words. Example: {\"query\": \"tea\"}.",
            "inputSchema": schema(json!({"query": {"type": "string"}, "limit": limit}), "query"),
            "annotations": {"readOnlyHint": true},
        },
        {
            "name": "get_note", "description": "Gets a note by its id.",
            "inputSchema": schema(json!({"id": {"type": "string"}}), "id"), "annotations": {"readOnlyHint": true},
        },
        {
            "name": "add_note", "description": "Adds a note.",
            "inputSchema": schema(json!({"text": {"type": "string"}}), "text"),
        },
    ])
}

fn call(number: u64, numbers: &mut Numbers) -> (&'static str, Value, Value) {
    match numbers.below(20) {
        0..10 => {
            let query = format!("{} {}", numbers.word(), numbers.below(5000));
            let count = numbers.below(7);
            let item = |_| json!({"id": format!("n{}", numbers.below(99_999)), "title": format!("{query} {}", numbers.word())});
            let items: Vec<Value> = (0..count).map(item).collect();
            let answer = json!({"items": items, "returned": count, "matched": count, "truncated": false});
            ("search_notes", json!({"query": query, "limit": 10}), answer)
        }
        10..17 => {
            // What a note says is the same each time it is read.
            let number = numbers.below(99_999);
            let (id, mut own) = (format!("n{number}"), Numbers(number + 1));
            let text = (0..11).fold("about".to_owned(), |mut text, _| {
                let _ = write!(text, " {}", own.word());
                text
            });
            ("get_note", json!({"id": id}), json!({"id": id, "title": format!("note {id}"), "text": text}))
        }
        _ => {
            let text = format!("note {number} {}", numbers.word());
            (
                "add_note",
                json!({"text": text}),
                json!({"stored": {"id": format!("n{}", 100_000 + number), "text": text}}),
            )
        }
    }
}
