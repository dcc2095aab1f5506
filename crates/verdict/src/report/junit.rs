//! The report as JUnit XML, which CI systems list as tests: contract cases, then findings, then how the run ended.

use quick_xml::Writer;
use quick_xml::events::BytesText;

use super::about::{paragraph, subject};
use super::{Format, Options, Report, cases, plain};
use crate::case::{Outcome, Verdict};
use crate::{Finding, Severity};

/// See [`Format`].
pub(super) struct Junit;

impl Format for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn write(&self, report: &Report, _options: &Options) -> String {
        let suites = suites(report);
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        // The document is written into memory, which cannot fail.
        let _ = write(&mut writer, &suites);
        let document = String::from_utf8(writer.into_inner()).unwrap_or_default();
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{document}\n")
    }
}

/// A test as CI systems know it.
struct Test {
    class: String,
    name: String,
    file: Option<(String, usize)>,
    result: Ending,
}

enum Ending {
    Passed(String),
    Failed {
        kind: &'static str,
        text: String,
    },
    /// It could not be told.
    Errored(String),
    Skipped(String),
}

struct Suite {
    name: &'static str,
    tests: Vec<Test>,
}

impl Suite {
    fn count(&self, is_one: impl Fn(&Ending) -> bool) -> String {
        self.tests.iter().filter(|test| is_one(&test.result)).count().to_string()
    }
}

fn suites(report: &Report) -> Vec<Suite> {
    // Cases have a suite of their own.
    let findings =
        report.findings.iter().filter(|finding| !finding.is_about_a_case()).map(of_finding).collect();
    let run = Test {
        class: "frankly".to_owned(),
        name: plain(&report.source),
        file: None,
        result: match report.exit {
            0 | 1 => Ending::Passed(report.reason.clone()),
            _ => Ending::Errored(report.reason.clone()),
        },
    };
    let suites = [
        Suite { name: "cases", tests: report.cases.iter().map(|case| of_case(case, report)).collect() },
        Suite { name: "findings", tests: findings },
        Suite { name: "run", tests: vec![run] },
    ];
    suites.into_iter().filter(|suite| !suite.tests.is_empty()).collect()
}

/// A case; one whose failure is let pass, by a baseline or a decision, is skipped.
fn of_case(outcome: &Outcome, report: &Report) -> Test {
    let misses = cases::misses(outcome).join("\n");
    let own = outcome.finding().map(|finding| finding.fingerprint());
    let is_let_pass =
        own.is_some_and(|own| !report.findings.iter().any(|finding| finding.fingerprint() == own));
    let result = match &outcome.verdict {
        Verdict::Failed(_) | Verdict::NotRun(_) | Verdict::ExpectsNothing if is_let_pass => {
            Ending::Skipped(format!("let pass: {}", outcome.verdict.name()))
        }
        Verdict::Passed => Ending::Passed(String::new()),
        Verdict::Mended => Ending::Passed("it is marked known_failing, and passes".to_owned()),
        Verdict::Failed(_) => Ending::Failed { kind: "failed-case", text: misses },
        Verdict::KnownFailing(_) => Ending::Skipped(format!(
            "known failing: {}",
            outcome.known_failing.as_deref().unwrap_or_default()
        )),
        Verdict::NotRun(_) => Ending::Errored(misses),
        Verdict::ExpectsNothing => {
            Ending::Failed { kind: "case-expects-nothing", text: "`expect` is empty".to_owned() }
        }
    };
    Test {
        class: format!("{}.{}", outcome.server, outcome.tool),
        name: outcome.case.clone(),
        file: Some((outcome.file.clone(), outcome.at.line)),
        result,
    }
}

fn of_finding(finding: &Finding) -> Test {
    let text = match finding.evidence.as_str() {
        "" => paragraph(finding),
        evidence => format!("{}\n{evidence}", paragraph(finding)),
    };
    let name = format!("{} {} {}", finding.rule, finding.mutation, finding.pointer);
    Test {
        class: subject(finding).replace(" · ", "."),
        name: name.split_whitespace().collect::<Vec<_>>().join(" "),
        file: finding.place.as_ref().map(|place| (place.file.clone(), place.line)),
        result: match finding.severity {
            Severity::Error => Ending::Failed { kind: finding.rule, text },
            Severity::Warning | Severity::Info => {
                Ending::Passed(format!("{}: {text}", finding.severity.as_str()))
            }
        },
    }
}

type Xml = Writer<Vec<u8>>;

fn write(writer: &mut Xml, suites: &[Suite]) -> std::io::Result<()> {
    let total = |count: fn(&Suite) -> String| {
        suites.iter().filter_map(|suite| count(suite).parse::<usize>().ok()).sum::<usize>().to_string()
    };
    let (tests, failures, errors) = (total(tests_of), total(failures_of), total(errors_of));
    let root = [("name", "frankly"), ("tests", &tests), ("failures", &failures), ("errors", &errors)];
    writer
        .create_element("testsuites")
        .with_attributes(root)
        .write_inner_content(|writer| suites.iter().try_for_each(|suite| write_suite(writer, suite)))?;
    Ok(())
}

fn tests_of(suite: &Suite) -> String {
    suite.tests.len().to_string()
}

fn failures_of(suite: &Suite) -> String {
    suite.count(|result| matches!(result, Ending::Failed { .. }))
}

fn errors_of(suite: &Suite) -> String {
    suite.count(|result| matches!(result, Ending::Errored(_)))
}

fn write_suite(writer: &mut Xml, suite: &Suite) -> std::io::Result<()> {
    let skipped = suite.count(|result| matches!(result, Ending::Skipped(_)));
    let (tests, failures, errors) = (tests_of(suite), failures_of(suite), errors_of(suite));
    let attributes = [
        ("name", suite.name),
        ("tests", &tests),
        ("failures", &failures),
        ("errors", &errors),
        ("skipped", &skipped),
    ];
    writer
        .create_element("testsuite")
        .with_attributes(attributes)
        .write_inner_content(|writer| suite.tests.iter().try_for_each(|test| write_test(writer, test)))?;
    Ok(())
}

fn write_test(writer: &mut Xml, test: &Test) -> std::io::Result<()> {
    let (class, name) = (plain(&test.class), plain(&test.name));
    let place = test.file.as_ref().map(|(file, line)| (plain(file), line.to_string()));
    let mut attributes = vec![("classname", class.as_str()), ("name", name.as_str())];
    if let Some((file, line)) = &place {
        attributes.extend([("file", file.as_str()), ("line", line.as_str())]);
    }
    writer.create_element("testcase").with_attributes(attributes).write_inner_content(|writer| {
        let (tag, kind, text) = match &test.result {
            Ending::Passed(said) if said.is_empty() => return Ok(()),
            Ending::Passed(said) => {
                writer.create_element("system-out").write_text_content(BytesText::new(&lines(said)))?;
                return Ok(());
            }
            Ending::Failed { kind, text } => ("failure", Some(*kind), text),
            Ending::Errored(text) => ("error", None, text),
            Ending::Skipped(text) => ("skipped", None, text),
        };
        let first = plain(text.lines().next().unwrap_or_default());
        let kind = kind.map(|kind| ("type", kind));
        let attributes = [Some(("message", first.as_str())), kind].into_iter().flatten();
        let element = writer.create_element(tag).with_attributes(attributes);
        element.write_text_content(BytesText::new(&lines(text)))?;
        Ok(())
    })?;
    Ok(())
}

/// A text with its lines, and nothing that XML cannot hold.
fn lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}
