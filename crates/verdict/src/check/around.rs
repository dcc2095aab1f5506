//! What an answer says around its list, with what that says of whether there is more: read once, asked for by many.

use super::admission::{Arguments, Claim};
use crate::payload::{List, Payload, Statement};
use crate::transcript::Call;

/// The list of an answer, and what stands around it.
#[derive(Debug)]
pub(super) struct Around<'a> {
    pub list: &'a List,
    pub statements: Vec<Statement<'a>>,
    /// Of each statement.
    claims: Vec<Claim>,
}

impl<'a> Around<'a> {
    /// Reads it, where the answer has a list.
    pub fn of(call: &Call<'a>, payload: &'a Payload) -> Option<Self> {
        let list = payload.list()?;
        let statements = payload.around(&list.pointer);
        let arguments = Arguments::of(call.arguments);
        let claims = statements.iter().map(|said| said.claim(list.len as u64, &arguments)).collect();
        Some(Self { list, statements, claims })
    }

    /// Each statement with what it says.
    pub fn claims(&self) -> impl Iterator<Item = (&Statement<'a>, Claim)> {
        self.statements.iter().zip(self.claims.iter().copied())
    }
}
