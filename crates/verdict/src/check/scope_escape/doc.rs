//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "scope-escape",
    what: "an answer with what lies outside of where a tool works, or belongs to somebody else",
    why: "Whatever text an agent reads can talk it into a path or a name. What the tool does not refuse, it \
          gives away.",
    severity: "error: content of a known file outside, where the tool or its refusals say that there is an outside; \
          or a mark that one tenant sent in the answer to another. Warning where a path out succeeded and what \
          came back may be inside, and where all that one is answered is what another sent in the same `session`. A tool that says nothing of a root reads absolute paths on purpose.",
    examples: &[
        Example {
            about: "two people share a session of the server behind",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","context":{"tenant":"user1","session":"U1"},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_workspace","arguments":{"name":"w1"}}}}
{"from":"server","context":{"tenant":"user1","session":"U1"},"msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"set"}]}}}
{"from":"client","context":{"tenant":"user2","session":"U1"},"msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_workspace","arguments":{}}}}
{"from":"server","context":{"tenant":"user2","session":"U1"},"msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"w1"}]}}}"#,
        },
        Example {
            about: "each has a session of its own",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","context":{"tenant":"user1","session":"U1"},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_workspace","arguments":{"name":"w1"}}}}
{"from":"server","context":{"tenant":"user1","session":"U1"},"msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"set"}]}}}
{"from":"client","context":{"tenant":"user2","session":"U2"},"msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_workspace","arguments":{}}}}
{"from":"server","context":{"tenant":"user2","session":"U2"},"msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"w1"}]}}}"#,
        },
        Example {
            about: "a file of the system, through a path that climbs out",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"read_note","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Path of a note, relative to the directory of notes."}},"required":["path"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","arguments":{"path":"../../../etc/passwd"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"root:x:0:0:root:/root:/bin/sh"}]}}}"#,
        },
        Example {
            about: "the way out is refused",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"read_note","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Path of a note, relative to the directory of notes."}},"required":["path"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","arguments":{"path":"../../../etc/passwd"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"FORBIDDEN: the path is outside the notes"}],"isError":true}}}"#,
        },
        Example {
            about: "a tool for any file of the machine",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"read_file","inputSchema":{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"/etc/passwd"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"root:x:0:0:root:/root:/bin/sh"}]}}}"#,
        },
        Example {
            about: "one way out is refused, and another is not",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","arguments":{"path":"../../etc/passwd"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"FORBIDDEN: the path is outside the notes"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read_note","arguments":{"path":"%2e%2e%2f%2e%2e%2fetc/passwd"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"root:x:0:0:root:/root:/bin/sh"}]}}}"#,
        },
        Example {
            about: "something came back where nothing should have",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"read_note","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"Path of a note, relative to the directory of notes."}},"required":["path"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_note","arguments":{"path":"../secret.md"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the plan"}]}}}"#,
        },
        Example {
            about: "what one tenant wrote is read by another",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows/0/note"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"note":"mark-7f3a-acme"}}},"context":{"tenant":"acme"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Logged."}]}},"context":{"tenant":"acme"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{}}},"context":{"tenant":"zeta"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"note\":\"mark-7f3a-acme\"}]}"}]}},"context":{"tenant":"zeta"}}"#,
        },
        Example {
            about: "a name of a place, which both tenants may have",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add_host","arguments":{"region":"us-east-1"}}},"context":{"tenant":"a"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}},"context":{"tenant":"a"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_hosts","arguments":{}}},"context":{"tenant":"b"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"hosts\":[{\"region\":\"us-east-1\"}]}"}]}},"context":{"tenant":"b"}}"#,
        },
        Example {
            about: "what one tenant wrote is read by the same",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"note":"mark-7f3a-acme"}}},"context":{"tenant":"acme"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Logged."}]}},"context":{"tenant":"acme"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{}}},"context":{"tenant":"acme"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"note\":\"mark-7f3a-acme\"}]}"}]}},"context":{"tenant":"acme"}}"#,
        },
    ],
};
