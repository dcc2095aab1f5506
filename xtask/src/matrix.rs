//! Every fault of the ledger against what frankly finds: alone it gives its own finding and no other, the honest ledger
//! gives none, and all at once they give all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use frankly_ledger::Fault;
use serde_json::Value;

use crate::binary;

/// The server that is copied, with another command, from the project's own frankly.toml.
const LEDGER: &str = "ledger";
const HONEST: &str = "honest";
const ALL: &str = "all";
/// The variable that holds the address of a ledger that is shared.
const URL: &str = "LEDGER_URL";
/// How long a ledger may take to say where it listens.
const PATIENCE: Duration = Duration::from_secs(30);
/// How many servers are looked at at a time.
const AT_ONCE: usize = 4;

/// Which finding each fault gives, on which tool, and how severe.
const EXPECTED: &[(&str, &str, &str, &str)] = &[
    ("ambiguous-empty", "ambiguous-empty", "query_transactions", "error"),
    ("buried-error", "buried-error", "import_csv", "error"),
    ("capped-sql-without-way-on", "truncation-without-next", "run_sql", "warning"),
    ("escaped-text", "bloated-result", "read_statement", "warning"),
    ("limit-ignored", "limit-ignored", "list_accounts", "error"),
    ("optional-everything", "optional-everything", "log_expense", "error"),
    ("silent-truncation", "silent-truncation", "query_transactions", "error"),
    ("thrown-error", "protocol-error-for-tool-error", "inspect_csv", "error"),
    ("unbounded-dump", "over-budget", "list_categories", "error"),
    ("argument-dropped", "argument-ignored", "query_transactions", "error"),
    ("drifting-default", "default-drift", "query_transactions", "error"),
    ("silent-clamp", "argument-ignored", "log_expense", "error"),
    ("quiet-coercion", "argument-ignored", "query_transactions", "warning"),
    ("enum-fallback", "argument-ignored", "list_accounts", "error"),
    ("blank-filter", "ambiguous-empty", "list_accounts", "error"),
    ("assumed-argument", "argument-ignored", "read_statement", "error"),
    ("undeclared-bound", "undeclared-bound", "list_accounts", "warning"),
    ("opaque-error", "dead-end-error", "read_statement", "error"),
    ("wrong-cause", "dead-end-error", "log_expense", "error"),
    ("false-error", "false-error", "import_csv", "warning"),
    ("empty-as-error", "empty-as-error", "list_accounts", "warning"),
    ("leaky-error", "leaky-error", "run_sql", "warning"),
    ("null-for-unknown", "ambiguous-empty", "inspect_csv", "error"),
    ("unknown-tool-runs", "buried-error", "zz_no_such_value_7f3a", "error"),
    ("broken-cut", "broken-cut", "run_sql", "error"),
    ("text-at-odds", "structured-mismatch", "list_accounts", "error"),
    ("missing-promise", "missing-promise", "query_transactions", "warning"),
    ("ids-without-names", "ids-without-names", "query_transactions", "info"),
    ("unstable-order", "unstable-answer", "list_categories", "warning"),
    ("repeating-cursor", "cursor-fault", "list_accounts", "error"),
    ("endless-cursor", "cursor-fault", "inspect_csv", "error"),
    ("leaked-secret", "secret-in-recording", "inspect_csv", "error"),
    ("path-escape", "scope-escape", "inspect_csv", "error"),
    ("lost-text", "lost-text", "log_expense", "error"),
    ("echo-not-stored", "echo-not-stored", "log_expense", "error"),
    ("double-write", "duplicate-effect", "log_expense", "error"),
    ("writing-reader", "false-annotation", "read_statement", "error"),
    ("other-tenant", "scope-escape", "query_transactions", "error"),
    ("shuffled-list", "unstable-answer", "", "warning"),
    ("repeating-list", "cursor-fault", "", "error"),
    ("banner", "lost-text", "", "error"),
    ("log-line", "lost-text", "read_statement", "error"),
    ("invalid-utf8", "lost-text", "inspect_csv", "error"),
    ("double-answer", "lost-response", "list_categories", "error"),
    ("crossed-answers", "lost-response", "query_transactions", "error"),
    ("lost-answer", "lost-response", "list_accounts", "error"),
    ("serial-calls", "serial-calls", "inspect_csv", "warning"),
    ("dead-after-cancel", "lost-response", "query_transactions", "error"),
    // It dies of a message that is no call, and so of no tool.
    ("dead-after-garbage", "died", "", "error"),
    ("dead-after-large", "died", "query_transactions", "error"),
];

