//! What is recorded without the credentials in it. What may not enter: what a report shows, which masks by its own means.

mod strings;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use frankly_contract::ToolDef;
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use crate::secrets::{names_a_secret, secrets};
use crate::transcript::{Cut, Event, Frame};
use strings::{Scalar, scalars};

/// A compiled pattern takes no more than this.
const MOST_BYTES: usize = 1024 * 1024;
/// JSON in a text in JSON, so deep.
const DEEPEST: usize = 8;
/// What is left of a text is looked through again, so often: what a word was put for may have hidden another.
const ROUNDS: usize = 4;
/// So many credentials are looked for wherever they come up again, if they are so long that it is no accident.
const MOST_RECURRING: usize = 200;
const LEAST_RECURRING: usize = 8;
/// What stands in front of a credential by the name of what holds it, and is none itself.
const SCHEMES: &[&str] = &["Basic ", "Bearer ", "basic ", "bearer "];

/// Puts a placeholder for each credential: by the name of what holds it, by its form, and by the user's own patterns.
///
/// The same credential gets the same placeholder, so that what repeats can still be seen: `<redacted 1: a GitHub token>`. All else
/// stays as it was written, byte for byte, and what was redacted before is not redacted again. A credential that was known by the name
/// of what holds it is redacted where it comes up again without one too.
///
/// ```
/// use frankly_verdict::transcript::Redactor;
///
/// let mut redactor = Redactor::new(&["acct-[0-9]+"])?;
/// let line = r#"{"client_secret": "s3cr3t-91", "see": "acct-77 at postgres://app:hunter2@db/x", "max_tokens": 9}"#;
/// assert_eq!(
///     redactor.line(line),
///     r#"{"client_secret": "<redacted 1: a credential by its name>", "see": "<redacted 2: a match of your pattern> at postgres://app:<redacted 3: a password in a URL>@db/x", "max_tokens": 9}"#
/// );
/// # Ok::<(), frankly_verdict::transcript::InvalidPattern>(())
/// ```
#[derive(Debug, Default)]
pub struct Redactor {
    patterns: Vec<Regex>,
    /// The number of each credential that was seen.
    known: HashMap<String, usize>,
    /// The first of them, each with what it is: they are looked for wherever they come up again.
    recurring: Vec<(String, &'static str)>,
    /// Numbers up to this one stand in what was redacted before.
    taken: usize,
}

/// A pattern that redacts nothing sensible.
///
/// ```
/// use frankly_verdict::transcript::{InvalidPattern, Redactor};
///
/// let error: InvalidPattern = Redactor::new(&["x*"]).unwrap_err();
/// assert_eq!(error.to_string(), "the pattern `x*` matches every text, so nothing would be left");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the pattern `{pattern}` {why}")]
#[non_exhaustive]
pub struct InvalidPattern {
    pattern: String,
    why: String,
}

impl Redactor {
    /// A redactor that also knows these patterns, which are regular expressions.
    ///
    /// # Errors
    ///
    /// [`InvalidPattern`] for one that cannot be read, or that matches every text.
    pub fn new<P: AsRef<str>>(patterns: &[P]) -> Result<Self, InvalidPattern> {
        let patterns = patterns.iter().map(|pattern| compiled(pattern.as_ref())).collect::<Result<_, _>>()?;
        Ok(Self { patterns, ..Self::default() })
    }

    /// The same, for what may have been redacted in part before: no placeholder in this text is used for another credential.
    #[must_use]
    pub fn going_on_from(mut self, text: &str) -> Self {
        let numbers =
            text.split("<redacted ").skip(1).filter_map(|rest| rest.split(':').next()?.parse().ok());
        self.taken = numbers.fold(self.taken, usize::max);
        self
    }

    /// A frame without its credentials, and otherwise the same.
    ///
    /// ```
    /// use frankly_verdict::transcript::{Frame, Redactor, Side};
    ///
    /// let noise = Frame::from_line(Side::Server, "PGPASSWORD=hunter2-91x".to_owned());
    /// let redacted = Redactor::default().frame(noise);
    /// assert_eq!(redacted.line(), "PGPASSWORD=<redacted 1: a credential by its name>");
    /// ```
    #[must_use]
    pub fn frame(&mut self, frame: Frame) -> Frame {
        let redacted = match (frame.event(), frame.cut()) {
            (Some(event), _) => {
                let details = self.members(&event.details);
                Frame::from_event(frame.from(), Event { name: event.name.clone(), details })
            }
            (None, Some(cut)) => {
                let (head, tail) = (self.line(&cut.head).into_owned(), self.line(&cut.tail).into_owned());
                Frame::from_cut(frame.from(), Cut { bytes: cut.bytes, head, tail })
            }
            (None, None) => match self.line(frame.line()) {
                Cow::Borrowed(_) => return self.context(frame),
                Cow::Owned(line) => Frame::from_line(frame.from(), line),
            },
        };
        let redacted = if frame.is_lossy() { redacted.not_utf8() } else { redacted };
        self.context(redacted.seen_as(&frame))
    }

