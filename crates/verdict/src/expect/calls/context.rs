//! Under whose name calls ran.

use super::super::words::named;
use super::super::{Made, Miss, Whose};

/// What is expected of each call's context.
#[derive(Clone, Copy)]
pub(in super::super) struct Wanted<'e> {
    pub tenant: Option<&'e str>,
    pub user: Option<&'e str>,
    pub run_id: Option<&'e str>,
}

/// Every call ran under it, and there was one.
pub(in super::super) fn ran_under(wanted: Wanted<'_>, calls: &[Made<'_>]) -> Option<Miss> {
    let all = wanted.told();
    if all.is_empty() {
        return Some(Miss::new(
            "neither tenant, user nor run id is expected, which no call could break: name at least one of them",
        ));
    }
    if calls.is_empty() {
        return Some(Miss::new(format!("no call was recorded, so nothing shows that calls run under {all}")));
    }
    calls.iter().enumerate().find_map(|(at, call)| {
        let how = match (call.whose, call.went_on_under) {
            (Some(whose), went_on) => match (wanted.differs(whose), went_on) {
                (Some(differs), _) => format!("ran {differs}"),
                (None, went_on) => moved(call.whose, went_on?),
            },
            (None, Some(went_on)) => moved(None, went_on),
            (None, None) => format!(
                "ran without a run context, expected {all} (work that is spawned has none unless it is carried)"
            ),
        };
        Some(Miss::at(at, format!("call {}: {} {how}", at + 1, named(call.name))))
    })
}

/// That a call was moved from one run into another.
fn moved(began: Option<Whose<'_>>, went_on: Option<Whose<'_>>) -> String {
    let is_same = |part: fn(Whose<'_>) -> Option<&str>| began.and_then(part) == went_on.and_then(part);
    let shows_run = is_same(|whose| whose.tenant) && is_same(|whose| whose.user);
    let told = |whose: Option<Whose<'_>>| {
        let Some(whose) = whose else { return "without a run context".to_owned() };
        let run_id = whose.run_id.filter(|_| shows_run);
        let all = [("tenant", whose.tenant), ("user", whose.user), ("run id", run_id)];
        let parts =
            all.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", named_or_empty(name?))));
        format!("under {}", parts.collect::<Vec<_>>().join(", "))
    };
    format!("began {} and went on {}", told(began), told(went_on))
}

impl Wanted<'_> {
    /// What is expected, in words: ``tenant `acme` and user `u_7` ``.
    fn told(self) -> String {
        let all = [("tenant", self.tenant), ("user", self.user), ("run id", self.run_id)];
        let told =
            all.into_iter().filter_map(|(what, name)| Some(format!("{what} {}", named_or_empty(name?))));
        told.collect::<Vec<_>>().join(" and ")
    }

    /// The first part of a context that is another one.
    fn differs(self, whose: Whose<'_>) -> Option<String> {
        let all = [
            ("tenant", self.tenant, whose.tenant),
            ("user", self.user, whose.user),
            ("run id", self.run_id, whose.run_id),
        ];
        all.into_iter().find_map(|(what, wanted, found)| match (wanted?, found) {
            (wanted, Some(found)) if wanted == found => None,
            (wanted, Some(found)) => {
                Some(format!("under {what} {}, expected {}", named_or_empty(found), named_or_empty(wanted)))
            }
            (wanted, None) => Some(format!("without a {what}, expected {}", named_or_empty(wanted))),
        })
    }
}

