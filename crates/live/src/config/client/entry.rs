//! One server of a client's file, as it is written.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::Server;
use crate::shown;

/// How the types of servers are called that are spoken to.
const STDIO: &[&str] = &["stdio"];
const HTTP: &[&str] = &["http", "streamable-http", "streamableHttp", "streamable_http"];

/// Reads a server; variables are not filled in. An error says what is wrong with it, without a subject.
pub(super) fn read(entry: &Value) -> Result<Server, String> {
    if !entry.is_object() {
        return Err("is no object".to_owned());
    }
    let kind = kind(entry)?;
    let (command, url) = (text(entry, "command")?, text(entry, "url")?);
    match (kind, command, url) {
        (_, Some(_), Some(_)) => Err("has both `command` and `url`, and one of them counts".to_owned()),
        (Some("http") | None, None, Some(url)) => at_address(entry, url),
        (Some("stdio") | None, Some(command), None) => started(entry, command),
        (Some(kind), ..) => {
            let missing = if kind == "http" { "url" } else { "command" };
            Err(format!("is of the type {kind:?} and has no `{missing}`"))
        }
        (None, None, None) => Err("has neither `command` nor `url`".to_owned()),
    }
}

fn started(entry: &Value, command: &str) -> Result<Server, String> {
    if entry.get("envFile").is_some() {
        return Err("has an `envFile`, which is not read: write them in `env`".to_owned());
    }
    let mut words = vec![command.to_owned()];
    match entry.get("args") {
        None | Some(Value::Null) => {}
        Some(Value::Array(arguments)) => {
            for argument in arguments {
                words.push(scalar(argument).ok_or("has `args` that are no array of texts")?);
            }
        }
        Some(_) => return Err("has `args` that are no array of texts".to_owned()),
    }
    Ok(Server {
        shown: words.clone(),
        command: words,
        env: texts(entry, "env")?,
        directory: text(entry, "cwd")?.map(Into::into),
        ..Server::default()
    })
}

fn at_address(entry: &Value, url: &str) -> Result<Server, String> {
    if entry.get("headersHelper").is_some() {
        return Err("has a `headersHelper`, which is not run: write them in `headers`".to_owned());
    }
    let url = url.to_owned();
    let headers = texts(entry, "headers")?;
    Ok(Server { shown: vec![shown::address(&url)], url: Some(url), headers, ..Server::default() })
}

/// `stdio` or `http`, where the server says which.
fn kind(entry: &Value) -> Result<Option<&'static str>, String> {
    let Some(kind) = text(entry, "type")? else { return Ok(None) };
    if STDIO.contains(&kind) {
        Ok(Some("stdio"))
    } else if HTTP.contains(&kind) {
        Ok(Some("http"))
    } else if kind == "sse" {
        Err("is of the type \"sse\", the transport before streamable HTTP, which is not spoken; if the server has both, \
             say type \"http\" and its other address"
            .to_owned())
    } else {
        Err(format!("is of the type {kind:?}, which is not known here; known: stdio, http"))
    }
}

fn text<'a>(entry: &'a Value, key: &str) -> Result<Option<&'a str>, String> {
    match entry.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_str().map(Some).ok_or_else(|| format!("has a `{key}` that is no text")),
    }
}

/// An object of texts; what is `null` there is left out, as clients do.
fn texts(entry: &Value, key: &str) -> Result<BTreeMap<String, String>, String> {
    let wrong = || format!("has `{key}` that is no object of texts");
    let members = match entry.get(key) {
        None | Some(Value::Null) => return Ok(BTreeMap::new()),
        Some(value) => value.as_object().ok_or_else(wrong)?,
    };
    let stated = members.iter().filter(|(_, value)| !value.is_null());
    stated.map(|(name, value)| Ok((name.clone(), scalar(value).ok_or_else(wrong)?))).collect()
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}
