//! Passwords in URLs. What may not enter: what stands in a query.

use super::value::{is_example, is_placeholder};
use super::{IN_URL, Secret};

/// Words that stand for a password in every manual.
const TEXTBOOK: &[&str] = &["pass", "passwd", "password", "pw", "pwd", "secret", "token"];

/// Those in a text.
pub(super) fn passwords(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let has_one = text.contains("://").then_some(text);
    let parts = has_one
        .into_iter()
        .flat_map(|text| text.split(|c: char| c.is_whitespace() || "\"'`<>()".contains(c)));
    parts.filter_map(|part| {
        let is_certain = !is_at_home(part);
        Some(Secret { what: IN_URL, text: password_in_url(part)?, is_certain })
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

/// The password in a URL, where there is one that is no placeholder.
pub(crate) fn password_in_url(part: &str) -> Option<&str> {
    let (user, _) = authority(part)?.rsplit_once('@')?;
    let (_, password) = user.split_once(':')?;
    let is_textbook = TEXTBOOK.contains(&password.to_lowercase().as_str());
    (password.len() > 2 && !is_textbook && !is_example(password)).then_some(password)
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
        what: IN_URL,
        text: password,
        is_certain: false,
    })
}
