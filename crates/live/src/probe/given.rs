//! Values that tools returned, to be given to others: what `list_accounts` calls an id is one for `get_account`.

use frankly_contract::{ToolDef, ToolResult};
use serde_json::Value;

use super::consent::words;

/// How deep rows are looked for.
const DEPTH: usize = 6;
/// How many rows of an answer are looked at.
const ROWS: usize = 20;
/// How many values are kept of one tool.
const MOST_VALUES: usize = 400;
/// What is longer is no name of a thing.
const LONGEST: usize = 200;
/// Last words of a parameter that names one thing.
const KINDS: &[&str] = &[
    "code", "guid", "handle", "id", "key", "login", "name", "number", "path", "ref", "slug", "uri", "url",
    "uuid",
];
/// What a thing is named by, the surest first, where the parameter is called like the thing itself.
const NAMED_BY: &[&str] = &["id", "key", "uuid", "slug", "name", "path"];

/// What has been returned so far.
#[derive(Debug, Default)]
pub(super) struct Given {
    values: Vec<Returned>,
}

#[derive(Debug)]
struct Returned {
    tool: String,
    /// What the row is one of: the nouns of the tool's name and of the list it stood in, in the singular.
    things: Vec<String>,
    /// The words of the member it stood under.
    member: Vec<String>,
    value: Value,
}

impl Given {
    /// Takes note of what a tool returned.
    pub fn take(&mut self, tool: &ToolDef, answer: &ToolResult) {
        let texts = answer.texts().filter_map(|(_, text)| serde_json::from_str(text).ok());
        let parts: Vec<Value> = answer.structured().cloned().into_iter().chain(texts).collect();
        let things: Vec<String> = words(tool.name()).iter().map(|word| singular(word)).collect();
        let mut found = Vec::new();
        parts.iter().for_each(|part| collect(part, &things, 0, &mut found));
        found.truncate(MOST_VALUES);
        let returned =
            |(things, member, value): Found| Returned { tool: tool.name().to_owned(), things, member, value };
        self.values.extend(found.into_iter().map(returned));
    }

    /// A value for a parameter of a tool that another tool returned: the likeliest, and of those the first.
    pub fn value_for(
        &self,
        tool: &ToolDef,
        parameter: &str,
        admits: impl Fn(&Value) -> bool,
    ) -> Option<Value> {
        let wanted = Wanted::of(tool, parameter);
        let others = self.values.iter().filter(|value| value.tool != tool.name() && admits(&value.value));
        let fitting = others.filter_map(|value| Some((wanted.fit(value)?, value)));
        // The first of the best: `max_by_key` would give the last.
        let best = fitting.reduce(|best, next| if next.0 > best.0 { next } else { best });
        best.map(|(_, returned)| returned.value.clone())
    }
}

/// What a parameter asks for.
struct Wanted {
    words: Vec<String>,
    /// `id` of `account_id`, where it names a thing so.
    kind: Option<String>,
    /// The thing: `account` of `account_id`, else what the tool's name speaks of.
    things: Vec<String>,
}

impl Wanted {
    fn of(tool: &ToolDef, parameter: &str) -> Self {
        let words: Vec<String> = words(parameter).iter().map(|word| singular(word)).collect();
        let kind = words.last().filter(|last| KINDS.contains(&last.as_str())).cloned();
        let own = &words[..words.len() - usize::from(kind.is_some())];
        let things = match own {
            [] => super::consent::words(tool.name()).iter().map(|word| singular(word)).collect(),
            own => own.to_vec(),
        };
        Self { words, kind, things }
    }

    /// How well a value fits; `None` where nothing says that it does.
    fn fit(&self, returned: &Returned) -> Option<usize> {
        let of_them = |things: &[String]| things.iter().any(|thing| self.things.contains(thing));
        let Returned { things, member, .. } = returned;
        if *member == self.words && (member.len() > 1 || of_them(things)) {
            return Some(100);
        }
        match (&self.kind, member.split_last()) {
            (Some(kind), Some((last, []))) if last == kind && of_them(things) => Some(90),
            (Some(kind), Some((last, of))) if last == kind && of_them(of) => Some(80),
            (None, Some((last, []))) if of_them(things) => {
                NAMED_BY.iter().position(|name| name == last).map(|at| 50 - at)
            }
            (None, _) if *member == self.words => Some(30),
            _ => None,
        }
    }
}

