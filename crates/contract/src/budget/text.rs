//! Text within a budget: the beginning, the end, and one line between them that says what is missing. What may
//! not enter: JSON, which cannot lose its middle.

use std::borrow::Cow;

use super::{Budget, Unit};
use crate::ByteCursor;
use crate::clause::clause;
use crate::utf8::{ceil, floor};

/// Of the limit, in per cent.
const HEAD: usize = 30;
const TAIL: usize = 60;

/// How to get what is missing after a head of so many bytes; a clause.
type Rest<'a> = dyn Fn(usize) -> String + 'a;

impl Budget {
    /// The text if it fits, else its head (30 % of the limit) and its tail (60 %) with one line between them that
    /// says how much is left out and how to get it. Never over the limit, that line included.
    ///
    /// `rest` says how to get what is missing, a clause such as "call again with the cursor byte-4000": it is given the
    /// byte at which the head ends, which only the cut knows, and where [`Slice::of`](crate::Slice::of) reads on. It
    /// may be called several times. The parts are cut at the end of a line where one is near, else between two
    /// characters. Where 10 % are too few for the line between, the parts are smaller.
    ///
    /// A limit too small for that line leaves nothing of the text, since a part that does not say so passes for the
    /// whole: what is sent is the line without `rest`, then `[cut]`, then `…`, whichever fits first. Where not even
    /// that fits it is the empty text.
    ///
    /// ```
    /// use frankly_contract::Budget;
    ///
    /// let text = "x".repeat(1_000);
    /// assert_eq!(Budget::chars(1).text(&text, |_| "call again"), "…");
    /// assert_eq!(Budget::chars(52).text(&text, |_| ""), "xxxx\n[… left out: 987 bytes of one line …]\nxxxxxxxxx");
    /// ```
    #[must_use]
    pub fn text<'a, S: AsRef<str>>(&self, text: &'a str, rest: impl Fn(ByteCursor) -> S) -> Cow<'a, str> {
        if self.allows(text) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(self.cut(text, &|head| {
            let rest = rest(ByteCursor::at(head as u64));
            clause(&rest.as_ref().lines().collect::<Vec<_>>().join(" ")).to_owned()
        }))
    }

    fn cut(&self, text: &str, rest: &Rest<'_>) -> String {
        let ways: [&Rest<'_>; 2] = [rest, &|_| String::new()];
        if let Some(rest) = ways.into_iter().find(|rest| self.allows(&line(text, &rest(0)))) {
            return self.around(text, rest);
        }
        let signs = ["[cut]", "…", ""].into_iter();
        signs.map(str::to_owned).find(|sign| self.allows(sign)).unwrap_or_default()
    }

    /// About as much of head and tail as fits around the line, which fits by itself. Whatever is sent was counted as
    /// a whole, so a counter that does not add up costs some of the text and never the limit.
    fn around(&self, text: &str, rest: &Rest<'_>) -> String {
        let marker = self.limit.div_ceil(100).saturating_mul(100 - HEAD - TAIL).min(self.limit);
        let (mut fitting, mut beyond) = (0, self.limit - marker + 1);
        let mut best = line(text, &rest(0));
        let mut keep = beyond - 1;
        while beyond - fitting > 1 + self.limit / 64 {
            let (head, tail) = self.ends(text, keep);
            let sent = join(text, head, tail, rest);
            if head < tail && self.allows(&sent) {
                (fitting, best) = (keep, sent);
            } else {
                beyond = keep;
            }
            keep = fitting.midpoint(beyond);
        }
        best
    }

    /// Where the head ends and where the tail starts when so much of the text is kept.
    fn ends(&self, text: &str, keep: usize) -> (usize, usize) {
        let for_head = keep / (HEAD + TAIL) * HEAD + keep % (HEAD + TAIL) * HEAD / (HEAD + TAIL);
        let head = end_of_line(text, self.head(text, for_head));
        let tail = start_of_line(text, self.tail(text, keep - for_head));
        (head, tail.max(head))
    }

    /// The end of the longest beginning of the text that costs at most so much.
    fn head(&self, text: &str, most: usize) -> usize {
        match &self.unit {
            Unit::Bytes => floor(text, most),
            Unit::Chars => text.char_indices().nth(most).map_or(text.len(), |(end, _)| end),
            Unit::Tokens(counter) => {
                floor(text, longest(text.len(), |length| counter(&text[..floor(text, length)]) <= most))
            }
        }
    }

    /// The start of the longest end of the text that costs at most so much.
    fn tail(&self, text: &str, most: usize) -> usize {
        let before = |length: usize| ceil(text, text.len().saturating_sub(length));
        match &self.unit {
            Unit::Bytes => before(most),
            Unit::Chars if most == 0 => text.len(),
            Unit::Chars => text.char_indices().nth_back(most - 1).map_or(0, |(start, _)| start),
            Unit::Tokens(counter) => {
                before(longest(text.len(), |length| counter(&text[before(length)..]) <= most))
            }
        }
    }
}

