//! What a payload says beside the items of a list.
//!
//! Only what stands around the list speaks for it: members of the objects it is in, of an object beside it that is
//! about pages, and texts. A `remaining` in an object about rate limits is about something else.

use std::borrow::Cow;

use serde_json::Value;

use super::{Growth, Payload, Shape};
use crate::names::{each_word, has_word};
use crate::schema::join;

/// Words in the name of an object that is about the page or the answer as a whole.
const ABOUT_THE_PAGE: &[&str] = &[
    "continue", "cursor", "cursors", "hits", "info", "link", "links", "meta", "metadata", "next", "page",
    "pageable", "pages", "paging", "pagination", "response", "summary", "total",
];
/// How many lines at either end of a text beside the list are read as statements.
const EDGE_LINES: usize = 3;
/// How many links an answer has about itself at most.
const MOST_LINKS: usize = 10;
/// Arrays of texts up to this long are read as statements, such as `warnings`.
const FEW: usize = 3;

/// Something said beside the items.
#[derive(Debug)]
pub(crate) struct Statement<'p> {
    /// Where it stands, within the result.
    pub pointer: String,
    /// The words of its name and of the names of the objects about pages around it; none for a text.
    pub words: Vec<Cow<'p, str>>,
    /// How many objects are around it in its part; 1 is the top level.
    pub depth: usize,
    pub said: Said<'p>,
}

/// What a [`Statement`] says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Said<'p> {
    Value(&'p Value),
    Text(&'p str),
}

impl Statement<'_> {
    /// Whether this is a member of an object, and not a line of a text.
    pub fn is_member(&self) -> bool {
        matches!(self.said, Said::Value(_))
    }

    /// Whether this is a member that is true or false.
    pub fn is_flag(&self) -> bool {
        matches!(self.said, Said::Value(Value::Bool(_)))
    }

    /// The text of a line.
    pub fn text(&self) -> &str {
        match self.said {
            Said::Text(text) => text,
            Said::Value(value) => value.as_str().unwrap_or_default(),
        }
    }
}

impl Payload {
    /// What is said beside the list that grew.
    pub fn beside(&self, growth: &Growth) -> Vec<Statement<'_>> {
        let mut found = self.around(&growth.pointer);
        if let (Shape::Lines { head, tail }, Some(Value::String(text))) =
            (&growth.shape, self.at(&growth.pointer))
        {
            let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
            let edges = lines.iter().take(*head).chain(&lines[lines.len() - tail..]);
            found.extend(edges.map(|line| text_at(&growth.pointer, line)));
        }
        found
    }

    /// What is said around a pointer: by the objects it is in, and by the other parts.
    pub fn around(&self, list: &str) -> Vec<Statement<'_>> {
        let mut found = Vec::new();
        let blocks = self.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
        let parts = (0..blocks).map(|index| format!("/content/{index}/text"));
        for part in std::iter::once("/structuredContent".to_owned()).chain(parts) {
            match self.at(&part) {
                Some(Value::String(text)) if part != list => edge_lines(text, &part, &mut found),
                Some(value @ Value::Object(_)) if list != "/content" => {
                    members(value, &part, list, 1, &mut found)
                }
                _ => {}
            }
        }
        found
    }
}

fn edge_lines<'p>(text: &'p str, pointer: &str, found: &mut Vec<Statement<'p>>) {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    found.extend(lines.by_ref().take(EDGE_LINES).map(|line| text_at(pointer, line)));
    let tail = found.len();
    found.extend(lines.rev().take(EDGE_LINES).map(|line| text_at(pointer, line)));
    found[tail..].reverse();
}

fn text_at<'p>(pointer: &str, line: &'p str) -> Statement<'p> {
    Statement { pointer: pointer.to_owned(), words: Vec::new(), depth: 1, said: Said::Text(line) }
}

