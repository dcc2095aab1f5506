//! What OpenAI's strict mode takes: closed objects in which everything is required, and a subset of the keywords.

use std::collections::HashSet;

use serde_json::Value;

use super::Look;
use crate::Severity;
use crate::schema::{self, types};

/// Keywords that strict mode refuses wherever they stand.
const REFUSED: &[&str] = &[
    "allOf", "dependentRequired", "dependentSchemas", "else", "if", "not", "oneOf", "patternProperties",
    "then",
];
/// Those that are refused at the root in any mode.
const OPENAI_ROOT: &[&str] = &["allOf", "not", "oneOf"];
/// Formats that it knows; any other one is refused.
const FORMATS: &[&str] =
    &["date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"];

impl Look<'_, '_> {
    pub(super) fn strict(&mut self, root: &Value) {
        if !self.targets.iter().any(|target| target.strict) {
            return;
        }
        let mut faults = Vec::new();
        schema::walk(root, "/inputSchema", &mut |node, at, _| {
            faults.extend(object(node).map(|fault| (at.to_string(), fault)));
            // Some are refused at the root without strict mode too, and told already.
            let is_told = |keyword: &str| at.depth() == 0 && OPENAI_ROOT.contains(&keyword);
            let keywords =
                REFUSED.iter().filter(|keyword| node.get(**keyword).is_some() && !is_told(keyword));
            faults.extend(
                keywords.map(|keyword| (at.join(keyword), format!("strict mode refuses `{keyword}`"))),
            );
            if let Some(format) =
                node.get("format").and_then(Value::as_str).filter(|name| !FORMATS.contains(name))
            {
                faults.push((at.join("format"), format!("strict mode does not know the format {format:?}")));
            }
        });
        for (at, what) in faults {
            let next = "close every object, require every property and let optional ones be null, or do without strict mode";
            self.add(Severity::Error, at, what, super::REFUSED, next, &Value::Null);
        }
    }
}

/// What strict mode refuses in an object.
fn object(node: &Value) -> Option<String> {
    let properties = node.get("properties").and_then(Value::as_object);
    if properties.is_none() && !types(node).contains(&"object") {
        return None;
    }
    let required: HashSet<&str> = node
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let optional: Vec<&str> = properties
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str())
        .filter(|name| !required.contains(name))
        .collect();
    let is_open = node.get("additionalProperties") != Some(&Value::Bool(false));
    match (is_open, optional.as_slice()) {
        (true, []) => Some("strict mode refuses an object without `additionalProperties: false`".to_owned()),
        (true, [first, ..]) => Some(format!(
            "strict mode refuses an object without `additionalProperties: false`, and optional properties such as `{first}`"
        )),
        (false, [first, ..]) => Some(format!("strict mode refuses optional properties, such as `{first}`")),
        (false, []) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_object_is_closed_and_asks_for_everything() {
        let fine = json!({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false});
        assert_eq!(object(&fine), None);
        assert_eq!(object(&json!({"type": "string"})), None);
        for bad in
            [json!({"type": "object"}), json!({"properties": {"a": {}}, "additionalProperties": false})]
        {
            assert!(object(&bad).is_some(), "{bad}");
        }
    }
}
