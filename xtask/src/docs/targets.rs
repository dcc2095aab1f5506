//! What each target refuses, cuts or loses, and from where that is known.

use frankly_verdict::lint::{Audience, Limit, TARGETS, Target};

pub fn part() -> String {
    let default: Vec<_> = Audience::default().targets.iter().map(|target| target.name).collect();
    let names: String = TARGETS.iter().map(name).collect();
    let limits: String =
        TARGETS.iter().flat_map(|target| target.limits.iter().map(|limit| row(target, limit))).collect();
    format!(
        "| target | stands for | puts before names |\n\
         | --- | --- | --- |{names}\n\n\
         Without it they are judged for `{}`. What each does not take as it is written, and from where and of which month \
         that is known:\n\n\
         | target | what | what comes of it | source |\n\
         | --- | --- | --- | --- |{limits}",
        default.join(",")
    )
}

fn name(target: &Target) -> String {
    let prefix = target.prefix.map_or_else(String::new, |prefix| match prefix.server_chars {
        None => format!("`{}`", prefix.template),
        Some(most) => format!("`{}`, of the server's name the first {most} characters", prefix.template),
    });
    format!("\n| `{}` | {} | {prefix} |", target.name, target.title)
}

fn row(target: &Target, limit: &Limit) -> String {
    format!("\n| {} | {} | {} | {} |", target.name, limit.what, limit.beyond, limit.source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_comes_of_a_limit_and_from_where_it_is_known() {
        let part = part();
        assert!(part.contains(
            "| `vscode` | VS Code | `mcp_{server}_`, of the server's name the first 13 characters |"
        ));
        let row = "| gemini | more than 512 tools | refused, with the whole request | \"At most 512";
        assert!(part.contains(row), "{part}");
        assert!(part.contains("`anthropic,openai,gemini`"));
        for line in part.lines().filter(|line| line.starts_with("| ")) {
            let cells = line.matches(" | ").count();
            assert!(cells == 2 || cells == 3 || line.contains("---"), "{line}");
        }
    }
}
