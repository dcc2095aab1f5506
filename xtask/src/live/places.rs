//! Where everything of one server is, below the folder of them all.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The folders and files of one server.
#[derive(Debug, Clone)]
pub struct Places {
    /// Where it is installed.
    pub install: PathBuf,
    /// What the installation said.
    pub install_log: PathBuf,
    /// The state as it was made, which nobody changes.
    pub pristine: PathBuf,
    /// The state that the server works on.
    pub state: PathBuf,
    /// Its throw-away HOME, with the XDG folders and the one for temporary files in it.
    pub home: PathBuf,
    /// The configuration that frankly runs it with.
    pub config: PathBuf,
    /// What frankly said on standard error.
    pub stderr: PathBuf,
    /// The JSON report.
    pub report: PathBuf,
    /// What else is known of the run.
    pub run: PathBuf,
}

impl Places {
    pub fn of(root: &Path, name: &str) -> Self {
        let own = root.join(name);
        let reports = root.join("reports");
        Self {
            install: own.join("install"),
            install_log: own.join("install.log"),
            pristine: own.join("pristine"),
            state: own.join("state"),
            home: own.join("home"),
            config: own.join("frankly.toml"),
            stderr: own.join("stderr.txt"),
            report: reports.join(format!("{name}.json")),
            run: reports.join(format!("{name}.run.json")),
        }
    }

    /// A text in which the folders have their names again, as far as they stand in it whole.
    pub fn taken_out(&self, text: &str) -> String {
        let named = [(&self.install, "{DIR}"), (&self.state, "{STATE}"), (&self.home, "{HOME}")];
        named
            .into_iter()
            .fold(text.to_owned(), |text, (path, name)| text.replace(&*path.to_string_lossy(), name))
    }

    /// A text with `{DIR}` and `{STATE}` filled in.
    pub fn filled_in(&self, text: &str) -> String {
        text.replace("{DIR}", &self.install.to_string_lossy())
            .replace("{STATE}", &self.state.to_string_lossy())
    }
}

/// The folder of all servers: `live` beside the folder that cargo built this binary into.
pub fn root(here: &Path) -> anyhow::Result<PathBuf> {
    let target = here.parent().and_then(Path::parent).context("this binary is in no target folder")?;
    Ok(target.join("live"))
}
