//! The first `frankly.toml` for a server: how it is started, and a decision to make for each tool that was not called.

use frankly_verdict::report::plain;
use serde_json::Value;

use super::Server;

const HEAD: &str = "# What frankly checks, and how far it may go: frankly check runs all of it.\n";
const UNANSWERED: &str = "
# No call of these succeeded: give arguments that work.\n";
const DECIDE: &str = "
# Not called so far. Decide for each: \"never\"; \"examples\", only with arguments that you give as well,
# examples = [{ … }]; \"mutate\", also with generated ones; \"writes\", also twice, in a sandbox.\n";

/// What is known of a server's tools when its `frankly.toml` is begun.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FirstLook {
    /// Of how many tools a call succeeded.
    pub called: usize,
    /// The tools that the user allowed to be called.
    pub granted: Vec<String>,
    /// The tools that were not called, each with the reason.
    pub undecided: Vec<(String, String)>,
    /// Those of which no call succeeded, each with the reason.
    pub unanswered: Vec<(String, String)>,
}

/// The text of a `frankly.toml` with this server.
///
/// ```
/// use frankly_live::config::{Config, FirstLook, Server, starter};
/// use std::path::Path;
///
/// let server = Server { command: vec!["node".to_owned(), "index.js".to_owned()], ..Server::default() };
/// let undecided = vec![("send.mail".to_owned(), "it has no annotations".to_owned())];
/// let text = starter("my server", &server, &FirstLook { called: 1, undecided, ..FirstLook::default() });
/// let config = Config::parse(Path::new("frankly.toml"), &text)?;
/// assert_eq!(config.names().collect::<Vec<_>>(), ["my server"]);
/// assert_eq!(config.server("my server")?.command, ["node", "index.js"]);
/// # Ok::<(), frankly_live::config::ConfigError>(())
/// ```
#[must_use]
pub fn starter(name: &str, server: &Server, look: &FirstLook) -> String {
    let FirstLook { called, granted, undecided, unanswered } = look;
    let mut text = format!("{HEAD}\n[servers.{}]\n", key(name));
    match &server.url {
        Some(url) => text.push_str(&format!("url = {}\n", quoted(url))),
        None => {
            // As it was written: what was filled in may be secret.
            let words = if server.shown.is_empty() { &server.command } else { &server.shown };
            let words: Vec<String> = words.iter().map(|word| quoted(&word.replace("${env:", "${"))).collect();
            text.push_str(&format!("command = [{}]\n", words.join(", ")));
        }
    }
    // Values may be secret: they are taken from the environment.
    let filled = |name: &String| format!("{} = {}", key(name), quoted(&format!("${{{}}}", variable(name))));
    if !server.env.is_empty() {
        text.push_str(&format!(
            "env = {{ {} }}\n",
            server.env.keys().map(filled).collect::<Vec<_>>().join(", ")
        ));
    }
    if !server.headers.is_empty() {
        text.push_str(&format!(
            "headers = {{ {} }}\n",
            server.headers.keys().map(filled).collect::<Vec<_>>().join(", ")
        ));
    }
    if *called > 0 {
        text.push_str(&format!(
            "require = {{ tools_called = {called} }}     # fewer tools with a successful call: exit code 4\n"
        ));
    }
    for tool in granted {
        text.push_str(&format!("tools.{} = {{ probe = \"mutate\" }}\n", key(tool)));
    }
    if !undecided.is_empty() {
        text.push_str(DECIDE);
    }
    for (tool, why) in undecided {
        text.push_str(&format!("# {}\ntools.{} = {{ probe = \"never\" }}\n", plain(why), key(tool)));
    }
    if !unanswered.is_empty() {
        text.push_str(UNANSWERED);
    }
    for (tool, why) in unanswered {
        text.push_str(&format!(
            "# {}\n# tools.{} = {{ examples = [{{ … }}] }}\n",
            plain(why),
            plain(&key(tool))
        ));
    }
    text
}

/// The name under which a header's or a variable's value is taken from the environment.
///
/// ```
/// assert_eq!(frankly_live::config::variable("X-Api-Key"), "X_API_KEY");
/// ```
#[must_use]
pub fn variable(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

fn key(name: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(is_bare) { name.to_owned() } else { quoted(name) }
}

/// A text of one line as TOML has it, whose escapes are those of JSON and one more.
fn quoted(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Consent};
    use std::path::Path;

    #[test]
    fn what_is_written_is_read_back_and_holds_no_secret() {
        let server = Server {
            command: vec!["run \"it\"".to_owned(), "a\nb".to_owned(), "it's".to_owned()],
            env: [("TOKEN".to_owned(), "s3cret".to_owned())].into(),
            ..Server::default()
        };
        let text = starter(
            "a.b",
            &server,
            &FirstLook {
                called: 2,
                granted: vec!["find it".to_owned()],
                undecided: vec![("delete it".to_owned(), "it\ndeletes".to_owned())],
                unanswered: vec![("b\nc".to_owned(), "it\nfailed".to_owned())],
            },
        );
        assert!(!text.contains("s3cret") && text.contains("TOKEN = \"${TOKEN}\""), "{text}");
        let without = text.lines().filter(|line| !line.starts_with("env")).collect::<Vec<_>>().join("\n");
        let read = Config::parse(Path::new("frankly.toml"), &without).unwrap().server("a.b").unwrap();
        assert_eq!(read.command, server.command);
        assert_eq!(read.require.tools_called, 2);
        assert_eq!(read.tools["delete it"].probe, Some(Consent::Never));
        assert_eq!(read.tools["find it"].probe, Some(Consent::Mutate));
    }
}
