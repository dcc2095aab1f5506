//! The parts of the guides that list what the code has, between two comments each.

mod probes;
mod targets;

use crate::page::Page;

const GUIDE: Page = Page { path: "docs/configuration.md", task: "docs" };

/// Writes the parts, or with `check` looks whether they are fresh; says whether they are.
pub fn run(check: bool) -> anyhow::Result<bool> {
    let mut text = GUIDE.read()?;
    for (name, part) in [("probes", probes::part()), ("targets", targets::part())] {
        text = GUIDE.with_part(&text, name, &part)?;
    }
    GUIDE.settle(&text, check)
}
