//! A tool among its set, with what several rules read of it: each is made once, when it is first asked for. Judges nothing.

use std::sync::OnceLock;

use frankly_contract::ToolDef;

use super::Audience;
use super::action::Action;
use super::parameters::{Parameter, parameters};
use super::prose::Text;
use crate::{ToolSet, names};

/// A tool among its set: what most rules look at one by one.
#[derive(Debug)]
pub struct Subject<'a> {
    pub(super) server: &'a str,
    pub(super) label: String,
    /// Its place in the set.
    pub(super) index: usize,
    pub(super) tool: &'a ToolDef,
    /// Who gets it.
    pub(super) audience: &'a Audience,
    /// The description.
    pub(super) said: Text<'a>,
    name_words: OnceLock<Vec<String>>,
    action: OnceLock<Option<Action>>,
    parameters: OnceLock<Vec<Parameter<'a>>>,
}

impl<'a> Subject<'a> {
    /// The tool at this place of a set.
    pub(super) fn new(set: &'a ToolSet, index: usize, tool: &'a ToolDef, audience: &'a Audience) -> Self {
        Self {
            server: &set.server,
            label: set.label(index),
            index,
            tool,
            audience,
            said: Text::new(tool.description()),
            name_words: OnceLock::new(),
            action: OnceLock::new(),
            parameters: OnceLock::new(),
        }
    }

    /// The words of its name, in lower case.
    pub(super) fn name_words(&self) -> &[String] {
        self.name_words.get_or_init(|| names::words(self.tool.name()))
    }

    /// What its name says that it does.
    pub(super) fn action(&self) -> Option<&Action> {
        self.action.get_or_init(|| Action::of_words(self.name_words())).as_ref()
    }

    /// Every parameter, outer ones first.
    pub(super) fn parameters(&self) -> &[Parameter<'a>] {
        self.parameters.get_or_init(|| parameters(self.tool))
    }

    /// Lets go of its parameters, which are most of what it holds.
    pub(super) fn forget_parameters(&mut self) {
        self.parameters = OnceLock::new();
    }

    /// Those that are arguments of their own.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &Parameter<'a>> {
        self.parameters().iter().filter(|parameter| parameter.is_argument)
    }
}
