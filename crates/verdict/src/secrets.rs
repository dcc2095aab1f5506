//! Credentials in texts, by their form or by the name of what they are the value of.

mod gate;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use percent_encoding::percent_decode_str;

use crate::names::words;
use gate::{Gate, hints_at_one};

/// A known form of a token: how it begins, how long the rest is at least, and what it is.
const TOKENS: &[(&str, usize, &str)] = &[
    ("AKIA", 16, "an AWS access key"),
    ("AIza", 35, "a Google API key"),
    ("SG.", 40, "a SendGrid key"),
    ("ghp_", 36, "a GitHub token"),
    ("gho_", 36, "a GitHub token"),
    ("ghs_", 36, "a GitHub token"),
    ("ghu_", 36, "a GitHub token"),
    ("github_pat_", 22, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"),
    ("hf_", 30, "a Hugging Face token"),
    ("npm_", 36, "an npm token"),
    ("sk-", 20, "an API key"),
    ("sk_live_", 16, "an API key"),
    ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"),
];
/// Words in the names of what holds a credential.
const NAMES: &[&[&str]] = &[
    &["access", "token"],
    &["api", "key"],
    &["apikey"],
    &["auth", "token"],
    &["authorization"],
    &["bearer"],
    &["client", "secret"],
    &["cookie"],
    &["jwt"],
    &["passphrase"],
    &["passwd"],
    &["password"],
    &["private", "key"],
    &["refresh", "token"],
    &["secret"],
    &["secret", "key"],
    &["session", "token"],
];
/// Ends of words that no other word has.
const RUN_TOGETHER: &[&str] = &["apikey", "passphrase", "passwd", "password"];
/// Parts of those names, without their first letter, which may be a capital.
const HINTS: &[&str] = &[
    "assphrase", "assw", "earer", "ecret", "ey", "okie", "oken", "uthoriz", "wt", "ASS", "ECRET", "EY",
    "OKEN", "WT",
];
/// Parts of the names of schemes, which are the same in any case but for these; they begin with any.
const SCHEMES: &[&str] = &["earer", "EARER", "asic ", "ASIC "];
/// Signs between which a placeholder stands.
const BRACKETS: &[(char, char)] = &[('<', '>'), ('[', ']'), ('{', '}'), ('%', '%')];
/// What stands where a credential was left out, or is only an example.
const PLACEHOLDERS: &[&str] = &[
    "${", "$(", "{{", "***", "...", "changeme", "dummy", "masked", "none", "null", "placeholder", "redacted",
    "removed", "todo", "undefined", "xxxx", "your", "•", "…",
];
/// A credential is at least so long, and one that was encoded so long.
const LEAST_CHARS: usize = 8;
const LEAST_ENCODED: usize = 24;
/// Words that stand for a password in every manual.
const TEXTBOOK: &[&str] = &["pass", "passwd", "password", "pw", "pwd", "secret", "token"];
/// A key that AWS gives as an example everywhere.
const AWS_EXAMPLE: &str = "AKIAIOSFODNN7EXAMPLE";

/// A credential: what it is, the text of it, and whether its form leaves no doubt.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Secret<'t> {
    pub what: &'static str,
    pub text: &'t str,
    pub is_certain: bool,
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

/// The first credential in a text that is the value of a member with this name.
pub(crate) fn secret<'t>(name: &str, text: &'t str) -> Option<Secret<'t>> {
    let gate = Gate::of(text);
    let form = || by_form(text).next();
    let decoded = || encoded(text).take(MOST_ENCODED).flatten().next();
    let formal = gate.by_form.then(form).flatten().or_else(|| gate.encoded.then(decoded).flatten());
    formal.or_else(|| by_name(name, text)).or_else(|| gate.in_words.then(|| in_words(text).next()).flatten())
}

/// Every credential in a text, whatever its name; some may lie within others.
pub(crate) fn secrets(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let gate = Gate::of(text);
    let form = gate.by_form.then(|| by_form(text)).into_iter().flatten();
    let decoded = gate.encoded.then(|| encoded(text)).into_iter().flatten().flatten();
    form.chain(decoded).chain(gate.in_words.then(|| in_words(text)).into_iter().flatten())
}

/// Those that can be nothing else by their form.
fn by_form(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let certain = |what, text| Secret { what, text, is_certain: true };
    let key = text.find("-----BEGIN ").filter(|at| text[*at..].contains("PRIVATE KEY-----"));
    let key = key.map(|at| certain("a private key", &text[at..]));
    let tokens = tokens(text).filter_map(move |word| Some(certain(token(word)?, word)));
    key.into_iter().chain(tokens).chain(in_urls(text))
}

