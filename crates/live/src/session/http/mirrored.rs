//! Arguments that a tool wants told again in headers (`x-mcp-header`), for those who pass a request on; since the
//! revision without sessions.

use std::collections::HashMap;

use frankly_contract::ToolDef;
use reqwest::header::HeaderName;
use serde_json::Value;

const ANNOTATION: &str = "x-mcp-header";
const PREFIX: &str = "mcp-param-";
/// How deep parameters are looked at.
const DEEPEST: usize = 32;

/// Which arguments of which tool go into which headers.
#[derive(Debug, Default)]
pub(super) struct Mirrored {
    tools: HashMap<String, Vec<Argument>>,
}

#[derive(Debug)]
struct Argument {
    /// The way to it, from the arguments.
    pointer: String,
    header: HeaderName,
}

impl Mirrored {
    /// What these tools want. An annotation that no header can have is left out, as if it were not there.
    pub fn of(tools: &[ToolDef]) -> Self {
        let wants = |tool: &ToolDef| {
            let mut arguments = Vec::new();
            collect(tool.input_schema()?, "", DEEPEST, &mut arguments);
            Some((tool.name().to_owned(), arguments))
        };
        Self { tools: tools.iter().filter_map(wants).filter(|(_, wanted)| !wanted.is_empty()).collect() }
    }

    /// The headers of a call, with the texts of its arguments; one that is absent or `null` has none.
    pub fn headers(&self, call: &Value) -> Vec<(HeaderName, String)> {
        let name = call.get("name").and_then(Value::as_str).unwrap_or_default();
        let wanted = self.tools.get(name).into_iter().flatten();
        let told = wanted.filter_map(|argument| {
            let value = call.get("arguments")?.pointer(&argument.pointer)?;
            Some((argument.header.clone(), text(value)?))
        });
        told.collect()
    }
}

fn collect(schema: &Value, pointer: &str, depth: usize, arguments: &mut Vec<Argument>) {
    let properties = schema.get("properties").and_then(Value::as_object).filter(|_| depth > 0);
    for (name, schema) in properties.into_iter().flatten() {
        let pointer = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
        let wanted = schema.get(ANNOTATION).and_then(Value::as_str).filter(|wanted| !wanted.is_empty());
        let header = wanted.and_then(|wanted| HeaderName::try_from(format!("{PREFIX}{wanted}")).ok());
        if let Some(header) = header {
            arguments.push(Argument { pointer: pointer.clone(), header });
        }
        collect(schema, &pointer, depth - 1, arguments);
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn annotated_arguments_are_told_and_no_others() {
        let schema = json!({"type": "object", "properties": {
            "region": {"type": "string", "x-mcp-header": "Region"},
            "deep/er": {"type": "object", "properties": {"n": {"type": "integer", "x-mcp-header": "N"}}},
            "odd": {"type": "string", "x-mcp-header": "no header"},
            "plain": {"type": "string"},
        }});
        let mirrored = Mirrored::of(&[ToolDef::new("t", "d", schema)]);
        let headers = |call: Value| {
            let headers = mirrored.headers(&call).into_iter();
            let mut headers: Vec<_> = headers.map(|(name, text)| format!("{name}: {text}")).collect();
            headers.sort();
            headers
        };
        let arguments = json!({"region": "us", "deep/er": {"n": 5}, "odd": "x", "plain": "y"});
        let call = json!({"name": "t", "arguments": arguments});
        assert_eq!(headers(call), ["mcp-param-n: 5", "mcp-param-region: us"]);
        assert!(headers(json!({"name": "t", "arguments": {"region": null}})).is_empty());
        assert!(headers(json!({"name": "u", "arguments": {"region": "us"}})).is_empty());
        assert!(headers(json!({"name": "t"})).is_empty());
    }
}
