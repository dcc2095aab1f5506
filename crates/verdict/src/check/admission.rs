//! How a payload admits that it is not everything, and how it claims to be.
//!
//! A name or a phrase that is known settles it either way. What is said beside a list and understood in neither
//! way leaves a doubt, and a doubt is no proof.

use serde_json::Value;

mod arguments;
mod sentence;

use crate::names::words;
use crate::payload::{Said, Statement};
pub(crate) use arguments::Arguments;
use sentence::{in_words, names_part_of_whole};

/// What a statement says about whether there is more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claim {
    /// There is more.
    More,
    /// There is no more.
    NoMore,
    /// So many match in all.
    Total(u64),
    /// So many: a reader cannot tell whether here or in all.
    Count(u64),
    /// This is a page among others.
    Coordinate,
    /// The work is done.
    Done,
    /// Nothing about it.
    Nothing,
    /// Something that is not understood.
    Unclear,
}

/// Words that say "there is more" when the value is true, over 0, or a text.
const MORE: &[&str] = &[
    "capped", "clipped", "cut", "exceeded", "incomplete", "more", "omitted", "partial", "reached",
    "remaining", "skipped", "truncated", "altri", "gekürzt", "mais", "mas", "más", "mehr", "suite",
    "tronqué", "truncado", "weitere", "unvollständig", "続き", "続きあり", "更多", "还有更多",
];
/// Words that say "there is more" when the value is false.
const WHOLE: &[&str] = &["complete", "done", "end", "exhausted", "finished", "last"];
/// Words for a way on, when there is a value.
const WAY_ON: &[&str] = &[
    "after", "bookmark", "continuation", "continue", "cursor", "evaluated", "marker", "next", "scroll",
    "token", "volgende", "weiter", "naechste", "naechster", "naechstes", "nächste", "nächster", "nächstes",
    "siguiente", "suivant", "suivante", "proxima", "proximo", "próxima", "próximo", "seguinte", "prossima",
    "prossimo", "successiva", "successivo", "下一页", "下一頁", "次のページ", "次ページ", "다음",
    "следующая",
];
/// Words that place a page among others.
const COORDINATES: &[&str] = &["from", "offset", "page", "pages", "skip", "start"];
/// Words that make a way on one in time rather than in the list.
const IN_TIME: &[&str] =
    &["at", "date", "due", "refresh", "retry", "review", "run", "sync", "time", "update"];
/// Words for the number of items here: whoever states it beside a larger total says that this is a part.
const HERE: &[&str] = &["displayed", "displaying", "included", "returned", "shown", "showing"];
/// Words for the number of all that match.
const TOTALS: &[&str] = &["available", "found", "hits", "matched", "matches", "matching", "total", "totals"];
/// Words for a number of items.
const COUNTS: &[&str] =
    &["count", "items", "length", "num", "number", "results", "returned", "rows", "shown", "size"];
/// Words that make a number one of something else.
const UNITS: &[&str] = &[
    "amount", "attempts", "bytes", "calls", "cost", "credits", "days", "duration", "elapsed", "hours",
    "memory", "minutes", "ms", "price", "quota", "requests", "retries", "score", "seconds", "sum", "time",
    "took", "tokens", "tries", "weight",
];
/// Names of texts that tell the reader something about the answer.
const TELLING: &[&str] = &[
    "comment", "detail", "details", "hint", "info", "instructions", "message", "note", "notes", "notice",
    "status", "summary", "warning", "warnings",
];
/// States that claim that all is here.
const DONE: &[&str] = &["complete", "completed", "done", "finished"];