/// The members of an object on the way to the list, of the next object on the way, and of objects about pages.
fn members<'p>(value: &'p Value, pointer: &str, list: &str, depth: usize, found: &mut Vec<Statement<'p>>) {
    for (key, member) in value.as_object().into_iter().flatten() {
        let at = join(pointer, key);
        let on_the_way = list.strip_prefix(&at).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        match member {
            Value::Object(_) if on_the_way && list != at => members(member, &at, list, depth + 1, found),
            Value::Object(_) if !on_the_way && is_about_the_page(key) => {
                about_the_page(member, &at, &words_of(key), depth + 1, found);
            }
            Value::Array(_) if on_the_way => {}
            Value::Array(links) if links.len() <= MOST_LINKS && is_links(key) => {
                found.extend(
                    links
                        .iter()
                        .enumerate()
                        .filter_map(|(index, link)| link_at(link, &join(&at, index), depth)),
                );
            }
            Value::Array(texts) if texts.len() <= FEW => {
                let texts = texts.iter().filter(|text| text.is_string());
                found.extend(texts.map(|text| statement(&at, words_of(key), depth, text)));
            }
            Value::Array(_) => {}
            Value::String(text) if on_the_way => edge_lines(text, &at, found),
            scalar => found.push(statement(&at, words_of(key), depth, scalar)),
        }
    }
}

/// The words of the name of a member.
fn words_of(name: &str) -> Vec<Cow<'_, str>> {
    each_word(name).collect()
}

fn is_links(key: &str) -> bool {
    each_word(key).last().is_some_and(|word| matches!(&*word, "link" | "links"))
}

/// A link that says where it leads: `{"rel": "next", "href": …}`, `{"relation": "next", "url": …}`.
fn link_at<'p>(link: &'p Value, pointer: &str, depth: usize) -> Option<Statement<'p>> {
    let relation = ["rel", "relation"].iter().find_map(|name| link.get(name)?.as_str())?;
    let target =
        ["href", "url"].iter().find_map(|name| link.get(name).filter(|target| target.is_string()))?;
    Some(statement(pointer, words_of(relation), depth, target))
}

fn about_the_page<'p>(
    value: &'p Value,
    pointer: &str,
    names: &[Cow<'p, str>],
    depth: usize,
    found: &mut Vec<Statement<'p>>,
) {
    const DEEPEST: usize = 5;
    const MOST_WORDS: usize = 40;
    for (key, member) in value.as_object().into_iter().flatten() {
        let at = join(pointer, key);
        let mut names = [names, &words_of(key)].concat();
        names.truncate(MOST_WORDS);
        match member {
            Value::Object(_) if depth < DEEPEST => about_the_page(member, &at, &names, depth + 1, found),
            Value::Object(_) | Value::Array(_) => {}
            scalar => found.push(statement(&at, names, depth, scalar)),
        }
    }
}

fn statement<'p>(pointer: &str, words: Vec<Cow<'p, str>>, depth: usize, value: &'p Value) -> Statement<'p> {
    Statement { pointer: pointer.to_owned(), words, depth, said: Said::Value(value) }
}

fn is_about_the_page(key: &str) -> bool {
    has_word(key, ABOUT_THE_PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_stands_around_the_list_speaks_for_it() {
        let payload = Payload::of(&json!({"structuredContent": {
            "total": 7,
            "page_info": {"next": {"href": "x"}},
            "rate_limit": {"remaining": 4990},
            "data": {"rows": [{"truncated": true}], "rowsTruncated": 3},
            "warnings": ["cut"]
        }}));
        let said: Vec<_> = payload
            .around("/structuredContent/data/rows")
            .into_iter()
            .map(|s| (s.words.join(" "), s.depth))
            .collect();
        let expected = [
            ("rows truncated", 2),
            ("page info next href", 3),
            ("rate limit", 1),
            ("total", 1),
            ("warnings", 1),
        ];
        assert_eq!(said, expected.map(|(words, depth)| (words.to_owned(), depth)));
    }
}