/// A name that may be empty, which says nothing of tools.
fn named_or_empty(name: &str) -> String {
    if name.is_empty() { "`` (empty)".to_owned() } else { named(name) }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::super::testing::told;
    use crate::expect::{Expectation, Made, Whose};

    fn context([tenant, user, run_id]: [Option<&str>; 3]) -> Expectation {
        let [tenant, user, run_id] = [tenant, user, run_id].map(|name| name.map(str::to_owned));
        Expectation::Context { tenant, user, run_id }
    }

    #[test]
    fn every_call_runs_under_the_context() {
        let none = Map::new();
        let acme = Whose { tenant: Some("acme"), user: Some("u_7"), run_id: None };
        let made = |whose| Made { whose, ..Made::new("search", &none) };
        let both = [made(Some(acme)), made(Some(acme))];
        for (calls, wanted, miss) in [
            (both, [Some("acme"), Some("u_7"), None], ""),
            (both, [None, Some("u_7"), None], ""),
            (
                [both[0], made(Some(Whose { tenant: Some("globex"), ..acme }))],
                [Some("acme"), Some("u_7"), None],
                "call 2: `search` ran under tenant `globex`, expected `acme` @Some(1)",
            ),
            (
                [both[0], made(None)],
                [Some("acme"), None, None],
                "call 2: `search` ran without a run context, expected tenant `acme` \
                 (work that is spawned has none unless it is carried) @Some(1)",
            ),
            (
                [made(None), both[0]],
                [Some("acme"), Some("u_7"), Some("r1")],
                "call 1: `search` ran without a run context, expected tenant `acme` and user `u_7` and run id `r1` \
                 (work that is spawned has none unless it is carried) @Some(0)",
            ),
            (
                [made(Some(Whose { user: None, ..acme })), both[1]],
                [Some("acme"), Some("u_7"), None],
                "call 1: `search` ran without a user, expected `u_7` @Some(0)",
            ),
            (both, [None, None, Some("r1")], "call 1: `search` ran without a run id, expected `r1` @Some(0)"),
            (
                [
                    made(Some(Whose { run_id: Some("r1"), ..acme })),
                    made(Some(Whose { run_id: Some("r2"), tenant: Some(""), ..acme })),
                ],
                [None, None, Some("r1")],
                "call 2: `search` ran under run id `r2`, expected `r1` @Some(1)",
            ),
            (
                [both[0], made(Some(Whose { tenant: Some(""), ..acme }))],
                [Some("acme"), None, None],
                "call 2: `search` ran under tenant `` (empty), expected `acme` @Some(1)",
            ),
            (
                both,
                [None, None, None],
                "neither tenant, user nor run id is expected, which no call could break: name at least one of them @None",
            ),
        ] {
            assert_eq!(told(&context(wanted), &calls), miss);
        }
        assert_eq!(
            told(&context([Some("acme"), Some("u_7"), None]), &[]),
            "no call was recorded, so nothing shows that calls run under tenant `acme` and user `u_7` @None"
        );
    }

    #[test]
    fn a_call_that_went_on_under_another_name_ran_under_neither() {
        let none = Map::new();
        let acme = Whose { tenant: Some("acme"), user: Some("u_7"), run_id: Some("r1") };
        let globex = Whose { tenant: Some("globex"), user: Some("u_9"), run_id: Some("r2") };
        for (whose, went_on_under, miss) in [
            (Some(acme), None, ""),
            (
                Some(acme),
                Some(Some(globex)),
                "call 1: `charge` began under tenant `acme`, user `u_7` and went on under tenant `globex`, user `u_9` @Some(0)",
            ),
            (
                Some(acme),
                Some(Some(Whose { run_id: Some("r2"), ..acme })),
                "call 1: `charge` began under tenant `acme`, user `u_7`, run id `r1` \
                 and went on under tenant `acme`, user `u_7`, run id `r2` @Some(0)",
            ),
            (
                Some(acme),
                Some(None),
                "call 1: `charge` began under tenant `acme`, user `u_7` and went on without a run context @Some(0)",
            ),
            (
                None,
                Some(Some(acme)),
                "call 1: `charge` began without a run context and went on under tenant `acme`, user `u_7` @Some(0)",
            ),
            (
                Some(globex),
                Some(Some(acme)),
                "call 1: `charge` ran under tenant `globex`, expected `acme` @Some(0)",
            ),
        ] {
            let call = Made { whose, went_on_under, ..Made::new("charge", &none) };
            assert_eq!(told(&context([Some("acme"), None, None]), &[call]), miss);
        }
    }
}
