//! Whether a part of a schema accepts a value.

use std::cell::OnceCell;

use jsonschema::{Registry, RegistryBuilder};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::schema::{self, Document, Path};

const ROOT: &str = "urn:frankly:definition";
/// What is more than this, with its references written out, is not compiled.
const MOST_PARTS: usize = 10_000;

/// A schema whose parts are asked.
pub(super) struct Acceptance<'a> {
    root: &'a Value,
    /// The root, prepared for references into it; `None` where that failed.
    registry: OnceCell<Option<Registry<'a>>>,
}

impl<'a> Acceptance<'a> {
    pub fn of(root: &'a Value) -> Self {
        Self { root, registry: OnceCell::new() }
    }

    /// Whether the part at this pointer (rooted at the definition) accepts a value. One that cannot be compiled has
    /// its own finding and is taken to accept; so is one that is too large.
    pub fn accepts(&self, document: &Document<'a>, at: &Path<'_>, part: &'a Value, value: &Value) -> bool {
        if is_plainly_accepted(part, value) || !document.is_small(part, MOST_PARTS) {
            return true;
        }
        let validator = if part.to_string().contains("\"$ref\"") {
            // Compiled in place, so that its references start where they should.
            let Some(registry) = self.registry() else { return true };
            let at = at.to_string();
            let pointer = at.splitn(3, '/').nth(2).unwrap_or_default();
            let pointer = utf8_percent_encode(pointer, NON_ALPHANUMERIC);
            let wrapper = json!({ "$ref": format!("{ROOT}#/{pointer}") });
            jsonschema::options().with_registry(registry).build(&wrapper)
        } else {
            jsonschema::validator_for(part)
        };
        validator.map_or(true, |validator| validator.is_valid(value))
    }

    fn registry(&self) -> Option<&Registry<'a>> {
        let prepare = || Registry::new().add(ROOT, self.root).and_then(RegistryBuilder::prepare).ok();
        self.registry.get_or_init(prepare).as_ref()
    }
}

/// Whether a schema that states nothing but types, listed values and bounds accepts a value. `false` where that takes a
/// closer look.
fn is_plainly_accepted(part: &Value, value: &Value) -> bool {
    let Some(members) = part.as_object() else { return false };
    let number = value.as_f64();
    members.iter().all(|(keyword, stated)| match keyword.as_str() {
        "default" | "description" | "title" => true,
        "type" => has_one_of_types(stated, value),
        "enum" => stated.as_array().is_some_and(|values| values.contains(value)),
        "minimum" => stated.as_f64().zip(number).is_some_and(|(least, number)| least <= number),
        "maximum" => stated.as_f64().zip(number).is_some_and(|(most, number)| number <= most),
        _ => false,
    })
}

fn has_one_of_types(stated: &Value, value: &Value) -> bool {
    let actual = schema::type_name(value);
    let is_one = |name: &Value| {
        name.as_str().is_some_and(|name| name == actual || (name == "number" && actual == "integer"))
    };
    match stated {
        Value::Array(names) => names.iter().all(Value::is_string) && names.iter().any(is_one),
        name => is_one(name),
    }
}
