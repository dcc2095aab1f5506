//! What kind of thing a call is about, as far as the names in it say so: `get_user` and `delete_user` are about users.

use std::collections::HashSet;

use serde_json::Value;

use super::reading::Exchange;
use crate::names::{singular, words};

/// Words of names that tell no kind.
const ANY: &[&str] = &[
    "all", "by", "details", "for", "id", "info", "item", "key", "name", "of", "one", "record", "slug",
    "value",
];

/// The nouns in the name of a tool: what stands behind its verb.
pub(super) fn of_tool(name: &str) -> HashSet<String> {
    let words = words(name);
    words.iter().skip(1).filter(|word| !ANY.contains(&word.as_str())).map(|word| singular(word)).collect()
}

/// Whether two calls may be about things of the same kind; nobody can tell where a name says nothing of it.
pub(super) fn may_be_same(one: &Exchange<'_>, other: &Exchange<'_>) -> bool {
    let (mine, theirs) = (of_tool(one.call.name), of_tool(other.call.name));
    mine.is_empty() || theirs.is_empty() || !mine.is_disjoint(&theirs)
}

/// The same for a value that both calls sent: the names under which they did count too.
pub(super) fn may_be_one(one: &Exchange<'_>, other: &Exchange<'_>, value: &str) -> bool {
    // A path is the same whatever it is called.
    if value.contains(['/', '\\']) {
        return true;
    }
    let kinds = |exchange: &Exchange<'_>| {
        let sent = exchange.call.arguments.into_iter().flatten();
        let names =
            sent.filter(|(_, sent)| Value::as_str(sent) == Some(value)).flat_map(|(name, _)| words(name));
        let mut kinds = of_tool(exchange.call.name);
        kinds.extend(names.filter(|word| !ANY.contains(&word.as_str())).map(|word| singular(&word)));
        kinds
    };
    let (mine, theirs) = (kinds(one), kinds(other));
    mine.is_empty() || theirs.is_empty() || !mine.is_disjoint(&theirs)
}
