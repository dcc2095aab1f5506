//! The identities of a server in `frankly.toml`: as whom it is asked.

use std::collections::BTreeMap;

use super::Identity;
use super::server::{read_env, read_headers};
use super::table::{Fault, Member};

const REMOTE: &str = r#"identities.NAME = { headers = { Authorization = "Bearer ${TOKEN}" } }"#;
const LOCAL: &str = r#"identities.NAME = { env = { API_TOKEN = "${TOKEN}" } }"#;

/// Reads `servers.NAME.identities`; a server at an address is told by headers, one that is started by its environment.
pub(super) fn read(member: &Member<'_>, is_remote: bool) -> Result<BTreeMap<String, Identity>, Fault> {
    let write = if is_remote { REMOTE } else { LOCAL };
    let table = member.table(write)?;
    let all: BTreeMap<_, _> = table
        .members()
        .map(|member| Ok((member.key.to_owned(), identity(&member, is_remote, write)?)))
        .collect::<Result<_, Fault>>()?;
    if all.len() < 2 {
        return Err(member.fault("names fewer than two, and one is compared with another", write));
    }
    Ok(all)
}

fn identity(member: &Member<'_>, is_remote: bool, write: &str) -> Result<Identity, Fault> {
    let table = member.table(write)?;
    table.only(&["headers", "env", "tenant"], |_| None)?;
    let unfit = if is_remote { "env" } else { "headers" };
    if let Some(member) = table.get(unfit) {
        return Err(member.misplaced("does not go with this server", write));
    }
    let tenant = table.get("tenant").map(|member| member.text("tenant = \"acme\"").map(str::to_owned));
    Ok(Identity {
        headers: table.get("headers").map(|member| read_headers(&member)).transpose()?.unwrap_or_default(),
        env: table.get("env").map(|member| read_env(&member)).transpose()?.unwrap_or_default(),
        tenant: tenant.transpose()?.unwrap_or_else(|| member.key.to_owned()),
    })
}
