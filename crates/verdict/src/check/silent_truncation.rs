//! A part that reads as the whole.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Check;
use crate::paging::{is_limit_name, limit_of};
use crate::payload::{Items, List, ListKind, Payload, Statement};
use crate::report::{counted, shorten};
use crate::transcript::{Answer, Call, Transcript};
use crate::{Doc, Example, Expected, Finding, Severity};

/// Lengths at which lists are commonly cut.
const ROUND_CAPS: &[usize] = &[50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000];
const EVIDENCE_CHARS: usize = 160;
const REPAIR: &str = "say beside the items how many match (`matched`), that this is a part (`truncated: true`), and how \
                      to get the rest (`hint`, `next_cursor`)";

/// See [`DOC`].
pub(super) struct SilentTruncation;

static DOC: Doc = Doc {
    name: "silent-truncation",
    what: "a part of a list that does not say that it is a part",
    why: "The agent cannot see what was left out. It counts, adds up or searches what it got, and answers as if that \
          were everything: 50 of 262 rows became a total that was sixty dollars off.",
    severity: "error where a longer page, or the payload's own words, prove that items are missing; warning where the \
               caller itself asked for so few and the answer claims nothing, where only a stated total gives it away, \
               or where the length looks like a cap. The members `matched`, `truncated` and `hint` are this \
               project's convention; the protocol prescribes none.",
    examples: &[
        Example {
            about: "50 rows and `count: 50`, where a longer page has 51",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/count"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"count\":2,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"of":"a","limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"count\":3,\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"count\":2,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "the same page, saying that it is one",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"returned\":2,\"matched\":9,\"truncated\":true,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"of":"a","limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"returned\":3,\"matched\":9,\"truncated\":true,\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"returned\":2,\"matched\":9,\"truncated\":true,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "a row came in between: the first answer, asked again, is another",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2},{\"id\":3}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2},{\"id\":3}]"}]}}}"#,
        },
        Example {
            about: "the cut is only told below a `completed`",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/status"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sql","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"status\":\"completed\",\"data\":{\"rows\":[[1],[2]],\"rows_truncated\":3}}"}]}}}"#,
        },
        Example {
            about: "the cut is told at the top as well",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sql","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"status\":\"completed\",\"message\":\"Partial: 2 of 5 rows\",\"data\":{\"rows\":[[1],[2]],\"rows_truncated\":3}}"}]}}}"#,
        },
        Example {
            about: "a total that only who subtracts notices",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/total"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"total":7}}}}"#,
        },
        Example {
            about: "a total that equals the items, and another that counts something else",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"total":2,"total_cost":7}}}}"#,
        },
    ],
};

/// A successful call whose payload is a list.
struct Listing<'a, 'p> {
    call: &'a Call<'a>,
    response: usize,
    payload: &'p Payload<'a>,
    list: List<'p>,
    statements: Vec<Statement<'p>>,
    /// The limit that the caller stated: the argument's name and value.
    stated: Option<(&'a str, u64)>,
}

impl Check for SilentTruncation {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn check(&self, transcript: &Transcript, findings: &mut Vec<Finding>) {
        let calls = transcript.calls();
        let payloads: Vec<_> = calls
            .iter()
            .filter_map(|call| match (call.answer, call.response) {
                (Answer::Success(result), Some(response)) => Some((call, response, Payload::of(result))),
                _ => None,
            })
            .collect();
        let listings: Vec<_> = payloads
            .iter()
            .filter_map(|(call, response, payload)| listing(transcript, call, *response, payload))
            .collect();
        let mut groups: BTreeMap<(&str, String), Vec<&Listing<'_, '_>>> = BTreeMap::new();
        for listing in &listings {
            groups.entry((listing.call.name, other_arguments(listing))).or_default().push(listing);
        }
        let mut found: Vec<Finding> = Vec::new();
        for group in groups.values() {
            look_at_group(transcript, group, &mut found);
        }
        found.sort_by_key(|finding| finding.frames.first().copied());
        findings.extend(found);
    }
}

fn listing<'a, 'p>(
    transcript: &Transcript,
    call: &'a Call<'a>,
    response: usize,
    payload: &'p Payload<'a>,
) -> Option<Listing<'a, 'p>> {
    let list = payload.list_or_block()?;
    let known = transcript.tool(call.name).and_then(limit_of).map(|limit| limit.name);
    let stated = call.arguments.into_iter().flatten().find_map(|(name, value)| {
        let is_limit = known.as_ref().map_or_else(|| is_limit_name(name), |known| known == name);
        is_limit.then(|| Some((name.as_str(), value.as_u64()?))).flatten()
    });
    Some(Listing { call, response, payload, list, statements: payload.statements(), stated })
}

/// The arguments without the limit: calls that agree in them ask for pages of the same list.
fn other_arguments(listing: &Listing<'_, '_>) -> String {
    let limit = listing.stated.map(|(name, _)| name);
    let others: Map<String, Value> = listing
        .call
        .arguments
        .into_iter()
        .flatten()
        .filter(|(name, _)| Some(name.as_str()) != limit)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    Value::Object(others).to_string()
}

/// Looks at pages of the same list: each by itself, and the shorter ones beside the longer ones.
fn look_at_group(transcript: &Transcript, group: &[&Listing<'_, '_>], found: &mut Vec<Finding>) {
    let mut compared: Vec<Option<u64>> = Vec::new();
    for (position, page) in group.iter().enumerate() {
        if let Some(finding) = claims_against_itself(transcript, page) {
            found.push(finding);
            continue;
        }
        let bound = page.stated.map(|(_, limit)| limit);
        if page.admits_more() || compared.contains(&bound) {
            continue;
        }
        match longer_page(page, &group[position + 1..]) {
            Some(longer) => {
                compared.push(bound);
                found.extend(proven_partial(transcript, page, longer, group));
            }
            None if group.iter().any(|other| page.is_confirmed_by(other)) => {}
            None => found.extend(looks_capped(transcript, page)),
        }
    }
}

impl Listing<'_, '_> {
    fn admits_more(&self) -> bool {
        let total = self.total().is_some();
        self.statements.iter().any(|said| said.admits_more() || (total && said.is_coordinate()))
    }

