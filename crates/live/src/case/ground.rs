//! What cases stand on: a temporary directory with their files, and the environment that names it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use frankly_verdict::case::{CaseFile, Variables};
use serde_json::Value;
use tempfile::TempDir;

use super::{TestError, may_share};
use crate::config::{DEFAULT_TIMEOUT, Server, filled_in};
use crate::session::{CommandError, Launch, run_command};

const DIRECTORY: &str = "${DIR}";
/// How long a step may take, if calls may not take longer still.
const STEP: Duration = Duration::from_secs(60);

/// What the cases of some files stand on; gone when it is dropped.
pub(super) struct Ground {
    directory: Option<TempDir>,
    /// The file that asks for a server of its own, with the environment that it asks for.
    env: Vec<(String, String)>,
    asks_for_a_start: bool,
    file: String,
}

impl Ground {
    /// Makes ready what the files ask for: nothing where several share a server.
    pub fn of(files: &[&CaseFile]) -> Result<Self, TestError> {
        let alone = files.iter().find(|file| !may_share(file));
        let Some(file) = alone else {
            return Ok(Self {
                directory: None,
                env: Vec::new(),
                asks_for_a_start: false,
                file: String::new(),
            });
        };
        let failed = |error| TestError::Directory { file: file.path.clone(), error };
        let directory = file.wants_directory().then(tempfile::tempdir).transpose().map_err(failed)?;
        if let Some(directory) = &directory {
            file.files
                .iter()
                .try_for_each(|(path, text)| write(directory.path(), path, text))
                .map_err(failed)?;
        }
        Ok(Self {
            directory,
            env: file.server.env.clone().into_iter().collect(),
            asks_for_a_start: file.server.fresh || !file.server.env.is_empty(),
            file: file.path.clone(),
        })
    }

    /// The server with the environment that the file asks for.
    pub fn server(&self, server: &Server) -> Result<Server, TestError> {
        let mut server = server.clone();
        if server.url.is_some() && self.asks_for_a_start {
            return Err(TestError::Reached { file: self.file.clone() });
        }
        for (name, text) in &self.env {
            let place = format!("server.env.{name}");
            let value = filled_in(&self.located(text), &place)
                .map_err(|error| TestError::Variable { file: self.file.clone(), error })?;
            server.env.insert(name.clone(), value);
        }
        Ok(server)
    }

    /// A text with the temporary directory filled in.
    fn located(&self, text: &str) -> String {
        match &self.directory {
            Some(directory) => text.replace(DIRECTORY, &directory.path().to_string_lossy()),
            None => text.to_owned(),
        }
    }

    /// What later calls may use from the beginning.
    pub fn variables(&self) -> Variables {
        let path = |directory: &TempDir| Value::from(directory.path().to_string_lossy());
        self.directory.iter().map(|directory| ("DIR".to_owned(), path(directory))).collect()
    }

    /// The server's own environment, with the temporary directory.
    fn environment(&self, server: &Server) -> Vec<(String, String)> {
        let path = |directory: &TempDir| directory.path().to_string_lossy().into_owned();
        let directory = self.directory.iter().map(|directory| ("DIR".to_owned(), path(directory)));
        server.env.clone().into_iter().chain(directory).collect()
    }

    /// Runs a program to its end, with the server's own environment; `shown` is how it is written, without what was filled in.
    pub async fn run(
        &self,
        command: Vec<String>,
        shown: &[String],
        server: &Server,
    ) -> Result<(), CommandError> {
        let timeout = server.timeout.unwrap_or(DEFAULT_TIMEOUT).max(STEP);
        let launch = Launch {
            command,
            shown: shown.to_vec(),
            timeout,
            url: None,
            env: self.environment(server),
            ..server.launch(None)
        };
        run_command(&launch).await
    }
}

/// Writes a file below a directory; its path leads nowhere else, which is seen to where it is read.
fn write(directory: &Path, path: &str, text: &str) -> std::io::Result<()> {
    let file: PathBuf = directory.join(path);
    if let Some(parent) = file.parent() {
        std::fs::create_dir_all(parent)?;
    }
    std::fs::write(file, text)
}
