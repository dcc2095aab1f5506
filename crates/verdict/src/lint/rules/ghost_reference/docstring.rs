//! Arguments that a description lists as docstrings do, and that the schema does not have.

use super::super::super::mentions;
use super::judge::{Ghost, Kind};
use super::known::Own;

/// What a framework hands to the tool itself: it is listed by mistake, and nobody is told to pass it.
const INJECTED: &[&str] = &["args", "context", "ctx", "kwargs", "self"];

/// The names under `Args:` that are no parameters of the tool. Where they are more than those that are, the list may be
/// of something else, and nothing is proven.
pub(super) fn ghosts<'a, 'o>(description: &'a str, own: impl Fn() -> &'o Own<'o>) -> Vec<Ghost<'a>> {
    let listed = listed(description);
    if listed.is_empty() || own().is_open {
        return Vec::new();
    }
    let own = own();
    let (known, unknown): (Vec<_>, Vec<_>) = listed.into_iter().partition(|(name, _)| own.has(name));
    let is_list_of_arguments = known.len() >= unknown.len();
    let ghost = |(name, at)| {
        let (similar, is_certain) = own.similar(name);
        let similar = similar.map(str::to_owned);
        let is_proven = similar.is_none() && is_certain && is_list_of_arguments && !INJECTED.contains(&name);
        Ghost { name, kind: Kind::Parameter, at, similar, is_proven }
    };
    unknown.into_iter().map(ghost).collect()
}

/// The names that a description lists as arguments, and where they are.
fn listed(description: &str) -> Vec<(&str, usize)> {
    let mut names = Vec::new();
    let mut section: Option<Section> = None;
    let mut at = 0;
    for line in description.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        if is_header(trimmed) {
            section = Some(Section { indent: None });
        } else if let Some(open) = &mut section
            && !trimmed.is_empty()
        {
            match open.entry(line) {
                Entry::Name(name) => names.push((name, start + line.find(name).unwrap_or(0))),
                Entry::Continued => {}
                Entry::End => section = None,
            }
        }
    }
    names
}

/// `Args:`, also in bold or as a heading.
fn is_header(line: &str) -> bool {
    let bare = line.trim_matches(['#', '*', ' ', ':']);
    line.ends_with([':', '*']) && matches!(bare, "Args" | "Arguments" | "Parameters" | "Params")
}

/// A list of arguments, all as deep as the first.
struct Section {
    indent: Option<usize>,
}

enum Entry<'a> {
    Name(&'a str),
    Continued,
    End,
}

impl Section {
    fn entry<'a>(&mut self, line: &'a str) -> Entry<'a> {
        let indent = line.len() - line.trim_start().len();
        let expected = *self.indent.get_or_insert(indent);
        if indent > expected {
            return Entry::Continued;
        }
        match name(line) {
            Some(name) if indent == expected => Entry::Name(name),
            _ => Entry::End,
        }
    }
}

/// `limit: …`, `- limit (int): …`, `` `limit`: … ``.
fn name(line: &str) -> Option<&str> {
    let token = mentions::tokens(line).next()?;
    let head = &line[..token.start];
    let rest = line[token.end()..].trim_start_matches(['`', '*', '"', '\'']);
    let rest = match rest.trim_start().strip_prefix('(') {
        Some(rest) => rest.split_once(')')?.1,
        None => rest,
    };
    let plain = token.text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        || mentions::style(token.text).is_some();
    let is_entry = head.chars().all(|c| c.is_whitespace() || matches!(c, '-' | '*' | '`' | '"' | '\'' | '•'));
    // A heading of its own, such as `optional:`, names nothing, and neither does what is said about all of them.
    let said = rest.trim_start_matches(['`', '*', ' ']).strip_prefix(':')?.trim();
    const ABOUT: &[&str] = &[
        "default", "example", "examples", "format", "note", "notes", "optional", "output", "required",
        "returns", "type", "usage", "values", "warning",
    ];
    (plain && is_entry && !said.is_empty() && !(ABOUT.contains(&token.text))).then_some(token.text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn found(description: &str) -> Vec<(String, bool)> {
        let schema = json!({"type": "object", "properties": {"limit": {"type": "integer"},
            "mode": {"type": "string", "enum": ["fast", "slow"]}}});
        let tool = ToolDef::new("t", description, schema);
        let own = Own::of(&tool);
        let ghosts = ghosts(description, || &own);
        ghosts.into_iter().map(|ghost| (ghost.name.to_owned(), ghost.is_proven)).collect()
    }

    #[test]
    fn what_is_listed_must_exist() {
        for said in [
            "Args:\n    limit: how many\n    customer (str): whose\n",
            "**Parameters:**\n- `limit`: how many\n- `customer` (string, optional): whose\n\nReturns:\n- rows: all",
            "## Arguments:\n  limit (int): how many,\n    at most: 9\n  customer: whose\n",
        ] {
            assert_eq!(found(said), [("customer".to_owned(), true)], "{said}");
        }
        assert_eq!(found("Args:\n limit: 1\n ctx: the context"), [("ctx".to_owned(), false)]);
        assert_eq!(found("Args:\n limit: 1\n limits: 2"), [("limits".to_owned(), false)]);
    }

    #[test]
    fn what_is_no_argument_ends_the_list() {
        for said in [
            "Args:\n    None",
            "Args:\n limit: 1\nReturns:\n rows: all",
            "Args:\n mode: one of\n fast: at once\n slow: later",
            "Args:\n limit: 1\n example: 3",
            "Parameters:\n optional:\n  customer: whose",
            "Output:\n customer: whose",
            "Args:",
            "",
        ] {
            assert_eq!(found(said), [], "{said}");
        }
    }
}