/// About the greatest length that fits, with few questions, if longer ones cost more.
fn longest(length: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut fitting, mut beyond) = (0, 64);
    while beyond < length && fits(beyond) {
        (fitting, beyond) = (beyond, beyond.saturating_mul(2));
    }
    beyond = beyond.min(length);
    if fits(beyond) {
        return beyond;
    }
    while beyond - fitting > 1 + fitting / 32 {
        let middle = fitting.midpoint(beyond);
        if fits(middle) { fitting = middle } else { beyond = middle }
    }
    fitting
}

/// The end of the last line that ends within the last quarter of the head, else the end as it is.
fn end_of_line(text: &str, end: usize) -> usize {
    if text[end..].starts_with('\n') {
        return end + 1;
    }
    let near = end - end / 4;
    match text.as_bytes()[..end].iter().rposition(|byte| *byte == b'\n') {
        Some(newline) if newline + 1 >= near => newline + 1,
        _ => end,
    }
}

/// The start of the first line that starts within the first quarter of the tail, else the start as it is.
fn start_of_line(text: &str, start: usize) -> usize {
    let near = start + (text.len() - start) / 4;
    let from = start.saturating_sub(1);
    match text.as_bytes()[from..near].iter().position(|byte| *byte == b'\n') {
        Some(newline) => from + newline + 1,
        None => start,
    }
}

fn join(text: &str, head: usize, tail: usize, rest: &Rest<'_>) -> String {
    let rest = rest(head);
    let (head, cut, tail) = (&text[..head], &text[head..tail], &text[tail..]);
    let before = if head.is_empty() || head.ends_with('\n') { "" } else { "\n" };
    let after = if tail.is_empty() { "" } else { "\n" };
    format!("{head}{before}{}{after}{tail}", line(cut, &rest))
}

