//! `${NAME}` in values of `frankly.toml`.

use super::{Reset, Server};

/// The name that stands for the running binary.
const OWN_EXECUTABLE: &str = "FRANKLY_EXE";

/// A `${NAME}` that cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MissingVariable {
    /// No such environment variable.
    #[error(
        "the environment variable {name} is not set (servers.{server} needs it); set it, or write the value"
    )]
    NotSet {
        /// The variable.
        name: String,
        /// The server whose table mentions it.
        server: String,
    },
    /// No closing brace.
    #[error("`${{` without a closing brace in {text:?} (servers.{server})")]
    Unclosed {
        /// The text.
        text: String,
        /// The server whose table holds it.
        server: String,
    },
}

impl Server {
    /// The server with every `${NAME}` in its commands and environment filled in; what is shown stays.
    ///
    /// # Errors
    ///
    /// The first variable that is not set, or brace that is not closed.
    pub(super) fn expanded(
        &self,
        name: &str,
        look_up: &impl Fn(&str) -> Option<String>,
    ) -> Result<Self, MissingVariable> {
        let fill_in = |text: &String| expand(text, name, look_up);
        let all = |words: &[String]| words.iter().map(fill_in).collect::<Result<Vec<_>, _>>();
        let command = all(&self.command)?;
        let reset = self.reset.as_ref();
        let reset =
            reset.map(|reset| Ok(Reset { command: all(&reset.command)?, shown: reset.shown.clone() }));
        let env = self.env.iter().map(|(variable, value)| Ok((variable.clone(), fill_in(value)?)));
        Ok(Self { command, reset: reset.transpose()?, env: env.collect::<Result<_, _>>()?, ..self.clone() })
    }
}

/// Looks a name up in the environment; the running binary has a name of its own.
pub(super) fn from_environment(name: &str) -> Option<String> {
    if name == OWN_EXECUTABLE {
        return std::env::current_exe().ok()?.into_os_string().into_string().ok();
    }
    std::env::var(name).ok()
}

fn expand(
    text: &str,
    server: &str,
    look_up: &impl Fn(&str) -> Option<String>,
) -> Result<String, MissingVariable> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else {
            return Err(MissingVariable::Unclosed { text: text.to_owned(), server: server.to_owned() });
        };
        let missing = || MissingVariable::NotSet { name: name.to_owned(), server: server.to_owned() };
        expanded.push_str(before);
        expanded.push_str(&look_up(name).ok_or_else(missing)?);
        rest = tail;
    }
    expanded.push_str(rest);
    Ok(expanded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in_once_and_the_rest_stays() {
        let look_up = |name: &str| (name == "A").then(|| "1${A}".to_owned());
        let expand = |text| expand(text, "s", &look_up);
        assert_eq!(expand("x${A}y$A{z}").unwrap(), "x1${A}y$A{z}");
        assert!(expand("${B}").unwrap_err().to_string().contains("variable B is not set (servers.s"));
        assert!(matches!(expand("${A"), Err(MissingVariable::Unclosed { .. })));
    }
}
