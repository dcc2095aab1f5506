//! The SDKs whose clients are looked at, as their registries have them, and the scripts that use them.

use std::fmt;
use std::path::{Path, PathBuf};

/// How a session begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// With `initialize`: the protocol up to 2025-11-25.
    Handshake,
    /// Without: the protocol of 2026-07-28.
    Stateless,
}

/// How client and server are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transport {
    Stdio,
    Http,
}

/// Which server a client talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Server {
    /// One that is written with the same SDK.
    Own,
    /// `frankly demo ledger`.
    Ledger,
}

/// An SDK.
#[derive(Debug)]
pub struct Sdk {
    /// What it is called here.
    pub name: &'static str,
    /// The package, and the version of it.
    pub package: &'static str,
    /// The shell command that installs it into the folder it is run in.
    pub install: &'static str,
    /// What runs scripts, in the folder it is installed in or wherever programs are.
    runs: &'static str,
    /// The client, the server, and what both use of the SDK.
    scripts: [Script; 3],
    /// The life cycles that its client speaks.
    pub lives: &'static [Life],
}

/// A script, by its file's name and its text.
type Script = (&'static str, &'static str);

/// All of them.
pub static SDKS: &[Sdk] = &[
    Sdk {
        name: "python",
        package: "mcp 2.3.0",
        install: "python3 -m venv . && bin/pip install --quiet --disable-pip-version-check mcp==2.3.0",
        runs: "bin/python",
        scripts: [CLIENT_PY, SERVER_PY, ("sdk.py", include_str!("python2.py"))],
        lives: &[Life::Handshake, Life::Stateless],
    },
    Sdk {
        name: "python-1",
        package: "mcp 1.30.0",
        install: "python3 -m venv . && bin/pip install --quiet --disable-pip-version-check mcp==1.30.0",
        runs: "bin/python",
        scripts: [CLIENT_PY, SERVER_PY, ("sdk.py", include_str!("python1.py"))],
        lives: &[Life::Handshake],
    },
    Sdk {
        name: "typescript",
        package: "@modelcontextprotocol/client 2.4.0",
        install: "npm install --no-audit --no-fund --no-save @modelcontextprotocol/client@2.4.0 \
                  @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2 zod@4.6.7",
        runs: "/usr/bin/env node",
        scripts: [CLIENT_MJS, SERVER_MJS, ("sdk.mjs", include_str!("typescript2.mjs"))],
        lives: &[Life::Handshake, Life::Stateless],
    },
    Sdk {
        name: "typescript-1",
        package: "@modelcontextprotocol/sdk 1.32.2",
        install: "npm install --no-audit --no-fund --no-save @modelcontextprotocol/sdk@1.32.2 zod@4.6.7",
        runs: "/usr/bin/env node",
        scripts: [CLIENT_MJS, SERVER_MJS, ("sdk.mjs", include_str!("typescript1.mjs"))],
        lives: &[Life::Handshake],
    },
];

const CLIENT_PY: Script = ("client.py", include_str!("client.py"));
const SERVER_PY: Script = ("server.py", include_str!("server.py"));
const CLIENT_MJS: Script = ("client.mjs", include_str!("client.mjs"));
const SERVER_MJS: Script = ("server.mjs", include_str!("server.mjs"));

impl Sdk {
    /// Writes the scripts beside what is installed: modules are looked for from where a script is.
    pub fn write_scripts(&self, folder: &Path) -> std::io::Result<()> {
        self.scripts.into_iter().try_for_each(|(name, text)| std::fs::write(folder.join(name), text))
    }

    /// The command of the client.
    pub fn client(&self, folder: &Path) -> Vec<PathBuf> {
        self.command(folder, self.scripts[0])
    }

    /// The command of the server.
    pub fn server(&self, folder: &Path) -> Vec<PathBuf> {
        self.command(folder, self.scripts[1])
    }

    fn command(&self, folder: &Path, (name, _): Script) -> Vec<PathBuf> {
        let script = [folder.join(name)];
        // What is absolute stays as it is.
        self.runs
            .split(' ')
            .enumerate()
            .map(|(at, word)| if at == 0 { folder.join(word) } else { word.into() })
            .chain(script)
            .collect()
    }
}

impl Life {
    pub const ALL: [Self; 2] = [Self::Handshake, Self::Stateless];

    pub fn name(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Stateless => "stateless",
        }
    }
}

impl Transport {
    pub const ALL: [Self; 2] = [Self::Stdio, Self::Http];

    pub fn name(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

impl Server {
    pub const ALL: [Self; 2] = [Self::Own, Self::Ledger];

    pub fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Ledger => "ledger",
        }
    }
}

/// One of the ways in which a client and a server can meet.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    pub sdk: &'static Sdk,
    pub life: Life,
    pub transport: Transport,
    pub server: Server,
}

impl Meeting {
    /// All of an SDK, those included that it does not speak.
    pub fn all(sdk: &'static Sdk) -> impl Iterator<Item = Self> {
        Life::ALL.into_iter().flat_map(move |life| {
            Transport::ALL.into_iter().flat_map(move |transport| {
                Server::ALL.into_iter().map(move |server| Self { sdk, life, transport, server })
            })
        })
    }
}

/// What every client is to see of its own server, beside answers.
const SEEN_OF_OWN: &[&str] = &[
    "tools", "progress", "log", "question", "notification", "taken back", "known to the server", "gone",
    "closed",
];

impl Meeting {
    /// What the client is to see, by the word that it has for it.
    pub fn seen(&self) -> impl Iterator<Item = &'static str> {
        let own = if self.server == Server::Own { SEEN_OF_OWN } else { &["tools", "gone", "closed"] };
        let is_resumed =
            (self.life, self.transport, self.server) == (Life::Handshake, Transport::Http, Server::Own);
        own.iter().copied().chain(is_resumed.then_some("resumed"))
    }
}

impl fmt::Display for Meeting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sdk, life, transport, server } = self;
        write!(f, "{}, {}, {}, {}", sdk.name, life.name(), transport.name(), server.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_installed_is_the_version_that_is_named() {
        for sdk in SDKS {
            let (package, version) = sdk.package.rsplit_once(' ').unwrap();
            let named = [format!("{package}=={version}"), format!("{package}@{version}")];
            assert!(named.iter().any(|named| sdk.install.contains(named.as_str())), "{}", sdk.name);
            assert_eq!(Meeting::all(sdk).count(), 8);
        }
    }

    #[test]
    fn programs_are_looked_for_where_they_are() {
        let of = |sdk: &Sdk| {
            sdk.client(Path::new("/x")).iter().map(|part| part.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(of(&SDKS[0]), ["/x/bin/python", "/x/client.py"]);
        assert_eq!(of(&SDKS[2]), ["/usr/bin/env", "node", "/x/client.mjs"]);
    }
}
