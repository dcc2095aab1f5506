//! Which parameter takes a cursor, and where an answer gives one.

use frankly_contract::ToolResult;
use serde_json::Value;

use super::super::consent::words;

/// How deep beside its rows an answer is looked into.
const DEPTH: usize = 4;
/// What is longer is no cursor that anybody would copy.
const LONGEST: usize = 4096;
/// Names of parameters, without case and punctuation.
const PARAMETERS: &[&str] = &[
    "after", "aftercursor", "continuation", "continuationtoken", "cursor", "marker", "nextcursor",
    "nextpagetoken", "nexttoken", "pagecursor", "pagetoken", "scrollid", "startcursor",
];
/// Names of members, the surest first.
const MEMBERS: &[&str] = &[
    "nextcursor", "nextpagetoken", "nexttoken", "nextpagecursor", "nextmarker", "continuationtoken",
    "endcursor", "scrollid", "continuation", "next", "cursor",
];

/// Whether a parameter of this name takes the cursor of the page before.
pub(super) fn is_cursor(name: &str) -> bool {
    PARAMETERS.contains(&words(name).concat().as_str())
}

/// The cursor that an answer gives for the next page; none where it says that there is none.
pub(in crate::probe) fn next_cursor(answer: &ToolResult) -> Option<Value> {
    let documents: Vec<Value> =
        answer.texts().filter_map(|(_, text)| serde_json::from_str(text).ok()).collect();
    let mut found = Vec::new();
    answer.structured().into_iter().chain(&documents).for_each(|part| collect(part, 0, &mut found));
    let surest = found.into_iter().min_by_key(|(rank, _)| *rank).map(|(_, value)| value.clone());
    let is_prose = |text: &&str| serde_json::from_str::<Value>(text).is_err();
    surest.or_else(|| answer.texts().map(|(_, text)| text).filter(is_prose).find_map(in_prose))
}

fn collect<'v>(value: &'v Value, depth: usize, found: &mut Vec<(usize, &'v Value)>) {
    let Some(members) = value.as_object().filter(|_| depth < DEPTH) else { return };
    if members
        .iter()
        .any(|(name, value)| words(name).concat() == "hasnextpage" && *value == Value::Bool(false))
    {
        return;
    }
    for (name, member) in members {
        let rank = MEMBERS.iter().position(|known| *known == words(name).concat());
        match (member, rank) {
            (Value::String(text), Some(rank)) if is_token(text) => found.push((rank, member)),
            (Value::Object(_), _) => collect(member, depth + 1, found),
            _ => {}
        }
    }
}

/// A link to the next page is for another kind of reader.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.len() <= LONGEST && !text.contains("://") && !text.contains(char::is_whitespace)
}

/// A cursor in the last lines of a text: `next_cursor: row-50`, `cursor="row-50"`.
fn in_prose(text: &str) -> Option<Value> {
    const LAST_LINES: usize = 3;
    text.lines().rev().filter(|line| !line.trim().is_empty()).take(LAST_LINES).find_map(|line| {
        let at = line.to_ascii_lowercase().rfind("cursor")? + "cursor".len();
        let rest = line.get(at..)?.trim_start_matches(|c: char| " :=\"'`".contains(c));
        let is_end = |c: char| c.is_whitespace() || "\"'`,;)]}".contains(c);
        let token = rest.split(is_end).next().unwrap_or_default().trim_end_matches('.');
        let looks_made = token.chars().any(|c| c.is_ascii_digit()) && rest.len() < line.len();
        (looks_made && is_token(token)).then(|| Value::from(token))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_cursor_is_found_where_answers_put_it() {
        let next =
            |value: Value| next_cursor(&ToolResult::text(value.to_string())).map(|next| next.to_string());
        let found = |value: Value| next(value).as_deref() == Some("\"x1\"");
        assert!(found(json!({"rows": [], "next_cursor": "x1"})));
        assert!(found(json!({"meta": {"pagination": {"nextPageToken": "x1"}}})));
        assert!(found(json!({"cursor": "here", "next_cursor": "x1"})));
        assert!(found(json!({"pageInfo": {"hasNextPage": true, "endCursor": "x1"}})));
        for none in [
            json!({"rows": [{"next_cursor": "x1"}]}),
            json!({"next_cursor": null}),
            json!({"next_cursor": ""}),
            json!({"next": "https://example.org/?page=2"}),
            json!({"pageInfo": {"hasNextPage": false, "endCursor": "x1"}}),
        ] {
            assert_eq!(next(none.clone()), None, "{none}");
        }
    }

    #[test]
    fn a_text_may_end_with_one() {
        let next = |text: &str| {
            next_cursor(&ToolResult::text(text)).and_then(|next| next.as_str().map(str::to_owned))
        };
        assert_eq!(next("a\nb\nnext_cursor: row-50").as_deref(), Some("row-50"));
        assert_eq!(next("a\n[cut; go on with cursor \"byte-2000\".]").as_deref(), Some("byte-2000"));
        assert_eq!(next("a\nThe cursor is at the end."), None);
        assert_eq!(next("cursor-7\nb\nc\nd"), None);
    }

    #[test]
    fn parameters_are_told_by_their_names() {
        assert!(["cursor", "pageToken", "after"].iter().all(|name| is_cursor(name)));
        assert!(!["page", "offset", "token", "after_date"].iter().any(|name| is_cursor(name)));
    }
}