    fn context(&mut self, frame: Frame) -> Frame {
        match frame.context().map(|context| self.value("", context)) {
            Some(context) => frame.with_context(context),
            None => frame,
        }
    }

    /// A definition without its credentials.
    ///
    /// ```
    /// use frankly_contract::ToolDef;
    /// use frankly_verdict::transcript::Redactor;
    /// use serde_json::json;
    ///
    /// let mut redactor = Redactor::default();
    /// let tool = ToolDef::new("query", "Reads postgres://app:hunter2-91@db/x.", json!({"type": "object"}));
    /// assert_eq!(redactor.tool(&tool).description(), "Reads postgres://app:<redacted 1: a password in a URL>@db/x.");
    /// assert_eq!(redactor.count(), 1);
    /// ```
    #[must_use]
    pub fn tool(&mut self, tool: &ToolDef) -> ToolDef {
        ToolDef::from_raw(self.value("", tool.raw()))
    }

    /// How many credentials were seen, each once however often it came.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known.len()
    }

    fn value(&mut self, name: &str, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::from(self.named(name, text, 0).into_owned()),
            Value::Array(items) => items.iter().map(|item| self.value(name, item)).collect(),
            Value::Object(members) => Value::Object(self.members(members)),
            Value::Number(number) if holds_a_secret(name) => {
                Value::from(self.placeholder(&number.to_string(), BY_NAME))
            }
            other => other.clone(),
        }
    }

    fn members(&mut self, members: &Map<String, Value>) -> Map<String, Value> {
        members.iter().map(|(name, value)| (self.text(name).into_owned(), self.value(name, value))).collect()
    }

    /// A line without its credentials, whether or not it is JSON.
    #[must_use]
    pub fn line<'t>(&mut self, line: &'t str) -> Cow<'t, str> {
        self.line_in(line, 0)
    }

    fn line_in<'t>(&mut self, line: &'t str, depth: usize) -> Cow<'t, str> {
        let Some(scalars) = is_structured(line).then(|| scalars(line)).flatten() else {
            return self.text(line);
        };
        let mut redacted = String::new();
        let mut kept = 0;
        for scalar in scalars {
            if let Some(changed) = self.scalar(&line[scalar.range.clone()], &scalar, depth) {
                redacted.push_str(&line[kept..scalar.range.start]);
                redacted.push_str(&changed);
                kept = scalar.range.end;
            }
        }
        if kept == 0 {
            return Cow::Borrowed(line);
        }
        redacted.push_str(&line[kept..]);
        Cow::Owned(redacted)
    }

    /// What is written in the place of a text or a number, if anything.
    fn scalar(&mut self, written: &str, scalar: &Scalar, depth: usize) -> Option<String> {
        let Some(inside) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            let is_secret = holds_a_secret(&scalar.name);
            return is_secret.then(|| quoted(&self.placeholder(written, BY_NAME)));
        };
        // What is no text for `serde_json` has half a character in it, and is looked through as it is written.
        let text = if inside.contains('\\') { serde_json::from_str(written).ok() } else { None };
        let text: Cow<'_, str> = text.map_or(Cow::Borrowed(inside), Cow::Owned);
        let redacted = if scalar.is_name { self.text(&text) } else { self.named(&scalar.name, &text, depth) };
        match redacted {
            Cow::Owned(changed) if changed != *text => Some(quoted(&changed)),
            _ => None,
        }
    }

    /// The text of a member with this name.
    fn named<'t>(&mut self, name: &str, text: &'t str, depth: usize) -> Cow<'t, str> {
        if holds_a_secret(name) {
            let scheme =
                SCHEMES.iter().find(|scheme| text.starts_with(**scheme)).copied().unwrap_or_default();
            let secret = &text[scheme.len()..];
            if !is_left_out(secret) {
                return Cow::Owned(format!("{scheme}{}", self.placeholder(secret, BY_NAME)));
            }
        }
        if depth < DEEPEST && is_structured(text) { self.line_in(text, depth + 1) } else { self.text(text) }
    }

    /// A text by itself.
    fn text<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let mut redacted = Cow::Borrowed(text);
        for _ in 0..ROUNDS {
            let Some(left) = self.once(&redacted) else { break };
            redacted = Cow::Owned(left);
        }
        redacted
    }

    /// Where credentials stand that were seen before, by whatever they were known then.
    fn seen_before<'s>(&'s self, text: &'s str) -> impl Iterator<Item = (usize, usize, &'static str)> + 's {
        let seen = self.recurring.iter().filter(|(secret, _)| text.contains(secret.as_str()));
        seen.flat_map(|(secret, what)| {
            text.match_indices(secret.as_str()).map(|(at, found)| (at, found.len(), *what))
        })
    }

    /// A text in which every credential that can be seen is gone; `None` where there is none.
    fn once(&mut self, text: &str) -> Option<String> {
        let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let mut places: Vec<(usize, usize, &'static str)> =
            secrets(text).map(|found| (start(found.text), found.text.len(), found.what)).collect();
        places.extend(self.seen_before(text));
        for pattern in &self.patterns {
            let found = pattern.find_iter(text).filter(|found| !found.is_empty());
            places.extend(found.map(|found| (found.start(), found.len(), "a match of your pattern")));
        }
        let done = placeholders(text);
        places.retain(|(at, length, _)| !done.iter().any(|done| done.start < at + length && *at < done.end));
        if places.is_empty() {
            return None;
        }
        // Of those that overlap the first and longest.
        places.sort_by_key(|(start, length, _)| (*start, std::cmp::Reverse(*length)));
        let (mut redacted, mut kept) = (String::with_capacity(text.len()), 0);
        for (start, length, what) in places {
            if start >= kept {
                redacted.push_str(&text[kept..start]);
                redacted.push_str(&self.placeholder(&text[start..start + length], what));
                kept = start + length;
            }
        }
        redacted.push_str(&text[kept..]);
        Some(redacted)
    }

    fn placeholder(&mut self, secret: &str, what: &'static str) -> String {
        let next = self.taken + self.known.len() + 1;
        let number = match self.known.get(secret) {
            Some(number) => *number,
            None => {
                if secret.len() >= LEAST_RECURRING && self.recurring.len() < MOST_RECURRING {
                    self.recurring.push((secret.to_owned(), what));
                }
                *self.known.entry(secret.to_owned()).or_insert(next)
            }
        };
        format!("<redacted {number}: {what}>")
    }
}

