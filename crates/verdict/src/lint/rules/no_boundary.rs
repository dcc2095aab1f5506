//! Two tools of one server that a reader cannot choose between.

use std::collections::BTreeMap;

use super::super::{Lint, Rule, prose};
use crate::names;
use crate::report::shorten;
use crate::{Doc, Example, Expected, Finding, Severity, ToolSet};

mod likeness;
mod profile;

use likeness::overlap;
use profile::{Profile, Vocabulary};

/// See [`DOC`].
pub(super) struct NoBoundary;

static DOC: Doc = Doc {
    name: "no-boundary",
    what: "tools of one server that overlap, and none of them says when to use the other",
    why: "The agent takes the one that is listed first, or the one whose name sounds more like the question. Where it \
          is the wrong one, nothing in the answer says so.",
    severity: "warning; information when only a part of a very large list was compared",
    examples: &[
        Example {
            about: "next, or frontier?",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "memory_next", "description": "Get next memory items.", "inputSchema": {"type": "object"}},
{"name": "memory_frontier", "description": "Get frontier memory items.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "each names the other",
            expected: Expected::Silence,
            input: r#"{"name": "memory_next", "description": "Gets the one best memory item to work on. For all open ones use `memory_frontier`.", "inputSchema": {"type": "object"}},
{"name": "memory_frontier", "description": "Gets all open memory items. For the best one use `memory_next`.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "one of them names the other, which is enough",
            expected: Expected::Silence,
            input: r#"{"name": "memory_next", "description": "Get next memory items.", "inputSchema": {"type": "object"}},
{"name": "memory_frontier", "description": "Get frontier memory items, which memory_next orders.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "one tool under two names",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "get_article", "description": "Gets the full text of an article.", "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}}}},
{"name": "wiki_get_article", "description": "Gets the full text of an article.", "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}}}}"#,
        },
        Example {
            about: "fetch, or retrieve?",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "fetch_order", "description": "Fetch an order from the shop.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
{"name": "retrieve_order", "description": "Retrieve an order of the shop.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}"#,
        },
        Example {
            about: "get, or describe?",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "get_resources", "description": "Get resources by type, name and namespace.", "inputSchema": {"type": "object", "properties": {"type": {"type": "string"}, "output": {"type": "string"}}}},
{"name": "describe_resources", "description": "Describe resources by type, name, and namespace.", "inputSchema": {"type": "object", "properties": {"type": {"type": "string"}}}}"#,
        },
        Example {
            about: "two names for all of them",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: r#"{"name": "list_orders", "description": "Lists the orders of the shop.", "inputSchema": {"type": "object"}},
{"name": "get_all_orders", "description": "Returns all orders.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "adding what exists, and creating it",
            expected: Expected::Silence,
            input: r#"{"name": "add_subtask", "description": "Adds a task below another one.", "inputSchema": {"type": "object", "properties": {"parent": {"type": "string"}, "child": {"type": "string"}}}},
{"name": "create_subtask", "description": "Creates a task below another one.", "inputSchema": {"type": "object", "properties": {"parent": {"type": "string"}, "title": {"type": "string"}}}}"#,
        },
        Example {
            about: "reading and deleting one noun",
            expected: Expected::Silence,
            input: r#"{"name": "get_order", "description": "Gets an order of the shop.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}},
{"name": "delete_order", "description": "Deletes an order of the shop.", "inputSchema": {"type": "object", "properties": {"id": {"type": "string"}}}}"#,
        },
        Example {
            about: "one verb on different nouns",
            expected: Expected::Silence,
            input: r#"{"name": "list_users", "description": "Lists all users in the organization.", "inputSchema": {"type": "object"}},
{"name": "list_groups", "description": "Lists all groups in the organization.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "one of them, and many",
            expected: Expected::Silence,
            input: r#"{"name": "get_order", "description": "Get orders of the shop.", "inputSchema": {"type": "object"}},
{"name": "list_orders", "description": "Get orders of the shop.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "words that tell their difference themselves",
            expected: Expected::Silence,
            input: r#"{"name": "get_open_orders", "description": "Get open orders of the shop.", "inputSchema": {"type": "object"}},
{"name": "get_archived_orders", "description": "Get archived orders of the shop.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "a listing and an aggregate",
            expected: Expected::Silence,
            input: r#"{"name": "list_sales", "description": "Lists sales of the shop.", "inputSchema": {"type": "object"}},
{"name": "count_sales", "description": "Counts sales of the shop.", "inputSchema": {"type": "object"}}"#,
        },
    ],
};

/// How many tools that look alike at first sight are compared one by one.
const MOST_ALIKE: usize = 100;

impl Rule for NoBoundary {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        for (set, subjects) in lint.by_set() {
            let vocabulary = Vocabulary::of(set);
            let profiles: Vec<_> = subjects.iter().map(Profile::of).collect();
            let compared = compare(&profiles, &vocabulary);
            findings.extend(compared.clusters.iter().map(|cluster| finding(set, cluster)));
            if compared.left_out > 0 {
                findings.push(capped(set, compared.left_out));
            }
        }
    }
}

/// What came of comparing the tools of one server.
struct Compared {
    /// Groups of tools, by their places, that overlap.
    clusters: Vec<Vec<usize>>,
    /// How many tools were not compared with all that they might overlap with.
    left_out: usize,
    /// How many pairs were looked at.
    #[cfg_attr(not(test), expect(dead_code, reason = "the work is counted so that a test can see it grow"))]
    pairs: usize,
}

fn compare(profiles: &[Profile<'_>], vocabulary: &Vocabulary) -> Compared {
    let mut index: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, profile) in profiles.iter().enumerate() {
        for key in &profile.keys {
            index.entry(*key).or_default().push(at);
        }
    }
    let mut parents: Vec<usize> = (0..profiles.len()).collect();
    let mut left_out = vec![false; profiles.len()];
    let mut pairs = 0;
    for alike in index.values() {
        let (compared, rest) = alike.split_at(alike.len().min(MOST_ALIKE));
        rest.iter().for_each(|at| left_out[*at] = true);
        for (place, a) in compared.iter().enumerate() {
            for b in &compared[place + 1..] {
                let (root_a, root_b) = (root(&mut parents, *a), root(&mut parents, *b));
                // Those that are in one group already need no further look.
                if root_a == root_b {
                    continue;
                }
                pairs += 1;
                if overlap(&profiles[*a], &profiles[*b], vocabulary) {
                    parents[root_a.max(root_b)] = root_a.min(root_b);
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for at in 0..profiles.len() {
        groups.entry(root(&mut parents, at)).or_default().push(at);
    }
    let clusters = groups.into_values().filter(|group| group.len() > 1).collect();
    Compared { clusters, left_out: left_out.iter().filter(|out| **out).count(), pairs }
}

/// The first of the group that this one is in; the way there is cut short for the next time.
fn root(parents: &mut [usize], mut at: usize) -> usize {
    while parents[at] != at {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    at
}

fn finding(set: &ToolSet, cluster: &[usize]) -> Finding {
    const MOST_NAMED: usize = 4;
    const EVIDENCE_CHARS: usize = 100;
    let first = set.label(cluster[0]);
    let others: Vec<String> = cluster[1..].iter().map(|at| format!("`{}`", set.label(*at))).collect();
    let mut named = others[..others.len().min(MOST_NAMED)].join(", ");
    if others.len() > MOST_NAMED {
        named = format!("{named} and {} more", others.len() - MOST_NAMED);
    }
    let silence = if others.len() == 1 {
        "neither says when to use the other"
    } else {
        "none of them says when to use which"
    };
    let said = cluster.iter().take(2).map(|at| {
        let description = prose::sentences(set.tools[*at].description()).next().unwrap_or_default();
        format!("{:?}", shorten(description, EVIDENCE_CHARS))
    });
    let evidence: Vec<String> = said.collect();
    Finding::suspected(&DOC, &set.server, &first, "/description")
        .saying(
            format!("it overlaps with {named}, and {silence}"),
            "any of them will do",
            missing_sentences(set, cluster),
        )
        .with_evidence(evidence.join(" / "))
}

/// What the first two do not say, as far as their names know it.
fn missing_sentences(set: &ToolSet, cluster: &[usize]) -> String {
    let name = |at: usize| cluster.get(at).map_or("", |tool| set.tools[*tool].name());
    let sentence = |of: &str, other: &str| {
        let known = names::words(other);
        let own: Vec<String> = names::words(of).into_iter().filter(|word| !known.contains(word)).collect();
        let own = if own.is_empty() { "…".to_owned() } else { shorten(&own.join(" "), 40) };
        format!("\"for {own} use `{}`\"", shorten(of, 60))
    };
    let (first, second) = (name(0), name(1));
    format!(
        "write {} into `{}` and {} into `{}`, each with what is different about it, or merge them",
        sentence(second, first),
        shorten(first, 60),
        sentence(first, second),
        shorten(second, 60)
    )
}

fn capped(set: &ToolSet, left_out: usize) -> Finding {
    let finding = Finding::suspected(&DOC, &set.server, "", "").saying(
        format!("{left_out} tools were not compared with all that look like them"),
        "these do not overlap",
        format!("split the list: more than {MOST_ALIKE} tools are worded alike"),
    );
    Finding { severity: Severity::Info, ..finding }
}

#[cfg(test)]
mod tests {
    use super::super::super::Audience;
    use super::super::super::testing::found_in;
    use super::*;
    use frankly_contract::ToolDef;
    use serde_json::json;

    fn look(tools: &[(&str, &str)]) -> Vec<Finding> {
        let tools = tools.iter().map(|(name, said)| ToolDef::new(*name, *said, json!({"type": "object"})));
        let set = ToolSet::new("s", tools.collect());
        found_in(&NoBoundary, set)
    }

    #[test]
    fn many_that_overlap_are_one_finding() {
        let names: Vec<String> = (0..7).map(|n| format!("memory_m{n}x")).collect();
        let said: Vec<String> = (0..7).map(|n| format!("Get m{n}x memory items.")).collect();
        let tools: Vec<_> = names.iter().map(String::as_str).zip(said.iter().map(String::as_str)).collect();
        let findings = look(&tools);
        assert_eq!(findings.len(), 1);
        assert!(findings[0].what.contains("`memory_m4x` and 2 more"), "{}", findings[0].what);
        let next = "write \"for m1x use `memory_m1x`\" into `memory_m0x` and \"for m0x use `memory_m0x`\" into `memory_m1x`";
        assert!(findings[0].next.starts_with(next), "{}", findings[0].next);
    }

    #[test]
    fn a_word_that_the_server_uses_elsewhere_is_a_noun_of_its_own() {
        let pair =
            [("get_project_updates", "Get project updates."), ("get_goal_updates", "Get goal updates.")];
        assert_eq!(look(&pair).len(), 1);
        let more = [("list_projects", "Lists what is planned."), ("list_goals", "Lists what is wanted.")];
        assert_eq!(look(&[pair, more].concat()), []);
    }

    #[test]
    fn thousands_that_look_alike_are_compared_in_part_and_it_is_said() {
        let tools: Vec<(String, String)> =
            (0..3000).map(|n| (format!("a{n}_do"), "Does the same thing for you.".into())).collect();
        let tools: Vec<(&str, &str)> =
            tools.iter().map(|(name, said)| (name.as_str(), said.as_str())).collect();
        let findings = look(&tools);
        assert!(findings.len() <= 2);
        assert_eq!(findings.last().map(|finding| finding.severity), Some(Severity::Info));
    }

    /// Pairs that are looked at for so many tools that are alike in some way and in none enough.
    fn pairs(count: usize, alike: usize) -> usize {
        let tools = (0..count).map(|n| {
            let (thing, family) = (n % alike, n / alike);
            let said = format!("Gets the family{family} records of open thing{thing} and their part{thing}.");
            ToolDef::new(format!("get_thing{thing}_of_{family}"), said, json!({"type": "object"}))
        });
        let (set, audience) = (ToolSet::new("s", tools.collect()), Audience::default());
        let sets = [set];
        let lint = Lint::of(&sets, &audience);
        let profiles: Vec<_> = lint.subjects().map(Profile::of).collect();
        compare(&profiles, &Vocabulary::of(&sets[0])).pairs
    }

    #[test]
    fn the_work_grows_as_the_list_does() {
        let least = 1_000;
        for alike in [1, 10, MOST_ALIKE, 1_000] {
            for count in [least, 2 * least, 4 * least] {
                // Each tool is found in three ways at most, each time beside so many.
                let most = 3 * count * MOST_ALIKE / 2;
                assert!(pairs(count, alike) <= most, "{count} tools, {alike} alike");
            }
        }
        assert!(pairs(least, MOST_ALIKE) > least, "nothing was compared");
    }

    #[test]
    fn other_languages_and_empty_ones_are_left_alone() {
        assert_eq!(
            look(&[("a", "注文の一覧を取得する"), ("b", "注文の一覧を取得する"), ("", ""), ("", "")]),
            []
        );
    }
}
