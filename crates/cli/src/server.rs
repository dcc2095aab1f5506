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

/// How to write a call to this server on a command line. Values of variables stay out of it.
pub fn call_source(name: Option<&str>, server: &Server, looked_up_in: &str) -> CallSource {
    match name {
        Some(name) => CallSource { before: shell_word(name), after: looked_up_in.to_owned() },
        None if server.url.is_some() => {
            let headers =
                server.headers.keys().map(|name| format!("--header {}", shell_word(&format!("{name}: …"))));
            let after = headers.collect::<Vec<_>>().join(" ");
            CallSource { before: command(server), after }
        }
        None => {
            let variables = server.env.keys().map(|name| format!("--env {} ", shell_word(name)));
            let after = format!("{}-- {}", variables.collect::<String>(), command(server));
            CallSource { before: String::new(), after }
        }
    }
}

/// The command or address as it was written, for a shell to read back.
pub fn command(server: &Server) -> String {
    server.shown.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}
