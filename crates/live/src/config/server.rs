//! A server's table in `frankly.toml`, with an answer to the usual slips. What a server is, is for `mod`.

use std::collections::BTreeMap;
use std::time::Duration;

use frankly_contract::nearest;
use frankly_verdict::case::ErrorShape;
use frankly_verdict::transcript::SizeBudget;
use toml::de::DeValue;

use super::identities;
use super::table::{Fault, Member, Table, json_object, scalar};
use super::{Consent, Require, Reset, Server, ToolPolicy};
use crate::proxy::ContextSources;
use crate::session::{REVISION, STATELESS_REVISION};
use crate::shown;

const KEYS: &[&str] = &[
    "command", "env", "url", "headers", "revision", "sandbox", "reset", "require", "budget", "timeout",
    "tools", "identities", "errors", "context",
];
const COMMAND: &str = r#"command = ["node", "dist/index.js"]"#;
const URL: &str = r#"url = "https://example.com/mcp""#;
const HEADERS: &str = r#"headers = { Authorization = "Bearer ${TOKEN}" }"#;
const ERRORS: &str = r#"errors = { kind = "/error", message = "/message" }"#;
const CONTEXT: &str = r#"context = { tenant = "meta:tenant" }, or env:NAME, or header:NAME beside `url`"#;
const RESET: &str = r#"reset = ["./seed.sh"]"#;
const BUDGET: &str = "budget = { bytes = 25000 } or budget = { tokens = 8000 }";

/// Reads `servers.NAME`.
pub(super) fn read(member: &Member<'_>) -> Result<Server, Fault> {
    let header = format!("[{}] and below it {COMMAND}", member.path);
    let table = member.table(&header)?;
    table.only(KEYS, advice)?;
    let (command, url) = read_place(&table)?;
    let is_remote = url.is_some();
    let sandbox = table.get("sandbox").map(|member| member.flag()).transpose()?.unwrap_or_default();
    Ok(Server {
        shown: url.clone().map_or_else(|| command.clone(), |url| vec![shown::address(&url)]),
        command,
        url,
        headers: table.get("headers").map(|member| read_headers(&member)).transpose()?.unwrap_or_default(),
        stateless: table
            .get("revision")
            .map(|member| read_revision(&member))
            .transpose()?
            .unwrap_or_default(),
        directory: None,
        env: table.get("env").map(|member| read_env(&member)).transpose()?.unwrap_or_default(),
        sandbox,
        reset: table.get("reset").map(|member| read_reset(&member, sandbox)).transpose()?,
        budget: table.get("budget").map(|member| read_budget(&member)).transpose()?,
        errors: table.get("errors").map(|member| read_errors(&member)).transpose()?.unwrap_or_default(),
        context: table
            .get("context")
            .map(|member| read_context(&member, is_remote))
            .transpose()?
            .unwrap_or_default(),
        require: table.get("require").map(|member| read_require(&member)).transpose()?.unwrap_or_default(),
        timeout: table.get("timeout").map(|member| read_timeout(&member)).transpose()?,
        identities: table
            .get("identities")
            .map(|member| identities::read(&member, is_remote))
            .transpose()?
            .unwrap_or_default(),
        tools: table.get("tools").map(|member| read_tools(&member, sandbox)).transpose()?.unwrap_or_default(),
    })
}

fn advice(member: &Member<'_>) -> Option<String> {
    match member.key {
        "args" | "arguments" => Some(format!("arguments belong in `command`, after the program: {COMMAND}")),
        _ => None,
    }
}

/// How the server is reached: its command, or its address.
fn read_place(table: &Table<'_>) -> Result<(Vec<String>, Option<String>), Fault> {
    let unfit = |key: &str, other: &str| match table.get(key) {
        Some(member) => {
            Err(member.misplaced("does not go with this server", &format!("`{key}` only beside `{other}`")))
        }
        None => Ok(()),
    };
    match (table.get("command"), table.get("url")) {
        (Some(command), None) => {
            unfit("headers", "url")?;
            Ok((read_command(&command, COMMAND)?, None))
        }
        (None, Some(url)) => {
            // The command that resets the state has an environment too.
            if table.get("reset").is_none() {
                unfit("env", "command")?;
            }
            Ok((Vec::new(), Some(read_url(&url)?)))
        }
        (Some(_), Some(url)) => {
            let what =
                format!("{} has both `command` and `url`, and one of them counts; leave one out", table.path);
            Err(Fault { at: url.key_at, what })
        }
        (None, None) => {
            let what = format!(
                "{} has neither `command` nor `url`; write the program and its arguments, {COMMAND}, or the address of a \
                 running server, {URL}",
                table.path
            );
            Err(Fault { at: table.at, what })
        }
    }
}