/// What a fault gives beside its own: another sight of the same.
const ALSO: &[(&str, &str, &str, &str)] = &[
    ("lost-text", "lost-text", "query_transactions", "error"),
    ("repeating-list", "duplicate-definitions", "read_statement", "error"),
];
/// Faults that do not show beside all others: another one comes before them at the same tool, or moves what they are seen by.
const HIDDEN: &[&str] = &[
    "crossed-answers", "echo-not-stored", "log-line", "other-tenant", "quiet-coercion", "serial-calls",
    "writing-reader",
];
/// Faults that only show where several people share one server, and so at an address.
const SHARED: &[&str] = &["other-tenant"];

/// A finding of a report, as far as the matrix goes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Found {
    rule: String,
    tool: String,
    severity: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}] {}", self.severity, self.rule, self.tool)
    }
}

/// Runs the matrix, prints it, and says whether it is as it should be.
pub fn run(only: &[String]) -> anyhow::Result<bool> {
    let known: BTreeSet<_> = Fault::ALL.iter().map(|fault| fault.name()).collect();
    let expected: BTreeSet<_> = EXPECTED.iter().map(|(fault, ..)| *fault).collect();
    if known != expected {
        bail!("the ledger has the faults {known:?}, and the matrix expects {expected:?}");
    }
    let servers: Vec<&str> = expected.into_iter().chain([HONEST, ALL]).collect();
    let is_wanted = |server: &&str| only.is_empty() || only.iter().any(|name| name == server);
    let servers: Vec<&str> = servers.into_iter().filter(is_wanted).collect();
    if servers.is_empty() {
        bail!("no fault is named {}", only.join(" or "));
    }
    let reports = check(&binary::frankly()?, &servers)?;
    let mut passed = true;
    for (server, report) in servers.into_iter().zip(&reports) {
        let found = findings(report, server);
        let complaints = judge(server, &found);
        let shown = found.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        println!("{server:<26} {}", if shown.is_empty() { "nothing" } else { &shown });
        complaints.iter().for_each(|complaint| println!("{:<26} WRONG: {complaint}", ""));
        passed &= complaints.is_empty();
    }
    Ok(passed)
}

impl Found {
    fn is(&self, (_, rule, tool, severity): &(&str, &str, &str, &str)) -> bool {
        self.rule == *rule && self.tool == *tool && self.severity == *severity
    }
}

/// What is wrong with what was found on this server.
fn judge(server: &str, found: &BTreeSet<Found>) -> Vec<String> {
    let is_on = |fault: &str| server == fault || (server == ALL && !is_alone(fault));
    let wanted: Vec<_> = EXPECTED.iter().filter(|(fault, ..)| is_on(fault)).collect();
    let also: Vec<_> = ALSO.iter().filter(|(fault, ..)| is_on(fault)).collect();
    let missing = wanted
        .iter()
        .filter(|(fault, ..)| server != ALL || !HIDDEN.contains(fault))
        .filter(|wanted| !found.iter().any(|found| found.is(wanted)))
        .map(|(fault, rule, tool, severity)| format!("{fault} gives no {severity}[{rule}] on {tool}"));
    let extra = found
        .iter()
        // Of all at once a lie of the lines may show at any tool.
        .filter(|found| {
            !wanted.iter().any(|wanted| found.is(wanted) || (server == ALL && found.rule == wanted.1))
        })
        .filter(|found| !also.iter().any(|also| found.is(also)))
        .map(|found| format!("{found} was not expected"));
    missing.chain(extra).collect()
}

fn is_alone(fault: &str) -> bool {
    fault.parse().is_ok_and(Fault::is_alone)
}

