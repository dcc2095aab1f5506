//! By which names credentials are held, and how much a name says. What may not enter: what stands under them.

use crate::names::words;

use super::gate::hints_at_one;

/// How much the place where something stands says of its being a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Hold {
    /// Nothing.
    #[default]
    Nothing,
    /// It is one of several things in what holds a credential: it is one if it looks like one, and like no hash.
    Within,
    /// It is one if it looks like one: a `token` may also be a number of them, or a page's.
    Likely,
    /// It is one for whoever redacts, whatever it looks like.
    Sure,
    /// It is one for the check too, if it looks like one.
    Told,
}

/// Words with which the names end of what holds a credential.
const NAMES: &[(&[&str], Hold)] = &[
    (&["access", "key"], Hold::Likely),
    (&["access", "token"], Hold::Told),
    (&["account", "key"], Hold::Likely),
    (&["admin", "pass"], Hold::Sure),
    (&["amz", "signature"], Hold::Sure),
    (&["api", "key"], Hold::Told),
    (&["api", "keys"], Hold::Sure),
    (&["apikey"], Hold::Told),
    (&["apikeys"], Hold::Sure),
    (&["auth"], Hold::Likely),
    (&["auth", "token"], Hold::Told),
    (&["authorization"], Hold::Told),
    (&["bearer"], Hold::Told),
    (&["bot", "token"], Hold::Sure),
    (&["client", "secret"], Hold::Told),
    (&["cookie"], Hold::Told),
    (&["cookies"], Hold::Likely),
    (&["credential"], Hold::Likely),
    (&["credentials"], Hold::Likely),
    (&["db", "pass"], Hold::Sure),
    (&["encryption", "key"], Hold::Sure),
    (&["id", "token"], Hold::Sure),
    (&["jwt"], Hold::Told),
    (&["pass"], Hold::Likely),
    (&["passphrase"], Hold::Told),
    (&["passwd"], Hold::Told),
    (&["password"], Hold::Told),
    (&["passwords"], Hold::Sure),
    (&["private", "key"], Hold::Told),
    (&["pw"], Hold::Likely),
    (&["pwd"], Hold::Likely),
    (&["refresh", "token"], Hold::Told),
    (&["secret"], Hold::Told),
    (&["secret", "access", "key"], Hold::Told),
    (&["secret", "key"], Hold::Told),
    (&["secrets"], Hold::Likely),
    (&["security", "token"], Hold::Sure),
    (&["session", "token"], Hold::Told),
    (&["sig"], Hold::Likely),
    (&["signing", "key"], Hold::Sure),
    (&["smtp", "pass"], Hold::Sure),
    (&["token"], Hold::Likely),
    (&["tokens"], Hold::Likely),
    (&["user", "pass"], Hold::Sure),
    (&["vault", "token"], Hold::Sure),
];
/// Ends of words that no other word has.
const RUN_TOGETHER: &[(&str, Hold)] = &[
    ("accesskey", Hold::Likely),
    ("apikey", Hold::Told),
    ("passphrase", Hold::Told),
    ("passwd", Hold::Told),
    ("password", Hold::Told),
    ("token", Hold::Likely),
];
/// What a token is of that says where a list goes on, or of which a text has many.
const OF_NO_SECRET: &[&str] = &[
    "cancel", "cancellation", "change", "continuation", "continue", "cursor", "delta", "end", "max", "min",
    "next", "page", "pagination", "prev", "previous", "progress", "resume", "skip", "start", "stop", "sync",
    "watch",
];
/// A name that begins so asks whether there is one.
const ASKING: &[&str] =
    &["can", "has", "is", "needs", "require", "requires", "show", "uses", "with", "without"];
/// No more of a name is looked at, and that is its end.
pub(super) const MOST_OF_A_NAME: usize = 64;

/// Whether something with this name holds a credential for the check: `client_secret` does, `max_tokens` and `monkey` do not.
pub(super) fn names_a_secret(name: &str) -> bool {
    hold(name) == Hold::Told
}

/// How much a name says of what it is the name of.
pub(crate) fn hold(name: &str) -> Hold {
    let name = last_of(name, MOST_OF_A_NAME);
    // Most names have none of these, and are not split.
    if !hints_at_one(name) {
        return Hold::Nothing;
    }
    let words = words(name);
    let Some((last, before)) = words.split_last() else { return Hold::Nothing };
    let is_of_none = |word: &&str| before.iter().any(|other| other == word) || last.starts_with(*word);
    let is_of_a_list = last.contains("token") && OF_NO_SECRET.iter().any(is_of_none);
    if is_of_a_list || words.first().is_some_and(|first| ASKING.contains(&first.as_str())) {
        return Hold::Nothing;
    }
    let ends_as = |known: &[&str]| words.len() >= known.len() && words[words.len() - known.len()..] == *known;
    let whole = NAMES.iter().filter(|(known, _)| ends_as(known)).map(|(_, hold)| *hold);
    // Names run together: `DBPassword`, `PGPASSWORD`.
    let parts = RUN_TOGETHER.iter().filter(|(end, _)| last.ends_with(end)).map(|(_, hold)| *hold);
    whole.chain(parts).max().unwrap_or_default()
}

/// The last bytes of a text, but for half a character.
pub(super) fn last_of(text: &str, most: usize) -> &str {
    let from = text.len().saturating_sub(most);
    let from = (from..=text.len()).find(|at| text.is_char_boundary(*at));
    from.map_or("", |from| &text[from..])
}

/// The first bytes of a text, but for half a character.
pub(super) fn first_of(text: &str, most: usize) -> &str {
    let to = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..to.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_nothing_much_or_all() {
        for name in [
            "max_tokens", "monkey", "has_password", "nextPageToken", "page_token", "nextpagetoken",
            "continuation_token", "progressToken", "sync_token", "next_cursor", "token_count",
            "password_policy", "public_key", "author", "compass", "session",
        ] {
            assert_eq!(hold(name), Hold::Nothing, "{name}");
        }
        for name in
            ["token", "GITHUB_TOKEN", "API_TOKEN", "AccountKey", "access_key", "pwd", "credentials", "auth"]
        {
            assert_eq!(hold(name), Hold::Likely, "{name}");
        }
        for name in [
            "bot_token", "id_token", "x-amz-security-token", "encryptionKey", "passwords", "api_keys",
            "DB_PASS",
        ] {
            assert_eq!(hold(name), Hold::Sure, "{name}");
        }
        for name in [
            "AWS_SECRET_ACCESS_KEY", "secretAccessKey", "SecretAccessKey", "AUTHORIZATION", "DBPassword",
            "x-api-key",
        ] {
            assert_eq!(hold(name), Hold::Told, "{name}");
        }
        assert_eq!(hold(&format!("{}password", "é".repeat(1 << 19))), Hold::Told);
    }
}