/// Where this server's own errors keep what they say.
fn read_errors(member: &Member<'_>) -> Result<ErrorShape, Fault> {
    let table = member.table(ERRORS)?;
    table.only(&["code", "kind", "message", "next"], |_| None)?;
    let pointer = |key: &str| {
        let Some(member) = table.get(key) else { return Ok(None) };
        let pointer = member.text(ERRORS)?;
        if pointer.starts_with('/') {
            return Ok(Some(pointer.to_owned()));
        }
        Err(member.fault(&format!("= {pointer:?} is no JSON pointer"), ERRORS))
    };
    Ok(ErrorShape {
        code: pointer("code")?,
        kind: pointer("kind")?,
        message: pointer("message")?,
        next: pointer("next")?,
    })
}

/// For whom calls are recorded to be: each part with where it is taken from, which is looked up only when something is recorded.
fn read_context(member: &Member<'_>, is_remote: bool) -> Result<BTreeMap<String, String>, Fault> {
    let read = |member: Member<'_>| {
        let source = member.text(&format!("{:?} = \"meta:{}\"", member.key, member.key))?;
        if let Some(what) = ContextSources::fault(source) {
            return Err(Fault { at: member.at, what: format!("{} {what}", member.path) });
        }
        if source.starts_with("header:") && !is_remote {
            return Err(member.fault("is a header, and a server that is started gets none", CONTEXT));
        }
        Ok((member.key.to_owned(), source.to_owned()))
    };
    member.table(CONTEXT)?.members().map(read).collect()
}

fn read_url(member: &Member<'_>) -> Result<String, Fault> {
    let url = member.text(URL)?;
    for_no_shell(member, url)?;
    if ["http://", "https://", "${"].iter().any(|start| url.starts_with(start)) {
        return Ok(url.to_owned());
    }
    Err(member.fault(&format!("= {url:?} is no address of http or https"), URL))
}

pub(super) fn read_headers(member: &Member<'_>) -> Result<BTreeMap<String, String>, Fault> {
    let table = member.table(HEADERS)?;
    let read = |member: Member<'_>| {
        let text = member.text(&format!("{:?} = \"value\"", member.key))?;
        text.split_whitespace().try_for_each(|word| for_no_shell(&member, word))?;
        Ok((member.key.to_owned(), text.to_owned()))
    };
    table.members().map(read).collect()
}

/// Whether the revision is the one without sessions.
fn read_revision(member: &Member<'_>) -> Result<bool, Fault> {
    let write =
        format!("revision = {STATELESS_REVISION:?}, or leave it out: then {REVISION} is asked for first");
    match member.text(&write)? {
        STATELESS_REVISION => Ok(true),
        REVISION => Ok(false),
        other => Err(member.fault(&format!("= {other:?} is not spoken here"), &write)),
    }
}

/// A program and its arguments; `example` shows how that is written under this key.
fn read_command(member: &Member<'_>, example: &str) -> Result<Vec<String>, Fault> {
    if let Some(line) = member.value.as_str() {
        let words: Vec<_> = line.split_whitespace().map(|word| format!("{word:?}")).collect();
        let write = format!("{} = [{}]", member.key, words.join(", "));
        return Err(member.is_no("an array with each word by itself", &write));
    }
    let words = member.array("an array of texts", example)?;
    if words.is_empty() {
        return Err(member.fault("is empty", example));
    }
    words
        .iter()
        .map(|word| {
            let at =
                Member { at: word.span().start, value: word.get_ref(), path: member.path.clone(), ..*member };
            let Some(text) = word.get_ref().as_str() else {
                let text =
                    scalar(word.get_ref()).map_or_else(|| example.to_owned(), |text| format!("{text:?}"));
                return Err(Fault {
                    at: at.at,
                    what: format!("each word of {} is a text; write {text}", at.path),
                });
            };
            for_no_shell(&at, text)?;
            Ok(text.to_owned())
        })
        .collect()
}

fn read_reset(member: &Member<'_>, sandbox: bool) -> Result<Reset, Fault> {
    let command = read_command(member, RESET)?;
    if !sandbox {
        let server = member.path.trim_end_matches(".reset");
        let what = format!("{} changes state: it needs {server}.sandbox = true", member.path);
        return Err(Fault { at: member.at, what });
    }
    Ok(Reset { shown: command.clone(), command })
}

fn read_budget(member: &Member<'_>) -> Result<SizeBudget, Fault> {
    let number = member.value.as_integer().map(|number| number.as_str().trim_start_matches('-').to_owned());
    let write = number.map_or_else(|| BUDGET.to_owned(), |number| format!("budget = {{ bytes = {number} }}"));
    let table = member.table(&write)?;
    table.only(&["bytes", "tokens"], |_| None)?;
    let stated = |key: &str, such_as| {
        let Some(member) = table.get(key) else { return Ok(None) };
        match member.count(such_as)? {
            0 => Err(member.fault("is 0, which no answer keeps to", BUDGET)),
            count => Ok(Some(count as u64)),
        }
    };
    match (stated("bytes", 25_000)?, stated("tokens", 8_000)?) {
        (Some(bytes), None) => Ok(SizeBudget::Bytes(bytes)),
        (None, Some(tokens)) => Ok(SizeBudget::Tokens(tokens)),
        (Some(_), Some(_)) => {
            Err(member.fault("states both bytes and tokens, and one of them counts", BUDGET))
        }
        (None, None) => Err(member.fault("states no size", BUDGET)),
    }
}

