//! A bleed between tenants fails every time, and so does everything that could hide one.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use frankly_contract::{NoArguments, Registry, RunContext, Tool, ToolCall, ToolError, Tools};
use frankly_spy::isolation::{Isolation, Problem, Surface, Tenant};
use frankly_spy::{Spy, Stepped};
use serde_json::json;

const RUNS: usize = 100;

fn contexts() -> [RunContext; 2] {
    ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", format!("run-of-{tenant}")).unwrap())
}

/// A suite that asks for the output only.
fn suite() -> Isolation {
    let others = Surface::NAMED.into_iter().filter(|surface| *surface != Surface::Output);
    others.fold(Isolation::of(contexts()).unwrap(), |suite, surface| {
        suite.absent(surface, "there is none here")
    })
}

fn two(suite: &Isolation) -> [Tenant; 2] {
    suite.tenants().to_vec().try_into().unwrap()
}

fn words(suite: &Isolation) -> Vec<String> {
    suite
        .check()
        .map_or_else(|failed| failed.to_string().lines().map(str::to_owned).collect(), |()| Vec::new())
}

fn unshown(surface: &str, tenants: &str) -> String {
    format!(
        "`{surface}` showed {tenants} no marker of their own, so it would not have shown another one's either: \
         let it show data with a marker, or say with shows_nothing why it never does"
    )
}

/// Both see their own.
fn healthy(suite: &Isolation) {
    for tenant in suite.tenants() {
        tenant.saw(Surface::Output, tenant.confusable("Dinner with {}"));
    }
}

type Notes = Arc<Mutex<BTreeMap<String, String>>>;

/// A tool that reads the notes of whoever the context says.
fn notes(notes: &Notes) -> Stepped<Registry> {
    let notes = Arc::clone(notes);
    let mut registry = Registry::new();
    let read = move |_: NoArguments| {
        let notes = Arc::clone(&notes);
        async move {
            let context = RunContext::current()?;
            Ok::<_, ToolError>(notes.lock().unwrap().get(context.tenant()).cloned().unwrap_or_default())
        }
    };
    registry.add(Tool::typed("read_note", "Reads the note.", read)).unwrap();
    Stepped::new(registry)
}

/// An agent that keeps whom it works for in a place that all its runs share, or asks the context each time.
struct Agent {
    current: Mutex<String>,
    is_honest: bool,
    notes: Notes,
}

impl Agent {
    fn new(is_honest: bool, suite: &Isolation) -> Self {
        let notes = suite
            .tenants()
            .iter()
            .map(|tenant| (tenant.name().to_owned(), tenant.confusable("Dinner with {}")));
        Self { current: Mutex::default(), is_honest, notes: Arc::new(Mutex::new(notes.collect())) }
    }

    async fn answer(&self, tools: &dyn Tools) -> String {
        let tenant = RunContext::current().unwrap().tenant().to_owned();
        *self.current.lock().unwrap() = tenant.clone();
        let read = || tools.call(ToolCall::new("read_note", serde_json::Map::new()));
        let result = if self.is_honest {
            read().await
        } else {
            // A step in between, as for a model that is asked what to do; then back to whoever is current.
            read().await.unwrap();
            let current = self.current.lock().unwrap().clone();
            RunContext::new(current, "u_7", "run-1").unwrap().scope(read()).await
        };
        result.unwrap().texts().map(|(_, text)| text.to_owned()).collect()
    }
}

fn run(is_honest: bool) -> (Isolation, Spy<Stepped<Registry>>) {
    let suite = suite();
    let agent = Agent::new(is_honest, &suite);
    let spy = Spy::new(notes(&agent.notes));
    pollster::block_on(suite.interleaved(async |tenant| {
        tenant.saw(Surface::Output, agent.answer(&spy).await);
    }));
    (suite, spy)
}

#[test]
fn a_bleed_fails_every_time_and_names_what_leaked_and_whose_it_is() {
    for _ in 0..RUNS {
        let (suite, spy) = run(false);
        let marker = suite.tenants()[1].marker("Dinner with {}");
        assert_eq!(
            words(&suite),
            [
                format!(
                    "`output` of acme showed `{marker}` of globex, planted as `Dinner with {{}}`: Dinner with {marker}"
                ),
                unshown("output", "acme"),
            ]
        );
        assert_eq!(spy.calls().len(), 4);
    }
}

#[test]
fn its_honest_twin_passes_every_time() {
    for _ in 0..RUNS {
        let (suite, spy) = run(true);
        suite.assert_isolated();
        let tenants: Vec<_> =
            spy.calls().iter().map(|call| call.context.clone().unwrap().tenant().to_owned()).collect();
        assert_eq!(tenants, ["acme", "globex"]);
        assert!(spy.calls()[1].began < spy.calls()[0].ended.unwrap());
    }
}

