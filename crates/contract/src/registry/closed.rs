//! Closes the objects of a schema, so that an unknown member is refused instead of dropped. What may not enter: any
//! other change of a schema.

use std::collections::{BTreeSet, HashSet};

use serde_json::{Map, Value};

/// Keywords whose schemas look at the same value as the schema they stand in. `not` is none of them here: what is
/// closed inside it would open the whole. Nor is anything that only asks, such as `contains`.
const IN_PLACE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const IN_PLACE: [&str; 3] = ["if", "then", "else"];
const IN_PLACE_MAP: &str = "dependentSchemas";

/// Keywords whose schemas look at a part of the value.
const PARTS: [&str; 4] = ["items", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"];
const PART_LIST: &str = "prefixItems";
const PART_MAPS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

/// Keywords by which an object says which members it may have.
const DECLARES: [&str; 4] =
    ["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"];

/// Closes every object of the schema that names its properties and does not say whether there may be others, and the
/// root even if it names none.
///
/// Objects that are put together from several schemas are closed as a whole, with `unevaluatedProperties`, since each
/// part would refuse the members of the others. A map says `additionalProperties` itself and stays one, and so does
/// an inner `{"type": "object"}` that says nothing more.
///
/// # Errors
///
/// The place of an object that would have to be closed where it stands, and open where another one refers to it as a
/// part of itself.
pub(super) fn close(root: &mut Value) -> Result<(), String> {
    let mut plan = Plan { root, close: Vec::new(), references: Vec::new(), in_place: BTreeSet::new() };
    plan.visit(root, "", Role::Whole);
    let Plan { close, references, in_place, .. } = plan;
    let torn = close.iter().find(|planned| planned.role == Role::Whole && in_place.contains(&planned.place));
    if let Some(planned) = torn {
        return Err(planned.place.clone());
    }
    let references: Vec<String> = references
        .into_iter()
        .filter(|(place, target)| in_place.contains(target) && !in_place.contains(place))
        .map(|(place, _)| place)
        .collect();
    for planned in close.iter().filter(|planned| !in_place.contains(&planned.place)) {
        set_false(root, &planned.place, planned.keyword);
    }
    for place in references {
        set_false(root, &place, "unevaluatedProperties");
    }
    Ok(())
}

fn set_false(root: &mut Value, place: &str, keyword: &str) {
    if let Some(members) = root.pointer_mut(place).and_then(Value::as_object_mut) {
        members.insert(keyword.to_owned(), Value::Bool(false));
    }
}

/// What a schema is to the value it looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// All that is said about it.
    Whole,
    /// The same wherever it is referred to by itself: a definition.
    Stored,
    /// One of several that look at it.
    Part,
}

struct Planned {
    place: String,
    keyword: &'static str,
    role: Role,
}

/// What to close, found without changing anything.
struct Plan<'a> {
    root: &'a Value,
    close: Vec<Planned>,
    /// References by themselves: their place and their target.
    references: Vec<(String, String)>,
    /// Places that are a part of an object closed elsewhere.
    in_place: BTreeSet<String>,
}

impl<'a> Plan<'a> {
    fn visit(&mut self, schema: &'a Value, place: &str, role: Role) {
        let Some(members) = schema.as_object() else { return };
        if role == Role::Part && !self.in_place.insert(place.to_owned()) {
            return;
        }
        let joined = role == Role::Part || self.decide(members, place, role);
        let inner = if joined { Role::Part } else { role };
        // A condition only asks: closed, it would be another question.
        for (path, child) in in_place_of(members).into_iter().filter(|(path, _)| path != "/if") {
            self.visit(child, &format!("{place}{path}"), inner);
        }
        if let Some((target, schema)) = target(self.root, members) {
            if joined {
                self.visit(schema, &target, Role::Part);
            } else {
                self.references.push((place.to_owned(), target));
            }
        }
        for (path, child) in parts_of(members) {
            let stored = path.starts_with("/$defs/") || path.starts_with("/definitions/");
            self.visit(child, &format!("{place}{path}"), if stored { Role::Stored } else { Role::Whole });
        }
    }

