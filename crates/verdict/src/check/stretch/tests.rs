use std::fmt::Write;

use super::*;
use crate::check::{CHECKS, check_all};
use crate::transcript::read_recording;
use crate::{Expected, Finding};

pub(super) const HEADER: &str = "{\"frankly\":\"recording\",\"version\":1}\n";

pub(super) fn in_stretches(session: &Transcript, size: Size) -> Vec<Finding> {
    told(session, size).into_parts().0
}

fn told(session: &Transcript, size: Size) -> Told {
    let mut stretches = Stretches::of(session.clone(), size);
    let mut told = Told::default();
    for frame in session.frames.clone() {
        if let Some(stretch) = stretches.push(frame) {
            told.add(stretch.judge());
        }
    }
    told.add(stretches.finish().judge());
    told
}

pub(super) fn read(text: &str) -> Transcript {
    read_recording("shop", text).unwrap()
}

pub(super) fn call(id: usize, name: &str, arguments: &str) -> String {
    format!(
        "{{\"from\":\"client\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\
         \"params\":{{\"name\":\"{name}\",\"arguments\":{arguments}}}}}}}\n"
    )
}

pub(super) fn answer(id: usize, result: &str) -> String {
    format!("{{\"from\":\"server\",\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}}}\n")
}

pub(super) fn text(text: &str) -> String {
    format!("{{\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}")
}

/// So many healthy calls, with ids from a number on.
pub(super) fn healthy(from: usize, count: usize) -> String {
    (from..from + count).fold(String::new(), |mut all, id| {
        let _ = write!(
            all,
            "{}{}",
            call(id, "get_boat", &format!("{{\"id\":\"b{id}\"}}")),
            answer(id, &text("a boat"))
        );
        all
    })
}

pub(super) fn small() -> Size {
    Size { bytes: 1 << 30, frames: 64 }
}

#[test]
fn what_fits_one_stretch_is_judged_as_a_whole() {
    for example in CHECKS.iter().flat_map(|check| check.doc().examples) {
        let session = read(example.input);
        let whole = check_all(&session);
        assert_eq!(in_stretches(&session, Size::default()), whole, "{}", example.about);
        assert_eq!(told(&session, Size::default()).into_parts().1.stretched, Default::default());
    }
}

#[test]
fn twins_stay_silent_however_they_are_cut() {
    let mut news = Vec::new();
    for check in CHECKS {
        let silent = check.doc().examples.iter().filter(|example| example.expected == Expected::Silence);
        for example in silent {
            let session = read(example.input);
            let whole = check_all(&session);
            for frames in [2, 3, 5, 8] {
                let found = in_stretches(&session, Size { bytes: 1 << 30, frames });
                let is_new = |one: &&Finding| !whole.iter().any(|known| known.rule == one.rule);
                news.extend(found.iter().filter(is_new).map(|one| {
                    format!("{}: {} ({frames}): {}: {}", check.doc().name, example.about, one.rule, one.what)
                }));
            }
        }
    }
    assert!(news.is_empty(), "{}", news.join("\n"));
}

#[test]
fn a_fault_is_found_wherever_it_lies() {
    let fault = |id: usize| {
        call(id, "get_boat", "{\"id\":\"b1\"}")
            + &answer(id, &text("{\\\"success\\\":false,\\\"error\\\":\\\"no such boat\\\"}"))
    };
    for before in 20..60 {
        let session = read(&(HEADER.to_owned() + &healthy(0, before) + &fault(1000) + &healthy(2000, 80)));
        let found = in_stretches(&session, small());
        let places: Vec<_> =
            found.iter().map(|one| (one.rule, one.frames.clone(), one.calls.clone())).collect();
        assert_eq!(places, [("buried-error", vec![2 * before + 1], vec![before])], "{before}");
    }
}

#[test]
fn a_relation_is_seen_over_the_seam() {
    // The same failing call, three times in a row.
    let fails = |id: usize| {
        let failed = "{\"content\":[{\"type\":\"text\",\"text\":\"INVALID_ARGS: `id` is unknown; list_boats has them\"}],\"isError\":true}";
        call(id, "get_boat", "{\"id\":\"x\"}") + &answer(id, failed)
    };
    for before in 20..60 {
        let three = fails(1000) + &fails(1001) + &fails(1002);
        let session = read(&(HEADER.to_owned() + &healthy(0, before) + &three + &healthy(2000, 80)));
        let found = in_stretches(&session, small());
        assert_eq!(found, check_all(&session), "{before}");
        assert_eq!(found.len(), 1);
    }
}

#[test]
fn an_answer_that_comes_late_is_joined_and_judged() {
    let broken = answer(7777, &text("{\\\"success\\\":false,\\\"error\\\":\\\"no such boat\\\"}"));
    let end = "{\"event\":\"end\"}\n";
    for (late, rules) in [
        (answer(7777, &text("a boat")), vec![]),
        (broken, vec!["buried-error"]),
        (String::new(), vec!["lost-response"]),
    ] {
        let slow = call(7777, "get_boat", "{\"id\":\"slow\"}");
        let body = healthy(0, 10) + &slow + &healthy(100, 500) + &late + &healthy(1000, 200);
        for end in ["", end] {
            let session = read(&format!("{HEADER}{body}{end}"));
            let told = told(&session, small());
            let found: Vec<_> = told.findings().iter().map(|one| one.rule).collect();
            assert_eq!(found, rules, "{end}");
            assert!(told.findings().iter().all(|one| one.calls == [10] || one.calls[0] == 10));
            let (_, coverage) = told.into_parts();
            assert_eq!(
                (coverage.calls_made, coverage.calls_answered),
                (711, 711 - usize::from(late.is_empty()))
            );
        }
    }
}

