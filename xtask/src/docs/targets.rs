//! What each target refuses, cuts or loses, and from where that is known.

use anyhow::{Context, bail};
use frankly_verdict::lint::{Audience, Cut, Names, TARGETS, Target};

use crate::page::repository;

/// The table of targets; its comment tells the sources.
const TABLE: &str = "crates/verdict/src/lint/target.rs";

pub fn part() -> anyhow::Result<String> {
    let code =
        std::fs::read_to_string(repository(TABLE)).with_context(|| format!("failed to read {TABLE}"))?;
    let limits: String = TARGETS.iter().map(row).collect();
    let default: Vec<_> = Audience::default().targets.iter().map(|target| target.name).collect();
    Ok(format!(
        "| target | refuses | beyond that |\n\
         | --- | --- | --- |{limits}\n\n\
         Without it they are judged for `{}`. From where each limit is known, and of which month:\n\n\
         {}",
        default.join(","),
        sources(&code)?
    ))
}

fn row(target: &Target) -> String {
    let Target { name, title, .. } = target;
    format!("\n| `{name}`, {title} | {} | {} |", refused(target).join("; "), changed(target).join("; "))
}

/// What is refused: the tool, or the whole request. No field of a target can be forgotten here or in [`changed`].
fn refused(target: &Target) -> Vec<String> {
    let Target {
        name: _,
        title: _,
        names,
        prefix: _,
        description,
        refused_at_root,
        arrays_need_items,
        plain_keys,
        strict,
        loses_property_references: _,
    } = target;
    let root: Vec<_> = refused_at_root.iter().map(|keyword| format!("`{keyword}`")).collect();
    let all = [
        names.as_ref().map(refused_names),
        (!root.is_empty()).then(|| format!("{} at the root of a schema", root.join(", "))),
        plain_keys.then(|| "names of top-level parameters outside `[a-zA-Z0-9_.-]{1,64}`".to_owned()),
        arrays_need_items.then(|| "arrays without `items`".to_owned()),
        strict.then(|| {
            "open objects; optional properties; keywords and formats outside its subset of JSON Schema"
                .to_owned()
        }),
        description
            .filter(|cut| !cut.silently)
            .map(|Cut { longest, .. }| format!("descriptions over {} characters", grouped(longest))),
    ];
    all.into_iter().flatten().collect()
}

fn refused_names(names: &Names) -> String {
    let Names { longest, punctuation, begins_with_letter } = *names;
    match punctuation {
        None => format!("names over {longest} characters"),
        Some(others) if begins_with_letter => {
            format!("names outside `[a-zA-Z_][a-zA-Z0-9{others}]{{0,{}}}`", longest - 1)
        }
        Some(others) => format!("names outside `[a-zA-Z0-9{others}]{{1,{longest}}}`"),
    }
}

/// What comes to the model other than it was written.
fn changed(target: &Target) -> Vec<String> {
    let cut = target.description.filter(|cut| cut.silently);
    let all = [
        target.prefix.map(|prefix| format!("puts `{prefix}` before names, which counts")),
        cut.map(|cut| format!("cuts descriptions after {} characters", grouped(cut.longest))),
        target.loses_property_references.then(|| "loses references from one parameter to another".to_owned()),
    ];
    all.into_iter().flatten().collect()
}

/// A number with a comma before its thousands: limits are no longer.
fn grouped(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{thousands},{:03}", number % 1000),
    }
}

/// The table of sources in the comment on `TARGETS`: each target with a limit has at least one.
fn sources(code: &str) -> anyhow::Result<String> {
    let comment = code.split("pub static TARGETS").next().unwrap_or_default().trim_end();
    let rows = comment
        .lines()
        .rev()
        .map_while(|line| line.strip_prefix("/// "))
        .take_while(|line| line.starts_with('|'));
    let mut rows: Vec<_> = rows.collect();
    rows.reverse();
    let mut known = Vec::new();
    for row in rows.iter().skip(2) {
        let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, _, source] = cells.as_slice() else {
            bail!("{TABLE}: not a target, a limit and a source: {row}")
        };
        if Target::named(name).is_none() || source.is_empty() {
            bail!("{TABLE}: no target, or no source: {row}");
        }
        known.push(*name);
    }
    if let Some(target) = TARGETS.iter().find(|target| !known.contains(&target.name)) {
        bail!("{TABLE}: the comment on `TARGETS` has no source for `{}`", target.name);
    }
    Ok(rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> String {
        row(Target::named(name).unwrap())
    }

    #[test]
    fn a_row_says_what_a_target_does() {
        assert!(of("gemini").contains("`[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}`; arrays without `items` | loses"));
        assert!(
            of("claude-code").contains("`claude-code`, Claude Code | names over 128 characters; `allOf`, ")
        );
        assert!(of("claude-code").contains("after 2,048 characters"));
        assert!(of("openai-strict").contains("`openai-strict`, OpenAI in strict mode |"));
        assert!(of("openai-strict").contains("open objects; "));
    }

    #[test]
    fn a_target_without_a_source_is_an_error() {
        let table = |rows: &[String]| {
            format!(
                "/// Every.\n///\n/// | target | limit | source |\n/// | --- | --- | --- |\n{}pub static TARGETS",
                rows.concat()
            )
        };
        let rows: Vec<_> =
            TARGETS.iter().map(|target| format!("/// | {} | l | s, 2026-01 |\n", target.name)).collect();
        assert_eq!(sources(&table(&rows)).unwrap().lines().count(), rows.len() + 2);
        let error = sources(&table(&rows[1..])).unwrap_err().to_string();
        assert!(error.ends_with("no source for `anthropic`"), "{error}");
        for wrong in ["/// | siri | l | s |\n", "/// | openai | l |\n"] {
            let rows = [&rows[..], &[wrong.to_owned()]].concat();
            assert!(sources(&table(&rows)).unwrap_err().to_string().contains(wrong[4..].trim()));
        }
    }
}
