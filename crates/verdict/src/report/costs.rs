//! What definitions cost, written for people and for programs.

use std::fmt::Write;

use serde::Serialize;

use super::{counted, grouped, plain, shorten};
use crate::lint::cost::{Costs, Dearest, SentenceCost};

/// How many of the dearest are shown, and how many where everything is to be written out.
const SHOWN: (usize, usize) = (10, 100);
/// How much of a sentence is shown.
const SENTENCE_CHARS: usize = 100;
/// How many sentences a program gets.
const SENTENCES: usize = 100;

/// The dearest tools and sentences, for people.
pub(super) fn table(costs: &Costs, dearest: &Dearest, verbose: bool) -> String {
    let shown = if verbose { SHOWN.1 } else { SHOWN.0 };
    let several = costs.sets.len() > 1;
    let mut text = format!("costs    {} in every request", costs.tokenizer.shown(costs.total()));
    if let Some(share) = (dearest.repeated() * 100).checked_div(costs.total()).filter(|share| *share > 0) {
        text += &format!(", {share}% of them for repeated sentences");
    }
    text.push('\n');
    // Writing to a string cannot fail.
    if several {
        for (server, tokens) in &costs.sets {
            let _ = writeln!(text, "  {:>8}  {}", grouped(*tokens as u64), plain(server));
        }
    }
    let _ = writeln!(text, "\n  {:>8}  {}", "tokens", of("tool", shown, dearest.tools.len()));
    for tool in dearest.tools.iter().take(shown) {
        let name = named(several, &tool.server, &tool.tool);
        let _ = writeln!(text, "  {:>8}  {name}", grouped(tool.tokens as u64));
    }
    let _ = writeln!(text, "\n  {:>8}  {}", "tokens", of("sentence", shown, dearest.sentences.len()));
    for sentence in dearest.sentences.iter().take(shown) {
        let _ = writeln!(text, "  {:>8}  {}", grouped(sentence.total() as u64), line(sentence, several));
    }
    text.push('\n');
    text
}

fn of(noun: &str, shown: usize, all: usize) -> String {
    if all > shown { format!("the {shown} dearest of {}", counted(all, noun)) } else { counted(all, noun) }
}

fn named(several: bool, server: &str, tool: &str) -> String {
    if several { format!("{} · {}", plain(server), plain(tool)) } else { plain(tool) }
}

fn line(sentence: &SentenceCost, several: bool) -> String {
    let text = plain(&shorten(&sentence.sentence, SENTENCE_CHARS));
    let times = match sentence.times {
        1 => String::new(),
        times => format!("{times} × {}: ", sentence.tokens),
    };
    let place = format!("{} {}", named(several, &sentence.server, &sentence.tool), plain(&sentence.pointer));
    let more = if sentence.times > 1 { format!(" and {} more", sentence.times - 1) } else { String::new() };
    format!("{times}\"{text}\" ({place}{more})")
}

/// The same for programs.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    /// `estimate`, or what counted.
    tokenizer: &'a str,
    tokens: usize,
    sets: Vec<Set<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dearest: Option<Detail<'a>>,
}

#[derive(Serialize)]
struct Detail<'a> {
    /// Tokens for sentences that stand in other tools already.
    repeated: usize,
    tools: Vec<Tool<'a>>,
    sentences: Vec<Sentence<'a>>,
}

#[derive(Serialize)]
struct Set<'a> {
    server: &'a str,
    tokens: usize,
}

#[derive(Serialize)]
struct Tool<'a> {
    server: &'a str,
    tool: &'a str,
    tokens: usize,
}

#[derive(Serialize)]
struct Sentence<'a> {
    sentence: &'a str,
    tokens: usize,
    times: usize,
    tools: usize,
    server: &'a str,
    tool: &'a str,
    pointer: &'a str,
}

impl<'a> Document<'a> {
    pub fn of(costs: &'a Costs, dearest: Option<&'a Dearest>) -> Self {
        let set = |(server, tokens): &'a (String, usize)| Set { server, tokens: *tokens };
        Self {
            tokenizer: costs.tokenizer.name.unwrap_or("estimate"),
            tokens: costs.total(),
            sets: costs.sets.iter().map(set).collect(),
            dearest: dearest.map(Detail::of),
        }
    }
}

impl<'a> Detail<'a> {
    fn of(dearest: &'a Dearest) -> Self {
        let tools = dearest.tools.iter().map(|cost| Tool {
            server: &cost.server,
            tool: &cost.tool,
            tokens: cost.tokens,
        });
        let sentences = dearest.sentences.iter().take(SENTENCES).map(|cost| Sentence {
            sentence: &cost.sentence,
            tokens: cost.tokens,
            times: cost.times,
            tools: cost.tools,
            server: &cost.server,
            tool: &cost.tool,
            pointer: &cost.pointer,
        });
        Self { repeated: dearest.repeated(), tools: tools.collect(), sentences: sentences.collect() }
    }
}
