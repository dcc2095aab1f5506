//! `${NAME}` in values that people write.

use std::collections::BTreeMap;

use frankly_verdict::report::plain;

use super::{Identity, Reset, Server};

/// The name that stands for the running binary.
const OWN_EXECUTABLE: &str = "FRANKLY_EXE";

/// A `${NAME}` that cannot be filled in.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MissingVariable {
    /// No such environment variable.
    #[error(
        "the environment variable {} is not set ({} needs it); set it, or write the value",
        plain(name),
        plain(place)
    )]
    NotSet {
        /// The variable.
        name: String,
        /// Where it is mentioned, such as `servers.ledger`.
        place: String,
    },
    /// No closing brace.
    #[error("`${{` without a closing brace in {text:?} ({})", plain(place))]
    Unclosed {
        /// The text.
        text: String,
        /// Where it stands.
        place: String,
    },
    /// Something that only a certain client can fill in.
    #[error(
        "${{{}}} is filled in only by {by} ({} needs it); write ${{NAME}} and set that variable",
        plain(name),
        plain(place)
    )]
    Foreign {
        /// What stands between the braces.
        name: String,
        /// Who fills it in.
        by: &'static str,
        /// Where it stands.
        place: String,
    },
}

/// A text with every `${NAME}` filled in from the environment; `place` is where it stands, for the error.
///
/// # Errors
///
/// The first variable that is not set, or brace that is not closed.
pub fn filled_in(text: &str, place: &str) -> Result<String, MissingVariable> {
    expand(text, place, &or_not_set(place, &from_environment))
}

impl Server {
    /// The server with every `${NAME}` in its commands, address, headers and environment filled in; what is shown stays.
    ///
    /// # Errors
    ///
    /// The first variable that is not set, or brace that is not closed.
    pub(super) fn expanded(
        &self,
        name: &str,
        look_up: &impl Fn(&str) -> Option<String>,
    ) -> Result<Self, MissingVariable> {
        let place = format!("servers.{name}");
        let resolve = or_not_set(&place, look_up);
        let fill_in = |text: &String| expand(text, &place, &resolve);
        let all = |words: &[String]| words.iter().map(fill_in).collect::<Result<Vec<_>, _>>();
        let command = all(&self.command)?;
        let reset = self.reset.as_ref();
        let reset =
            reset.map(|reset| Ok(Reset { command: all(&reset.command)?, shown: reset.shown.clone() }));
        let values = |map: &BTreeMap<String, String>| {
            map.iter().map(|(key, value)| Ok((key.clone(), fill_in(value)?))).collect::<Result<_, _>>()
        };
        let (env, headers) = (values(&self.env)?, values(&self.headers)?);
        let identity = |(name, identity): (&String, &Identity)| {
            let (env, headers) = (values(&identity.env)?, values(&identity.headers)?);
            Ok((name.clone(), Identity { env, headers, tenant: identity.tenant.clone() }))
        };
        let identities = self.identities.iter().map(identity).collect::<Result<_, _>>()?;
        let url = self.url.as_ref().map(fill_in).transpose()?;
        Ok(Self { command, url, headers, reset: reset.transpose()?, env, identities, ..self.clone() })
    }
}

/// Looks a name up in the environment; the running binary has a name of its own.
pub(super) fn from_environment(name: &str) -> Option<String> {
    if name == OWN_EXECUTABLE {
        return std::env::current_exe().ok()?.into_os_string().into_string().ok();
    }
    std::env::var(name).ok()
}

/// A look-up whose misses are errors.
fn or_not_set(
    place: &str,
    look_up: &impl Fn(&str) -> Option<String>,
) -> impl Fn(&str) -> Result<String, MissingVariable> {
    move |name| {
        look_up(name)
            .ok_or_else(|| MissingVariable::NotSet { name: name.to_owned(), place: place.to_owned() })
    }
}

/// A text with every `${…}` replaced by what it stands for; what is put in is not looked at again.
pub(super) fn expand(
    text: &str,
    place: &str,
    resolve: &impl Fn(&str) -> Result<String, MissingVariable>,
) -> Result<String, MissingVariable> {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else {
            return Err(MissingVariable::Unclosed { text: text.to_owned(), place: place.to_owned() });
        };
        expanded.push_str(before);
        expanded.push_str(&resolve(name)?);
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
        let expand = |text| expand(text, "servers.s", &or_not_set("servers.s", &look_up));
        assert_eq!(expand("x${A}y$A{z}").unwrap(), "x1${A}y$A{z}");
        assert!(expand("${B}").unwrap_err().to_string().contains("variable B is not set (servers.s"));
        assert!(matches!(expand("${A"), Err(MissingVariable::Unclosed { .. })));
    }
}
