//! What the tools that are listed together say of each other.

use std::collections::HashSet;

use frankly_contract::ToolDef;

use super::prose;

/// What they say; made once for all of them.
#[derive(Debug, Default)]
pub(in super::super) struct Siblings {
    /// Names, in lower case, of which a description says that they changed something.
    told: HashSet<String>,
    /// Names under which a tool is listed that is not annotated as read-only.
    unmarked: HashSet<String>,
}

impl Siblings {
    pub fn of(tools: &[ToolDef]) -> Self {
        let unmarked = tools.iter().filter(|tool| tool.annotation("readOnlyHint") != Some(true));
        Self {
            told: tools.iter().flat_map(|tool| prose::told_of(tool.description())).collect(),
            unmarked: unmarked.map(|tool| tool.name().to_owned()).collect(),
        }
    }

    pub fn speak_against(&self, name: &str) -> bool {
        self.unmarked.contains(name) || self.tell_of(name)
    }

    /// Whether a description says of this tool that it changed something.
    pub fn tell_of(&self, name: &str) -> bool {
        self.told.contains(&name.to_lowercase())
    }
}
