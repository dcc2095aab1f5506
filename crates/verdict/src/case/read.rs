//! Reading a file of cases, with errors that say where and what next.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::variables::{DIRECTORY, known};
use super::{Call, Case, CaseFile, Expect, ServerUse, Step};
use crate::Place;
use crate::report::plain;
use crate::yaml::{Entry, Fault, Node, load};

const FILE_KEYS: &[&str] = &["server", "files", "setup", "teardown", "cases"];
const SERVER_KEYS: &[&str] = &["use", "env", "fresh"];
const CASE_KEYS: &[&str] = &["name", "call", "with", "save", "expect", "known_failing"];
const STEP_KEYS: &[&str] = &["run", "call", "with", "save"];
const CASE: &str =
    "{ name: what it shows, call: search, with: { query: x }, expect: { json: { matched: 3 } } }";
const SERVER: &str = "server: { use: my-server }";
const STEPS: &str = "a list such as [{ run: [./seed.sh] }, { call: create, with: { name: x } }]";
const ARGUMENTS: &str = "the arguments as a map, such as { query: x }";
const SAVE: &str = "save: { id: /items/0/id }, a name with a JSON pointer into the payload";

/// Why a text is no file of cases.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {}", plain(what))]
pub struct CaseError {
    /// Where.
    pub place: Place,
    /// What is wrong there, and what to write.
    pub what: String,
}

impl CaseFile {
    /// Reads the text of a file; `path` is how the file is called in what is said of it.
    ///
    /// ```
    /// use frankly_verdict::case::CaseFile;
    ///
    /// let file = CaseFile::parse("a.yaml", "cases:\n  - name: finds one\n    call: search\n    expect: { json: { matched: 1 } }")?;
    /// assert_eq!(file.cases[0].call.tool, "search");
    ///
    /// let error = CaseFile::parse("a.yaml", "cases:\n  - name: finds one\n    cal: search").unwrap_err();
    /// assert_eq!(error.to_string(), "a.yaml:3:5: cases[0] has no key `cal`; did you mean `call`?");
    /// # Ok::<(), frankly_verdict::case::CaseError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`CaseError`], with line and column. A file without cases is none.
    pub fn parse(path: &str, text: &str) -> Result<Self, CaseError> {
        parse(path, text).map_err(|Fault { at, what }| {
            let place = Place { file: path.to_owned(), line: at.line, column: at.column };
            CaseError { place, what }
        })
    }
}

