//! An assistant that keeps notes for several customers, and what shows that none of them sees another's. Run it with
//! `cargo test -p frankly-spy --example isolation`.
//!
//! It has what such assistants have: a store, a search, a cache and a trace. Each of them is a way for a note to reach the wrong
//! customer, to whom it would read as one of their own. Some faults show where runs go side by side, and others where one comes after
//! the other: so both are tried.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use frankly_contract::RunContext;
use frankly_spy::give_way;
use frankly_spy::isolation::{Isolation, Surface, Tenant};

/// Who a note belongs to, and its id; the ids are alike for all customers.
type Key = (String, u32);

/// What all customers share by mistake.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Fault {
    #[default]
    None,
    /// The cache goes by what was asked, and not by who asked.
    Cache,
    /// Who is served is kept in one place for all while the database answers.
    Current,
}

#[derive(Default)]
struct Assistant {
    notes: Mutex<BTreeMap<Key, String>>,
    cache: Mutex<BTreeMap<(String, String), Vec<String>>>,
    trace: Mutex<Vec<(String, String)>>,
    current: Mutex<String>,
    fault: Fault,
}

impl Assistant {
    fn note(&self, id: u32, text: String) {
        locked(&self.notes).insert((whose(), id), text);
    }

    fn remembers(&self) -> Vec<String> {
        self.notes_of(&whose())
    }

    fn notes_of(&self, customer: &str) -> Vec<String> {
        let notes = locked(&self.notes);
        notes.iter().filter(|((owner, _), _)| owner == customer).map(|(_, text)| text.clone()).collect()
    }

    /// Finds notes: in the cache, if the same was asked before.
    async fn search(&self, words: &str) -> Vec<String> {
        locked(&self.trace).push((whose(), "search".to_owned()));
        if let Some(found) = self.cached(words) {
            return found;
        }
        *locked(&self.current) = whose();
        // As for a database that answers over the network.
        give_way().await;
        let customer = match self.fault {
            Fault::Current => locked(&self.current).clone(),
            Fault::None | Fault::Cache => whose(),
        };
        let found = self.notes_of(&customer).into_iter().filter(|note| note.contains(words));
        let found: Vec<String> = found.collect();
        locked(&self.cache).insert(self.key(words), found.clone());
        found
    }

    fn cached(&self, words: &str) -> Option<Vec<String>> {
        locked(&self.cache).get(&self.key(words)).cloned()
    }

    fn key(&self, words: &str) -> (String, String) {
        let whose = if self.fault == Fault::Cache { String::new() } else { whose() };
        (whose, words.to_owned())
    }

    fn traced(&self) -> Vec<String> {
        let whose = whose();
        let trace = locked(&self.trace);
        trace.iter().filter(|(owner, _)| *owner == whose).map(|(_, line)| line.clone()).collect()
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
    let found = assistant.search("Dinner").await;
    customer.saw(Surface::Cache, assistant.cached("Dinner").unwrap_or_default());
    customer.saw(Surface::Output, format!("I have found: {}.", found.join("; ")));
    customer.saw(Surface::Search, found);
    customer.saw(Surface::Memory, assistant.remembers());
    customer.saw(Surface::Spans, assistant.traced());
}

/// Two customers, and what is known beforehand of where their notes could come up.
fn suite() -> Result<Isolation, Box<dyn std::error::Error>> {
    let customers = [RunContext::new("acme", "u_7", "run-1")?, RunContext::new("globex", "u_7", "run-2")?];
    let suite = Isolation::of(customers)?;
    Ok(suite.shows_nothing(Surface::Spans, "only the names of tools are traced"))
}

/// Side by side: each step of the one between two of the other.
fn side_by_side(suite: &Isolation, fault: Fault) {
    let assistant = Assistant { fault, ..Assistant::default() };
    pollster::block_on(suite.interleaved(async |customer| evening(&assistant, &customer).await));
}

/// One after the other: what the one leaves behind is there for the next.
fn one_after_another(suite: &Isolation, fault: Fault) {
    let assistant = Assistant { fault, ..Assistant::default() };
    pollster::block_on(suite.one_after_another(async |customer| evening(&assistant, &customer).await));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for fault in [Fault::None, Fault::Cache, Fault::Current] {
        let suite = suite()?.absent(Surface::Events, "nothing is published");
        side_by_side(&suite, fault);
        one_after_another(&suite, fault);
        match suite.check() {
            Ok(()) => println!("{fault:?}: nobody sees another's notes"),
            Err(failed) => println!("{fault:?}:\n{failed}"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The surfaces on which somebody saw another one's note.
    fn leaks(go: fn(&Isolation, Fault), fault: Fault) -> Vec<String> {
        let suite = suite().unwrap().absent(Surface::Events, "nothing is published");
        go(&suite, fault);
        let failed = suite.check().err().map(|failed| failed.to_string()).unwrap_or_default();
        let leaks = failed.lines().filter(|line| line.contains(" of globex showed "));
        leaks.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())).collect()
    }

    #[test]
    fn customers_see_their_own_notes_and_nobody_elses() {
        let suite = suite().unwrap().absent(Surface::Events, "nothing is published");
        side_by_side(&suite, Fault::None);
        one_after_another(&suite, Fault::None);
        suite.assert_isolated();
    }

    #[test]
    fn a_cache_that_forgets_who_asked_shows_one_after_another() {
        assert_eq!(leaks(one_after_another, Fault::Cache), ["output", "search", "cache"]);
        // Side by side the first two searches both miss.
        assert!(!leaks(side_by_side, Fault::Cache).contains(&"search".to_owned()));
    }

    #[test]
    fn one_place_for_whoever_is_served_shows_side_by_side() {
        let suite = suite().unwrap().absent(Surface::Events, "nothing is published");
        side_by_side(&suite, Fault::Current);
        let marker = suite.tenants()[1].marker("Dinner with {}");
        let failed = suite.check().unwrap_err().to_string();
        let first = format!(
            "`output` of acme showed `{marker}` of globex, planted as `Dinner with {{}}`: \
             I have found: Dinner with {marker}."
        );
        assert_eq!(failed.lines().next(), Some(&*first));
        assert_eq!(leaks(one_after_another, Fault::Current), [""; 0]);
    }

    #[test]
    fn a_surface_that_nobody_looked_at_is_not_clean_but_unknown() {
        let suite = suite().unwrap();
        side_by_side(&suite, Fault::None);
        assert_eq!(
            suite.check().unwrap_err().to_string(),
            "`events` was not read for acme and globex: hand over what each of them saw there, or declare it absent"
        );
    }
}
