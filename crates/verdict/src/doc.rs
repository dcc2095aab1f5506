//! What a rule, check or probe says about itself: the same text is executed by a test and published by
//! `frankly explain`.

/// The documentation of a rule, a check or a probe.
#[derive(Debug)]
pub struct Doc {
    /// The name, which says what is forbidden (rules and checks) or what is sent (probes).
    pub name: &'static str,
    /// What it looks for, in one sentence.
    pub what: &'static str,
    /// How it misleads an agent.
    pub why: &'static str,
    /// How severe its findings are, and when.
    pub severity: &'static str,
    /// Faults it finds and healthy twins it stays silent on.
    pub examples: &'static [Example],
}

/// A piece of input with what must be found in it.
#[derive(Debug)]
pub struct Example {
    /// What the example shows, in one line.
    pub about: &'static str,
    /// What must be found.
    pub expected: Expected,
    /// The input: a tool definition for a rule, a recording for a check.
    pub input: &'static str,
}

/// What must be found in an [`Example`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Exactly one finding, of this severity and at this pointer.
    Finding(crate::Severity, &'static str),
    /// Nothing.
    Silence,
}
