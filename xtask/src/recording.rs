//! Recordings, as `frankly verify` reads them, made from what others wrote down.

use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value, json};

/// A recording, line by line. A frame's number is the number of its line after the header.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recording {
    header: Map<String, Value>,
    frames: Vec<Value>,
}

impl Recording {
    /// A recording without frames.
    pub fn new() -> Self {
        let mut recording = Self::default();
        recording.header.insert("frankly".to_owned(), json!("recording"));
        recording.header.insert("version".to_owned(), json!(1));
        recording
    }

    /// Says something of the session as a whole, where it is known.
    pub fn say(&mut self, key: &str, value: &Value) {
        if !value.is_null() {
            self.header.insert(key.to_owned(), value.clone());
        }
    }

    /// Adds a frame, and gives its number.
    pub fn add(&mut self, frame: Value) -> usize {
        self.frames.push(frame);
        self.frames.len() - 1
    }

    /// Writes it into a file.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        let lines =
            std::iter::once(json!(self.header).to_string()).chain(self.frames.iter().map(Value::to_string));
        let text: String = lines.map(|line| line + "\n").collect();
        std::fs::write(path, text).with_context(|| format!("failed to write {}", path.display()))
    }
}