/// The findings on one server that are more than information, or are wanted as that.
fn findings(report: &Value, server: &str) -> BTreeSet<Found> {
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    binary::findings(report)
        .iter()
        .filter(|finding| finding["server"] == server)
        .filter(|finding| finding["severity"] != "info" || is_info(&text(finding, "rule")))
        .map(|finding| Found {
            rule: text(finding, "rule"),
            tool: text(finding, "tool"),
            severity: text(finding, "severity"),
        })
        .collect()
}

/// Whether a fault gives this finding as information.
fn is_info(rule: &str) -> bool {
    EXPECTED.iter().any(|(_, wanted, _, severity)| *severity == "info" && *wanted == rule)
}

/// The reports of `frankly check` over these servers, in their order; several at a time, since much of it is waiting.
fn check(frankly: &Path, servers: &[&str]) -> anyhow::Result<Vec<Value>> {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../frankly.toml");
    let text =
        std::fs::read_to_string(&config).with_context(|| format!("failed to read {}", config.display()))?;
    let folder = tempfile::tempdir().context("failed to make a folder")?;
    std::fs::write(folder.path().join("frankly.toml"), configuration(&text)?)
        .context("failed to write frankly.toml")?;
    let (next, reports) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || -> anyhow::Result<()> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(server) = servers.get(at) else { return Ok(()) };
            let shared = SHARED.contains(server).then(|| Shared::start(frankly, server)).transpose()?;
            let mut command = Command::new(frankly);
            if let Some(shared) = &shared {
                command.env(URL, &shared.url);
            }
            command
                .args(["check", server, "--prefix", "{server}_", "--ignore", "definitions-over-budget"])
                .current_dir(folder.path());
            let report = binary::report(&mut command)?;
            reports.lock().map_err(|_| anyhow!("another server failed"))?.insert(at, report);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| bail!("a worker panicked")))
    })?;
    let reports = reports.into_inner().map_err(|_| anyhow!("a worker panicked"))?;
    Ok(reports.into_values().collect())
}

/// A configuration with the ledger once for each fault, once honest, and once with all.
fn configuration(config: &str) -> anyhow::Result<String> {
    let config: toml::Table = config.parse().context("failed to read frankly.toml")?;
    let ledger = config.get("servers").and_then(|servers| servers.get(LEDGER)?.as_table());
    let ledger = ledger.context("frankly.toml has no [servers.ledger]")?;
    let each = Fault::ALL.iter().map(|fault| (fault.name(), Some(fault.name())));
    let faults = each.chain([(HONEST, None), (ALL, Some(ALL))]);
    let servers = faults.map(|(name, fault)| {
        let words =
            ["${FRANKLY_EXE}", "demo", "ledger"].into_iter().chain(fault.map(|_| "--fault")).chain(fault);
        let mut server = ledger.clone();
        // A tool that only fails is what some faults make of it.
        if ![HONEST, ALL].contains(&name) {
            server.remove("require");
        }
        if SHARED.contains(&name) {
            server.remove("command");
            server.insert("url".to_owned(), format!("${{{URL}}}").into());
            server.insert("identities".to_owned(), identities());
        } else {
            server.insert("command".to_owned(), words.map(toml::Value::from).collect::<Vec<_>>().into());
        }
        (name.to_owned(), toml::Value::from(server))
    });
    let servers = toml::Value::Table(servers.collect());
    toml::to_string(&toml::Table::from_iter([("servers".to_owned(), servers)]))
        .context("failed to write frankly.toml")
}

/// Two people who share a ledger.
fn identities() -> toml::Value {
    let identity = |tenant: &str| {
        let headers = toml::Table::from_iter([("x-tenant".to_owned(), tenant.into())]);
        toml::Table::from_iter([("headers".to_owned(), headers.into()), ("tenant".to_owned(), tenant.into())])
    };
    toml::Table::from_iter([
        ("one".to_owned(), identity("acme").into()),
        ("other".to_owned(), identity("zenith").into()),
    ])
    .into()
}

/// A ledger at an address, ended with this.
struct Shared {
    child: Child,
    url: String,
}

