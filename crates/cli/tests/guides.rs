//! The guides are executed: what they show is what the binary writes.

use std::path::Path;

#[test]
fn the_guides_are_true() {
    let frankly = Path::new(env!("CARGO_BIN_EXE_frankly"));
    // In the guides `frankly` also starts itself as a server, so it has to be found.
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories =
        std::iter::once(frankly.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(directories).unwrap().into_string().unwrap();
    trycmd::TestCases::new()
        .register_bin("frankly", frankly)
        .env("PATH", path)
        .case("../../README.md")
        .case("../../docs/*.md");
}