    /// A total beside the list that is more than its items. One object by itself is no list of one.
    fn total(&self) -> Option<(&Statement<'_>, u64)> {
        let items = Some(self.list.len() as u64).filter(|_| !self.is_single_block())?;
        self.statements.iter().find_map(|said| Some((said, said.total().filter(|total| *total > items)?)))
    }

    fn is_single_block(&self) -> bool {
        self.list.kind == ListKind::Blocks && self.list.len() == 1
    }

    /// The count that a reader takes for the number of all.
    fn count(&self) -> Option<&Statement<'_>> {
        let items = self.list.len() as u64;
        self.statements.iter().find(|said| said.count() == Some(items))
    }

    /// Whether another call asked for more and got no more: then this is everything.
    fn is_confirmed_by(&self, other: &Self) -> bool {
        let asked_for_more = match (self.stated, other.stated) {
            (Some((_, mine)), Some((_, theirs))) => theirs > mine,
            (None, Some((_, theirs))) => theirs > self.list.len() as u64,
            (_, None) => false,
        };
        asked_for_more && other.list.len() == self.list.len()
    }

    fn finding(&self, finding: Finding, others: &[&Self]) -> Finding {
        let all = || std::iter::once(self).chain(others.iter().copied());
        Finding {
            frames: all().map(|page| page.response).collect(),
            calls: all().map(|page| page.call.index).collect(),
            replay: all().map(|page| page.call.to_tool_call()).collect(),
            evidence: self.payload.outline(&self.list, EVIDENCE_CHARS),
            ..finding
        }
    }
}

/// A page that says it is complete at the top and cut below, or that states a larger total and no way to it.
fn claims_against_itself(transcript: &Transcript, page: &Listing<'_, '_>) -> Option<Finding> {
    let (tool, items, noun) = (page.call.name, page.list.len(), page.list.noun());
    let top_admits = page.statements.iter().any(|said| said.depth == 1 && said.admits_more());
    let buried = page.statements.iter().find(|said| said.depth > 1 && said.admits_more());
    let done = page.statements.iter().find(|said| said.depth == 1 && said.claims_done());
    if let (false, Some(done), Some(buried)) = (top_admits, done, buried) {
        let finding =
            Finding::proven(&DOC, Severity::Error, &transcript.server, tool, done.pointer.clone()).saying(
                format!("the top of the answer says that all is done, and only `{}` further down says that {noun}s are \
                         missing", last_token(&buried.pointer)),
                exactly(items),
                "say at the top that the answer is a part, how many match, and how to get the rest",
            );
        return Some(page.finding(finding, &[]));
    }
    let (said, total) = page.total().filter(|_| !page.admits_more())?;
    let finding = Finding::suspected(&DOC, &transcript.server, tool, said.pointer.clone()).saying(
        format!("{items} of {total} {noun}s came back, and only who compares the two numbers notices"),
        format!("these {items} are what was asked for"),
        REPAIR,
    );
    Some(page.finding(finding, &[]))
}

