//! A name that a target refuses.

use super::super::target::{Names, Target, titles, verb};
use super::super::{Prefix, Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct NameNotPortable;

static DOC: Doc = Doc {
    name: "name-not-portable",
    what: "a tool's name that a target refuses: a character, the first character, or the length with the client's prefix",
    why: "The provider refuses the whole request, with every tool of every server in it, or the client leaves the tool \
          out without a word.",
    severity: "error per target that refuses the name; warning where only the client's own prefix makes it too long, as \
               the server's name there is the user's choice",
    examples: &[
        Example {
            about: "a colon",
            expected: Expected::Finding(Severity::Error, "/name"),
            input: r#"{"name": "mem:read", "description": "Reads the memory.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "an underscore",
            expected: Expected::Silence,
            input: r#"{"name": "mem_read", "description": "Reads the memory.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a dot where no target refuses it",
            expected: Expected::Silence,
            input: r#"{"target": "gemini", "servers": {
 "mem": [{"name": "mem.read", "description": "Reads the memory.", "inputSchema": {"type": "object"}}]}}"#,
        },
        Example {
            about: "65 characters",
            expected: Expected::Finding(Severity::Error, "/name"),
            input: r#"{"name": "get_the_quarterly_revenue_of_all_subsidiaries_by_region_and_month", "description": "Gets it.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "exactly 64",
            expected: Expected::Silence,
            input: r#"{"name": "get_the_quarterly_revenue_of_each_subsidiary_by_region_and_month", "description": "Gets it.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "64, and a prefix before it",
            expected: Expected::Finding(Severity::Error, "/name"),
            input: r#"{"target": "openai", "prefix": "{server}_", "servers": {
 "erp": [{"name": "get_the_quarterly_revenue_of_each_subsidiary_by_region_and_month", "description": "Gets it.", "inputSchema": {"type": "object"}}]}}"#,
        },
    ],
};

impl Rule for NameNotPortable {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        if subject.tool.name().is_empty() {
            return;
        }
        let mut faults: Vec<(Severity, String, Vec<&Target>)> = Vec::new();
        for target in &subject.audience.targets {
            let Some((severity, what)) = fault(subject, target, &subject.audience.prefix) else { continue };
            match faults.iter_mut().find(|(_, known, _)| *known == what) {
                Some((_, _, targets)) => targets.push(target),
                None => faults.push((severity, what, vec![target])),
            }
        }
        findings.extend(finding(subject, &faults));
    }
}

/// One finding for all that is refused in a name.
fn finding(subject: &Subject<'_>, faults: &[(Severity, String, Vec<&Target>)]) -> Option<Finding> {
    let severity = faults.iter().map(|(severity, ..)| *severity).max()?;
    let told: Vec<String> = faults
        .iter()
        .map(|(_, what, targets)| {
            format!("{what}; {} {} that", titles(targets), verb(targets, "refuses", "refuse"))
        })
        .collect();
    Some(Finding::proven(&DOC, severity, subject.server, &subject.label, "/name").saying(
        told.join("; "),
        "there is no such tool, or no tool at all: whole requests are refused for one name",
        "use letters, digits and `_`, and stay well under 64 characters, prefix included",
    ))
}

/// What this target refuses in this name.
fn fault(subject: &Subject<'_>, target: &Target, prefix: &Prefix) -> Option<(Severity, String)> {
    let names = target.names?;
    let own = target.prefix.map(Prefix::read);
    let known = prefix.before(subject.server);
    let before = known.clone().or_else(|| own?.before(subject.server)).unwrap_or_default();
    let name = before.clone() + subject.tool.name();
    if let Some(what) = odd(&name, names) {
        return Some((Severity::Error, what));
    }
    let length = name.chars().count();
    if length <= names.longest {
        return None;
    }
    let bare = subject.tool.name().chars().count();
    let severity = if known.is_some() || bare > names.longest { Severity::Error } else { Severity::Warning };
    let with = if before.is_empty() { String::new() } else { format!(" with the prefix `{before}`") };
    Some((severity, format!("the name has {length} characters{with}, and {} are the most", names.longest)))
}

/// The first character that is refused.
fn odd(name: &str, names: Names) -> Option<String> {
    let punctuation = names.punctuation?;
    let first = name.chars().next()?;
    if let Some(odd) = name.chars().find(|c| !c.is_ascii_alphanumeric() && !punctuation.contains(*c)) {
        return Some(format!("the name has {odd:?} in it"));
    }
    (names.begins_with_letter && !first.is_ascii_alphabetic() && first != '_')
        .then(|| format!("the name begins with {first:?}"))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found;
    use super::*;

    #[test]
    fn a_client_s_own_prefix_only_warns() {
        let name = "n".repeat(120);
        let tool = format!(r#"{{"target": "claude-code", "servers": {{"s": [{{"name": "{name}"}}]}}}}"#);
        assert_eq!(found(&NameNotPortable, &tool), []);
        let severities = |target: &str, server: &str, length: usize| -> Vec<Severity> {
            let name = "n".repeat(length);
            let input =
                format!(r#"{{"target": "{target}", "servers": {{"{server}": [{{"name": "{name}"}}]}}}}"#);
            found(&NameNotPortable, &input).into_iter().map(|finding| finding.severity).collect()
        };
        assert_eq!(severities("claude-code", "server", 120), [Severity::Warning]);
        assert_eq!(severities("cursor", "s", 58), []);
        assert_eq!(severities("cursor", "s", 59), [Severity::Warning]);
        assert_eq!(severities("cursor", "s", 60), [Severity::Error]);
        assert_eq!(severities("vscode", "s", 300), []);
    }

    #[test]
    fn each_fault_is_told_once_with_all_who_refuse_it() {
        let findings = found(&NameNotPortable, r#"{"name": "1 a"}"#);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert!(
            findings[0].what.ends_with("Anthropic, OpenAI and Gemini refuse that"),
            "{}",
            findings[0].what
        );
        assert!(
            found(&NameNotPortable, r#"{"name": "1a"}"#)[0].what.contains("begins with '1'; Gemini refuses")
        );
    }
}
