//! Cases as they are stored: `log.jsonl`, and a folder of inputs for each.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::exchange::Exchange;

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
    pub bad: Input,
    pub twins: Vec<Input>,
}

/// What frankly looks at.
pub enum Input {
    /// Definitions, which it lints.
    Definitions(Definitions),
    /// A recording, which it verifies.
    Exchange(Exchange),
    /// Something that it does not read yet.
    Unread,
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
        bad: Input::Unread,
        twins: Vec::new(),
    };
    for (role, path) in entry["inputs"].as_object().into_iter().flatten() {
        let input = Input::read(&case.input, &folder.join(path.as_str().unwrap_or_default()))?;
        if role == "bad" {
            case.bad = input;
        } else {
            case.twins.push(input);
        }
    }
    Ok(case)
}

impl Input {
    fn read(kind: &str, path: &Path) -> anyhow::Result<Self> {
        let read = || -> anyhow::Result<Value> { Ok(serde_json::from_slice(&std::fs::read(path)?)?) };
        let input = || read().with_context(|| format!("failed to read {}", path.display()));
        Ok(match kind {
            "tools_list" => Self::Definitions(Definitions::of(&input()?)),
            "exchange" | "policy_exchange" => Self::Exchange(Exchange::of_messages(&input()?)),
            "gateway_pair" => Self::Exchange(Exchange::of_gateway(&input()?)),
            "http_exchange" => Self::Exchange(Exchange::of_identities(&input()?)),
            "recording" => Exchange::of_interactions(&input()?).map_or(Self::Unread, Self::Exchange),
            "wire" => Self::Exchange(Exchange::of_lines(&input()?)?),
            _ => Self::Unread,
        })
    }
}

impl Definitions {
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

    /// Where a finding is, rooted at the input.
    pub fn place(&self, finding: &Value) -> String {
        let text = |key: &str| finding[key].as_str().unwrap_or_default();
        let is_it = |name: &str| file_of(name) == text("server");
        let server = self.servers.iter().position(|(name, _)| is_it(name)).unwrap_or_default();
        let tools = self.servers.get(server).and_then(|(_, tools)| tools["tools"].as_array());
        // The last of the name: where a tool is listed twice, it is the second that is found.
        let tool = tools.and_then(|tools| tools.iter().rposition(|tool| tool["name"] == text("tool")));
        match tool {
            Some(tool) => format!("/servers/{server}/tools/{tool}{}", text("pointer")),
            None => format!("/servers/{server}/tools"),
        }
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
fn file_of(server: &str) -> String {
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
