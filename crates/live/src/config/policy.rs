//! `[rules]` and `[[allow]]`: what users have decided about findings.

use std::collections::BTreeMap;
use std::path::Path;

use frankly_contract::nearest;
use frankly_verdict::Place;
use frankly_verdict::policy::{Allow, Level, names};

use super::table::{Fault, Member};

const ALLOW: &str = "[[allow]] with rule = \"RULE\" and reason = \"WHY\" under it";

/// How much rules weigh.
pub(super) fn levels(rules: &Member<'_>) -> Result<BTreeMap<String, Level>, Fault> {
    rules
        .table("[rules]")?
        .members()
        .map(|member| Ok((rule_name(member.key, member.key_at)?, level(&member)?)))
        .collect()
}

fn level(member: &Member<'_>) -> Result<Level, Fault> {
    let write = format!("\"{}\" = \"warning\"", member.key);
    let text = member.text(&write)?;
    Level::ALL.iter().find(|(name, _)| *name == text).map(|(_, level)| *level).ok_or_else(|| {
        let names = Level::ALL.map(|(name, _)| name);
        let hint = match nearest(text, names) {
            Some(name) => format!("did you mean \"{name}\"?"),
            None => format!("write one of \"{}\"", names.join("\", \"")),
        };
        Fault { at: member.at, what: format!("{} = {text:?} is no level; {hint}", member.path) }
    })
}

/// The name of a rule or check, if there is one of this name.
fn rule_name(name: &str, at: usize) -> Result<String, Fault> {
    if names().any(|known| known == name) {
        return Ok(name.to_owned());
    }
    let hint = match nearest(name, names()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`frankly explain` lists every name".to_owned(),
    };
    Err(Fault { at, what: format!("there is no rule or check {name:?}; {hint}") })
}

/// What is let pass; `servers` are those of the file, and `place` turns a byte into a place in it.
pub(super) fn allows(
    entries: &Member<'_>,
    servers: &[&str],
    place: impl Fn(usize) -> Place,
) -> Result<Vec<Allow>, Fault> {
    let read = |entry: Member<'_>| allow(&entry, servers, &place);
    entries.elements("an array of tables", ALLOW)?.map(read).collect()
}

/// Whether a name is that of a definition file, which may well be called as its server is.
fn is_file(name: &str) -> bool {
    let is_json = Path::new(name).extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    is_json || name.contains('/')
}

fn allow(entry: &Member<'_>, servers: &[&str], place: &impl Fn(usize) -> Place) -> Result<Allow, Fault> {
    const KEYS: &[&str] = &["mutation", "pointer", "reason", "rule", "server", "tool"];
    let table = entry.table(ALLOW)?;
    table.only(KEYS, |_| None)?;
    let text = |key: &str| {
        table
            .get(key)
            .map(|member| Ok((member.text(&format!("{key} = \"…\""))?.to_owned(), member.at)))
            .transpose()
    };
    let optional = |key: &str| Ok(text(key)?.map(|(text, _)| text));
    let missing = |what: &str| Fault { at: entry.at, what: format!("{} {what}", entry.path) };
    let (rule, at) = text("rule")?.ok_or_else(|| missing("names no rule; write rule = \"RULE\""))?;
    let reason = optional("reason")?.filter(|reason| !reason.trim().is_empty());
    let reason = reason
        .ok_or_else(|| missing("says no reason; write reason = \"WHY\", for whoever reads it later"))?;
    if let Some((server, at)) = text("server")?
        && !servers.contains(&server.as_str())
        && !is_file(&server)
        && let Some(nearest) = nearest(&server, servers.iter().copied())
    {
        let what = format!("there is no server {server:?} in this file; did you mean `{nearest}`?");
        return Err(Fault { at, what });
    }
    Ok(Allow {
        rule: rule_name(&rule, at)?,
        server: optional("server")?,
        tool: optional("tool")?,
        pointer: optional("pointer")?,
        mutation: optional("mutation")?,
        reason,
        place: place(entry.at),
    })
}
