//! Keywords, and ways to write them, that not every target knows: each is told once of a tool.

use serde_json::Value;

use super::super::super::target::What;
use super::{Fault, Look};
use crate::schema::{Path, Place};

/// What was seen so far of one kind: the first of it, and how often.
struct Seen<'v> {
    what: What,
    fault: Fault<'v>,
    count: usize,
}

/// What was seen of each kind.
#[derive(Default)]
pub(super) struct Subset<'v> {
    seen: Vec<Seen<'v>>,
}

impl<'v> Subset<'v> {
    pub fn see(&mut self, node: &'v Value, at: &Path<'_>, place: Place<'_>) {
        let Some(members) = node.as_object() else { return };
        for (keyword, value) in members {
            let next = match keyword.as_str() {
                "pattern" if value.as_str().is_some_and(looks_around) => Some((
                    What::Lookaround,
                    "a pattern looks ahead or behind",
                    "write it without `(?=`, `(?!` and `(?<`, or check it in the tool",
                )),
                "type" if value.is_array() => {
                    Some((What::TypeList, "`type` is a list", "write `anyOf` with one type each"))
                }
                "const" => {
                    Some((What::Constant, "a value is stated as `const`", "write an `enum` with one value"))
                }
                "enum" => of_enum(value),
                _ => None,
            };
            if let Some((what, told, next)) = next {
                self.add(what, || Fault {
                    at: at.join(keyword),
                    what: told.to_owned(),
                    next,
                    shown: Some(value),
                });
            }
        }
        self.see_whole(node, at, place);
    }

    /// What is not in one keyword.
    fn see_whole(&mut self, node: &'v Value, at: &Path<'_>, place: Place<'_>) {
        const TYPED: &[&str] = &["$ref", "allOf", "anyOf", "const", "enum", "if", "not", "oneOf", "type"];
        if matches!(place, Place::Property(_)) && !TYPED.iter().any(|keyword| node.get(keyword).is_some()) {
            self.add(What::Untyped, || Fault {
                at: at.to_string(),
                what: "a parameter has no type".to_owned(),
                next: "add a `type`",
                shown: Some(node),
            });
        }
        let members = node.as_object().filter(|members| members.contains_key("$ref"));
        let neighbour = members.and_then(|members| {
            members.keys().find(|name| !matches!(name.as_str(), "$ref" | "description" | "default"))
        });
        if let Some(neighbour) = neighbour {
            self.add(What::Neighbours, || Fault {
                at: at.to_string(),
                what: format!("`{neighbour}` stands beside a `$ref`"),
                next: "move it into what is referred to, or write the schema out here",
                shown: Some(node),
            });
        }
    }

    fn add(&mut self, what: What, fault: impl FnOnce() -> Fault<'v>) {
        match self.seen.iter_mut().find(|seen| seen.what == what) {
            Some(seen) => seen.count += 1,
            None => self.seen.push(Seen { what, fault: fault(), count: 1 }),
        }
    }

    /// Tells of each kind where it is beyond a limit of some target.
    pub fn tell(self, look: &mut Look<'_, '_>) {
        for Seen { what, fault, count } in self.seen {
            let more = if count > 1 { format!(" (in {count} places)") } else { String::new() };
            look.tell(Fault { what: fault.what.clone() + &more, ..fault }, |limit| limit == what);
        }
    }
}

fn of_enum(values: &Value) -> Option<(What, &'static str, &'static str)> {
    let values = values.as_array()?;
    if values.iter().any(|value| !value.is_null() && !value.is_string()) {
        let next = "write the values as texts, or state the range and leave the enum out";
        return Some((What::EnumOfText, "an enum has a value that is no text", next));
    }
    let is_empty = values.iter().any(|value| value.as_str() == Some(""));
    is_empty.then_some((
        What::EnumOfText,
        "an enum has an empty text",
        "leave it out, and do not require the parameter",
    ))
}

/// Whether a pattern has a group that looks ahead or behind, outside of classes and escapes.
fn looks_around(pattern: &str) -> bool {
    let mut is_class = false;
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                rest = after.chars().next().map_or("", |escaped| &after[escaped.len_utf8()..]);
                continue;
            }
            '[' => is_class = true,
            ']' => is_class = false,
            '(' if !is_class && ["?=", "?!", "?<=", "?<!"].iter().any(|group| after.starts_with(group)) => {
                return true;
            }
            _ => {}
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::super::super::testing::found;
    use super::super::NotPortableSchema;
    use super::*;
    use crate::Severity;

    #[test]
    fn only_groups_look_around() {
        for pattern in ["^(?!undefined$)", "a(?=b)", "(?<=a)b", "(?<!a)b"] {
            assert!(looks_around(pattern), "{pattern}");
        }
        for pattern in ["(?:a)", "(?<name>a)", r"\(?=", "[(?=]", "", "("] {
            assert!(!looks_around(pattern), "{pattern}");
        }
    }

    #[test]
    fn each_kind_is_told_once_of_a_tool() {
        let of = |target: &str, members: &str| -> Vec<(Severity, String)> {
            let schema = format!(r#"{{"type": "object", "properties": {{{members}}}}}"#);
            let input = format!(
                r#"{{"target": "{target}", "servers": {{"s": [{{"name": "t", "inputSchema": {schema}}}]}}}}"#
            );
            found(&NotPortableSchema, &input)
                .into_iter()
                .map(|finding| (finding.severity, finding.what))
                .collect()
        };
        let lookaround =
            r#""a": {"type": "string", "pattern": "^(?!x)"}, "b": {"type": "string", "pattern": "(?=x)"}"#;
        assert_eq!(
            of("openai", lookaround),
            [(
                Severity::Error,
                "a pattern looks ahead or behind (in 2 places); OpenAI refuses that".to_owned()
            )]
        );
        assert_eq!(of("anthropic", lookaround)[0].0, Severity::Info);
        for (members, start) in [
            (r#""a": {"type": ["string", "null"]}"#, "`type` is a list; Gemini"),
            (r#""a": {"type": "string", "const": "x"}"#, "a value is stated as `const`; Gemini"),
            (r#""a": {"description": "Any."}"#, "a parameter has no type; Gemini"),
            (r#""a": {"enum": ["", "x"]}"#, "an enum has an empty text; Gemini"),
        ] {
            let told = of("gemini", members);
            assert_eq!(told.len(), 1, "{told:?}");
            assert!(told[0].0 == Severity::Warning && told[0].1.starts_with(start), "{told:?}");
        }
        assert_eq!(of("gemini", r#""a": {"type": "string", "format": "date-time"}"#), []);
    }
}