type Found = (Vec<String>, Vec<String>, Value);

/// The scalars in the rows of a value: members of objects in arrays, and of an object that is the answer itself.
fn collect(value: &Value, things: &[String], depth: usize, found: &mut Vec<Found>) {
    match value {
        _ if depth > DEPTH || found.len() >= MOST_VALUES => {}
        Value::Array(rows) => rows.iter().take(ROWS).for_each(|row| match row {
            Value::String(text) if is_name(text) => {
                // A list of bare names: each names one of the things.
                found.push((things.to_vec(), vec!["name".to_owned()], row.clone()));
            }
            _ => collect(row, things, depth + 1, found),
        }),
        Value::Object(members) => {
            for (key, member) in members {
                let key: Vec<String> = words(key).iter().map(|word| singular(word)).collect();
                match member {
                    Value::Array(_) | Value::Object(_) => {
                        let inner: Vec<String> = things.iter().chain(&key).cloned().collect();
                        collect(member, &inner, depth + 1, found);
                    }
                    Value::String(text) if is_name(text) => {
                        found.push((things.to_vec(), key, member.clone()))
                    }
                    Value::Number(_) => found.push((things.to_vec(), key, member.clone())),
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= LONGEST
}

/// `accounts` is account, `categories` is category.
fn singular(word: &str) -> String {
    match word {
        _ if word.len() > 4 && word.ends_with("ies") => format!("{}y", &word[..word.len() - 3]),
        _ if word.len() > 4 && ["sses", "xes", "ches", "shes"].iter().any(|end| word.ends_with(end)) => {
            word[..word.len() - 2].to_owned()
        }
        _ if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") => {
            word[..word.len() - 1].to_owned()
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn given(tool: &str, answer: Value) -> Given {
        let mut given = Given::default();
        given.take(&ToolDef::new(tool, "", json!({})), &ToolResult::text(answer.to_string()));
        given
    }

    fn value(given: &Given, tool: &str, parameter: &str) -> Option<Value> {
        given.value_for(&ToolDef::new(tool, "", json!({})), parameter, |_| true)
    }

    #[test]
    fn an_id_goes_to_the_tool_that_asks_for_one_of_these_things() {
        let accounts = given(
            "list_accounts",
            json!({"returned": 2, "items": [{"id": "acc-1", "name": "Main"}, {"id": "acc-2", "name": "Rent"}]}),
        );
        for (tool, parameter, expected) in [
            ("get_account", "account_id", Some("acc-1")),
            ("get_account", "accountId", Some("acc-1")),
            ("get_account", "id", Some("acc-1")),
            ("get_account", "name", Some("Main")),
            ("get_balance", "account", Some("acc-1")),
            ("get_balance", "account_name", Some("Main")),
            ("get_order", "id", None),
            ("get_order", "order_id", None),
            ("list_accounts", "id", None),
        ] {
            assert_eq!(value(&accounts, tool, parameter), expected.map(Value::from), "{tool} {parameter}");
        }
    }

    #[test]
    fn a_row_may_name_another_thing_and_a_list_may_hold_bare_names() {
        let orders = given("search", json!({"orders": [{"id": 7, "customer_id": "c-3", "total": 12.5}]}));
        assert_eq!(value(&orders, "get_order", "order_id"), Some(json!(7)));
        assert_eq!(value(&orders, "get_customer", "id"), Some(json!("c-3")));
        assert_eq!(value(&orders, "get_customer", "customer_id"), Some(json!("c-3")));
        let tables = given("list_tables", json!(["users", "orders"]));
        assert_eq!(value(&tables, "describe_table", "table"), Some(json!("users")));
        assert_eq!(value(&tables, "describe_table", "table_name"), Some(json!("users")));
        let number = given("list_accounts", json!([{"id": 3}, {"id": "acc-2"}]));
        let text = number.value_for(&ToolDef::new("get_account", "", json!({})), "id", Value::is_string);
        assert_eq!(text, Some(json!("acc-2")), "what the schema does not admit is passed over");
    }

    #[test]
    fn words_are_brought_to_the_singular() {
        for (word, expected) in [
            ("accounts", "account"),
            ("categories", "category"),
            ("boxes", "box"),
            ("status", "status"),
            ("class", "class"),
        ] {
            assert_eq!(singular(word), expected);
        }
    }
}
