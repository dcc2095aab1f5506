//! The page.

use std::collections::BTreeMap;

use frankly_verdict::report::counted;
use serde_json::Value;

use super::entry::Entry;
use super::found::Found;
use super::judged::{Judgements, Verdict};
use super::run::{Outcome, Run};
use crate::markdown::{cell, code, words};

/// A server with its last run.
#[derive(Debug)]
pub struct Row<'a> {
    pub entry: &'a Entry,
    /// `None` where it never ran.
    pub run: Option<(Run, Value)>,
    pub found: Vec<Found>,
}

/// The whole page, with its final line end.
pub fn page(rows: &[Row<'_>], judgements: &Judgements) -> String {
    let sections = [opening(rows), servers(rows), findings(rows), errors(rows, judgements)];
    sections.join("\n\n") + "\n"
}

fn opening(rows: &[Row<'_>]) -> String {
    format!(
        "<!-- Written by `cargo xtask live`. -->\n\
         # What the probes find in published servers\n\n\
         {} that nobody here wrote, installed from their registries and really running. `cargo xtask live` gives each its own state,\n\
         a throw-away HOME and no more of the environment than it needs, runs `frankly probe NAME --sandbox --call all` on it, with the\n\
         examples of `xtask/src/live/examples.json` for some of its tools, and writes this page from the reports of the last run of each.\n\
         Nothing fails when it is stale: servers and clocks are not the same twice. What the probes miss does not stand in it.",
        counted(rows.len(), "server"),
    )
}

fn servers(rows: &[Row<'_>]) -> String {
    let lines: Vec<_> = rows.iter().map(server).collect();
    format!(
        "## The servers\n\n\
         *Called* are tools of which a call succeeded; *refused* are calls that were made to see whether they are refused. *Probes* are run, not\n\
         exercised, and skipped. *Left* are processes that were still there when frankly had ended.\n\n\
         | server | version | tools | called | calls made | answered | succeeded | refused | probes | errors | warnings | information | seconds | exit code | left |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n\
         {}",
        lines.join("\n")
    )
}

fn server(row: &Row<'_>) -> String {
    let head = format!("| {} | {} |", cell(&row.entry.name), cell(&row.entry.version));
    let Some((run, report)) = &row.run else { return format!("{head} not run |{}", " |".repeat(12)) };
    let exit = match &run.outcome {
        Outcome::NotInstalled { why } => {
            return format!("{head} not installed: {} |{}", cell(why), " |".repeat(12));
        }
        Outcome::Hung => "hung".to_owned(),
        Outcome::Ended { exit } => exit.map_or_else(|| "a signal".to_owned(), |code| code.to_string()),
    };
    let number = |pointer: &str| match report.pointer(pointer) {
        Some(Value::Array(gaps)) => gaps.len().to_string(),
        Some(Value::Number(number)) => number.to_string(),
        _ => "–".to_owned(),
    };
    let probes = ["run", "not_exercised", "skipped"].map(|key| number(&format!("/coverage/probes/{key}")));
    let numbers = [
        "/coverage/tools/listed", "/coverage/tools/called", "/coverage/calls/made",
        "/coverage/calls/answered", "/coverage/calls/succeeded", "/coverage/calls/refusals_expected",
    ]
    .map(number);
    let found = ["/summary/error", "/summary/warning", "/summary/info"].map(number);
    format!(
        "{head} {} | {} | {} | {} | {exit} | {} |",
        numbers.join(" | "),
        probes.join(" / "),
        found.join(" | "),
        run.seconds,
        run.orphans.len()
    )
}

fn findings(rows: &[Row<'_>]) -> String {
    let lines: Vec<_> = rows.iter().flat_map(tally).collect();
    format!(
        "## Findings of each server\n\n\
         | server | check | errors | warnings | information |\n\
         | --- | --- | ---: | ---: | ---: |\n\
         {}",
        lines.join("\n")
    )
}

fn tally(row: &Row<'_>) -> Vec<String> {
    let mut checks: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    for found in &row.found {
        let column =
            ["error", "warning"].iter().position(|severity| *severity == found.severity).unwrap_or(2);
        checks.entry(&found.check).or_default()[column] += 1;
    }
    let name = cell(&row.entry.name);
    let line = |(check, [errors, warnings, infos]): (&str, [usize; 3])| {
        format!("| {name} | {} | {errors} | {warnings} | {infos} |", code(check))
    };
    checks.into_iter().map(line).collect()
}

fn errors(rows: &[Row<'_>], judgements: &Judgements) -> String {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut unjudged = 0;
    let mut lines = Vec::new();
    for row in rows {
        for found in row.found.iter().filter(|found| found.is_error()) {
            let judged = judgements.of(&row.entry.name, found);
            match judged {
                Some((verdict, _)) => *counts.entry(*verdict).or_default() += 1,
                None => unjudged += 1,
            }
            lines.push(error(&row.entry.name, found, judged));
        }
    }
    let lines = if lines.is_empty() { "There is none.".to_owned() } else { lines.join("\n") };
    format!(
        "## Every error, judged\n\n\
         By somebody who made the calls again and read the server, in `xtask/src/live/judged.json`. {}\n\n{lines}",
        share(&counts, unjudged)
    )
}

/// How many of the errors are right, and what share of those that were judged.
fn share(counts: &BTreeMap<Verdict, usize>, unjudged: usize) -> String {
    let of = |verdict| counts.get(&verdict).copied().unwrap_or_default();
    let (right, wrong, debatable) = (of(Verdict::Right), of(Verdict::Wrong), of(Verdict::Debatable));
    let judged = right + wrong + debatable;
    let errors = counted(judged + unjudged, "error");
    let parts = format!("{right} right, {wrong} wrong, {debatable} debatable, {unjudged} not judged");
    if judged == 0 {
        return format!("Of {errors}: {parts}.");
    }
    // Tenths of a percent, rounded.
    let share = (2000 * right + judged) / (2 * judged);
    format!("Of {errors}: {parts}. Of those that are judged, {}.{} % are right.", share / 10, share % 10)
}

/// Server, tool, what was changed, what is wrong there, and what somebody made of it.
fn error(server: &str, found: &Found, judged: Option<&(Verdict, String)>) -> String {
    let place = [server, &found.tool, &found.mutation].into_iter().filter(|part| !part.is_empty());
    let place: Vec<_> = place.map(code).collect();
    let judgement = match judged {
        Some((verdict, why)) => format!("**{verdict}**: {}", words(why)),
        None => "**not judged**".to_owned(),
    };
    format!("- {}: {} ({}) — {judgement}", place.join(" · "), words(&found.what), code(&found.check))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::entry;
    use super::*;

    fn entries() -> Vec<Entry> {
        let listed: Vec<_> = ["a", "b", "c", "d"]
            .iter()
            .map(|name| {
                json!({
                    "name": name, "package": name, "version": "1.0", "registry": "npm", "install": "x", "command": "x",
                    "setup": "none", "smoke_call": {"name": "x"}
                })
            })
            .collect();
        entry::read(&json!(listed).to_string()).unwrap()
    }

    fn found(severity: &str, mutation: &str) -> Found {
        Found {
            tool: "read".to_owned(),
            check: "lost-text".to_owned(),
            mutation: mutation.to_owned(),
            severity: severity.to_owned(),
            what: "it is *gone*".to_owned(),
            ..Found::default()
        }
    }

    fn rows(entries: &[Entry]) -> Vec<Row<'_>> {
        let report = json!({
            "coverage": {
                "tools": {"listed": 9, "called": 8},
                "calls": {"made": 70, "answered": 60, "succeeded": 50, "refusals_expected": 40},
                "probes": {"run": 30, "not_exercised": [{}, {}], "skipped": [{}]}
            },
            "summary": {"error": 2, "warning": 1, "info": 4}
        });
        let run = |outcome, seconds, orphans| Run { outcome, seconds, orphans };
        let ended = run(Outcome::Ended { exit: Some(1) }, 12, vec!["sleep 60".to_owned()]);
        let why = "no | headers".to_owned();
        let runs = [
            Some((ended, report)),
            Some((run(Outcome::Hung, 600, Vec::new()), Value::Null)),
            Some((run(Outcome::NotInstalled { why }, 0, Vec::new()), Value::Null)),
            None,
        ];
        let all = || vec![found("error", "path"), found("error", ""), found("warning", "")];
        let rows = entries.iter().zip(runs).enumerate();
        rows.map(|(n, (entry, run))| Row { entry, run, found: if n == 0 { all() } else { Vec::new() } })
            .collect()
    }

    fn judgements(text: &str) -> Judgements {
        Judgements::parse(text).unwrap()
    }

    #[test]
    fn a_page_has_each_server_each_check_and_each_error() {
        let entries = entries();
        let judged = judgements(r#"{"a|read|lost-text|path": {"verdict": "wrong", "why": "a <log>"}}"#);
        let page = page(&rows(&entries), &judged);
        for line in [
            "| `a` | `1.0` | 9 | 8 | 70 | 60 | 50 | 40 | 30 / 2 / 1 | 2 | 1 | 4 | 12 | 1 | 1 |",
            "| `b` | `1.0` | – | – | – | – | – | – | – / – / – | – | – | – | 600 | hung | 0 |",
            "| `c` | `1.0` | not installed: `no \\| headers` | | | | | | | | | | | | |",
            "| `d` | `1.0` | not run | | | | | | | | | | | | |",
            "| `a` | `lost-text` | 2 | 1 | 0 |",
            r"- `a` · `read` · `path`: it is \*gone\* (`lost-text`) — **wrong**: a \<log\>",
            r"- `a` · `read`: it is \*gone\* (`lost-text`) — **not judged**",
        ] {
            assert!(page.lines().any(|other| other == line), "{line} is not in\n{page}");
        }
        let columns = |line: &str| line.replace("\\|", "").matches('|').count();
        let table: Vec<_> = page.lines().filter(|line| line.starts_with("| ") && columns(line) > 6).collect();
        assert!(table.iter().all(|line| columns(line) == columns(table[0])), "{page}");
    }

    #[test]
    fn the_share_is_of_what_is_judged() {
        let of = |right, wrong, debatable| {
            BTreeMap::from([
                (Verdict::Right, right),
                (Verdict::Wrong, wrong),
                (Verdict::Debatable, debatable),
            ])
        };
        assert_eq!(
            share(&of(4, 1, 1), 3),
            "Of 9 errors: 4 right, 1 wrong, 1 debatable, 3 not judged. Of those that are judged, 66.7 % are right."
        );
        assert_eq!(share(&BTreeMap::new(), 1), "Of 1 error: 0 right, 0 wrong, 0 debatable, 1 not judged.");
    }
}
