//! What a run reads must not be written over by what it writes.

use std::path::{Path, PathBuf};

use anyhow::bail;
use frankly_live::config::{FILE_NAME, file_identity};
use frankly_verdict::report::plain;

use crate::args::ReportArgs;

/// How standard input is named on a command line, and where what it reads can be asked after.
pub const INPUT: [&str; 2] = ["-", "/dev/stdin"];

impl ReportArgs {
    /// An error where a file that is to be written is one of these that are read, a file in one of these directories, or one
    /// that says how findings are judged. Names of servers among them are none.
    pub fn spares<P: AsRef<Path>>(&self, inputs: impl IntoIterator<Item = P>) -> anyhow::Result<()> {
        let beside = [Path::new(FILE_NAME).to_owned()].into_iter().chain(self.baseline.clone());
        let inputs: Vec<PathBuf> =
            inputs.into_iter().map(|input| input.as_ref().to_owned()).chain(beside).collect();
        for output in self.output.iter().map(|(_, path)| path).chain(&self.write_baseline) {
            spare(output, &inputs)?;
        }
        Ok(())
    }
}

/// An error where this file, which is to be written, is one of the inputs, under whatever name.
pub fn spare(output: &Path, inputs: &[PathBuf]) -> anyhow::Result<()> {
    let Some(written) = file_identity(output).filter(|_| output.is_file()) else { return Ok(()) };
    let is_read = |input: &&PathBuf| {
        let input = if *input == Path::new(INPUT[0]) { Path::new(INPUT[1]) } else { input };
        let is_in = |directory: &Path| {
            std::fs::read_dir(directory).is_ok_and(|mut entries| {
                entries.any(|entry| entry.is_ok_and(|entry| file_identity(&entry.path()) == Some(written)))
            })
        };
        file_identity(input) == Some(written) || is_in(input)
    };
    if let Some(input) = inputs.iter().find(is_read) {
        let (output, input) = (plain(&output.to_string_lossy()), plain(&input.to_string_lossy()));
        let read = if input == output { "is read too".to_owned() } else { format!("is read as {input}") };
        bail!("{output} {read}, and writing the result there would destroy it: name another file");
    }
    Ok(())
}
