//! What definitions cost: every request carries all of them, so that every sentence has to earn its place. Judges nothing.

use std::collections::HashMap;
use std::io;

use frankly_contract::ToolDef;
use serde_json::{Value, json};

use super::prose::sentences;
use crate::ToolSet;
use crate::payload::estimated_tokens;
use crate::report::grouped;
use crate::schema;

/// What counts tokens.
#[derive(Debug, Clone, Copy)]
pub struct Tokenizer {
    /// Its name; `None` where tokens are only estimated from bytes.
    pub name: Option<&'static str>,
    /// How many tokens a text is.
    pub count: fn(&str) -> usize,
}

impl Default for Tokenizer {
    /// An estimate: four bytes to the token, whatever the model.
    fn default() -> Self {
        Self { name: None, count: |text| estimated_tokens(text.len()) }
    }
}

impl Tokenizer {
    /// So many tokens, as they are shown: `≈1,240 tokens`, or `1,240 o200k tokens` where they were counted.
    ///
    /// ```
    /// use frankly_verdict::lint::cost::Tokenizer;
    ///
    /// assert_eq!(Tokenizer::default().shown(1240), "≈1,240 tokens");
    /// let words = Tokenizer { name: Some("word"), count: |text| text.split(' ').count() };
    /// assert_eq!(words.shown(1), "1 word token");
    /// ```
    #[must_use]
    pub fn shown(&self, tokens: usize) -> String {
        let plural = if tokens == 1 { "" } else { "s" };
        match self.name {
            None => format!("≈{} token{plural}", grouped(tokens as u64)),
            Some(name) => format!("{} {name} token{plural}", grouped(tokens as u64)),
        }
    }

    /// What a definition costs: its name, its description and its input schema as compact JSON, which is what every
    /// provider sends to a model, each in a frame of its own.
    #[must_use]
    pub fn cost_of(&self, tool: &ToolDef) -> usize {
        self.cost_with_bytes(tool).0
    }

    /// The same, with its bytes.
    pub(super) fn cost_with_bytes(&self, tool: &ToolDef) -> (usize, usize) {
        let bytes = bytes_of(tool);
        if self.name.is_none() {
            return (estimated_tokens(bytes), bytes);
        }
        let sent = json!({
            "name": tool.name(),
            "description": tool.description(),
            "input_schema": tool.input_schema().unwrap_or(&Value::Null),
        });
        ((self.count)(&sent.to_string()), bytes)
    }
}

/// The bytes of a definition that reach a model: its name, its description and its input schema as compact JSON.
#[must_use]
pub fn bytes_of(tool: &ToolDef) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut schema = Count(0);
    // Counting cannot fail.
    let _ = tool.input_schema().map(|value| serde_json::to_writer(&mut schema, value));
    tool.name().len() + tool.description().len() + schema.0
}

/// What tool sets cost together.
#[derive(Debug, Clone)]
pub struct Costs {
    /// What counted.
    pub tokenizer: Tokenizer,
    /// What each set costs, by its server, in the order in which they were given.
    pub sets: Vec<(String, usize)>,
}

/// Where the tokens go.
#[derive(Debug, Clone)]
pub struct Dearest {
    /// What each tool costs, the dearest first.
    pub tools: Vec<ToolCost>,
    /// The sentences of all descriptions, the dearest first; a sentence that stands in several places counts as often.
    pub sentences: Vec<SentenceCost>,
}

/// What one tool costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCost {
    /// The server.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// How many tokens.
    pub tokens: usize,
}

/// What one sentence costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentenceCost {
    /// The sentence, as it stands where it was first seen.
    pub sentence: String,
    /// How many tokens it is each time.
    pub tokens: usize,
    /// How often it is there.
    pub times: usize,
    /// In how many tools.
    pub tools: usize,
    /// The server of the first.
    pub server: String,
    /// The first tool.
    pub tool: String,
    /// Where in its definition, as a JSON pointer.
    pub pointer: String,
}

impl SentenceCost {
    /// A sentence that was not counted yet, with the place where it was first seen: server, tool and pointer.
    fn first(sentence: &str, tokens: usize, (server, tool, pointer): (&str, &str, &str)) -> Self {
        Self {
            sentence: sentence.to_owned(),
            tokens,
            times: 0,
            tools: 0,
            server: server.to_owned(),
            tool: tool.to_owned(),
            pointer: pointer.to_owned(),
        }
    }

    /// What it costs in all.
    #[must_use]
    pub fn total(&self) -> usize {
        self.tokens * self.times
    }
}

impl Costs {
    /// What these sets cost.
    #[must_use]
    pub fn of(sets: &[ToolSet], tokenizer: Tokenizer) -> Self {
        let cost = |set: &ToolSet| set.tools.iter().map(|tool| tokenizer.cost_of(tool)).sum();
        Self { tokenizer, sets: sets.iter().map(|set| (set.server.clone(), cost(set))).collect() }
    }

    /// What all sets cost together.
    #[must_use]
    pub fn total(&self) -> usize {
        self.sets.iter().map(|(_, tokens)| tokens).sum()
    }
}

