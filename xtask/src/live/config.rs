//! The `frankly.toml` that a server is probed with.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::{Map, Value, json};

use super::entry::Entry;

/// How long one call may take.
const TIMEOUT: &str = "20s";

/// The text of the file: `reset` is what brings the state back.
pub fn text(
    entry: &Entry,
    env: impl Iterator<Item = (String, String)>,
    reset: &[String],
) -> anyhow::Result<String> {
    let mut all: BTreeMap<String, String> = env.collect();
    all.extend(entry.env.clone());
    let tool = |(name, examples): (&String, &Value)| {
        // Nothing else looks at this state, and it is brought back.
        (name.clone(), json!({"probe": "writes", "examples": examples}))
    };
    let tools: Map<String, Value> = entry.examples.iter().map(tool).collect();
    let server = json!({
        "command": entry.command,
        "env": all,
        "timeout": TIMEOUT,
        "sandbox": true,
        "reset": reset,
        "tools": tools,
    });
    let mut servers = Map::new();
    servers.insert(entry.name.clone(), server);
    let document: Value = json!({"servers": servers});
    toml::Table::try_from(document).map(|table| table.to_string()).context("failed to write frankly.toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_has_the_command_its_environment_and_a_good_call() {
        let entry = Entry {
            name: "a.b".to_owned(),
            package: "a".to_owned(),
            version: "1".to_owned(),
            registry: "npm".to_owned(),
            install: String::new(),
            command: vec!["node".to_owned(), "a\\\"b.js".to_owned()],
            env: BTreeMap::from([("FILE".to_owned(), "/t/x".to_owned())]),
            setup: String::new(),
            examples: BTreeMap::from([("read".to_owned(), json!([{"paths": [{"n": 1}]}]))]),
        };
        let xdg = [("XDG_CONFIG_HOME".to_owned(), "/h".to_owned())].into_iter();
        let table: toml::Table = text(&entry, xdg, &["restore".to_owned()]).unwrap().parse().unwrap();
        let server = &table["servers"]["a.b"];
        assert_eq!(server["command"][1].as_str(), Some("a\\\"b.js"));
        assert_eq!(server["env"]["FILE"].as_str(), Some("/t/x"));
        assert_eq!(server["env"]["XDG_CONFIG_HOME"].as_str(), Some("/h"));
        assert_eq!(server["tools"]["read"]["examples"][0]["paths"][0]["n"].as_integer(), Some(1));
        assert_eq!(server["sandbox"].as_bool(), Some(true));
        assert_eq!(server["reset"][0].as_str(), Some("restore"));
    }
}
