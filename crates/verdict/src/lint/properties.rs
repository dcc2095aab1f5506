//! What must hold for any definitions.

use frankly_contract::ToolDef;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::testing::found_in;
use super::{Audience, Prefix, RULES, lint_all};
use crate::ToolSet;

/// Names as servers give them, and odd ones.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "(get|list|create|update|delete|search|run|send)(_[a-z]{1,6}){1,2}",
        "(get|list|create)[A-Z][a-z]{1,5}s?",
        "[a-z]{1,5}-[a-z]{1,5}",
        ".{0,8}",
    ]
}

/// Sentences in which names may be meant as anything.
fn prose() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        name(),
        "(call|use|the|tool|parameter|pass|set|required|must be given|either|or|a|list of|all)",
        "[`\"'(.,:;/=\n*-]{1,2}",
        ".{0,3}",
    ];
    prop::collection::vec(word, 0..14).prop_map(|words| words.join(" "))
}

fn tools() -> impl Strategy<Value = Vec<ToolDef>> {
    let parameter = (name(), prose());
    let tool = (name(), prose(), prop::collection::vec(parameter, 0..3));
    let tool = tool.prop_map(|(name, prose, parameters)| {
        let properties: serde_json::Map<String, Value> = parameters
            .into_iter()
            .map(|(name, prose)| (name, json!({"type": "string", "description": prose})))
            .collect();
        ToolDef::new(name, prose, json!({"type": "object", "properties": properties}))
    });
    prop::collection::vec(tool, 0..5)
}

fn found(tools: Vec<ToolDef>, rule: &str) -> Vec<crate::Finding> {
    let rule = RULES.iter().find(|known| known.doc().name == rule).unwrap();
    found_in(*rule, ToolSet::new("s", tools))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_prose_can_be_linted(tools in tools()) {
        for finding in lint_all(&[ToolSet::new("s", tools)], &Audience::default()) {
            prop_assert!(!finding.what.is_empty() && !finding.reads_as.is_empty() && !finding.next.is_empty());
            prop_assert!(finding.evidence.chars().count() < 500, "{}", finding.evidence);
        }
    }

    #[test]
    fn a_tool_that_exists_is_no_ghost(
        names in prop::collection::btree_set("(get|list|create)_[a-z]{2,8}", 2..6),
        said in "(call|use the|first call|see|via) ",
        end in "( tool)?( first)?[.]?",
    ) {
        let tools = names.iter().map(|name| {
            let said: String = names.iter().map(|other| format!("{said}{other}{end}\n")).collect();
            ToolDef::new(name.as_str(), said, json!({"type": "object"}))
        });
        prop_assert_eq!(found(tools.collect(), "ghost-reference"), []);
    }

    #[test]
    fn siblings_that_name_each_other_have_a_boundary(
        names in prop::collection::btree_set("(get|list|fetch)_[a-z]{2,8}", 2..6),
        text in "[A-Z][a-z]{2,6}( [a-z]{2,6}){1,6}",
    ) {
        let tools = names.iter().map(|name| {
            let others: Vec<&str> = names.iter().filter(|other| *other != name).map(String::as_str).collect();
            ToolDef::new(name.as_str(), format!("{text}, see {}.", others.join(" ")), json!({"type": "object"}))
        });
        prop_assert_eq!(found(tools.collect(), "no-boundary"), []);
    }

    #[test]
    fn what_requires_something_is_not_all_optional(tools in tools()) {
        let requiring = tools.into_iter().filter_map(|tool| {
            let first = tool.parameters().next()?.0.to_owned();
            let mut raw = tool.raw().clone();
            raw["inputSchema"]["required"] = json!([first]);
            Some(ToolDef::from_raw(raw))
        });
        prop_assert_eq!(found(requiring.collect(), "optional-everything"), []);
    }

    #[test]
    fn what_has_a_limit_has_one(tools in tools()) {
        let limited = tools.into_iter().map(|tool| {
            let mut raw = tool.raw().clone();
            raw["inputSchema"]["properties"]["limit"] = json!({"type": "integer"});
            ToolDef::from_raw(raw)
        });
        prop_assert_eq!(found(limited.collect(), "no-limit"), []);
    }

    #[test]
    fn a_plain_name_is_portable(name in "[a-zA-Z_][a-zA-Z0-9_-]{0,63}") {
        let tool = ToolDef::new(name, "", json!({"type": "object"}));
        prop_assert_eq!(found(vec![tool], "name-not-portable"), []);
    }

    #[test]
    fn what_can_be_seen_is_not_invisible(text in "([ -~]|[à-ÿ]|[α-ω]|[ぁ-ん]|[一-鿿]|\n){0,60}") {
        let tool = ToolDef::new("t", text, json!({"type": "object"}));
        prop_assert_eq!(found(vec![tool], "invisible-text"), []);
    }

    #[test]
    fn one_zero_width_space_in_latin_text_is_found(before in "[a-z ]{0,20}[a-z]", after in "[a-z][a-z ]{0,20}") {
        let tool = ToolDef::new("t", format!("{before}\u{200b}{after}"), json!({"type": "object"}));
        prop_assert_eq!(found(vec![tool], "invisible-text").len(), 1);
    }

    #[test]
    fn a_default_that_is_said_as_it_is_has_not_drifted(default in 0u32..2000, most in 2000u32..9000) {
        let said = format!("How many (default {default}, max {most}).");
        let limit = json!({"type": "integer", "description": said, "default": default, "maximum": most});
        let tool = ToolDef::new("t", "", json!({"type": "object", "properties": {"n": limit}}));
        prop_assert_eq!(found(vec![tool], "default-drift"), []);
    }

    #[test]
    fn what_is_annotated_is_not_missing_annotations(tools in tools(), destroys in any::<bool>()) {
        let annotated = tools.into_iter().map(|tool| {
            let mut raw = tool.raw().clone();
            raw["annotations"] = json!({"readOnlyHint": false, "destructiveHint": destroys});
            ToolDef::from_raw(raw)
        });
        prop_assert_eq!(found(annotated.collect(), "missing-annotations"), []);
    }

    #[test]
    fn servers_that_are_prefixed_do_not_collide(tools in tools()) {
        let sets = ["a", "b"].map(|server| ToolSet::new(server, tools.clone()));
        let audience = Audience { prefix: Prefix::read("{server}__"), ..Audience::default() };
        let across: Vec<_> = lint_all(&sets, &audience)
            .into_iter()
            .filter(|finding| finding.rule == "name-collision" && finding.what.contains("also a tool of"))
            .collect();
        prop_assert_eq!(across, []);
    }
}
