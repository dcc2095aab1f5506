//! What one identity wrote is looked for as another, each in a session of its own.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

use frankly_live::config::{Consent, Identity, Server, ToolPolicy};
use frankly_live::probe::Grants;
use frankly_live::{Inspection, inspect};

/// See there.
const SERVER: &str = include_str!("notes.sh");

/// Looks at the server, which as each tenant shows the notes that `shown` says.
async fn look(store: &Path, shown: [&str; 2]) -> Inspection {
    let command = ["sh", "-c", SERVER].map(str::to_owned).to_vec();
    let [one, other] = ["acme", "zenith"];
    let identity = |tenant: &str, shown: &str| {
        let env = [("TENANT", tenant), ("SHOWN", shown)];
        let env = env.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        (tenant.to_owned(), Identity { env, tenant: tenant.to_owned(), ..Identity::default() })
    };
    std::fs::write(store, "acme first\nzenith first\n").unwrap();
    let env = [("STORE", store.to_str().unwrap()), ("TENANT", "nobody"), ("SHOWN", "first")];
    let policy = ToolPolicy { probe: Some(Consent::Writes), examples: Vec::new() };
    let server = Server {
        shown: command.clone(),
        command,
        env: env.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
        sandbox: true,
        tools: [("add_note".to_owned(), policy)].into(),
        identities: [identity(one, shown[0]), identity(other, shown[1])].into(),
        ..Server::default()
    };
    inspect(Some("notes"), &server, Some(&Grants::default())).await.unwrap()
}

/// Why the probe showed nothing, if it did not.
fn outcome(inspection: &Inspection) -> Option<&str> {
    let gaps = inspection.coverage.not_exercised.iter().chain(&inspection.coverage.skipped);
    gaps.filter(|gap| gap.probe == "two-identities").map(|gap| gap.why.as_str()).next()
}

#[tokio::test]
async fn what_one_wrote_is_looked_for_as_another() {
    let directory = tempfile::tempdir().unwrap();
    let store = directory.path().join("notes");
    let inspection = look(&store, ["acme", "zenith"]).await;
    assert_eq!(outcome(&inspection), None);
    let stored = std::fs::read_to_string(&store).unwrap();
    assert!(stored.lines().any(|line| line.starts_with("acme frankly-")), "{stored}");
    assert!(!stored.contains("zenith frankly-"), "the other one only looks: {stored}");
    assert!(inspection.findings.iter().all(|finding| finding.rule != "lost-response"), "no id comes twice");
}

#[tokio::test]
async fn what_its_own_writer_is_not_shown_shows_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let inspection = look(&directory.path().join("notes"), ["first", "first"]).await;
    assert_eq!(outcome(&inspection), Some("no tool that reads shows what `add_note` stored"));
}
