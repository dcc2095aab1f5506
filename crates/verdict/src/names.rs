//! Names of parameters and members, compared as people compare them.

/// A name without case and punctuation: `maxResults`, `max_results` and `max-results` are one.
pub(crate) fn normalise(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
