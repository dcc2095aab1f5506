//! What changes in a file, as a unified diff. What may not enter: which changes, and why.

use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use frankly_verdict::report::plain;
use similar::TextDiff;

/// Who reads a diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// A person at a terminal, which obeys what it is sent: whatever cannot be seen is written out, but tabs.
    Person,
    /// A program such as `patch`, which needs the text as it is; control characters that no text needs are written out
    /// even so, since they may reach a terminal later.
    Program,
}

impl Reader {
    /// A part of a line, as this reader gets it.
    fn shown(self, text: &str) -> String {
        match self {
            Self::Person => text.split('\t').map(plain).collect::<Vec<_>>().join("\t"),
            Self::Program => text
                .chars()
                .map(|c| if is_obeyed(c) { c.escape_unicode().to_string() } else { c.to_string() })
                .collect(),
        }
    }
}

/// Control characters beyond those that part words and lines.
fn is_obeyed(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\r' | '\n')
}

/// A diff as it is shown.
pub struct Shown {
    pub text: String,
    /// Whether a program can apply it: nothing in it is written out.
    pub can_be_applied: bool,
}

/// The unified diff of two texts of a file. A line ends where `patch` ends it: at a line feed, and nowhere else.
pub fn unified(file: &Path, old: &str, new: &str, reader: Reader) -> Shown {
    let lines = |text| str::split_inclusive(text, '\n').collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let diff = TextDiff::from_slices(&old, &new);
    let name = match reader {
        Reader::Person => plain(&file.to_string_lossy()),
        Reader::Program => header(file),
    };
    let mut text = format!("--- {name}\n+++ {name}\n");
    let mut can_be_applied = reader == Reader::Program;
    for hunk in diff.unified_diff().iter_hunks() {
        text += &format!("{}\n", hunk.header());
        for change in hunk.iter_changes() {
            let (line, end) = match change.value().strip_suffix('\n') {
                Some(line) => (line, "\n"),
                None => (change.value(), "\n\\ No newline at end of file\n"),
            };
            let line = match reader {
                Reader::Person => line.trim_end_matches('\r'),
                Reader::Program => line,
            };
            can_be_applied &= !line.contains(is_obeyed);
            text += &format!("{}{}{end}", change.tag(), reader.shown(line));
        }
    }
    Shown { text, can_be_applied }
}

/// A file's name as `patch` and `git apply` read it back: in quotes as C has them where it is odd, else with a tab at the
/// end where a word of it could be taken for the whole.
fn header(file: &Path) -> String {
    let file: PathBuf = file.components().filter(|part| *part != Component::CurDir).collect();
    let is_plain = |name: &&str| plain(name) == **name && !name.contains(['"', '\\']);
    match file.to_str().filter(is_plain) {
        Some(name) if name.contains(char::is_whitespace) => format!("{name}\t"),
        Some(name) => name.to_owned(),
        None => {
            let quoted = |byte: &u8| match byte {
                b'"' | b'\\' => format!("\\{}", char::from(*byte)),
                b' '..=b'~' => char::from(*byte).to_string(),
                byte => format!("\\{byte:03o}"),
            };
            format!("\"{}\"", file.as_os_str().as_bytes().iter().map(quoted).collect::<String>())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_sees_tabs_and_whatever_else_is_odd_is_written_out() {
        let old = "{\r\n\t\"a\": 1,\r\n\t\"\u{202e}\u{85}\": 2\r\n}";
        let shown = unified(Path::new("./a\nb"), old, &old.replace('1', "3"), Reader::Person);
        assert_eq!(
            shown.text,
            "--- ./a\\nb\n+++ ./a\\nb\n@@ -1,4 +1,4 @@\n {\n-\t\"a\": 1,\n+\t\"a\": 3,\n \t\"\\u{202e}\\u{85}\": 2\n }\n\\ No newline at end of file\n"
        );
    }

    #[test]
    fn a_program_gets_the_text_but_what_a_terminal_obeys() {
        let old = "\ta\r\n\u{200d}\u{85}\rb";
        let shown = unified(Path::new("./a"), old, "\ta\r\n", Reader::Program);
        assert_eq!(
            shown.text,
            "--- a\n+++ a\n@@ -1,2 +1 @@\n \ta\r\n-\u{200d}\\u{85}\rb\n\\ No newline at end of file\n"
        );
        assert!(!shown.can_be_applied);
        let far = "\u{85}\n".to_owned() + &"\n".repeat(9);
        let shown = unified(Path::new("a"), &far, &(far.clone() + "\t\u{200d}\r\n"), Reader::Program);
        assert!(shown.can_be_applied, "what is not in the diff is no matter");
    }

    #[test]
    fn names_are_written_as_patch_reads_them() {
        for (name, expected) in [
            ("./tools/a.json", "tools/a.json"),
            ("a b.json", "a b.json\t"),
            ("\"a\\\n\u{e9}.json", r#""\"a\\\012\303\251.json""#),
            ("é.json", "é.json"),
            ("../a.json", "../a.json"),
        ] {
            assert_eq!(header(Path::new(name)), expected, "{name:?}");
        }
    }
}
