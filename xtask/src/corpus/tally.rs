//! How much each rule finds.

use std::collections::{BTreeMap, BTreeSet};

use frankly_verdict::lint::RULES;

use super::server::Server;

/// What every rule found, also those that found nothing.
#[derive(Debug)]
pub struct Tally {
    /// All tools of all servers.
    pub tools: u64,
    pub rules: BTreeMap<String, Counts>,
}

/// What one rule found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub errors: u64,
    pub warnings: u64,
    pub infos: u64,
    /// The tools with a warning or an error, each by the position of its server and its name.
    touched: BTreeSet<(usize, String)>,
}

impl Tally {
    pub fn of(servers: &[Server]) -> Self {
        let names = RULES.iter().map(|rule| rule.doc().name.to_owned());
        let mut rules: BTreeMap<String, Counts> = names.map(|name| (name, Counts::default())).collect();
        for (position, server) in servers.iter().enumerate() {
            for found in &server.findings {
                let counts = rules.entry(found.rule.clone()).or_default();
                match found.severity.as_str() {
                    "error" => counts.errors += 1,
                    "warning" => counts.warnings += 1,
                    _ => {
                        counts.infos += 1;
                        continue;
                    }
                }
                if !found.tool.is_empty() {
                    counts.touched.insert((position, found.tool.clone()));
                }
            }
        }
        Self { tools: servers.iter().map(|server| server.tools).sum(), rules }
    }

    /// The rules that warn of more than a third of all tools, with how many these are.
    pub fn loud(&self) -> impl Iterator<Item = (&str, u64)> {
        let loud = self.rules.iter().filter(|(_, counts)| counts.is_loud(self.tools));
        loud.map(|(rule, counts)| (rule.as_str(), counts.touched()))
    }
}

impl Counts {
    /// How many tools have at least a warning.
    pub fn touched(&self) -> u64 {
        self.touched.len() as u64
    }

    /// Whether that is more than a third of these.
    pub fn is_loud(&self, tools: u64) -> bool {
        3 * self.touched() > tools
    }

    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::server::Found;
    use super::*;

    fn server(tools: u64, findings: &[(&str, &str)]) -> Server {
        let found = |(severity, tool): &(&str, &str)| Found {
            tool: (*tool).to_owned(),
            pointer: String::new(),
            rule: "no-limit".to_owned(),
            severity: (*severity).to_owned(),
            what: String::new(),
        };
        Server {
            package: "p".to_owned(),
            version: String::new(),
            registry: String::new(),
            tools,
            findings: findings.iter().map(found).collect(),
        }
    }

    #[test]
    fn a_tool_counts_once_and_not_for_information() {
        let twice = [("error", "a"), ("warning", "a"), ("info", "b"), ("warning", "")];
        let tally = Tally::of(&[server(4, &twice), server(1, &[("warning", "a")])]);
        let counts = &tally.rules["no-limit"];
        assert_eq!((tally.tools, counts.errors, counts.warnings, counts.infos), (5, 1, 3, 1));
        assert_eq!(counts.touched(), 2, "a tool of the same name of another server is another tool");
        assert!(tally.rules["bad-schema"].is_nothing());
    }

    #[test]
    fn more_than_a_third_is_loud() {
        let third = [("warning", "a"), ("warning", "b")];
        assert_eq!(Tally::of(&[server(6, &third)]).loud().next(), None);
        assert_eq!(Tally::of(&[server(5, &third)]).loud().collect::<Vec<_>>(), [("no-limit", 2)]);
    }
}
