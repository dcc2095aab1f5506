//! What a server may see and touch: its own folders, a bare environment, and, where this runs as root, nothing that
//! belongs to anybody.

use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use anyhow::Context;

use super::places::Places;

/// Where programs are looked for, whatever is installed for the person who runs this.
pub const PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The user and the group that own nothing, `nobody` on every Linux: a tool that ends processes or writes to any path
/// can do no harm as them.
const NOBODY: u32 = 65534;

/// A command that is run in a server's sandbox.
pub fn command(program: &Path, places: &Places) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("PATH", PATH).env("LANG", "C.UTF-8").current_dir(&places.state);
    command.env("HOME", &places.home).env("TMPDIR", places.home.join("tmp"));
    command.process_group(0);
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

/// The environment that frankly does not hand on by itself.
pub fn xdg(places: &Places) -> impl Iterator<Item = (String, String)> {
    let folders = [
        ("XDG_CONFIG_HOME", ".config"),
        ("XDG_CACHE_HOME", ".cache"),
        ("XDG_DATA_HOME", ".local/share"),
        ("XDG_STATE_HOME", ".local/state"),
        ("XDG_RUNTIME_DIR", ".run"),
    ];
    folders
        .into_iter()
        .map(|(name, folder)| (name.to_owned(), places.home.join(folder).to_string_lossy().into_owned()))
}

/// Makes the folders that a server may write to anew, empty.
pub fn prepare(places: &Places) -> anyhow::Result<()> {
    for folder in [&places.home, &places.state] {
        if folder.exists() {
            std::fs::remove_dir_all(folder)
                .with_context(|| format!("failed to remove {}", folder.display()))?;
        }
    }
    for folder in [places.state.clone(), places.home.clone(), places.home.join("tmp")] {
        std::fs::create_dir_all(&folder).with_context(|| format!("failed to make {}", folder.display()))?;
        if is_root() {
            chown(&folder, Some(NOBODY), Some(NOBODY))
                .with_context(|| format!("failed to give {} away", folder.display()))?;
        }
    }
    Ok(())
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
