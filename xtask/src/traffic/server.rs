//! The server. It is this program itself, started again.

use std::io::{BufRead, Write};

use anyhow::Context;
use serde_json::{Value, json};

/// Answers every line with as many bytes as it asks for, until its input ends.
pub fn serve() -> anyhow::Result<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value =
            serde_json::from_str(&line.context("failed to read")?).context("failed to understand")?;
        let bytes = request.pointer("/params/arguments/bytes").and_then(Value::as_u64).unwrap_or_default();
        let text = "x".repeat(usize::try_from(bytes)?);
        let answer = json!({"jsonrpc": "2.0", "id": request["id"], "result": {"content": [{"type": "text", "text": text}]}});
        // One write, as a server with a buffer of its own makes it.
        output.write_all((answer.to_string() + "\n").as_bytes()).context("failed to write")?;
        output.flush().context("failed to write")?;
    }
    Ok(())
}
