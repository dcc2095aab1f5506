//! What stands in `${…}` in the files of clients: each has its own way to write it, and all are understood everywhere.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::super::expand::expand;
use super::super::{MissingVariable, Server};

/// How variables are filled in.
pub(super) struct Variables<'a, F> {
    /// The server that they are for, such as `mcpServers.ledger`.
    pub place: &'a str,
    /// The folder that is open in the editor.
    pub folder: PathBuf,
    /// The environment.
    pub look_up: &'a F,
}

impl<F: Fn(&str) -> Option<String>> Variables<'_, F> {
    /// A server with every variable filled in; what is shown stays.
    pub fn fill_in(&self, server: Server) -> Result<Server, MissingVariable> {
        let text = |text: &str| expand(text, self.place, &|inner: &str| self.resolve(inner));
        let values = |map: &BTreeMap<String, String>| {
            map.iter().map(|(key, value)| Ok((key.clone(), text(value)?))).collect::<Result<_, _>>()
        };
        let directory = server.directory.as_ref().map(|directory| text(&directory.to_string_lossy()));
        Ok(Server {
            command: server.command.iter().map(|word| text(word)).collect::<Result<_, _>>()?,
            url: server.url.as_deref().map(text).transpose()?,
            headers: values(&server.headers)?,
            env: values(&server.env)?,
            directory: directory.transpose()?.map(Into::into),
            ..server
        })
    }

    /// What stands between the braces: `NAME`, `NAME:-default`, `env:NAME`, or one of the editor's own.
    fn resolve(&self, inner: &str) -> Result<String, MissingVariable> {
        if let Some((name, default)) = inner.split_once(":-") {
            // As shells do it: an empty variable counts as none.
            let value = (self.look_up)(name).filter(|value| !value.is_empty());
            return Ok(value.unwrap_or_else(|| default.to_owned()));
        }
        let name = match inner.split_once(':') {
            Some(("env", name)) => name,
            Some((kind, _)) => {
                let by = if kind == "input" { "the editor, which asks for it" } else { "the editor" };
                return Err(MissingVariable::Foreign {
                    name: inner.to_owned(),
                    by,
                    place: self.place.to_owned(),
                });
            }
            None => inner,
        };
        let own = || match inner {
            "workspaceFolder" => Some(self.folder.to_string_lossy().into_owned()),
            "userHome" => (self.look_up)("HOME"),
            _ => None,
        };
        (self.look_up)(name)
            .or_else(own)
            .ok_or_else(|| MissingVariable::NotSet { name: name.to_owned(), place: self.place.to_owned() })
    }
}