/// The line that says what is missing.
fn line(cut: &str, rest: &str) -> String {
    let bytes = if cut.len() == 1 { "1 byte".to_owned() } else { format!("{} bytes", cut.len()) };
    let place = match cut.lines().count() {
        0 | 1 => "of one line".to_owned(),
        lines => format!("on {lines} lines"),
    };
    let way = if rest.is_empty() { String::new() } else { format!("; for them, {rest}") };
    format!("[… left out: {bytes} {place}{way} …]")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Counter = fn(&str) -> usize;

    fn counters() -> Vec<(&'static str, Counter)> {
        vec![
            ("words", |text| text.split_whitespace().count()),
            ("pairs of bytes", |text| text.len().div_ceil(2)),
            ("the square", |text| text.len() * text.len()),
            ("cheap parts", |text| if text.contains('[') { text.len() * 3 } else { 0 }),
            ("by chance", |text| text.bytes().fold(7, |sum, byte| sum * 31 % 251 + usize::from(byte)) % 300),
            ("even lengths are free", |text| if text.len().is_multiple_of(2) { 0 } else { text.len() }),
        ]
    }

    fn budgets(limit: usize) -> Vec<(&'static str, Budget)> {
        let tokens = counters().into_iter().map(|(name, counter)| (name, Budget::tokens(limit, counter)));
        [("bytes", Budget::bytes(limit)), ("chars", Budget::chars(limit))].into_iter().chain(tokens).collect()
    }

    /// What was kept before and after the line, and that line.
    fn taken_apart(sent: &str) -> Option<(&str, &str, &str)> {
        let (head, rest) = sent.split_once("[… left out: ")?;
        let (line, tail) = rest.split_once(" …]")?;
        Some((head, line, tail.strip_prefix('\n').unwrap_or(tail)))
    }

    #[test]
    fn a_text_at_the_limit_is_unchanged() {
        assert!(matches!(Budget::bytes(5).text("seven", |_| "r"), Cow::Borrowed("seven")));
        assert!(matches!(Budget::chars(4).text("été!", |_| "r"), Cow::Borrowed("été!")));
        assert!(matches!(Budget::bytes(0).text("", |_| "r"), Cow::Borrowed("")));
        assert_ne!(Budget::bytes(5).text("été!", |_| "r"), "été!");
    }

    #[test]
    fn head_and_tail_have_their_shares() {
        let text = "x".repeat(100_000);
        for budget in
            [Budget::bytes(10_000), Budget::chars(10_000), Budget::tokens(5_000, |t| t.len().div_ceil(2))]
        {
            let sent = budget.text(&text, |_| "call again");
            let (head, line, tail) = taken_apart(&sent).unwrap();
            assert!((2_800..=3_001).contains(&head.len()), "{} {budget}", head.len());
            assert!((5_700..=6_000).contains(&tail.len()), "{} {budget}", tail.len());
            let cut = text.len() - (head.len() - 1) - tail.len();
            assert_eq!(line, format!("{cut} bytes of one line; for them, call again"));
        }
    }

    #[test]
    fn a_limit_too_small_for_the_line_keeps_no_text() {
        let text = "word ".repeat(100);
        let sent = |limit| Budget::bytes(limit).text(&text, |_| "call again").into_owned();
        let whole = "[… left out: 500 bytes of one line; for them, call again …]";
        assert_eq!(sent(whole.len()), whole);
        let short = sent(whole.len() - 1);
        assert!(short.starts_with("word") && short.contains(" bytes of one line …]\n"), "{short}");
        assert_eq!((&*sent(30), &*sent(4), &*sent(2)), ("[cut]", "…", ""));
    }

    #[test]
    fn the_line_stays_one_line_whoever_wrote_its_clause() {
        let sent = Budget::bytes(120).text(&"x\n".repeat(100), |_| "call again.\nThen stop. \n").into_owned();
        assert!(sent.contains(" lines; for them, call again. Then stop …]\n"), "{sent}");
    }

    proptest! {
        #[test]
        fn a_budget_is_never_exceeded(
            text in "([a-zé🦀 \\[]|\r?\n){0,300}", rest in ".{0,20}", limit in 0usize..300,
        ) {
            for (name, budget) in budgets(limit) {
                let sent = budget.text(&text, |_| &rest);
                prop_assert!(budget.allows(&sent) || sent.is_empty(), "{} {}: {}", name, budget, sent);
            }
        }

        #[test]
        fn head_and_tail_are_kept_as_they_were(text in "([a-zé🦀]|\r?\n){60,300}", limit in 0usize..300) {
            for (name, budget) in budgets(limit) {
                let sent = budget.text(&text, |_| "call again");
                if let Some((head, line, tail)) = taken_apart(&sent) {
                    let head = if text.starts_with(head) { head } else { head.strip_suffix('\n').unwrap() };
                    prop_assert!(text.starts_with(head) && text.ends_with(tail), "{} {}: {}", name, budget, sent);
                    let cut = text.len() - head.len() - tail.len();
                    prop_assert!(line.starts_with(&format!("{cut} byte")) && cut > 0, "{} {}", name, sent);
                } else if sent != text {
                    prop_assert!(["[cut]", "…", ""].contains(&&*sent), "{}", sent);
                }
            }
        }

        /// A text of many lines keeps its shares, to within the quarter that the end of a line may cost, and the
        /// cursor that is named is the place at which the head ends.
        #[test]
        fn shares_are_kept_and_the_way_to_the_rest_is_true(
            lines in prop::collection::vec("[a-zé🦀]{0,80}", 60..120), end in "\r?\n", limit in 600usize..1_200,
        ) {
            let text = lines.join(&end);
            for (name, budget) in budgets(limit).into_iter().take(2) {
                let sent = budget.text(&text, |end| format!("send {end}"));
                if budget.allows(&text) {
                    prop_assert_eq!(&*sent, &text);
                    continue;
                }
                let (head, line, tail) = taken_apart(&sent).unwrap();
                let cursor: ByteCursor = line.rsplit("send ").next().unwrap().parse().unwrap();
                let (shown, rest) = text.split_at(usize::try_from(cursor.offset()).unwrap());
                prop_assert!(head == shown || head.strip_suffix('\n') == Some(shown), "{} {}", name, sent);
                let cut = text.len() - shown.len() - tail.len();
                prop_assert!(rest.ends_with(tail) && line.starts_with(&format!("{cut} bytes ")), "{} {}", name, sent);
                let (head, tail) = (budget.cost(head), budget.cost(tail));
                prop_assert!(head * 100 > limit * 18 && head * 100 <= limit * 30 + 300, "{} {} of {}", name, head, limit);
                prop_assert!(tail * 100 > limit * 38 && tail * 100 <= limit * 60 + 300, "{} {} of {}", name, tail, limit);
            }
        }
    }
}