/// What is known only by the name of what holds it.
const BY_NAME: &str = "a credential by its name";

fn compiled(pattern: &str) -> Result<Regex, InvalidPattern> {
    let invalid = |why: String| InvalidPattern { pattern: pattern.to_owned(), why };
    let regex = RegexBuilder::new(pattern).size_limit(MOST_BYTES).build();
    let regex = regex.map_err(|error| {
        let error = error.to_string();
        let last = error.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
        invalid(format!("cannot be read: {}", last.trim_start_matches("error: ")))
    })?;
    if regex.is_match("") {
        return Err(invalid("matches every text, so nothing would be left".to_owned()));
    }
    Ok(regex)
}

/// Whether a text may be JSON with something in it.
fn is_structured(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('{') && text.ends_with('}')) || (text.starts_with('[') && text.ends_with(']'))
}

/// Whether what has this name is one by that; a placeholder that stands for a name says so of nothing.
fn holds_a_secret(name: &str) -> bool {
    !name.contains("<redacted ") && names_a_secret(name)
}

/// Whether what stands where a credential would says that it is none: nothing but signs, a variable, a placeholder.
fn is_left_out(text: &str) -> bool {
    let text = text.trim();
    let is_in_brackets = text.starts_with('<') && text.ends_with('>');
    let is_variable = ["${", "$(", "{{"].iter().any(|start| text.starts_with(start));
    is_in_brackets || is_variable || !text.chars().any(char::is_alphanumeric)
}

/// Where placeholders stand.
fn placeholders(text: &str) -> Vec<Range<usize>> {
    let begins = text.match_indices("<redacted ").map(|(at, _)| at);
    begins.filter_map(|at| Some(at..at + text[at..].find('>')? + 1)).collect()
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
