//! What exists: tools, parameters, values, and whatever else a name may mean.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use frankly_contract::ToolDef;
use serde_json::Value;

use super::super::super::action::{Action, singular};
use super::super::super::audience::configured;
use super::super::super::mentions::{self, Style, Token};
use super::super::super::prose;
use crate::ToolSet;
use crate::names::{normalise, words};
use crate::schema::{self, Place};

/// Everything that one agent sees, by names without case and punctuation.
pub(super) struct Known<'a> {
    tools: HashMap<String, &'a str>,
    exact: HashSet<&'a str>,
    /// Tools by their name without its first word, such as `update_issue` for `jira_update_issue`.
    without_prefix: HashMap<String, &'a str>,
    others: HashSet<String>,
    servers: HashSet<String>,
    styles: HashSet<Style>,
    /// The words of the tools' objects, singular.
    nouns: HashSet<String>,
}

impl<'a> Known<'a> {
    pub fn of(sets: &'a [ToolSet]) -> Self {
        let tools: Vec<&ToolDef> =
            sets.iter().flat_map(|set| &set.tools).filter(|tool| !tool.name().is_empty()).collect();
        let mut known = Self {
            tools: tools.iter().map(|tool| (normalise(tool.name()), tool.name())).collect(),
            exact: tools.iter().map(|tool| tool.name()).collect(),
            without_prefix: HashMap::new(),
            others: HashSet::new(),
            servers: sets.iter().map(|set| normalise(&configured(&set.server))).collect(),
            styles: tools.iter().filter_map(|tool| mentions::style(tool.name())).collect(),
            nouns: HashSet::new(),
        };
        for set in sets {
            known.others.extend(defined_in_prose(prose::readable(&set.instructions)).map(normalise));
        }
        for tool in tools {
            let words = words(tool.name());
            if words.len() > 2 {
                known.without_prefix.entry(words[1..].concat()).or_insert(tool.name());
            }
            let object = Action::of(tool.name()).map(|action| action.object).unwrap_or_default();
            known.nouns.extend(object.iter().map(|word| singular(word)));
            names_in(tool, &mut known.others);
        }
        known
    }

    /// Whether a name means something here: a tool, with or without a client's prefix, a parameter, a value, a field.
    pub fn has(&self, name: &str) -> bool {
        let spoken = normalise(name);
        self.exact.contains(name) || self.others.contains(&spoken) || self.is_prefixed(name)
    }

    /// `mcp__server__list_tables` for `list_tables`.
    fn is_prefixed(&self, name: &str) -> bool {
        let words = words(name);
        name.rsplit("__").next().is_some_and(|last| last != name && self.exact.contains(last))
            || (1..words.len().saturating_sub(1)).any(|at| self.tools.contains_key(&words[at..].concat()))
    }

    /// Whether a name is one of these servers' own, as clients write it, and of no tool: `mcp__server__gone`.
    pub fn is_own_and_gone(&self, name: &str) -> bool {
        let Some((server, tool)) = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) else {
            return false;
        };
        self.servers.contains(&normalise(server))
            && !tool.is_empty()
            && !self.tools.contains_key(&normalise(tool))
    }

    /// The tool that is most likely meant by a name that none has.
    pub fn similar_tool(&self, name: &str) -> Option<&'a str> {
        let words = words(name);
        let spoken = words.concat();
        let otherwise = self.tools.get(&spoken).or_else(|| self.without_prefix.get(&spoken));
        otherwise.copied().or_else(|| {
            let last = words.last()?;
            let other_number =
                if last.ends_with('s') { spoken.strip_suffix('s')?.to_owned() } else { format!("{spoken}s") };
            self.tools.get(&other_number).or_else(|| self.without_prefix.get(&other_number)).copied()
        })
    }

    /// Whether tools here are named in this style.
    pub fn has_style(&self, name: &str) -> bool {
        mentions::style(name).is_some_and(|style| self.styles.contains(&style))
    }

    /// Whether names with hyphens are usual here.
    pub fn is_kebab(&self) -> bool {
        self.styles.contains(&Style::Kebab)
    }

    /// Whether a name is about what the tools here are about.
    pub fn shares_a_noun(&self, name: &str) -> bool {
        Action::of(name)
            .is_some_and(|action| action.object.iter().any(|word| self.nouns.contains(&singular(word))))
    }
}

/// How many names of parameters are compared for one tool.
const MOST_COMPARISONS: usize = 100_000;

/// What one tool takes.
pub(super) struct Own<'a> {
    /// The names of its parameters, also of nested ones.
    pub parameters: Vec<&'a str>,
    spoken: HashSet<String>,
    /// How many names may still be compared with one that nothing has.
    comparisons: Cell<usize>,
    /// Whether a call may hold names that the schema does not list.
    pub is_open: bool,
}

