//! Which names in a sentence are meant as tools or parameters, and whether that is proven.

use std::collections::HashSet;

use super::super::super::action::verb;
use super::super::super::mentions::{
    Code, Style, Token, around, is_near, is_part, is_quoted, may_name, style, tokens,
};
use super::super::super::prose::{self};
use super::known::{Known, Own};
use crate::names::words;

/// What a name is meant as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Tool,
    Parameter,
}

/// A name that nothing has.
#[derive(Debug)]
pub(super) struct Ghost<'a> {
    pub name: &'a str,
    pub kind: Kind,
    /// Where the name is in the text, in bytes.
    pub at: usize,
    /// What is most likely meant.
    pub similar: Option<String>,
    /// Whether the sentence leaves no other reading.
    pub is_proven: bool,
}

/// How many names of one text are reported.
const MOST: usize = 20;
/// How many words away the one may be that governs a name.
const FAR: usize = 12;
/// How much of a sentence is read for what else it is about.
const SENTENCE_CHARS: usize = 400;

/// How plainly a sentence says what a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `use the x tool`.
    Tool,
    /// `call x`.
    Call,
    /// `use x to …`, `see x`.
    Hint,
    /// `the x parameter`.
    Parameter,
    /// `` set `x` to … ``, `` pass `x` ``.
    Setting,
}

/// The names in a text that are meant as tools or parameters and that nothing has.
pub(super) fn ghosts<'a, 'o>(
    text: &'a str,
    known: &Known<'_>,
    own: impl Fn() -> &'o Own<'o>,
) -> Vec<Ghost<'a>> {
    if !may_name(text, known.is_kebab()) {
        return Vec::new();
    }
    let tokens: Vec<Token<'_>> = tokens(text).collect();
    let sight = Sight { text, tokens: &tokens, kebab: known.is_kebab() };
    let code = Code::of(text);
    let mut seen = HashSet::new();
    let found = (0..tokens.len()).filter_map(|at| {
        let token = tokens[at];
        if known.is_own_and_gone(token.text) && seen.insert(token.text) {
            let (kind, similar) = (Kind::Tool, known.similar_tool(token.text).map(str::to_owned));
            return Some(Ghost { name: token.text, kind, at: token.start, similar, is_proven: false });
        }
        let form = sight.form(at)?;
        if known.has(token.text) || code.has(token.start) || !seen.insert(token.text) {
            return None;
        }
        match form {
            Form::Parameter => parameter(text, &token, own()),
            // Only where another name is so near that it must be meant.
            Form::Setting => parameter(text, &token, own()).filter(|ghost| ghost.similar.is_some()),
            _ => tool(text, &token, form, known),
        }
    });
    found.take(MOST).collect()
}

/// Words of a sentence that denies something, or tells of other times and places.
const ASIDES: &str = "aren cannot don deprecated doesn fixed formerly ignored isn like longer never no not obsolete old other \
                      previously removed renamed replaced unlike unsupported was";

fn tool<'a>(text: &str, token: &Token<'a>, form: Form, known: &Known<'_>) -> Option<Ghost<'a>> {
    /// Tools that many hosts bring along.
    const HOSTS: &str = "apply_patch edit_file execute_command list_dir read_file run_command run_in_terminal \
                         run_terminal_cmd search_files str_replace_editor web_fetch web_search write_file";
    /// Where a sentence speaks of these, the tool may be another server's.
    const OTHERS: &str = "mcp server servers";
    /// What a name belongs to that is no tool of these servers.
    const ELSEWHERE: &str = "api cli deprecated endpoint extension formerly function functions legacy library \
                             method methods module obsolete package plugin procedure removed renamed replaced replaces rpc \
                             script sdk shell";
    let sentence = prose::words(around(text, token.start, SENTENCE_CHARS));
    let similar = known.similar_tool(token.text);
    let commands = !sentence.iter().any(|word| one_of!(word, ASIDES) || one_of!(word, OTHERS));
    let ghost = |is_proven: bool| {
        Some(Ghost {
            name: token.text,
            kind: Kind::Tool,
            at: token.start,
            similar: similar.map(str::to_owned),
            is_proven: is_proven && commands,
        })
    };
    if one_of!(token.text, HOSTS) {
        return None;
    }
    if similar.is_some() {
        return ghost(false);
    }
    if !known.has_style(token.text) || sentence.iter().any(|word| one_of!(word, ELSEWHERE)) {
        return None;
    }
    // A verb comes first, or after a prefix.
    let is_action = words(token.text).iter().take(2).any(|word| verb(word).is_some());
    let shares = known.shares_a_noun(token.text);
    // `read-only` is no name unless it is quoted as one.
    let may_be_words = style(token.text) == Some(Style::Kebab) && !is_quoted(text, token);
    match form {
        Form::Tool if !may_be_words => ghost(is_action),
        Form::Call if !may_be_words && (is_action || shares) => ghost(is_action && shares),
        _ => (is_action && shares).then(|| ghost(false))?,
    }
}