impl Shared {
    fn start(frankly: &Path, fault: &str) -> anyhow::Result<Self> {
        let mut command = Command::new(frankly);
        command
            .args(["demo", "ledger", "--listen", "--fault", fault])
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        let child = command.spawn().context("failed to start the ledger")?;
        // From here on whatever fails ends it.
        let mut shared = Self { child, url: String::new() };
        let stderr = shared.child.stderr.take().context("the ledger has no standard error")?;
        let line = first_line(stderr, PATIENCE)?;
        let url = line.trim().strip_prefix("listening on ");
        shared.url =
            url.with_context(|| format!("the ledger does not say where it listens: {line}"))?.to_owned();
        Ok(shared)
    }
}

/// The first line that comes, within this time.
fn first_line(from: impl Read + Send + 'static, most: Duration) -> anyhow::Result<String> {
    let (sender, line) = mpsc::channel();
    // It ends with the stream, which ends with the ledger.
    std::thread::spawn(move || {
        let mut line = String::new();
        let read = BufReader::new(from).read_line(&mut line).map(|_| line);
        // Whoever waited may have given up.
        let _ = sender.send(read);
    });
    let read = line.recv_timeout(most).map_err(|_| anyhow!("the ledger said nothing within {most:?}"))?;
    read.context("failed to read what the ledger says")
}

impl Drop for Shared {
    fn drop(&mut self) {
        // An error means that it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(all: &[(&str, &str, &str)]) -> BTreeSet<Found> {
        let one = |(severity, rule, tool): &(&str, &str, &str)| Found {
            rule: (*rule).to_owned(),
            tool: (*tool).to_owned(),
            severity: (*severity).to_owned(),
        };
        all.iter().map(one).collect()
    }

    #[test]
    fn a_fault_that_is_missed_or_weaker_and_a_finding_that_is_not_its_own_are_wrong() {
        let own = ("error", "limit-ignored", "list_accounts");
        let other = ("error", "buried-error", "import_csv");
        assert_eq!(judge("limit-ignored", &found(&[own])), [""; 0]);
        assert_eq!(judge("limit-ignored", &found(&[own, ("warning", "no-limit", "run_sql")])).len(), 1);
        assert_eq!(judge("limit-ignored", &found(&[("warning", "limit-ignored", "list_accounts")])).len(), 2);
        assert_eq!(judge("limit-ignored", &found(&[])).len(), 1);
        assert_eq!(judge("limit-ignored", &found(&[other])).len(), 2);
        assert_eq!(judge(HONEST, &found(&[])), [""; 0]);
        assert_eq!(judge(HONEST, &found(&[("warning", "no-limit", "run_sql")])).len(), 1);
        let shows = |fault: &&str| !is_alone(fault) && !HIDDEN.contains(fault);
        let coexisting = EXPECTED.iter().filter(|(fault, ..)| shows(fault)).count();
        assert_eq!(judge(ALL, &found(&[own, other])).len(), coexisting - 2);
    }

    #[test]
    fn a_ledger_that_says_nothing_is_not_waited_for() {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair().unwrap();
        let silent = first_line(ours, Duration::from_millis(20)).unwrap_err().to_string();
        assert_eq!(silent, "the ledger said nothing within 20ms");
        drop(theirs);
        assert_eq!(first_line(&b"listening on x\nmore"[..], PATIENCE).unwrap(), "listening on x\n");
    }

    #[test]
    fn the_ledger_is_copied_for_every_fault_with_all_its_keys() {
        let text = "[servers.ledger]\ncommand = [\"x\"]\nsandbox = true\n";
        let config: toml::Table = configuration(text).unwrap().parse().unwrap();
        let servers = config["servers"].as_table().unwrap();
        assert_eq!(servers.len(), Fault::ALL.len() + 2);
        assert!(servers.values().all(|server| server["sandbox"].as_bool() == Some(true)));
        assert_eq!(servers["honest"]["command"].as_array().unwrap().len(), 3);
        assert_eq!(servers["all"]["command"].as_array().unwrap()[4].as_str(), Some("all"));
    }
}
