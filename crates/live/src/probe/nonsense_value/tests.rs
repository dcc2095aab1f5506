use serde_json::json;

use super::super::consent::Nature;
use super::super::examples::{reading, sent};
use super::*;

const TOKEN: &str = "zz-no-such-value-7f3a";

/// Two rows, filtered by category; what is unknown is an empty list.
fn rows(arguments: &Value) -> Value {
    let rows = [json!({"category": "Dining", "n": 1}), json!({"category": "Rent", "n": 2})];
    let wanted = arguments.get("category");
    let rows: Vec<_> =
        rows.into_iter().filter(|row| wanted.is_none_or(|wanted| row["category"] == *wanted)).collect();
    json!({"content": [], "structuredContent": {"items": rows}})
}

fn fixed(_: &Value) -> Value {
    json!({"content": [{"type": "text", "text": "a report"}]})
}

async fn calls(tool: ToolDef, good: Value, nature: Nature, answer: fn(&Value) -> Value) -> Vec<Value> {
    let (outcome, sent) = sent(&NonsenseValue, tool, good, nature, answer).await;
    assert_eq!(outcome, Some(Outcome::Exercised), "{sent:?}");
    sent
}

fn text() -> Value {
    json!({"type": "string"})
}

#[tokio::test]
async fn a_given_filter_is_varied_between_two_good_calls() {
    let tool = reading("list", json!({"category": text(), "sql": text(), "n": {"type": "integer"}}), &[]);
    let good = json!({"category": "Dining", "n": 1, "sql": "SELECT 1"});
    let with = |value: &str| json!({"category": value, "n": 1, "sql": "SELECT 1"});
    let sent = calls(tool, good.clone(), Nature::Unmarked, rows).await;
    assert_eq!(sent, [good.clone(), with(TOKEN), with("dining"), good]);
}

#[tokio::test]
async fn a_filter_that_is_left_out_takes_its_value_from_the_rows() {
    let tool = reading("list", json!({"Category": text(), "category": text()}), &[]);
    let sent = calls(tool, json!({"Category": 3}), Nature::Reads, rows).await;
    let with = |value: &str| json!({"Category": 3, "category": value});
    let expected = [json!({"Category": 3}), with("Dining"), with(TOKEN), with("dining"), with("Dining")];
    assert_eq!(sent, expected);
}

#[tokio::test]
async fn without_a_known_value_only_the_nonsense_is_sent() {
    let tool = reading("report", json!({"region": text()}), &[]);
    let sent = calls(tool, json!({}), Nature::Reads, fixed).await;
    assert_eq!(sent, [json!({}), json!({"region": TOKEN})]);
}

#[tokio::test]
async fn an_id_that_is_a_number_is_varied_where_it_is_given() {
    let number = json!({"type": "integer"});
    let tool = reading("get_user", json!({"id": number, "team_id": number, "limit": number}), &["id"]);
    let good = json!({"id": 7, "limit": 3});
    let sent = calls(tool, good.clone(), Nature::Reads, fixed).await;
    assert_eq!(sent, [good.clone(), json!({"id": 2_147_480_173, "limit": 3}), good]);
}

#[tokio::test]
async fn a_path_keeps_its_directory_and_at_most_four_parameters_are_varied() {
    let tool = reading("read", json!({"path": text()}), &["path"]);
    let good = json!({"path": "/srv/notes.txt"});
    let sent = calls(tool, good.clone(), Nature::Reads, fixed).await;
    assert_eq!(sent, [good.clone(), json!({"path": format!("/srv/{TOKEN}.txt")}), good]);
    let names = ["a", "b", "c", "d", "e", "f"];
    let properties = names.map(|name| (name.to_owned(), text())).into_iter().collect();
    let sent = calls(reading("report", properties, &[]), json!({}), Nature::Reads, fixed).await;
    assert_eq!(sent.len(), 1 + MOST_PARAMETERS);
}

#[tokio::test]
async fn what_writes_is_sent_only_what_must_be_refused() {
    let properties = json!({"order_id": text(), "note_name": text(), "category": text()});
    let good = json!({"order_id": "o-1", "note_name": "Late", "category": "Dining"});
    let sent_to = async |name: &str| {
        sent(&NonsenseValue, reading(name, properties.clone(), &[]), good.clone(), Nature::Writes, fixed)
            .await
    };
    let (outcome, sent) = sent_to("cancel_order").await;
    assert_eq!(outcome, Some(Outcome::Exercised));
    assert_eq!(sent, [good.clone(), json!({"order_id": TOKEN, "note_name": "Late", "category": "Dining"})]);
    assert_eq!(sent_to("create_order").await, (None, Vec::new()));
}

#[tokio::test]
async fn a_good_call_that_finds_nothing_or_moves_exercises_nothing() {
    let tool = || reading("list", json!({"category": text()}), &[]);
    let (outcome, sent_calls) =
        sent(&NonsenseValue, tool(), json!({"category": "Rents"}), Nature::Reads, rows).await;
    let why = "the good call found nothing; give arguments that find something as tools.list.examples of the server \
               in frankly.toml";
    assert_eq!((outcome, sent_calls.len()), (Some(Outcome::NotExercised(why.to_owned())), 1));
    let count = std::sync::atomic::AtomicUsize::new(1);
    let growing = move |_: &Value| {
        let rows = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        json!({"content": [], "structuredContent": {"items": vec![json!({"n": 1}); rows]}})
    };
    let (outcome, _) =
        sent(&NonsenseValue, tool(), json!({"category": "Rent"}), Nature::Reads, growing).await;
    let Some(Outcome::NotExercised(why)) = outcome else { panic!("{outcome:?}") };
    assert!(why.starts_with("the data moved: /result/structuredContent/items held more"), "{why}");
}
