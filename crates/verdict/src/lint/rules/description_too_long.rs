//! A description that does not reach the agent whole.

use super::super::target::{Beyond, Length, What};
use super::super::{Audience, Lint, Rule, Subject};
use crate::report::{grouped, shorten};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct DescriptionTooLong;

static DOC: Doc = Doc {
    name: "description-too-long",
    what: "a tool's description, or a server's instructions, beyond what a target hands on",
    why: "The rest is cut without a word to the server, and with it the rule at the end. The agent takes what is left for \
          all, and makes up the functions it was not told of.",
    severity: "warning; only for targets with such a limit: claude-code, openai-strict",
    examples: &[
        Example {
            about: "over 1,024 characters, in strict mode",
            expected: Expected::Finding(Severity::Warning, "/description"),
            input: LONG,
        },
        Example { about: "short, with what must be known first", expected: Expected::Silence, input: UNCUT },
    ],
};

/// Just over the shortest of the limits.
const LONG: &str = concat!(
    r#"{"target": "openai-strict", "servers": {"s": [{"name": "run_code", "inputSchema": {"type": "object"}, "description": "Runs code. "#,
    "Functions: ",
    "read_table(name), write_table(name, rows), list_tables(), describe_table(name), sample_table(name, rows), ",
    "join_tables(left, right, on), filter_rows(table, condition), sort_rows(table, column), group_rows(table, column), ",
    "sum_column(table, column), mean_column(table, column), median_column(table, column), count_rows(table), ",
    "rename_column(table, from, to), drop_column(table, column), add_column(table, column, value), ",
    "parse_date(text), format_date(date, pattern), add_days(date, days), days_between(first, second), ",
    "read_file(path), write_file(path, text), list_files(folder), delete_file(path), copy_file(from, to), ",
    "fetch_url(url), post_url(url, body), parse_json(text), parse_csv(text), parse_xml(text), to_json(value), ",
    "to_csv(table), plot_line(table, x, y), plot_bar(table, x, y), plot_pie(table, x, y), save_plot(plot, path), ",
    "archive_mail(mail), search_mail(query), list_events(day), add_event(day, title), move_event(event, day), ",
    "send_mail(to, subject, text), read_mail(folder), mark_read(mail), delete_mail(mail), move_mail(mail, folder). ",
    r#"Always call begin() first."}]}}"#
);
const UNCUT: &str = r#"{"target": "claude-code", "servers": {"s": [
 {"name": "run_code", "description": "Runs code. Always call begin() first.", "inputSchema": {"type": "object"}}]}}"#;

impl Rule for DescriptionTooLong {
    fn doc(&self) -> &'static Doc {
        &DOC
    }

    fn depends(&self) -> bool {
        true
    }

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let limited = |what| if let What::Description(most) = what { Some(most) } else { None };
        let lost = lost("description", subject.tool.description(), subject.audience, limited);
        findings.extend(lost.map(|lost| lost.finding(subject.server, &subject.label, "/description")));
    }

    fn compare(&self, lint: &Lint<'_>, findings: &mut Vec<Finding>) {
        let limited = |what| if let What::Instructions(most) = what { Some(most) } else { None };
        for set in lint.sets {
            let lost = lost("text of instructions", &set.instructions, lint.audience, limited);
            findings.extend(lost.map(|lost| lost.finding(&set.server, "", "/instructions")));
        }
    }
}

/// What does not reach the agent of a text.
struct Lost<'a> {
    what: String,
    beyond: Beyond,
    rest: &'a str,
}

/// What is lost of a text by the shortest limit, which says it all.
fn lost<'a>(
    name: &str,
    text: &'a str,
    audience: &Audience,
    limited: impl Fn(What) -> Option<Length>,
) -> Option<Lost<'a>> {
    let limits =
        audience.targets.iter().flat_map(|target| target.limits.iter().map(move |limit| (target, limit)));
    let limits = limits.filter_map(|(target, limit)| Some((target, limit.beyond, limited(limit.what)?)));
    let (target, beyond, most) = limits.min_by_key(|(_, _, most)| most.chars)?;
    let rest = most.rest(text)?;
    let what = format!(
        "the {name} has {} characters, and {} are the most; {}",
        grouped(most.count(text) as u64),
        grouped(most.chars as u64),
        beyond.told(&[target])
    );
    Some(Lost { what, beyond, rest })
}

impl Lost<'_> {
    fn finding(&self, server: &str, tool: &str, pointer: &str) -> Finding {
        const SHOWN: usize = 80;
        let (reads_as, part) = match self.beyond {
            Beyond::Cut => ("what is left is all there is to know", "lost"),
            _ => ("there is no such tool, where it is refused", "beyond the limit"),
        };
        let next = "put what must be known first, and move the rest to the parameters' descriptions or to a tool \
                    that is asked for it";
        Finding::proven(&DOC, Severity::Warning, server, tool, pointer)
            .saying(self.what.clone(), reads_as, next)
            .with_evidence(format!("{part}: {:?}", shorten(self.rest, SHOWN)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found;
    use super::*;

    fn instructions(target: &str, length: usize) -> String {
        let text = "é".repeat(length);
        format!(
            r#"{{"target": "{target}", "servers": {{"s": {{"instructions": "{text}", "tools": [{{"name": "t"}}]}}}}}}"#
        )
    }

    #[test]
    fn exactly_at_the_limit_nothing_is_lost() {
        let count = |target: &str, length: usize| {
            let text = "é".repeat(length);
            let input = format!(
                r#"{{"target": "{target}", "servers": {{"s": [{{"name": "t", "description": "{text}"}}]}}}}"#
            );
            found(&DescriptionTooLong, &input).len()
        };
        assert_eq!((count("claude-code", 2048), count("claude-code", 2049)), (0, 1));
        assert_eq!(
            found(&DescriptionTooLong, &instructions("claude-code", 2049))[0].pointer,
            "/instructions"
        );
        assert_eq!(found(&DescriptionTooLong, &instructions("openai-strict", 2049)), []);
        assert_eq!((count("openai-strict", 1024), count("openai-strict", 1025)), (0, 1));
        assert_eq!(count("openai,anthropic,gemini", 9000), 0);
    }
}
