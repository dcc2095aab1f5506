//! Where in a JSON text the value of a pointer stands. Reads tokens only, so a text of any size costs no more memory than
//! what is looked for.

use std::collections::{HashMap, HashSet};

use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

use crate::schema::join;

/// Line and column, counted from 1; columns in characters.
pub(super) type LineColumn = (usize, usize);

/// The places of these pointers, and of what holds them, as far as they are there: a member stands where its name does.
/// Of a name that is given twice the last counts, as it does for readers of JSON.
pub(super) fn places<'a>(
    text: &str,
    pointers: impl IntoIterator<Item = &'a str>,
) -> HashMap<&'a str, LineColumn> {
    let mut walk = Walk {
        wanted: pointers.into_iter().flat_map(with_holders).collect(),
        found: HashMap::new(),
        path: String::new(),
        open: Vec::new(),
        position: Position { text, offset: 0, line: 1, column: 1 },
    };
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    while let Ok(Some(token)) = scanner.scan() {
        walk.see(&token, scanner.token_start());
    }
    walk.found
}

/// A pointer and everything that holds it, itself first.
fn with_holders(pointer: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(pointer), |pointer| Some(&pointer[..pointer.rfind('/')?]))
}

/// The place of a pointer, or of the nearest thing that is there and holds it.
pub(super) fn nearest(places: &HashMap<&str, LineColumn>, pointer: &str) -> Option<LineColumn> {
    let mut holders: Vec<&str> = with_holders(pointer).collect();
    holders.reverse();
    let mut nearest = None;
    for holder in holders {
        match places.get(holder) {
            // What stands before its holder belongs to another of the same name, which does not count.
            Some(&place) if nearest.is_none_or(|holder| place >= holder) => nearest = Some(place),
            _ => break,
        }
    }
    nearest
}

struct Walk<'t, 'a> {
    wanted: HashSet<&'a str>,
    found: HashMap<&'a str, LineColumn>,
    /// The pointer of what is being read.
    path: String,
    open: Vec<Open>,
    position: Position<'t>,
}

/// An object or array that is not closed yet, with the length of its own pointer.
enum Open {
    Object { pointer: usize, is_name_next: bool },
    Array { pointer: usize, next: usize },
}

impl Walk<'_, '_> {
    fn see(&mut self, token: &Token<'_>, at: usize) {
        match (token, self.open.last_mut()) {
            (Token::Comma, Some(Open::Object { is_name_next, .. })) => *is_name_next = true,
            (Token::Colon | Token::Comma, _) => {}
            (Token::CloseBrace | Token::CloseBracket, _) => {
                self.open.pop();
            }
            (Token::String(name), Some(Open::Object { pointer, is_name_next })) if *is_name_next => {
                *is_name_next = false;
                self.path.truncate(*pointer);
                self.path.push_str(&join("", name));
                self.record(at);
            }
            (value, _) => self.value(value, at),
        }
    }

    fn value(&mut self, token: &Token<'_>, at: usize) {
        match self.open.last_mut() {
            Some(Open::Array { pointer, next }) => {
                self.path.truncate(*pointer);
                self.path.push_str(&join("", *next));
                *next += 1;
                self.record(at);
            }
            Some(Open::Object { .. }) => {}
            None => self.record(at),
        }
        let pointer = self.path.len();
        match token {
            Token::OpenBrace => self.open.push(Open::Object { pointer, is_name_next: true }),
            Token::OpenBracket => self.open.push(Open::Array { pointer, next: 0 }),
            _ => {}
        }
    }

    fn record(&mut self, at: usize) {
        if let Some(pointer) = self.wanted.get(self.path.as_str()) {
            self.found.insert(pointer, self.position.at(at));
        }
    }
}

/// Counts lines and columns up to offsets that only grow.
struct Position<'t> {
    text: &'t str,
    offset: usize,
    line: usize,
    column: usize,
}

impl Position<'_> {
    fn at(&mut self, offset: usize) -> LineColumn {
        let passed = self.text.get(self.offset..offset).unwrap_or_default();
        self.offset = offset;
        match passed.rfind('\n') {
            Some(end) => {
                self.line += passed.matches('\n').count();
                self.column = 1 + passed[end + 1..].chars().count();
            }
            None => self.column += passed.chars().count(),
        }
        (self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "{\n  \"tools\": [\n    {\"näme\": \"a\"}, [1,\n2]\n  ],\n  \"a/b\": {\"x\": 1, \"x\":\n 2}\n}";

    fn place(pointer: &str) -> Option<LineColumn> {
        nearest(&places(TEXT, [pointer]), pointer)
    }

    #[test]
    fn members_stand_at_their_names_and_elements_where_they_begin() {
        for (pointer, expected) in [
            ("", (1, 1)),
            ("/tools", (2, 3)),
            ("/tools/0", (3, 5)),
            ("/tools/0/näme", (3, 6)),
            ("/tools/1", (3, 20)),
            ("/tools/1/1", (4, 1)),
            ("/a~1b", (6, 3)),
            ("/a~1b/x", (6, 19)),
        ] {
            assert_eq!(place(pointer), Some(expected), "{pointer}");
        }
    }

    #[test]
    fn what_is_not_there_stands_where_it_would() {
        assert_eq!(place("/tools/0/description"), Some((3, 5)));
        assert_eq!(place("/nothing/at/all"), Some((1, 1)));
        assert_eq!(nearest(&places("", [""]), ""), None);
        let twice = "{\"a\": {\"x\": 1},\n \"a\": {\"y\": 2}}";
        assert_eq!(nearest(&places(twice, ["/a/x"]), "/a/x"), Some((2, 2)), "the first does not count");
    }
}
