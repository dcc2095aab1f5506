//! Sentences: a pattern between slashes, or words that must occur.

use std::fmt;

use regex::{Regex, RegexBuilder};

use crate::report::shorten;
use crate::yaml::{Fault, Node};

/// A compiled pattern takes no more than this.
const MOST_BYTES: usize = 1024 * 1024;
const FLAGS: &str = "the flags are i, m, s and x";
/// How a pattern is written.
pub(crate) const SUCH_AS: &str = "/re-upload/i for a pattern, or words that must occur";

/// What a text must show.
#[derive(Debug, Clone)]
pub(crate) enum Pattern {
    /// A regular expression that must match somewhere; with it how it was written.
    Regex(Regex, String),
    /// Words that must occur as they are.
    Words(String),
}

impl Pattern {
    /// Reads a pattern as it is written in a file: `/…/` with flags, else words.
    pub fn read(node: &Node) -> Result<Self, Fault> {
        let text = node.text(SUCH_AS)?;
        if text.trim().is_empty() {
            return Err(node.fault("is blank, which every text holds", SUCH_AS));
        }
        let Some(inner) = text.strip_prefix('/') else { return Ok(Self::Words(text.to_owned())) };
        let Some((source, flags)) = inner.rsplit_once('/') else {
            return Err(node.fault("begins like a pattern and does not end like one", SUCH_AS));
        };
        Self::regex(source, flags, text).map_err(|why| node.fault(&format!("is no pattern: {why}"), SUCH_AS))
    }

    fn regex(source: &str, flags: &str, written: &str) -> Result<Self, String> {
        let mut builder = RegexBuilder::new(source);
        builder.size_limit(MOST_BYTES);
        for flag in flags.chars() {
            match flag {
                'i' => builder.case_insensitive(true),
                'm' => builder.multi_line(true),
                's' => builder.dot_matches_new_line(true),
                'x' => builder.ignore_whitespace(true),
                other => return Err(format!("`{other}` is no flag; {FLAGS}")),
            };
        }
        let regex = builder.build().map_err(|error| last_line(&error.to_string()))?;
        if regex.is_match("") {
            return Err("it matches every text, so it cannot fail".to_owned());
        }
        Ok(Self::Regex(regex, written.to_owned()))
    }

    /// Whether a text shows it.
    pub fn fits(&self, text: &str) -> bool {
        match self {
            Self::Regex(regex, _) => regex.is_match(text),
            Self::Words(words) => text.contains(words.as_str()),
        }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Regex(_, written) => f.write_str(written),
            Self::Words(words) => write!(f, "{:?}", shorten(words, 80)),
        }
    }
}

/// The parser draws a picture above its sentence.
fn last_line(error: &str) -> String {
    let line = error.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::load;

    fn read(text: &str) -> Result<Pattern, String> {
        Pattern::read(&load(text).unwrap().unwrap()).map_err(|fault| fault.what)
    }

    #[test]
    fn a_pattern_stands_between_slashes_and_words_stand_for_themselves() {
        assert!(read("/re-?UPLOAD/i").unwrap().fits("please re-upload it"));
        assert!(!read("/re-?UPLOAD/").unwrap().fits("please re-upload it"));
        assert!(read("a+b").unwrap().fits("a+b=c"));
        assert!(!read("a+b").unwrap().fits("aab"));
        assert!(read("/^b$/m").unwrap().fits("a\nb"));
    }

    #[test]
    fn what_is_no_pattern_says_why() {
        for (text, why) in [
            ("/a", "does not end like one"),
            ("/(/", "unclosed group"),
            ("/a/q", "`q` is no flag"),
            ("/x*/", "cannot fail"),
            ("''", "blank"),
            ("7", "is a number"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
