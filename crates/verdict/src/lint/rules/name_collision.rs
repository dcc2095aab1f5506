//! One name for two tools.

use std::collections::HashMap;

use super::super::builtin::hosts_with;
use super::super::target::{Target, titles, verb};
use super::super::{Lint, Prefix, Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct NameCollision;

static DOC: Doc = Doc {
    name: "name-collision",
    what: "two tools that an agent sees under one name, of which the host may have brought one along",
    why: "A client that goes by the name calls the first of them, whichever was meant: the query runs, on the wrong \
          database. Others drop the second, or refuse both servers.",
    severity: "error within one server, and across servers where the names are known to meet (`--prefix none`, or a \
               template that does not tell them apart); warning across servers where the prefix is not known, and \
               for a tool that a host of --target has itself",
    examples: &[
        Example {
            about: "two servers behind a client that does not prefix names",
            expected: Expected::Finding(Severity::Error, "/name"),
            input: r#"{"prefix": "none", "servers": {
 "sales": [{"name": "execute_sql", "description": "Runs SQL on sales.", "inputSchema": {"type": "object"}}],
 "stock": [{"name": "execute_sql", "description": "Runs SQL on stock.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "the same behind a client that prefixes them",
            expected: Expected::Silence,
            input: r#"{"prefix": "mcp__{server}__", "servers": {
 "sales": [{"name": "execute_sql", "description": "Runs SQL on sales.", "inputSchema": {"type": "object"}}],
 "stock": [{"name": "execute_sql", "description": "Runs SQL on stock.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "a client of which nothing is known",
            expected: Expected::Finding(Severity::Warning, "/name"),
            input: r#"{"servers": {
 "sales": [{"name": "execute_sql", "description": "Runs SQL on sales.", "inputSchema": {"type": "object"}}],
 "stock": [{"name": "execute_sql", "description": "Runs SQL on stock.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "a client that is known to prefix them",
            expected: Expected::Silence,
            input: r#"{"target": "claude-code,copilot-cli", "servers": {
 "sales": [{"name": "execute_sql", "description": "Runs SQL on sales.", "inputSchema": {"type": "object"}}],
 "stock": [{"name": "execute_sql", "description": "Runs SQL on stock.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "one name where clients replace a hyphen",
            expected: Expected::Finding(Severity::Warning, "/name"),
            input: r#"{"name": "read-file", "description": "Reads a file.", "inputSchema": {"type": "object"}},
{"name": "read_file", "description": "Reads a file in parts; for all of it use read-file.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a tool that the host has too",
            expected: Expected::Finding(Severity::Warning, "/name"),
            input: r#"{"target": "vscode", "servers": {"s": [{"name": "fetch", "description": "Gets a page.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "a host that tells its own by a prefix",
            expected: Expected::Silence,
            input: r#"{"target": "copilot-cli", "servers": {"s": [{"name": "web_fetch", "description": "Gets a page.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "one server that lists a name twice",
            expected: Expected::Finding(Severity::Error, "/name"),
            input: r#"{"name": "export", "description": "Exports orders.", "inputSchema": {"type": "object"}},
 {"name": "export", "description": "Exports customers.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

impl Rule for NameCollision {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn depends(&self) -> bool {
        true
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        let prefix = &lint.audience.prefix;
        let is_told_apart = *prefix == Prefix::Unstated && all_prefix(&lint.audience.targets);
        let mut seen: HashMap<(&str, String), &Subject<'_>> = HashMap::new();
        let mut rewritten: HashMap<(&str, String), &Subject<'_>> = HashMap::new();
        for subject in lint.subjects().filter(|subject| !subject.tool.name().is_empty()) {
            let server = if is_told_apart { subject.server } else { "" };
            let name = prefix.before(subject.server).unwrap_or_default() + subject.tool.name();
            match seen.get(&(server, name.clone())) {
                // Definitions that are alike in everything are another rule's.
                Some(first) if first.server == subject.server && first.tool == subject.tool => {}
                Some(first) => {
                    let finding = collision(first, subject, prefix, &name);
                    findings.push(Finding { definition: Some(subject.index), ..finding });
                }
                None => {
                    findings.extend(builtin(subject));
                    let plain = (server, plain(&name));
                    let other =
                        rewritten.get(&plain).filter(|_| *prefix != Prefix::Unstated || is_told_apart);
                    let near = rewritten.get(&plain).filter(|first| first.server == subject.server).or(other);
                    findings.extend(near.map(|first| alike(first, subject)));
                    rewritten.entry(plain).or_insert(subject);
                    seen.insert((server, name), subject);
                }
            }
        }
    }
}

/// A name as clients write it that take nothing but letters, digits and `_`.
fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// Two names that are one where clients replace what they do not take.
fn alike(first: &Subject<'_>, second: &Subject<'_>) -> Finding {
    let finding = Finding::suspected(&DOC, second.server, &second.label, "/name");
    let whose = if first.server == second.server { String::new() } else { format!(" of {}", first.server) };
    let finding = finding.saying(
        format!(
            "`{}` and `{}`{whose} are one name for clients that write `_` for other characters",
            second.label, first.label
        ),
        "one of the two is called, and nothing says which",
        "let the names differ in more than a sign",
    );
    Finding { definition: Some(second.index), ..finding }
}

/// Whether each of these puts the server's name before those of its tools.
fn all_prefix(targets: &[&Target]) -> bool {
    !targets.is_empty() && targets.iter().all(|target| target.prefix.is_some())
}

/// A tool that hosts have too.
fn builtin(subject: &Subject<'_>) -> Option<Finding> {
    let hosts = hosts_with(subject.tool.name(), subject.audience);
    let who = (!hosts.is_empty()).then(|| titles(&hosts))?;
    let what =
        format!("`{}` is also a tool that {who} {} along", subject.label, verb(&hosts, "brings", "bring"));
    Some(Finding::suspected(&DOC, subject.server, &subject.label, "/name").saying(
        what,
        "one of the two is called, or the request that has both is refused",
        "put what it works on, or the service, into the name",
    ))
}

fn collision(first: &Subject<'_>, second: &Subject<'_>, prefix: &Prefix, name: &str) -> Finding {
    let (server, label) = (second.server, second.label.as_str());
    if first.server == server {
        return Finding::proven(&DOC, Severity::Error, server, label, "/name").saying(
            format!("the server lists `{label}` twice, with different definitions"),
            "one of the two is called, and nothing says which",
            "give each tool a name of its own",
        );
    }
    let also = format!("`{label}` is also a tool of {}", first.server);
    let next = "put what tells them apart into the names, or use a client that prefixes the server's name";
    match prefix {
        Prefix::Unstated => Finding::suspected(&DOC, server, label, "/name").saying(
            format!("{also}, and it is not known whether the client tells the two apart"),
            "where names are bare, the first of the two is called",
            format!("{next}, and say so with --prefix"),
        ),
        Prefix::Bare => Finding::proven(&DOC, Severity::Error, server, label, "/name").saying(
            format!("{also}, and the client hands on bare names"),
            "the first of the two is called, whichever is meant",
            next,
        ),
        Prefix::Template(_) => Finding::proven(&DOC, Severity::Error, server, label, "/name").saying(
            format!("{also}, and the client calls both `{name}`"),
            "the first of the two is called, whichever is meant",
            next,
        ),
    }
}
