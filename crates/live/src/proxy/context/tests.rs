use serde_json::json;

use super::*;

fn parts(parts: &[(&str, &str)]) -> Vec<(String, String)> {
    parts.iter().map(|(part, source)| ((*part).to_owned(), (*source).to_owned())).collect()
}

fn parse(written: &[(&str, &str)]) -> Result<ContextSources, String> {
    let look_up = |name: &str| (name == "TENANT").then(|| "acme".to_owned());
    ContextSources::parse_with(&parts(written), look_up).map_err(|error| error.to_string())
}

#[test]
fn what_cannot_be_a_source_says_what_to_write() {
    for (source, told) in [
        ("tenant", "write env:TENANT, meta:tenant or header:x-tenant"),
        ("metta:tenant", "did you mean `meta:tenant`?"),
        ("cookie:tenant", "write env:TENANT"),
        ("env:", "names nothing"),
        ("header:x tenant", "no name of a header"),
        ("header:Authorization", "what is in it is a credential"),
        ("header:x-api-key", "what is in it is a credential"),
        ("env:NOBODY", "needs the environment variable NOBODY, which is not set"),
    ] {
        let error = parse(&[("t", source)]).unwrap_err();
        assert!(error.starts_with("the context `t` ") && error.contains(told), "{error}");
    }
    assert!(parse(&[(" ", "env:TENANT")]).unwrap_err().contains("has no name"));
    assert_eq!(parse(&[("t", "header:x-t"), ("t", "meta:a:b")]).unwrap().header(), None);
}

/// The contexts of these messages, one after another.
fn contexts(written: &[(&str, &str)], messages: &[(Side, Value)]) -> Vec<Value> {
    let mut contexts = Contexts::of(parse(written).unwrap());
    let around = contexts.around(None);
    let of = |(from, msg): &(Side, Value)| {
        Value::Object(contexts.of_frame(&Frame::from_line(*from, msg.to_string()), &around))
    };
    messages.iter().map(of).collect()
}

fn ask(id: Value, meta: Value) -> (Side, Value) {
    (Side::Client, json!({"jsonrpc": "2.0", "id": id, "method": "m", "params": {"_meta": meta}}))
}

fn answer(id: Value) -> (Side, Value) {
    (Side::Server, json!({"jsonrpc": "2.0", "id": id, "result": {}}))
}

#[test]
fn an_answer_has_the_context_of_its_request_and_all_else_that_of_the_session() {
    let (env, meta) = (("tenant", "env:TENANT"), ("user", "meta:com.example/user"));
    let (session, of_u7) = (json!({"tenant": "acme"}), json!({"tenant": "acme", "user": "u7"}));
    let notification =
        json!({"jsonrpc": "2.0", "method": "n", "params": {"_meta": {"com.example/user": "x"}}});
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}});
    let seen = contexts(
        &[env, meta],
        &[
            ask(json!(1), json!({"com.example/user": "u7"})),
            ask(json!("1"), json!({"com.example/user": ["no", "scalar"]})),
            (Side::Server, json!({"jsonrpc": "2.0", "id": 1, "method": "sampling/createMessage"})),
            (Side::Client, json!({"jsonrpc": "2.0", "id": 1, "result": {}})),
            (Side::Client, notification),
            (Side::Client, cancel),
            answer(json!("1")),
            answer(json!(1)),
            answer(json!(1)),
        ],
    );
    let s = &session;
    assert_eq!(seen.iter().collect::<Vec<_>>(), [&of_u7, s, s, s, s, &of_u7, s, &of_u7, s]);
}

#[test]
fn nothing_is_known_of_a_batch_for_several() {
    let batch = json!([ask(json!(1), json!({"u": 1})).1, ask(json!(2), json!({"u": 2})).1]);
    let both = (Side::Server, json!([answer(json!(1)).1, answer(json!(2)).1]));
    let (one, two) = (ask(json!(1), json!({"u": 1})), ask(json!(2), json!({"u": 2})));
    let seen = contexts(
        &[("user", "meta:u"), ("tenant", "env:TENANT")],
        &[(Side::Client, batch), answer(json!(2)), answer(json!(1)), one, two, both],
    );
    let none = json!({});
    assert_eq!((&seen[0], &seen[1], &seen[2], &seen[5]), (&none, &none, &none, &none));
}

#[test]
fn requests_that_are_never_answered_are_forgotten_in_the_end() {
    let mut contexts = Contexts::of(parse(&[("user", "meta:u")]).unwrap());
    for id in 0..=MOST_OPEN {
        let (from, msg) = ask(json!(id), json!({"u": id}));
        contexts.of_frame(&Frame::from_line(from, msg.to_string()), &Map::new());
    }
    let mut of = |id: usize| {
        let (from, msg) = answer(json!(id));
        contexts.of_frame(&Frame::from_line(from, msg.to_string()), &Map::new()).get("user").cloned()
    };
    assert_eq!((of(0), of(1), of(MOST_OPEN)), (None, Some(json!(1)), Some(json!(MOST_OPEN))));
}
