//! Which parameters name something that either exists or does not: a category, a key, a path. Text that is free to say
//! anything does not, nor do dates, secrets and what only shapes the answer.

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::consent::{among, makes, words, writing_verb};
use super::super::parameter::parameters;

/// Words in the name of a parameter whose text is free, or is in a language of its own.
const FREE_TEXT: &str = "\
    answer args arguments body cmd code command comment condition conditions content contents csv data \
    description expr expression glob html input instruction instructions json keyword keywords markdown \
    message note pattern payload prompt q query question reason regex script search snippet sql \
    statement subject summary template term terms text thought uri url urls where xml yaml";
/// Words in the name of a parameter that says when, how many, or where to go on.
const NO_FILTER: &str = "\
    after before bookmark continuation cursor date datetime day end hour limit marker minute month \
    offset page since start time timestamp until week year";
/// Words in the name of a parameter that shapes the answer and filters nothing.
const SHAPE: &str = "\
    columns direction encoding fields format group indent locale mode order orderby precision select \
    sort sortby style unit units";
/// Words in the name of what is secret, or makes a call the same call.
const SECRET: &str = "\
    accesskey apikey auth authorization credential credentials idempotency nonce password secret token";
/// Names of ids that are the caller's own, unless they have to be given.
const OF_THE_CALLER: &str = "clientid correlationid requestid sessionid traceid";
/// Last words of a name that say that it names a thing, whatever stands before: `page_id`, `template_name`.
const OF_A_THING: &str = "guid id name path slug uuid";
/// Phrases in a description of such texts, as words.
const TOLD: &[&str] = &[
    "free form", "free text", "full text", "glob", "iso 8601", "iso8601", "json", "keywords",
    "natural language", "prompt", "regex", "regular expression", "search query", "search term", "sql",
    "substring", "timestamp", "url", "yyyy",
];
/// A parameter that names something.
#[derive(Debug, Clone, Copy)]
pub(super) struct Filter<'a> {
    pub name: &'a str,
    /// The schema of its values.
    pub schema: &'a Value,
    pub required: bool,
}

/// The parameters of a tool that name something which exists or does not.
pub(super) fn filters(tool: &ToolDef) -> impl Iterator<Item = Filter<'_>> {
    tool.parameters().filter_map(|(name, parameter)| {
        let schema = text_schema(parameter)?;
        let required = tool.required().any(|required| required == name);
        let description = parameter.get("description").or_else(|| schema.get("description"));
        let told = description.and_then(Value::as_str).unwrap_or_default();
        (!is_something_else(name, required) && !is_told(told)).then_some(Filter { name, schema, required })
    })
}

/// The parameters of a tool that name something by a number: what is the id of one thing is none of another.
pub(super) fn numbers(tool: &ToolDef) -> impl Iterator<Item = Filter<'_>> {
    let is_id = |name: &str| words(name).last().is_some_and(|last| last == "id");
    let ids = parameters(tool).filter(move |parameter| {
        parameter.kind() == Some("integer")
            && parameter.schema.get("enum").or(parameter.schema.get("const")).is_none()
            && is_id(parameter.name)
            && !is_something_else(parameter.name, parameter.required)
    });
    ids.map(|parameter| Filter {
        name: parameter.name,
        schema: parameter.schema,
        required: parameter.required,
    })
}

/// Whether a parameter names something that is there before a call that writes: only then must a value that cannot
/// exist be refused. A tool that makes something may well take an id of the caller's own.
pub(super) fn is_reference(tool: &ToolDef, name: &str) -> bool {
    let name = words(name);
    let Some((last, of)) = name.split_last() else { return false };
    let makes = writing_verb(tool.name()).is_none() || makes(tool);
    let made = words(tool.name());
    // A key that the caller makes up names nothing yet.
    let made_up =
        of.iter().any(|word| matches!(word.as_str(), "dedup" | "dedupe" | "idempotency" | "request"));
    matches!(last.as_str(), "guid" | "id" | "key" | "uuid")
        && !made_up
        && (!makes || of.iter().any(|word| !made.contains(word)))
}

