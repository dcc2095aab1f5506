//! Text that people do not see and models do.

use serde_json::Value;

use super::super::{Lint, Rule, Subject};
use crate::report::shorten;
use crate::schema::join;
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct InvisibleText;

static DOC: Doc = Doc {
    name: "invisible-text",
    what: "invisible or direction-changing characters in a name, a description or a value of a definition",
    why: "Whoever reviews the definition sees nothing of it, or sees it in another order, and the model reads it: \
          instructions hide there, and names that look alike differ.",
    severity: "error",
    examples: &[
        Example {
            about: "a zero-width space in a word",
            expected: Expected::Finding(Severity::Error, "/description"),
            input: r#"{"name": "pay", "description": "Pays an in\u200bvoice.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "the same without it",
            expected: Expected::Silence,
            input: r#"{"name": "pay", "description": "Pays an invoice.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "text of another direction, and an emoji made of several",
            expected: Expected::Silence,
            input: r#"{"name": "pay", "description": "Pays (ادفع\u200f) می‌خواهم 👩\u200d💻.", "inputSchema": {"type": "object"}}"#,
        },
        Example {
            about: "tag characters in a parameter",
            expected: Expected::Finding(Severity::Error, "/inputSchema/properties/to/description"),
            input: r#"{"name": "pay", "description": "Pays.", "inputSchema": {"type": "object",
 "properties": {"to": {"type": "string", "description": "Account.\udb40\udc73\udb40\udc65\udb40\udc6e\udb40\udc64"}}}}"#,
        },
    ],
};

impl Rule for InvisibleText {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let whose = (subject.server, subject.label.as_str());
        for (member, value) in subject.tool.raw().as_object().into_iter().flatten() {
            if member != "_meta" && member != "icons" {
                look(whose, value, &mut vec![Step::Name(member)], findings);
            }
        }
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        for set in lint.sets {
            findings.extend(finding((&set.server, ""), &set.instructions, &[Step::Name("instructions")]));
        }
    }
}

/// How much of a text is shown.
const SHOWN: usize = 100;

/// The server, and the tool's label.
type Whose<'a> = (&'a str, &'a str);

/// One token of the pointer to what is looked at; the pointer is written out only for a finding.
enum Step<'a> {
    Name(&'a str),
    Index(usize),
}

fn pointer(steps: &[Step<'_>]) -> String {
    steps.iter().fold(String::new(), |at, step| match step {
        Step::Name(name) => join(&at, shorten(name, 200)),
        Step::Index(index) => join(&at, index),
    })
}

/// Looks at every text in a value, and at the names of its members.
fn look<'a>(whose: Whose<'_>, value: &'a Value, at: &mut Vec<Step<'a>>, findings: &mut Vec<Finding>) {
    match value {
        Value::String(text) => findings.extend(finding(whose, text, at)),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                at.push(Step::Index(index));
                look(whose, item, at, findings);
                at.pop();
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                at.push(Step::Name(name));
                findings.extend(finding(whose, name, at));
                look(whose, member, at, findings);
                at.pop();
            }
        }
        _ => {}
    }
}

fn finding((server, tool): Whose<'_>, text: &str, at: &[Step<'_>]) -> Option<Finding> {
    if text.bytes().all(|byte| byte.is_ascii() && byte != 0x1b) {
        return None;
    }
    let hidden = hidden(text)?;
    let count = text.chars().filter(|c| *c == hidden).count();
    let times = if count == 1 { String::new() } else { format!(", {count} times") };
    let finding = Finding::proven(&DOC, Severity::Error, server, tool, pointer(at));
    Some(
        finding
            .saying(
                format!("the text has the invisible character U+{:04X} in it{times}", u32::from(hidden)),
                "what a person sees is not what the model reads",
                "take it out; where it is meant, write it as words",
            )
            .with_evidence(format!("\"{}\"", shorten(&shown(text), SHOWN))),
    )
}

/// A text with what is hidden in it written out, from shortly before the first of it.
fn shown(text: &str) -> String {
    const BEFORE: usize = 20;
    let chars: Vec<char> = text.chars().collect();
    let first = chars.iter().position(|c| is_hidden(*c)).unwrap_or_default();
    let escaped = chars[first.saturating_sub(BEFORE)..]
        .iter()
        .take(SHOWN)
        .map(|c| if is_hidden(*c) { c.escape_unicode().to_string() } else { c.to_string() });
    escaped.collect()
}

/// The first character that hides something here.
fn hidden(text: &str) -> Option<char> {
    if !text.chars().any(is_hidden) {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let is_rtl = chars.iter().any(|c| is_right_to_left(*c));
    let hides = |at: &usize| is_hidden(chars[*at]) && !is_meant(&chars, *at, is_rtl);
    (0..chars.len()).find(hides).map(|at| chars[at])
}

fn is_hidden(c: char) -> bool {
    // Terminals hide text after an escape. Other controls are what formatters of comments leave behind.
    let is_escape = matches!(c, '\u{1b}' | '\u{9b}');
    is_escape
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}' | '\u{2029}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
            | '\u{e0100}'..='\u{e01ef}')
}

