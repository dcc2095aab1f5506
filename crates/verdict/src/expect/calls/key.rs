//! Whether a repeated call is known as the same call.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_json::{Map, Value};

use super::super::words::{key as shown, meant, named};
use super::super::{Made, Miss};
use crate::names::is_idempotency_key;
use frankly_contract::canonical;

/// A tenant, where it is known.
type Tenant<'c> = Option<&'c str>;
/// A run of it, where it is known.
type Run<'c> = Option<&'c str>;

/// What was called so far; arguments as one text.
#[derive(Default)]
struct Known<'c> {
    /// The first call of a run with these arguments, and its key.
    groups: HashMap<(Tenant<'c>, Run<'c>, String), (usize, &'c str)>,
    /// The first call of a tenant with this key, in whatever run, and its arguments.
    keys: HashMap<(Tenant<'c>, &'c str), (usize, String)>,
}

/// Every call of the tool has a key: the same one wherever tenant, run and arguments are the same, and another wherever the tenant's
/// arguments are others.
pub(in super::super) fn stable(tool: &str, calls: &[Made<'_>]) -> Option<Miss> {
    let mut made = calls.iter().enumerate().filter(|(_, call)| call.name == tool).peekable();
    if made.peek().is_none() {
        let (name, hint) = (named(tool), meant(tool, &[tool], calls));
        return Some(Miss::new(format!(
            "{name} was not called, so nothing shows that its key is stable{hint}"
        )));
    }
    let mut known = Known::default();
    made.find_map(|(at, call)| {
        let why = known.fault(at, call)?;
        Some(Miss::at(at, format!("call {}: {} {why}", at + 1, named(tool))))
    })
}

impl<'c> Known<'c> {
    /// What is wrong with the key of a call, after those before it.
    fn fault(&mut self, at: usize, call: &Made<'c>) -> Option<String> {
        let Some(key) = call.key.filter(|key| !key.is_empty()) else {
            return Some(
                "was called without an idempotency key: a retry would take effect a second time".into(),
            );
        };
        let tenant = call.whose.and_then(|whose| whose.tenant);
        let run = call.whose.and_then(|whose| whose.run_id);
        let arguments = canonical(&keyless(call.arguments, key));
        let (first, known) = *self.groups.entry((tenant, run, arguments.clone())).or_insert((at, key));
        if known != key {
            let (earlier, key, known) = (first + 1, shown(key), shown(known));
            let instead = if key == known { "another one that begins alike" } else { known.as_str() };
            return Some(format!(
                "has the arguments of call {earlier} and the key {key} instead of {instead}: as a retry it takes effect a second time"
            ));
        }
        let (earlier, others) = self.keys.entry((tenant, key)).or_insert_with(|| (at, arguments.clone()));
        (*others != arguments).then(|| {
            let (earlier, key) = (*earlier + 1, shown(key));
            format!("has other arguments than call {earlier} and the same key {key}: it is taken for a retry and takes no effect")
        })
    }
}

/// The arguments without the key, where it was sent among them under a name for such: it says which call this is, and not what is
/// asked for.
fn keyless<'a>(arguments: &'a Map<String, Value>, key: &str) -> Cow<'a, Map<String, Value>> {
    let is_key = |(name, value): &(&String, &Value)| value.as_str() == Some(key) && is_idempotency_key(name);
    if !arguments.iter().any(|member| is_key(&member)) {
        return Cow::Borrowed(arguments);
    }
    let others = arguments.iter().filter(|member| !is_key(member));
    Cow::Owned(others.map(|(name, value)| (name.clone(), value.clone())).collect())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::super::testing::told;
    use crate::expect::{Expectation, Made, Whose};

    /// A call by tenant and run, such as `acme/r1`, arguments and key; its user is its own.
    type Call = (&'static str, Value, Option<&'static str>);

    fn whose<'w>(tenant: &'w str, user: &'w str) -> Option<Whose<'w>> {
        let (tenant, run_id) =
            tenant.split_once('/').map_or((tenant, None), |(tenant, run)| (tenant, Some(run)));
        (!tenant.is_empty()).then_some(Whose { tenant: Some(tenant), user: Some(user), run_id })
    }

    fn miss(calls: &[Call]) -> String {
        let arguments: Vec<Map<String, Value>> =
            calls.iter().map(|(_, arguments, _)| arguments.as_object().cloned().unwrap()).collect();
        let users: Vec<String> = (0..calls.len()).map(|number| format!("u_{number}")).collect();
        let made = calls.iter().zip(&arguments).zip(&users).map(|(((tenant, _, key), arguments), user)| {
            Made { whose: whose(tenant, user), key: *key, ..Made::new("charge", arguments) }
        });
        let none = Map::new();
        let other = Made::new("search", &none);
        let calls: Vec<Made<'_>> = std::iter::once(other).chain(made).collect();
        told(&Expectation::StableKey { tool: "charge".into() }, &calls)
    }

    #[test]
    fn a_key_among_the_arguments_does_not_tell_them_apart() {
        let call = |key| ("acme", json!({"amount": 5, "idempotency_key": key}), Some(key));
        assert_eq!(miss(&[call("k1"), call("k1")]), "");
        assert!(miss(&[call("k1"), call("k2")]).contains("has the arguments of call 2 and the key `k2`"));
        let seat = |key| ("acme", json!({"seat": "A"}), Some(key));
        assert!(
            miss(&[seat("A"), seat("B")]).contains("has the arguments of call 2"),
            "what equals a key is none yet"
        );
    }

    #[test]
    fn a_key_goes_with_the_arguments() {
        let (three, four) = (json!({"amount": 3, "to": "x"}), json!({"amount": 4}));
        let again = serde_json::from_str(r#"{"to": "x", "amount": 3.0}"#).unwrap_or(Value::Null);
        let without =
            "`charge` was called without an idempotency key: a retry would take effect a second time";
        for (calls, wanted) in [
            (&[("acme", three.clone(), Some("k1")), ("acme", again, Some("k1"))][..], String::new()),
            (&[("acme", three.clone(), Some("k1")), ("acme", four.clone(), Some("k2"))], String::new()),
            (&[("acme", three.clone(), Some("k1")), ("globex", three.clone(), Some("k2"))], String::new()),
            (&[("acme", three.clone(), Some("k1")), ("globex", four.clone(), Some("k1"))], String::new()),
            (&[("", three.clone(), Some("k1")), ("acme", three.clone(), Some("k2"))], String::new()),
            (&[("acme/r1", three.clone(), Some("k1")), ("acme/r2", three.clone(), Some("k2"))], String::new()),
            (&[("acme/r1", three.clone(), Some("k1")), ("acme/r2", three.clone(), Some("k1"))], String::new()),
            (
                &[("acme/r1", three.clone(), Some("k1")), ("acme/r1", three.clone(), Some("k2"))],
                "call 3: `charge` has the arguments of call 2 and the key `k2` instead of `k1`: \
                 as a retry it takes effect a second time @Some(2)"
                    .to_owned(),
            ),
            (
                &[("acme/r1", three.clone(), Some("k1")), ("acme/r2", four.clone(), Some("k1"))],
                "call 3: `charge` has other arguments than call 2 and the same key `k1`: \
                 it is taken for a retry and takes no effect @Some(2)"
                    .to_owned(),
            ),
            (
                &[("acme", three.clone(), Some("run-1/charge-1")), ("acme", three.clone(), Some("run-1/charge-2"))],
                "call 3: `charge` has the arguments of call 2 and the key `run-…` instead of another one that begins alike: \
                 as a retry it takes effect a second time @Some(2)"
                    .to_owned(),
            ),
            (&[("acme", three.clone(), None)], format!("call 2: {without} @Some(1)")),
            (&[("acme", three.clone(), Some(""))], format!("call 2: {without} @Some(1)")),
            (
                &[("acme", three.clone(), Some("k1")), ("acme", three.clone(), None)],
                format!("call 3: {without} @Some(2)"),
            ),
            (
                &[
                    ("acme", three.clone(), Some("k1")),
                    ("acme", four.clone(), Some("k2")),
                    ("acme", three.clone(), Some("k3")),
                ],
                "call 4: `charge` has the arguments of call 2 and the key `k3` instead of `k1`: \
                 as a retry it takes effect a second time @Some(3)"
                    .to_owned(),
            ),
            (
                &[("", three.clone(), Some("k1")), ("", four.clone(), Some("k1"))],
                "call 3: `charge` has other arguments than call 2 and the same key `k1`: \
                 it is taken for a retry and takes no effect @Some(2)"
                    .to_owned(),
            ),
            (&[], "`charge` was not called, so nothing shows that its key is stable @None".to_owned()),
        ] {
            assert_eq!(miss(calls), wanted);
        }
    }

    #[test]
    fn a_tool_of_nearly_that_name_is_offered() {
        let none = Map::new();
        assert_eq!(
            told(&Expectation::StableKey { tool: "charges".into() }, &[Made::new("charge", &none)]),
            "`charges` was not called, so nothing shows that its key is stable; did you mean `charge`? @None"
        );
    }

    #[test]
    fn many_calls_take_no_time() {
        let arguments: Vec<(Map<String, Value>, String)> = (0..50_000)
            .map(|number| {
                (json!({"number": number, "to": ["x"]}).as_object().cloned().unwrap(), number.to_string())
            })
            .collect();
        let calls: Vec<Made<'_>> = arguments
            .iter()
            .chain(&arguments)
            .map(|(arguments, key)| Made { key: Some(key), ..Made::new("charge", arguments) })
            .collect();
        let last = Made { key: Some("0"), ..calls[99_999] };
        let calls: Vec<Made<'_>> = calls[..99_999].iter().copied().chain([last]).collect();
        assert!(told(&Expectation::StableKey { tool: "charge".into() }, &calls).starts_with("call 100000:"));
    }

    proptest! {
        #[test]
        fn a_key_is_stable_where_any_two_calls_agree(
            calls in proptest::collection::vec(
                (prop_oneof![Just("acme"), Just("acme/r1"), Just("acme/r2"), Just("globex"), Just("")], 0..3, proptest::option::weighted(0.9, prop_oneof![Just("k1"), Just("k2"), Just("k3")])), 1..6)
        ) {
            let calls: Vec<Call> = calls.into_iter().map(|(tenant, amount, key)| (tenant, json!({"amount": amount}), key)).collect();
            let tenant = |call: &Call| call.0.split('/').next();
            let agree = |one: &Call, other: &Call| match (one.1 == other.1, one.2 == other.2) {
                (true, false) => one.0 != other.0,
                (false, true) => tenant(one) != tenant(other),
                _ => true,
            };
            let holds = calls.iter().all(|call| call.2.is_some())
                && calls.iter().all(|one| calls.iter().all(|other| agree(one, other)));
            let told = miss(&calls);
            prop_assert_eq!(told.is_empty(), holds, "{}", told);
        }
    }
}