/// Refuses what only a shell fills in, where the text is no script for one.
fn for_no_shell(member: &Member<'_>, text: &str) -> Result<(), Fault> {
    let path = &member.path;
    let fault = |what: String| Err(Fault { at: member.at, what });
    if text == "~" || text.starts_with("~/") {
        let rest = &text[1..];
        return fault(format!("`~` is not filled in ({path}); write \"${{HOME}}{rest}\""));
    }
    let Some(rest) = text.strip_prefix('$').filter(|_| !text.contains(char::is_whitespace)) else {
        return Ok(());
    };
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, rest) = rest.split_at(end);
    if name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return fault(format!(
            "only `${{NAME}}` is filled in, with braces ({path}); write \"${{{name}}}{rest}\""
        ));
    }
    Ok(())
}

pub(super) fn read_env(member: &Member<'_>) -> Result<BTreeMap<String, String>, Fault> {
    let table = member.table(r#"env = { NAME = "value" }"#)?;
    let read = |member: Member<'_>| {
        let text = scalar(member.value).unwrap_or_else(|| "value".to_owned());
        let text = member.text(&format!("{} = {text:?}", member.key))?;
        for_no_shell(&member, text)?;
        Ok((member.key.to_owned(), text.to_owned()))
    };
    table.members().map(read).collect()
}

fn read_require(member: &Member<'_>) -> Result<Require, Fault> {
    let number = member.value.as_integer().map_or_else(|| "1".to_owned(), ToString::to_string);
    let table =
        member.table(&format!("require = {{ tools_called = {} }}", number.trim_start_matches('-')))?;
    table.only(&["tools_called"], |_| None)?;
    let tools_called = table.get("tools_called").map(|member| member.count(1)).transpose()?;
    Ok(Require { tools_called: tools_called.unwrap_or_default() })
}

fn read_timeout(member: &Member<'_>) -> Result<Duration, Fault> {
    let seconds = scalar(member.value).filter(|_| member.value.is_integer() || member.value.is_float());
    let seconds = seconds.map_or_else(|| "10".to_owned(), |text| text.trim_start_matches('-').to_owned());
    let text = member.text(&format!("timeout = \"{seconds}s\""))?;
    let write = "timeout = \"10s\" or \"500ms\"";
    let duration = humantime::parse_duration(text)
        .map_err(|error| member.fault(&format!("= {text:?} is no duration ({error})"), write))?;
    if duration.is_zero() {
        return Err(member.fault("is 0, in which nothing answers", write));
    }
    Ok(duration)
}

fn read_tools(member: &Member<'_>, sandbox: bool) -> Result<BTreeMap<String, ToolPolicy>, Fault> {
    let table = member.table("tools.NAME = { probe = \"mutate\" }")?;
    table.members().map(|member| Ok((member.key.to_owned(), read_policy(&member, sandbox)?))).collect()
}

fn read_policy(member: &Member<'_>, sandbox: bool) -> Result<ToolPolicy, Fault> {
    let probe = member.value.as_str().unwrap_or("mutate");
    let table = member.table(&format!("tools.{} = {{ probe = {probe:?} }}", member.key))?;
    table.only(&["probe", "examples"], |_| None)?;
    let probe = table.get("probe").map(|member| read_consent(&member, sandbox)).transpose()?;
    let examples = table.get("examples").map(|member| read_examples(&member)).transpose()?;
    Ok(ToolPolicy { probe, examples: examples.unwrap_or_default() })
}

fn read_consent(member: &Member<'_>, sandbox: bool) -> Result<Consent, Fault> {
    let text = member.text("probe = \"mutate\"")?;
    let names = Consent::ALL.map(Consent::name);
    let Some(consent) = Consent::ALL.into_iter().find(|consent| consent.name() == text) else {
        let hint = nearest(text, names).map(|name| format!("; did you mean `{name}`?"));
        let what = format!("{} is none of {}{}", member.path, names.join(", "), hint.unwrap_or_default());
        return Err(Fault { at: member.at, what });
    };
    if consent == Consent::Writes && !sandbox {
        let server = member.path.split(".tools.").next().unwrap_or_default();
        let what = format!("{} = \"writes\" changes state: it needs {server}.sandbox = true", member.path);
        return Err(Fault { at: member.at, what });
    }
    Ok(consent)
}

fn read_examples(member: &Member<'_>) -> Result<Vec<serde_json::Map<String, serde_json::Value>>, Fault> {
    let write = "examples = [{ NAME = VALUE }]";
    let wanted = "an array of tables, one for each example";
    let examples = member.array(wanted, write)?;
    examples
        .iter()
        .map(|example| match example.get_ref() {
            DeValue::Table(table) => json_object(table),
            _ => {
                let what = format!("each of {} is a table of arguments; write {write}", member.path);
                Err(Fault { at: example.span().start, what })
            }
        })
        .collect()
}
