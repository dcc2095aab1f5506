//! What is recorded without the credentials in it. What may not enter: what a report shows, which masks by its own means.

mod edges;
#[cfg(test)]
mod forms;
mod frames;
#[cfg(test)]
mod hostile;
mod key;
mod known;
mod places;
mod strings;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashMap;

use frankly_contract::ToolDef;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use crate::secrets::{
    BY_NAME, Hold, IN_URL, hold, is_hash, is_left_out, key_goes_on_behind, looks_like_one, secrets,
};
use crate::transcript::{Channel, Side};
use key::OpenKey;
use known::Known;
use places::{apart, replaced};
use strings::{Kind, Place, Scalar, scalars};

/// A compiled pattern takes no more than this.
const MOST_BYTES: usize = 1024 * 1024;
/// JSON in a text in JSON, so deep.
const DEEPEST: usize = 8;
/// What is left of a text is looked through again, so often: what a word was put for may have hidden another.
const ROUNDS: usize = 8;
/// What stands in front of a credential by the name of what holds it, and is none itself.
const SCHEMES: &[&str] = &["basic ", "bearer ", "token ", "apikey ", "api-key "];
const BY_PATTERN: &str = "a match of your pattern";

/// Puts a placeholder for each credential: by the name of what holds it, by its form, and by the user's own patterns.
///
/// The same credential gets the same placeholder, so that what repeats can still be seen: `<redacted 1: a GitHub token>`. All else
/// stays as it was written, byte for byte, and what was redacted before is not redacted again. A credential that was known by the name
/// of what holds it is redacted where it comes up again without one too, if it looks like one, and where it is no word that the
/// protocol, a tool or a schema is known by. Of very many the first are forgotten: what comes again after that has a new number.
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
    known: Known,
    /// Private keys that go on in the next line of a stream.
    keys: HashMap<(Side, Channel), OpenKey>,
    /// The one that goes on in the next text of what is looked through now.
    key: Option<OpenKey>,
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
            text.split(places::BEGINS).skip(1).filter_map(|rest| rest.split(':').next()?.parse().ok());
        self.known.taken = numbers.fold(self.known.taken, usize::max);
        self
    }

    /// Whether what has this name, such as a header, is a credential whatever it is.
    ///
    /// ```
    /// use frankly_verdict::transcript::Redactor;
    ///
    /// assert!(Redactor::takes_all_of("Authorization") && !Redactor::takes_all_of("x-tenant"));
    /// ```
    #[must_use]
    pub fn takes_all_of(name: &str) -> bool {
        hold(name) >= Hold::Sure
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
        ToolDef::from_raw(self.value(tool.raw(), Kind::Tool))
    }

    /// How many credentials were seen, each once however often it came; one that was forgotten between counts again.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known.count()
    }

    fn value(&mut self, value: &Value, kind: Kind) -> Value {
        let line = value.to_string();
        match self.structured(&line, kind, 0) {
            Some(Cow::Owned(redacted)) => serde_json::from_str(&redacted).unwrap_or(Value::Null),
            _ => value.clone(),
        }
    }

    /// A line without its credentials, whether or not it is JSON.
    #[must_use]
    pub fn line<'t>(&mut self, line: &'t str) -> Cow<'t, str> {
        let redacted = self.line_in(line, Kind::Message, Place::Free, 0);
        self.key = None;
        redacted
    }

    fn line_in<'t>(&mut self, line: &'t str, kind: Kind, place: Place, depth: usize) -> Cow<'t, str> {
        self.structured(line, kind, depth).unwrap_or_else(|| self.text(line, place))
    }

    /// A line of JSON; `None` for any other.
    fn structured<'t>(&mut self, line: &'t str, kind: Kind, depth: usize) -> Option<Cow<'t, str>> {
        let scalars = is_structured(line).then(|| scalars(line, kind)).flatten()?;
        let mut redacted = String::new();
        let mut kept = 0;
        for scalar in scalars {
            if scalar.place != Place::Listed {
                self.key = None;
            }
            if let Some(changed) = self.scalar(&line[scalar.range.clone()], &scalar, depth) {
                redacted.push_str(&line[kept..scalar.range.start]);
                redacted.push_str(&changed);
                kept = scalar.range.end;
            }
        }
        self.key = None;
        if kept == 0 {
            return Some(Cow::Borrowed(line));
        }
        redacted.push_str(&line[kept..]);
        Some(Cow::Owned(redacted))
    }

    /// What is written in the place of a text or a number, if anything.
    fn scalar(&mut self, written: &str, scalar: &Scalar, depth: usize) -> Option<String> {
        let Some(inside) = written.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            let matches = || self.patterns.iter().any(|pattern| pattern.is_match(written));
            let what =
                if scalar.hold >= Hold::Sure { Some(BY_NAME) } else { matches().then_some(BY_PATTERN) };
            return what.map(|what| quoted(&self.placeholder(written, what)));
        };
        // What is no text for `serde_json` has half a character in it, and is looked through as it is written.
        let text = if inside.contains('\\') { serde_json::from_str(written).ok() } else { None };
        let text: Cow<'_, str> = text.map_or(Cow::Borrowed(inside), Cow::Owned);
        let redacted = if scalar.place == Place::Name {
            self.text(&text, Place::Name)
        } else {
            self.held(scalar, &text, depth)
        };
        match redacted {
            Cow::Owned(changed) if changed != *text => Some(quoted(&changed)),
            _ => None,
        }
    }

    /// The text of a member, of which its name says so much.
    fn held<'t>(&mut self, scalar: &Scalar, text: &'t str, depth: usize) -> Cow<'t, str> {
        let scheme = if scalar.hold == Hold::Nothing { "" } else { scheme(text) };
        let secret = &text[scheme.len()..];
        let is_one = match scalar.hold {
            Hold::Nothing => false,
            Hold::Within => looks_like_one(secret) && !is_hash(secret),
            Hold::Likely => looks_like_one(secret),
            Hold::Sure | Hold::Told => !is_left_out(secret),
        };
        if is_one {
            let placeholder = self.placeholder(secret, BY_NAME);
            self.known.recurs(secret, BY_NAME);
            return Cow::Owned(format!("{scheme}{placeholder}"));
        }
        if depth < DEEPEST {
            self.line_in(text, Kind::Other, scalar.place, depth + 1)
        } else {
            self.text(text, scalar.place)
        }
    }

    /// A text by itself.
    fn text<'t>(&mut self, text: &'t str, place: Place) -> Cow<'t, str> {
        let (of_key, key) = self.key.map_or((None, None), |key| key.next(text));
        self.key = if key_goes_on_behind(text) { Some(OpenKey::BEGUN) } else { key };
        let mut places: Vec<places::Place> =
            of_key.map(|key| (key.start, key.len(), "a private key")).into_iter().collect();
        let mut redacted = Cow::Borrowed(text);
        for _ in 0..ROUNDS {
            self.find(&redacted, place, &mut places);
            let places = apart(std::mem::take(&mut places), &redacted);
            if places.is_empty() {
                break;
            }
            let left = replaced(&redacted, &places, |secret, what| {
                if [BY_NAME, IN_URL].contains(&what) {
                    self.known.recurs(secret, what);
                }
                self.placeholder(secret, what)
            });
            redacted = Cow::Owned(left);
        }
        redacted
    }

    /// Where credentials stand in a text.
    fn find(&self, text: &str, place: Place, places: &mut Vec<places::Place>) {
        let start = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        for found in secrets(text) {
            places.push((start(found.text), found.text.len(), found.what));
        }
        if matches!(place, Place::Free | Place::Listed) {
            places.extend(self.known.again(text));
        }
        for pattern in &self.patterns {
            let found = pattern.find_iter(text).filter(|found| !found.is_empty());
            places.extend(found.map(|found| (found.start(), found.len(), BY_PATTERN)));
        }
    }

    fn placeholder(&mut self, secret: &str, what: &str) -> String {
        format!("{}{}: {what}>", places::BEGINS, self.known.number(secret))
    }
}

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

/// The name of the scheme before a credential, with the space behind it.
fn scheme(text: &str) -> &str {
    let is_scheme =
        |scheme: &&&str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    SCHEMES.iter().find(is_scheme).map_or("", |scheme| &text[..scheme.len()])
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
