//! One server of the file: how it is installed, started and called.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::places::Places;

/// Calls that are known to work, beyond the one that the file has for each server: server, tool, arguments.
const EXAMPLES: &str = include_str!("examples.json");
/// Where the file says that a Redis is; any other port will do.
const REDIS: &str = "redis://127.0.0.1:6379";

/// A server that somebody published.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub name: String,
    pub package: String,
    pub version: String,
    /// What kind of package it is, such as `npm`.
    pub registry: String,
    /// What a shell runs to install it.
    pub install: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    pub env: BTreeMap<String, String>,
    /// What it needs, in prose.
    pub setup: String,
    /// Arguments that are known to work, by tool.
    pub examples: BTreeMap<String, Value>,
}

/// The servers of the file, with `{DIR}` and `{STATE}` in them as it has them.
pub fn read(text: &str) -> anyhow::Result<Vec<Entry>> {
    let document: Value = serde_json::from_str(text).context("failed to read the list of servers")?;
    let servers = document.as_array().context("the list of servers is no array")?;
    let examples: Value = serde_json::from_str(EXAMPLES).context("failed to read examples.json")?;
    servers.iter().map(|server| Entry::of(server, &examples)).collect()
}

impl Entry {
    fn of(value: &Value, examples: &Value) -> anyhow::Result<Self> {
        let name = value["name"].as_str().context("a server has no name")?;
        let text = |pointer: &str| {
            let text = value.pointer(pointer).and_then(Value::as_str);
            text.map(str::to_owned).with_context(|| format!("{name} has no text at {pointer}"))
        };
        if !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)) || name.starts_with('.') {
            bail!("{name:?} cannot be the name of a folder and of a server");
        }
        let mut command = vec![text("/command")?];
        command.extend(texts(&value["args"]));
        let env = value["env"].as_object().into_iter().flatten();
        let more = examples[name].as_object().into_iter().flatten();
        let mut examples: BTreeMap<_, _> = more.map(|(tool, all)| (tool.clone(), all.clone())).collect();
        let arguments = value.pointer("/smoke_call/arguments").cloned().unwrap_or_else(|| json!({}));
        examples.insert(text("/smoke_call/name")?, json!([arguments]));
        Ok(Self {
            package: text("/package")?,
            version: text("/version")?,
            registry: text("/registry")?,
            install: text("/install")?,
            command,
            env: env.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect(),
            setup: text("/setup")?,
            examples,
            name: name.to_owned(),
        })
    }

    /// The same in its own folders, and with the port of the Redis that runs for it.
    pub fn placed(&self, places: &Places, redis: Option<u16>) -> Self {
        let port = redis.map(|port| format!("redis://127.0.0.1:{port}"));
        let fill = |text: &str| {
            let text = places.filled_in(text);
            port.as_ref().map_or_else(|| text.clone(), |port| text.replace(REDIS, port))
        };
        let mut examples = self.examples.clone();
        examples.values_mut().for_each(|arguments| fill_json(arguments, &fill));
        Self {
            install: fill(&self.install),
            command: self.command.iter().map(|part| fill(part)).collect(),
            env: self.env.iter().map(|(key, value)| (key.clone(), fill(value))).collect(),
            examples,
            ..self.clone()
        }
    }

    /// Whether it talks to a Redis.
    pub fn needs_redis(&self) -> bool {
        self.command.iter().any(|part| part.contains(REDIS))
    }

    /// What has to be asked of the maker of the state beyond what every server gets.
    pub fn variants(&self) -> impl Iterator<Item = &'static str> {
        // The folder `work` is for workbooks.
        let wanted = [("--duckdb", "--duckdb"), ("{STATE}/work", "--xlsx")];
        wanted.into_iter().filter(|(said, _)| self.setup.contains(said)).map(|(_, variant)| variant)
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Changes every text in a value.
pub fn fill_json(value: &mut Value, fill: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = fill(text),
        Value::Array(items) => items.iter_mut().for_each(|item| fill_json(item, fill)),
        Value::Object(members) => members.values_mut().for_each(|member| fill_json(member, fill)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn listed() -> Value {
        json!([{
            "name": "a", "package": "@x/a", "version": "1", "registry": "npm", "install": "npm install --prefix {DIR} a",
            "command": "node", "args": ["{DIR}/a.js", REDIS], "env": {"FILE": "{STATE}/a.json"}, "setup": "none",
            "smoke_call": {"name": "read", "arguments": {"paths": [{"path": "{STATE}/x"}], "n": 1}}
        }])
    }

    #[test]
    fn an_entry_is_put_into_its_folders() {
        let entry = read(&listed().to_string()).unwrap().remove(0);
        assert!(entry.needs_redis());
        let placed = entry.placed(&Places::of(Path::new("/t"), "a"), Some(7));
        assert_eq!(placed.command, ["node", "/t/a/install/a.js", "redis://127.0.0.1:7"]);
        assert_eq!(placed.install, "npm install --prefix /t/a/install a");
        assert_eq!(placed.env["FILE"], "/t/a/state/a.json");
        assert_eq!(placed.examples["read"], json!([{"paths": [{"path": "/t/a/state/x"}], "n": 1}]));
    }

    #[test]
    fn more_good_calls_join_the_one_of_the_file() {
        let more = json!({"a": {"list": [{}], "read": [{"n": 2}]}, "b": {"write": [{}]}});
        let entry = Entry::of(&listed()[0], &more).unwrap();
        assert_eq!(entry.examples.keys().collect::<Vec<_>>(), ["list", "read"]);
        assert_eq!(entry.examples["read"][0]["n"], 1, "the call of the file is known to work");
    }

    #[test]
    fn the_kept_examples_are_lists_of_arguments() {
        let kept: Value = serde_json::from_str(EXAMPLES).unwrap();
        let tools =
            kept.as_object().unwrap().values().flat_map(|server| server.as_object().unwrap().values());
        let mut all = tools.flat_map(|all| all.as_array().unwrap());
        assert!(all.all(Value::is_object));
    }

    #[test]
    fn what_is_missing_or_dangerous_is_said() {
        let with = |key: &str, value: Value| {
            let mut listed = listed();
            listed[0][key] = value;
            read(&listed.to_string()).map_err(|error| error.to_string())
        };
        assert_eq!(with("install", Value::Null).unwrap_err(), "a has no text at /install");
        assert!(with("name", json!("../a")).unwrap_err().contains("cannot be the name of a folder"));
        assert!(read("{}").is_err());
    }

    #[test]
    fn the_state_is_made_as_the_setup_says() {
        let variants = |setup: &str| {
            let mut listed = listed();
            listed[0]["setup"] = json!(setup);
            let entry = read(&listed.to_string()).unwrap().remove(0);
            entry.variants().collect::<Vec<_>>()
        };
        assert_eq!(variants("none"), Vec::<&str>::new());
        assert_eq!(variants("a file (fixture.py --duckdb)"), ["--duckdb"]);
        assert_eq!(variants("a writable folder {STATE}/work"), ["--xlsx"]);
    }
}
