//! Files that a user has uploaded, by key, and how they are read as CSV. They are part of the program. What may
//! not enter: the file system, and advice to the caller.

/// Every upload: its key and its bytes.
const FILES: &[(&str, &[u8])] = &[
    ("card-2026-01.csv", CARD),
    ("card-2026-02.csv", b"date,category,merchant,amount\n"),
    ("contacts.csv", b"name,phone\nCorner Bistro,555-0101\nTea Room,555-0102\n"),
    ("blank.csv", b"\n\n"),
    ("receipt.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10"),
];

/// A good file with four bad rows, each bad in its own way.
const CARD: &[u8] = b"\
date,category,merchant,amount
2026-01-02,Groceries,Village Grocer,31.25
2026-01-03,Dining,Noodle Bar,12.50
2026-01-05,Dinning,Taco Stand,9.75
2026-01-08,Transport,City Transit,3.00
2026-01-11,Household,\"Hardware Store, North\",18.25
2026-01-15,Dining,Tea Room,n/a
2026-01-19,Health,Pharmacy,22.00
2026-01-23,Rent,Property Office,1450.00
2026-01-32,Travel,Coach Lines,48.50
2026-01-27,Entertainment,Old Cinema
2026-01-30,Groceries,Farm Market,40.75
";

/// A file read as CSV.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    /// The first row.
    pub headers: Vec<String>,
    /// The rows after it, at least one.
    pub rows: Vec<Vec<String>>,
}

/// Why a key gives no table, in the bare words of a program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    /// No upload has this key.
    #[error("file not found")]
    Unknown,
    /// The bytes are no text from this byte on, counted from 0.
    #[error("invalid UTF-8 at byte {0}")]
    NotText(usize),
    /// Nothing is in the first row.
    #[error("no columns to parse from file")]
    NoColumns,
    /// There is a first row and nothing after it.
    #[error("no rows in file")]
    NoRows(Vec<String>),
}

/// The key of every upload.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(key, _)| *key)
}

/// Reads an upload.
pub(crate) fn read(key: &str) -> Result<Table, Unreadable> {
    let (_, bytes) = FILES.iter().find(|(known, _)| *known == key).ok_or(Unreadable::Unknown)?;
    let text = std::str::from_utf8(bytes).map_err(|error| Unreadable::NotText(error.valid_up_to()))?;
    table(text)
}

/// A text as a table.
pub(crate) fn table(text: &str) -> Result<Table, Unreadable> {
    // Rows of other lengths are for the reader of the rows to judge. Nothing else can fail in a text.
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut rows = reader.records().filter_map(Result::ok).map(|row| row.iter().map(str::to_owned).collect());
    let headers: Vec<String> = rows.next().unwrap_or_default();
    if headers.iter().all(|header| header.trim().is_empty()) {
        return Err(Unreadable::NoColumns);
    }
    let rows: Vec<Vec<String>> = rows.collect();
    if rows.is_empty() { Err(Unreadable::NoRows(headers)) } else { Ok(Table { headers, rows }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_fail_has_a_file() {
        let headers = ["date", "category", "merchant", "amount"].map(str::to_owned).to_vec();
        assert_eq!(read("card-2026-02.csv"), Err(Unreadable::NoRows(headers)));
        assert_eq!(read("blank.csv"), Err(Unreadable::NoColumns));
        assert_eq!(read("receipt.csv"), Err(Unreadable::NotText(0)));
        assert_eq!(read("abc"), Err(Unreadable::Unknown));
        assert!(keys().all(|key| read(key) != Err(Unreadable::Unknown)));
    }

    #[test]
    fn a_good_file_keeps_its_cells() {
        let table = read("card-2026-01.csv").unwrap();
        assert_eq!((table.headers.len(), table.rows.len()), (4, 11));
        assert_eq!(table.rows[4][2], "Hardware Store, North");
        assert_eq!(table.rows[9].len(), 3, "a short row stays short");
    }

    #[test]
    fn a_key_is_no_path() {
        for key in
            ["../card-2026-01.csv", "/card-2026-01.csv", "./card-2026-01.csv", "card-2026-01.csv\0", ""]
        {
            assert_eq!(read(key), Err(Unreadable::Unknown), "{key:?}");
        }
    }
}
