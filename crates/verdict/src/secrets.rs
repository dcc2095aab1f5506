//! Credentials in texts, by their form or by the name of what they are the value of.

mod encoded;
mod form;
mod gate;
mod names;
mod pairs;
mod pem;
mod url;
mod value;
mod words;

use encoded::encoded;
use form::by_form;
use gate::Gate;
use names::names_a_secret;
pub(crate) use names::{Hold, hold};
pub(crate) use pem::{end as end_of_key, is_open_behind as key_goes_on_behind};
pub(crate) use url::{cut_password, password_in_url};
use value::{LEAST_CHARS, is_secret_like};
pub(crate) use value::{is_hash, is_left_out, looks_like_one};
use words::in_words;

/// How many words of a text are decoded at most, where one credential is enough.
const MOST_ENCODED: usize = 1000;
/// What is known only by the name of what holds it.
pub(crate) const BY_NAME: &str = "a credential by its name";
/// What is known by its place in a URL.
pub(crate) const IN_URL: &str = "a password in a URL";

/// A credential: what it is, the text of it, and whether its form leaves no doubt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Secret<'t> {
    pub what: &'static str,
    pub text: &'t str,
    pub is_certain: bool,
}

/// How much is taken for a credential where only words tell of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    /// No more than hardly anybody would dispute: a finding costs whoever reads it.
    Sparing,
    /// All that may well be one: what is redacted in vain costs little.
    Broad,
}

impl Secret<'_> {
    /// Enough of it to find it again, and no more.
    pub fn masked(&self) -> String {
        const SHOWN: usize = 4;
        /// No more than this part of it is shown.
        const PART: usize = 5;
        let chars = self.text.chars().count();
        let shown: String = self.text.chars().take(SHOWN.min(chars / PART)).collect();
        format!("{shown}… ({chars} characters)")
    }
}

/// The first credential in a text that is the value of a member with this name, where hardly anybody would dispute it.
pub(crate) fn secret<'t>(name: &str, text: &'t str) -> Option<Secret<'t>> {
    let gate = Gate::of(text);
    let form = || by_form(text).next();
    let decoded = || encoded(text, Care::Sparing).take(MOST_ENCODED).flatten().next();
    let formal = gate.by_form.then(form).flatten().or_else(|| gate.encoded.then(decoded).flatten());
    formal
        .or_else(|| by_name(name, text))
        .or_else(|| gate.in_words.then(|| in_words(text, Care::Sparing).next()).flatten())
}

/// All that may be a credential in a text, whatever its name; some may lie within others.
pub(crate) fn secrets(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let gate = Gate::of(text);
    let form = gate.by_form.then(|| by_form(text)).into_iter().flatten();
    let decoded = gate.encoded.then(|| encoded(text, Care::Broad)).into_iter().flatten().flatten();
    form.chain(decoded).chain(gate.in_words.then(|| in_words(text, Care::Broad)).into_iter().flatten())
}

/// One by the name of what it is the value of.
fn by_name<'t>(name: &str, text: &'t str) -> Option<Secret<'t>> {
    if text.len() < LEAST_CHARS || !names_a_secret(name) {
        return None;
    }
    let text = text.trim();
    let text =
        ["Basic ", "Bearer ", "bearer "].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    is_secret_like(text).then_some(Secret { what: BY_NAME, text, is_certain: false })
}

#[cfg(test)]
mod tests {
    use super::form::AWS_EXAMPLE;
    use super::*;
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    #[test]
    fn credentials_are_told_from_what_only_looks_like_them() {
        let of = |name: &str, text: &str| {
            secret(name, text).map(|found| (found.what.to_owned(), found.is_certain))
        };
        let certain = |what: &str| Some((what.to_owned(), true));
        let github = format!("ghp_{}", "a1B2c3D4e5F6".repeat(3));
        assert_eq!(of("text", &format!("token {github}, use it")), certain("a GitHub token"));
        assert_eq!(of("text", "postgres://app:hunter2@db/x"), certain("a password in a URL"));
        assert_eq!(of("text", "-----BEGIN RSA PRIVATE KEY-----\nMII"), certain("a private key"));
        let hidden = STANDARD.encode(github.as_bytes());
        assert_eq!(of("text", &hidden), certain("a GitHub token"));
        let header = "Authorization: Bearer q9w8-e7r6t5";
        assert_eq!(of("text", header), Some(("a credential by its name".to_owned(), false)));
        let redirect = "to=postgres%3A%2F%2Fapp%3Ahunter2-91%40db.example.org%2Fboats&x=1";
        assert_eq!(of("text", redirect), certain("a password in a URL"));
        let local = Some(("a password in a URL".to_owned(), false));
        assert_eq!(of("text", "amqp://guest:guest@localhost:5672"), local);
        assert_eq!(
            of("text", "http://localhost:80 postgres://app:hunter2@db/x"),
            certain("a password in a URL")
        );
        for password in ["S3cr$t99x", "a[b9cde", "a{b9cde"] {
            let url = format!("DB=postgres://app:{password}@db.example.org/boats");
            assert_eq!(of("text", &url), certain("a password in a URL"), "{password}");
        }
        let named = Some(("a credential by its name".to_owned(), false));
        assert_eq!(of("DBPassword", "hunter2-91x"), named);
        assert_eq!(of("text", "PGPASSWORD=hunter2-91x"), named);
        assert_eq!(of("client_secret", "s3cr3t-91"), named);
        assert_eq!(of("Authorization", "Bearer abc.def-123"), named);
        assert_eq!(of("body", "grant=x&client_secret=s3cr3t-91"), named);
        for (name, text) in [
            ("max_tokens", "100000000"),
            ("monkey", "bananas-123"),
            ("password", "<redacted>"),
            ("password", "********"),
            ("api_key", "${API_KEY}"),
            ("api_key", "YOUR_API_KEY_1"),
            ("text", "password: required, 8 characters"),
            ("text", "postgres://app:***@db/x"),
            ("text", AWS_EXAMPLE),
            ("text", "postgres://user:password@localhost:5432/db"),
            ("secret", "no"),
            ("text", "sk-learn-and-other-python-packages"),
            ("text", "sk-2026-11-bratislava-weather.json"),
            ("text", "postgres://app:$PASSWORD@db/x"),
            ("text", "postgres://app:[redacted]@db/x"),
            ("text", "postgres://app:<the password>@db/x"),
            ("key", "boats/2026-11-30"),
            ("text", "Bearer authentication, or basic authorization 2.0"),
            ("text", "100%20 of monkey%3Dbananas%2012"),
            ("text", "…: 8 größer=ß…=1"),
        ] {
            assert_eq!(of(name, text), None, "{name}: {text}");
        }
    }
}
