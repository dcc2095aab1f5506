//! What a rule, check or probe says about itself: the same text is executed by a test and published by
//! `frankly explain`.

/// The documentation of a rule, a check or a probe.
#[derive(Debug)]
pub struct Doc {
    /// The name, which says what is forbidden (rules and checks) or what is sent (probes).
    pub name: &'static str,
    /// What it looks for, in one sentence.
    pub what: &'static str,
    /// How it misleads an agent; of a probe, which relation must hold.
    pub why: &'static str,
    /// How severe its findings are, and when; of a probe, which consent it needs.
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
    /// The input: a tool definition for a rule, or those of several servers with whom they are for; a recording for a check, for a probe what its example tool answers.
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

#[cfg(test)]
impl Doc {
    /// Executes the examples: each must give what it says, and there must be a fault and a healthy twin.
    pub(crate) fn assert_examples(&self, look: impl Fn(&str) -> Vec<crate::Finding>) {
        assert!(self.examples.iter().any(|e| e.expected == Expected::Silence), "{}: no twin", self.name);
        assert!(self.examples.iter().any(|e| e.expected != Expected::Silence), "{}: no fault", self.name);
        for example in self.examples {
            let findings = look(example.input);
            let found: Vec<_> = findings.iter().map(|f| (f.severity, f.pointer.as_str())).collect();
            let expected = match example.expected {
                Expected::Silence => Vec::new(),
                Expected::Finding(severity, pointer) => vec![(severity, pointer)],
            };
            assert_eq!(found, expected, "{}: {}", self.name, example.about);
            assert!(
                findings.iter().all(|f| !f.what.is_empty() && !f.reads_as.is_empty() && !f.next.is_empty())
            );
        }
    }
}
