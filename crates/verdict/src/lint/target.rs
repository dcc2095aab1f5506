//! What each provider and each client refuses, cuts or loses, with its source and the day of the source.
//!
//! Only what is documented, or reported with the words of the refusal, may enter. What a target is silent about, it is
//! taken to accept.

use frankly_contract::nearest;

/// Somebody who gets definitions: a provider of models, or a client that hands them on.
#[derive(Debug)]
pub struct Target {
    /// The name on the command line.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Which names are refused.
    pub names: Option<Names>,
    /// What the client itself puts before a name, with the server's name for `{server}`.
    pub prefix: Option<&'static str>,
    /// After how many characters a tool's description is cut or refused.
    pub description: Option<Cut>,
    /// Keywords that are refused at the root of an input schema.
    pub refused_at_root: &'static [&'static str],
    /// Whether an array without `items` is refused.
    pub arrays_need_items: bool,
    /// Whether the names of top-level parameters must match `^[a-zA-Z0-9_.-]{1,64}$`.
    pub plain_keys: bool,
    /// Whether every object must be closed and every property required, within a subset of JSON Schema.
    pub strict: bool,
    /// Whether a `$ref` to another property is lost on the way.
    pub loses_property_references: bool,
}

/// Which names a target takes.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    /// The most characters, prefix included.
    pub longest: usize,
    /// Punctuation that may stand in a name; `None` where any character may.
    pub punctuation: Option<&'static str>,
    /// Whether a name begins with a letter or `_`.
    pub begins_with_letter: bool,
}

/// What happens to a description that is too long.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// The most characters.
    pub longest: usize,
    /// Whether the rest is dropped without a word; else the tool is refused.
    pub silently: bool,
}

/// A target of which nothing is known.
const SILENT: Target = Target {
    name: "",
    title: "",
    names: None,
    prefix: None,
    description: None,
    refused_at_root: &[],
    arrays_need_items: false,
    plain_keys: false,
    strict: false,
    loses_property_references: false,
};

/// `^[a-zA-Z0-9_-]{1,N}$`
const fn plain(longest: usize) -> Option<Names> {
    Some(Names { longest, punctuation: Some("_-"), begins_with_letter: false })
}

/// Every target, providers first.
///
/// | target | limit | source |
/// | --- | --- | --- |
/// | anthropic | names `^[a-zA-Z0-9_-]{1,128}$`; 64 until 2025 | home-assistant/core#147760, 2025-06; anthropics/claude-code#96152, 2026-09 |
/// | anthropic | no `oneOf`, `allOf`, `anyOf` at the root: the request is refused | anthropics/claude-code#27337, 2026-02 |
/// | anthropic | top-level keys `^[a-zA-Z0-9_.-]{1,64}$`: the request is refused | decocms/studio#6874, 2026-09; nested keys are not looked at |
/// | openai | names of letters, digits, `_`, `-`, at most 64 | API reference, "function name", 2026; microsoft/foundry-dev-tools#723, 2026-09 |
/// | openai | no `oneOf`, `anyOf`, `allOf`, `enum`, `const`, `not` at the root: the request is refused | goruck/home-generative-agent#545, 2026-08 |
/// | openai | "array schema missing items", at any depth: the request is refused | API error `invalid_function_parameters`, 2025 |
/// | openai-strict | the same, and closed objects, all properties required, a subset of keywords and formats | guide "Structured outputs", "Supported schemas", 2026 |
/// | openai-strict | descriptions of at most 1,024 characters: refused by OpenAI until 2025-05, so not to be relied on elsewhere | getsentry/sentry-mcp#106, 2025-04; run-llama/llama_index#18784, 2025-05 |
/// | gemini | names begin with a letter or `_`; letters, digits, `_`, `.`, `:`, `-`; at most 64 | API error in decolua/9router#369, 2026-03; `FunctionDeclaration.name`, 2026 |
/// | gemini | "items: missing field": the request is refused | DEEIX-AI/DEEIX-Chat#546, 2026-07 |
/// | gemini | converters drop `$ref`s to `#/properties/…` | DEEIX-AI/DEEIX-Chat#546, 2026-07 |
/// | claude-code | the limits of anthropic, names after `mcp__{server}__`, odd characters replaced | anthropics/claude-code#96152, 2026-09 |
/// | claude-code | descriptions cut at 2,048 characters without a word to the server | anthropics/claude-code#87650, 2026-08; its MCP guide, "For MCP server authors" |
/// | vscode | "tool parameters array type must have items": the tool is refused | microsoft/vscode#284536, 2025-12 |
/// | copilot-cli | hands names on as `{server}-{tool}`, odd characters included: `^[a-zA-Z0-9_-]{1,128}$` | github/copilot-sdk#869, 2026-03; github/copilot-cli#2581, 2026-04 |
/// | cursor | server and tool name together under 60 characters, else the tool is left out | ComposioHQ/composio#2788, 2026-02 |
pub static TARGETS: &[Target] = &[
    Target {
        name: "anthropic",
        title: "Anthropic",
        names: plain(128),
        refused_at_root: &["allOf", "anyOf", "oneOf"],
        plain_keys: true,
        ..SILENT
    },
    OPENAI,
    Target {
        name: "openai-strict",
        title: "OpenAI in strict mode",
        description: Some(Cut { longest: 1024, silently: false }),
        strict: true,
        ..OPENAI
    },
    Target {
        name: "gemini",
        title: "Gemini",
        names: Some(Names { longest: 64, punctuation: Some("_.:-"), begins_with_letter: true }),
        arrays_need_items: true,
        loses_property_references: true,
        ..SILENT
    },
    Target {
        name: "claude-code",
        title: "Claude Code",
        names: Some(Names { longest: 128, punctuation: None, begins_with_letter: false }),
        prefix: Some("mcp__{server}__"),
        description: Some(Cut { longest: 2048, silently: true }),
        refused_at_root: &["allOf", "anyOf", "oneOf"],
        plain_keys: true,
        ..SILENT
    },
    Target { name: "vscode", title: "VS Code", arrays_need_items: true, ..SILENT },
    Target {
        name: "copilot-cli",
        title: "Copilot CLI",
        names: plain(128),
        prefix: Some("{server}-"),
        ..SILENT
    },
    Target {
        name: "cursor",
        title: "Cursor",
        names: Some(Names { longest: 59, punctuation: None, begins_with_letter: false }),
        prefix: Some("{server}"),
        ..SILENT
    },
];

