//! Cases as they are stored: `log.jsonl`, and a folder of inputs for each.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

/// One fault, with its healthy twins.
pub struct Case {
    pub id: String,
    pub kind: String,
    /// Which kind of input it has.
    pub input: String,
    /// Where the fault is, rooted at the bad input.
    pub place: String,
    /// Whether information is all that is asked for.
    pub is_info: bool,
    pub bad: Definitions,
    pub twins: Vec<Definitions>,
}

/// The tools of some servers, and for whom they are.
#[derive(Debug, Default, Clone)]
pub struct Definitions {
    /// Each server's name and tools.
    pub servers: Vec<(String, Value)>,
    /// How `frankly lint` is told of the rest.
    pub arguments: Vec<String>,
}

/// Every case of a folder.
pub fn cases(folder: &Path) -> anyhow::Result<Vec<Case>> {
    let path = folder.join("log.jsonl");
    let text =
        std::fs::read_to_string(&path).with_context(|| format!("failed to read {}", path.display()))?;
    text.lines().filter(|line| !line.trim().is_empty()).map(|line| case(folder, line)).collect()
}

fn case(folder: &Path, line: &str) -> anyhow::Result<Case> {
    let entry: Value = serde_json::from_str(line).context("failed to read a line of log.jsonl")?;
    let text = |pointer: &str| entry.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let mut case = Case {
        id: text("/id"),
        kind: text("/kind"),
        input: text("/repro"),
        place: text("/expect/where"),
        is_info: text("/expect/severity") == "info",
        bad: Definitions::default(),
        twins: Vec::new(),
    };
    if case.input == "tools_list" {
        for (role, path) in entry["inputs"].as_object().into_iter().flatten() {
            let definitions = Definitions::read(&folder.join(path.as_str().unwrap_or_default()))?;
            if role == "bad" {
                case.bad = definitions;
            } else {
                case.twins.push(definitions);
            }
        }
    }
    Ok(case)
}

impl Definitions {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
        let input =
            serde_json::from_str(&text).with_context(|| format!("failed to read {}", path.display()))?;
        Ok(Self::of(&input))
    }

    /// The servers of an input, and its other members as arguments: a profile that is no target is left out, since then
    /// nothing is known of whom the tools are for.
    pub fn of(input: &Value) -> Self {
        let servers = input["servers"].as_array().map(Vec::as_slice).unwrap_or_default();
        let name = |server: &Value| server["name"].as_str().unwrap_or("server").to_owned();
        let servers =
            servers.iter().map(|server| (name(server), json!({ "tools": server["tools"] }))).collect();
        let mut arguments = Vec::new();
        let mut add = |flag: &str, value: String| arguments.extend([flag.to_owned(), value]);
        let profile = input["profile"].as_array().map(Vec::as_slice).unwrap_or_default();
        let targets: Vec<&str> =
            profile.iter().filter_map(Value::as_str).filter(|name| is_target(name)).collect();
        if !targets.is_empty() {
            add("--target", targets.join(","));
        }
        let routing = input["routing"].as_str().unwrap_or_default();
        if let Some(prefix) = input["client_prefix"].as_str() {
            add("--prefix", prefix.to_owned());
        } else if routing.starts_with("bare") {
            add("--prefix", "none".to_owned());
        } else if routing.starts_with("prefix") {
            add("--prefix", "{server}_".to_owned());
        }
        for unit in ["bytes", "tokens"] {
            if let Some(size) = input["budget"][unit].as_u64() {
                add("--budget", format!("{unit}={size}"));
            }
        }
        Self { servers, arguments }
    }

    /// Writes a file for each server into a folder, and says how they are called.
    pub fn write(&self, folder: &Path) -> anyhow::Result<Vec<String>> {
        let write = |(name, tools): &(String, Value)| {
            let file = file_of(name);
            std::fs::write(folder.join(&file), tools.to_string()).context("failed to write definitions")?;
            Ok(file)
        };
        self.servers.iter().map(write).collect()
    }
}

/// The file of a server.
pub fn file_of(server: &str) -> String {
    format!("{server}.json")
}

fn is_target(name: &str) -> bool {
    frankly_verdict::lint::Target::named(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_input_says_of_its_client_becomes_arguments() {
        let of = |input: Value| Definitions::of(&input).arguments.join(" ");
        assert_eq!(of(json!({"servers": []})), "");
        assert_eq!(of(json!({"profile": ["openai", "vscode"]})), "--target openai,vscode");
        assert_eq!(of(json!({"profile": ["nobody-knows"]})), "");
        assert_eq!(
            of(json!({"routing": "bare-name", "budget": {"tokens": 9}})),
            "--prefix none --budget tokens=9"
        );
        assert_eq!(of(json!({"client_prefix": "mcp__{server}__"})), "--prefix mcp__{server}__");
    }
}
