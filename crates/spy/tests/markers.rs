//! Markers come out of a real search index as they went in.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;

use frankly_contract::RunContext;
use frankly_spy::isolation::{Isolation, Tenant};
use rusqlite::Connection;

/// The words that an index keeps of these texts, with this tokeniser.
fn kept(tokeniser: &str, texts: &[String]) -> BTreeSet<String> {
    let db = Connection::open_in_memory().unwrap();
    db.execute_batch(&format!(
        "CREATE VIRTUAL TABLE notes USING fts5(text, tokenize = '{tokeniser}');
         CREATE VIRTUAL TABLE words USING fts5vocab(notes, 'row');"
    ))
    .unwrap();
    for text in texts {
        db.execute("INSERT INTO notes VALUES (?1)", [text]).unwrap();
    }
    let mut words = db.prepare("SELECT term FROM words").unwrap();
    let words = words.query_map([], |row| row.get(0)).unwrap();
    words.collect::<Result<_, _>>().unwrap()
}

/// Tenants whose names end as stemmers like it, and as they do not.
fn tenants() -> Vec<Tenant> {
    let names = ["acme", "globex", "tastings", "nationalised-parties", "Überländer GmbH", "7", "日本"];
    let contexts = names.map(|tenant| RunContext::new(tenant, "u_7", "run-1").unwrap());
    Isolation::of(contexts).unwrap().tenants().to_vec()
}

#[test]
fn a_marker_survives_tokenisers_and_a_stemmer() {
    let tenants = tenants();
    let templates: Vec<String> =
        (0..50).map(|number| format!("Dinner {number} with {{}}, tasting fishes")).collect();
    let planted = tenants.iter().flat_map(|tenant| templates.iter().map(move |text| (tenant, text)));
    let (texts, markers): (Vec<_>, BTreeSet<_>) =
        planted.map(|(tenant, text)| (tenant.confusable(text), tenant.marker(text))).unzip();
    assert_eq!(markers.len(), tenants.len() * templates.len());
    for tokeniser in ["unicode61", "ascii", "porter unicode61", "porter ascii"] {
        let kept = kept(tokeniser, &texts);
        assert!(markers.is_subset(&kept), "{tokeniser}");
        // The stemmer is at work, so that there was something to survive.
        assert_eq!(kept.contains("tasting"), !tokeniser.starts_with("porter"), "{tokeniser}");
    }
}
