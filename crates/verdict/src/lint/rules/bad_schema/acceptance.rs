//! Whether a part of a schema accepts a value.

use std::cell::OnceCell;

use jsonschema::{Registry, RegistryBuilder};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::schema::Document;

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
    pub fn accepts(&self, document: &Document<'a>, at: &str, part: &'a Value, value: &Value) -> bool {
        if !document.is_small(part, MOST_PARTS) {
            return true;
        }
        let validator = if part.to_string().contains("\"$ref\"") {
            // Compiled in place, so that its references start where they should.
            let Some(registry) = self.registry() else { return true };
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
