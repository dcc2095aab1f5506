//! Labelled calls as they are stored: a file for each server, its definitions in another.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::recording::Recording;

/// What the middle of a long text was replaced with.
const LEFT_OUT: &str = "…[";
const LEFT_OUT_END: &str = " characters left out]…";

/// What somebody made of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    Defect,
    Ok,
    Trap,
    Debatable,
}

impl Label {
    pub fn should_be_reported(self) -> bool {
        self == Self::Defect
    }

    pub fn is_scored(self) -> bool {
        self != Self::Debatable
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Defect => "defect",
            Self::Ok => "ok",
            Self::Trap => "trap",
            Self::Debatable => "debatable",
        })
    }
}

/// A call with what somebody made of it.
#[derive(Debug)]
pub struct Labelled {
    pub id: String,
    /// Its position among the calls of the recording.
    pub index: u64,
    pub label: Label,
    pub codes: Vec<String>,
    pub reason: String,
}

/// The calls to one server.
#[derive(Debug)]
pub struct Server {
    pub name: String,
    pub recording: Recording,
    pub calls: Vec<Labelled>,
}

/// The servers of a folder, by name.
pub fn servers(folder: &Path, tools: &Path) -> anyhow::Result<Vec<Server>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("failed to read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| is_server(path));
    paths.sort();
    paths.iter().map(|path| server(path, tools)).collect()
}

fn is_server(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".json") && !name.starts_with('_')
}

fn read(path: &Path) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(path).with_context(|| format!("failed to read {}", path.display()))?;
    serde_json::from_str(&text).with_context(|| format!("failed to read {}", path.display()))
}

fn server(path: &Path, tools: &Path) -> anyhow::Result<Server> {
    let stored = read(path)?;
    let package = stored["package"].as_str().unwrap_or_default().replace('/', "__");
    let mut recording = Recording::new();
    recording.say("revision", &stored["protocolVersion"]);
    let definitions = tools.join(format!("{package}.json"));
    if definitions.is_file() {
        let definitions = read(&definitions)?;
        let listed = definitions.get("tools").filter(|tools| tools.is_array());
        recording.say("tools", listed.with_context(|| format!("no tools in the definitions of {package}"))?);
    }
    let mut calls = Vec::new();
    for (index, probe) in stored["probes"].as_array().into_iter().flatten().enumerate() {
        calls.push(labelled(index as u64, probe)?);
        let mut request = json!({"jsonrpc": "2.0", "id": index});
        request["method"] = probe["request"]["method"].clone();
        request["params"] = probe["request"]["params"].clone();
        recording.add(json!({"from": "client", "msg": request}));
        if let Some(frame) = answer(index as u64, probe) {
            recording.add(frame);
        }
    }
    recording.add(json!({"event": "end"}));
    Ok(Server { name: package, recording, calls })
}

fn labelled(index: u64, probe: &Value) -> anyhow::Result<Labelled> {
    let text = |pointer: &str| probe.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let codes = probe["verdict"]["codes"].as_array().into_iter().flatten();
    Ok(Labelled {
        id: text("/id"),
        index,
        label: match text("/verdict/label").as_str() {
            "defect" => Label::Defect,
            "ok" => Label::Ok,
            "trap" => Label::Trap,
            "debatable" => Label::Debatable,
            other => bail!("nobody knows the label {other:?}"),
        },
        codes: codes.filter_map(Value::as_str).map(str::to_owned).collect(),
        reason: text("/verdict/reason"),
    })
}

/// The frame of an answer, cut where its middle was left out.
fn answer(id: u64, probe: &Value) -> Option<Value> {
    let mut message = json!({"jsonrpc": "2.0", "id": id});
    for (key, value) in probe["response"].as_object()? {
        message[key] = value.clone();
    }
    let line = message.to_string();
    let Some((head, tail)) = ends(&line) else {
        return Some(json!({"from": "server", "msg": message}));
    };
    let bytes = probe["facts"]["bytes"].as_u64().unwrap_or(line.len() as u64);
    Some(json!({"from": "server", "cut": {"bytes": bytes, "head": head, "tail": tail}}))
}

/// What stands before the first part that was left out, and after the last.
fn ends(line: &str) -> Option<(&str, &str)> {
    let (_, tail) = line.rsplit_once(LEFT_OUT_END)?;
    let first = line.find(LEFT_OUT_END)?;
    let head = line[..first].rfind(LEFT_OUT)?;
    Some((&line[..head], tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_whose_middle_is_left_out_is_cut() {
        let text = "ab…[1234 characters left out]…yz";
        let probe = json!({
            "response": {"result": {"content": [{"type": "text", "text": text}]}},
            "facts": {"bytes": 5000}
        });
        let frame = answer(3, &probe).unwrap();
        assert_eq!(frame["cut"]["bytes"], 5000);
        assert!(frame["cut"]["head"].as_str().unwrap().ends_with("\"text\":\"ab"));
        assert!(frame["cut"]["tail"].as_str().unwrap().starts_with("yz\""));
        let whole = json!({"response": {"error": {"code": 1}}});
        assert_eq!(answer(3, &whole).unwrap()["msg"]["error"]["code"], 1);
    }
}
