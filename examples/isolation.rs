//! An assistant that keeps notes for several customers, and what shows that none of them sees another's. Run it with
//! `cargo test -p frankly-spy --example isolation`.
//!
//! It has what such assistants have: a store, a search, a cache and a trace. Each of them is a way for a note to reach the wrong
//! customer, to whom it would read as one of their own.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use frankly_contract::RunContext;
use frankly_spy::give_way;
use frankly_spy::isolation::{Isolation, Surface, Tenant};

/// Who a note belongs to, and its id; the ids are alike for all customers.
type Key = (String, u32);

/// The assistant. With its fault the cache goes by what was asked, and not by who asked.
#[derive(Default)]
struct Assistant {
    notes: Mutex<BTreeMap<Key, String>>,
    cache: Mutex<BTreeMap<(String, String), Vec<String>>>,
    trace: Mutex<Vec<(String, String)>>,
    shares_its_cache: bool,
}

impl Assistant {
    fn note(&self, id: u32, text: String) {
        locked(&self.notes).insert((whose(), id), text);
    }

    fn remembers(&self) -> Vec<String> {
        let (notes, whose) = (locked(&self.notes), whose());
        notes.iter().filter(|((owner, _), _)| *owner == whose).map(|(_, text)| text.clone()).collect()
    }

    /// Finds notes: in the cache, if the same was asked before.
    async fn search(&self, words: &str) -> Vec<String> {
        let key = if self.shares_its_cache { String::new() } else { whose() };
        let key = (key, words.to_owned());
        locked(&self.trace).push((whose(), format!("search {words}")));
        if let Some(found) = locked(&self.cache).get(&key) {
            return found.clone();
        }
        // As for a database that answers over the network.
        give_way().await;
        let found: Vec<String> = self.remembers().into_iter().filter(|note| note.contains(words)).collect();
        locked(&self.cache).entry(key).or_insert(found).clone()
    }

    async fn answer(&self, question: &str) -> String {
        format!("I have found: {}.", self.search(question).await.join("; "))
    }

    fn traced(&self) -> Vec<String> {
        let whose = whose();
        locked(&self.trace)
            .iter()
            .filter(|(owner, _)| *owner == whose)
            .map(|(_, line)| line.clone())
            .collect()
    }
}

fn whose() -> String {
    RunContext::current().map(|context| context.tenant().to_owned()).unwrap_or_default()
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What each customer does, and everything that they can see of it.
async fn evening(assistant: &Assistant, customer: &Tenant) {
    // The same id and the same text for all, but for one word.
    assistant.note(1, customer.confusable("Dinner with {}"));
    give_way().await;
    customer.saw(Surface::Output, assistant.answer("Dinner").await);
    customer.saw(Surface::Search, assistant.search("Dinner").await);
    customer.saw(Surface::Cache, assistant.search("Dinner").await);
    customer.saw(Surface::Memory, assistant.remembers());
    customer.saw(Surface::Spans, assistant.traced());
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for shares_its_cache in [false, true] {
        let assistant = Assistant { shares_its_cache, ..Assistant::default() };
        let customers =
            [RunContext::new("acme", "u_7", "run-1")?, RunContext::new("globex", "u_7", "run-2")?];
        let suite = Isolation::of(customers)?.absent(Surface::Events, "nothing is published");
        pollster::block_on(suite.interleaved(async |customer| evening(&assistant, &customer).await));
        match suite.check() {
            Ok(()) => println!("a cache for each customer: nobody sees another's notes"),
            Err(failed) => println!("one cache for all:\n{failed}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two customers that run side by side, each step of the one between two of the other.
    fn after(assistant: &Assistant) -> Isolation {
        let customers = ["acme", "globex"].map(|name| RunContext::new(name, "u_7", "run-1").unwrap());
        let suite = Isolation::of(customers).unwrap();
        pollster::block_on(suite.interleaved(async |customer| evening(assistant, &customer).await));
        suite
    }

    #[test]
    fn customers_see_their_own_notes_and_nobody_elses() {
        after(&Assistant::default()).absent(Surface::Events, "nothing is published").assert_isolated();
    }

    #[test]
    fn a_cache_that_forgets_who_asked_shows_on_every_surface_behind_it() {
        let assistant = Assistant { shares_its_cache: true, ..Assistant::default() };
        let suite = after(&assistant).absent(Surface::Events, "nothing is published");
        let marker = suite.tenants()[0].marker("Dinner with {}");
        let failed = suite.check().unwrap_err().to_string();
        assert_eq!(
            failed.lines().collect::<Vec<_>>(),
            ["output", "search", "cache"]
                .map(|surface| format!("`{surface}` of globex showed `{marker}` of acme"))
        );
    }

    #[test]
    fn a_surface_that_nobody_looked_at_is_not_clean_but_unknown() {
        let failed = after(&Assistant::default()).check().unwrap_err();
        assert_eq!(
            failed.to_string(),
            "`events` was not read for acme and globex: hand over what each of them saw there, or declare it absent"
        );
    }
}
