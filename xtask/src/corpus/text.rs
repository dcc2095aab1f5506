//! The page.

use frankly_verdict::report::counted;

use super::server::{Found, Server};
use super::tally::{Counts, Tally};
use crate::markdown::{cell, code, words};

/// The whole page, with its final line end.
pub fn page(servers: &[Server], tally: &Tally) -> String {
    let sections = [opening(servers, tally), rules(tally), errors(servers), packages(servers)];
    sections.join("\n\n") + "\n"
}

fn opening(servers: &[Server], tally: &Tally) -> String {
    format!(
        "<!-- Written by `cargo xtask corpus`. -->\n\
         # What the rules find in published servers\n\n\
         The definitions of {} that nobody here wrote, {} in all, as each lists them. `cargo xtask corpus` gives every one by\n\
         itself to `frankly lint FILE --format json --fail-on never`, which judges for the three providers, and writes\n\
         this page from the reports; `--check` fails when it is stale, and both fail when a rule warns of more than a third of all\n\
         tools. The definitions are not in the repository. The rules were written while looking at these servers, so the page\n\
         shows what the rules complain of and how often, and measures no recall: what they miss, here or in servers that nobody\n\
         has looked at, does not stand in it.",
        counted(servers.len(), "server"),
        counted(usize::try_from(tally.tools).unwrap_or(usize::MAX), "tool"),
    )
}

fn rules(tally: &Tally) -> String {
    let (silent, heard): (Vec<_>, Vec<_>) = tally.rules.iter().partition(|(_, counts)| counts.is_nothing());
    let rows: Vec<_> = heard.iter().map(|(rule, counts)| row(rule, counts, tally.tools)).collect();
    let silent: Vec<_> = silent.iter().map(|(rule, _)| code(rule)).collect();
    let silent = if silent.is_empty() { "no rule".to_owned() } else { silent.join(", ") };
    format!(
        "## Findings of each rule\n\n\
         *Tools* are those with at least a warning, and their share of all. What is about a server as a whole counts for none.\n\n\
         | rule | errors | warnings | information | tools | share |\n\
         | --- | ---: | ---: | ---: | ---: | ---: |\n\
         {}\n\n\
         Found nothing here: {silent}.",
        rows.join("\n")
    )
}

fn row(rule: &str, counts: &Counts, tools: u64) -> String {
    let Counts { errors, warnings, infos, .. } = counts;
    let touched = counts.touched();
    // Tenths of a percent, rounded.
    let share = (2000 * touched + tools) / (2 * tools.max(1));
    let mark = if counts.is_loud(tools) { " **over a third**" } else { "" };
    format!(
        "| {} | {errors} | {warnings} | {infos} | {touched} | {}.{} %{mark} |",
        code(rule),
        share / 10,
        share % 10
    )
}

fn errors(servers: &[Server]) -> String {
    let found = servers.iter().flat_map(|server| server.findings.iter().map(move |found| (server, found)));
    let lines: Vec<_> = found
        .filter(|(_, found)| found.severity == "error")
        .map(|(server, found)| error(&server.package, found))
        .collect();
    let lines = if lines.is_empty() { "There is none.".to_owned() } else { lines.join("\n") };
    format!("## Every error\n\n{lines}")
}

/// Server, tool, pointer, and what is wrong there.
fn error(package: &str, found: &Found) -> String {
    let place = [package, &found.tool, &found.pointer].into_iter().filter(|part| !part.is_empty());
    let place: Vec<_> = place.map(code).collect();
    format!("- {}: {} ({})", place.join(" · "), words(&found.what), code(&found.rule))
}

fn packages(servers: &[Server]) -> String {
    let row = |server: &Server| {
        let Server { package, version, registry, tools, .. } = server;
        format!("| {} | {} | {} | {tools} |", cell(package), cell(registry), cell(version))
    };
    let rows: Vec<_> = servers.iter().map(row).collect();
    format!(
        "## The servers\n\n| package | registry | version | tools |\n| --- | --- | --- | ---: |\n{}",
        rows.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(findings: Vec<Found>) -> Server {
        Server {
            package: "@a/b".to_owned(),
            version: "1.0.0".to_owned(),
            registry: "npm".to_owned(),
            tools: 2,
            findings,
        }
    }

    fn found(severity: &str) -> Found {
        Found {
            tool: "list".to_owned(),
            pointer: "/name".to_owned(),
            rule: "no-limit".to_owned(),
            severity: severity.to_owned(),
            what: "`a_b` is *no* name".to_owned(),
        }
    }

    #[test]
    fn a_page_has_each_rule_each_error_and_each_package() {
        let servers = [server(vec![found("error"), found("warning")])];
        let page = page(&servers, &Tally::of(&servers));
        for line in [
            "| `no-limit` | 1 | 1 | 0 | 1 | 50.0 % **over a third** |",
            r"- `@a/b` · `list` · `/name`: `a_b` is \*no\* name (`no-limit`)",
            "| `@a/b` | `npm` | `1.0.0` | 2 |",
        ] {
            assert!(page.lines().any(|other| other == line), "{line} is not in\n{page}");
        }
        let silent = page.lines().find(|line| line.starts_with("Found nothing here: ")).unwrap();
        assert!(silent.contains("`bad-schema`") && !silent.contains("`no-limit`"), "{silent}");
        assert!(page.contains("1 server that nobody here wrote, 2 tools in all"), "{page}");
    }

    #[test]
    fn a_share_is_rounded() {
        let servers = [Server { tools: 1000, ..server(vec![found("warning")]) }];
        assert!(page(&servers, &Tally::of(&servers)).contains("| 1 | 0.1 % |"));
        let servers = [Server { tools: 2001, ..server(vec![found("warning")]) }];
        assert!(page(&servers, &Tally::of(&servers)).contains("| 1 | 0.0 % |"));
    }
}
