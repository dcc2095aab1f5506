//! How a JSON object begins of which the rest is not kept, or not read. No judgement of what it says.

use serde_json::{Map, Value};

/// The members before the first of these names, that name, and where its value begins; `None` where the text is no
/// beginning of an object, or ends before that.
pub(crate) fn before(head: &str, names: &[&str]) -> Option<(Map<String, Value>, String, usize)> {
    let mut members = Map::new();
    let mut rest = head.trim_start().strip_prefix('{')?;
    loop {
        let Value::String(key) = take(&mut rest)? else { return None };
        rest = rest.trim_start().strip_prefix(':')?.trim_start();
        if names.contains(&key.as_str()) {
            return Some((members, key, head.len() - rest.len()));
        }
        members.insert(key, take(&mut rest)?);
        rest = rest.trim_start().strip_prefix(',')?;
    }
}

/// Takes a whole JSON value off the beginning.
fn take(rest: &mut &str) -> Option<Value> {
    let mut values = serde_json::Deserializer::from_str(rest).into_iter();
    let value = values.next()?.ok()?;
    *rest = &rest[values.byte_offset()..];
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_stands_before_a_member_is_read_and_nothing_of_it() {
        let head = r#" {"id" : "a\"b", "n":{"result":1} , "result": {"text": "half"#;
        let (members, name, begin) = before(head, &["result"]).unwrap();
        assert_eq!(Value::Object(members), json!({"id": "a\"b", "n": {"result": 1}}));
        assert_eq!((name.as_str(), &head[begin..]), ("result", r#"{"text": "half"#));
        for other in ["", "AAAA", "[1", r#"{"id":1"#, r#"{"id":1,"resu"#, r#"{1:2,"result":"#] {
            assert_eq!(before(other, &["result"]), None, "{other}");
        }
    }
}