fn parameter<'a>(text: &str, token: &Token<'a>, own: &Own<'_>) -> Option<Ghost<'a>> {
    /// What a name belongs to that is no parameter of this tool.
    const ELSEWHERE: &str = "answer api cli endpoint env environment function graphql header headers http method output \
                             path previous query request response responses result results return returned returns script \
                             sql template url variable";
    let sentence = prose::words(around(text, token.start, SENTENCE_CHARS));
    if own.is_open || sentence.iter().any(|word| one_of!(word, ELSEWHERE) || one_of!(word, ASIDES)) {
        return None;
    }
    let (similar, is_certain) = own.similar(token.text);
    let similar = similar.map(str::to_owned);
    let is_proven = similar.is_none() && is_certain;
    Some(Ghost { name: token.text, kind: Kind::Parameter, at: token.start, similar, is_proven })
}

/// The words of a text, and what stands around one of them.
struct Sight<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    kebab: bool,
}

impl Sight<'_> {
    fn form(&self, at: usize) -> Option<Form> {
        let token = &self.tokens[at];
        let (shaped, quoted) = (token.is_shaped(self.kebab), is_quoted(self.text, token));
        if !(shaped || quoted) || is_part(self.text, token) {
            return None;
        }
        let (lead, definite) = self.lead(at);
        let trail = self.trail(at);
        if let Some((trail, after)) = &trail
            && one_of!(trail, "arg argument arguments param parameter parameters params")
        {
            let commands = one_of!(
                &lead,
                "add give include omit pass passing provide set setting specify use using via with",
            );
            let elsewhere = after.as_deref().is_some_and(|after| one_of!(after, "for from in of on"));
            let is_name = shaped || token.text.chars().all(|c| c.is_ascii_lowercase());
            return ((commands || definite) && !elsewhere && is_name).then_some(Form::Parameter);
        }
        if quoted && one_of!(&lead, "pass passing set setting") && !token.text.is_empty() {
            let sets = trail.as_ref().is_none_or(|(trail, _)| one_of!(trail, "as for if only to when with"));
            return sets.then_some(Form::Setting);
        }
        if shaped {
            self.tool_form(at, &lead, definite, trail.map(|(trail, _)| trail).as_deref())
        } else {
            None
        }
    }

    fn tool_form(&self, at: usize, lead: &str, definite: bool, trail: Option<&str>) -> Option<Form> {
        const NOT_CALLS: &str =
            "a an api each every function method one per rpc single system that the this tool";
        let is_tool = trail.is_some_and(|trail| trail == "tool" || trail == "tools");
        if is_tool
            && (definite
                || one_of!(
                    lead,
                    "by call calling from invoke invoking prefer run running through try use using via with",
                ))
        {
            return Some(Form::Tool);
        }
        // `the x field`, `the x event`: another kind of thing follows.
        const THINGS: &str = "action agent attribute block class code column command constant event field flag format hook \
                          key macro mode object operation option permission prompt property resource scope skill status \
                          string template type value values variable workflow";
        if trail.is_some_and(|trail| one_of!(trail, THINGS)) {
            return None;
        }
        if one_of!(lead, "call calling invoke invoking") {
            let before = self.before_lead(at);
            return (!before.is_some_and(|word| one_of!(&word, NOT_CALLS))).then_some(Form::Call);
        }
        let is_hint = one_of!(lead, "from prefer run see try use using via")
            || trail.is_some_and(|trail| one_of!(trail, "call calls first"))
            || trail == Some("instead");
        is_hint.then_some(Form::Hint)
    }

    /// The word that governs this one, past `the` and the other members of a list; and whether `the` was there.
    fn lead(&self, at: usize) -> (String, bool) {
        let mut definite = false;
        for place in (0..at).rev().take(FAR) {
            let token = &self.tokens[place];
            if !is_near(self.text, token, &self.tokens[place + 1]) {
                break;
            }
            let word = token.text.to_lowercase();
            definite = definite || word == "the";
            if !one_of!(&word, "and either or the") && !token.is_shaped(self.kebab) {
                return (word, definite);
            }
        }
        (String::new(), definite)
    }

    /// The word before the one that governs.
    fn before_lead(&self, at: usize) -> Option<String> {
        let lead = (0..at).rev().take(FAR).find(|place| {
            let token = &self.tokens[*place];
            !one_of!(&token.text.to_lowercase(), "and either or the") && !token.is_shaped(self.kebab)
        })?;
        let before = &self.tokens[lead.checked_sub(1)?];
        self.text[before.end()..self.tokens[lead].start].trim().is_empty().then(|| before.text.to_lowercase())
    }

    /// The word that follows, past the other members of a list, and the one after it.
    fn trail(&self, at: usize) -> Option<(String, Option<String>)> {
        let mut last = &self.tokens[at];
        for (place, token) in self.tokens.iter().enumerate().skip(at + 1).take(FAR) {
            if !is_near(self.text, last, token) {
                return None;
            }
            let word = token.text.to_lowercase();
            if !one_of!(&word, "and or") && !token.is_shaped(self.kebab) {
                let after = self.tokens.get(place + 1).filter(|after| is_near(self.text, token, after));
                return Some((word, after.map(|after| after.text.to_lowercase())));
            }
            last = token;
        }
        None
    }
}
