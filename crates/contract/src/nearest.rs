//! "Did you mean": the most similar of the names that are known.

/// How alike two names must be for one to be offered for the other.
const ALIKE: f64 = 0.8;

/// How alike two names are at least that differ only in case.
const CASE_ONLY: f64 = 0.99;

/// The known name most like an unknown one, if any is like it enough to be a slip of the pen. Names that differ
/// only in case are alike. Names whose numbers differ are not: `acc-13` is another account than `acc-12`, and no slip.
/// Where two are equally like, nobody can say which of them was meant.
///
/// Names can be guessed, and ids cannot: do not offer one for another where a wrong one would be acted on.
///
/// ```
/// use frankly_contract::nearest;
///
/// assert_eq!(nearest("catgory", ["category", "limit"]), Some("category"));
/// assert_eq!(nearest("DINING", ["Dining", "Rent"]), Some("Dining"));
/// assert_eq!(nearest("merchant", ["category", "limit"]), None);
/// assert_eq!(nearest("acc-13", ["acc-11", "acc-12"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(unknown: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    let mut tied = false;
    for known in known.into_iter().filter(|known| comparable(unknown.len(), known.len())) {
        let likeness = likeness(unknown, known);
        if likeness < ALIKE || other_number(unknown, known) {
            continue;
        }
        match best {
            Some((most, _)) if likeness < most => {}
            Some((most, name)) if likeness == most => tied |= name != known,
            _ => (best, tied) = (Some((likeness, known)), false),
        }
    }
    best.filter(|_| !tied).map(|(_, known)| known)
}

/// Whether the names are the same but for their numbers.
fn other_number(one: &str, other: &str) -> bool {
    let words = |name: &str| {
        name.chars().filter(|c| !c.is_numeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let numbers = |name: &str| {
        let runs = name.split(|c: char| !c.is_numeric()).filter(|run| !run.is_empty());
        runs.map(|run| run.trim_start_matches('0').to_owned()).collect::<Vec<_>>()
    };
    let (ours, theirs) = (numbers(one), numbers(other));
    !ours.is_empty() && !theirs.is_empty() && ours != theirs && words(one) == words(other)
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
        assert_eq!(nearest("limit1", ["limit", "limit"]), Some("limit"), "the same twice is one");
    }

    #[test]
    fn no_record_is_offered_for_another() {
        let books: Vec<String> = (1..=90).map(|n| format!("bk-{n:03}")).collect();
        let accounts: Vec<String> = (1..=12).map(|n| format!("acc-{n:02}")).collect();
        let near =
            |unknown, known: &[String]| nearest(unknown, known.iter().map(String::as_str)).map(str::to_owned);
        assert_eq!((near("bk-999", &books), near("acc-13", &accounts)), (None, None));
        assert_eq!(near("acc-x", &accounts), None, "all are equally like");
        assert_eq!(near("acc-7", &accounts).as_deref(), Some("acc-07"), "the same number");
        assert_eq!(near("ACC-07", &accounts).as_deref(), Some("acc-07"));
    }
}
