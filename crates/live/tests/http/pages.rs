//! All pages of `tools/list`, and an end to those that have none.

use std::sync::atomic::{AtomicUsize, Ordering};

use frankly_contract::CallError;
use serde_json::{Value, json};

use super::place::{Asked, Place, result};

/// Lists one tool on each page; `next` says which cursor follows this one.
async fn listed(
    next: impl Fn(&Asked, usize) -> Value + Send + Sync + 'static,
) -> Result<Vec<String>, CallError> {
    let pages = AtomicUsize::new(0);
    let place = Place::open(move |asked| {
        (asked.what() == "tools/list").then(|| {
            let page = pages.fetch_add(1, Ordering::Relaxed);
            let tool = json!({"name": format!("t{page}"), "inputSchema": {"type": "object"}});
            result(asked, json!({"tools": [tool], "nextCursor": next(asked, page)}))
        })
    })
    .await;
    let session = place.session().await;
    let listed = session.tool_set().await;
    session.close(None).await;
    Ok(listed?.tools.iter().map(|tool| tool.name().to_owned()).collect())
}

#[tokio::test]
async fn an_empty_cursor_is_a_cursor() {
    let next = |asked: &Asked, page: usize| match page {
        0 => json!(""),
        1 if asked.body["params"]["cursor"] == "" => json!("b"),
        _ => Value::Null,
    };
    assert_eq!(listed(next).await.unwrap(), ["t0", "t1", "t2"]);
}

#[tokio::test]
async fn a_list_that_does_not_end_is_an_error() {
    let malformed = |listed| match listed {
        Err(CallError::Malformed(what)) => what,
        other => panic!("{other:?}"),
    };
    let again = listed(|_, page| json!(["a", "b", "a"][page])).await;
    assert_eq!(malformed(again), "tools/list gave the cursor \"a\" twice");
    let endless = listed(|_, page| json!(page.to_string())).await;
    assert_eq!(malformed(endless), "tools/list did not end within 1000 pages");
    let number = listed(|_, _| json!(2)).await;
    assert_eq!(malformed(number), "tools/list gave the cursor 2, which is no text");
}
