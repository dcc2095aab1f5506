//! The state that servers work on: made once, and brought back whenever it was changed.

use std::fs::{File, Metadata};
use std::io;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::entry::Entry;
use super::places::Places;
use super::sandbox::PATH;

/// What made the state that is there, in the folder that it is in.
const MARK: &str = ".made-by";

/// Makes what every server gets, unless just this is there already.
pub fn make_common(maker: &Path, common: &Path) -> anyhow::Result<()> {
    let text =
        std::fs::read_to_string(maker).with_context(|| format!("failed to read {}", maker.display()))?;
    let mark = common.join(MARK);
    if std::fs::read_to_string(&mark).is_ok_and(|made| made == text) {
        return Ok(());
    }
    if common.exists() {
        std::fs::remove_dir_all(common).context("failed to remove an old state")?;
    }
    run(Path::new("python3"), maker, common, None)?;
    std::fs::write(mark, text).context("failed to note what made the state")
}

/// Makes the state of one server: what every server gets, and with its own Python what needs that.
pub fn make(maker: &Path, common: &Path, entry: &Entry, places: &Places) -> anyhow::Result<()> {
    std::fs::create_dir_all(&places.pristine).context("failed to make a folder")?;
    restore(common, &places.pristine)?;
    let own = places.install.join("bin/python");
    entry.variants().try_for_each(|variant| run(&own, maker, &places.pristine, Some(variant)))
}

fn run(python: &Path, maker: &Path, state: &Path, variant: Option<&str>) -> anyhow::Result<()> {
    let mut command = Command::new(python);
    command.arg(maker).arg(state).args(variant).env("PATH", PATH);
    let output = command.output().with_context(|| format!("failed to start {}", python.display()))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "failed to make the state: {}", said.lines().last().unwrap_or_default());
    Ok(())
}

/// Makes a folder like another, writing only what differs by size or time. Files are written in place, since a server
/// may have them open.
pub fn restore(from: &Path, to: &Path) -> anyhow::Result<()> {
    restore_folder(from, to)
        .with_context(|| format!("failed to make {} like {}", to.display(), from.display()))
}

fn restore_folder(from: &Path, to: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(to)? {
        let (there, like) = (entry?.path(), from.join(""));
        let like = there.file_name().map(|name| like.join(name));
        let wanted = like.and_then(|like| std::fs::symlink_metadata(like).ok());
        let found = std::fs::symlink_metadata(&there)?;
        if wanted.is_some_and(|wanted| wanted.file_type() == found.file_type()) {
            continue;
        }
        if found.is_dir() { std::fs::remove_dir_all(&there)? } else { std::fs::remove_file(&there)? }
    }
    for entry in std::fs::read_dir(from)? {
        let (wanted, there) = (entry?.path(), to.join(""));
        let Some(there) = wanted.file_name().map(|name| there.join(name)) else { continue };
        let metadata = std::fs::symlink_metadata(&wanted)?;
        if metadata.is_dir() {
            std::fs::create_dir_all(&there)?;
            restore_folder(&wanted, &there)?;
        } else if !is_same(&metadata, &there) {
            restore_file(&wanted, &metadata, &there)?;
        }
    }
    Ok(())
}

fn is_same(wanted: &Metadata, there: &Path) -> bool {
    let Ok(found) = std::fs::symlink_metadata(there) else { return false };
    found.len() == wanted.len() && found.modified().ok() == wanted.modified().ok()
}

fn restore_file(wanted: &Path, metadata: &Metadata, there: &Path) -> io::Result<()> {
    let mut target = match File::create(there) {
        // A tool may have taken the right to write away.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            std::fs::remove_file(there)?;
            File::create(there)?
        }
        opened => opened?,
    };
    io::copy(&mut File::open(wanted)?, &mut target)?;
    target.set_modified(metadata.modified()?)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{MetadataExt, symlink};

    use super::*;

    #[test]
    fn what_this_maker_made_already_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (maker, common) = (folder.path().join("maker.py"), folder.path().join("common"));
        std::fs::create_dir(&common).unwrap();
        for (file, text) in
            [(&maker, "no Python"), (&common.join(MARK), "no Python"), (&common.join("a"), "1")]
        {
            std::fs::write(file, text).unwrap();
        }
        make_common(&maker, &common).unwrap();
        assert!(common.join("a").exists());
        std::fs::write(&maker, "no Python either").unwrap();
        assert!(make_common(&maker, &common).is_err() && !common.join("a").exists());
    }

    #[test]
    fn whatever_was_changed_is_brought_back() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        for made in [from.join("deep/empty"), to.clone()] {
            std::fs::create_dir_all(made).unwrap();
        }
        for (path, text) in [("a", "one"), ("deep/b", "two"), ("c", "three")] {
            std::fs::write(from.join(path), text).unwrap();
        }
        restore(&from, &to).unwrap();
        let inode = std::fs::metadata(to.join("a")).unwrap().ino();
        std::fs::write(to.join("a"), "ONE").unwrap();
        std::fs::remove_dir_all(to.join("deep")).unwrap();
        std::fs::remove_file(to.join("c")).unwrap();
        std::fs::create_dir_all(to.join("c/more")).unwrap();
        symlink(&from, to.join("link")).unwrap();
        restore(&from, &to).unwrap();
        let text = |path: &str| std::fs::read_to_string(to.join(path)).unwrap();
        assert_eq!([text("a"), text("deep/b"), text("c")], ["one", "two", "three"]);
        assert!(to.join("deep/empty").is_dir() && !to.join("link").exists());
        assert_eq!(std::fs::metadata(to.join("a")).unwrap().ino(), inode, "a server may have it open");
        assert!(from.join("a").exists(), "a link is removed, not what it leads to");
    }
}
