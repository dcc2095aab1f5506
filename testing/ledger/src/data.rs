//! The ledger's rows, the same on every start. What may not enter: randomness, real brands, people.
//!
//! All amounts are multiples of a quarter, so that sums are exact and a wrong total is never a rounding error.

use rusqlite::{Connection, params};

struct Category {
    name: &'static str,
    rows: i32,
    merchants: &'static [&'static str],
    /// The mean amount, in quarters.
    mean: i32,
    /// How far an amount may be from the mean, in quarters.
    spread: i32,
    /// How many rows cost one quarter more, so that a total can be any number of quarters.
    dearer: usize,
}

/// Dining is the story's own figure: 262 rows of 42 quarters and 5 more make 2752.25.
#[rustfmt::skip]
const CATEGORIES: &[Category] = &[
    Category { name: "Dining", rows: 262, mean: 42, spread: 34, dearer: 5,
        merchants: &["Corner Bistro", "Noodle Bar", "Harbour Grill", "Morning Bakery", "Taco Stand", "Tea Room"] },
    Category { name: "Groceries", rows: 118, mean: 188, spread: 120, dearer: 3,
        merchants: &["Village Grocer", "Farm Market", "Night Shop"] },
    Category { name: "Transport", rows: 134, mean: 14, spread: 6, dearer: 2,
        merchants: &["City Transit", "Regional Rail", "Taxi Rank"] },
    Category { name: "Household", rows: 35, mean: 96, spread: 80, dearer: 1,
        merchants: &["Hardware Store", "Home Supplies"] },
    Category { name: "Utilities", rows: 36, mean: 220, spread: 90, dearer: 0,
        merchants: &["Power Company", "Water Works", "Phone Company"] },
    Category { name: "Entertainment", rows: 62, mean: 60, spread: 44, dearer: 1,
        merchants: &["Old Cinema", "Concert Hall", "Book Corner"] },
    Category { name: "Health", rows: 26, mean: 130, spread: 100, dearer: 2,
        merchants: &["Pharmacy", "Dental Practice"] },
    Category { name: "Rent", rows: 12, mean: 5800, spread: 0, dearer: 0,
        merchants: &["Property Office"] },
    Category { name: "Travel", rows: 18, mean: 980, spread: 700, dearer: 3,
        merchants: &["Coach Lines", "Airport Desk", "Seaside Inn"] },
];

/// A transaction before it has an id.
pub(crate) struct Row {
    /// The day of the year 2025, counted from 0.
    pub day: i32,
    pub category: &'static str,
    pub merchant: &'static str,
    /// The amount, in quarters of a dollar.
    pub quarters: i32,
}

/// A day of the year 2025.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Day {
    pub month: u32,
    pub day: u32,
}

impl Day {
    const MONTHS: [i32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

    /// The day of the year 2025, counted from 0; days after its end belong to December.
    pub fn of_year(day: i32) -> Self {
        let (mut month, mut left) = (0, day);
        while month < 11 && left >= Self::MONTHS[month] {
            left -= Self::MONTHS[month];
            month += 1;
        }
        Self { month: month as u32 + 1, day: left as u32 + 1 }
    }
}

/// Creates the table `transactions` and fills it with the year 2025.
pub(crate) fn build(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(
        "CREATE TABLE transactions (id INTEGER PRIMARY KEY, date TEXT NOT NULL, category TEXT NOT NULL,
             merchant TEXT NOT NULL, amount REAL NOT NULL);",
    )?;
    let mut insert = transaction.prepare(
        "INSERT INTO transactions (date, category, merchant, amount)
         VALUES (date('2025-01-01', ?1 || ' days'), ?2, ?3, ?4)",
    )?;
    for row in year() {
        insert.execute(params![row.day, row.category, row.merchant, f64::from(row.quarters) / 4.0])?;
    }
    drop(insert);
    transaction.commit()
}

/// All rows in the order of their days.
pub(crate) fn year() -> Vec<Row> {
    let mut sequence = Sequence(2025);
    let mut rows: Vec<Row> =
        CATEGORIES.iter().flat_map(|category| rows_of(category, &mut sequence)).collect();
    rows.sort_by_key(|row| row.day);
    rows
}

