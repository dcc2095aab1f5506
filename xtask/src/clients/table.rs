//! What is told at the end: a line for each way in which a client and a server can meet. What may not enter: files and processes.

use super::sdk::Meeting;

/// What is known of a meeting.
#[derive(Debug)]
pub enum Outcome {
    /// Neither side is at fault.
    NotSpoken { by: &'static str },
    /// It could not be run, for this reason.
    Failed { why: String },
    /// It was run, directly and through a spy.
    Met(Compared),
}

/// The two runs of a meeting, held against each other.
#[derive(Debug, Default)]
pub struct Compared {
    /// How many calls the client made.
    pub calls: usize,
    /// The answers that it did not take, each with its words.
    pub refused: Vec<String>,
    /// What it should have seen and did not, in words.
    pub never: Vec<String>,
    /// What differs.
    pub diff: Option<String>,
    /// What is not in the recordings.
    pub missing: Vec<String>,
    /// What `frankly verify` says of them.
    pub findings: Vec<String>,
}

/// A line.
#[derive(Debug)]
pub struct Row {
    pub meeting: Meeting,
    pub outcome: Outcome,
}

const HEAD: [&str; 8] =
    ["SDK", "version", "life cycle", "transport", "server", "calls", "equal?", "recording?"];

impl Row {
    /// Whether the client saw the same through the spy, and the recordings show it.
    pub fn is_good(&self) -> bool {
        match &self.outcome {
            Outcome::NotSpoken { .. } => true,
            Outcome::Failed { .. } => false,
            Outcome::Met(met) => met.diff.is_none() && met.lines().next().is_none(),
        }
    }

    /// What is wrong, in full.
    pub fn complaint(&self) -> Option<String> {
        let text = match &self.outcome {
            Outcome::Met(met) if !self.is_good() => {
                met.diff.iter().cloned().chain(folded(met.lines())).collect()
            }
            Outcome::Failed { why } => format!("{why}\n"),
            Outcome::Met(_) | Outcome::NotSpoken { .. } => return None,
        };
        Some(format!("== {}\n{text}", self.meeting))
    }

    fn cells(&self) -> [String; 8] {
        let Meeting { sdk, life, transport, server } = self.meeting;
        let (calls, equal, recording) = match &self.outcome {
            Outcome::NotSpoken { by } => (String::new(), format!("not spoken by this {by}"), String::new()),
            Outcome::Failed { .. } => (String::new(), "not run".to_owned(), String::new()),
            Outcome::Met(met) => (met.calls(), yes(met.diff.is_none()), met.recording()),
        };
        let cells = [sdk.name, sdk.package, life.name(), transport.name(), server.name()].map(str::to_owned);
        let [name, package, life, transport, server] = cells;
        [name, package, life, transport, server, calls, equal, recording]
    }
}

impl Compared {
    /// What is wrong beside what differs.
    fn lines(&self) -> impl Iterator<Item = &str> {
        self.never.iter().chain(&self.refused).chain(&self.missing).chain(&self.findings).map(String::as_str)
    }

    fn calls(&self) -> String {
        match self.refused.len() {
            0 => self.calls.to_string(),
            refused => format!("{}, {refused} answers refused by the client", self.calls),
        }
    }

    fn recording(&self) -> String {
        match (self.missing.len(), self.findings.len()) {
            (0, 0) => "whole, clean".to_owned(),
            (0, findings) => format!("whole, findings: {findings}"),
            (missing, findings) => format!("missing: {missing}, findings: {findings}"),
        }
    }
}

/// The lines, each once, with how often it is there.
fn folded<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for line in lines {
        match counted.iter_mut().find(|(known, _)| *known == line) {
            Some((_, times)) => *times += 1,
            None => counted.push((line, 1)),
        }
    }
    let told =
        |(line, times)| if times == 1 { format!("{line}\n") } else { format!("{line} ({times} times)\n") };
    counted.into_iter().map(told).collect()
}

fn yes(is_so: bool) -> String {
    if is_so { "yes" } else { "NO" }.to_owned()
}

/// The table.
pub fn table(rows: &[Row]) -> String {
    let lines: Vec<_> = std::iter::once(HEAD.map(str::to_owned)).chain(rows.iter().map(Row::cells)).collect();
    let width = |at: usize| lines.iter().map(|cells| cells[at].chars().count()).max().unwrap_or_default();
    let widths: [usize; 8] = std::array::from_fn(width);
    let line = |cells: &[String; 8]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sdk::SDKS;
    use super::*;

    fn row(outcome: Outcome) -> Row {
        let meeting = Meeting::all(&SDKS[0]).next().unwrap();
        Row { meeting, outcome }
    }

    #[test]
    fn only_what_is_equal_recorded_whole_and_clean_is_good() {
        let met = |change: fn(&mut Compared)| {
            let mut met = Compared { calls: 3, ..Compared::default() };
            change(&mut met);
            row(Outcome::Met(met))
        };
        let good = [met(|_| {}), row(Outcome::NotSpoken { by: "SDK" })];
        assert!(good.iter().all(|row| row.is_good() && row.complaint().is_none()));
        let bad = [
            met(|met| met.diff = Some("-a\n+b\n".to_owned())),
            met(|met| met.never.push("the client never saw: log".to_owned())),
            met(|met| met.refused.push("a: its shape".to_owned())),
            met(|met| met.missing.push("a: not recorded".to_owned())),
            met(|met| met.findings.push("lost-response".to_owned())),
            row(Outcome::Failed { why: "no npm".to_owned() }),
        ];
        assert!(bad.iter().all(|row| !row.is_good() && row.complaint().is_some()));
        let complaint = bad[3].complaint().unwrap();
        assert_eq!(complaint, "== python, handshake, stdio, own\na: not recorded\n");
    }

    #[test]
    fn what_is_there_often_is_told_once() {
        assert_eq!(folded(["a", "b", "a"].into_iter()), ["a (2 times)\n", "b\n"]);
    }

    #[test]
    fn every_meeting_has_a_line_and_columns_are_straight() {
        let rows = [row(Outcome::NotSpoken { by: "SDK" }), row(Outcome::Met(Compared::default()))];
        let table = table(&rows);
        let lines: Vec<_> = table.lines().collect();
        assert_eq!(lines.len(), 3);
        let column = lines[0].find("equal?").unwrap();
        assert!(lines[1][column..].starts_with("not spoken by this SDK"));
        assert!(lines[2][column..].starts_with("yes") && lines[2].ends_with("whole, clean"));
    }
}
