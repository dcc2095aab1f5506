//! For whom definitions are judged: which providers and clients hand them on, and how. Judges nothing.

use super::cost::Tokenizer;
use super::target::Target;
use crate::transcript::SizeBudget;

/// Who gets the definitions: what is refused by one target is fine for another.
///
/// ```
/// use frankly_verdict::lint::{Audience, Prefix};
///
/// let audience = Audience::default();
/// let names: Vec<_> = audience.targets.iter().map(|target| target.name).collect();
/// assert_eq!(names, ["anthropic", "openai", "gemini"]);
/// assert_eq!(audience.prefix, Prefix::Unstated);
/// ```
#[derive(Debug, Clone)]
pub struct Audience {
    /// Where the definitions are sent.
    pub targets: Vec<&'static Target>,
    /// What stands before each name.
    pub prefix: Prefix,
    /// How much all definitions together may cost; `None` where nobody has said so.
    pub budget: Option<SizeBudget>,
    /// What counts tokens.
    pub tokenizer: Tokenizer,
}

impl Default for Audience {
    /// The three providers, through a client of which nothing is known.
    fn default() -> Self {
        let targets = ["anthropic", "openai", "gemini"].into_iter().filter_map(Target::named).collect();
        Self { targets, prefix: Prefix::Unstated, budget: None, tokenizer: Tokenizer::default() }
    }
}

/// What a client puts before the name of each tool.
///
/// ```
/// use frankly_verdict::lint::Prefix;
///
/// let prefix = Prefix::read("mcp__{server}__");
/// assert_eq!(prefix.before("ledger"), Some("mcp__ledger__".to_owned()));
/// assert_eq!(prefix.before("tools/ledger.json"), Some("mcp__ledger__".to_owned()));
/// assert_eq!(Prefix::read("none").before("ledger"), Some(String::new()));
/// assert_eq!(Prefix::Unstated.before("ledger"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Prefix {
    /// Nobody has said so.
    Unstated,
    /// Nothing: names are bare.
    Bare,
    /// This, with the server's name for `{server}`.
    Template(String),
}

impl Prefix {
    /// A prefix as the user writes it: `none`, or a template.
    #[must_use]
    pub fn read(text: &str) -> Self {
        match text {
            "" | "none" => Self::Bare,
            template => Self::Template(template.to_owned()),
        }
    }

    /// What stands before the names of this server, as far as it is known.
    #[must_use]
    pub fn before(&self, server: &str) -> Option<String> {
        match self {
            Self::Unstated => None,
            Self::Bare => Some(String::new()),
            Self::Template(template) => Some(filled(template, server, usize::MAX)),
        }
    }
}

/// A template with at most so many characters of the server's name.
pub(super) fn filled(template: &str, server: &str, most: usize) -> String {
    let name: String = configured(server).chars().take(most).collect();
    template.replace("{server}", &name)
}

/// A server's name as a client may have it: of a file its stem, and of a command what fits into a name.
pub(super) fn configured(server: &str) -> String {
    let stem = server.strip_suffix(".json").map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path));
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    stem.unwrap_or(server).chars().map(|c| if fits(c) { c } else { '_' }).collect()
}
