//! Where in a line of JSON its texts and numbers stand, and what the place of each says of it. What may not enter: whether one is a
//! credential.

use std::borrow::Cow;
use std::ops::Range;

use crate::secrets::{Hold, hold};

/// A name that stands in a list is no longer.
const LONGEST_NAME: usize = 64;

/// What a text is to the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// The name of a member.
    Name,
    /// A word that the protocol, a tool or a schema is known by: it means what it says there, whatever else it was elsewhere.
    Fixed,
    /// Anything else.
    Free,
    /// An item of a list: it may go on with what the one before it began.
    Listed,
}

/// A text or a number in a line of JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Scalar {
    /// Where it stands, quotes included.
    pub range: Range<usize>,
    /// How much its place says of its being a credential.
    pub hold: Hold,
    /// What it is to the protocol.
    pub place: Place,
}

/// What an object or a list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A message, or a batch of them.
    Message,
    Params,
    Result,
    Tools,
    /// The definition of a tool.
    Tool,
    Schema,
    Other,
}

/// What the name of a member says of its value, beside that it is a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    /// `jsonrpc`, `method`, `id`
    Envelope,
    Params,
    Result,
    Tools,
    Schema,
    /// What people wrote into a schema.
    Prose,
    /// What its value is called that is said beside it: `{"name": "X-Api-Key", "value": …}`.
    Called,
    Value,
    Other,
}

/// An object or a list that is being read.
#[derive(Debug)]
struct Level {
    sign: u8,
    kind: Kind,
    /// What everything in it inherits.
    beneath: Hold,
    /// What a member `value` in it is.
    called: Hold,
    /// The member that is being read, or the item of a list.
    hold: Hold,
    member: Member,
    /// Which of what was found is its member `value`.
    value: Option<usize>,
}

/// The texts and numbers of a line whose outermost object is of this kind; `None` for one that is no JSON as far as their places go.
/// What a name says is found out once, however much stands under it.
pub(super) fn scalars(line: &str, kind: Kind) -> Option<Vec<Scalar>> {
    let bytes = line.as_bytes();
    let mut found = Vec::new();
    let mut open: Vec<Level> = Vec::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        at = match byte {
            b'"' => {
                let end = end_of_text(bytes, at)?;
                let is_name = matches!(open.last(), Some(Level { sign: b'{', .. }))
                    && follows(bytes, end) == Some(b':');
                match open.last_mut() {
                    Some(level) if is_name => {
                        level.begin(&line[at + 1..end - 1]);
                        found.push(Scalar { range: at..end, hold: Hold::Nothing, place: Place::Name });
                    }
                    Some(level) => level.text(line, at..end, &mut found),
                    None => found.push(Scalar { range: at..end, hold: Hold::Nothing, place: Place::Free }),
                }
                end
            }
            b'{' | b'[' => {
                open.push(Level::within(open.last(), *byte, kind));
                at + 1
            }
            b'}' | b']' => {
                // In ASCII each closing sign is two after its opening one.
                if open.pop()?.sign + 2 != *byte {
                    return None;
                }
                at + 1
            }
            b'-' | b'0'..=b'9' => {
                let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                let end = at + bytes[at..].iter().take_while(|byte| is_part(byte)).count();
                let hold = open.last().map(|level| level.hold).unwrap_or_default();
                found.push(Scalar { range: at..end, hold, place: Place::Free });
                end
            }
            b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' => at + 1,
            // true, false and null
            byte if byte.is_ascii_lowercase() => at + 1,
            _ => return None,
        };
    }
    open.is_empty().then_some(found)
}

impl Level {
    /// One that begins within another, or with the line.
    fn within(outer: Option<&Self>, sign: u8, outermost: Kind) -> Self {
        let (kind, hold, member) = match outer {
            None => (outermost, Hold::Nothing, Member::Other),
            Some(outer) => (outer.kind_of_inner(), outer.hold, outer.member),
        };
        let is_list = sign == b'[';
        // What stands in an object has names of its own, which may say something else.
        let beneath = if is_list { hold } else { hold.min(Hold::Within) };
        let called = if is_list { Hold::Nothing } else { hold };
        let member = if is_list { member } else { Member::Other };
        Self { sign, kind, beneath, called, hold: beneath, member, value: None }
    }

