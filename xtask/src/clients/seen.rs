//! What a client printed: a JSON object a line. What may not enter: processes.

use anyhow::Context;
use serde_json::{Value, json};
use similar::TextDiff;

/// Longer lines are cut in a diff.
const LONGEST: usize = 400;

/// How a client tells of an answer that it did not take.
const REFUSED: &str = "refused by the client";

/// Everything that a client saw, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen(Vec<Value>);

/// A call that a client made, and what it got for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Made<'a> {
    pub name: &'a str,
    pub arguments: &'a Value,
    /// The line that tells of the answer; `None` where none came.
    pub answer: Option<&'a Value>,
}

impl Seen {
    /// Reads what a client printed.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let line =
            |line| serde_json::from_str(line).with_context(|| format!("a client printed no JSON: {line}"));
        Ok(Self(text.lines().map(line).collect::<anyhow::Result<_>>()?))
    }

    /// Adds what was seen from outside.
    pub fn add(&mut self, at: &str, saw: &str, what: &Value) {
        self.0.push(json!({"at": at, "saw": saw, "what": what}));
    }

    /// Adds what came after.
    pub fn append(&mut self, mut later: Self) {
        self.0.append(&mut later.0);
    }

    /// Whether there is a line of this kind.
    pub fn has(&self, saw: &str) -> bool {
        self.0.iter().any(|line| line["saw"] == saw)
    }

    /// What of these it never saw, in words: two clients that do nothing see the same.
    pub fn never<'k>(&self, kinds: impl Iterator<Item = &'k str>) -> Vec<String> {
        kinds.filter(|kind| !self.has(kind)).map(|kind| format!("the client never saw: {kind}")).collect()
    }

    /// The answers that the client itself did not take, each with its words.
    pub fn refused(&self) -> Vec<String> {
        let words = |line: &Value| {
            let why = line.get(REFUSED)?.as_str().unwrap_or_default();
            Some(format!("{}: {REFUSED}: {}", line["name"].as_str().unwrap_or_default(), cut(why)))
        };
        self.0.iter().filter_map(words).collect()
    }

    /// The calls, each with its answer. A client tells of a call and then of its answer.
    pub fn calls(&self) -> Vec<Made<'_>> {
        let told = |saw: &'static str| move |(_, line): &(usize, &Value)| line["saw"] == saw;
        let lines = || self.0.iter().enumerate();
        let mut calls = lines().filter(told("call")).peekable();
        let mut made = Vec::new();
        while let Some((at, call)) = calls.next() {
            let until = calls.peek().map_or(self.0.len(), |(next, _)| *next);
            let answer = lines().filter(told("answer")).find(|(number, _)| (at..until).contains(number));
            made.push(Made {
                name: call["name"].as_str().unwrap_or_default(),
                arguments: &call["arguments"],
                answer: answer.map(|(_, line)| line),
            });
        }
        made
    }

    /// What differs from another, as a diff; `None` where nothing does but what always does.
    pub fn diff(&self, other: &Self) -> Option<String> {
        let (one, other) = (self.text(), other.text());
        if one == other {
            return None;
        }
        let diff = TextDiff::from_lines(&one, &other);
        let diff = diff.unified_diff().context_radius(1).header("directly", "through the spy").to_string();
        Some(diff.lines().map(|line| cut(line) + "\n").collect())
    }

    /// The lines without what differs by itself.
    fn text(&self) -> String {
        self.0.iter().map(|line| leveled(&line.to_string()) + "\n").collect()
    }
}

