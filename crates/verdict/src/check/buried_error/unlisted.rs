//! "It worked", said by a tool that does not exist.

use frankly_contract::ToolDef;

use super::DOC;
use crate::check::absence::denial;
use crate::check::reading::{Exchange, Reading};
use crate::check::wording;
use crate::report::shorten;
use crate::{Finding, Severity};

const SHOWN_CHARS: usize = 120;
/// What a server sends when its tools are others than were listed.
const CHANGED: &str = "notifications/tools/list_changed";

/// A success for a name that is not listed. Where the answer says so in words, it is told of by those.
pub(super) fn look_at(exchange: &Exchange<'_>, reading: &Reading<'_>) -> Option<Finding> {
    let (payload, _) = exchange.success()?;
    let name = exchange.call.name;
    let tools = reading.transcript.tools.as_ref().filter(|tools| !tools.is_empty())?;
    if exchange.tool.is_some() || exchange.is_malformed || name.is_empty() {
        return None;
    }
    // A client may put its own before the names: `mcp__ledger__list_boats`.
    let is_prefixed = |tool: &ToolDef| {
        name.strip_suffix(tool.name()).is_some_and(|before| before.ends_with(['_', '.', '/', ':', '-']))
    };
    if tools.iter().any(is_prefixed) {
        return None;
    }
    // What was listed then may not be what there is now.
    if reading.transcript.wire().any(|(_, frame)| frame.method() == Some(CHANGED)) {
        return None;
    }
    let text = payload
        .at("/content/0/text")
        .map(|text| text.as_str().map_or_else(|| text.to_string(), str::to_owned));
    let text = text.unwrap_or_default();
    if wording::is_unknown_tool(&text) || denial(exchange).is_some() {
        return None;
    }
    let finding = Finding::proven(&DOC, Severity::Error, reading.server(), name, "/result").saying(
        format!(
            "{:?} is none of the {} listed, and the call of it is answered as a success",
            shorten(name, SHOWN_CHARS),
            crate::report::counted(tools.len(), "tool")
        ),
        "there is such a tool, and it did what its name says",
        "refuse a name that is not listed with a JSON-RPC error, -32602, that names it and the nearest one that there is",
    );
    Some(exchange.finding(finding.with_evidence(shorten(&text, SHOWN_CHARS)), &[]))
}
