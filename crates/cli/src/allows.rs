//! What the `[[allow]]` entries of `frankly.toml` name, out of what a run looked at: files by their names, and slips of the
//! pen. What an entry lets pass is for `frankly_verdict::policy`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use frankly_contract::nearest;
use frankly_live::config::{Config, ReadFile, Source, file_identity};
use frankly_verdict::policy::{ABOUT_POLICIES, Allow, Policy, Seen};
use frankly_verdict::{Finding, Severity, ToolSet};

/// The name of findings about entries.
const STALE: &str = "stale-allow";

/// The entries, and what a run looked at.
#[derive(Debug, Default)]
pub struct Allows {
    /// As they stand in the file.
    entries: Vec<Allow>,
    looked: Vec<Looked>,
    /// The servers of the file.
    servers: Vec<String>,
    /// The file, as it was named.
    config: PathBuf,
}

/// A tool set that was looked at.
#[derive(Debug)]
struct Looked {
    name: String,
    tools: BTreeSet<String>,
    file: Option<LookedFile>,
}

/// The file that it was read from.
#[derive(Debug)]
struct LookedFile {
    own_name: Option<String>,
    identity: Option<(u64, u64)>,
}

impl Looked {
    fn of(set: &ToolSet, files: &[ReadFile]) -> Self {
        let file = files.iter().find(|read| read.definitions.tools.server == set.server);
        let file = file.map(|read| LookedFile {
            own_name: read.file.path().and_then(|path| Some(path.file_name()?.to_str()?.to_owned())),
            identity: read.identity,
        });
        let tools = (0..set.tools.len()).map(|index| set.label(index)).collect();
        Self { name: set.server.clone(), tools, file }
    }

    /// How an entry may call it: by its name in the report, and a file also by its own.
    fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.file.as_ref().and_then(|file| file.own_name.as_deref());
        std::iter::once(self.name.as_str()).chain(own)
    }
}

/// What is wrong with an entry that lets nothing pass.
#[derive(Debug)]
enum Flaw {
    /// Nothing that it names is found.
    Idle,
    /// There is no such tool; perhaps this one is meant.
    Tool(Option<String>),
    /// There is no such server, and this one is meant.
    Server(String),
}

/// Entries that name what is not there, by their number in the file.
#[derive(Debug)]
pub struct Slips(BTreeMap<usize, Flaw>);

impl Allows {
    /// The entries of a configuration, for a run that looked at these.
    pub fn of(config: &Config, sets: &[ToolSet], files: &[ReadFile]) -> Self {
        // A server that listed nothing can neither have nor lack what an entry names.
        let sets = sets.iter().filter(|set| !set.tools.is_empty());
        Self {
            entries: config.policy().allows.clone(),
            looked: sets.map(|set| Looked::of(set, files)).collect(),
            servers: config.names().map(str::to_owned).collect(),
            config: config.path().to_owned(),
        }
    }

    /// The names of what was looked at, as they stand in findings.
    pub fn linted(&self) -> BTreeSet<String> {
        self.looked.iter().map(|looked| looked.name.clone()).collect()
    }

    /// The entries as they are held against findings: where one names a file by its own name, or as it lies beside
    /// `frankly.toml`, by the name that it has in findings; once for each file of that name.
    pub fn resolved(&self) -> Vec<Allow> {
        self.entries.iter().flat_map(|entry| self.resolve(entry)).collect()
    }

    fn resolve(&self, entry: &Allow) -> Vec<Allow> {
        let named = |looked: &&Looked| Allow { server: Some(looked.name.clone()), ..entry.clone() };
        match &entry.server {
            Some(server) if !self.named(server).is_empty() => self.named(server).iter().map(named).collect(),
            _ => vec![entry.clone()],
        }
    }

    /// What was looked at under this name.
    fn named(&self, server: &str) -> Vec<&Looked> {
        let exact: Vec<_> = self.looked.iter().filter(|looked| looked.name == server).collect();
        if !exact.is_empty() {
            return exact;
        }
        let beside = self.config.parent().map(|directory| directory.join(server));
        let beside = beside.and_then(|path| file_identity(&path));
        let fits = |looked: &&Looked| {
            let same = |file: &LookedFile| beside.is_some() && file.identity == beside;
            looked.names().any(|name| name == server) || looked.file.as_ref().is_some_and(same)
        };
        self.looked.iter().filter(fits).collect()
    }

    /// The entries that name what is not there, and let nothing of what was found pass.
    pub fn slips(&self, found: &[Finding]) -> Slips {
        let entries = self.entries.iter().enumerate();
        let slips = entries.filter_map(|(index, entry)| Some((index, self.misnamed(entry)?)));
        Slips(slips.filter(|(index, _)| !self.lets_pass(&self.entries[*index], found)).collect())
    }

