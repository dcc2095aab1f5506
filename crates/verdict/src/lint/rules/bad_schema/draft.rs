//! What newer drafts of JSON Schema write in another way than older ones.

use serde_json::Value;

/// The draft that a schema states, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in super::super) enum Draft {
    /// Bounds exclude themselves by a flag.
    Four,
    /// Tuples are an array under `items`.
    Older,
    /// 2020-12, which MCP assumes where a schema states nothing.
    Newest,
}

impl Draft {
    pub fn of(root: &Value) -> Self {
        let stated = root.get("$schema").and_then(Value::as_str).unwrap_or_default();
        if stated.contains("draft-04") || stated.contains("draft-03") {
            Self::Four
        } else if ["draft-06", "draft-07", "2019-09"].iter().any(|older| stated.contains(older)) {
            Self::Older
        } else {
            Self::Newest
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Four => "draft 4",
            Self::Older => "the draft that its `$schema` states",
            Self::Newest => "2020-12, which MCP assumes where `$schema` says nothing else",
        }
    }

    /// How to write a keyword in this draft, when it is written as in an older one.
    pub fn mismatch(self, keyword: &str, value: &Value) -> Option<&'static str> {
        match keyword {
            "exclusiveMaximum" | "exclusiveMinimum" if value.is_boolean() && self > Self::Four => {
                Some("write the bound itself here, and leave the other keyword out")
            }
            "items" if value.is_array() && self == Self::Newest => {
                Some("write `prefixItems` for a tuple, or state the older draft under `$schema`")
            }
            _ => None,
        }
    }
}
