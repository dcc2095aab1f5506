//! The run context is there where the run is, on every executor, and nowhere else.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::future::{pending, poll_fn};
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::Poll;
use std::time::Duration;

use frankly_contract::{NoRunContext, RunContext};

fn run(tenant: &str) -> RunContext {
    RunContext::new(tenant, "u_7", "run-1").unwrap()
}

fn tenant() -> Option<String> {
    RunContext::current().ok().map(|context| context.tenant().to_owned())
}

/// Gives way once, as anything that waits does.
async fn give_way() {
    let mut gave_way = false;
    poll_fn(|cx| {
        if std::mem::replace(&mut gave_way, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// The tenant before and after giving way.
async fn tenants() -> [Option<String>; 2] {
    let before = tenant();
    give_way().await;
    [before, tenant()]
}

fn twice(tenant: &str) -> [Option<String>; 2] {
    [Some(tenant.to_owned()), Some(tenant.to_owned())]
}

#[test]
fn a_nested_context_stands_in_the_place_of_the_outer_one_and_gives_it_back() {
    let seen = pollster::block_on(run("acme").scope(async {
        let before = tenants().await;
        let inner = run("globex").scope(tenants()).await;
        (before, inner, tenants().await)
    }));
    assert_eq!(seen, (twice("acme"), twice("globex"), twice("acme")));
    assert_eq!(tenant(), None);
}

#[tokio::test]
async fn under_join_each_branch_has_its_own() {
    let seen = tokio::join!(run("acme").scope(tenants()), tenants(), run("globex").scope(tenants()));
    assert_eq!(seen, (twice("acme"), [None, None], twice("globex")));
}

#[tokio::test]
async fn under_select_the_branch_that_loses_leaves_nothing_behind() {
    tokio::select! {
        biased;
        () = run("acme").scope(pending()) => {}
        seen = run("globex").scope(tenants()) => assert_eq!(seen, twice("globex")),
    }
    assert_eq!(tenants().await, [None, None]);
}

#[tokio::test]
async fn what_is_spawned_has_none_unless_it_is_carried() {
    let seen = run("acme").scope(async {
        let alone = tokio::spawn(tenants()).await.unwrap();
        let set = tokio::task::LocalSet::new();
        let local = set.run_until(async { tokio::task::spawn_local(tenants()).await.unwrap() }).await;
        let thread = tokio::task::spawn_blocking(tenant).await.unwrap();
        let carried = RunContext::current().unwrap();
        let blocking = carried.clone();
        let carried = tokio::spawn(carried.scope(tenants())).await.unwrap();
        let blocking = tokio::task::spawn_blocking(|| blocking.sync_scope(tenant)).await.unwrap();
        (alone, thread, carried, blocking, local)
    });
    let (alone, thread, carried, blocking, local) = seen.await;
    assert_eq!((alone, thread), ([None, None], None));
    assert_eq!((carried, blocking), (twice("acme"), Some("acme".to_owned())));
    // A set of tasks inside of the run's own future is polled by the run.
    assert_eq!(local, twice("acme"));
}

#[test]
fn it_follows_the_future_from_thread_to_thread() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let name = format!("tenant-{number}");
            let inside = name.clone();
            let task = runtime.spawn(run(&name).scope(async move {
                for _ in 0..20 {
                    assert_eq!(tenants().await, twice(&inside));
                }
            }));
            (name, task)
        })
        .collect();
    for (name, task) in tasks {
        runtime.block_on(task).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn another_executor_is_as_good() {
    let executor = async_executor::Executor::new();
    let scoped: Vec<_> =
        ["acme", "globex"].map(|name| executor.spawn(run(name).scope(tenants()))).into_iter().collect();
    let nobody = executor.spawn(tenants());
    let seen = pollster::block_on(executor.run(async {
        let mut seen = vec![nobody.await];
        for task in scoped {
            seen.push(task.await);
        }
        seen
    }));
    assert_eq!(seen, [[None, None], twice("acme"), twice("globex")]);
}

#[tokio::test(start_paused = true)]
async fn a_time_out_drops_the_run_under_its_own_name() {
    struct Notes(Arc<Mutex<Vec<Option<String>>>>);
    impl Drop for Notes {
        fn drop(&mut self) {
            self.0.lock().unwrap().push(tenant());
        }
    }
    let dropped = Arc::new(Mutex::new(Vec::new()));
    let notes = Notes(Arc::clone(&dropped));
    let run = run("acme").scope(async move {
        let _notes = notes;
        pending::<()>().await;
    });
    assert!(tokio::time::timeout(Duration::from_secs(5), run).await.is_err());
    assert_eq!(*dropped.lock().unwrap(), [Some("acme".to_owned())]);
    assert_eq!(tenant(), None);
}

#[test]
fn a_panic_leaves_the_context_that_was_there_before() {
    let seen = pollster::block_on(run("acme").scope(async {
        let mut inner = pin!(run("globex").scope(async { panic!("broken") }));
        let poll = std::future::poll_fn(|cx| {
            let caught = std::panic::catch_unwind(AssertUnwindSafe(|| inner.as_mut().poll(cx)));
            Poll::Ready(caught.map(|_| ()).is_err())
        });
        (poll.await, tenants().await)
    }));
    assert_eq!(seen, (true, twice("acme")));
    let caught = std::panic::catch_unwind(|| run("acme").sync_scope(|| panic!("broken")));
    assert!(caught.is_err());
    assert_eq!(RunContext::current(), Err(NoRunContext));
}

#[test]
fn who_is_read_when_a_future_is_made_is_not_who_runs_it() {
    let made = run("acme").sync_scope(tenants);
    assert_eq!(pollster::block_on(made), [None, None]);
}

#[test]
fn a_key_is_not_printed() {
    let context = run("acme").with_idempotency_key("k-1").unwrap();
    let printed = format!("{context:?}");
    assert!(printed.contains("acme") && !printed.contains("k-1"), "{printed}");
    assert!(run("acme").with_idempotency_key(" ").unwrap_err().to_string().contains("idempotency key"));
}
