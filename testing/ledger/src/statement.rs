//! The bank's monthly statements, as text. A statement is what the bank printed: what is logged or imported later
//! does not change it. What may not enter: how a text is cut into slices.

use std::fmt::Write;

use crate::data::{self, Day};

/// The months that have a statement, the first and the last.
pub(crate) const FIRST: &str = "2025-01";
pub(crate) const LAST: &str = "2025-12";

/// The statement of a month written YYYY-MM, if the bank printed one.
pub(crate) fn of(month: &str) -> Option<String> {
    let number = month.strip_prefix("2025-")?;
    let number: u32 = number.parse().ok().filter(|parsed| format!("{parsed:02}") == number)?;
    (1..=12).contains(&number).then(|| print(number))
}

fn print(month: u32) -> String {
    let mut text = format!(
        "HARBOUR BANK                                              STATEMENT\n\
         Account    acc-01 Everyday Checking\n\
         Statement  2025-{month:02}\n\
         Amounts in dollars; every line is money spent.\n\n\
         {:<10}  {:<16}  {:<14}  {:>8}  {:>9}\n",
        "Date", "Merchant", "Category", "Amount", "So far"
    );
    let (mut lines, mut so_far) = (0, 0.0);
    for row in data::year() {
        let Day { month: of, day } = Day::of_year(row.day);
        if of != month {
            continue;
        }
        let amount = f64::from(row.quarters) / 4.0;
        lines += 1;
        so_far += amount;
        line(&mut text, &format!("2025-{month:02}-{day:02}"), row.merchant, row.category, amount, so_far);
    }
    text + &format!("\n{lines} transactions, {so_far:.2} spent in all. End of statement 2025-{month:02}.\n")
}

fn line(text: &mut String, date: &str, merchant: &str, category: &str, amount: f64, so_far: f64) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{date}  {merchant:<16}  {category:<14}  {amount:>8.2}  {so_far:>9.2}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn months() -> impl Iterator<Item = String> {
        (1..=12).map(|month| format!("2025-{month:02}"))
    }

    #[test]
    fn every_month_of_the_year_has_one_and_no_other_month_has() {
        assert!(months().all(|month| of(&month).is_some()));
        assert!(of(FIRST).is_some() && of(LAST).is_some());
        for month in ["2024-12", "2026-01", "2025-00", "2025-13", "2025-1", "2025-001", "2025", "March", ""] {
            assert_eq!(of(month), None, "{month}");
        }
    }

    #[test]
    fn together_they_print_every_row_once() {
        let texts: Vec<String> = months().filter_map(|month| of(&month)).collect();
        let lines: Vec<&str> =
            texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with("2025-")).collect();
        assert_eq!(lines.len(), 703);
        assert!(lines.is_sorted_by_key(|line| &line[..10]));
        let dining: f64 = lines
            .iter()
            .filter(|line| line.contains("  Dining  "))
            .map(|line| line.split_whitespace().rev().nth(1).unwrap().parse::<f64>().unwrap())
            .sum();
        assert_eq!(dining, 2752.25);
    }

    #[test]
    fn one_is_several_kilobytes_long() {
        for month in months() {
            let length = of(&month).unwrap().len();
            assert!((3_000..8_000).contains(&length), "{month}: {length}");
        }
    }

    #[test]
    fn a_statement_reads_like_one() {
        let text = of("2025-03").unwrap();
        assert!(text.starts_with("HARBOUR BANK  "), "{text}");
        assert!(text.ends_with(" spent in all. End of statement 2025-03.\n"), "{text}");
    }
}
