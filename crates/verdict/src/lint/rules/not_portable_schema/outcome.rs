//! Who does not take a schema as it is written, and what they do with it.

use super::super::super::target::{Beyond, TARGETS, Target, What};
use crate::Severity;

/// What comes of going beyond a limit, for all who have it.
pub(super) struct Outcome {
    pub severity: Severity,
    pub told: String,
    pub reads_as: &'static str,
}

impl Outcome {
    /// For those of the audience who have it; else for the others, as information.
    pub fn of(targets: &[&'static Target], is_beyond: impl Fn(What) -> bool) -> Option<Self> {
        let chosen = Self::among(targets.iter().copied(), &is_beyond);
        // What somebody else takes but for some cases is no matter for this audience.
        let others = || {
            let refuse = TARGETS.iter().filter(|target| {
                target.beyond(&is_beyond).is_some_and(|limit| limit.beyond.severity() == Severity::Error)
            });
            Some(Self { severity: Severity::Info, ..Self::among(refuse, &is_beyond)? })
        };
        chosen.or_else(others)
    }

    fn among(
        targets: impl Iterator<Item = &'static Target>,
        is_beyond: &dyn Fn(What) -> bool,
    ) -> Option<Self> {
        let mut groups: Vec<(Beyond, Vec<&Target>)> = Vec::new();
        for target in targets {
            let Some(limit) = target.beyond(is_beyond) else { continue };
            match groups.iter_mut().find(|(beyond, _)| *beyond == limit.beyond) {
                Some((_, targets)) => targets.push(target),
                None => groups.push((limit.beyond, vec![target])),
            }
        }
        let told: Vec<_> = groups.iter().map(|(beyond, targets)| beyond.told(targets)).collect();
        let (gravest, _) = groups.iter().max_by_key(|(beyond, _)| beyond.severity())?;
        let reads_as = match gravest {
            Beyond::Refused => super::REFUSED,
            Beyond::LeftOut => "there is no such tool",
            Beyond::Cut | Beyond::Dropped => "anything may be given here, or nothing",
            Beyond::Sometimes(_) => "for some who get it there is no such tool, or no tool at all",
        };
        Some(Self { severity: gravest.severity(), told: told.join("; "), reads_as })
    }
}
