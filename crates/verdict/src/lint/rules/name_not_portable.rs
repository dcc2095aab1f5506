//! A name that a target refuses.

use super::super::target::{Beyond, Limit, Target, What};
use super::super::{Rule, Subject};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct NameNotPortable;

static DOC: Doc = Doc {
    name: "name-not-portable",
    what: "a tool's name that a target refuses: a character, the first character, or the length with the client's prefix",
    why: "The provider refuses the whole request, with every tool of every server in it, or the client leaves the tool \
          out without a word.",
    severity: "error per target that refuses the name or leaves the tool out; warning where a target cuts it, where only \
               some who speak its protocol refuse it, and where only the client's own prefix makes it too long, as the \
               server's name there is the user's choice",
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
            about: "65 characters, which providers take today and others do not",
            expected: Expected::Finding(Severity::Warning, "/name"),
            input: r#"{"name": "get_the_quarterly_revenue_of_all_subsidiaries_by_region_and_month", "description": "Gets it.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "exactly 64",
            expected: Expected::Silence,
            input: r#"{"name": "get_the_quarterly_revenue_of_each_subsidiary_by_region_and_month", "description": "Gets it.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "64, and a prefix before it",
            expected: Expected::Finding(Severity::Warning, "/name"),
            input: r#"{"target": "openai", "prefix": "{server}_", "servers": {
 "erp": [{"name": "get_the_quarterly_revenue_of_each_subsidiary_by_region_and_month", "description": "Gets it.", "inputSchema": {"type": "object"}}]}}"#,
        },
    ],
};

impl Rule for NameNotPortable {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn depends(&self) -> bool {
        true
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        if subject.tool.name().is_empty() {
            return;
        }
        let mut faults: Vec<Fault> = Vec::new();
        for target in &subject.audience.targets {
            let Some(fault) = Fault::of(subject, target) else { continue };
            match faults.iter_mut().find(|known| known.is_like(&fault)) {
                Some(known) => known.targets.extend(fault.targets),
                None => faults.push(fault),
            }
        }
        findings.extend(finding(subject, &faults));
    }
}

/// What some targets do not take in a name.
struct Fault {
    severity: Severity,
    limit: Limit,
    what: String,
    targets: Vec<&'static Target>,
}

impl Fault {
    /// The gravest that this target does not take.
    fn of(subject: &Subject<'_>, target: &'static Target) -> Option<Self> {
        let known = subject.audience.prefix.before(subject.server);
        let is_known = known.is_some();
        let before = known.or_else(|| target.before(subject.server)).unwrap_or_default();
        let bare = subject.tool.name();
        let name = format!("{before}{bare}");
        let limit = *target.beyond(|limit| is_beyond(&name, limit))?;
        let severity = limit.beyond.severity();
        // The server's name in a client's own prefix is the user's choice.
        let is_prefix_alone =
            !is_known && matches!(limit.what, What::NameLength(most) if bare.chars().count() <= most);
        let severity = if is_prefix_alone { severity.min(Severity::Warning) } else { severity };
        let what = told(&name, &before, limit.what);
        Some(Self { severity, limit, what, targets: vec![target] })
    }

    /// Whether the two are told in one clause.
    fn is_like(&self, other: &Self) -> bool {
        self.what == other.what && self.limit.beyond == other.limit.beyond
    }
}

/// Whether a name, prefix included, is beyond a limit of names.
fn is_beyond(name: &str, limit: What) -> bool {
    match limit {
        What::NamePunctuation(others) => odd(name, others).is_some(),
        What::NameBegin => !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
        What::NameLength(most) => name.chars().count() > most,
        _ => false,
    }
}

/// The first character that is neither a letter, nor a digit, nor one of these.
fn odd(name: &str, others: &str) -> Option<char> {
    name.chars().find(|c| !c.is_ascii_alphanumeric() && !others.contains(*c))
}

/// What it is that goes beyond the limit.
fn told(name: &str, before: &str, limit: What) -> String {
    let first = name.chars().next().unwrap_or_default();
    match limit {
        What::NamePunctuation(others) => {
            format!("the name has {:?} in it", odd(name, others).unwrap_or(first))
        }
        What::NameLength(most) => {
            let with = if before.is_empty() { String::new() } else { format!(" with the prefix `{before}`") };
            format!("the name has {} characters{with}, and {most} are the most", name.chars().count())
        }
        _ => format!("the name begins with {first:?}"),
    }
}

/// One finding for all that is not taken in a name.
fn finding(subject: &Subject<'_>, faults: &[Fault]) -> Option<Finding> {
    let gravest = faults.iter().max_by_key(|fault| fault.severity)?;
    let clauses =
        faults.iter().map(|fault| format!("{}; {}", fault.what, fault.limit.beyond.told(&fault.targets)));
    let what = clauses.collect::<Vec<_>>().join("; ");
    let finding = Finding::proven(&DOC, gravest.severity, subject.server, &subject.label, "/name");
    Some(finding.saying(what, reads_as(gravest.limit.beyond), next(faults)))
}

fn reads_as(gravest: Beyond) -> &'static str {
    match gravest {
        Beyond::Refused => {
            "there is no such tool, or no tool at all: whole requests are refused for one name"
        }
        Beyond::LeftOut | Beyond::Dropped => "there is no such tool",
        Beyond::Cut => "the tool has another name, which a second tool may have too",
        Beyond::Sometimes(_) => "for some who get it there is no such tool, or no tool at all",
    }
}

fn next(faults: &[Fault]) -> String {
    let lengths = faults.iter().filter_map(|fault| match fault.limit.what {
        What::NameLength(most) => Some(most),
        _ => None,
    });
    let mut advice = Vec::new();
    if faults.iter().any(|fault| !matches!(fault.limit.what, What::NameLength(_))) {
        advice.push("begin with a letter, and use only letters, digits and `_`".to_owned());
    }
    if let Some(most) = lengths.min() {
        advice.push(format!("use at most {most} characters, the client's prefix included"));
    }
    advice.join("; ")
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
        assert_eq!(severities("vscode", "A file of tools", 46), []);
        assert_eq!(severities("vscode", "A file of tools", 47), [Severity::Warning]);
    }

    #[test]
    fn what_is_refused_only_here_and_there_warns() {
        let severities = |length: usize| {
            let input = format!(r#"{{"name": "{}"}}"#, "n".repeat(length));
            let findings = found(&NameNotPortable, &input).into_iter();
            findings.map(|finding| (finding.severity, finding.what)).collect::<Vec<_>>()
        };
        assert_eq!(severities(64), []);
        let [(Severity::Warning, what)] = &severities(128)[..] else { panic!("{:?}", severities(128)) };
        assert!(what.contains("on Bedrock refuse that; ") && what.ends_with("until summer 2026"), "{what}");
        assert_eq!(severities(129)[0].0, Severity::Error);
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
