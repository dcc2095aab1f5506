//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "unstable-answer",
    what: "the same items in another order when the same call is made again",
    why: "What stands first is taken for the newest or the best, and two answers that differ are taken for a \
          change. A list of tools in another order makes the cached beginning of every prompt worthless.",
    severity: "warning: data may have moved. Only the order counts; values that change, such as times, are left \
          alone, and so are tools that are random or ranked by name, description or argument, and calls an hour apart.",
    examples: &[
        Example {
            about: "the same rows in another order",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":2},{\"id\":1},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "the same rows in the same order",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "something was moved in between",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"move_order","arguments":{"id":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"moved"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_orders","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":2},{\"id\":1},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "a random order, as the name says",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_random_quotes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_random_quotes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":2},{\"id\":1},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "the tools in another order",
            expected: Expected::Finding(Severity::Warning, "/result/tools"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"a","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "the tools in another order, as was announced",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"a","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "a statement that asks for any order",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"sql":"SELECT id FROM t ORDER BY random()"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query","arguments":{"sql":"SELECT id FROM t ORDER BY random()"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":2},{"id":1},{"id":3}]}}}}"#,
        },
        Example {
            about: "a list that its description calls ranked",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_players","description":"Players by rank.","inputSchema":{"type":"object","properties":{}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_players","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_players","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":2},{"id":1},{"id":3}]}}}}"#,
        },
        Example {
            about: "the same call a day later",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{}}},"at_ms":0}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3}]}}},"at_ms":20}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_orders","arguments":{}}},"at_ms":86400000}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":2},{"id":1},{"id":3}]}}},"at_ms":86400020}"#,
        },
        Example {
            about: "the same call a second later",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_orders","arguments":{}}},"at_ms":0}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3}]}}},"at_ms":20}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_orders","arguments":{}}},"at_ms":1000}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":2},{"id":1},{"id":3}]}}},"at_ms":1020}"#,
        },
    ],
};