fn parse(path: &str, text: &str) -> Result<CaseFile, Fault> {
    let empty = CaseFile {
        path: path.to_owned(),
        server: ServerUse::default(),
        files: BTreeMap::new(),
        setup: Vec::new(),
        teardown: Vec::new(),
        cases: Vec::new(),
    };
    let Some(root) = load(text)? else { return Ok(empty) };
    let write = &format!("cases: [{CASE}]");
    root.only(FILE_KEYS, write, |entry| match entry.key.as_str() {
        "name" | "call" | "with" | "expect" => Some(format!("a case stands in the list `cases`, {write}")),
        _ => None,
    })?;
    let mut saved = Vec::new();
    let setup = steps(&root, "setup", &mut saved)?;
    let cases = match root.get("cases").filter(|node| !node.is_blank()) {
        Some(node) => {
            node.items(write)?.iter().map(|item| case(item, &mut saved)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    let teardown = steps(&root, "teardown", &mut saved)?;
    named_once(&cases)?;
    Ok(CaseFile {
        server: root.get("server").map(server).transpose()?.unwrap_or_default(),
        files: root.get("files").map(files).transpose()?.unwrap_or_default(),
        setup,
        teardown,
        cases,
        ..empty
    })
}

fn server(node: &Node) -> Result<ServerUse, Fault> {
    if let Ok(name) = node.text(SERVER) {
        return Err(node.fault("is a text", &format!("server: {{ use: {name} }}")));
    }
    node.only(SERVER_KEYS, SERVER, |entry| match entry.key.as_str() {
        "name" | "server" => Some("a server of frankly.toml is named with `use`".to_owned()),
        "command" | "url" => Some(format!("a server stands in frankly.toml, and here its name: {SERVER}")),
        _ => None,
    })?;
    Ok(ServerUse {
        name: node.get("use").map(|name| name.text(SERVER).map(str::to_owned)).transpose()?,
        env: node
            .get("env")
            .map(|env| texts(env, "env: { DB: \"${DIR}/db\" }"))
            .transpose()?
            .unwrap_or_default(),
        fresh: node.get("fresh").map(|fresh| fresh.flag("fresh: true")).transpose()?.unwrap_or_default(),
        at: node.get("use").map_or(node.at, |name| name.at),
    })
}

fn texts(node: &Node, write: &str) -> Result<BTreeMap<String, String>, Fault> {
    let entries = node.entries(write)?.iter();
    entries.map(|entry| Ok((entry.key.clone(), entry.node.text(write)?.to_owned()))).collect()
}

fn files(node: &Node) -> Result<BTreeMap<String, String>, Fault> {
    let write = "files: { empty.csv: \"\" }, paths within ${DIR} with their contents";
    let leads_out = |path: &str| {
        path.starts_with('/') || path.split(['/', '\\']).any(|part| matches!(part, "" | "." | ".."))
    };
    if let Some(entry) = node.entries(write)?.iter().find(|entry| leads_out(&entry.key)) {
        let what = format!(
            "the path `{}` names no file within ${{DIR}}; write one such as data/empty.csv",
            entry.key
        );
        return Err(Fault { at: entry.at, what });
    }
    texts(node, write)
}

/// What is done before or after the cases.
fn steps(root: &Node, key: &str, saved: &mut Vec<String>) -> Result<Vec<Step>, Fault> {
    let Some(node) = root.get(key) else { return Ok(Vec::new()) };
    node.items(STEPS)?.iter().map(|item| step(item, saved)).collect()
}

fn step(node: &Node, saved: &mut Vec<String>) -> Result<Step, Fault> {
    if let Some(command) = node.get("run") {
        node.only(&["run"], STEPS, |_| None)?;
        let command_line = command.texts("run: [./seed.sh, --small]")?;
        known(command, saved)?;
        if command_line.is_empty() {
            return Err(command.fault("names no program", "run: [./seed.sh]"));
        }
        return Ok(Step::Run { command: command_line, at: command.at });
    }
    node.only(STEP_KEYS, STEPS, |_| None)?;
    call(node, saved).map(Step::Call)
}

fn case(node: &Node, saved: &mut Vec<String>) -> Result<Case, Fault> {
    node.only(CASE_KEYS, CASE, advice)?;
    let name = required(node, "name", "name: what it shows")?;
    let name_text = name.text("name: what it shows")?.trim();
    if name_text.is_empty() {
        return Err(name.fault("is blank", "name: what it shows"));
    }
    let known_failing = node.get("known_failing").map(reason).transpose()?;
    let expect = required(
        node,
        "expect",
        "expect: { json: { matched: 3 } }, or expect: {} and frankly test --update",
    )?;
    known(expect, saved)?;
    Expect::check(expect)?;
    let call = call(node, saved)?;
    Ok(Case { name: name_text.to_owned(), at: node.at, call, known_failing, expect: expect.clone() })
}

fn advice(entry: &Entry) -> Option<String> {
    match entry.key.as_str() {
        "args" | "arguments" | "input" | "params" => Some("arguments are written as `with`".to_owned()),
        "tool" => Some("the tool is named with `call`".to_owned()),
        "json" | "text" | "code" | "kind" | "message" | "is_error" | "next" | "empty_because"
        | "max_bytes" => Some(format!("it belongs into `expect`: expect: {{ {}: … }}", entry.key)),
        _ => None,
    }
}

fn reason(node: &Node) -> Result<String, Fault> {
    let write = "known_failing: \"reported, not fixed yet\"";
    let reason = node.text(write)?.trim();
    if reason.is_empty() {
        return Err(node.fault("gives no reason", write));
    }
    Ok(reason.to_owned())
}

fn call(node: &Node, saved: &mut Vec<String>) -> Result<Call, Fault> {
    let tool = required(node, "call", "call: search")?;
    let tool_name = tool.text("call: search")?;
    if tool_name.is_empty() {
        return Err(tool.fault("names no tool", "call: search"));
    }
    let with = node.get("with").filter(|with| !with.is_blank());
    if let Some(with) = with {
        known(with, saved)?;
    }
    let arguments = with.map(|with| with.object(ARGUMENTS)).transpose()?;
    let save = node.get("save").map(|save| pointers(save, saved)).transpose()?;
    let arguments: Map<String, Value> = arguments.unwrap_or_default();
    Ok(Call { tool: tool_name.to_owned(), at: tool.at, arguments, save: save.unwrap_or_default() })
}

fn pointers(node: &Node, saved: &mut Vec<String>) -> Result<BTreeMap<String, String>, Fault> {
    for entry in node.entries(SAVE)? {
        let pointer = entry.node.text(SAVE)?;
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(entry.node.fault(&format!("is {pointer:?}, and no JSON pointer"), SAVE));
        }
        if entry.key == DIRECTORY || !is_name(&entry.key) {
            let what =
                format!("`{}` is no name for a value; write letters, digits and _, and not DIR", entry.key);
            return Err(Fault { at: entry.at, what });
        }
        saved.push(entry.key.clone());
    }
    texts(node, SAVE)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn required<'n>(node: &'n Node, key: &str, write: &str) -> Result<&'n Node, Fault> {
    node.get(key).filter(|node| !node.is_blank()).ok_or_else(|| node.fault(&format!("has no `{key}`"), write))
}

/// Findings and baselines tell cases apart by their names.
fn named_once(cases: &[Case]) -> Result<(), Fault> {
    let mut names = BTreeSet::new();
    match cases.iter().find(|case| !names.insert(case.name.as_str())) {
        Some(case) => {
            let what =
                format!("a case before this is named {:?} too; give each a name of its own", case.name);
            Err(Fault { at: case.at, what })
        }
        None => Ok(()),
    }
}
