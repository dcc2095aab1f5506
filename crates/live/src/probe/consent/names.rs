//! Which verb the name of a tool, or a choice that it offers, says. What is written in sentences is for `prose`.

use super::verbs::{Kind, among, is_command, is_harmless_pair, is_reading, kind, only_reads};

/// Reading verbs that are nouns as well: `list_add` adds.
const READING_NOUNS: &str = "check count list lookup query search view";
/// Words that make a noun of the one before them: `log_entries`, `order_details`.
const TAILS: &str = "\
    count date detail details entries entry event events file files history id ids info level levels \
    line lines name names notes number size stat state stats status summary time type types";
/// Words after which `set` is a noun.
const BEFORE_SET: &str = "change char data record result rule tool";
/// Verbs that count also where a word only begins with them: `removeall`.
const PREFIXES: &str = "\
    create delete destroy erase execute insert overwrite purge remove rename send truncate update upload \
    write";
/// Endings that make another word of such a verb, not a verb with its object.
const ENDINGS: &str = "able d ed er ers grid ing ion ions ment off r rs s time up ups";

/// The verb by which a name says that its tool changes something. The first verb decides, so that
/// `list_push_events` lists.
pub(crate) fn writing_verb(name: &str) -> Option<String> {
    let words = words(name);
    let (position, verb) = (0..words.len()).find_map(|position| {
        let word = &words[position];
        if is_reading(word) {
            return Some((position, None));
        }
        writes_at(&words, position).map(|verb| (position, Some(verb)))
    })?;
    verb.or_else(|| after_reading(&words[position], &words[position + 1..], position))
}

/// The verb at a position of a name, unless it is a noun there.
fn writes_at(words: &[String], position: usize) -> Option<String> {
    let word = words[position].as_str();
    let next = words.get(position + 1).map(String::as_str);
    let read = next.is_some_and(|next| is_harmless_pair(word, next) || is_described(word, next))
        || words[position + 1..].iter().any(|later| only_reads(word, later));
    let counts = !read
        && match kind(word) {
            Some(Kind::Verb) => true,
            Some(Kind::Either) => {
                let before = position.checked_sub(1).map(|before| words[before].as_str());
                !(word == "set" && before.is_some_and(|before| among(before, BEFORE_SET)))
            }
            Some(Kind::Noun) => match next {
                Some(next) => position < 2 && !among(next, TAILS) && !is_reading(next),
                None => position == 0,
            },
            None => is_command(word),
        };
    if counts {
        return Some(word.to_owned());
    }
    let prefix = PREFIXES.split_ascii_whitespace().find(|prefix| {
        word.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && !among(rest, ENDINGS))
    });
    prefix.map(str::to_owned)
}

/// Whether a word only describes the plural after it: `open_issues`.
fn is_described(word: &str, next: &str) -> bool {
    among(word, "complete empty open") && next.ends_with('s')
}

/// A verb that counts although a reading one stands before it: `find_and_replace`, `todo_list_add`, `check_out`.
fn after_reading(reading: &str, tail: &[String], position: usize) -> Option<String> {
    let verb =
        |word: &String, kinds: &[Kind]| kind(word).filter(|kind| kinds.contains(kind)).map(|_| word.clone());
    let joined = |word: &str| matches!(word, "and" | "or" | "then");
    if let [first, second, ..] = tail
        && joined(first)
        && let Some(verb) = verb(second, &[Kind::Verb, Kind::Either, Kind::Noun])
    {
        return Some(verb);
    }
    if reading == "check" && tail.first().is_some_and(|word| word == "out" || word == "in") {
        return Some("check out".to_owned());
    }
    let only_verbs = &[Kind::Verb];
    let later = tail.windows(2).filter(|pair| joined(&pair[0])).find_map(|pair| verb(&pair[1], only_verbs));
    later.or_else(|| {
        let noun = among(reading, READING_NOUNS);
        match position {
            0 => tail.last().filter(|_| noun).and_then(|last| verb(last, only_verbs)),
            _ => tail.iter().filter(|_| noun).find_map(|word| verb(word, only_verbs)),
        }
    })
}

/// `getUser_list` is get, user, list; `HTTPDelete` is http, delete.
pub(crate) fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (position, c) in letters.iter().enumerate() {
        let before = position.checked_sub(1).map(|before| letters[before]);
        let next_is_lower = letters.get(position + 1).is_some_and(|next| next.is_lowercase());
        let starts = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase() || before.is_numeric() || (before.is_uppercase() && next_is_lower)
            });
        if !c.is_alphanumeric() || starts {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().into_iter().for_each(|word| word.extend(c.to_lowercase()));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_at_separators_and_capitals() {
        assert_eq!(words("getUser_list-2"), ["get", "user", "list", "2"]);
        assert_eq!(words("HTTPDelete"), ["http", "delete"]);
        assert_eq!(words("deleteURL"), ["delete", "url"]);
        assert!(words("").is_empty());
    }

    #[test]
    fn the_first_verb_of_a_name_decides() {
        for name in [
            "delete_order", "githubCreateIssue", "set_volume", "rotate", "removeall", "HTTPDelete",
            "mark_paid", "run_migration", "slack_post_message", "redis_set", "find_and_replace",
            "get_or_create_user", "todo_list_add_item", "list_item_add", "merge_pull_request", "open_ticket",
            "browser_click", "DELETEUser", "popQueue", "query_cache_delete", "check_out_branch",
            "git_commit", "git_push", "file_upload", "log_expense", "post", "createOrUpdateFile",
            "sendemail", "exec", "resolve_issue", "change_password", "book_room", "deletesession",
            "execute_command", "user.delete", "kv-put", "rm", "read_file_and_delete", "close_issue",
            "place_order",
        ] {
            assert!(writing_verb(name).is_some(), "{name}");
        }
        for name in [
            "list_merge_requests", "get_commit", "list_push_events", "get_blog_post", "list_deleted_items",
            "run_sql", "query", "run_readonly_query", "execute_sql", "git_log", "git_diff", "git_status",
            "blog_post", "github_list_push_events", "list_updates", "merge_requests", "order_details",
            "log_entries", "data_set", "deleted_items", "updates", "settings", "address_lookup",
            "resolve-library-id", "sendgrid_list_templates", "list_issues_and_merge_requests", "search",
            "count_open_orders", "release_notes", "check_update", "get_delete_markers", "creator_stats",
            "bookmarks", "markdown_preview", "email_search", "whoami", "open_issues", "stored_procedures",
            "runReport", "update_history", "",
        ] {
            assert_eq!(writing_verb(name), None, "{name}");
        }
    }
}
