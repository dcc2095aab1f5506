//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "truncation-without-next",
    what: "an answer that says that it was cut, and not how to get the rest",
    why: "The agent knows that it does not know. It can only call again and get the same part, or answer from the part.",
    severity: "warning; silent where the tool has a limit, a page or a cursor to change, or its description says how much \
               comes back. What the way on is called is this project's convention; the protocol prescribes none.",
    examples: &[
        Example {
            about: "`truncated: true`, and nothing else",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/truncated"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"run_sql","description":"Runs a query.","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_sql","arguments":{"sql":"SELECT 1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[[1],[2]],\"truncated\":true}"}]}}}"#,
        },
        Example {
            about: "the same with the way to a whole answer",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"run_sql","description":"Runs a query.","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_sql","arguments":{"sql":"SELECT 1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[[1],[2]],\"truncated\":true,\"hint\":\"aggregate in SQL for a whole answer\"}"}]}}}"#,
        },
        Example {
            about: "a text that was cut, and says no more",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"read_page","description":"Reads a page.","inputSchema":{"type":"object","properties":{"url":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_page","arguments":{"url":"https://a.test/"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Tides\n\nThe sea comes and\n[output truncated]"}]}}}"#,
        },
        Example {
            about: "a tool with an offset to go on from",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"read_page","description":"Reads a page.","inputSchema":{"type":"object","properties":{"url":{"type":"string"},"offset":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_page","arguments":{"url":"https://a.test/"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Tides\n\nThe sea comes and\n[output truncated]"}]}}}"#,
        },
        Example {
            about: "a row that speaks of truncation",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"run_sql","description":"Runs a query.","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_sql","arguments":{"sql":"SELECT 1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1. row\nmessage: output truncated\n\nResult: 1 rows"}]}}}"#,
        },
    ],
};