const OPENAI: Target = Target {
    name: "openai",
    title: "OpenAI",
    names: plain(64),
    refused_at_root: &["allOf", "anyOf", "const", "enum", "not", "oneOf"],
    arrays_need_items: true,
    ..SILENT
};

impl Target {
    /// The target of this name.
    ///
    /// ```
    /// use frankly_verdict::lint::Target;
    ///
    /// assert_eq!(Target::named("gemini").map(|target| target.title), Some("Gemini"));
    /// assert!(Target::named("genimi").is_none());
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TARGETS.iter().find(|target| target.name == name)
    }

    /// The names of targets, parted by commas, as the user writes them.
    ///
    /// # Errors
    ///
    /// What the user wrote that is no target, with the nearest one.
    ///
    /// ```
    /// use frankly_verdict::lint::Target;
    ///
    /// assert_eq!(Target::read("openai, gemini").unwrap().len(), 2);
    /// let error = Target::read("opanai").unwrap_err();
    /// assert_eq!(error, "no target is called \"opanai\"; did you mean `openai`?");
    /// ```
    pub fn read(names: &str) -> Result<Vec<&'static Self>, String> {
        names.split(',').map(str::trim).map(|name| Self::named(name).ok_or_else(|| unknown(name))).collect()
    }
}

fn unknown(name: &str) -> String {
    let known = || TARGETS.iter().map(|target| target.name);
    match nearest(name, known()) {
        Some(near) => format!("no target is called {name:?}; did you mean `{near}`?"),
        None => {
            format!("no target is called {name:?}; there are {}", known().collect::<Vec<_>>().join(", "))
        }
    }
}

/// The titles of some targets as a text names them: `Gemini`, `OpenAI and Gemini`.
pub(super) fn titles(targets: &[&Target]) -> String {
    let titles: Vec<&str> = targets.iter().map(|target| target.title).collect();
    match titles.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

/// `refuses` for one, `refuse` for many.
pub(super) fn verb<'a>(targets: &[&Target], one: &'a str, many: &'a str) -> &'a str {
    if targets.len() == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_named_as_a_text_names_them() {
        let named = |names| titles(&Target::read(names).unwrap());
        assert_eq!(named("gemini"), "Gemini");
        assert_eq!(named("openai,gemini,vscode"), "OpenAI, Gemini and VS Code");
        assert_eq!(
            Target::read("telepathy").unwrap_err(),
            "no target is called \"telepathy\"; there are anthropic, openai, openai-strict, gemini, claude-code, vscode, \
             copilot-cli, cursor"
        );
    }
}
