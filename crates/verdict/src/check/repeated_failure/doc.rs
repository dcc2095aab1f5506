//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "repeated-failure",
    what: "a failing call that is made again as it was, or guessed on",
    why: "Each repetition costs a turn and tokens, and the answer does not change. Often the error does not \
          say what else to do, which is then its fault.",
    severity: "warning: two times where the client is under test, three in other recordings, since whoever tests a \
          server sends what fails on purpose. What may pass, such as a rate limit, is tried again a few times; \
          polling whose answer changes is fine.",
    examples: &[
        Example {
            about: "the same mistake, three times",
            expected: Expected::Finding(Severity::Warning, "/params"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}"#,
        },
        Example {
            about: "a client under test makes the same mistake twice",
            expected: Expected::Finding(Severity::Warning, "/params"),
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}"#,
        },
        Example {
            about: "the table was made in between",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_table","arguments":{"name":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"created"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"no table is called ordres"}],"isError":true}}}"#,
        },
        Example {
            about: "polling, and every answer says something else",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"still at work: 10 %"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"still at work: 40 %"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"still at work: 90 %"}],"isError":true}}}"#,
        },
        Example {
            about: "what may pass is tried again",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"rate limited, try again in 1 s"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe","arguments":{"table":"ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"rate limited, try again in 1 s"}],"isError":true}}}"#,
        },
        Example {
            about: "a client under test guesses on",
            expected: Expected::Finding(Severity::Warning, "/params"),
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"describe","arguments":{"table":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"INVALID_ARGS: no table is called a"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"describe","arguments":{"table":"b"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"INVALID_ARGS: no table is called b"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"describe","arguments":{"table":"c"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"INVALID_ARGS: no table is called c"}],"isError":true}}}"#,
        },
    ],
};
