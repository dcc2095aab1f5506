//! How much work it is to explain what does not fit: alternatives inside alternatives are each explained, which
//! doubles the work with every level. What may not enter: sentences, and whether something fits.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::closed::{in_place_of, target};

/// So many steps are always taken, whatever was sent.
const FREE: u64 = 10_000;

/// So many steps are taken for each value that was sent.
const PER_VALUE: u64 = 16;

/// Whether explaining this value against this schema takes more steps than what was sent is worth.
pub(super) fn is_too_much(root: &Value, schema: &Value, sent: &Value) -> bool {
    let most = FREE.saturating_add(PER_VALUE.saturating_mul(values(sent)));
    Effort { root, known: HashMap::new() }.steps(schema, sent) > most
}

fn values(sent: &Value) -> u64 {
    1 + match sent {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        _ => 0,
    }
}

/// Steps that were counted already, by the addresses of a schema and of a value: there are exponentially many steps,
/// and only so many pairs.
struct Effort<'a> {
    root: &'a Value,
    known: HashMap<(*const Value, *const Value), u64>,
}

impl<'a> Effort<'a> {
    fn steps(&mut self, schema: &'a Value, sent: &'a Value) -> u64 {
        let Some(members) = schema.as_object() else { return 1 };
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(sent));
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        // A schema that refers to itself in place is looked at once.
        self.known.insert(pair, 1);
        let referred = target(self.root, members).map(|(_, schema)| schema);
        let mut steps: u64 = 1;
        for schema in in_place_of(members).into_iter().map(|(_, schema)| schema).chain(referred) {
            steps = steps.saturating_add(self.steps(schema, sent));
        }
        for (schema, part) in parts(members, sent) {
            steps = steps.saturating_add(self.steps(schema, part));
        }
        self.known.insert(pair, steps);
        steps
    }
}

/// The parts of a value with the schemas that may look at them.
fn parts<'a>(members: &'a Map<String, Value>, sent: &'a Value) -> Vec<(&'a Value, &'a Value)> {
    let named = |keyword: &str| members.get(keyword).and_then(Value::as_object);
    let others = |keywords: [&str; 2]| keywords.map(|keyword| members.get(keyword)).into_iter().flatten();
    match sent {
        Value::Object(values) => {
            let of = |(name, value)| {
                let own = named("properties").and_then(|properties| properties.get(name));
                let patterns = named("patternProperties").into_iter().flat_map(Map::values);
                let rest = others(["additionalProperties", "unevaluatedProperties"]);
                own.into_iter().chain(patterns).chain(rest).map(move |schema| (schema, value))
            };
            values.iter().flat_map(of).collect()
        }
        Value::Array(items) => {
            let first = members.get("prefixItems").and_then(Value::as_array).into_iter().flatten();
            let rest = others(["items", "unevaluatedItems"]);
            let all = rest.flat_map(|schema| items.iter().map(move |item| (schema, item)));
            first.zip(items).chain(all).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_alternatives_inside_alternatives_are_too_much() {
        let kid = json!({"properties": {"kid": {"$ref": "#"}}});
        let nested = |depth| (0..depth).fold(json!({}), |inner, _| json!({"kid": inner}));
        for (schema, depth, much) in [
            (json!({"anyOf": [kid, kid]}), 5, false),
            (json!({"anyOf": [kid, kid]}), 20, true),
            (json!({"oneOf": [kid, kid, {"type": "null"}]}), 100, true),
            (kid.clone(), 100, false),
            (json!({"anyOf": [kid, {"type": "integer"}]}), 100, false),
            (json!({"anyOf": [{"$ref": "#"}, {"$ref": "#"}]}), 100, false),
        ] {
            assert_eq!(is_too_much(&schema, &schema, &nested(depth)), much, "{schema} {depth}");
        }
        let wide = json!({"items": {"type": "integer"}});
        assert!(!is_too_much(&wide, &wide, &json!(vec!["x"; 50_000])), "that many were sent");
    }
}