impl<'a> Own<'a> {
    /// What nobody knows: any name may be meant.
    pub fn unknown() -> Self {
        Self {
            parameters: Vec::new(),
            spoken: HashSet::new(),
            comparisons: Cell::new(MOST_COMPARISONS),
            is_open: true,
        }
    }

    pub fn of(tool: &'a ToolDef) -> Self {
        let mut own = Self { is_open: false, ..Self::unknown() };
        let Some(root) = tool.input_schema().filter(|root| root.is_object()) else {
            own.is_open = true;
            return own;
        };
        schema::walk(root, "", &mut |node, _, place| {
            if let Place::Property(name) = place {
                own.parameters.push(name);
                own.spoken.insert(normalise(name));
            }
            // Values are listed as arguments are.
            ["enum", "const"]
                .iter()
                .filter_map(|keyword| node.get(keyword))
                .for_each(|value| strings(value, &mut own.spoken));
            own.is_open = own.is_open || is_open(node, place);
        });
        own
    }

    pub fn has(&self, name: &str) -> bool {
        self.spoken.contains(&normalise(name))
    }

    /// The parameter that is most likely meant by a name that none has, and whether that is certain: a tool with
    /// thousands of parameters and of wrong names is not compared to the end.
    pub fn similar(&self, name: &str) -> (Option<&'a str>, bool) {
        match self.comparisons.get().checked_sub(self.parameters.len()) {
            Some(left) => {
                self.comparisons.set(left);
                (self.nearest(name), true)
            }
            None => (None, false),
        }
    }

    fn nearest(&self, name: &str) -> Option<&'a str> {
        let spelled = frankly_contract::nearest(name, self.parameters.iter().copied());
        spelled.or_else(|| {
            // `format` for `output_format`.
            let asked = words(name);
            let holds = |known: &&&str| {
                let known = words(known);
                !asked.is_empty()
                    && !known.is_empty()
                    && (asked.iter().all(|word| known.contains(word))
                        || known.iter().all(|word| asked.contains(word)))
            };
            self.parameters.iter().find(holds).copied()
        })
    }
}

/// Whether a schema takes names that it does not list: an object of anything, a text that holds JSON, a reference.
fn is_open(node: &Value, place: Place<'_>) -> bool {
    let is_map = node.get("additionalProperties").is_some_and(|more| more != &Value::Bool(false));
    let lists =
        |keyword: &str| node.get(keyword).and_then(Value::as_object).is_some_and(|all| !all.is_empty());
    let is_object = schema::types(node).contains(&"object") && place != Place::Root;
    let is_root_of_parts = place == Place::Root
        && ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|keyword| node.get(keyword).is_some());
    let says_json = node
        .get("description")
        .and_then(Value::as_str)
        .is_some_and(|text| text.contains("JSON") || text.contains("json"));
    let is_text = schema::types(node).contains(&"string") && says_json;
    let is_anything = place != Place::Root
        && node.as_object().is_some_and(|node| {
            node.keys().all(|key| matches!(key.as_str(), "description" | "title" | "default"))
        });
    is_map && !lists("properties")
        || (is_object && !lists("properties"))
        || is_root_of_parts
        || is_text
        || is_anything
        || node.get("patternProperties").is_some()
}

/// Adds every name that a definition gives a meaning to, apart from the tool's own.
fn names_in(tool: &ToolDef, names: &mut HashSet<String>) {
    for root in [tool.input_schema(), tool.output_schema()].into_iter().flatten() {
        schema::walk(root, "", &mut |node, _, place| {
            if let Place::Property(name) = place {
                names.insert(normalise(name));
            }
            for keyword in ["const", "default", "enum", "example", "examples"] {
                node.get(keyword).into_iter().for_each(|value| strings(value, names));
            }
        });
    }
    names.extend(defined_in_prose(prose::readable(tool.description())).map(normalise));
}

/// The texts in a value, and its keys.
fn strings(value: &Value, names: &mut HashSet<String>) {
    match value {
        Value::String(text) => {
            names.insert(normalise(text));
        }
        Value::Array(items) => items.iter().for_each(|item| strings(item, names)),
        Value::Object(members) => members.iter().for_each(|(name, member)| {
            names.insert(normalise(name));
            strings(member, names);
        }),
        _ => {}
    }
}

/// The names at the head of lines that go on to explain them: `- set_name: renames it`.
fn defined_in_prose(description: &str) -> impl Iterator<Item = &str> {
    description.lines().filter_map(|line| {
        let first: Token<'_> = mentions::tokens(line.get(..line.len().min(200)).unwrap_or_default())
            .find(|token| !token.text.chars().all(|c| c.is_ascii_digit()))?;
        let rest = line[first.end()..].trim_start_matches(['`', '*', '"', '\'', ' ']);
        let head = line[..first.start].chars().all(|c| !c.is_alphabetic());
        (head && rest.starts_with([':', '(', '-', '–', '—', '=', '→']))
            .then_some(&line[first.start..first.end()])
    })
}