/// The beginning of a line, where it is long.
fn cut(line: &str) -> String {
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// A text without ports of this machine and without ids that are drawn by lot.
fn leveled(text: &str) -> String {
    let mut leveled = String::with_capacity(text.len());
    for (number, part) in text.split("127.0.0.1:").enumerate() {
        let part = match number {
            0 => part,
            _ => {
                leveled.push_str("127.0.0.1:PORT");
                part.trim_start_matches(|sign: char| sign.is_ascii_digit())
            }
        };
        without_ids(part, &mut leveled);
    }
    leveled
}

/// Adds a text with `ID` for each UUID, with its dashes or without.
fn without_ids(text: &str, into: &mut String) {
    let is_of_id = |sign: char| sign.is_ascii_hexdigit() || sign == '-';
    let mut rest = text;
    while let Some(begin) = rest.find(is_of_id) {
        let (before, word) = rest.split_at(begin);
        let (word, after) = word.split_at(word.find(|sign| !is_of_id(sign)).unwrap_or(word.len()));
        into.push_str(before);
        into.push_str(if is_id(word) { "ID" } else { word });
        rest = after;
    }
    into.push_str(rest);
}

fn is_id(word: &str) -> bool {
    let dashes: Vec<_> = word.match_indices('-').map(|(at, _)| at).collect();
    match word.len() {
        32 => dashes.is_empty(),
        36 => dashes == [8, 13, 18, 23],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(lines: &[Value]) -> Seen {
        Seen::read(&lines.iter().map(|line| line.to_string() + "\n").collect::<String>()).unwrap()
    }

    #[test]
    fn ports_and_drawn_ids_are_no_difference_and_all_else_is() {
        let line = |text: &str| seen(&[json!({"saw": "noise", "error": text})]);
        let alike = [
            ("at http://127.0.0.1:4001/mcp", "at http://127.0.0.1:39999/mcp"),
            ("of 0f8fad5b-d9cb-469f-a165-70867728950e.", "of 7c9e6679-7425-40de-944b-e07fc1f90ae7."),
            ("0f8fad5bd9cb469fa16570867728950e", "7c9e6679742540de944be07fc1f90ae7"),
            ("é 🙂 -", "é 🙂 -"),
        ];
        for (one, other) in alike {
            assert_eq!(line(one).diff(&line(other)), None, "{one}");
        }
        let apart = [
            ("http://127.0.0.1:4001/mcp", "http://127.0.0.2:4001/mcp"),
            ("0123456789abcdef0123456789abcdef0", "1123456789abcdef0123456789abcdef0"),
            ("beef", "cafe"),
            ("a", ""),
        ];
        for (one, other) in apart {
            let diff = line(one).diff(&line(other)).unwrap();
            assert!(diff.contains("--- directly") && diff.contains("+++ through the spy"), "{diff}");
        }
    }

    #[test]
    fn the_order_counts() {
        let [one, other] = [json!({"saw": "progress"}), json!({"saw": "log"})];
        let diff = seen(&[one.clone(), other.clone()]).diff(&seen(&[other, one])).unwrap();
        assert!(diff.contains("\n-{") && diff.contains("\n+{"), "{diff}");
        assert!(diff.lines().all(|line| line.chars().count() <= LONGEST + 1));
    }

    #[test]
    fn a_call_has_the_answer_that_came_before_the_next_one() {
        let call = |name: &str| json!({"saw": "call", "name": name, "arguments": {}});
        let answer = json!({"saw": "answer", "name": "b", "result": {}});
        let seen = seen(&[
            call("a"),
            json!({"saw": "taken back"}),
            call("b"),
            json!({"saw": "log"}),
            answer.clone(),
        ]);
        let calls = seen.calls();
        assert_eq!(calls.iter().map(|call| call.name).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((calls[0].answer, calls[1].answer), (None, Some(&answer)));
    }

    #[test]
    fn what_was_not_tried_is_told() {
        let seen = seen(&[json!({"saw": "log"})]);
        assert_eq!(seen.never(["log", "resumed"].into_iter()), ["the client never saw: resumed"]);
    }

    #[test]
    fn what_is_no_json_is_told() {
        let error = Seen::read("{}\nTraceback\n").unwrap_err();
        assert!(error.to_string().contains("Traceback"));
    }
}