#[test]
fn what_nobody_waits_for_is_told_once() {
    let stray = answer(7777, &text("a boat"));
    for before in [5, 28, 30, 33, 200] {
        let session = read(&(HEADER.to_owned() + &healthy(0, before) + &stray + &healthy(1000, 200)));
        let found = in_stretches(&session, small());
        assert_eq!(found.iter().map(|one| &one.frames[..]).collect::<Vec<_>>(), [[2 * before]], "{before}");
    }
}

#[test]
fn what_never_comes_is_bounded() {
    let lost: String = (0..3000).map(|id| call(id, "get_boat", "{\"id\":\"x\"}")).collect();
    let session = read(&(HEADER.to_owned() + &lost + "{\"event\":\"end\"}\n"));
    let mut stretches = Stretches::of(session.clone(), small());
    let mut told = Told::default();
    for frame in session.frames.clone() {
        if let Some(stretch) = stretches.push(frame) {
            assert!(stretch.transcript.frames.len() < 700);
            told.add(stretch.judge());
        }
    }
    told.add(stretches.finish().judge());
    let lost: std::collections::HashSet<_> = told.findings().iter().map(|one| one.frames.clone()).collect();
    assert_eq!(lost.len(), told.findings().len());
}

#[test]
fn whoever_sent_a_mark_long_ago_has_sent_it() {
    let with = |tenant: &str, line: String| {
        line.replace("{\"from\"", &format!("{{\"context\":{{\"tenant\":\"{tenant}\"}},\"from\""))
    };
    let mark = "{\"id\":\"doc-7f3e9c21x8\"}";
    let look = |tenant: &str, id: usize, said: &str| {
        with(tenant, call(id, "get_boat", mark)) + &with(tenant, answer(id, &text(said)))
    };
    let list = with("bolt", call(5000, "list_boats", "{}"))
        + &with("bolt", answer(5000, &text("doc-7f3e9c21x8 is one")));
    let middle = with("bolt", healthy(100, 200));
    for (first, expected) in [("bolt", 0), ("acme", 1)] {
        let text = look(first, 1, "a boat") + &middle + &look("acme", 2, "a boat") + &list;
        let session = read(&(HEADER.to_owned() + &text));
        let found = in_stretches(&session, small());
        assert_eq!(found.iter().filter(|one| one.rule == "scope-escape").count(), expected, "{first}");
    }
}

#[test]
fn tools_are_known_once_they_are_listed() {
    let list = "{\"from\":\"client\",\"msg\":{\"jsonrpc\":\"2.0\",\"id\":\"l\",\"method\":\"tools/list\"}}\n\
         {\"from\":\"server\",\"msg\":{\"jsonrpc\":\"2.0\",\"id\":\"l\",\"result\":{\"tools\":[{\"name\":\"get_boat\",\
         \"inputSchema\":{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"additionalProperties\":false}}]}}}\n";
    let typo = call(9000, "get_boat", "{\"di\":\"b1\"}") + &answer(9000, &text("a boat"));
    let session = read(&(HEADER.to_owned() + list + &healthy(0, 300) + &typo));
    let found: Vec<_> = in_stretches(&session, small()).into_iter().map(|one| one.rule).collect();
    assert_eq!(found, ["argument-ignored"]);
}

#[test]
fn a_request_that_fills_a_stretch_waits_for_its_answer() {
    let size = Size { bytes: 2000, frames: 64 };
    let long = |of: usize| format!("{{\"id\":\"{}\"}}", "b".repeat(of));
    for of in [1500, 3000, 3 << 20] {
        for (answered, expected) in [(1, &[][..]), (2, &["lost-response"][..])] {
            let session = read(
                &(HEADER.to_owned()
                    + &call(1, "get_boat", &long(of))
                    + &answer(answered, &text(&"a boat ".repeat(200)))
                    + &healthy(10, 20)
                    + "{\"event\":\"end\"}\n"),
            );
            let told = told(&session, size);
            let rules: std::collections::BTreeSet<_> = told.findings().iter().map(|one| one.rule).collect();
            assert_eq!(rules.into_iter().collect::<Vec<_>>(), expected, "{of} {answered}");
            assert_eq!(
                told.into_parts().1.calls_answered,
                20 + usize::from(answered == 1),
                "{of} {answered}"
            );
        }
    }
}

#[test]
fn what_was_listed_for_somebody_else_long_ago_accuses_nobody() {
    let list = |tenant: &str, id: usize, members: &str| {
        format!(
            "{{\"from\":\"client\",\"context\":{{\"tenant\":\"{tenant}\"}},\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/list\"}}}}\n\
             {{\"from\":\"server\",\"context\":{{\"tenant\":\"{tenant}\"}},\"msg\":{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"tools\":[{{\"name\":\"save\",\
             \"inputSchema\":{{\"type\":\"object\",\"properties\":{{{members}}},\"additionalProperties\":false}}}}]}}}}}}\n"
        )
    };
    let (a, b) = ("\"a\":{\"type\":\"string\"}", "\"b\":{\"type\":\"string\"}");
    let call = (call(9000, "save", "{\"a\":\"tea\",\"b\":\"rum\"}") + &answer(9000, &text("It is done.")))
        .replace("{\"from\"", "{\"context\":{\"tenant\":\"x\"},\"from\"");
    let lists = list("x", 8000, &format!("{a},{b}")) + &list("y", 8001, a);
    for between in [2, 300] {
        let session = read(&(HEADER.to_owned() + &lists + &healthy(0, between) + &call));
        let found: Vec<_> =
            in_stretches(&session, small()).into_iter().filter(|one| one.tool == "save").collect();
        assert_eq!(found, [], "{between}");
    }
}
