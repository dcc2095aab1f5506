//! By which definition of a tool a call was made, where a session has listed it in several ways: before it changed, or for
//! somebody else.

use std::collections::{BTreeSet, HashMap};

use frankly_contract::ToolDef;
use serde_json::Value;

use crate::transcript::requests::{Request, Requests};

/// The listings of those tools that were not always listed in the same way.
pub(super) struct Listings<'r, 'a> {
    of: HashMap<&'a str, Vec<Listing<'r, 'a>>>,
    /// Those that were listed differently before what is in sight.
    before: &'r BTreeSet<String>,
}

#[derive(Clone, Copy)]
struct Listing<'r, 'a> {
    request: &'r Request<'a>,
    /// The frame of the answer.
    at: usize,
    tool: &'a Value,
}

impl<'r, 'a> Listings<'r, 'a> {
    pub fn of(requests: &'r Requests<'a>, before: &'r BTreeSet<String>) -> Self {
        let mut all: HashMap<&str, Vec<Listing<'r, 'a>>> = HashMap::new();
        for request in requests.all.iter().filter(|request| request.method == "tools/list") {
            let Some((at, result)) = request.result() else { continue };
            for tool in result.get("tools").and_then(Value::as_array).into_iter().flatten() {
                let name = tool.get("name").and_then(Value::as_str).unwrap_or_default();
                all.entry(name).or_default().push(Listing { request, at, tool });
            }
        }
        all.retain(|name, listings| {
            before.contains(*name) || listings.iter().any(|listing| listing.tool != listings[0].tool)
        });
        Self { of: all, before }
    }

    /// The tools that are listed in several ways here, or in another than they were known by before.
    pub fn redefined(requests: &Requests<'_>, known: &[ToolDef]) -> BTreeSet<String> {
        let none = BTreeSet::new();
        let mut names: BTreeSet<String> =
            Listings::of(requests, &none).of.into_keys().map(str::to_owned).collect();
        let lists = requests.all.iter().filter(|request| request.method == "tools/list");
        let pages = lists.filter_map(|request| request.result()?.1.get("tools")?.as_array());
        let is_other = |tool: &&Value| {
            let is_it = |known: &&ToolDef| tool.get("name").and_then(Value::as_str) == Some(known.name());
            known.iter().find(is_it).is_some_and(|known| known.raw() != *tool)
        };
        let others = pages.flatten().filter(is_other).filter_map(|tool| tool.get("name")?.as_str());
        names.extend(others.map(str::to_owned));
        names
    }

    /// Whether a call was made by this definition, as far as anybody can tell: it is what the same client was told last.
    pub fn is_by(&self, tool: &ToolDef, call: &Request<'_>) -> bool {
        let Some(listings) = self.of.get(tool.name()) else { return !self.before.contains(tool.name()) };
        let told = |listing: &&Listing<'_, '_>| listing.at < call.frame && listing.request.may_be_of(call);
        listings.iter().rev().find(told).is_some_and(|listing| listing.tool == tool.raw())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::check::check_all;
    use crate::transcript::read_recording;

    /// What is found in a session of these parts: listings of `save` with these parameters, and calls with these arguments, each by
    /// a tenant.
    fn found(parts: &[(&str, &str, &[&str])]) -> Vec<&'static str> {
        let mut text = "{\"frankly\":\"recording\",\"version\":1}\n".to_owned();
        for (id, (tenant, what, names)) in parts.iter().enumerate() {
            let members: serde_json::Map<_, _> =
                names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
            let arguments: serde_json::Map<_, _> =
                names.iter().map(|name| ((*name).to_owned(), json!("tea"))).collect();
            let schema = json!({"type": "object", "properties": members, "additionalProperties": false});
            let (params, result) = match *what {
                "list" => (json!({}), json!({"tools": [{"name": "save", "inputSchema": schema}]})),
                _ => (
                    json!({"name": "save", "arguments": arguments}),
                    json!({"content": [{"type": "text", "text": "It is done."}]}),
                ),
            };
            let method = if *what == "list" { "tools/list" } else { "tools/call" };
            let asked = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            let answered = json!({"jsonrpc": "2.0", "id": id, "result": result});
            for (from, msg) in [("client", asked), ("server", answered)] {
                text += &json!({"from": from, "context": {"tenant": tenant}, "msg": msg}).to_string();
                text += "\n";
            }
        }
        check_all(&read_recording("shop", &text).unwrap()).iter().map(|finding| finding.rule).collect()
    }

    #[test]
    fn a_call_is_held_against_what_its_client_was_told_last() {
        let (small, large) = (&["a"][..], &["a", "b"][..]);
        for (parts, expected) in [
            (vec![("x", "list", large), ("x", "call", large), ("x", "list", small)], &[][..]),
            (vec![("x", "list", large), ("x", "list", small), ("x", "call", large)], &["argument-ignored"]),
            (vec![("x", "list", large), ("y", "list", small), ("x", "call", large)], &[]),
            (vec![("x", "list", large), ("y", "list", small), ("y", "call", large)], &["argument-ignored"]),
            (vec![("x", "list", small), ("x", "list", small), ("x", "call", large)], &["argument-ignored"]),
        ] {
            assert_eq!(found(&parts), expected, "{parts:?}");
        }
    }
}
