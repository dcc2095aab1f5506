//! Any text as a `frankly.toml`: every server it has is asked for, and an error stands inside the file.

#![no_main]

use std::path::Path;

use frankly_live::config::{Config, ConfigError};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Config::parse(Path::new("frankly.toml"), text) {
        Ok(config) => {
            for name in config.names() {
                ask_for(&config, name);
            }
        }
        Err(error @ ConfigError::Malformed { line, column, .. }) => {
            assert_inside(text, line, column);
            assert!(!error.to_string().is_empty());
        }
        Err(error) => panic!("a text is no configuration for another reason than its own: {error:?}"),
    }
});

/// A server that is there is given, or else a variable is missing.
fn ask_for(config: &Config, name: &str) {
    match config.server(name) {
        Ok(server) => {
            let has_url = server.url.is_some();
            assert_ne!(has_url, !server.command.is_empty(), "a server has a command or an address");
            assert!(server.reset.is_none() || server.sandbox, "a reset needs a sandbox");
            drop(server.launch(Some(name)));
        }
        Err(ConfigError::Variable { .. }) => {}
        Err(error) => panic!("{name:?} is listed and cannot be had: {error:?}"),
    }
}

fn assert_inside(text: &str, line: usize, column: usize) {
    let at = line.checked_sub(1).and_then(|line| text.split('\n').nth(line));
    let at = at.unwrap_or_else(|| panic!("no line {line}"));
    assert!((1..=at.chars().count() + 1).contains(&column), "line {line} has no column {column}");
}
