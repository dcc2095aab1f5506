//! What each probe sends, in its own words.

use frankly_live::probe::docs;

pub fn part() -> String {
    let rows = docs().map(|doc| format!("\n| `{}` | {} | {} |", doc.name, doc.what, doc.severity));
    format!("| probe | what it does | consent |\n| --- | --- | --- |{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_probe_has_a_row_of_three_cells() {
        let part = part();
        assert_eq!(part.lines().count(), docs().count() + 2);
        assert!(part.lines().all(|line| line.matches('|').count() == 4), "{part}");
    }
}
