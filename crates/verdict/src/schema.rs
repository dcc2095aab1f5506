//! Walking JSON Schemas: pointers, subschemas, local references. Judges nothing.

use std::cell::OnceCell;
use std::collections::HashMap;

use serde_json::Value;

use crate::report::shorten;

/// A JSON pointer with one more token.
pub fn join(pointer: &str, token: impl std::fmt::Display) -> String {
    let mut joined = format!("{pointer}/{token}");
    let token = &joined[pointer.len() + 1..];
    if token.contains(['~', '/']) {
        let token = token.replace('~', "~0").replace('/', "~1");
        joined.replace_range(pointer.len() + 1.., &token);
    }
    joined
}

/// How a schema hangs in its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'a> {
    /// The schema itself.
    Root,
    /// A value of `properties`, with its name.
    Property(&'a str),
    /// Anywhere else, under this keyword.
    Keyword(&'a str),
}

/// Where a walk stands: a JSON pointer that is written out only for a finding.
#[derive(Debug, Clone, Copy)]
pub struct Path<'p> {
    before: Option<&'p Path<'p>>,
    step: Step<'p>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'p> {
    /// The pointer of the schema itself.
    Root(&'p str),
    Name(&'p str),
    Index(usize),
}

impl<'p> Path<'p> {
    fn root(pointer: &'p str) -> Self {
        Self { before: None, step: Step::Root(pointer) }
    }

    fn step(&'p self, step: Step<'p>) -> Self {
        Self { before: Some(self), step }
    }

    /// The pointer with one more token.
    pub fn join(&self, token: impl std::fmt::Display) -> String {
        join(&String::from(self), token)
    }

    /// How many tokens stand below the schema itself.
    pub fn depth(&self) -> usize {
        self.upward().count() - 1
    }

    /// Whether one of its tokens is among these.
    pub fn passes(&self, names: &[&str]) -> bool {
        self.upward().any(|path| matches!(path.step, Step::Name(name) if names.contains(&name)))
    }

    fn upward(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |path| path.before)
    }
}

impl From<&Path<'_>> for String {
    fn from(path: &Path<'_>) -> Self {
        /// A token longer than any name is cut.
        const LONGEST_NAME: usize = 1000;
        let mut places: Vec<&Path<'_>> = path.upward().collect();
        places.reverse();
        let mut pointer = Self::with_capacity(places.len() * 12);
        for place in places {
            match place.step {
                Step::Root(root) => pointer.push_str(root),
                Step::Index(index) => pointer = join(&pointer, index),
                Step::Name(name) if name.len() > LONGEST_NAME => {
                    pointer = join(&pointer, shorten(name, LONGEST_NAME));
                }
                Step::Name(name) if name.contains(['~', '/']) => pointer = join(&pointer, name),
                Step::Name(name) => {
                    pointer.push('/');
                    pointer.push_str(name);
                }
            }
        }
        pointer
    }
}

impl std::fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from(self))
    }
}

/// Visits a schema and everything in it that is a schema too, parents first.
pub fn walk<'a>(schema: &'a Value, pointer: &str, visit: &mut impl FnMut(&'a Value, &Path<'_>, Place<'a>)) {
    let root = Path::root(pointer);
    visit(schema, &root, Place::Root);
    walk_children(schema, &root, visit);
}

fn walk_children<'a>(
    schema: &'a Value,
    path: &Path<'_>,
    visit: &mut impl FnMut(&'a Value, &Path<'_>, Place<'a>),
) {
    let Some(members) = schema.as_object() else { return };
    for (keyword, value) in members {
        let keyword = keyword.as_str();
        let at = path.step(Step::Name(keyword));
        let mut descend = |child: &'a Value, at: &Path<'_>, place: Place<'a>| {
            visit(child, at, place);
            walk_children(child, at, visit);
        };
        match value {
            Value::Object(named) if holds_named(keyword) => {
                for (name, child) in named {
                    let place =
                        if keyword == "properties" { Place::Property(name) } else { Place::Keyword(keyword) };
                    descend(child, &at.step(Step::Name(name)), place);
                }
            }
            Value::Array(children) if holds_many(keyword) => {
                for (index, child) in children.iter().enumerate() {
                    descend(child, &at.step(Step::Index(index)), Place::Keyword(keyword));
                }
            }
            Value::Object(_) | Value::Bool(_) if holds_one(keyword) => {
                descend(value, &at, Place::Keyword(keyword));
            }
            _ => {}
        }
    }
}

