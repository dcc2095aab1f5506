//! Who is under test.

/// Whose faults a transcript may show: what the other side does is then a given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The server, which offers the tools.
    Server,
    /// The client, which calls them: an agent or what hosts it.
    Client,
    /// What stands between the two.
    Proxy,
    /// What stands between an agent and its model.
    Model,
}

impl Role {
    /// Every role with its name in a recording.
    pub const ALL: [(&'static str, Self); 4] =
        [("server", Self::Server), ("client", Self::Client), ("proxy", Self::Proxy), ("model", Self::Model)];

    /// Its name in a recording.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, role)| *role == self).map_or("server", |(name, _)| name)
    }
}