/// Whether such a character belongs to ordinary text of its script here, or to an emoji.
fn is_meant(chars: &[char], at: usize, is_rtl: bool) -> bool {
    let before = at.checked_sub(1).map(|at| chars[at]);
    let after = chars.get(at + 1).copied();
    match chars[at] {
        // Joiners of Persian and of the scripts of India, also after a word in Latin letters; and of emoji.
        '\u{200c}' => [before, after].iter().flatten().any(|c| *c >= '\u{590}' && !is_hidden(*c)),
        '\u{200d}' => [before, after].iter().all(|c| c.is_some_and(|c| !c.is_ascii() && !is_hidden(c))),
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202c}' | '\u{2066}'..='\u{2069}' => is_rtl,
        // Where words may be parted in scripts that write no spaces.
        '\u{200b}' => [before, after].iter().flatten().any(|c| is_unspaced(*c)),
        '\u{180b}'..='\u{180e}' => before.is_some_and(|c| ('\u{1800}'..='\u{18af}').contains(&c)),
        // Variants of a sign, of an ideograph, and of a key such as 1 in an emoji: one, after what it is a variant of.
        '\u{fe0e}' | '\u{fe0f}' if before.is_some_and(|c| c.is_ascii_digit() || matches!(c, '#' | '*')) => {
            true
        }
        '\u{fe00}'..='\u{fe0f}' => {
            before.is_some_and(|c| !c.is_ascii() && !c.is_whitespace() && !is_hidden(c))
        }
        // Variants of an ideograph.
        '\u{e0100}'..='\u{e01ef}' => before.is_some_and(|c| c >= '\u{3400}' && !is_hidden(c)),
        // Flags of regions: a black flag, and tags after it.
        '\u{e0020}'..='\u{e007f}' => is_flag(chars, at),
        _ => false,
    }
}

/// Whether a tag belongs to the flag of a region: a black flag, at most six tags for letters and digits, and the tag that ends
/// them. More of them would be a text.
fn is_flag(chars: &[char], at: usize) -> bool {
    const LONGEST: usize = 6;
    let is_tag = |c: &char| ('\u{e0020}'..='\u{e007f}').contains(c);
    let start = chars[..at].iter().rposition(|c| !is_tag(c)).filter(|start| chars[*start] == '\u{1f3f4}');
    let Some(start) = start else { return false };
    let tags: Vec<char> = chars[start + 1..].iter().copied().take_while(is_tag).collect();
    let is_code = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    tags.split_last().is_some_and(|(last, code)| {
        *last == '\u{e007f}' && (1..=LONGEST).contains(&code.len()) && code.iter().all(is_code)
    })
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Thai, Lao, Tibetan, Burmese and Khmer.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{fff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_is_told_from_what_a_script_needs() {
        for bad in [
            "a\u{200b}b",
            "\u{feff}Pays",
            "ab\u{202e}cd",
            "a\u{200d}b",
            "x\u{1b}[8m",
            "ok\u{e0041}",
            "\u{2066}a",
            "so\u{ad}ft",
            "a\u{2028}b",
            "ok\u{fe00}\u{fe01}",
            "🏴\u{e0069}\u{e0067}\u{e006e}",
            "🏴\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}\u{e0061}\u{e006c}\u{e006c}\u{e007f}",
        ] {
            assert!(hidden(bad).is_some(), "{bad:?}");
        }
        for good in [
            "",
            "Zahlt für Müller",
            "注文の一覧",
            "می\u{200c}خواهم",
            "PDF\u{200c}ها",
            "\u{8}paragraph",
            "👩\u{200d}💻",
            "❤\u{fe0f}",
            "ไทย\u{200b}ไทย",
            "שלום\u{200f}!",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "a\tb\r\nc",
            "葛\u{e0100}",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert_eq!(hidden(good), None, "{good:?}");
        }
    }

    #[test]
    fn what_a_server_says_of_all_its_tools_is_read_too() {
        let found = |said: &str| {
            let set =
                crate::ToolSet { instructions: said.to_owned(), ..crate::ToolSet::new("s", Vec::new()) };
            let found = super::super::super::testing::found_in(&InvisibleText, set).into_iter();
            found.map(|finding| finding.pointer).collect::<Vec<_>>()
        };
        assert_eq!(found("Search\u{200b} first."), ["/instructions"]);
        assert_eq!(found("Search first."), [""; 0]);
    }

    #[test]
    fn what_is_hidden_is_shown() {
        assert_eq!(shown("Pays an in\u{200b}voice."), "Pays an in\\u{200b}voice.");
    }
}