    /// Plans to close this schema if it declares an object; whether the schemas in it are parts of that object.
    fn decide(&mut self, members: &'a Map<String, Value>, place: &str, role: Role) -> bool {
        if members.contains_key("additionalProperties") || members.contains_key("unevaluatedProperties") {
            return true;
        }
        let own = place.is_empty()
            || members.contains_key("properties")
            || members.contains_key("patternProperties");
        if !own && !self.joins(members) {
            return false;
        }
        let others = self.names_beside(members);
        let known = members.get("properties").and_then(Value::as_object);
        let more = others.iter().any(|name| !known.is_some_and(|known| known.contains_key(name)));
        let keyword = if more { "unevaluatedProperties" } else { "additionalProperties" };
        self.close.push(Planned { place: place.to_owned(), keyword, role });
        true
    }

    /// Whether an object without properties of its own is put together from several schemas, of which more than one
    /// must hold.
    fn joins(&self, members: &'a Map<String, Value>) -> bool {
        let alternatives =
            ["anyOf", "oneOf"].iter().filter(|keyword| members.contains_key(**keyword)).count();
        let all = members.get("allOf").and_then(Value::as_array).map_or(0, Vec::len);
        let conditions = usize::from(members.contains_key("then") || members.contains_key("else"));
        let dependent = usize::from(members.contains_key(IN_PLACE_MAP));
        let reference = usize::from(members.contains_key("$ref"));
        alternatives + all + 2 * conditions + 2 * dependent + reference > 1
            && !self.names_beside(members).is_empty()
    }

    /// The members that the schemas in place declare, references followed: each schema once, however many lead to it.
    fn names_beside(&self, members: &'a Map<String, Value>) -> BTreeSet<String> {
        let (mut names, mut seen, mut open) = (BTreeSet::new(), HashSet::new(), vec![members]);
        while let Some(members) = open.pop() {
            let target = target(self.root, members).map(|(_, schema)| schema);
            for schema in in_place_of(members).into_iter().map(|(_, child)| child).chain(target) {
                let Some(members) = schema.as_object() else { continue };
                if seen.insert(std::ptr::from_ref(members)) {
                    names.extend(declared(members));
                    open.push(members);
                }
            }
        }
        names
    }
}

/// What a reference inside this document points at.
pub(super) fn target<'a>(root: &'a Value, members: &Map<String, Value>) -> Option<(String, &'a Value)> {
    let reference = members.get("$ref")?.as_str()?.strip_prefix('#')?;
    let place = decoded(reference);
    if place.is_empty() || place.starts_with('/') {
        return root.pointer(&place).map(|schema| (place, schema));
    }
    anchored(root, &place, String::new())
}

/// The members that a schema declares by itself; a pattern counts as a name that nobody else has.
fn declared(members: &Map<String, Value>) -> impl Iterator<Item = String> {
    let names = members.get("properties").and_then(Value::as_object).into_iter().flatten();
    let patterns =
        DECLARES[1..].iter().filter(|keyword| members.get(**keyword).is_some_and(|schema| schema != false));
    names.map(|(name, _)| name.clone()).chain(patterns.map(|keyword| format!("\0{keyword}")))
}

/// The schemas that look at the same value, by their places.
pub(super) fn in_place_of(members: &Map<String, Value>) -> Vec<(String, &Value)> {
    let lists = IN_PLACE_LISTS.iter().flat_map(|keyword| list(members, keyword));
    let single = IN_PLACE.iter().filter_map(|keyword| Some((format!("/{keyword}"), members.get(*keyword)?)));
    lists.chain(single).chain(map(members, IN_PLACE_MAP)).collect()
}

fn parts_of(members: &Map<String, Value>) -> Vec<(String, &Value)> {
    let maps = PART_MAPS.iter().flat_map(|keyword| map(members, keyword));
    let single = PARTS.iter().filter_map(|keyword| Some((format!("/{keyword}"), members.get(*keyword)?)));
    maps.chain(single).chain(list(members, PART_LIST)).collect()
}

fn list<'a>(members: &'a Map<String, Value>, keyword: &'a str) -> impl Iterator<Item = (String, &'a Value)> {
    let schemas = members.get(keyword).and_then(Value::as_array).into_iter().flatten().enumerate();
    schemas.map(move |(index, schema)| (format!("/{keyword}/{index}"), schema))
}

