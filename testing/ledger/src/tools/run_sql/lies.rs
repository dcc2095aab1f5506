//! What `run_sql` can lie about, beside what it cuts.

use frankly_contract::{CallError, ToolError, ToolResult};

use super::super::lie::{Lie, Outcome, Sent};
use crate::Fault;

/// Where the text of a result is cut, in bytes.
const CUT: usize = 2_000;
/// What a careless program prints with an error.
const TRACE: &str = "Traceback (most recent call last):\n  \
    File \"/srv/ledger/app/tools/run_sql.py\", line 88, in run\n    cursor.execute(sql)\n  \
    File \"/srv/ledger/.venv/lib/python3.12/site-packages/books/client.py\", line 211, in execute\n    \
    self.send(\"db-7.books.internal:5432\", sql)\n\
    sqlite3.OperationalError";

pub(in super::super) static LIES: &[Lie] =
    &[Lie::answered(Fault::LeakyError, traced), Lie::answered(Fault::BrokenCut, cut)];

/// The error as it is, and then where the program was when it came up.
fn traced(_: &Sent, outcome: Outcome) -> Outcome {
    let Err(CallError::Tool(failed)) = &outcome else { return outcome };
    let did_not_run = ToolError::from_result(failed).filter(|error| error.why().is_some());
    let Some((_, text)) = did_not_run.and(failed.texts().next()) else { return outcome };
    Err(CallError::Tool(ToolResult::failure(format!("{text}\n\n{TRACE}"))))
}

fn cut(_: &Sent, outcome: Outcome) -> Outcome {
    let answer = outcome?;
    let Some((_, text)) = answer.texts().next() else { return Ok(answer) };
    match text.char_indices().find(|(at, _)| *at >= CUT) {
        Some((end, _)) => Ok(ToolResult::text(&text[..end])),
        None => Ok(answer),
    }
}
