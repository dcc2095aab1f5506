//! Numbers that make a set: the n best, n new ones, n of each group. What was not asked for is not left out.

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::check::pages::Page;
use crate::names::{has_word, run_together};

/// Words in the names of tools whose number makes the set.
const MAKERS: &[&str] = &[
    "best", "closest", "generate", "latest", "leaderboard", "make", "nearest", "neighbors", "neighbours",
    "pick", "random", "recent", "recommend", "recommendations", "sample", "samples", "similar", "suggest",
    "suggestions", "top",
];
/// Names of numbers that say so themselves.
const NUMBERS: &[&str] = &["k", "ntop", "topk", "topn"];
/// Words before such a number in a description: "top n", "makes n names".
const BEFORE: &[&str] = &[
    "best", "closest", "create", "creates", "draw", "draws", "first", "generate", "generates", "invent",
    "invents", "last", "latest", "make", "makes", "nearest", "pick", "picks", "sample", "samples", "the",
    "top",
];
/// Words behind it: "n best", "n nearest".
const AFTER: &[&str] = &[
    "best", "closest", "cheapest", "fresh", "highest", "largest", "latest", "most", "nearest", "new",
    "newest", "random", "similar", "smallest", "top",
];

/// Whether the number that bounds this page makes the set, or bounds each of several groups.
pub(super) fn makes_the_set(page: &Page<'_>) -> bool {
    let limit = page.listed_limit();
    // Who names no number, and cannot read which one is taken, made no set.
    if page.stated.is_none() && limit.is_none_or(|limit| limit.default.is_none()) {
        return false;
    }
    let listed = limit.map(|limit| (limit.pointer.as_str(), limit.certain));
    let stated = page.stated.as_ref().map(|(at, _)| at.as_str());
    let Some(at) = stated.or(listed.map(|(at, _)| at)) else { return false };
    let name = at.rsplit('/').next().unwrap_or_default();
    let own = description_of(page.tool, at);
    if bounds_groups(&own) {
        return true;
    }
    // A `limit` is a bound of what there is; an `n` may be the number of what is wanted.
    let is_bound = listed.is_some_and(|(pointer, certain)| certain && pointer == at);
    let is_number = NUMBERS.contains(&&*run_together(name));
    if is_bound && !is_number {
        return false;
    }
    let said = page.tool.map(ToolDef::description).unwrap_or_default();
    let is_made = has_word(page.call.name, MAKERS);
    is_made || (is_number && page.stated.is_some()) || [said, &own].into_iter().any(|text| wants(text, name))
}

fn description_of(tool: Option<&ToolDef>, at: &str) -> String {
    let root = tool.and_then(ToolDef::input_schema);
    let parameter = root.and_then(|root| {
        at.split('/').skip(1).try_fold(root, |schema, token| schema.get("properties")?.get(token))
    });
    let text = parameter.and_then(|schema| schema.get("description")).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

/// Whether the description of a limit says that it bounds each of several groups: "matches per file".
fn bounds_groups(text: &str) -> bool {
    const WHOLES: &[&str] =
        &["answer", "batch", "call", "fetch", "page", "query", "request", "response", "screen", "search"];
    let words = plain(text);
    words.windows(2).any(|pair| {
        let is_other = !WHOLES.contains(&pair[1].as_str()) && pair[1].chars().all(char::is_alphabetic);
        matches!(pair[0].as_str(), "per" | "each") && is_other
    })
}

/// Whether a text speaks of the number as of that of what is wanted.
fn wants(text: &str, name: &str) -> bool {
    let words = plain(text);
    let name = name.to_lowercase();
    let is_it = |word: &str| word == name || matches!(word, "n" | "k");
    words.windows(2).any(|pair| {
        let (one, other) = (pair[0].as_str(), pair[1].as_str());
        let is_letter = matches!(other, "n" | "k");
        (is_it(other) && BEFORE.contains(&one) && (one != "the" || is_letter))
            || (is_it(one) && AFTER.contains(&other))
    })
}

fn plain(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_what_is_wanted_is_told_from_a_bound() {
        for text in ["The n customers with the most revenue.", "Makes count names.", "Top n.", "n nearest"] {
            assert!(wants(text, "count"), "{text}");
        }
        for text in
            ["Lists commits, at most count.", "The count of rows.", "How many", "Returns up to n rows"]
        {
            assert!(!wants(text, "count"), "{text}");
        }
        assert!(bounds_groups("Matches per file") && bounds_groups("At most so many for each folder"));
        assert!(!bounds_groups("Rows per page") && !bounds_groups("How many"));
    }
}