impl Dearest {
    /// What these sets cost, tool by tool and sentence by sentence.
    ///
    /// ```
    /// use frankly_verdict::ToolSet;
    /// use frankly_verdict::lint::cost::{Dearest, Tokenizer};
    ///
    /// let tools = serde_json::json!([
    ///     {"name": "a", "description": "Ask first. Reads the clock.", "inputSchema": {"type": "object"}},
    ///     {"name": "b", "description": "Ask first. Sets the clock.", "inputSchema": {"type": "object"}},
    /// ]);
    /// let dearest = Dearest::of(&[ToolSet::from_document("s", tools).unwrap()], Tokenizer::default());
    /// let sentence = &dearest.sentences[0];
    /// assert_eq!((sentence.sentence.as_str(), sentence.times, sentence.tools), ("Ask first.", 2, 2));
    /// ```
    #[must_use]
    pub fn of(sets: &[ToolSet], tokenizer: Tokenizer) -> Self {
        let labelled = |set| {
            let set: &ToolSet = set;
            set.tools.iter().enumerate().map(|(index, tool)| (set.server.as_str(), set.label(index), tool))
        };
        let subjects: Vec<_> = sets.iter().flat_map(labelled).collect();
        let mut tools: Vec<_> = subjects
            .iter()
            .map(|(server, tool, definition)| ToolCost {
                server: (*server).to_owned(),
                tool: tool.clone(),
                tokens: tokenizer.cost_of(definition),
            })
            .collect();
        tools.sort_by_key(|tool| std::cmp::Reverse(tool.tokens));
        let mut known: HashMap<&str, (SentenceCost, usize)> = HashMap::new();
        for (number, (server, label, tool)) in subjects.iter().enumerate() {
            for (pointer, text) in texts(tool) {
                for sentence in sentences(text) {
                    let (cost, last_seen) = known.entry(sentence).or_insert_with(|| {
                        let place = (*server, label.as_str(), pointer.as_str());
                        (SentenceCost::first(sentence, (tokenizer.count)(sentence), place), usize::MAX)
                    });
                    cost.times += 1;
                    cost.tools += usize::from(*last_seen != number);
                    *last_seen = number;
                }
            }
        }
        let mut sentences: Vec<_> = known.into_values().map(|(cost, _)| cost).collect();
        sentences.sort_by(|a, b| b.total().cmp(&a.total()).then_with(|| a.sentence.cmp(&b.sentence)));
        Self { tools, sentences }
    }

    /// How much of it goes for sentences that stand in several tools word for word, beyond the first time.
    #[must_use]
    pub fn repeated(&self) -> usize {
        let several = self.sentences.iter().filter(|sentence| sentence.tools > 1);
        several.map(|sentence| sentence.tokens * (sentence.times - 1)).sum()
    }
}

/// The texts of a definition that a model reads, each with its place.
fn texts(tool: &ToolDef) -> Vec<(String, &str)> {
    let mut texts = vec![("/description".to_owned(), tool.description())];
    if let Some(schema) = tool.input_schema() {
        schema::walk(schema, "/inputSchema", &mut |part, pointer, _| {
            if let Some(text) = part.get("description").and_then(Value::as_str) {
                texts.push((pointer.join("description"), text));
            }
        });
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets() -> [ToolSet; 2] {
        let tools = json!([
            {"name": "a", "description": "Pass the token. Reads.", "inputSchema": {"type": "object", "properties": {
                "id": {"type": "string", "description": "Pass the token."}}}},
            {"name": "b", "description": "Pass the token. Writes what was given to it.", "inputSchema": {"type": "object"}}
        ]);
        [ToolSet::from_document("s", tools).unwrap(), ToolSet::new("empty", Vec::new())]
    }

    #[test]
    fn what_is_repeated_costs_each_time() {
        let words = Tokenizer { name: Some("word"), count: |text| text.split_whitespace().count() };
        let dearest = Dearest::of(&sets(), words);
        let first = &dearest.sentences[0];
        assert_eq!(
            (first.sentence.as_str(), first.tokens, first.times, first.tools),
            ("Pass the token.", 3, 3, 2)
        );
        assert_eq!((first.tool.as_str(), first.pointer.as_str(), first.total()), ("a", "/description", 9));
        assert_eq!(dearest.repeated(), 6);
        assert_eq!(dearest.sentences[1].sentence, "Writes what was given to it.");
    }

    #[test]
    fn sets_add_up_to_their_tools() {
        let (costs, dearest) =
            (Costs::of(&sets(), Tokenizer::default()), Dearest::of(&sets(), Tokenizer::default()));
        let sum: usize = dearest.tools.iter().map(|tool| tool.tokens).sum();
        assert_eq!((costs.total(), costs.sets[1].clone()), (sum, ("empty".to_owned(), 0)));
        assert!(dearest.tools[0].tokens >= dearest.tools[1].tokens);
    }

    #[test]
    fn bytes_are_those_of_the_compact_text() {
        let schema = json!({"type": "object", "properties": {"ü": {"type": "string"}}});
        let tool = ToolDef::new("name", "text", schema.clone());
        assert_eq!(bytes_of(&tool), "nametext".len() + schema.to_string().len());
        assert_eq!(bytes_of(&ToolDef::from_raw(json!({}))), 0);
    }
}
