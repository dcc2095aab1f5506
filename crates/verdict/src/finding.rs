//! One fault: what was seen, what it reads as, and the next step.

use std::fmt;

use frankly_contract::ToolCall;
use serde::Serialize;

use crate::Doc;
use crate::case::ABOUT_CASES;
use crate::stable::stable;

/// How much a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; printed as a count.
    Info,
    /// May mislead.
    Warning,
    /// Misleads.
    Error,
}

impl Severity {
    /// `error`, `warning` or `info`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// How a finding is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// Two payloads, a payload and the definition, or two statements of one definition contradict each other.
    Proven,
    /// Names, prose, similarity or shape suggest it.
    Suspected,
}

impl Certainty {
    /// `proven` or `suspected`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Proven => "proven",
            Self::Suspected => "suspected",
        }
    }
}

/// A place in a file; shown as `FILE:LINE:COLUMN`, which editors and terminals follow.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column, in characters counted from 1.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// One fault that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule or check that found it.
    pub rule: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// How it is known.
    pub certainty: Certainty,
    /// The server, by the name the user knows it by.
    pub server: String,
    /// The tool's name; empty for a finding about the whole server.
    pub tool: String,
    /// Which definition of the server's list it is about, from zero, where that is one; names may stand there twice.
    pub definition: Option<usize>,
    /// JSON pointer rooted at the definition, or at the `msg` of the first frame; `#/…` goes on inside JSON
    /// text.
    pub pointer: String,
    /// Where that stands in a file, for a finding about definitions that were read from one.
    pub place: Option<Place>,
    /// What was changed in the call to show the fault, such as `limit`; empty where nothing was.
    pub mutation: String,
    /// Zero-based numbers of frames: the first is at fault, the others are compared with it.
    pub frames: Vec<usize>,
    /// Zero-based positions, among the `tools/call` requests, of the calls that `frames` belong to.
    pub calls: Vec<usize>,
    /// Those calls, to be made again.
    pub replay: Vec<ToolCall>,
    /// What was seen.
    pub what: String,
    /// What a reader who sees nothing else takes it for.
    pub reads_as: String,
    /// The next step.
    pub next: String,
    /// The smallest excerpt that shows it; may be empty.
    pub evidence: String,
}

impl Finding {
    /// A finding that is proven, of any severity.
    #[must_use]
    pub fn proven(
        doc: &Doc,
        severity: Severity,
        server: &str,
        tool: &str,
        pointer: impl Into<String>,
    ) -> Self {
        Self {
            rule: doc.name,
            severity,
            certainty: Certainty::Proven,
            server: server.to_owned(),
            tool: tool.to_owned(),
            definition: None,
            pointer: pointer.into(),
            place: None,
            mutation: String::new(),
            frames: Vec::new(),
            calls: Vec::new(),
            replay: Vec::new(),
            what: String::new(),
            reads_as: String::new(),
            next: String::new(),
            evidence: String::new(),
        }
    }

    /// A finding that is only suspected, which makes it a warning.
    #[must_use]
    pub fn suspected(doc: &Doc, server: &str, tool: &str, pointer: impl Into<String>) -> Self {
        Self {
            certainty: Certainty::Suspected,
            ..Self::proven(doc, Severity::Warning, server, tool, pointer)
        }
    }

    /// The same, of which only names, prose, similarity or shape are shown: a warning at most.
    #[must_use]
    pub(crate) fn suspicion(self) -> Self {
        Self { certainty: Certainty::Suspected, severity: self.severity.min(Severity::Warning), ..self }
    }

    /// Says what was seen, what it reads as, and the next step: clauses without a final full stop.
    #[must_use]
    pub fn saying(
        mut self,
        what: impl Into<String>,
        reads_as: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        self.what = what.into();
        self.reads_as = reads_as.into();
        self.next = next.into();
        self
    }

    /// Adds the excerpt that shows it.
    #[must_use]
    pub fn with_evidence(mut self, evidence: impl Into<String>) -> Self {
        self.evidence = evidence.into();
        self
    }

    /// Whether it is about a contract case.
    #[must_use]
    pub fn is_about_a_case(&self) -> bool {
        ABOUT_CASES.iter().any(|doc| doc.name == self.rule)
    }

    /// What stays the same when the fault is found again: rule, server, tool, mutation and pointer, never
    /// values. Baselines and suppressions go by it. In a pointer into an answer `*` stands for an index, and for a key
    /// that is an id, a date or another value.
    ///
    /// ```
    /// use frankly_verdict::{Finding, Severity, check};
    ///
    /// let doc = check::CHECKS[0].doc();
    /// let at = |pointer: &str| Finding::proven(doc, Severity::Error, "shop", "list", pointer).fingerprint();
    /// assert_eq!(at("/result/structuredContent/orders/A-1041"), at("/result/structuredContent/orders/A-1042"));
    /// ```
    #[must_use]
    pub fn fingerprint(&self) -> String {
        [self.rule, &self.server, &self.tool, &self.mutation, &stable(&self.pointer)].join("|")
    }
}