/// Whether a keyword holds one schema, an array of schemas, or schemas by name.
pub fn holds_schemas(keyword: &str) -> (bool, bool, bool) {
    (holds_one(keyword), holds_many(keyword), holds_named(keyword))
}

/// Keywords whose value is one schema.
fn holds_one(keyword: &str) -> bool {
    matches!(
        keyword,
        "additionalItems"
            | "additionalProperties"
            | "contains"
            | "contentSchema"
            | "else"
            | "if"
            | "items"
            | "not"
            | "propertyNames"
            | "then"
            | "unevaluatedItems"
            | "unevaluatedProperties"
    )
}

/// Keywords whose value is an array of schemas (`items` in older drafts).
fn holds_many(keyword: &str) -> bool {
    matches!(keyword, "allOf" | "anyOf" | "items" | "oneOf" | "prefixItems")
}

/// Keywords whose value maps names to schemas.
fn holds_named(keyword: &str) -> bool {
    matches!(keyword, "$defs" | "definitions" | "dependentSchemas" | "patternProperties" | "properties")
}

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

/// Whether a schema requires something, in whatever way, or is made of parts that may.
pub fn requires_something(root: &Value) -> bool {
    const PARTS: &[&str] = &[
        "$ref", "allOf", "anyOf", "dependencies", "dependentRequired", "dependentSchemas", "if", "not",
        "oneOf",
    ];
    let names = root.get("required").and_then(Value::as_array).is_some_and(|names| !names.is_empty());
    let at_least = root.get("minProperties").and_then(Value::as_u64).is_some_and(|least| least > 0);
    names || at_least || PARTS.iter().any(|keyword| root.get(keyword).is_some())
}

/// The JSON Schema name of a value's type.
pub fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() && number.as_f64().is_some_and(|n| n.fract() != 0.0) => {
            "number"
        }
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The type names under `type`, whether it is one or a list.
pub fn types(schema: &Value) -> Vec<&str> {
    match schema.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Whether a type of this name stands under `type`.
pub fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(only)) => only == name,
        Some(Value::Array(names)) => names.iter().any(|listed| listed == name),
        _ => false,
    }
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

    #[test]
    fn tokens_of_a_pointer_are_escaped() {
        assert_eq!(join("/a", "b"), "/a/b");
        assert_eq!(join("/a~1", "m~/n"), "/a~1/m~0~1n");
        assert_eq!(join("", 3), "/3");
    }

    #[test]
    fn the_place_of_a_walk_is_written_as_a_pointer() {
        let root =
            json!({"anyOf": [{"properties": {"a/b~": {"not": {}}}}, {"$defs": {"n".repeat(2000): {}}}]});
        let mut seen = Vec::new();
        walk(&root, "/at", &mut |_, path, _| {
            seen.push((path.to_string(), path.depth(), path.passes(&["anyOf", "x"])));
        });
        let cut = format!("/at/anyOf/1/$defs/{}…", "n".repeat(1000));
        let expected = [
            ("/at", 0, false),
            ("/at/anyOf/0", 2, true),
            ("/at/anyOf/0/properties/a~1b~0", 4, true),
            ("/at/anyOf/0/properties/a~1b~0/not", 5, true),
            ("/at/anyOf/1", 2, true),
            (cut.as_str(), 4, true),
        ];
        assert!(seen.iter().map(|(at, depth, passes)| (at.as_str(), *depth, *passes)).eq(expected));
    }

    #[test]
    fn a_property_named_like_a_keyword_is_a_property() {
        let root =
            json!({"properties": {"anyOf": {"type": "string"}}, "default": {"properties": {"no": {}}}});
        let mut seen = Vec::new();
        walk(&root, "", &mut |_, pointer, _| seen.push(pointer.to_string()));
        assert_eq!(seen, ["", "/properties/anyOf"]);
    }
}