fn in_urls(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let has_one = text.contains("://").then_some(text);
    let parts = has_one
        .into_iter()
        .flat_map(|text| text.split(|c: char| c.is_whitespace() || "\"'`<>()".contains(c)));
    parts.filter_map(|part| {
        let is_certain = !is_at_home(part);
        Some(Secret { what: "a password in a URL", text: password_in_url(part)?, is_certain })
    })
}

/// Whether a URL with a password leads to the machine itself: what everybody has there is no secret of anybody.
fn is_at_home(url: &str) -> bool {
    let authority = authority(url).unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_lowercase();
    let name = host.rsplit_once(':').filter(|(_, port)| !port.contains(']')).map_or(&*host, |(name, _)| name);
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

fn authority(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    rest.split(['/', '?', '#']).next()
}

/// The words that begin as a token does.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let begins =
        |word: &&str| word.starts_with("eyJ") || TOKENS.iter().any(|(start, ..)| word.starts_with(start));
    // Every start is made of such characters, so that a token is a whole word.
    text.split(move |c: char| !is_part(c)).filter(begins)
}

fn token(word: &str) -> Option<&'static str> {
    let is_token = |rest: &str| {
        rest.chars().any(|c| c.is_ascii_digit())
            && rest.chars().any(|c| c.is_ascii_alphabetic())
            && !is_placeholder(rest)
            && !is_slug(rest)
    };
    let known = TOKENS.iter().find(|(start, least, _)| {
        word.strip_prefix(start).is_some_and(|rest| rest.len() >= *least && is_token(rest))
            && word != AWS_EXAMPLE
    });
    let jwt: Vec<&str> = word.split('.').collect();
    let is_jwt = matches!(jwt[..], [head, body, sign] if head.starts_with("eyJ") && body.starts_with("eyJ") && sign.len() >= 20);
    known.map(|(_, _, what)| *what).or(is_jwt.then_some("a signed token"))
}

/// Whether a word is made of plain words and plain numbers, as names of files are: `2026-11-weather.json`.
fn is_slug(word: &str) -> bool {
    let mut parts = word.split(['-', '_', '.']).filter(|part| !part.is_empty()).peekable();
    let is_plain =
        |part: &str| part.chars().all(|c| c.is_ascii_digit()) || part.chars().all(|c| c.is_ascii_lowercase());
    word.contains(['-', '_', '.']) && parts.peek().is_some() && parts.all(is_plain)
}

/// The password in a URL, where there is one that is no placeholder.
pub(crate) fn password_in_url(part: &str) -> Option<&str> {
    let (user, _) = authority(part)?.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    let is_textbook = TEXTBOOK.contains(&password.to_lowercase().as_str());
    (password.len() > 2 && !is_textbook && !is_placeholder(password)).then_some(password)
}

/// The beginning of a password in a URL of which an excerpt cut the rest off.
pub(crate) fn cut_password(text: &str) -> Option<Secret<'_>> {
    let last =
        text.strip_suffix('…')?.rsplit(|c: char| c.is_whitespace() || "\"'`<>()".contains(c)).next()?;
    let authority =
        authority(last).filter(|authority| last.ends_with(authority) && !authority.contains('@'))?;
    let (_, password) = authority.split_once(':')?;
    let is_port = password.chars().all(|c| c.is_ascii_digit());
    (!is_port && !is_placeholder(password)).then_some(Secret {
        what: "a password in a URL",
        text: password,
        is_certain: false,
    })
}

/// The words of a text that may be something else in base 64 or with percent signs, each with the credential in it.
fn encoded(text: &str) -> impl Iterator<Item = Option<Secret<'_>>> {
    let is_part = |c: char| u8::try_from(c).is_ok_and(gate::is_base64);
    let words = text.split(move |c: char| !is_part(c)).filter(|word| word.len() >= LEAST_ENCODED);
    let percent_decoded = percent_encoded(text).map(|word| {
        let plain = percent_decode_str(word).decode_utf8().ok()?;
        in_plain(word, &plain)
    });
    percent_decoded.chain(words.map(|word| in_plain(word, &from_base64(word)?)))
}

/// A word whose plain text holds a credential.
fn in_plain<'t>(word: &'t str, plain: &str) -> Option<Secret<'t>> {
    let gate = Gate::of(plain);
    let form = gate.by_form.then(|| by_form(plain).next()).flatten();
    let found = form.or_else(|| gate.in_words.then(|| in_words(plain).next()).flatten())?;
    Some(Secret { what: found.what, text: word, is_certain: found.is_certain })
}

fn from_base64(word: &str) -> Option<String> {
    let bytes = word.trim_end_matches('=').as_bytes();
    let plain = STANDARD_NO_PAD
        .decode(bytes)
        .or_else(|_| STANDARD.decode(word))
        .or_else(|_| URL_SAFE_NO_PAD.decode(bytes));
    String::from_utf8(plain.ok()?).ok()
}

