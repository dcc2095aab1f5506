//! What is said first, in either life cycle: `initialize`, or, in the revision without sessions, `server/discover`.

use std::time::Duration;

use frankly_contract::CallError;
use frankly_verdict::report::shorten;
use serde_json::{Map, Value, json};

use super::error::Cause;
use super::wire::{INITIALIZE, Unanswered, Wire, read_answer};
use super::{Launch, REVISION, STATELESS_REVISION, Session};

/// How long a server may take to answer `initialize`, if calls may not take longer still.
const START: Duration = Duration::from_secs(30);
/// How much of the name that a server gives itself is kept.
const LONGEST_NAME: usize = 100;
/// The error of a server that does not speak the revision that was asked for.
const UNSUPPORTED_REVISION: i64 = -32022;
const DISCOVER: &str = "server/discover";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// What both life cycles lead to.
struct Agreed {
    revision: String,
    own_name: Option<String>,
    instructions: Option<String>,
    stateless: bool,
}

/// Shakes hands with whatever is at the other end.
pub(super) async fn shake_hands(wire: Wire, launch: &Launch) -> Result<Session, Cause> {
    let patience = START.max(launch.timeout);
    let agreed = match launch.stateless {
        true => discover(&wire, patience).await?,
        false => match initialize(&wire, patience).await {
            Err(Cause::Refused { code: UNSUPPORTED_REVISION, .. }) => discover(&wire, patience).await?,
            agreed => agreed?,
        },
    };
    let Agreed { revision, own_name, instructions, stateless } = agreed;
    let own_name = own_name.filter(|name| !name.is_empty()).map(|name| shorten(&name, LONGEST_NAME));
    Ok(Session {
        wire,
        process: None,
        server: launch.name.clone().or(own_name).unwrap_or_else(|| "server".to_owned()),
        revision,
        instructions: instructions.unwrap_or_default(),
        stateless,
        timeout: launch.timeout,
    })
}

async fn initialize(wire: &Wire, patience: Duration) -> Result<Agreed, Cause> {
    let params = json!({"protocolVersion": REVISION, "capabilities": {}, "clientInfo": client_info()});
    let answer = first(wire, INITIALIZE, params, patience).await?;
    let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
    let revision = text("/protocolVersion")
        .ok_or_else(|| Cause::Malformed("the answer to initialize names no protocolVersion".to_owned()))?;
    wire.agreed_on(&revision);
    let gone = |_| Cause::Gone { what: "stopped reading".to_owned(), status: None };
    let notice = wire.notify("notifications/initialized");
    tokio::time::timeout(patience, notice).await.map_err(|_| Cause::Unread)?.map_err(gone)?;
    let (own_name, instructions) = (text("/serverInfo/name"), text("/instructions"));
    Ok(Agreed { revision, own_name, instructions, stateless: false })
}

async fn discover(wire: &Wire, patience: Duration) -> Result<Agreed, Cause> {
    wire.go_stateless();
    let answer = first(wire, DISCOVER, self_contained(json!({})), patience).await?;
    let supported = answer.get("supportedVersions").and_then(Value::as_array);
    if supported.is_some_and(|versions| versions.iter().all(|version| version != STATELESS_REVISION)) {
        let what = format!("it speaks neither {REVISION} nor {STATELESS_REVISION}");
        return Err(Cause::Malformed(what));
    }
    let info =
        answer.get("_meta").and_then(|meta| meta.get(SERVER_INFO)).or_else(|| answer.get("serverInfo"));
    let own_name = info.and_then(|info| info.get("name")).and_then(Value::as_str).map(str::to_owned);
    let instructions = answer.get("instructions").and_then(Value::as_str).map(str::to_owned);
    Ok(Agreed { revision: STATELESS_REVISION.to_owned(), own_name, instructions, stateless: true })
}

async fn first(wire: &Wire, method: &str, params: Value, patience: Duration) -> Result<Value, Cause> {
    let answer = wire.ask(method, params, patience).await;
    if wire.echoes() {
        return Err(Cause::Echo);
    }
    let answer = answer.map_err(|unanswered| match unanswered {
        Unanswered::TimedOut => Cause::Silent(patience),
        Unanswered::Gone(what) => Cause::Gone { what, status: None },
        Unanswered::Instead(failure) => Cause::Http(failure),
    })?;
    read_answer(&answer).map_err(|error| match error {
        CallError::Protocol { code, message, .. } => Cause::Refused { code, message },
        CallError::Malformed(what) => Cause::Malformed(what),
        other => Cause::Malformed(other.to_string()),
    })
}

/// A request's parameters with what each request of the revision without sessions says of who asks.
pub(super) fn self_contained(mut params: Value) -> Value {
    let Some(members) = params.as_object_mut() else { return params };
    let meta = members.entry("_meta").or_insert_with(|| Value::Object(Map::new()));
    if let Some(meta) = meta.as_object_mut() {
        meta.insert("io.modelcontextprotocol/protocolVersion".to_owned(), json!(STATELESS_REVISION));
        meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), client_info());
        meta.insert("io.modelcontextprotocol/clientCapabilities".to_owned(), json!({}));
    }
    params
}

fn client_info() -> Value {
    json!({"name": "frankly", "version": env!("CARGO_PKG_VERSION")})
}
