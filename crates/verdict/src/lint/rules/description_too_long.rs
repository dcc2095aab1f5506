//! A description that does not reach the agent whole.

use super::super::target::Cut;
use super::super::{Rule, Subject};
use crate::report::{grouped, shorten};
use crate::{Doc, Example, Expected, Finding, Severity};

/// See [`DOC`].
pub(super) struct DescriptionTooLong;

static DOC: Doc = Doc {
    name: "description-too-long",
    what: "a tool's description beyond what a target hands on",
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

    fn look(&self, subject: &Subject<'_>, findings: &mut Vec<Finding>) {
        let description = subject.tool.description();
        let length = description.chars().count();
        let cuts =
            subject.audience.targets.iter().filter_map(|target| Some((target.title, target.description?)));
        // The shortest limit says it all.
        let Some((title, cut)) =
            cuts.filter(|(_, cut)| length > cut.longest).min_by_key(|(_, cut)| cut.longest)
        else {
            return;
        };
        let finding =
            Finding::proven(&DOC, Severity::Warning, subject.server, &subject.label, "/description");
        findings.push(
            finding
                .saying(what(length, title, cut), reads_as(cut), NEXT)
                .with_evidence(rest(description, cut)),
        );
    }
}

const NEXT: &str = "put what must be known first, and move the rest to the parameters' descriptions or to a tool \
                    that is asked for it";

fn what(length: usize, title: &str, cut: Cut) -> String {
    let (length, longest) = (grouped(length as u64), grouped(cut.longest as u64));
    let happens = if cut.silently { "cuts it at" } else { "takes at most" };
    format!("the description has {length} characters, and {title} {happens} {longest}")
}

fn reads_as(cut: Cut) -> &'static str {
    if cut.silently { "what is left is all there is to know" } else { "the tool, or the request, is refused" }
}

/// How what is lost begins.
fn rest(description: &str, cut: Cut) -> String {
    const SHOWN: usize = 80;
    let start = description.char_indices().nth(cut.longest).map_or(description.len(), |(at, _)| at);
    format!("lost: {:?}", shorten(&description[start..], SHOWN))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::found;
    use super::*;

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
        assert_eq!((count("openai-strict", 1024), count("openai-strict", 1025)), (0, 1));
        assert_eq!(count("openai,anthropic,gemini", 9000), 0);
    }
}
