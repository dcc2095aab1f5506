//! Whether a number is what the items of a list add up to, and so not how many there are.

use std::collections::BTreeMap;

use serde_json::Value;

/// Whether the items, or one of their members, add up to this number; a list in a member counts by its length.
pub(crate) fn adds_up_to<'v>(items: impl IntoIterator<Item = &'v Value>, total: u64) -> bool {
    let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
    let mut plain = 0.0;
    for item in items {
        plain += item.as_f64().unwrap_or_default();
        for (key, value) in item.as_object().into_iter().flatten() {
            let amount = value.as_f64().or_else(|| value.as_array().map(|items| items.len() as f64));
            *sums.entry(key).or_default() += amount.unwrap_or_default();
        }
    }
    let near = |sum: f64| (sum - total as f64).abs() < 0.01;
    sums.values().copied().any(near) || near(plain)
}