/// The words in which signs are written with a percent sign.
fn percent_encoded(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "%-_.~+*!".contains(c);
    let has_one = text.contains('%').then_some(text);
    let words = has_one.into_iter().flat_map(move |text| text.split(move |c: char| !is_part(c)));
    words.filter(|word| word.contains('%'))
}

/// How many words of a text are decoded at most, where one credential is enough.
const MOST_ENCODED: usize = 1000;

/// One by the name of what it is the value of.
fn by_name<'t>(name: &str, text: &'t str) -> Option<Secret<'t>> {
    if text.len() < LEAST_CHARS || !names_a_secret(name) {
        return None;
    }
    let text = text.trim();
    let text =
        ["Basic ", "Bearer ", "bearer "].iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text);
    is_secret_like(text).then_some(Secret { what: "a credential by its name", text, is_certain: false })
}

/// Those that words around them tell of.
fn in_words(text: &str) -> impl Iterator<Item = Secret<'_>> {
    by_scheme(text).chain(assigned(text))
}

/// Those that stand behind the name of a scheme, as in a header: `Bearer …`.
fn by_scheme(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let has_one = SCHEMES.iter().any(|scheme| text.contains(scheme));
    let mut words = has_one
        .then_some(text)
        .into_iter()
        .flat_map(|text| text.split([' ', '\t', '"', '\'', ',', '\n']))
        .peekable();
    std::iter::from_fn(move || {
        let scheme = words.next()?;
        let scheme = scheme.rsplit([':', '=']).next().unwrap_or_default();
        let is_scheme = ["bearer", "basic"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
        let value = words.peek().copied().filter(|value| is_scheme && is_secret_like(value));
        let value = value.filter(|value| value.chars().any(|c| c.is_ascii_digit()));
        Some(value.map(|text| Secret { what: "a credential by its name", text, is_certain: false }))
    })
    .flatten()
}

/// Those that a text assigns: `password=…`, `"client_secret": "…"`.
fn assigned(text: &str) -> impl Iterator<Item = Secret<'_>> {
    // Few texts hold any of these, and the rest is not looked through.
    let has_one = hints_at_one(text).then_some(text);
    let places = has_one.into_iter().flat_map(|text| text.match_indices(['=', ':']));
    places.filter_map(move |(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let before = text[..at].trim_end_matches(['"', '\'', ' ']);
        let name = before.rsplit(|c: char| !is_part(c)).next().unwrap_or_default();
        if !names_a_secret(name) {
            return None;
        }
        let after = text[at + 1..].trim_start_matches(['"', '\'', ' ']);
        let value =
            after.split(|c: char| c.is_whitespace() || "\"'&;,)".contains(c)).next().unwrap_or_default();
        // A sentence such as "password: required" assigns nothing.
        let fits = is_secret_like(value) && value.chars().any(|c| c.is_ascii_digit());
        fits.then_some(Secret { what: "a credential by its name", text: value, is_certain: false })
    })
}

/// Whether something with this name holds a credential: `client_secret` does, `max_tokens` and `monkey` do not.
pub(crate) fn names_a_secret(name: &str) -> bool {
    // Most names have none of these, and are not split.
    if !hints_at_one(name) {
        return false;
    }
    let words = words(name);
    let ends_as =
        |known: &&&[&str]| words.len() >= known.len() && words[words.len() - known.len()..] == ***known;
    // Names run together: `DBPassword`, `PGPASSWORD`.
    let is_one = |word: &String| RUN_TOGETHER.iter().any(|end| word.ends_with(end));
    NAMES.iter().any(|known| ends_as(&known)) || words.last().is_some_and(is_one)
}

/// Whether a value is long and mixed enough, and no placeholder.
fn is_secret_like(text: &str) -> bool {
    text.len() >= LEAST_CHARS
        && !text.contains(char::is_whitespace)
        && text.chars().any(|c| c.is_ascii_alphabetic())
        && text.chars().any(|c| c.is_ascii_digit() || c.is_ascii_punctuation())
        && !text.starts_with(['/', '.', '#'])
        && !text.contains("://")
        && !is_placeholder(text)
}

fn is_placeholder(text: &str) -> bool {
    let lower = text.to_lowercase();
    let mut chars = lower.chars();
    let first = chars.next();
    // A sign in the middle may be one of the credential itself.
    let is_variable = lower.strip_prefix('$').is_some_and(|name| {
        name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.chars().any(|c| c.is_ascii_digit())
    });
    let is_in_brackets = BRACKETS
        .iter()
        .any(|(open, close)| lower.find(*open).is_some_and(|at| lower[at + 1..].contains(*close) || at == 0));
    is_variable
        || is_in_brackets
        || PLACEHOLDERS.iter().any(|placeholder| lower.contains(placeholder))
        || chars.all(|c| Some(c) == first)
}

#[cfg(test)]
mod tests {
    use super::*;

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
