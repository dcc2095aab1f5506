//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "bloated-result",
    what: "an answer most of which tells nothing: a text escaped into JSON, JSON inside a JSON string, bytes written as \
           letters, the same long value in every item",
    why: "The agent pays for every letter, and what matters drowns: it has to undo quoting in its head, or skims what \
          would be plain as a text.",
    severity: "warning",
    examples: &[
        Example {
            about: "a log escaped into a JSON string",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/log"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_log","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"log\":\"12:00 a\\n12:01 b\\n12:02 c\\n12:03 d\\n12:04 e\\n12:05 f\\n12:06 g\\n12:07 h\\n12:08 i\\n12:09 j\\n12:10 k\\n12:11 l\\n\"}"}]}}}"#,
        },
        Example {
            about: "the same log as a text",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_log","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"12:00 a\n12:01 b\n12:02 c\n12:03 d\n12:04 e\n12:05 f\n12:06 g\n12:07 h\n12:08 i\n12:09 j\n12:10 k\n12:11 l\n"}]}}}"#,
        },
        Example {
            about: "a JSON document in a string in a JSON document",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/result#"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"heap","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"result\":\"{\\\"classes\\\":[{\\\"n\\\":3}]}\"}"}]}}}"#,
        },
        Example {
            about: "the text of a file that is JSON",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"a.json"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"path\":\"a.json\",\"content\":\"{\\\"n\\\":3}\"}"}]}}}"#,
        },
        Example {
            about: "the text copy of structured content, as the protocol recommends",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"heap","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"classes\":[{\"n\":3}]}"}],"structuredContent":{"classes":[{"n":3}]}}}}"#,
        },
    ],
};
