//! One server of the file: how it is installed, started and called.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use serde_json::{Map, Value};

use super::places::Places;

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
    /// A tool and arguments that are known to work.
    pub smoke: (String, Map<String, Value>),
}

/// The servers of the file, with `{DIR}` and `{STATE}` in them as it has them.
pub fn read(text: &str) -> anyhow::Result<Vec<Entry>> {
    let document: Value = serde_json::from_str(text).context("failed to read the list of servers")?;
    let servers = document.as_array().context("the list of servers is no array")?;
    servers.iter().map(Entry::of).collect()
}

impl Entry {
    fn of(value: &Value) -> anyhow::Result<Self> {
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
        let arguments = value.pointer("/smoke_call/arguments").and_then(Value::as_object);
        Ok(Self {
            package: text("/package")?,
            version: text("/version")?,
            registry: text("/registry")?,
            install: text("/install")?,
            command,
            env: env.filter_map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned()))).collect(),
            setup: text("/setup")?,
            smoke: (text("/smoke_call/name")?, arguments.cloned().unwrap_or_default()),
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
        let mut arguments = Value::Object(self.smoke.1.clone());
        fill_json(&mut arguments, &fill);
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        Self {
            install: fill(&self.install),
            command: self.command.iter().map(|part| fill(part)).collect(),
            env: self.env.iter().map(|(key, value)| (key.clone(), fill(value))).collect(),
            smoke: (self.smoke.0.clone(), arguments),
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

    use serde_json::json;

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
        assert_eq!(Value::Object(placed.smoke.1), json!({"paths": [{"path": "/t/a/state/x"}], "n": 1}));
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
