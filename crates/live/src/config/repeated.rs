//! Members that one object of a JSON text names twice: readers take the last, and nobody sees the others. Reads tokens
//! only, and judges nothing.

use std::borrow::Cow;
use std::collections::HashSet;

use frankly_verdict::Place;
use jsonc_parser::tokens::Token;
use jsonc_parser::{Scanner, ScannerOptions};

/// How many are told one by one.
const TOLD: usize = 3;

/// The members that stand in one object under a name that another has there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeated {
    /// The first of them, each with its name and where it stands again.
    pub first: Vec<(String, Place)>,
    /// How many there are in all.
    pub count: usize,
}

/// What is repeated in a text; `file` is how it is called.
pub(super) fn repeated(file: &str, text: &str) -> Repeated {
    let mut repeated = Repeated::default();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut scanner = Scanner::new(text, &ScannerOptions::default());
    while let Ok(Some(token)) = scanner.scan() {
        match (token, open.last_mut()) {
            (Token::OpenBrace, _) => open.push(Open::Object { names: HashSet::new(), is_name_next: true }),
            (Token::OpenBracket, _) => open.push(Open::Array),
            (Token::CloseBrace | Token::CloseBracket, _) => {
                open.pop();
            }
            (Token::Comma, Some(Open::Object { is_name_next, .. })) => *is_name_next = true,
            (Token::String(name), Some(Open::Object { names, is_name_next })) if *is_name_next => {
                *is_name_next = false;
                if names.insert(name.clone()) {
                    continue;
                }
                repeated.count += 1;
                if repeated.first.len() < TOLD {
                    repeated.first.push((name.into_owned(), place(file, text, scanner.token_start())));
                }
            }
            _ => {}
        }
    }
    repeated
}

/// What is not closed yet.
enum Open<'t> {
    Object { names: HashSet<Cow<'t, str>>, is_name_next: bool },
    Array,
}

fn place(file: &str, text: &str, at: usize) -> Place {
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
    Place { file: file.to_owned(), line, column }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> (usize, Vec<String>) {
        let Repeated { first, count } = repeated("f", text);
        (count, first.into_iter().map(|(name, place)| format!("{name} {place}")).collect())
    }

    #[test]
    fn a_name_is_repeated_only_within_one_object() {
        for (text, expected) in [
            ("{\"tools\": [],\n \"ü\": 1, \"tools\": []}", &["tools f:2:10"][..]),
            (r#"{"tools": [], "t\u006fols": []}"#, &["tools f:1:15"]),
            (r#"[{"a": {"b": 1, "b": "b"}}]"#, &["b f:1:17"]),
            (r#"[{"a": 1}, {"a": ["a", "a", {"a": "a"}]}, "a", "a"]"#, &[]),
            (r#"{"a": "a", "b": "a"}"#, &[]),
            ("{\"a\": 1, \"a\"", &["a f:1:10"]),
            ("", &[]),
        ] {
            assert_eq!(told(text).1, expected, "{text}");
        }
        let (count, first) = told(r#"{"a": 1, "a": 2, "a": 3, "a": 4, "a": 5}"#);
        assert_eq!((count, first.len()), (4, TOLD));
    }
}
