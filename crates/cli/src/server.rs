//! A server in a report: how it is written on a command line, and what to do where it never came up.

use frankly_live::config::Server;
use frankly_verdict::report::{CallSource, shell_word};
use frankly_verdict::{Finding, outage};

/// A server that never came up, and what to do about it.
pub fn never_came_up(name: &str, server: &Server, what: &str) -> Finding {
    let finding = outage::never_came_up(name, what);
    if server.url.is_none() {
        return finding;
    }
    Finding { next: "make it answer at this address, and look again".to_owned(), ..finding }
}

/// How to write a call to this server on a command line. Values of variables and headers stay out of it: a shell fills
/// them in from variables of its own, and says which one is missing.
pub fn call_source(name: Option<&str>, server: &Server, looked_up_in: &str) -> CallSource {
    match name {
        Some(name) => CallSource { before: shell_word(name), after: looked_up_in.to_owned() },
        None if server.url.is_some() => {
            let header = |name: &String| {
                let variable = variable_for(name);
                format!("--header {}\"${{{variable}?}}\"", shell_word(&format!("{name}: ")))
            };
            let after = server.headers.keys().map(header).collect::<Vec<_>>().join(" ");
            CallSource { before: command(server), after }
        }
        None => {
            let variable =
                |name: &String| format!("--env {}=\"${{{}?}}\" ", shell_word(name), variable_for(name));
            let variables = server.env.keys().map(variable);
            let after = format!("{}-- {}", variables.collect::<String>(), command(server));
            CallSource { before: String::new(), after }
        }
    }
}

/// The variable of a shell that a value is taken from: a name with other signs in it is none.
fn variable_for(name: &str) -> String {
    let is_known = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.chars().all(is_known) && name.starts_with(|c: char| !c.is_ascii_digit()) {
        return name.to_owned();
    }
    let spelled: String =
        name.chars().map(|c| if is_known(c) { c.to_ascii_uppercase() } else { '_' }).collect();
    if spelled.starts_with(|c: char| c.is_ascii_digit()) { format!("_{spelled}") } else { spelled }
}

/// The command or address as it was written, for a shell to read back.
pub fn command(server: &Server) -> String {
    server.shown.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(names: &[&str]) -> std::collections::BTreeMap<String, String> {
        names.iter().map(|name| ((*name).to_owned(), "s3cret".to_owned())).collect()
    }

    #[test]
    fn a_call_can_be_pasted_and_tells_no_value() {
        let server = Server {
            shown: vec!["serve".to_owned()],
            env: pairs(&["API_KEY", "odd-name"]),
            ..Server::default()
        };
        let CallSource { before, after } = call_source(None, &server, "");
        assert_eq!(before, "");
        assert_eq!(after, r#"--env API_KEY="${API_KEY?}" --env odd-name="${ODD_NAME?}" -- serve"#);
        let url = "https://example.com/mcp".to_owned();
        let server = Server {
            shown: vec![url.clone()],
            url: Some(url),
            headers: pairs(&["X-Key"]),
            ..Server::default()
        };
        let CallSource { before, after } = call_source(None, &server, "");
        assert_eq!(before, "https://example.com/mcp");
        assert_eq!(after, r#"--header 'X-Key: '"${X_KEY?}""#);
    }

    #[test]
    fn any_name_has_a_variable_of_a_shell() {
        for (name, variable) in [("PATH", "PATH"), ("x-key", "X_KEY"), ("1a", "_1A"), ("a b", "A_B")] {
            assert_eq!(variable_for(name), variable);
        }
    }
}
