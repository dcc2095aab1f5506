//! Every name that a report can mention, with its documentation.

use frankly_contract::nearest;
use frankly_ledger::Fault;
use frankly_live::probe;
use frankly_verdict::Doc;
use frankly_verdict::baseline::ABOUT_BASELINES;
use frankly_verdict::case::ABOUT_CASES;
use frankly_verdict::check::CHECKS;
use frankly_verdict::diff::ABOUT_CHANGES;
use frankly_verdict::expect::ABOUT_EXPECTATIONS;
use frankly_verdict::lint::RULES;
use frankly_verdict::outage::OUTAGES;
use frankly_verdict::policy::ABOUT_POLICIES;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Rule,
    Check,
    Probe,
    Outage,
    Policy,
    Case,
    Expectation,
    Change,
    Word,
}

impl Kind {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Check => "check",
            Self::Probe => "probe",
            Self::Outage => "outage",
            Self::Policy => "policy",
            Self::Case => "case",
            Self::Expectation => "expect",
            Self::Change => "change",
            Self::Word => "word",
        }
    }
}

/// How sure a finding is.
static CERTAINTIES: &[Doc] = &[
    Doc {
        name: "proven",
        what: "a finding that does not say `suspected`: two answers, an answer and the definition, or two statements of one \
               definition contradict each other",
        why: "Whoever takes both for true believes something false, whatever was meant.",
        severity: "what the rule or check says, and an error only if proven, unless `[rules]` in frankly.toml raises it",
        examples: &[],
    },
    Doc {
        name: "suspected",
        what: "a finding that names, prose, likeness or shape suggest, and that nothing proves",
        why: "It may be wrong: look at what it says was seen. Where it is right, mend it as one that is proven; where it is \
              not, let it pass with a reason under `[[allow]]` in frankly.toml.",
        severity: "at most a warning, so it fails no run, unless `--fail-on warning` or `[rules]` in frankly.toml says so",
        examples: &[],
    },
];

/// Every name with its documentation.
pub fn all() -> impl Iterator<Item = (Kind, &'static Doc)> {
    let rules = RULES.iter().map(|rule| (Kind::Rule, rule.doc()));
    let checks = CHECKS.iter().map(|check| (Kind::Check, check.doc()));
    let probes = probe::docs().map(|doc| (Kind::Probe, doc));
    let outages = OUTAGES.iter().map(|doc| (Kind::Outage, *doc));
    let policies = ABOUT_POLICIES.iter().map(|doc| (Kind::Policy, *doc));
    let policies = policies.chain(ABOUT_BASELINES.iter().map(|doc| (Kind::Policy, *doc)));
    let cases = ABOUT_CASES.iter().map(|doc| (Kind::Case, *doc));
    let cases = cases.chain(ABOUT_EXPECTATIONS.iter().map(|doc| (Kind::Expectation, *doc)));
    let changes = ABOUT_CHANGES.iter().map(|doc| (Kind::Change, *doc));
    let words = CERTAINTIES.iter().map(|doc| (Kind::Word, doc));
    rules.chain(checks).chain(probes).chain(outages).chain(policies).chain(cases).chain(changes).chain(words)
}

/// The documentation of a name: twice where a rule suspects what a check of the same name proves.
pub fn find(name: &str) -> Result<Vec<(Kind, &'static Doc)>, String> {
    let found: Vec<_> = all().filter(|(_, doc)| doc.name == name).collect();
    if found.is_empty() { Err(unknown(name, all())) } else { Ok(found) }
}

/// A name that stands beside findings, for `--select` and `--ignore`.
pub fn finding(name: &str) -> Result<String, String> {
    let finds = || all().filter(|(kind, _)| matches!(kind, Kind::Rule | Kind::Check));
    if finds().any(|(_, doc)| doc.name == name) || ABOUT_CHANGES.iter().any(|doc| doc.name == name) {
        Ok(name.to_owned())
    } else if probe::docs().any(|doc| doc.name == name) {
        Err(format!("{name} is a probe, which finds nothing by itself; name a rule or a check"))
    } else if OUTAGES.iter().any(|doc| doc.name == name) {
        Err(format!("{name} says that a server failed, which is always told"))
    } else if CERTAINTIES.iter().any(|doc| doc.name == name) {
        Err(format!("{name} says how sure a finding is; name a rule or a check"))
    } else if ABOUT_BASELINES.iter().any(|doc| doc.name == name) {
        Err(format!("{name} is about an entry of a baseline; write the baseline again"))
    } else if ABOUT_POLICIES.iter().any(|doc| doc.name == name) {
        Err(format!("{name} is about an entry of frankly.toml; delete the entry"))
    } else if ABOUT_CASES.iter().any(|doc| doc.name == name) {
        Err(format!(
            "{name} is about a contract case, which is always told; name cases with frankly test --filter"
        ))
    } else {
        Err(unknown(name, finds()))
    }
}

/// The nearest name, in a message about one that is not there.
fn unknown(name: &str, known: impl Iterator<Item = (Kind, &'static Doc)>) -> String {
    if Fault::ALL.iter().any(|fault| fault.name() == name) {
        return format!(
            "{name} is a fault of the demo server (frankly demo ledger --fault {name}); frankly check names what it finds"
        );
    }
    let hint = nearest(name, known.map(|(_, doc)| doc.name)).map(|name| format!("did you mean `{name}`?"));
    let hint = hint.unwrap_or_else(|| "`frankly explain` lists every name".to_owned());
    format!("nothing here is called {name:?}; {hint}")
}
