//! Any text as a client's file, such as `.mcp.json`: its server `a` is asked for.

#![no_main]

mod file;

use frankly_live::config::{ClientFileError, Source, SourceError};
use libfuzzer_sys::fuzz_target;

/// The server that is asked for.
const NAME: &str = "a";

fuzz_target!(|text: &str| {
    let (_file, path) = file::with(text);
    match Source::named(NAME, Some(&path)) {
        Ok(Source::Server(name, server)) => {
            assert_eq!(name.as_deref(), Some(NAME));
            let has_url = server.url.is_some();
            assert_ne!(has_url, !server.command.is_empty(), "a server has a command or an address");
            assert!(!server.sandbox && server.tools.is_empty(), "a client's file gives no leave");
            drop(server.launch(Some(NAME)));
        }
        Err(SourceError::Client(error)) => {
            assert!(!matches!(error, ClientFileError::Unreadable { .. }), "{error}");
            assert!(!error.to_string().is_empty());
        }
        other => panic!("a client's file is read as one: {other:?}"),
    }
});
