//! The same outage is the same finding, over HTTP and over standard input and output.

use frankly_live::config::Server;
use frankly_live::probe::Grants;
use frankly_live::{InspectError, Inspection, inspect};
use serde_json::json;

use super::place::{Place, Step, http, initialized, result};

/// A server that lists one tool, and whose calls end like this.
async fn place(end: Vec<Step>) -> Place {
    Place::open(move |asked| match asked.what() {
        "tools/list" => {
            let schema = json!({"type": "object"});
            let tool = json!({"name": "t", "description": "Reads.", "inputSchema": schema,
                "annotations": {"readOnlyHint": true}});
            Some(result(asked, json!({"tools": [tool]})))
        }
        "tools/call" => Some(end.clone()),
        _ => None,
    })
    .await
}

/// The same in shell.
fn shell(end: &str) -> Server {
    let (initialize, list) = (
        r#"{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}"#,
        r#"{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"t","description":"Reads.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}}"#,
    );
    let script =
        format!("read -r l; echo '{initialize}'; read -r l; read -r l; echo '{list}'; read -r l; {end}");
    let command: Vec<_> = ["sh", "-c", &script].map(str::to_owned).to_vec();
    Server { shown: command.clone(), command, ..over("") }
}

fn over(url: &str) -> Server {
    let timeout = Some(std::time::Duration::from_millis(500));
    let url = Some(url.to_owned()).filter(|url| !url.is_empty());
    Server { shown: url.iter().cloned().collect(), url, timeout, ..Server::default() }
}

async fn look(server: &Server) -> Result<Inspection, InspectError> {
    inspect(Some("s"), server, Some(&Grants::default())).await
}

/// The outages that are found, without those that checks find.
async fn outages(server: &Server) -> Vec<(&'static str, String)> {
    let findings = look(server).await.unwrap().findings;
    let outages = findings.into_iter().filter(frankly_verdict::outage::is_one);
    outages.map(|finding| (finding.rule, finding.what)).collect()
}

#[tokio::test]
async fn a_server_that_dies_in_a_call_died() {
    let place = place(vec![Step::Die]).await;
    let over_http = outages(&over(&place.url())).await;
    let over_stdio = outages(&shell("exit 3")).await;
    assert_eq!(over_http.len(), 1, "{over_http:?}");
    assert_eq!((over_http[0].0, over_stdio[0].0), ("died", "died"));
    let expected = "the server came up, and broke the connection before it answered";
    assert!(over_http[0].1.starts_with(expected), "{over_http:?}");
    assert!(over_http[0].1.ends_with("during a call of `t`"), "{over_http:?}");
}

#[tokio::test]
async fn a_server_that_dies_after_its_last_answer_died() {
    let place = Place::open(|asked| match asked.what() {
        "tools/list" => {
            let mut steps = result(asked, json!({"tools": []}));
            steps.push(Step::Die);
            Some(steps)
        }
        _ => None,
    })
    .await;
    let over_http = outages(&over(&place.url())).await;
    let over_stdio = outages(&shell("exit 3")).await;
    assert_eq!((over_http[0].0, over_stdio[0].0), ("died", "died"));
    assert_eq!(over_http[0].1, "the server came up, and cannot be reached any more");
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_named_with_the_call() {
    let place = place(vec![Step::Hang]).await;
    let over_http = outages(&over(&place.url())).await;
    let over_stdio = outages(&shell("sleep 20")).await;
    assert!(!over_http.is_empty());
    assert_eq!(over_http[0], over_stdio[0]);
    assert_eq!(over_http[0].0, "no-answer");
}

#[tokio::test]
async fn a_call_that_fails_by_http_is_told_as_what_it_was() {
    let place = place(http("502 Bad Gateway", "", "upstream")).await;
    let outages = outages(&over(&place.url())).await;
    assert_eq!(outages[0].0, "no-answer");
    assert_eq!(
        outages[0].1,
        "the call was not answered: the server answered with HTTP 502 Bad Gateway, saying: upstream"
    );
}

#[tokio::test]
async fn a_server_that_is_not_there_never_came_up() {
    let place = place(vec![]).await;
    let url = place.url();
    drop(place);
    tokio::task::yield_now().await;
    let over_http = look(&over(&url)).await;
    let command = vec!["/does/not/exist".to_owned()];
    let over_stdio = look(&Server { shown: command.clone(), command, ..over("") }).await;
    assert!(matches!(over_http, Err(InspectError::Start(_))), "{over_http:?}");
    assert!(matches!(over_stdio, Err(InspectError::Start(_))), "{over_stdio:?}");
}

#[tokio::test]
async fn a_server_that_does_not_list_its_tools_is_found() {
    let place = Place::open(|asked| match asked.what() {
        "initialize" => Some(super::place::json_answer(&initialized(asked))),
        "tools/list" => Some(http("401 Unauthorized", "", "")),
        _ => None,
    })
    .await;
    let outages = outages(&over(&place.url())).await;
    assert_eq!(outages.len(), 1);
    assert_eq!(outages[0].0, "not-listed");
    assert!(outages[0].1.contains("answered with HTTP 401 Unauthorized"), "{outages:?}");
}
