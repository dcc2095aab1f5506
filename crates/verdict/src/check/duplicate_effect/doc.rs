//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "duplicate-effect",
    what: "a write that was sent twice and took effect twice, or may have",
    why: "Agents and clients repeat calls whose answer was late. Without a key that is kept, the payment is \
          made twice, and both answers look fine.",
    severity: "error where one idempotency key made two things, and where a client under test repeats a write \
          without a key after an answer that leaves open whether it took effect; in other recordings a warning",
    examples: &[
        Example {
            about: "one key, two orders",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/id"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea","idempotency_key":"k-1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":"o1"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea","idempotency_key":"k-1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":"o2"}}}}"#,
        },
        Example {
            about: "one key, one order",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea","idempotency_key":"k-1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":"o1"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea","idempotency_key":"k-1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":"o1","repeated":true}}}}"#,
        },
        Example {
            about: "two keys, two orders",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea","idempotency_key":"k-1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":"o1"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea","idempotency_key":"k-2"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":"o2"}}}}"#,
        },
        Example {
            about: "sent again, though the first may have worked",
            expected: Expected::Finding(Severity::Warning, "/params"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"connection lost after send"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":"o2"}}}}"#,
        },
        Example {
            about: "a client under test sends it again",
            expected: Expected::Finding(Severity::Error, "/params"),
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"connection lost after send"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":"o2"}}}}"#,
        },
        Example {
            about: "sent again after a refusal",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"out of tea, try again tomorrow"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_order","arguments":{"item":"tea"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":"o2"}}}}"#,
        },
    ],
};
