//! Every public item occurs in an example that is compiled: one of the crate's own documentation, or of its README.

use std::path::{Path, PathBuf};
use std::{fs, io};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            sources(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    Ok(())
}

/// The lines of examples in documentation, words parted by spaces.
fn examples(text: &str, sign: &[&str]) -> String {
    let mut inside = false;
    let mut found = String::new();
    for line in text.lines().map(str::trim) {
        let Some(line) = sign.iter().find_map(|sign| line.strip_prefix(sign)) else {
            inside = false;
            continue;
        };
        if line.contains("```") {
            inside = !inside;
        } else if inside {
            found.extend(line.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { ' ' }));
            found.push(' ');
        }
    }
    found
}

/// The names of what is public in a file, but for what its tests define.
fn public(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    // A room without a type of its own for everybody is for the rooms beside it.
    let is_for_everybody = ["struct", "enum", "trait", "type"]
        .iter()
        .any(|kind| code.lines().any(|line| line.trim().starts_with(&format!("pub {kind} "))));
    if !is_for_everybody {
        return Vec::new();
    }
    let words = code.lines().filter_map(|line| line.trim().strip_prefix("pub "));
    let words = words.filter_map(|line| {
        let line = line.trim_start_matches("const ").trim_start_matches("async ");
        let (kind, rest) = line.split_once(' ')?;
        ["fn", "struct", "enum", "trait", "type"].contains(&kind).then_some(rest)
    });
    words.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()).collect()
}

#[test]
fn every_public_item_occurs_in_an_example() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), &mut files).unwrap();
    let mut shown = examples(&fs::read_to_string(root.join("README.md")).unwrap(), &[""]);
    let texts: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    texts.iter().for_each(|text| shown.push_str(&examples(text, &["///", "//!"])));
    let shown: Vec<&str> = shown.split(' ').collect();
    let missing: Vec<_> =
        texts.iter().flat_map(|text| public(text)).filter(|name| !shown.contains(name)).collect();
    assert!(missing.is_empty(), "no example shows {missing:?}");
}
