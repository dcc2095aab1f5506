//! What each provider and each client refuses, cuts or loses, with its source and the month of the source. Judges nothing.
//!
//! What a target is silent about, it is taken to accept.

mod limit;
mod table;

use frankly_contract::nearest;

use super::audience::filled;

pub use limit::{Beyond, Length, Limit, What};
pub use table::TARGETS;

/// Somebody who gets definitions: a provider of models, or a client that hands them on.
#[derive(Debug)]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What the client itself puts before a name, which counts.
    pub prefix: Option<ClientPrefix>,
    /// What it does not take as it is written. Of several limits of one kind, the first is the gravest.
    pub limits: &'static [Limit],
}

/// What a client puts before the name of each tool.
#[derive(Debug, Clone, Copy)]
pub struct ClientPrefix {
    /// With the server's name for `{server}`.
    pub template: &'static str,
    /// How many characters of the server's name are taken; all where `None`.
    pub server_chars: Option<usize>,
}

impl Target {
    /// The target of this name.
    ///
    /// ```
    /// use frankly_verdict::lint::Target;
    ///
    /// assert_eq!(Target::named("gemini").map(|target| target.title), Some("Gemini"));
    /// assert!(Target::named("genimi").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The names of targets, parted by commas, as the user writes them.
    ///
    /// # Errors
    ///
    /// What the user wrote that is no target, with the nearest one.
    ///
    /// ```
    /// use frankly_verdict::lint::Target;
    ///
    /// assert_eq!(Target::read("openai, gemini").unwrap().len(), 2);
    /// let error = Target::read("opanai").unwrap_err();
    /// assert_eq!(error, "no target is called \"opanai\"; did you mean `openai`?");
    /// ```
    pub fn read(names: &str) -> Result<Vec<&'static Self>, String> {
        names.split(',').map(str::trim).map(|name| Self::named(name).ok_or_else(|| unknown(name))).collect()
    }

    /// The gravest of its limits that this is beyond.
    pub(super) fn beyond(&self, is_beyond: impl Fn(What) -> bool) -> Option<&Limit> {
        self.limits.iter().find(|limit| is_beyond(limit.what))
    }

    /// What the client itself puts before the names of this server.
    pub(super) fn before(&self, server: &str) -> Option<String> {
        let ClientPrefix { template, server_chars } = self.prefix?;
        Some(filled(template, server, server_chars.unwrap_or(usize::MAX)))
    }
}

fn unknown(name: &str) -> String {
    let known = || TARGETS.iter().map(|target| target.name);
    match nearest(name, known()) {
        Some(near) => format!("no target is called {name:?}; did you mean `{near}`?"),
        None => {
            format!("no target is called {name:?}; there are {}", known().collect::<Vec<_>>().join(", "))
        }
    }
}

/// The titles of some targets as a text names them: `Gemini`, `OpenAI and Gemini`.
pub(super) fn titles(targets: &[&Target]) -> String {
    let titles: Vec<&str> = targets.iter().map(|target| target.title).collect();
    match titles.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// `refuses` for one, `refuse` for many.
pub(super) fn verb<'a>(targets: &[&Target], one: &'a str, many: &'a str) -> &'a str {
    if targets.len() == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_named_as_a_text_names_them() {
        let named = |names| titles(&Target::read(names).unwrap());
        assert_eq!(named("gemini"), "Gemini");
        assert_eq!(named("openai,gemini,vscode"), "OpenAI, Gemini and VS Code");
        assert_eq!(
            Target::read("telepathy").unwrap_err(),
            "no target is called \"telepathy\"; there are anthropic, openai, openai-strict, gemini, claude-code, vscode, \
             copilot-cli, cursor"
        );
    }

    #[test]
    fn every_limit_says_from_where_and_from_when_it_is_known() {
        for target in TARGETS {
            assert!(!target.limits.is_empty(), "{}", target.name);
            for limit in target.limits {
                assert!(limit.source.contains(", 202"), "{}: {}", target.name, limit.source);
            }
        }
    }

    #[test]
    fn of_one_kind_the_gravest_comes_first() {
        for target in TARGETS {
            let kinds: Vec<_> =
                target.limits.iter().map(|limit| std::mem::discriminant(&limit.what)).collect();
            for (at, limit) in target.limits.iter().enumerate() {
                let graver = target.limits[..at].iter().zip(&kinds).filter(|(_, kind)| **kind == kinds[at]);
                for (earlier, _) in graver {
                    assert!(
                        earlier.beyond.severity() >= limit.beyond.severity(),
                        "{}: {limit:?}",
                        target.name
                    );
                }
            }
        }
    }
}
