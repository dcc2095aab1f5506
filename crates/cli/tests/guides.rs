//! The guides are executed: what they show is what the binary writes.

use std::path::Path;

use frankly_live::config::{Config, ConfigError};
use frankly_verdict::case::CaseFile;

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
        .case("../../docs/recordings.md")
        .case("../../docs/spy.md")
        .case("../../docs/cases.md");
}

#[test]
fn every_configuration_in_the_guides_is_one() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("frankly.toml");
    for guide in ["../../README.md", "../../docs/configuration.md", "../../docs/cases.md"] {
        let text = std::fs::read_to_string(guide).unwrap();
        let blocks: Vec<&str> =
            text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
        assert!(!blocks.is_empty(), "{guide} shows none");
        for block in blocks {
            std::fs::write(&file, block).unwrap();
            let config = Config::read(&file).unwrap_or_else(|error| panic!("{guide}: {error}"));
            for name in config.names() {
                // Variables of the examples need not be set here.
                let server = config.server(name);
                assert!(matches!(server, Ok(_) | Err(ConfigError::Variable { .. })), "{guide}: {server:?}");
            }
        }
    }
}

#[test]
fn every_case_file_in_the_guides_is_one() {
    let guide = std::fs::read_to_string("../../docs/cases.md").unwrap();
    let blocks: Vec<&str> =
        guide.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        CaseFile::parse("cases.md", block).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string("../../docs/cases.in/dining.yaml").unwrap(),
        guide.split("```").nth(3).unwrap()["yaml\n".len()..]
    );
}

#[test]
fn the_expectations_in_the_guide_are_those_that_are_held() {
    let guide = std::fs::read_to_string("../../docs/recordings.md").unwrap();
    assert!(guide.contains(&std::fs::read_to_string("../../docs/recordings.in/booking.yaml").unwrap()));
}
