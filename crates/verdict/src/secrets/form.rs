//! Credentials that can be nothing else by their form. What may not enter: what stands around them.

use super::Secret;
use super::value::{is_example, is_one_char_over, is_slug};
use super::{pem, url};

/// A known form of a token: how it begins, how long the rest is at least, and what it is.
pub(super) const TOKENS: &[(&str, usize, &str)] = &[
    ("AKIA", 16, "an AWS access key"),
    ("ASIA", 16, "an AWS access key"),
    ("AGE-SECRET-KEY-1", 40, "an age key"),
    ("AIza", 35, "a Google API key"),
    ("SG.", 40, "a SendGrid key"),
    ("dapi", 32, "a Databricks token"),
    ("dop_v1_", 64, "a DigitalOcean token"),
    ("ghp_", 36, "a GitHub token"),
    ("gho_", 36, "a GitHub token"),
    ("ghr_", 36, "a GitHub token"),
    ("ghs_", 36, "a GitHub token"),
    ("ghu_", 36, "a GitHub token"),
    ("github_pat_", 22, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"),
    ("gsk_", 32, "an API key"),
    ("hf_", 30, "a Hugging Face token"),
    ("hvs.", 24, "a Vault token"),
    ("lin_api_", 32, "a Linear API key"),
    ("npm_", 36, "an npm token"),
    ("pplx-", 40, "an API key"),
    ("pypi-", 50, "a PyPI token"),
    ("shpat_", 32, "a Shopify token"),
    ("sk-", 20, "an API key"),
    ("sk_live_", 16, "an API key"),
    ("whsec_", 24, "the secret of a webhook"),
    ("xai-", 40, "an API key"),
    ("xoxb-", 20, "a Slack token"),
    ("xoxp-", 20, "a Slack token"),
    ("ya29.", 20, "a Google access token"),
];
/// Where whoever knows the path may post.
pub(super) const WEBHOOKS: &[&str] =
    &["hooks.slack.com/services/", "discord.com/api/webhooks/", "discordapp.com/api/webhooks/"];
/// The path of one is at least so long.
const LEAST_PATH: usize = 24;
/// A key that AWS gives as an example everywhere.
pub(super) const AWS_EXAMPLE: &str = "AKIAIOSFODNN7EXAMPLE";
/// A signature is at least so long, where there is one.
const LEAST_SIGNATURE: usize = 20;

/// Those in a text, of each kind in the order in which they stand.
pub(super) fn by_form(text: &str) -> impl Iterator<Item = Secret<'_>> {
    let certain = |what, text| Secret { what, text, is_certain: true };
    let keys = pem::keys(text).map(move |key| certain("a private key", &text[key]));
    let tokens = tokens(text).filter_map(move |word| Some(certain(token(word)?, word)));
    let webhooks = webhooks(text).map(move |path| certain("the path of a webhook", path));
    keys.chain(tokens).chain(webhooks).chain(url::passwords(text))
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
    let known = TOKENS.iter().find(|(start, least, _)| {
        word.strip_prefix(start).is_some_and(|rest| rest.len() >= *least && is_drawn(rest, start))
            && word != AWS_EXAMPLE
    });
    known.map(|(_, _, what)| *what).or_else(|| is_signed_or_sealed(word).then_some("a signed token"))
}

/// Whether the rest of a token was drawn by chance, whatever words chance spelled in it.
fn is_drawn(rest: &str, start: &str) -> bool {
    let has = |is: fn(&u8) -> bool| rest.bytes().any(|byte| is(&byte));
    let has_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    // Names in style sheets begin with `sk-` too.
    let is_mixed_without_digits = has_both_cases && start != "sk-" && !rest.contains(['-', '_', '.']);
    has(u8::is_ascii_alphabetic)
        && (has(u8::is_ascii_digit) || is_mixed_without_digits)
        && !is_slug(rest)
        && !is_example(rest)
        && !is_one_char_over(rest)
}

/// A JWT, also one that is not signed, or a JWE: three or five parts, of which what is JSON begins with `{"`.
fn is_signed_or_sealed(word: &str) -> bool {
    if !word.starts_with("eyJ") {
        return false;
    }
    let mut parts = word.split('.').skip(1);
    match [parts.next(), parts.next(), parts.next(), parts.next(), parts.next()] {
        [Some(body), Some(sign), None, ..] => {
            body.starts_with("eyJ") && (sign.len() >= LEAST_SIGNATURE || sign.is_empty())
        }
        [Some(key), Some(start), Some(sealed), Some(tag), None] => {
            [start, sealed, tag].iter().all(|part| !part.is_empty())
                && key.len() + sealed.len() >= LEAST_SIGNATURE
        }
        _ => false,
    }
}

fn webhooks(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_');
    let paths = WEBHOOKS.iter().flat_map(move |known| {
        text.match_indices(known).map(move |(at, _)| {
            let rest = &text[at + known.len()..];
            &rest[..rest.find(|c: char| !is_part(c)).unwrap_or(rest.len())]
        })
    });
    paths.filter(|path| path.len() >= LEAST_PATH && path.bytes().any(|byte| byte.is_ascii_digit()))
}