/// The schema that admits texts: this one, or the branch of an optional. A closed set leaves no room.
fn text_schema(schema: &Value) -> Option<&Value> {
    let branches = ["anyOf", "oneOf"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
    let mut branches = branches.peekable();
    let is_choice = branches.peek().is_some();
    let is_closed = |schema: &Value| schema.get("enum").is_some() || schema.get("const").is_some();
    if is_closed(schema) || branches.clone().any(is_closed) {
        return None;
    }
    let admits_text = |schema: &&Value| match schema.get("type") {
        Some(Value::String(name)) => name == "string",
        Some(Value::Array(names)) => names.iter().any(|name| name == "string"),
        _ => false,
    };
    if is_choice { branches.find(admits_text) } else { Some(schema).filter(admits_text) }
}

/// Whether by its name a parameter only shapes the answer, or says where to go on in it.
pub(in super::super) fn only_shapes(name: &str) -> bool {
    words(name).iter().any(|word| among(word, SHAPE) || among(word, NO_FILTER))
}

fn is_something_else(name: &str, required: bool) -> bool {
    let words = words(name);
    let whole = words.concat();
    let has = |known: &str| words.iter().any(|word| among(word, known));
    if has(SECRET) || among(&whole, SECRET) || (!required && among(&whole, OF_THE_CALLER)) {
        return true;
    }
    let names_a_thing = words.last().is_some_and(|last| among(last, OF_A_THING));
    !names_a_thing && (has(FREE_TEXT) || has(NO_FILTER) || has(SHAPE))
}

fn is_told(description: &str) -> bool {
    let words: String = words(&description.to_lowercase()).iter().map(|word| format!("{word} ")).collect();
    TOLD.iter().any(|phrase| format!(" {words}").contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn names(properties: Value) -> Vec<String> {
        let tool = ToolDef::new("t", "", json!({"type": "object", "properties": properties}));
        filters(&tool).map(|filter| filter.name.to_owned()).collect()
    }

    #[test]
    fn names_of_things_are_filters_and_other_texts_are_not() {
        for name in [
            "category", "fileKey", "path", "table", "name", "status", "user_id", "zone", "owner", "order_id",
            "message_id", "pageId", "template_name",
        ] {
            assert_eq!(names(json!({ name: {"type": "string"} })), [name]);
        }
        for name in [
            "sql", "searchQuery", "message", "cursor", "page_token", "idempotency_key", "apiKey",
            "from_date", "since", "sort_by", "format", "q", "url", "pattern", "password",
        ] {
            assert!(names(json!({ name: {"type": "string"} })).is_empty(), "{name}");
        }
    }

    #[test]
    fn the_schema_and_the_description_count_too() {
        for schema in [
            json!({"type": "integer"}),
            json!({"type": "string", "enum": ["a"]}),
            json!({"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
            json!({"type": "string", "description": "Free text to look for."}),
            json!({"type": "string", "description": "YYYY-MM-DD"}),
            json!({"type": "string", "description": "A (SQL) fragment"}),
            json!({}),
        ] {
            assert!(names(json!({ "category": schema })).is_empty(), "{schema}");
        }
        let optional = json!({"anyOf": [{"type": "string", "maxLength": 5}, {"type": "null"}]});
        assert_eq!(names(json!({ "category": optional })), ["category"]);
        assert_eq!(names(json!({"category": {"type": ["string", "null"]}})), ["category"]);
        let global = json!({"type": "string", "description": "A global category, as MySQL has it."});
        assert_eq!(names(json!({ "category": global })), ["category"]);
    }

    #[test]
    fn an_id_may_be_a_number_and_a_count_is_none() {
        let number = json!({"type": "integer"});
        let properties = json!({"id": number, "user_id": {"anyOf": [number, {"type": "null"}]}, "limit": number,
            "request_id": number, "page": number, "kind_id": {"type": "integer", "enum": [1, 2]}});
        let tool = ToolDef::new("t", "", json!({"type": "object", "properties": properties}));
        let names: Vec<_> = numbers(&tool).map(|filter| filter.name).collect();
        assert_eq!(names, ["id", "user_id"]);
    }

    #[test]
    fn an_id_of_the_caller_is_optional() {
        let tool = |required: &[&str]| {
            let properties = json!({"session_id": {"type": "string"}, "api_key": {"type": "string"}});
            ToolDef::new("t", "", json!({"properties": properties, "required": required}))
        };
        assert_eq!(filters(&tool(&[])).count(), 0);
        assert!(filters(&tool(&["session_id", "api_key"])).map(|filter| filter.name).eq(["session_id"]));
    }

    #[test]
    fn only_what_must_be_there_before_is_a_reference() {
        let refers = |tool: &str, name: &str| is_reference(&ToolDef::new(tool, "", json!({})), name);
        assert!(refers("delete_order", "order_id") && refers("delete_order", "id"));
        assert!(refers("create_task", "project_id"));
        for (tool, name) in [
            ("create_order", "id"),
            ("create_order", "order_id"),
            ("log_expense", "category"),
            ("write_file", "path"),
            ("orders", "id"),
            ("delete_order", "name"),
        ] {
            assert!(!refers(tool, name), "{tool} {name}");
        }
    }
}