impl Statement<'_> {
    /// What this says about a list of so many items, asked for with these arguments.
    pub fn claim(&self, items: u64, arguments: &Arguments<'_>) -> Claim {
        match self.said {
            Said::Text(text) => in_words(text, items),
            Said::Value(Value::Null) if self.is_way_on() => Claim::NoMore,
            Said::Value(Value::Null) => Claim::Nothing,
            Said::Value(Value::Bool(flag)) => self.flag(*flag),
            Said::Value(Value::Number(number)) => self.number(number, items, arguments),
            Said::Value(value @ Value::String(text)) => self.string((value, text), items, arguments),
            Said::Value(Value::Object(members)) if self.is_way_on() && !members.is_empty() => Claim::More,
            Said::Value(_) => Claim::Nothing,
        }
    }

    /// Whether this states how many items are here as opposed to in all.
    pub fn counts_what_is_here(&self) -> bool {
        self.has(HERE)
    }

    /// Whether this places the page among others, be it only as the caller asked for.
    pub fn is_coordinate(&self) -> bool {
        self.has(COORDINATES) && matches!(self.said, Said::Value(Value::Number(_)))
    }

    /// Whether a known name says that items are missing here.
    pub fn flags_missing(&self) -> bool {
        let said = match self.said {
            Said::Value(Value::Bool(flag)) => *flag,
            Said::Value(Value::Number(number)) => number.as_f64().is_some_and(|n| n > 0.0),
            _ => false,
        };
        said && self.has(MORE) && !self.has(UNITS)
    }

    /// Whether this is a number of something else than items, such as the time it took.
    pub fn measures(&self) -> bool {
        self.has(UNITS)
    }

    /// Whether the name is one of a way on to the rest.
    pub fn is_way_on(&self) -> bool {
        self.has(WAY_ON) && !self.has(IN_TIME)
    }

    fn flag(&self, flag: bool) -> Claim {
        let more = match (self.has(MORE) || self.has(WAY_ON), self.has(WHOLE)) {
            // Not to be incomplete is to have looked everywhere, and says nothing of the page.
            (true, _) if !flag && self.has(&["incomplete"]) => return Claim::Nothing,
            (true, _) => flag,
            (false, true) => !flag,
            (false, false) => return Claim::Nothing,
        };
        if more { Claim::More } else { Claim::NoMore }
    }

    fn number(&self, number: &serde_json::Number, items: u64, arguments: &Arguments<'_>) -> Claim {
        let Some(value) = number.as_u64() else { return Claim::Nothing };
        let pages = self.words.iter().any(|word| word.ends_with("pages"));
        if self.has(UNITS) || arguments.contain_as(&self.words, &Value::from(value)) {
            Claim::Nothing
        } else if self.has(MORE) || (self.is_way_on() && !pages) {
            if value > 0 { Claim::More } else { Claim::NoMore }
        } else if self.has(COORDINATES) {
            Claim::Coordinate
        } else if self.words.last().is_some_and(|word| word == "of") && self.words.len() <= 2 && value > items
        {
            // `"showing": 2, "of": 9`.
            Claim::More
        } else if self.has(TOTALS)
            // `@odata.count` is how many match, whatever the page holds.
            || (self.has(&["odata"]) && self.has(&["count"]) && value > items)
            || (self.words.first().is_some_and(|word| word == "nb" || word == "nbhits") && value > items)
        {
            Claim::Total(value)
        } else if arguments.contain(&Value::from(value)) && !self.has(COUNTS) {
            Claim::Nothing
        } else if value == items || self.has(COUNTS) {
            Claim::Count(value)
        } else if value > items {
            Claim::Unclear
        } else {
            Claim::Nothing
        }
    }

    fn string(&self, (value, text): (&Value, &str), items: u64, arguments: &Arguments<'_>) -> Claim {
        let is_sentence = text.trim().contains(char::is_whitespace);
        if text.is_empty() {
            return if self.is_way_on() { Claim::NoMore } else { Claim::Nothing };
        }
        if (self.is_way_on() && !is_sentence) || self.is_link_to_another_page(text) {
            return Claim::More;
        }
        // Where a page starts is a number; anything else under that name is a way on.
        if self.has(COORDINATES) {
            return if text.parse::<u64>().is_ok() { Claim::Coordinate } else { Claim::More };
        }
        let at_least = text.strip_suffix('+').and_then(|number| number.parse::<u64>().ok());
        if at_least.is_some_and(|number| number >= items) {
            return Claim::More;
        }
        let lower = text.to_lowercase();
        if self.has(&["state", "status"]) && DONE.contains(&lower.as_str()) {
            return Claim::Done;
        }
        if arguments.contain(value) {
            return Claim::Nothing;
        }
        if self.has(TELLING) || names_part_of_whole(&lower).is_some() || self.has(MORE) {
            return in_words(text, items);
        }
        if is_sentence || lower.contains(|c: char| c.is_ascii_digit()) {
            Claim::Unclear
        } else {
            Claim::Nothing
        }
    }

    /// Whether a text is a link that asks for another page, whatever its name is called in.
    fn is_link_to_another_page(&self, text: &str) -> bool {
        const HERE_OR_BACK: &[&str] = &[
            "back", "canonical", "doc", "docs", "documentation", "first", "help", "home", "last", "prev",
            "previous", "self",
        ];
        let is_link = text.starts_with('/') || text.contains("://");
        let asks = text.split_once('?').is_some_and(|(_, asked)| {
            let names = asked.split('&').filter_map(|one| Some(words(one.split_once('=')?.0)));
            names.flatten().any(|word| COORDINATES.contains(&&*word) || WAY_ON.contains(&&*word))
        });
        is_link && asks && !self.has(HERE_OR_BACK) && !text.contains(char::is_whitespace)
    }

    fn has(&self, known: &[&str]) -> bool {
        self.words.iter().any(|word| known.contains(&&**word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::each_word;
    use serde_json::json;

    fn claim(key: &str, value: &Value) -> Claim {
        let sent = json!({"query": "partial refunds", "limit": 12, "total_thoughts": 23});
        let arguments = Arguments::of(sent.as_object());
        let words = key.split('.').flat_map(each_word).collect();
        Statement { pointer: String::new(), words, depth: 1, said: Said::Value(value) }.claim(10, &arguments)
    }

    #[test]
    fn flags_cursors_and_words_admit() {
        for (key, value) in [
            ("truncated", json!(true)),
            ("hasMore", json!(true)),
            ("is_last", json!(false)),
            ("done", json!(false)),
            ("exceededTransferLimit", json!(true)),
            ("next_cursor", json!("abc")),
            ("@odata.nextLink", json!("https://x.test/?skip=10")),
            ("LastEvaluatedKey", json!("k")),
            ("_links.next.href", json!("/p2")),
            ("metadata.continue", json!("tok")),
            ("next_offset", json!(50)),
            ("offset", json!("itrN8")),
            ("rows_truncated", json!(3)),
            ("metadata.remainingItemCount", json!(13)),
            ("note", json!("Rows 1 to 10 of 262.")),
            ("showing", json!("10/23")),
            ("contentRange", json!("items 0-9/23")),
            ("message", json!("Showing the first 10 rows")),
            ("cursor", json!({"pk": "a"})),
            ("limitReached", json!(true)),
            ("naechste_seite", json!(2)),
            ("weitere", json!(true)),
            ("hay_mas", json!(true)),
            ("続きあり", json!(true)),
            ("fortsaettning", json!("https://h/x?page=2")),
            ("message", json!("57件中10件を表示しています:")),
            ("message", json!("10 af 57 både vises")),
            ("total", json!("10+")),
            ("of", json!(23)),
            ("note", json!("The 10 best of many.")),
            ("note", json!("…and 13 more")),
            ("message", json!("Returned the 10 most recent of 23 issues")),
        ] {
            assert_eq!(claim(key, &value), Claim::More, "{key}: {value}");
        }
    }

    #[test]
    fn claims_of_completeness_are_no_admissions() {
        for (key, value) in [
            ("truncated", json!(false)),
            ("hasMore", json!(false)),
            ("isLast", json!(true)),
            ("next_cursor", json!(null)),
            ("next_cursor", json!("")),
            ("note", json!("262 of 262 rows")),
            ("contentRange", json!("items 0-9/10")),
            ("message", json!("Showing all 10 transactions. No more results.")),
        ] {
            assert_eq!(claim(key, &value), Claim::NoMore, "{key}: {value}");
        }
    }

    #[test]
    fn echoes_totals_counts_and_the_rest_are_told_apart() {
        for (key, value, expected) in [
            ("query", json!("partial refunds"), Claim::Nothing),
            ("limit", json!(12), Claim::Nothing),
            ("ok", json!(true), Claim::Nothing),
            ("unit", json!("kg"), Claim::Nothing),
            ("self", json!("https://h/x?page=1"), Claim::Unclear),
            ("total", json!(23), Claim::Total(23)),
            ("totalThoughts", json!(23), Claim::Nothing),
            ("totalThoughts", json!(24), Claim::Total(24)),
            ("nbHits", json!(23), Claim::Total(23)),
            ("rows_total", json!(23), Claim::Total(23)),
            ("total_cost", json!(23), Claim::Nothing),
            ("count", json!(10), Claim::Count(10)),
            ("@odata.count", json!(57), Claim::Total(57)),
            ("@odata.count", json!(10), Claim::Count(10)),
            ("message", json!("Found 10 results:"), Claim::Count(10)),
            ("status", json!("completed"), Claim::Done),
            ("state", json!("all"), Claim::Nothing),
            ("incompleteSearch", json!(false), Claim::Nothing),
            ("nextSyncToken", json!("tok"), Claim::Nothing),
            ("startAt", json!(0), Claim::Coordinate),
            ("page.number", json!(1), Claim::Coordinate),
            ("message", json!("Hay más resultados"), Claim::Unclear),
            ("legend", json!("A sample of the table (23 rows in all)."), Claim::Unclear),
            ("next", json!("Use run_sql for totals"), Claim::Unclear),
            ("batch", json!(512), Claim::Unclear),
        ] {
            assert_eq!(claim(key, &value), expected, "{key}: {value}");
        }
    }
}
