//! "Did you mean": the most similar of the names that are known.

/// How alike two names must be for one to be offered for the other.
const ALIKE: f64 = 0.8;

/// How alike two names are at least that differ only in case.
const CASE_ONLY: f64 = 0.99;

/// The known name most like an unknown one, if any is like it enough to be a slip of the pen. Names that differ
/// only in case are alike.
///
/// ```
/// use frankly_contract::nearest;
///
/// assert_eq!(nearest("catgory", ["category", "limit"]), Some("category"));
/// assert_eq!(nearest("DINING", ["Dining", "Rent"]), Some("Dining"));
/// assert_eq!(nearest("merchant", ["category", "limit"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .filter(|known| comparable(unknown.len(), known.len()))
        .map(|known| (likeness(unknown, known), known))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, known)| known)
}

/// Whether names of these lengths, in bytes, can be a slip of each other: comparing takes time by both lengths, and a
/// caller may send a name of any length.
fn comparable(one: usize, other: usize) -> bool {
    one.max(other) <= one.min(other).saturating_mul(3).saturating_add(8)
}

fn likeness(unknown: &str, known: &str) -> f64 {
    let alike = strsim::jaro_winkler(unknown, known);
    if alike < 1.0 && unknown.to_lowercase() == known.to_lowercase() {
        return alike.max(CASE_ONLY);
    }
    alike
}

#[cfg(test)]
mod tests {
    use super::{comparable, nearest};

    #[test]
    fn a_slip_is_recognised_and_another_name_is_not() {
        let known = ["query_transactions", "list_categories"];
        assert_eq!(nearest("query_transaction", known), Some("query_transactions"));
        assert_eq!(nearest("zzz", known), None);
        let known = ["category", "cursor", "from", "limit", "to"];
        for (slip, meant) in
            [("catgory", "category"), ("categroy", "category"), ("limits", "limit"), ("form", "from")]
        {
            assert_eq!(nearest(slip, known), Some(meant), "{slip}");
        }
        for word in ["merchant", "x", "ab", ""] {
            assert_eq!(nearest(word, known), None, "{word}");
        }
        let long = format!("limit{}", "x".repeat(30));
        assert_eq!(nearest(&long, known), None, "far longer is another name");
        assert!(!comparable(1_000_000, 300) && comparable(9, 6));
        assert_eq!(nearest("RENT", ["RANT", "rent"]), Some("rent"));
        assert_eq!(nearest("RENT", ["rent", "RENT"]), Some("RENT"));
    }
}
