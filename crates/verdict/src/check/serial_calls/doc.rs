//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "serial-calls",
    what: "calls that were sent together and are served one after another",
    why: "One slow call blocks every other one, and whoever waits behind it runs into its own time limit and \
          takes a healthy tool for a broken one.",
    severity: "warning: times suggest it. Only in recordings that have times, and not of tools that say that they \
          take one call at a time, nor of calls that write to one place. Where no such call was ever alone, only \
          steps of one length tell.",
    examples: &[
        Example {
            about: "a fast call waits for a slow one",
            expected: Expected::Finding(Severity::Warning, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fast","arguments":{}}},"at_ms":10}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}},"at_ms":5010}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ok"}]}},"at_ms":5012}"#,
        },
        Example {
            about: "a fast call does not wait for a slow one",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fast","arguments":{}}},"at_ms":10}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ok"}]}},"at_ms":14}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}},"at_ms":5010}"#,
        },
        Example {
            about: "two slow calls at once",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","arguments":{}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slower","arguments":{}}},"at_ms":10}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"ok"}]}},"at_ms":5000}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ok"}]}},"at_ms":5020}"#,
        },
        Example {
            about: "three calls at once, answered in steps",
            expected: Expected::Finding(Severity::Warning, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":2}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"n":3}}},"at_ms":0}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1"}]}},"at_ms":100}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"2"}]}},"at_ms":200}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"3"}]}},"at_ms":301}"#,
        },
        Example {
            about: "three calls at once, each a step later, of a tool that only speaks of serial numbers",
            expected: Expected::Finding(Severity::Warning, ""),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"echo","description":"Prints a single serial number, and puts it in the queue.","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}},"at_ms":0}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1"}]}},"at_ms":200}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}},"at_ms":300}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"n":2}}},"at_ms":301}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"echo","arguments":{"n":3}}},"at_ms":302}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"1"}]}},"at_ms":500}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2"}]}},"at_ms":702}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"3"}]}},"at_ms":903}"#,
        },
        Example {
            about: "three calls at once, answered at once",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":2}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"n":3}}},"at_ms":0}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1"}]}},"at_ms":100}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"2"}]}},"at_ms":101}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"3"}]}},"at_ms":103}"#,
        },
        Example {
            about: "a tool that says so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"echo","description":"Prints; the printer takes one call at a time.","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":2}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"n":3}}},"at_ms":0}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"1"}]}},"at_ms":100}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"2"}]}},"at_ms":200}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"3"}]}},"at_ms":301}"#,
        },
        Example {
            about: "three calls at once, in steps of one length",
            expected: Expected::Finding(Severity::Warning, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"url":"https://a.test/0"}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fetch","arguments":{"url":"https://a.test/1"}}},"at_ms":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fetch","arguments":{"url":"https://a.test/2"}}},"at_ms":2}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":0}}},"at_ms":150}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"n":1}}},"at_ms":300}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"n":2}}},"at_ms":451}"#,
        },
        Example {
            about: "three calls at once that take as long as they take",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"url":"https://a.test/0"}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fetch","arguments":{"url":"https://a.test/1"}}},"at_ms":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"fetch","arguments":{"url":"https://a.test/2"}}},"at_ms":2}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":0}}},"at_ms":103}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"n":1}}},"at_ms":213}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"n":2}}},"at_ms":303}"#,
        },
        Example {
            about: "three calls that write to one file",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a","content":"0"}}},"at_ms":0}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a","content":"1"}}},"at_ms":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"write_file","arguments":{"path":"a","content":"2"}}},"at_ms":2}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"n":0}}},"at_ms":150}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"n":1}}},"at_ms":300}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"n":2}}},"at_ms":450}"#,
        },
    ],
};
