//! Tools that hosts bring along, by the names that a server's own tools may meet. Judges nothing.
//!
//! Only lists that a host publishes, or that its users print, may enter, with their source and its month.

use super::target::Target;
use super::{Audience, Prefix};

/// The tools of one host.
struct Builtin {
    /// The target that brings them.
    target: &'static str,
    /// Whether they are met although the host puts something before the names it hands to the model.
    despite_prefix: bool,
    /// Their names, parted by spaces.
    names: &'static str,
}

/// Every list.
///
/// | target | where they meet | source |
/// | --- | --- | --- |
/// | anthropic | hosted tools, where the host sends one: "Tool names must be unique." | @anthropic-ai/sdk 1.14.0, 2026-11; onyx-dot-app/onyx#9229, 2026-03; danny-avila/LibreChat#13162, 2026-05 |
/// | claude-code | not behind its own `mcp__{server}__` | code.claude.com/docs/en/tools-reference, 2026 |
/// | vscode | by reference name: a server's `fetch` took the place of the built-in one | microsoft/vscode-docs, table of chat tools, 2026; microsoft/vscode#301690, 2026-03 |
/// | copilot-cli | not behind its own `{server}-` | github/docs, cli-command-reference.md, "Tool availability values", 2026; github/copilot-sdk#636, 2026-03 |
/// | cursor | not behind its own prefix | published functions of its agent, 2025: x1xhlol/system-prompts-and-models-of-ai-tools, 2025 |
///
/// The types of OpenAI's hosted tools are not here: that a function of such a name is refused has not been seen.
const BUILTIN: &[Builtin] = &[
    Builtin {
        target: "anthropic",
        despite_prefix: false,
        names: "advisor bash code_execution computer memory str_replace_based_edit_tool str_replace_editor \
                tool_search_tool_bm25 tool_search_tool_regex web_fetch web_search",
    },
    Builtin {
        target: "claude-code",
        despite_prefix: false,
        names: "Agent AskUserQuestion Bash CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode \
                ExitWorktree Glob Grep LSP ListMcpResourcesTool Monitor NotebookEdit PowerShell PushNotification Read \
                ReadMcpResourceTool RemoteTrigger ScheduleWakeup SendMessage ShareOnboardingGuide Skill TaskCreate TaskGet \
                TaskList TaskOutput TaskStop TaskUpdate TeamCreate TeamDelete TodoWrite ToolSearch WebFetch WebSearch Write",
    },
    Builtin {
        target: "vscode",
        despite_prefix: true,
        names: "VSCodeAPI agent askQuestions browser changes codebase createAndRunTask createDirectory createFile edit \
                editFiles editNotebook execute extensions fetch fileSearch getNotebookSummary getProjectSetupInfo \
                getTerminalOutput githubRepo githubTextSearch installExtension listDirectory newWorkspace problems read \
                readFile readNotebookCellOutput runCommand runInTerminal runNotebookCell runSubagent search selection \
                terminalLastCommand terminalSelection testFailure textSearch todos usages vscode web",
    },
    Builtin {
        target: "copilot-cli",
        despite_prefix: false,
        names: "apply_patch ask_user bash create edit glob grep list_agents list_bash list_powershell powershell read_agent \
                read_bash read_powershell rg skill stop_bash stop_powershell task view web_fetch write_agent write_bash \
                write_powershell",
    },
    Builtin {
        target: "cursor",
        despite_prefix: false,
        names: "codebase_search delete_file edit_file fetch_rules file_search grep_search list_dir read_file reapply \
                run_terminal_cmd web_search",
    },
];

/// Those of an audience that bring a tool of this name along, and where a server's own tool meets it.
pub(super) fn hosts_with(name: &str, audience: &Audience) -> Vec<&'static Target> {
    let is_bare = audience.prefix == Prefix::Bare;
    let meets = |host: &&Builtin| {
        (is_bare || host.despite_prefix) && host.names.split_whitespace().any(|known| known == name)
    };
    let hosts = BUILTIN.iter().filter(meets);
    hosts
        .filter_map(|host| audience.targets.iter().copied().find(|target| target.name == host.target))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_host_is_a_target_and_names_each_tool_once() {
        for host in BUILTIN {
            assert!(Target::named(host.target).is_some(), "{}", host.target);
            let mut names: Vec<_> = host.names.split_whitespace().collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{}", host.target);
        }
    }

    #[test]
    fn a_prefix_keeps_names_apart_where_the_host_goes_by_it() {
        let hosts = |name: &str, targets: &str, prefix: Prefix| -> Vec<&str> {
            let targets = Target::read(targets).unwrap();
            let audience = Audience { targets, prefix, ..Audience::default() };
            hosts_with(name, &audience).into_iter().map(|target| target.name).collect()
        };
        let all = "anthropic,openai,gemini,claude-code,vscode,copilot-cli,cursor";
        assert_eq!(hosts("web_fetch", all, Prefix::Unstated), [""; 0]);
        assert_eq!(hosts("web_fetch", all, Prefix::Bare), ["anthropic", "copilot-cli"]);
        assert_eq!(hosts("web_fetch", "openai", Prefix::Bare), [""; 0]);
        assert_eq!(hosts("Bash", "claude-code", Prefix::Bare), ["claude-code"]);
        assert_eq!(hosts("Bash", "claude-code", Prefix::read("mcp__{server}__")), [""; 0]);
        assert_eq!(hosts("fetch", all, Prefix::Unstated), ["vscode"]);
    }
}
