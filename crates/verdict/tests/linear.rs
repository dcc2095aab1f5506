//! What is looked at in a session must cost no more than in proportion to its length, and so must what is looked at in one
//! answer. No clock tells that on a busy machine: what is allocated does, to the byte, and is the same each time. What
//! compares or hashes without allocating is not seen here.

use allocation_counter::measure;
use frankly_verdict::check::{Answers, CHECKS, Check, Reading};
use frankly_verdict::transcript::{Redactor, Transcript, frame_line, read_recording};
use serde_json::{Value, json};

/// How much longer the longer one of two sessions is.
const TIMES: usize = 8;
/// It may take so many times more, as tables grow by doubling. What goes by the square takes 64 times more.
const MOST: u64 = 2 * TIMES as u64;
/// Less than this is no measure of anything.
const SLACK: u64 = 16 << 10;

/// Bytes and blocks that are allocated, weighed so that many small ones count too.
fn work(look: impl FnOnce()) -> u64 {
    let info = measure(look);
    info.bytes_total + 32 * info.count_total
}

fn read(lines: &str) -> Transcript {
    read_recording("example", lines).unwrap_or_else(|error| panic!("{error}: {lines:.400}"))
}

/// The checks that take more than in proportion for the longer of two sessions, with what they take.
fn beyond<'c>(checks: &[&'c dyn Check], sessions: [&str; 2]) -> Vec<(&'c dyn Check, [u64; 2])> {
    let sessions = sessions.map(read);
    let answers = sessions.each_ref().map(Answers::of);
    let readings = answers.each_ref().map(Reading::of);
    let took = checks.iter().map(|check| {
        (*check, readings.each_ref().map(|reading| work(|| check.check(reading, &mut Vec::new()))))
    });
    took.filter(|(_, [short, long])| *long > MOST * (short + SLACK)).collect()
}

/// Tells of checks that take more than in proportion for what is so long. Some compare each call with a few dozen others at
/// most, and reach that only in what is longer: whoever takes too much is held against that too.
fn hold(
    checks: &[&dyn Check],
    about: &str,
    short: usize,
    make: &dyn Fn(usize) -> String,
    told: &mut Vec<String>,
) {
    let (long, longest) = (short * TIMES, short * TIMES * TIMES);
    let suspects = beyond(checks, [&make(short), &make(long)]);
    if suspects.is_empty() {
        return;
    }
    let suspects: Vec<&dyn Check> = suspects.into_iter().map(|(check, _)| check).collect();
    for (check, [short, long]) in beyond(&suspects, [&make(long), &make(longest)]) {
        told.push(format!("{}: {about}: {short}, and {long} for {TIMES} times as much", check.doc().name));
    }
}

/// A recording with its frames so many times, each time under ids of its own.
fn repeated(recording: &str, times: usize) -> Option<String> {
    fn renumber(message: &mut Value, turn: usize) {
        match message {
            Value::Array(batch) => batch.iter_mut().for_each(|one| renumber(one, turn)),
            Value::Object(members) => match members.get_mut("id") {
                Some(Value::String(id)) => id.push_str(&format!("-{turn}")),
                Some(id) if id.is_u64() => *id = json!(id.as_u64().unwrap_or_default() + 1000 * turn as u64),
                _ => {}
            },
            _ => {}
        }
    }
    let mut lines = recording.lines();
    let mut repeated = lines.next()?.to_owned() + "\n";
    let frames: Vec<Value> = lines.map(serde_json::from_str).collect::<Result<_, _>>().ok()?;
    let (ends, frames): (Vec<_>, Vec<_>) = frames.into_iter().partition(|frame| frame.get("event").is_some());
    for turn in 0..times {
        for frame in &frames {
            let mut frame = frame.clone();
            if let Some(at_ms) = frame.get("at_ms").and_then(Value::as_u64) {
                frame["at_ms"] = json!(at_ms + 1_000_000 * turn as u64);
            }
            frame.get_mut("msg").into_iter().for_each(|message| renumber(message, turn));
            repeated += &format!("{frame}\n");
        }
    }
    ends.iter().for_each(|end| repeated += &format!("{end}\n"));
    Some(repeated)
}

