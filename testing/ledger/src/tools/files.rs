//! What can be wrong with an uploaded file, told to the agent: each failure has its own remedy. What may not
//! enter: what is done with a file that can be read.

use frankly_contract::{Code, ToolError, shown};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::uploads::{self, Table, Unreadable};

/// The key of a file that is always there.
pub(crate) const EXAMPLE: &str = "card-2026-01.csv";
/// The longest key, in characters.
const MAX_KEY: u32 = 200;
/// The kind of the failure to read a file at all.
pub(crate) const UNREADABLE: &str = "file_unreadable";

/// The argument that names a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(
    description = "The key of an uploaded file, exactly as the user or the upload gave it, at most 200 characters; \
                          no path. E.g. card-2026-01.csv, which is always there."
)]
pub(crate) struct FileKey(#[schemars(length(min = 1, max = MAX_KEY), example = EXAMPLE)] pub String);

/// The file as a table, or what to do about it.
pub(crate) fn read(key: &str) -> Result<Table, ToolError> {
    uploads::read(key).map_err(|unreadable| explain(key, unreadable))
}

fn explain(key: &str, unreadable: Unreadable) -> ToolError {
    let key_shown = shown(key);
    match unreadable {
        Unreadable::Unknown => ToolError::new(
            Code::NotFound,
            format!("no uploaded file has the key {key_shown}"),
            "use the key exactly as the upload gave it, or ask the user to re-upload the file",
        )
        .with_kind(UNREADABLE)
        .with_did_you_mean(key, uploads::keys()),
        Unreadable::NotText(byte) => ToolError::new(
            Code::NotFound,
            format!("the file {key_shown} holds no readable text"),
            "ask the user to re-upload it as CSV in UTF-8; the same call fails again",
        )
        .with_kind(UNREADABLE)
        .with_why(format!("byte {byte} is not UTF-8, so it may be an image or a spreadsheet")),
        Unreadable::NoColumns => ToolError::new(
            Code::InvalidArgs,
            format!("the file {key_shown} has no columns"),
            "ask the user whether its first line is a header row with the column names",
        )
        .with_kind("no_columns"),
        Unreadable::NoRows(headers) => ToolError::new(
            Code::InvalidArgs,
            format!("the file {key_shown} has a header row and no data rows"),
            "tell the user that the file is empty; do not call again with it",
        )
        .with_kind("no_data_rows")
        .with_detail("headers", headers),
    }
}
