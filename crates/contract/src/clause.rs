//! Clauses that others wrote, made to fit into a sentence. What may not enter: sentences of our own.

/// The text without the space around it and the full stops at its end; empty when nothing else is in it.
pub(crate) fn clause(text: &str) -> &str {
    text.trim_start().trim_end_matches(|end: char| end == '.' || end.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::clause;

    #[test]
    fn only_the_end_loses_its_full_stops() {
        for (text, left) in [
            ("call again", "call again"),
            (" call again. ", "call again"),
            ("wait. Then call again . ..", "wait. Then call again"),
            (".env is missing", ".env is missing"),
            ("did you mean `limit`?", "did you mean `limit`?"),
            ("", ""),
            (" . ", ""),
        ] {
            assert_eq!(clause(text), left, "{text:?}");
        }
    }
}
