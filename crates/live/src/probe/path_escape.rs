//! A path that leads out of where the tool works.

use frankly_contract::BoxFuture;
#[cfg(test)]
use frankly_contract::ToolDef;
use frankly_verdict::{Doc, Example, Expected, Severity};
#[cfg(test)]
use serde_json::json;
use serde_json::{Map, Value};

use super::bench::Bench;
use super::consent::words;
use super::parameter::{Parameter, parameters};
use super::relation::{ask_each, with};
use super::{Outcome, Probe};
use crate::config::Consent;

/// Words in the name of a parameter that leads to a file or a directory.
const FILES: &[&str] = &["file", "filename", "filepath", "path", "pathname"];
const DIRECTORIES: &[&str] = &["cwd", "dir", "directory", "folder", "root"];
/// How many parameters are tried.
const MOST_PARAMETERS: usize = 2;
/// A way to the root from any directory that is not deeper.
const UP: &str = "../../../../../../../../../../";
/// A file that is on every Unix system, that anybody may read, and that no tool is about.
const OUTSIDE: &str = "etc/passwd";

/// See [`DOC`].
pub(super) struct PathEscape;

static DOC: Doc = Doc {
    name: "path-escape",
    what: "gives each parameter that leads to a file or a directory, at most 2, paths to /etc/passwd (to /etc): relative, \
           absolute, through the directory of the good one, with `%2e%2e`, and with a NUL before the ending of the good one",
    why: "Each must be refused, and nothing of what is outside may come back: whatever text an agent reads can talk it \
          into such a path.",
    severity: "needs the consent `mutate` and `sandbox`; not sent to a tool that may write",
    examples: &[
        Example {
            about: "a file of the system comes back",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"refusal": null}"#,
        },
        Example {
            about: "every way out is refused",
            expected: Expected::Silence,
            input: r#"{"refusal": "FORBIDDEN: the path leads out of the directory of notes; list_notes lists the paths there are"}"#,
        },
    ],
};

impl Probe for PathEscape {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn needs(&self, _has_examples: bool) -> Consent {
        Consent::Mutate
    }

    fn needs_sandbox(&self) -> bool {
        true
    }

    fn fits(&self, bench: &Bench<'_>) -> bool {
        bench.reads() && !escapes(bench).is_empty()
    }

    fn run<'a>(&'a self, bench: &'a Bench<'a>) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { ask_each(bench, escapes(bench)).await.map(|_| ()).into() })
    }

    #[cfg(test)]
    fn example_tool(&self, _example: &Value) -> ToolDef {
        let path = json!({"type": "string", "description": "Path of a note, relative to the directory of notes.",
            "examples": ["today.md"]});
        super::examples::reading("read_note", json!({ "path": path }), &["path"])
    }

    #[cfg(test)]
    fn example_answer(&self, example: &Value, arguments: &Value) -> Value {
        match (arguments["path"].as_str().unwrap(), example["refusal"].as_str()) {
            ("today.md", _) => json!({"content": [{"type": "text", "text": "Water the plants."}]}),
            (path, None) if path.ends_with("etc/passwd") => {
                json!({"content": [{"type": "text", "text": "root:x:0:0:root:/root:/bin/sh\nbin:x:1:1:bin:/bin:/bin/false\n"}]})
            }
            (_, refusal) => {
                let refusal = refusal.unwrap_or("NOT_FOUND: no note has this path; list_notes lists them");
                json!({"content": [{"type": "text", "text": refusal}], "isError": true})
            }
        }
    }
}

fn escapes(bench: &Bench<'_>) -> Vec<Map<String, Value>> {
    let good = bench.good_arguments();
    let is_path =
        |parameter: &Parameter<'_>| parameter.is_open_text() && leads(parameter.name, &[FILES, DIRECTORIES]);
    let paths = parameters(bench.tool()).filter(is_path).take(MOST_PARAMETERS);
    let calls = paths.flat_map(|parameter| {
        let valid = good.get(parameter.name).and_then(Value::as_str).unwrap_or_default();
        let outside = if leads(parameter.name, &[FILES]) { OUTSIDE } else { "etc" };
        let good = &good;
        ways_out(valid, outside).into_iter().map(move |path| with(good, parameter.name, path))
    });
    calls.collect()
}

fn leads(name: &str, known: &[&[&str]]) -> bool {
    words(name).iter().any(|word| known.iter().any(|known| known.contains(&word.as_str())))
}

/// Paths to what is outside, one for each mistake that lets them through.
fn ways_out(valid: &str, outside: &str) -> Vec<String> {
    let directory = valid.rfind('/').map_or("", |end| &valid[..=end]);
    let ending = valid.rfind('.').filter(|at| *at > directory.len()).map_or("", |at| &valid[at..]);
    let encoded = UP.replace("../", "%2e%2e%2f");
    let mut ways = vec![
        format!("{UP}{outside}"),
        format!("/{outside}"),
        format!("{encoded}{outside}"),
        format!("{UP}{outside}\0{ending}"),
    ];
    if !directory.is_empty() {
        ways.push(format!("{directory}{UP}{outside}"));
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::super::consent::Nature;
    use super::super::examples::sent;
    use super::*;

    #[test]
    fn each_way_out_is_another() {
        let ways = ways_out("notes/today.md", OUTSIDE);
        assert_eq!(ways.len(), 5);
        assert_eq!(ways[1], "/etc/passwd");
        assert!(ways[2].starts_with("%2e%2e%2f%2e%2e%2f") && ways[3].ends_with("/etc/passwd\0.md"));
        assert_eq!(ways[4], format!("notes/{UP}etc/passwd"));
        assert_eq!(ways_out("", "etc").len(), 4);
    }

    #[tokio::test]
    async fn only_a_tool_that_reads_is_asked() {
        let answer = |_: &Value| json!({"content": [{"type": "text", "text": "one\ntwo"}]});
        let tool = || PathEscape.example_tool(&Value::Null);
        let good = json!({"path": "today.md"});
        assert_eq!(sent(&PathEscape, tool(), good.clone(), Nature::Writes, answer).await.0, None);
        let (outcome, calls) = sent(&PathEscape, tool(), good, Nature::Reads, answer).await;
        assert_eq!((outcome, calls.len()), (Some(Outcome::Exercised), 5));
    }
}
