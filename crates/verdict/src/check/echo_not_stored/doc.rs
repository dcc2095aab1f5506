//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "echo-not-stored",
    what: "a write that answers with the request, while something else was stored",
    why: "The agent tells its user what the answer said. What is in the books differs, and nobody looks again.",
    severity: "error: the answer of the write and that of the next read, about the same thing, contradict each \
          other. Saying what was changed is enough.",
    examples: &[
        Example {
            about: "an expense that is a transaction to the tool that reads it",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/stored/merchant"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3,"merchant":"Hafencafe"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"stored":{"id":704,"merchant":"Hafencafe","amount":3}}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query_transactions","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"transactions":[{"id":704,"merchant":"Hafen","amount":3}]}}}}"#,
        },
        Example {
            about: "a transaction of another shape that has the same id",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3,"merchant":"Hafencafe"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"stored":{"id":704,"merchant":"Hafencafe","amount":3}}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query_transactions","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"transactions":[{"id":704,"merchant":"Hafen","iban":"DE00","amount":5}]}}}}"#,
        },
        Example {
            about: "3.456 was reported, and 3.46 stored",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/amount"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3.456,"note":"mark-7f3a-11"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":7,"amount":3.456}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_expenses","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7,\"amount\":3.46,\"note\":\"mark-7f3a-11\"}]}"}]}}}"#,
        },
        Example {
            about: "3.46 was reported, and stored",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3.456,"note":"mark-7f3a-11"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":7,"amount":3.46}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_expenses","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7,\"amount\":3.46,\"note\":\"mark-7f3a-11\"}]}"}]}}}"#,
        },
        Example {
            about: "3.456 was reported in words",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3.456,"note":"mark-7f3a-11"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Logged 3.456."}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_expenses","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7,\"amount\":3.46,\"note\":\"mark-7f3a-11\"}]}"}]}}}"#,
        },
        Example {
            about: "what was rounded is said",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3.456,"note":"mark-7f3a-11"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":7,"amount":3.456,"note":"the amount will be rounded to cents"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_expenses","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7,\"amount\":3.46,\"note\":\"mark-7f3a-11\"}]}"}]}}}"#,
        },
        Example {
            about: "it was changed in between",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log_expense","arguments":{"amount":3.456,"note":"mark-7f3a-11"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"id":7,"amount":3.456}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"update_expense","arguments":{"id":7,"amount":3.46}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"ok"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_expenses","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7,\"amount\":3.46,\"note\":\"mark-7f3a-11\"}]}"}]}}}"#,
        },
    ],
};