    /// Tells of the entries that let nothing pass and should have: `governed` is what a policy with [`Self::resolved`]
    /// left, and its own words about entries make way for those that know what was looked at.
    pub fn tell(&self, slips: &Slips, governed: &mut Vec<Finding>, wants: impl Fn(&str) -> bool) {
        let (idle, others): (Vec<_>, Vec<_>) =
            std::mem::take(governed).into_iter().partition(|finding| finding.rule == STALE);
        *governed = others;
        let is_idle = |entry: &Allow| {
            let idle = idle.iter().filter(|finding| finding.place.as_ref() == Some(&entry.place)).count();
            idle == self.resolve(entry).len() && self.was_all_seen(entry)
        };
        for (index, entry) in self.entries.iter().enumerate().filter(|(_, entry)| wants(&entry.rule)) {
            let flaw = slips.0.get(&index).or_else(|| is_idle(entry).then_some(&Flaw::Idle));
            governed.extend(flaw.and_then(|flaw| told(index, entry, flaw)));
        }
    }

    /// Whether nothing that the entry may be about was left out of this run.
    fn was_all_seen(&self, entry: &Allow) -> bool {
        if entry.server.is_some() {
            return true;
        }
        if self.servers.is_empty() {
            return entry
                .tool
                .as_ref()
                .is_some_and(|tool| self.looked.iter().any(|looked| looked.tools.contains(tool)));
        }
        self.servers.iter().all(|server| self.looked.iter().any(|looked| looked.name == *server))
    }

    /// Whether the entry names what is not there.
    fn misnamed(&self, entry: &Allow) -> Option<Flaw> {
        let looked = match &entry.server {
            Some(server) => self.named(server),
            None => self.looked.iter().collect(),
        };
        match (&entry.server, &entry.tool) {
            (Some(server), _) if looked.is_empty() => {
                self.instead_of(server).map(|near| Flaw::Server(near.to_owned()))
            }
            (server, Some(tool)) if !looked.iter().any(|looked| looked.tools.contains(tool)) => {
                let tools = looked.iter().flat_map(|looked| &looked.tools);
                let near = nearest(tool, tools.map(String::as_str));
                // A file that is not looked at now may have the tool.
                let is_sure = server.is_some() || (!self.servers.is_empty() && self.was_all_seen(entry));
                is_sure.then(|| Flaw::Tool(near.map(str::to_owned)))
            }
            _ => None,
        }
    }

    /// What was looked at, and is meant by the name of a server that is not known anywhere.
    fn instead_of(&self, server: &str) -> Option<&str> {
        let beside = self.config.parent().map(|directory| directory.join(server));
        let is_known = self.servers.iter().any(|known| known == server)
            || beside.is_some_and(|path| path.exists())
            || Source::is_known(server);
        let near = || nearest(server, self.looked.iter().flat_map(Looked::names));
        if is_known { None } else { near() }
    }

    fn lets_pass(&self, entry: &Allow, found: &[Finding]) -> bool {
        let of_rule: Vec<_> = found.iter().filter(|finding| finding.rule == entry.rule).cloned().collect();
        let policy = Policy { allows: self.resolve(entry), ..Policy::default() };
        policy.govern(of_rule, &Seen::default()).allowed > 0
    }
}

fn told(index: usize, entry: &Allow, flaw: &Flaw) -> Option<Finding> {
    let doc = ABOUT_POLICIES.iter().find(|doc| doc.name == STALE)?;
    let tool = entry.tool.as_deref().unwrap_or_default();
    let pointer = format!("/allow/{index}");
    let finding = Finding::proven(doc, Severity::Warning, &entry.place.file, tool, pointer);
    let finding = Finding { place: Some(entry.place.clone()), ..finding };
    let rule = &entry.rule;
    let on = entry.server.as_ref().map(|server| format!(" on `{server}`")).unwrap_or_default();
    let write = |near: &str| format!("write `{near}`, or delete the entry of {rule}{on}");
    Some(match flaw {
        Flaw::Idle => {
            let names = [&entry.server, &entry.tool, &entry.pointer, &entry.mutation];
            let names: Vec<_> = names.into_iter().flatten().map(|name| format!("`{name}`")).collect();
            let on_all = if names.is_empty() { String::new() } else { format!(" on {}", names.join(" ")) };
            finding.saying(
                format!("the [[allow]] of `{rule}`{on_all} matches nothing that is found now"),
                "this fault is still there, and is let pass",
                format!("delete the entry of {rule}{on}, or mend what it names"),
            )
        }
        Flaw::Tool(near) => finding.saying(
            format!("the [[allow]] of `{rule}`{on} names the tool `{tool}`, which is not listed there"),
            "what is found in this tool is let pass",
            near.as_deref().map_or_else(
                || format!("name a tool that is listed, or delete the entry of {rule}{on}"),
                write,
            ),
        ),
        Flaw::Server(near) => finding.saying(
            format!(
                "the [[allow]] of `{rule}` names `{}`, which is no server and no file",
                entry.server.as_deref().unwrap_or_default()
            ),
            "what is found there is let pass",
            write(near),
        ),
    })
}