#[test]
fn no_check_takes_more_than_in_proportion_for_what_it_is_there_to_find() {
    const SHORT: usize = 24;
    let mut told = Vec::new();
    for check in CHECKS {
        for example in check.doc().examples {
            // One with half a character in it is read by another reader.
            if repeated(example.input, 1).is_some() {
                let make = |times| repeated(example.input, times).unwrap_or_default();
                hold(&[*check], example.about, SHORT, &make, &mut told);
            }
        }
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

const HEADER: &str = r#"{"frankly":"recording","version":1,"tools":[
{"name":"list_boats","description":"Lists boats.","inputSchema":{"type":"object","properties":{"pier":{"type":"string"},"limit":{"type":"integer"},"cursor":{"type":"string"}}}},
{"name":"get_boat","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}},
{"name":"add_boat","inputSchema":{"type":"object","properties":{"name":{"type":"string"}}}}]}"#;

fn asked(id: usize, tool: &str, arguments: Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    let msg = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
    json!({"from": "client", "at_ms": 10 * id, "msg": msg}).to_string() + "\n"
}

fn answered(id: usize, result: Value) -> String {
    let msg = json!({"jsonrpc": "2.0", "id": id, "result": result});
    json!({"from": "server", "at_ms": 10 * id + 5, "msg": msg}).to_string() + "\n"
}

fn told(value: Value) -> Value {
    json!({"content": [{"type": "text", "text": value.to_string()}], "structuredContent": value})
}

fn said(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

fn boats(from: usize, count: usize) -> Vec<Value> {
    (from..from + count).map(|id| json!({"id": format!("b{id}"), "name": format!("Tern {id}")})).collect()
}

/// A call of a session by its number: tool, arguments and result; without one it is never answered.
type Call = fn(usize) -> (&'static str, Value, Option<Value>);

/// Sessions of calls that are alike, in ways by which one is compared with others.
const SESSIONS: &[(&str, Call)] = &[
    ("lists by filters of their own", |n| {
        let list = json!({"boats": boats(n, 3), "total": 3});
        ("list_boats", json!({"pier": format!("pier {n}")}), Some(told(list)))
    }),
    ("the same call with the same answer", |_| {
        ("list_boats", json!({"pier": "N"}), Some(told(json!({"boats": boats(0, 3)}))))
    }),
    ("the same call with other answers", |n| {
        ("list_boats", json!({"pier": "N"}), Some(told(json!({"boats": boats(n, 3)}))))
    }),
    ("ever larger limits", |n| {
        ("list_boats", json!({"limit": n + 1}), Some(told(json!({"boats": boats(0, n % 60)}))))
    }),
    ("the pages of one list", |n| {
        let page = json!({"boats": boats(2 * n, 2), "next_cursor": format!("c{}", n + 1)});
        ("list_boats", json!({"cursor": format!("c{n}")}), Some(told(page)))
    }),
    ("nothing for values of their own", |n| {
        ("list_boats", json!({"pier": format!("pier {n}")}), Some(told(json!({"boats": []}))))
    }),
    ("arguments that nobody declared", |n| {
        ("get_boat", json!({"id": "b1", "hue": n}), Some(told(json!({"id": "b1", "name": "Tern"}))))
    }),
    ("failures of their own", |n| {
        let failed =
            json!({"isError": true, "content": [{"type": "text", "text": format!("no such boat: b{n}")}]});
        ("get_boat", json!({"id": format!("b{n}")}), Some(failed))
    }),
    ("the same failure", |_| {
        let failed = json!({"isError": true, "content": [{"type": "text", "text": "no such boat: b1"}]});
        ("get_boat", json!({"id": "b1"}), Some(failed))
    }),
    ("errors under the flag of a success", |n| {
        ("get_boat", json!({"id": format!("b{n}")}), Some(told(json!({"error": format!("no boat b{n}")}))))
    }),
    ("things that are written and read", |n| {
        let boat = json!({"id": format!("b{}", n / 2), "name": format!("Tern {}", n / 2)});
        match n % 2 {
            0 => ("add_boat", json!({"name": format!("Tern {}", n / 2)}), Some(told(boat))),
            _ => ("get_boat", json!({"id": format!("b{}", n / 2)}), Some(told(boat))),
        }
    }),
    ("one thing, written once and read often", |n| match n {
        0 => ("add_boat", json!({"name": "Tern"}), Some(told(json!({"id": "b0", "name": "Tern"})))),
        _ => ("list_boats", json!({}), Some(told(json!({"boats": boats(n, 2)})))),
    }),
    ("requests without an answer", |n| {
        let result = (n % 2 == 0).then(|| told(json!({"id": "b1"})));
        ("get_boat", json!({"id": format!("b{n}")}), result)
    }),
    ("credentials", |n| {
        ("get_boat", json!({"id": format!("b{n}")}), Some(said(&format!("password=hunter2-{n}x at 10:30"))))
    }),
];

fn session(call: Call, calls: usize) -> String {
    let lines = (0..calls).map(|n| {
        let (tool, arguments, result) = call(n);
        asked(n, tool, arguments) + &result.map(|result| answered(n, result)).unwrap_or_default()
    });
    lines.fold(HEADER.replace('\n', "") + "\n", |all, line| all + &line) + "{\"event\":\"end\"}\n"
}

#[test]
fn no_check_takes_more_than_in_proportion_for_a_session() {
    const SHORT: usize = 96;
    let mut found = Vec::new();
    for (about, call) in SESSIONS {
        hold(CHECKS, about, SHORT, &|calls| session(*call, calls), &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// An answer that is so long.
type Answer = fn(usize) -> Value;

/// Answers that are long in one way each.
const ANSWERS: &[(&str, Answer)] = &[
    ("rows", |n| told(json!({"boats": boats(0, n), "total": n}))),
    ("rows in a text", |n| said(&json!(boats(0, n)).to_string())),
    ("numbers", |n| told(json!({"numbers": (0..n).collect::<Vec<_>>()}))),
    ("members", |n| {
        let members = (0..n).map(|id| (format!("boat_{id}"), json!({"text": format!("Tern {id}")})));
        told(Value::Object(members.collect()))
    }),
    ("members beside a list", |n| {
        let mut answer: serde_json::Map<String, Value> =
            (0..n).map(|id| (format!("next_page_{id}"), json!(id))).collect();
        answer.insert("boats".to_owned(), json!(boats(0, 3)));
        told(Value::Object(answer))
    }),
    ("lines", |n| said(&(0..n).map(|id| format!("- Tern {id}, 1 of 9\n")).collect::<String>())),
    ("words", |n| said(&"not found: key = Bearer of 12 ".repeat(n))),
    ("one word", |n| said(&"aB3".repeat(n))),
    ("assignments", |n| said(&"password=hunter2-91x; ".repeat(n))),
    ("blocks", |n| {
        let block = |id: usize| json!({"type": "text", "text": format!("{{\"id\": \"Tern {id}\"}}")});
        json!({"content": (0..n).map(block).collect::<Vec<_>>()})
    }),
];

#[test]
fn no_check_takes_more_than_in_proportion_for_an_answer() {
    const SHORT: usize = 500;
    let mut found = Vec::new();
    for (about, answer) in ANSWERS {
        let make = |length: usize| {
            let calls = (0..3).map(|id| {
                asked(id, "list_boats", json!({"limit": 50 + id})) + &answered(id, answer(length + id))
            });
            calls.fold(HEADER.replace('\n', "") + "\n", |all, line| all + &line)
        };
        hold(CHECKS, about, SHORT, &make, &mut found);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn neither_does_what_reads_and_records() {
    const SHORT: usize = 200;
    let mut found = Vec::new();
    type Take = fn(&str);
    let ways: [(&str, Take); 3] = [
        ("reading", |lines| drop(read(lines))),
        ("joining", |lines| {
            let transcript = read(lines);
            let answers = Answers::of(&transcript);
            drop(Reading::of(&answers));
        }),
        ("recording", |lines| {
            let mut redactor = Redactor::default();
            let frames = read(lines).frames.into_iter();
            frames.for_each(|frame| drop(frame_line(&redactor.frame(frame))));
        }),
    ];
    let long = |answer: Answer, length| {
        session(|_| ("list_boats", json!({}), None), 1) + &answered(0, answer(length))
    };
    let sessions = SESSIONS
        .iter()
        .map(|(about, call)| (about, [SHORT, SHORT * TIMES].map(|calls| session(*call, calls))));
    let answers = ANSWERS
        .iter()
        .map(|(about, answer)| (about, [SHORT, SHORT * TIMES].map(|length| long(*answer, length))));
    for (about, sessions) in sessions.chain(answers) {
        for (way, take) in ways {
            let [short, long] = sessions.each_ref().map(|lines| work(|| take(lines)));
            if long > MOST * (short + SLACK) {
                found.push(format!("{way}: {about}: {short}, and {long} for {TIMES} times as much"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
