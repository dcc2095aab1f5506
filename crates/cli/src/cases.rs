//! Files of contract cases: which there are, for which server, and what is written back into them.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use frankly_live::case::may_share;
use frankly_live::config::{Config, Source};
use frankly_verdict::Place;
use frankly_verdict::case::{CaseFile, Seen, updated};
use frankly_verdict::report::{counted, plain};

use crate::output;

/// Where files of cases are looked for.
pub const CASES: &str = "contracts";
/// What is larger is no file of cases.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// A file of cases as it is written.
#[derive(Debug)]
pub struct Sheet {
    pub file: CaseFile,
    path: PathBuf,
    text: String,
}

/// Files of cases, in the order in which they are run.
#[derive(Debug)]
pub struct Sheets(Vec<Sheet>);

impl Sheets {
    /// Reads the files that the user named; of a directory all that end in `.yaml` or `.yml`.
    pub fn read(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let mut files = Vec::new();
        for path in paths {
            if path == Path::new(CASES) && !path.exists() {
                bail!(
                    "there is no {CASES}/ here: frankly init writes first cases from a live server; or name a file"
                );
            }
            files.extend(if path.is_dir() { of_directory(path)? } else { vec![path.clone()] });
        }
        files.into_iter().map(Sheet::read).collect::<anyhow::Result<_>>().map(Self)
    }

    /// The files of `contracts/`, where there is one.
    pub fn here() -> anyhow::Result<Self> {
        let directory = PathBuf::from(CASES);
        if directory.is_dir() { Self::read(&[directory]) } else { Ok(Self(Vec::new())) }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Sheet> {
        self.0.iter()
    }

    /// The files that run on one started server, together with it.
    pub fn groups(
        &self,
        server: impl Fn(&Sheet) -> anyhow::Result<Source>,
    ) -> anyhow::Result<Vec<(Source, Vec<&Sheet>)>> {
        let mut groups: Vec<(Source, Vec<&Sheet>)> = Vec::new();
        for sheet in &self.0 {
            let source = server(sheet)?;
            let shares = |(other, sheets): &&mut (Source, Vec<&Sheet>)| {
                *other == source && sheets.iter().all(|other| may_share(&other.file))
            };
            match groups.iter_mut().find(shares).filter(|_| may_share(&sheet.file)) {
                Some((_, sheets)) => sheets.push(sheet),
                None => groups.push((source, vec![sheet])),
            }
        }
        Ok(groups)
    }
}

impl Sheet {
    fn read(path: PathBuf) -> anyhow::Result<Self> {
        let name = path.to_string_lossy().into_owned();
        let refused = || format!("{} cannot be read", plain(&name));
        let size = std::fs::metadata(&path).with_context(refused)?;
        if !size.is_file() || size.len() > MOST_BYTES {
            bail!("{} is no file of at most 4 MiB", plain(&name));
        }
        let text = std::fs::read_to_string(&path).with_context(refused)?;
        Ok(Self { file: CaseFile::parse(&name, &text)?, path, text })
    }

    /// The server that it is for: the one that it names, else the only one there is.
    pub fn server(&self, config: &Config) -> anyhow::Result<Option<String>> {
        let mut names = config.names();
        Ok(match (&self.file.server.name, names.next(), names.next()) {
            (Some(name), _, _) => Some(name.clone()),
            (None, Some(only), None) => Some(only.to_owned()),
            (None, _, _) => None,
        })
    }

    /// The server of `frankly.toml` that it is for.
    pub fn source(&self, config: &Config) -> anyhow::Result<Source> {
        let Some(name) = self.server(config)? else { bail!("{}", self.names_no_server()) };
        let server = config.server(&name).with_context(|| self.place().to_string())?;
        Ok(Source::Server(Some(name), Box::new(server)))
    }

    /// Where it names its server.
    pub fn place(&self) -> Place {
        let at = self.file.server.at;
        Place { file: self.file.path.clone(), line: at.line.max(1), column: at.column.max(1) }
    }

    pub fn names_no_server(&self) -> String {
        format!(
            "{}: the file names no server; write server: {{ use: NAME }} with a name of frankly.toml, or give a command after `--`",
            self.place()
        )
    }

    /// Writes what was seen into the cases that expect nothing yet.
    pub fn write(&self, seen: &Seen) -> anyhow::Result<()> {
        let name = plain(&self.file.path);
        let now = std::fs::read_to_string(&self.path).with_context(|| format!("{name} cannot be read"))?;
        if now != self.text {
            bail!("{name} was changed meanwhile and stays as it is; run it again");
        }
        let text = updated(&self.file, &self.text, seen).with_context(|| name.clone())?;
        std::fs::write(&self.path, text).with_context(|| format!("failed to write {name}"))?;
        output::note(&format!(
            "{name}: wrote what {} now",
            match seen.len() {
                1 => "1 case shows".to_owned(),
                several => format!("{} show", counted(several, "case")),
            }
        ));
        Ok(())
    }
}

/// The files of cases in a directory and those below it, in order.
fn below(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = plain(&directory.to_string_lossy());
    let entries = std::fs::read_dir(directory).with_context(|| format!("{name} cannot be read"))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    let mut paths = paths.with_context(|| format!("{name} cannot be read"))?;
    paths.sort();
    let is_case =
        |path: &Path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml");
    let mut files = Vec::new();
    for path in paths {
        // A link to a directory may lead in a circle.
        if path.is_dir() && !path.is_symlink() {
            files.extend(below(&path)?);
        } else if is_case(&path) {
            files.push(path);
        }
    }
    Ok(files)
}

fn of_directory(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = plain(&directory.to_string_lossy());
    let paths = below(directory)?;
    if paths.is_empty() {
        bail!("{name} has no file *.yaml: write one, or let frankly init write the first");
    }
    Ok(paths)
}
