//! Whether a part of a schema accepts a value.

use std::cell::{Cell, OnceCell};

use jsonschema::{Registry, RegistryBuilder};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::schema::{self, Document, Path};

const ROOT: &str = "urn:frankly:definition";
/// What is more than this, with its references written out, is not compiled.
const MOST_PARTS: usize = 10_000;
/// Of one definition no more than so many are compiled: 5,000 defaults may refer to one list of 5,000 values.
const MOST_PARTS_IN_ALL: usize = 100_000;

/// A schema whose parts are asked.
pub(super) struct Acceptance<'a> {
    root: &'a Value,
    /// The root, prepared for references into it; `None` where that failed.
    registry: OnceCell<Option<Registry<'a>>>,
    /// How many parts may still be compiled.
    left: Cell<usize>,
}

impl<'a> Acceptance<'a> {
    pub fn of(root: &'a Value) -> Self {
        Self { root, registry: OnceCell::new(), left: Cell::new(MOST_PARTS_IN_ALL) }
    }

    /// Whether the part at this pointer (rooted at the definition) accepts a value. One that cannot be compiled has
    /// its own finding and is taken to accept; so is one that is too large.
    pub fn accepts(&self, document: &Document<'a>, at: &Path<'_>, part: &'a Value, value: &Value) -> bool {
        if is_plainly_accepted(part, value) {
            return true;
        }
        // What is too large costs too: to count it took so many steps.
        let most = MOST_PARTS.min(self.left.get());
        let parts = document.parts(part, most);
        self.left.set(self.left.get() - parts.unwrap_or(most));
        if parts.is_none() {
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

/// Whether a schema of the usual keywords accepts a value. `false` where that takes a closer look.
fn is_plainly_accepted(part: &Value, value: &Value) -> bool {
    let Some(members) = part.as_object() else { return false };
    let number = |fits: &dyn Fn(f64) -> bool| value.as_f64().is_none_or(fits);
    members.iter().all(|(keyword, stated)| match keyword.as_str() {
        "default" | "description" | "examples" | "title" => true,
        "type" => has_one_of_types(stated, value),
        "enum" => stated.as_array().is_some_and(|values| values.contains(value)),
        "anyOf" => {
            stated.as_array().is_some_and(|parts| parts.iter().any(|part| is_plainly_accepted(part, value)))
        }
        "minimum" => stated.as_f64().is_some_and(|least| number(&|number| least <= number)),
        "maximum" => stated.as_f64().is_some_and(|most| number(&|number| number <= most)),
        // These say nothing of values of other types.
        "format" | "maxLength" | "minLength" | "pattern" => !value.is_string(),
        "additionalProperties" | "properties" | "required" => !value.is_object(),
        "maxItems" | "minItems" => !value.is_array(),
        "items" => value.as_array().is_none_or(Vec::is_empty),
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
