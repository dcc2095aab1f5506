//! A schema as a document: where references lead in it. Judges nothing.

use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::Value;

use super::walk;

/// Where a `$ref` leads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Target<'a> {
    /// To this part of the same document.
    Here(&'a Value),
    /// To a part of the same document that is not there.
    Nowhere,
    /// To another document.
    Elsewhere,
}

/// A schema with what can be referred to in it.
#[derive(Debug)]
pub struct Document<'a> {
    root: &'a Value,
    /// Made when a reference first needs it.
    index: OnceCell<Index<'a>>,
}

impl<'a> Document<'a> {
    /// The longest chain of references that is followed.
    const LONGEST_CHAIN: usize = 100;

    pub fn new(root: &'a Value) -> Self {
        Self { root, index: OnceCell::new() }
    }

    /// Follows one `$ref`.
    ///
    /// References count from the nearest `$id`. What is found from any of them is taken to be found: a wrong guess
    /// between them would call a good schema bad.
    pub fn resolve(&self, reference: &str) -> Target<'a> {
        let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
        let fragment = percent_encoding::percent_decode_str(fragment).decode_utf8_lossy();
        let bases: Vec<&'a Value> = if document.is_empty() {
            vec![self.root]
        } else {
            let named = |name: &str| self.named().get(name).copied();
            named(document).or_else(|| named(last_part(document))).into_iter().collect()
        };
        if bases.is_empty() {
            return Target::Elsewhere;
        }
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self
                .named()
                .get(&format!("#{fragment}"))
                .map_or(Target::Nowhere, |schema| Target::Here(schema));
        }
        let within = |base: &&'a Value| at_pointer(base, &fragment);
        let found = bases.iter().find_map(within).or_else(|| self.bases().iter().find_map(within));
        found.map_or(Target::Nowhere, Target::Here)
    }

    /// Follows a chain of references to its end; `None` where it goes in a circle, or is longer than any good one.
    pub fn follow(&self, mut schema: &'a Value) -> Option<&'a Value> {
        for _ in 0..Self::LONGEST_CHAIN {
            match schema.get("$ref").and_then(Value::as_str).map(|reference| self.resolve(reference)) {
                Some(Target::Here(target)) => schema = target,
                _ => return Some(schema),
            }
        }
        None
    }

    /// The end of a chain of references, or where it starts if it has none.
    pub fn dereference(&self, schema: &'a Value) -> &'a Value {
        self.follow(schema).unwrap_or(schema)
    }

    /// How many parts a schema has, written out with all its references; `None` for more than so many. One of 60
    /// definitions, each of which refers to the next one twice, has more parts than there are atoms.
    pub fn parts(&self, schema: &'a Value, most: usize) -> Option<usize> {
        let mut left = most;
        self.spend(schema, &mut left, 0).then(|| most - left)
    }

    fn spend(&self, schema: &'a Value, left: &mut usize, depth: usize) -> bool {
        const DEEPEST: usize = 64;
        if *left == 0 || depth > DEEPEST {
            return false;
        }
        *left -= 1;
        let target = schema.get("$ref").and_then(Value::as_str).map(|reference| self.resolve(reference));
        let referred = match target {
            Some(Target::Here(target)) => self.spend(target, left, depth + 1),
            _ => true,
        };
        let inner = match schema {
            Value::Object(members) => members.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => Vec::new(),
        };
        referred && inner.into_iter().all(|value| self.spend(value, left, depth + 1))
    }

    /// The schema and, where it is a choice or a combination, its branches; references followed.
    pub fn branches(&self, schema: &'a Value) -> Vec<&'a Value> {
        let schema = self.dereference(schema);
        let choices =
            ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array());
        std::iter::once(schema).chain(choices.flatten().map(|branch| self.dereference(branch))).collect()
    }

    fn named(&self) -> &HashMap<String, &'a Value> {
        &self.index().0
    }

    /// Subschemas with an id of their own, from which references may count; only so many are tried.
    fn bases(&self) -> &[&'a Value] {
        const MOST: usize = 20;
        let bases = &self.index().1;
        &bases[..bases.len().min(MOST)]
    }

    fn index(&self) -> &Index<'a> {
        self.index.get_or_init(|| {
            let (mut named, mut bases) = (HashMap::new(), Vec::new());
            walk(self.root, "", &mut |schema, _, _| {
                for key in ["$id", "id", "$anchor", "$dynamicAnchor"] {
                    let Some(name) = schema.get(key).and_then(Value::as_str) else { continue };
                    if key.ends_with("nchor") {
                        named.entry(format!("#{name}")).or_insert(schema);
                    } else {
                        let id = name.trim_end_matches('#');
                        named.entry(id.to_owned()).or_insert(schema);
                        named.entry(last_part(id).to_owned()).or_insert(schema);
                        bases.push(schema);
                    }
                }
            });
            (named, bases)
        })
    }
}

/// What stands at a JSON pointer; most have nothing in them that is written otherwise, and lead through objects only.
fn at_pointer<'a>(base: &'a Value, pointer: &str) -> Option<&'a Value> {
    let path = pointer.strip_prefix('/').filter(|path| !path.contains('~'));
    let plainly =
        path.and_then(|path| path.split('/').try_fold(base, |at, token| at.as_object()?.get(token)));
    plainly.or_else(|| base.pointer(pointer))
}

/// Subschemas by anchor (with `#`), by id and by the last part of their id; and those with an id.
type Index<'a> = (HashMap<String, &'a Value>, Vec<&'a Value>);

/// A relative reference names the last part of an id.
fn last_part(id: &str) -> &str {
    id.rsplit('/').next().unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn references_lead_to_pointers_anchors_and_ids() {
        let root = json!({
            "$id": "https://x.test/root.json",
            "$defs": {
                "a/b": {"type": "string"},
                "c": {"$anchor": "sea", "type": "null"},
                "d": {"$id": "addr.json", "$defs": {"zip": {"type": "integer"}}}
            },
            "properties": {"x": {"$ref": "#/$defs/a~1b"}}
        });
        let document = Document::new(&root);
        for reference in [
            "#", "#/$defs/a~1b", "#/%24defs/a~1b", "#sea", "addr.json", "addr.json#/$defs/zip",
            "https://x.test/addr.json#/$defs/zip", "https://x.test/root.json#/$defs/c", "#/$defs/zip",
        ] {
            assert!(matches!(document.resolve(reference), Target::Here(_)), "{reference}");
        }
        assert_eq!(document.resolve("#/$defs/none"), Target::Nowhere);
        assert_eq!(document.resolve("other.json"), Target::Elsewhere);
        assert_eq!(document.dereference(&root["properties"]["x"]), &json!({"type": "string"}));
    }

    #[test]
    fn a_circle_of_references_ends() {
        let root = json!({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}});
        assert_eq!(Document::new(&root).follow(&root["$defs"]["a"]), None);
    }
}
