//! What was read has to have shown something, whole or in pieces, and what was to run in turns has to have done so.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeMap;
use std::sync::Mutex;

use frankly_contract::{CallError, RunContext, ToolResult};
use frankly_spy::give_way;
use frankly_spy::isolation::{Isolation, Problem, Surface, Tenant};
use serde_json::{Value, json};

/// A suite that asks for the output only.
fn suite() -> Isolation {
    let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    let others = Surface::NAMED.into_iter().filter(|surface| *surface != Surface::Output);
    others.fold(Isolation::of(contexts).unwrap(), |suite, surface| suite.absent(surface, "there is none"))
}

fn healthy(suite: &Isolation) {
    for tenant in suite.tenants() {
        tenant.saw(Surface::Output, tenant.confusable("Dinner with {}"));
    }
}

fn words(suite: &Isolation) -> Vec<String> {
    let lines = |failed: frankly_spy::isolation::NotIsolated| {
        failed.to_string().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    suite.check().err().map(lines).unwrap_or_default()
}

fn all_saw(suite: &Isolation, surface: &Surface, what: impl Fn(&Tenant) -> Value) {
    suite.tenants().iter().for_each(|tenant| tenant.saw(surface.clone(), what(tenant)));
}

#[test]
fn a_surface_that_showed_nothing_has_shown_nothing() {
    let nothing = |suite: &Isolation| all_saw(suite, &Surface::Cache, |_| json!(""));
    let bare = suite().absent(Surface::Cache, " ").shows_nothing(Surface::Cache, "only counts are kept");
    healthy(&bare);
    assert_eq!(
        words(&bare),
        [
            "`cache` was not read for acme and globex: hand over what each of them saw there, or declare it absent"
        ]
    );
    nothing(&bare);
    bare.assert_isolated();

    // What is declared to show nothing is looked at for leaks all the same.
    let [acme, globex] = bare.tenants() else { unreachable!("there are two") };
    globex.saw(Surface::Cache, acme.confusable("Dinner with {}"));
    let leak = words(&bare);
    assert!(leak.len() == 1 && leak[0].starts_with("`cache` of globex showed `acmez"), "{leak:?}");

    let shown = suite().shows_nothing(Surface::Cache, "only counts are kept");
    healthy(&shown);
    all_saw(&shown, &Surface::Cache, |tenant| json!(tenant.confusable("Dinner with {}")));
    assert_eq!(
        words(&shown),
        [
            "`cache` is declared to show nothing (only counts are kept), and showed acme and globex a marker of \
          their own: take the declaration out"
        ]
    );

    let blank = suite().shows_nothing(Surface::Cache, " ");
    healthy(&blank);
    nothing(&blank);
    assert!(words(&blank)[0].ends_with("nothing says why: give the reason"));
}

#[test]
fn where_all_surfaces_show_nothing_there_was_nothing_to_leak() {
    let suite = suite().shows_nothing(Surface::Output, "it is silent");
    all_saw(&suite, &Surface::Output, |tenant| json!(tenant.marker("note").len()));
    let [acme, globex] = &words(&suite)[..] else { unreachable!("each of them saw nothing") };
    assert!(acme.starts_with("acme saw none of its own") && globex.starts_with("globex saw none of its own"));
}

#[test]
fn a_surface_is_the_same_by_its_name() {
    let own = |name: &str| Surface::Own(name.to_owned());
    for name in ["cache", " Cache "] {
        let contexts = ["acme", "globex"].map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
        let suite = Isolation::of(contexts).unwrap().with_surface(name);
        all_saw(&suite, &own(name), |tenant| json!(tenant.marker("note")));
        let told = words(&suite);
        assert!(!told.iter().any(|line| line.to_lowercase().contains("cache")), "{told:?}");
        assert_eq!(told.len(), Surface::NAMED.len() - 1);
    }
    let absent = suite().absent(own("output"), "it is silent");
    healthy(&absent);
    assert_eq!(
        words(&absent),
        ["`output` is declared absent (it is silent), and was read for acme and globex"]
    );
    let quiet = suite().shows_nothing(own("cache"), "only counts are kept");
    healthy(&quiet);
    all_saw(&quiet, &Surface::Cache, |_| json!(0));
    quiet.assert_isolated();
}

/// What is seen of a foreign marker, and the words with which it is told.
fn leaked(pieces: impl Fn(&str) -> Vec<Value>) -> Vec<String> {
    let suite = suite();
    healthy(&suite);
    let [acme, globex] = suite.tenants() else { unreachable!("there are two") };
    pieces(&acme.marker("note")).into_iter().for_each(|piece| globex.saw(Surface::Output, piece));
    words(&suite)
}

#[test]
fn a_marker_in_pieces_or_cut_is_a_leak_as_far_as_it_is_known() {
    let shown: [fn(&str) -> Vec<Value>; 6] = [
        |m| vec![json!([m[..6], m[6..]])],
        |m| vec![json!(m[..6]), json!(m[6..])],
        |m| vec![json!({"content": [{"type": "text", "text": m[..3]}, {"type": "text", "text": m[3..]}]})],
        |m| {
            vec![json!(format!(
                "data: {{\"delta\": \"{}\"}}\n\ndata: {{\"delta\": \"{}\"}}\n",
                &m[..9],
                &m[9..]
            ))]
        },
        |m| vec![json!(format!("You have noted: {}…", &m[..9]))],
        |m| vec![json!(format!("[…]{}.", &m[m.len() - 8..]))],
    ];
    for (number, pieces) in shown.into_iter().enumerate() {
        let told = leaked(pieces);
        assert!(told.len() == 1 && told[0].contains("of globex showed `acmez"), "{number}: {told:?}");
    }
    // What is said not to be found: it could be anybody's.
    let hidden: [fn(&str) -> Vec<Value>; 3] = [
        |m| vec![json!(format!("{}…", &m[..8]))],
        |m| vec![json!(format!("…{}", &m[m.len() - 7..]))],
        |m| vec![json!(format!("{}-\n{}", &m[..7], &m[7..10]))],
    ];
    for (number, pieces) in hidden.into_iter().enumerate() {
        assert_eq!(leaked(pieces), [""; 0], "{number}");
    }
}

#[test]
fn of_a_failure_the_whole_result_is_looked_at() {
    let told = leaked(|marker| {
        let raw = json!({"content": [{"type": "text", "text": "no"}, {"type": "text", "text": marker}], "isError": true});
        let error = CallError::Tool(ToolResult::try_from(raw).unwrap());
        assert!(!error.to_string().contains(marker), "what is displayed is its first text only");
        let CallError::Tool(result) = error else { unreachable!("it is one") };
        vec![json!(result)]
    });
    assert_eq!(told.len(), 1);
}

#[test]
fn a_leak_says_what_was_planted_and_what_stood_around_it() {
    let suite = suite();
    healthy(&suite);
    let [acme, globex] = suite.tenants() else { unreachable!("there are two") };
    let marker = acme.marker("a private\nnote");
    globex.saw(Surface::Output, format!("first\nFound \u{202e}{marker}, and more\nlast"));
    let around = format!("Found \\u{{202e}}{marker}, and more");
    assert_eq!(
        words(&suite),
        [format!("`output` of globex showed `{marker}` of acme, planted as `a private\\nnote`: {around}")]
    );
    let failed = suite.check().unwrap_err();
    let Problem::Leak { surface, owner, viewer, planted, excerpt, .. } = &failed.problems()[0] else {
        unreachable!("it is a leak")
    };
    assert_eq!((surface, owner.as_str(), viewer.as_str()), (&Surface::Output, "acme", "globex"));
    assert_eq!(
        (planted.as_str(), excerpt.as_str()),
        ("a private\nnote", &*format!("Found \u{202e}{marker}, and more"))
    );
}

#[test]
fn runs_that_never_gave_way_were_not_interleaved() {
    for (gives_way, told) in [(false, 1), (true, 0)] {
        let suite = suite();
        pollster::block_on(suite.interleaved(async |tenant| {
            if gives_way {
                give_way().await;
            }
            tenant.saw(Surface::Output, tenant.confusable("Dinner with {}"));
        }));
        assert_eq!(words(&suite).len(), told, "{gives_way}");
        if told == 1 {
            assert_eq!(
                words(&suite),
                [
                    "no run gave way while another was unfinished, so they ran one after the other and mixed up nothing: \
                  wrap their tools in Stepped, or give_way() where they wait"
                ]
            );
        }
    }
}

/// A cache whose key forgets who asked, or does not.
async fn search(cache: &Mutex<BTreeMap<String, String>>, tenant: &Tenant, forgets: bool) {
    let key = if forgets { "Dinner".to_owned() } else { format!("{}/Dinner", tenant.name()) };
    let cached = cache.lock().unwrap().get(&key).cloned();
    give_way().await;
    let found = cached.unwrap_or_else(|| tenant.confusable("Dinner with {}"));
    cache.lock().unwrap().insert(key, found.clone());
    tenant.saw(Surface::Output, found);
}

#[test]
fn a_cache_whose_key_forgets_the_tenant_passes_in_lock_step_and_fails_one_after_another() {
    for (forgets, told) in [(true, 2), (false, 0)] {
        let (suite, cache) = (suite(), Mutex::default());
        pollster::block_on(suite.interleaved(async |tenant| search(&cache, &tenant, forgets).await));
        assert_eq!(words(&suite), [""; 0], "both miss");

        let (suite, cache) = (self::suite(), Mutex::default());
        let gave = pollster::block_on(suite.one_after_another(async |tenant| {
            search(&cache, &tenant, forgets).await;
            RunContext::current().unwrap().tenant().to_owned()
        }));
        assert_eq!(gave, ["acme", "globex"], "each under its own context");
        assert_eq!(words(&suite).len(), told, "{:?}", words(&suite));
        assert!(told == 0 || words(&suite)[0].starts_with("`output` of globex showed `acmez"));
    }
}
