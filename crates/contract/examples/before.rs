//! The usual tool: it returns what it has, and throws what it gets. `after` is the same tool told honestly.

use std::error::Error;

use serde_json::{Value, json};

mod ledger;

fn query_transactions(arguments: &Value) -> Result<Value, Box<dyn Error>> {
    let category = arguments["category"].as_str().ok_or("bad category")?;
    let mut rows = ledger::transactions(category);
    rows.truncate(50);
    Ok(json!({"count": rows.len(), "transactions": rows}))
}

fn read_export(arguments: &Value) -> Result<Value, Box<dyn Error>> {
    let file = arguments["file"].as_str().ok_or("bad file")?;
    let text = std::fs::read_to_string(format!("{}/{file}", ledger::EXPORTS))?;
    Ok(json!({ "content": text }))
}

fn call(tool: &str, arguments: &Value) -> String {
    let answer = match tool {
        "query_transactions" => query_transactions(arguments),
        _ => read_export(arguments),
    };
    answer.map_or_else(|error| format!("Error: {error:?}"), |value| value.to_string())
}

fn main() {
    for (tool, arguments) in [
        ("query_transactions", json!({"category": "Dining"})),
        ("query_transactions", json!({"category": "dining"})),
        ("read_export", json!({"file": "march"})),
    ] {
        println!("{tool} {arguments}\n  {}\n", call(tool, &arguments));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_what_is_not_so() {
        let page = call("query_transactions", &json!({"category": "Dining"}));
        assert!(page.starts_with(r#"{"count":50,"transactions":[{"#), "50 of 262 pass for all: {page}");
        let empty = call("query_transactions", &json!({"category": "dining"}));
        assert_eq!(empty, r#"{"count":0,"transactions":[]}"#, "nothing was spent on dining");
        let thrown = call("read_export", &json!({"file": "march"}));
        assert!(thrown.starts_with("Error: Os {"), "nothing to do next: {thrown}");
    }
}