#[test]
fn every_leak_is_told_once() {
    let suite = Isolation::of(contexts()).unwrap().with_surface("mails");
    let [acme, globex] = two(&suite);
    for surface in Surface::NAMED.into_iter().chain([Surface::Own("mails".to_owned())]) {
        for tenant in suite.tenants() {
            tenant.saw(surface.clone(), json!({"notes": [tenant.confusable("Dinner with {}")]}));
        }
    }
    suite.assert_isolated();
    let (dinner, lunch) = (acme.marker("Dinner with {}"), acme.marker("Lunch with {}"));
    globex.saw(Surface::Spans, format!("note={} again={dinner}", dinner.to_uppercase()));
    globex.saw(Surface::Own("mails".to_owned()), json!({ lunch.as_str(): 1 }));
    assert_eq!(
        words(&suite),
        [
            format!(
                "`spans` of globex showed `{dinner}` of acme, planted as `Dinner with {{}}`: note={} again={dinner}",
                dinner.to_uppercase()
            ),
            format!("`mails` of globex showed `{lunch}` of acme, planted as `Lunch with {{}}`: {lunch}"),
        ]
    );
    let panic = catch_unwind(AssertUnwindSafe(|| suite.assert_isolated())).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>().unwrap().lines().count(), 2);
}

#[test]
fn a_surface_that_nobody_read_fails_unless_it_is_declared_absent() {
    let suite = suite().with_surface("mails");
    healthy(&suite);
    let [acme, globex] = two(&suite);
    let unread = |who| {
        format!("`mails` was not read for {who}: hand over what each of them saw there, or declare it absent")
    };
    assert_eq!(words(&suite), [unread("acme and globex")]);
    acme.saw(Surface::Own("mails".to_owned()), "");
    assert_eq!(words(&suite), [unread("globex")]);
    globex.saw(Surface::Own("mails".to_owned()), json!([]));
    assert_eq!(words(&suite), [unshown("mails", "acme and globex")]);
    acme.saw(Surface::Own("mails".to_owned()), acme.confusable("Dinner with {}"));
    assert_eq!(words(&suite), [unshown("mails", "globex")]);
    globex.saw(Surface::Own("mails".to_owned()), globex.confusable("Dinner with {}"));
    suite.assert_isolated();

    let suite = Isolation::of(contexts()).unwrap();
    healthy(&suite);
    assert_eq!(words(&suite).len(), Surface::NAMED.len() - 1);
}

#[test]
fn a_surface_of_ones_own_that_one_tenant_read_was_to_be_read_for_all() {
    let suite = suite();
    healthy(&suite);
    let globex = &suite.tenants()[1];
    globex.saw(Surface::Own("mails".to_owned()), globex.confusable("Dinner with {}"));
    assert!(words(&suite)[0].starts_with("`mails` was not read for acme:"));
}

#[test]
fn what_is_declared_absent_must_not_be_read_and_needs_a_reason() {
    let suite = suite().absent(Surface::Events, " ");
    healthy(&suite);
    suite.tenants()[0].saw(Surface::Cache, "");
    assert_eq!(
        words(&suite),
        [
            "`cache` is declared absent (there is none here), and was read for acme",
            "`events` is declared absent, or to show nothing, and nothing says why: give the reason",
        ]
    );
}

#[test]
fn a_tenant_that_has_nothing_to_leak_proves_nothing() {
    let suite = suite();
    let [acme, globex] = two(&suite);
    acme.saw(Surface::Output, "You have no notes.");
    globex.saw(Surface::Output, "You have no notes.");
    let _ = globex.marker("note");
    let none = "acme has no marker, so nothing of it could be seen to leak: store data with its marker first";
    assert_eq!(words(&suite), [unshown("output", "globex"), none.to_owned()]);
    let failed = suite.check().unwrap_err();
    assert_eq!(failed.problems()[1], Problem::Unseen { tenant: "acme".to_owned(), markers: 0 });
}

#[test]
fn a_run_is_bound_to_its_tenant_from_its_very_beginning() {
    let suite = suite();
    let seen = pollster::block_on(suite.interleaved(|tenant: Tenant| {
        let at_once = RunContext::current().ok();
        async move { (at_once, RunContext::current().ok(), tenant.context().clone()) }
    }));
    for (at_once, later, own) in seen {
        assert_eq!((at_once, later), (Some(own.clone()), Some(own)));
    }
}

#[test]
fn three_tenants_are_held_apart_from_each_other() {
    let contexts = ["a", "b", "c"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    let others = Surface::NAMED.into_iter().filter(|surface| *surface != Surface::Output);
    let suite = others.fold(Isolation::of(contexts).unwrap(), |suite, surface| suite.absent(surface, "none"));
    healthy(&suite);
    suite.tenants()[2].saw(Surface::Output, suite.tenants()[0].confusable("Dinner with {}"));
    let marker = suite.tenants()[0].marker("Dinner with {}");
    assert_eq!(
        words(&suite),
        [format!(
            "`output` of c showed `{marker}` of a, planted as `Dinner with {{}}`: Dinner with {marker}"
        )]
    );
}