fn map<'a>(members: &'a Map<String, Value>, keyword: &'a str) -> impl Iterator<Item = (String, &'a Value)> {
    let schemas = members.get(keyword).and_then(Value::as_object).into_iter().flatten();
    schemas.map(move |(name, schema)| (format!("/{keyword}/{}", token(name)), schema))
}

/// A name as one token of a JSON pointer.
pub(super) fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The schema with this `$anchor`.
fn anchored<'a>(schema: &'a Value, anchor: &str, place: String) -> Option<(String, &'a Value)> {
    let members = schema.as_object()?;
    if members.get("$anchor").and_then(Value::as_str) == Some(anchor) {
        return Some((place, schema));
    }
    let mut inner = in_place_of(members).into_iter().chain(parts_of(members));
    inner.find_map(|(path, child)| anchored(child, anchor, format!("{place}{path}")))
}

/// A fragment of a URI without its percent signs.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).filter(|_| *first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]).1,
            None => (bytes.push(*first), rest = after).1,
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Visits every schema inside a schema, whatever it is for.
pub(super) fn subschemas_mut(members: &mut Map<String, Value>, visit: &mut impl FnMut(&mut Value)) {
    let lists = [IN_PLACE_LISTS.as_slice(), &[PART_LIST]].concat();
    let maps = [PART_MAPS.as_slice(), &[IN_PLACE_MAP]].concat();
    let single = [PARTS.as_slice(), &IN_PLACE, &["not", "contains", "propertyNames"]].concat();
    for (keyword, value) in members {
        match value {
            Value::Array(schemas) if lists.contains(&keyword.as_str()) => {
                schemas.iter_mut().for_each(&mut *visit)
            }
            Value::Object(schemas) if maps.contains(&keyword.as_str()) => {
                schemas.values_mut().for_each(&mut *visit)
            }
            schema if single.contains(&keyword.as_str()) => visit(schema),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn closed(mut schema: Value) -> Value {
        close(&mut schema).unwrap();
        schema
    }

    #[test]
    fn an_object_that_names_its_members_has_no_others() {
        assert_eq!(
            closed(json!({"type": "object"})),
            json!({"type": "object", "additionalProperties": false})
        );
        let inner = json!({"properties": {"a": {}}});
        let shut = json!({"properties": {"a": {}}, "additionalProperties": false});
        for wrap in [
            |inner: Value| json!({"properties": {"x": inner}, "additionalProperties": false}),
            |inner| json!({"properties": {"x": {"items": {"items": inner}}}, "additionalProperties": false}),
            |inner| json!({"properties": {"x": {"prefixItems": [inner]}}, "additionalProperties": false}),
            |inner| json!({"properties": {"x": {"anyOf": [inner, {"type": "null"}]}}, "additionalProperties": false}),
            |inner| json!({"properties": {"x": {"$ref": "#/$defs/x"}}, "$defs": {"x": inner}, "additionalProperties": false}),
            |inner| json!({"patternProperties": {"^x": inner}, "additionalProperties": false}),
            |inner| json!({"additionalProperties": inner}),
        ] {
            assert_eq!(closed(wrap(inner.clone())), wrap(shut.clone()));
        }
    }

    #[test]
    fn what_the_author_decided_stays() {
        for schema in [
            json!({"properties": {}, "additionalProperties": true}),
            json!({"properties": {"map": {"additionalProperties": {"type": "integer"}}}, "additionalProperties": false}),
            json!({"properties": {"free": {"type": "object"}}, "additionalProperties": false}),
            json!({"properties": {"a": {"not": {"properties": {"b": {}}}}}, "additionalProperties": false}),
            json!({"if": {"properties": {"a": {"properties": {"b": {}}}}}, "unevaluatedProperties": false}),
            json!({"properties": {"a": {"contains": {"properties": {"b": {}}}}}, "additionalProperties": false}),
            json!({"properties": {"properties": {"const": {"properties": {}}}}, "additionalProperties": false}),
        ] {
            assert_eq!(closed(schema.clone()), schema);
        }
    }

    #[test]
    fn an_object_put_together_is_closed_as_a_whole() {
        let (a, b) = (json!({"properties": {"a": {}}}), json!({"properties": {"b": {}}}));
        for schema in [
            json!({"allOf": [a, b]}),
            json!({"anyOf": [a, b]}),
            json!({"$ref": "#/$defs/a", "$defs": {"a": a}}),
            json!({"properties": {"c": {}}, "oneOf": [a, b]}),
            json!({"properties": {"c": {}}, "$ref": "#/$defs/b", "$defs": {"b": b}}),
            json!({"if": {"properties": {"a": {"const": 1}}}, "then": b}),
            json!({"properties": {"a": {}}, "dependentSchemas": {"a": b}}),
            json!({"allOf": [{"$ref": "#/$defs/a"}, b], "$defs": {"a": {"$ref": "#b"}, "b": {"$anchor": "b", "oneOf": [a, b]}}}),
        ] {
            let mut whole = schema.clone();
            whole["unevaluatedProperties"] = json!(false);
            assert_eq!(closed(schema), whole);
        }
        let required =
            json!({"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]});
        assert_eq!(closed(required)["additionalProperties"], false);
    }

    #[test]
    fn an_alternative_inside_is_closed_by_itself() {
        let (a, b) = (json!({"properties": {"a": {}}}), json!({"properties": {"b": {}}}));
        let schema = closed(json!({"properties": {"x": {"oneOf": [a, b]}, "y": {"allOf": [a]}}}));
        for place in ["/properties/x/oneOf/0", "/properties/x/oneOf/1", "/properties/y/allOf/0"] {
            assert_eq!(schema.pointer(place).unwrap()["additionalProperties"], false, "{place}");
        }
        assert_eq!(schema["properties"]["x"].as_object().unwrap().len(), 1);
    }

    #[test]
    fn a_part_of_a_whole_is_closed_where_it_stands_alone() {
        let schema = closed(json!({
            "properties": {"alone": {"$ref": "#/$defs/base"}, "both": {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {}}}]}},
            "$defs": {"base": {"properties": {"a": {"properties": {"deep": {}}}}}},
        }));
        assert_eq!(schema["properties"]["alone"]["unevaluatedProperties"], false);
        assert_eq!(schema["properties"]["both"]["unevaluatedProperties"], false);
        let base = &schema["$defs"]["base"];
        assert_eq!((base.get("additionalProperties"), base.get("unevaluatedProperties")), (None, None));
        assert_eq!(base["properties"]["a"]["additionalProperties"], false, "what is inside is whole");
    }

    #[test]
    fn an_object_that_is_whole_and_a_part_is_torn() {
        let both = json!({"allOf": [{"$ref": "#/properties/a"}, {"properties": {"c": {}}}]});
        let mut torn = json!({"properties": {"a": {"properties": {"b": {}}}, "both": both}});
        assert_eq!(close(&mut torn), Err("/properties/a".to_owned()));
        let mut root = json!({"properties": {"a": {}}, "allOf": [{"$ref": "#"}]});
        assert_eq!(close(&mut root), Err(String::new()));
    }

    #[test]
    fn what_contains_itself_is_closed_once() {
        let tree = json!({"properties": {"kids": {"items": {"$ref": "#"}}}});
        assert_eq!(closed(tree)["additionalProperties"], false);
        let circle = json!({"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "properties": {"b": {}}}}});
        assert_eq!(closed(circle)["additionalProperties"], false);
    }

    /// As many ways lead to the last definition as there are atoms, and more.
    #[test]
    fn a_schema_to_which_many_ways_lead_is_looked_through_once() {
        let level = |next: usize| json!({"allOf": vec![json!({"$ref": format!("#/$defs/{next}")}); 12]});
        let mut definitions: Map<String, Value> = (0..40).map(|n| (n.to_string(), level(n + 1))).collect();
        definitions.insert("40".to_owned(), json!({"properties": {"deep": {}}}));
        let schema = closed(json!({"$ref": "#/$defs/0", "$defs": definitions}));
        assert_eq!(schema["unevaluatedProperties"], false);
    }

    #[test]
    fn a_fragment_is_read_without_its_percent_signs() {
        assert_eq!(decoded("/$defs/a%20b%7e1c%"), "/$defs/a b~1c%");
    }
}