fn rows_of(category: &Category, sequence: &mut Sequence) -> Vec<Row> {
    (0..category.rows)
        .zip(amounts(category, sequence))
        .map(|(row, quarters)| Row {
            day: (2 * row + 1) * 365 / (2 * category.rows),
            category: category.name,
            merchant: category.merchants[sequence.next() as usize % category.merchants.len()],
            quarters,
        })
        .collect()
}

/// Amounts whose sum is known beforehand: the second half mirrors the first half at the mean.
fn amounts(category: &Category, sequence: &mut Sequence) -> Vec<i32> {
    let half = category.rows / 2;
    let above: Vec<i32> =
        (0..half).map(|_| sequence.next() % (2 * category.spread + 1) - category.spread).collect();
    let below = above.iter().map(|deviation| -deviation);
    let odd_one = (half * 2..category.rows).map(|_| 0);
    let deviations = above.iter().copied().chain(below).chain(odd_one);
    deviations
        .enumerate()
        .map(|(row, deviation)| category.mean + deviation + i32::from(row < category.dearer))
        .collect()
}

/// A linear congruential sequence (Knuth's MMIX constants): varied to look at, the same every time.
struct Sequence(u64);

impl Sequence {
    /// The next number, from 0 to 2³¹ - 1.
    fn next(&mut self) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // The low bits of such a sequence repeat soon.
        (self.0 >> 33) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        build(&mut connection).unwrap();
        connection
    }

    fn count(connection: &Connection, rest: &str) -> i64 {
        number(connection, &format!("COUNT(*) FROM transactions {rest}"))
    }

    fn number(connection: &Connection, selected: &str) -> i64 {
        connection.query_row(&format!("SELECT {selected}"), [], |row| row.get(0)).unwrap()
    }

    /// Every row as a line, in the order of their ids.
    fn lines() -> Vec<String> {
        let connection = built();
        let sql =
            "SELECT concat_ws(' | ', id, date, category, merchant, amount) FROM transactions ORDER BY id";
        let mut statement = connection.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    /// 64-bit FNV-1a.
    fn digest(text: &str) -> u64 {
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
            (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    #[test]
    fn every_category_adds_up_to_its_known_total() {
        let connection = built();
        let sql =
            "SELECT category, COUNT(*), SUM(amount) FROM transactions GROUP BY category ORDER BY category";
        let mut statement = connection.prepare(sql).unwrap();
        let found = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
        let found: Vec<(String, i64, f64)> = found.collect::<Result<_, _>>().unwrap();
        let known = [
            ("Dining", 262, 2752.25), // the figure of the story
            ("Entertainment", 62, 930.25),
            ("Groceries", 118, 5546.75),
            ("Health", 26, 845.5),
            ("Household", 35, 840.25),
            ("Rent", 12, 17400.0),
            ("Transport", 134, 469.5),
            ("Travel", 18, 4410.75),
            ("Utilities", 36, 1980.0),
        ];
        assert_eq!(found, known.map(|(name, rows, total)| (name.to_owned(), rows, total)));
    }

    #[test]
    fn every_row_is_plausible() {
        let connection = built();
        assert_eq!(count(&connection, ""), 703);
        assert_eq!(count(&connection, "WHERE amount <= 0 OR amount * 4 <> CAST(amount * 4 AS INTEGER)"), 0);
        assert_eq!(count(&connection, "WHERE date NOT BETWEEN '2025-01-01' AND '2025-12-31'"), 0);
        assert_eq!(count(&connection, "AS a JOIN transactions AS b ON a.id < b.id AND a.date > b.date"), 0);
        let months = "COUNT(DISTINCT substr(date, 1, 7)) FROM transactions WHERE category = 'Rent'";
        assert_eq!(number(&connection, months), 12, "the rent is paid every month");
    }

    /// What the guides show, and what earlier reports say, holds only as long as the rows stay as they are.
    #[test]
    fn the_rows_are_the_same_in_every_build() {
        let lines = lines();
        assert_eq!(
            [&lines[..2], &lines[701..]].concat(),
            [
                "1 | 2025-01-01 | Dining | Corner Bistro | 16.25",
                "2 | 2025-01-02 | Groceries | Farm Market | 27.75",
                "702 | 2025-12-30 | Transport | City Transit | 3.0",
                "703 | 2025-12-31 | Dining | Taco Stand | 13.5",
            ]
        );
        assert_eq!(format!("{:016x}", digest(&lines.join("\n"))), "91ed22609f9332df");
    }
}