    fn kind_of_inner(&self) -> Kind {
        let is_item = self.sign == b'[';
        match (self.kind, self.member) {
            (Kind::Message, _) if is_item => Kind::Message,
            (Kind::Tools, _) if is_item => Kind::Tool,
            (Kind::Message, Member::Params) => Kind::Params,
            (Kind::Message, Member::Result) => Kind::Result,
            (Kind::Result, Member::Tools) => Kind::Tools,
            (Kind::Tool, Member::Schema) => Kind::Schema,
            (Kind::Schema, Member::Prose) => Kind::Other,
            (Kind::Schema, _) => Kind::Schema,
            _ => Kind::Other,
        }
    }

    /// Reads the name of the next member.
    fn begin(&mut self, written: &str) {
        let name: Option<String> =
            written.contains('\\').then(|| serde_json::from_str(&format!("\"{written}\"")).ok()).flatten();
        let name: Cow<'_, str> = name.map_or(Cow::Borrowed(written), Cow::Owned);
        // A placeholder that stands for a name says nothing of what it is the name of.
        let own = if name.contains("<redacted ") { Hold::Nothing } else { hold(&name) };
        self.member = member(&name);
        self.hold = own.max(self.beneath);
        if self.member == Member::Value {
            self.hold = self.hold.max(self.called);
        }
    }

    /// Takes in a text that is a value.
    fn text(&mut self, line: &str, range: Range<usize>, found: &mut Vec<Scalar>) {
        let inside = &line[range.start + 1..range.end - 1];
        let name = (inside.len() <= LONGEST_NAME).then_some(inside);
        if self.sign == b'[' {
            // An option is no value of the one before it.
            let hold = if inside.starts_with('-') { self.beneath } else { self.hold };
            found.push(Scalar { range, hold, place: self.place() });
            // In a schema lists are of names.
            let name = name.filter(|_| self.kind != Kind::Schema);
            self.hold = self.beneath.max(name.map(hold_behind).unwrap_or_default());
            return;
        }
        match self.member {
            Member::Called => {
                let called = name.map(hold).unwrap_or_default();
                self.called = self.called.max(called);
                if let Some(value) = self.value.and_then(|at| found.get_mut(at)) {
                    value.hold = value.hold.max(called);
                }
            }
            Member::Value => self.value = Some(found.len()),
            _ => {}
        }
        found.push(Scalar { range, hold: self.hold, place: self.place() });
    }

    fn place(&self) -> Place {
        match (self.kind, self.member) {
            (Kind::Message, Member::Envelope) | (Kind::Params | Kind::Tool, Member::Called) => Place::Fixed,
            (Kind::Schema, member) if member != Member::Prose => Place::Fixed,
            _ if self.sign == b'[' => Place::Listed,
            _ => Place::Free,
        }
    }
}

/// How much an item of a list says of the next one: `["Authorization", …]`, `["--password", …]`.
fn hold_behind(item: &str) -> Hold {
    let name = item.strip_prefix("--").unwrap_or(item).trim_end_matches([':', ' ']);
    if name.starts_with('-')
        || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    {
        return Hold::Nothing;
    }
    let said = hold(name);
    if item.starts_with("--") { said } else { said.min(Hold::Likely) }
}

fn member(name: &str) -> Member {
    match name {
        "jsonrpc" | "method" | "id" => Member::Envelope,
        "params" => Member::Params,
        "result" => Member::Result,
        "tools" => Member::Tools,
        "inputSchema" | "outputSchema" => Member::Schema,
        "description" | "title" | "default" | "examples" | "const" | "$comment" => Member::Prose,
        "name" | "key" | "header" => Member::Called,
        "value" => Member::Value,
        _ => Member::Other,
    }
}

/// Where the text that begins here ends, after its quote.
fn end_of_text(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        match bytes[at] {
            b'"' => return Some(at + 1),
            _ => at += 2,
        }
    }
}

/// The first sign after a place that is no space.
fn follows(bytes: &[u8], at: usize) -> Option<u8> {
    bytes.get(at..)?.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}
