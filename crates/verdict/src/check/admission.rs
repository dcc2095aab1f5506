//! How a payload admits that it is not everything, and how it claims to be.

use serde_json::Value;

use crate::payload::{Said, Statement};

/// Flags that say "there is more" when true, or when over 0.
const MORE: &[&str] = &[
    "capped",
    "cut",
    "hasmore",
    "hasnext",
    "hasnextpage",
    "incomplete",
    "incompleteresults",
    "ismore",
    "ispartial",
    "istruncated",
    "limited",
    "limitexceeded",
    "limithit",
    "limitreached",
    "more",
    "moreavailable",
    "moreresults",
    "omitted",
    "partial",
    "remaining",
    "rowsomitted",
    "rowstruncated",
    "skipped",
    "truncated",
    "wastruncated",
];
/// Flags that say "there is more" when false.
const COMPLETE: &[&str] = &["complete", "end", "endofresults", "islast", "islastpage", "last", "lastpage"];
/// Names of a way on, when there is a value.
const WAY_ON: &[&str] = &[
    "after",
    "continuation",
    "continuationtoken",
    "cursor",
    "endcursor",
    "next",
    "nextcursor",
    "nextlink",
    "nextoffset",
    "nextpage",
    "nextpagetoken",
    "nextpageurl",
    "nextrange",
    "nextstart",
    "nexttoken",
    "nexturl",
    "pagetoken",
    "resumetoken",
    "scrollid",
];
/// Names that place a page among others.
const COORDINATES: &[&str] = &[
    "currentpage",
    "lastpage",
    "numpages",
    "offset",
    "page",
    "pagecount",
    "pagenumber",
    "pages",
    "totalpages",
];
/// Names under which the number of all matches stands.
const TOTALS: &[&str] = &[
    "available",
    "counttotal",
    "found",
    "hits",
    "matched",
    "matches",
    "matching",
    "numfound",
    "total",
    "totalcount",
    "totalhits",
    "totalitems",
    "totalmatches",
    "totalrecords",
    "totalresults",
    "totalrows",
    "totalsize",
];
/// Names under which the number of items here stands, or that of all: a reader cannot tell.
const COUNTS: &[&str] = &[
    "count",
    "itemcount",
    "length",
    "numitems",
    "numresults",
    "numrows",
    "resultcount",
    "resultscount",
    "results",
    "returned",
    "rowcount",
    "size",
];
/// Phrases that admit a cut in a text.
const WORDS: &[&str] = &[
    "cursor",
    "first page",
    "incomplete",
    "limit reached",
    "limited to",
    "more available",
    "more items",
    "more lines",
    "more matches",
    "more records",
    "more results",
    "more rows",
    "next page",
    "not all",
    "omitted",
    "only the first",
    "partial",
    "remaining",
    "showing",
    "there are more",
    "to see more",
    "truncated",
    "up to the limit",
];
/// States that claim that all is here.
const DONE: &[&str] = &["all", "complete", "completed", "done", "finished", "full"];

impl Statement<'_> {
    /// Whether this admits that there is more than what is here.
    pub fn admits_more(&self) -> bool {
        let named = |names: &[&str]| names.contains(&self.key.as_str());
        match self.said {
            Said::Text(text) => admits_in_words(text),
            Said::Value(Value::String(text)) => (named(WAY_ON) && !text.is_empty()) || admits_in_words(text),
            Said::Value(Value::Bool(flag)) => (*flag && named(MORE)) || (!*flag && named(COMPLETE)),
            Said::Value(Value::Number(number)) => {
                number.as_f64().is_some_and(|n| n > 0.0) && (named(MORE) || named(WAY_ON))
            }
            Said::Value(_) => false,
        }
    }

    /// Whether this states that there is no more: the honest opposite of [`Self::admits_more`].
    pub fn denies_more(&self) -> bool {
        match self.said {
            Said::Value(Value::Bool(flag)) => {
                let named = |names: &[&str]| names.contains(&self.key.as_str());
                (!*flag && named(MORE)) || (*flag && named(COMPLETE))
            }
            Said::Value(Value::Null) => WAY_ON.contains(&self.key.as_str()),
            _ => false,
        }
    }

    /// Whether this places what is here among other pages.
    pub fn is_coordinate(&self) -> bool {
        COORDINATES.contains(&self.key.as_str())
    }

    /// The number of all matches, if this states it.
    pub fn total(&self) -> Option<u64> {
        TOTALS.contains(&self.key.as_str()).then(|| self.number()).flatten()
    }

    /// A number that a reader takes for the number of all matches, though it may be that of the items here.
    pub fn count(&self) -> Option<u64> {
        COUNTS.contains(&self.key.as_str()).then(|| self.number()).flatten().or_else(|| self.total())
    }

    /// Whether this claims that all is here.
    pub fn claims_done(&self) -> bool {
        match self.said {
            Said::Value(Value::String(text)) => {
                matches!(self.key.as_str(), "status" | "state")
                    && DONE.contains(&text.to_lowercase().as_str())
            }
            Said::Value(Value::Bool(flag)) => *flag && COMPLETE.contains(&self.key.as_str()),
            _ => false,
        }
    }

    fn number(&self) -> Option<u64> {
        match self.said {
            Said::Value(value) => value.as_u64(),
            Said::Text(_) => None,
        }
    }
}

fn admits_in_words(text: &str) -> bool {
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word)) || names_part_of_whole(&text)
}

/// Whether the text says "50 of 262", with the second number the larger.
fn names_part_of_whole(text: &str) -> bool {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != ',').filter(|w| !w.is_empty()).collect();
    let number = |word: &str| word.replace(',', "").parse::<u64>().ok();
    words.windows(3).any(|window| match window {
        [part, "of", whole] => number(part).zip(number(whole)).is_some_and(|(part, whole)| part < whole),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(key: &str, value: &Value) -> bool {
        Statement { pointer: String::new(), key: key.to_owned(), depth: 1, said: Said::Value(value) }
            .admits_more()
    }

    #[test]
    fn flags_cursors_and_words_admit() {
        for (key, value) in [
            ("truncated", json!(true)),
            ("hasmore", json!(true)),
            ("islast", json!(false)),
            ("nextcursor", json!("abc")),
            ("nextoffset", json!(50)),
            ("rowstruncated", json!(3)),
            ("note", json!("Rows 1 to 50 of 262.")),
            ("message", json!("Showing the first 50 rows")),
        ] {
            assert!(said(key, &value), "{key}: {value}");
        }
    }

    #[test]
    fn honest_completeness_does_not_admit() {
        for (key, value) in [
            ("truncated", json!(false)),
            ("hasmore", json!(false)),
            ("islast", json!(true)),
            ("nextcursor", json!(null)),
            ("nextcursor", json!("")),
            ("note", json!("262 of 262 rows")),
            ("status", json!("ok")),
        ] {
            assert!(!said(key, &value), "{key}: {value}");
        }
    }
}