/// The first later page that was asked for with a larger limit and holds more.
fn longer_page<'g, 'a, 'p>(
    page: &Listing<'a, 'p>,
    later: &[&'g Listing<'a, 'p>],
) -> Option<&'g Listing<'a, 'p>> {
    later.iter().copied().find(|other| {
        let asked_for_more = match (page.stated, other.stated) {
            (Some((_, mine)), Some((_, theirs))) => theirs > mine,
            (None, Some(_)) => true,
            (_, None) => false,
        };
        asked_for_more && goes_on(&page.list, &other.list)
    })
}

/// Whether the second list is a longer form of the first. Lines of prose have no shape of their own: only the
/// same text, continued, is more of it.
fn goes_on(list: &List<'_>, longer: &List<'_>) -> bool {
    let same_text = match (&list.items, &longer.items) {
        (Items::Lines(lines), Items::Lines(more)) => more.starts_with(lines),
        _ => list.kind == longer.kind,
    };
    same_text && longer.len() > list.len()
}

fn proven_partial(
    transcript: &Transcript,
    page: &Listing<'_, '_>,
    longer: &Listing<'_, '_>,
    group: &[&Listing<'_, '_>],
) -> Option<Finding> {
    let again =
        group.iter().copied().find(|other| other.stated == page.stated && other.response > longer.response);
    if again.is_some_and(|again| again.list != page.list) {
        return None;
    }
    let (tool, items, noun) = (page.call.name, page.list.len(), page.list.noun());
    let count = page.count();
    let pointer = count.map_or_else(|| page.list.pointer().to_owned(), |count| count.pointer.clone());
    let as_asked =
        page.stated.is_some_and(|(_, limit)| limit == items as u64 || page.list.kind == ListKind::Lines);
    let finding = match again {
        None => Finding::suspected(&DOC, &transcript.server, tool, pointer),
        Some(_) if as_asked && count.is_none() => {
            Finding::proven(&DOC, Severity::Warning, &transcript.server, tool, pointer)
        }
        Some(_) => Finding::proven(&DOC, Severity::Error, &transcript.server, tool, pointer),
    };
    let claim =
        count.map(|count| format!(" and says `{}: {items}`", last_token(&count.pointer))).unwrap_or_default();
    let (name, limit) = longer.stated?;
    let finding = finding.saying(
        format!(
            "the answer holds {}{claim}; the same call with `{name}: {limit}` holds {}, and nothing in the \
             shorter answer says that there are more",
            counted(items, noun),
            longer.list.len()
        ),
        exactly(items),
        REPAIR,
    );
    let others: Vec<_> = std::iter::once(longer).chain(again).collect();
    let mutation = page.stated.map_or_else(|| format!("without {name}"), |(name, _)| name.to_owned());
    Some(Finding { mutation, ..page.finding(finding, &others) })
}

/// A list exactly as long as its cap, which says nothing of what lies beyond.
fn looks_capped(transcript: &Transcript, page: &Listing<'_, '_>) -> Option<Finding> {
    let items = page.list.len();
    let states_a_total = page.statements.iter().any(|said| said.total().is_some() || said.is_coordinate());
    let says_no_more = page.statements.iter().any(Statement::denies_more);
    let is_text = page.list.kind == ListKind::Lines;
    if is_text || page.stated.is_some() || states_a_total || says_no_more {
        return None;
    }
    let default = transcript.tool(page.call.name).and_then(limit_of).and_then(|limit| limit.default);
    let cap = if default == Some(items as u64) {
        "the default of its limit"
    } else if ROUND_CAPS.contains(&items) {
        "a usual cap"
    } else {
        return None;
    };
    let finding = Finding::suspected(&DOC, &transcript.server, page.call.name, page.list.pointer()).saying(
        format!(
            "the answer holds {}, which is {cap}, and does not say whether there are more",
            counted(items, page.list.noun())
        ),
        exactly(items),
        REPAIR,
    );
    Some(page.finding(finding, &[]))
}

fn exactly(items: usize) -> String {
    if items == 1 { "there is exactly 1".to_owned() } else { format!("there are exactly {items}") }
}

fn last_token(pointer: &str) -> String {
    shorten(pointer.rsplit('/').next().unwrap_or_default(), 40)
}
