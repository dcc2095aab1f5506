//! What `frankly verify` rightly says of servers on these SDKs, and why it is so: no fault of the spy. What may not enter: anything
//! that is said without reason.

use super::sdk::{Meeting, Server, Transport};

/// A finding that is right.
struct Known {
    sdk: &'static str,
    transport: Transport,
    /// What it says.
    what: &'static str,
}

/// Of servers that are written with the SDK itself.
static KNOWN: &[Known] = &[
    // It answers whoever uses a session that is over under an id of its own, where the protocol has none.
    Known {
        sdk: "python-1",
        transport: Transport::Http,
        what: "an answer has the id \"server-error\", which no request had",
    },
];

/// Whether a finding of a meeting is right.
pub fn is_known(meeting: &Meeting, what: &str) -> bool {
    let is_it = |known: &Known| {
        (known.sdk, known.transport, known.what) == (meeting.sdk.name, meeting.transport, what)
    };
    meeting.server == Server::Own && KNOWN.iter().any(is_it)
}

#[cfg(test)]
mod tests {
    use super::super::sdk::SDKS;
    use super::*;

    #[test]
    fn what_is_known_is_so_of_one_server_and_in_its_words() {
        for known in KNOWN {
            let all: Vec<_> = SDKS.iter().flat_map(Meeting::all).collect();
            let so: Vec<_> = all.iter().filter(|meeting| is_known(meeting, known.what)).collect();
            assert!(!so.is_empty(), "{} is no SDK here", known.sdk);
            assert!(so.iter().all(|meeting| meeting.sdk.name == known.sdk && meeting.server == Server::Own));
            assert!(!so.iter().any(|meeting| is_known(meeting, "")));
        }
    }
}
