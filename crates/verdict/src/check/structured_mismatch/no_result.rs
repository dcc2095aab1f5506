//! Results that are none by the protocol's own schema, which is the same in every revision here: an object with `content`,
//! a list of blocks, each with its `type`, and `isError` true or false.

use serde_json::Value;

use crate::report::shorten;
use crate::schema::{join, type_name};

const SHOWN_CHARS: usize = 80;
/// Kinds of blocks with the member that each must have, as a text.
const MEMBERS: &[(&str, &str)] =
    &[("audio", "data"), ("image", "data"), ("resource_link", "uri"), ("text", "text")];

/// What makes a result none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flaw {
    /// Where it is, within the frame.
    pub at: String,
    pub what: String,
    pub reads_as: &'static str,
    pub next: &'static str,
}

/// The first thing that the protocol's schema refuses in a result.
pub(super) fn flaw(result: &Value) -> Option<Flaw> {
    let Some(members) = result.as_object() else {
        return Some(Flaw {
            at: "/result".to_owned(),
            what: format!("the result is {}, and has to be an object", shown(result)),
            reads_as: "nothing came back: clients drop it, or fail",
            next: "answer with a result object that has `content`, such as {\"content\":[{\"type\":\"text\",\"text\":\"…\"}]}",
        });
    };
    let flag = members.get("isError").filter(|flag| !flag.is_boolean() && !flag.is_null()).map(|flag| Flaw {
        at: "/result/isError".to_owned(),
        what: format!("`isError` is {}, and has to be true or false", shown(flag)),
        reads_as: "a success to clients that look for `true`, and no result at all to those that hold it against the protocol",
        next: "answer with `isError: true` where the call failed, and without it, or with false, where it worked",
    });
    flag.or_else(|| match members.get("content") {
        None if members.contains_key("structuredContent") || members.contains_key("toolResult") => None,
        None => Some(in_content(
            "/result".to_owned(),
            "the result has no `content`, which every result has to have".to_owned(),
        )),
        Some(Value::Array(blocks)) => {
            blocks.iter().enumerate().find_map(|(index, block)| of_block(index, block))
        }
        Some(other) => Some(in_content(
            "/result/content".to_owned(),
            format!("`content` is {}, and has to be a list of blocks", shown(other)),
        )),
    })
}

fn of_block(index: usize, block: &Value) -> Option<Flaw> {
    let at = join("/result/content", index);
    let Some(kind) = block.get("type").and_then(Value::as_str) else {
        return Some(in_content(
            at,
            format!("a block of `content` is {}, which has no `type`", shown(block)),
        ));
    };
    let (_, member) = MEMBERS.iter().find(|(name, _)| *name == kind)?;
    let held = block.get(*member);
    if held.is_some_and(Value::is_string) {
        return None;
    }
    let what = match held {
        None => format!("a block of the type {kind} has no `{member}`"),
        Some(other) => format!("`{member}` of a block is {}, and has to be a text", shown(other)),
    };
    Some(in_content(if held.is_some() { join(&at, member) } else { at }, what))
}

fn in_content(at: String, what: String) -> Flaw {
    Flaw {
        at,
        what,
        reads_as: "nothing came back: clients drop it, or fail",
        next: "answer with `content` as a list of blocks, such as [{\"type\":\"text\",\"text\":\"…\"}]; the list may be empty",
    }
}

fn shown(value: &Value) -> String {
    format!("{} ({})", shorten(&value.to_string(), SHOWN_CHARS), type_name(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_the_protocol_refuses_is_found_at_its_place() {
        for (result, at) in [
            (json!(7), "/result"),
            (json!({}), "/result"),
            (json!({"content": [], "isError": "true"}), "/result/isError"),
            (json!({"content": [], "isError": 1}), "/result/isError"),
            (json!({"content": "hello"}), "/result/content"),
            (json!({"content": null}), "/result/content"),
            (json!({"content": [{"type": "text", "text": "a"}, 1, null]}), "/result/content/1"),
            (json!({"content": [{"text": "a"}]}), "/result/content/0"),
            (json!({"content": [{"type": "text", "text": 5}]}), "/result/content/0/text"),
            (json!({"content": [{"type": "text"}]}), "/result/content/0"),
        ] {
            assert_eq!(flaw(&result).map(|flaw| flaw.at).as_deref(), Some(at), "{result}");
        }
    }

    #[test]
    fn what_it_takes_is_a_result() {
        for result in [
            json!({"content": []}),
            json!({"content": [{"type": "text", "text": ""}], "isError": null}),
            json!({"content": [{"type": "hologram", "depth": 3}], "isError": false}),
            json!({"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "c"}}]}),
            // Older clients and servers leave out the text beside it.
            json!({"structuredContent": {"a": 1}}),
        ] {
            assert_eq!(flaw(&result), None, "{result}");
        }
    }
}
