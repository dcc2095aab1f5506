//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "lost-text",
    what: "text that does not arrive as it was sent: letters damaged on the way, bytes that are not UTF-8, and lines that are no messages",
    why: "A name with a damaged letter is another name, and whoever looks for it finds nothing. A line that is \
          no message is dropped by one client and ends the session in the next.",
    severity: "error; information where lines end with a carriage return. What is written to standard error, and \
          blank lines, do no harm, and neither does another way to write the same letter.",
    examples: &[
        Example {
            about: "a list of numbers, which is no batch of messages",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":[1,2]}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a boat"}]}}}"#,
        },
        Example {
            about: "a batch of messages",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-03-26"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a"}},{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a boat"}]}}]}"#,
        },
        Example {
            about: "a long line of which only both ends were kept, and whose head begins no message",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","cut":{"bytes":3000000,"head":"DEBUG rows: 1, 2, 3","tail":"999999, 1000000"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a boat"}]}}}"#,
        },
        Example {
            about: "a long message of which only both ends were kept",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","cut":{"bytes":3000000,"head":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"a boat","tail":"a boat\"}]}}"}}"#,
        },
        Example {
            about: "a text that was cut within a character",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a boat \ud83d"}]}}}"#,
        },
        Example {
            about: "a name comes back as other letters",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"note":"Café Niño"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Logged CafÃ© NiÃ±o."}]}}}"#,
        },
        Example {
            about: "a name comes back as it was sent",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"note":"Café Niño"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Logged Café Niño."}]}}}"#,
        },
        Example {
            about: "a name is stored with question marks",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows/0/note"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"log","arguments":{"note":"Café Niño"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Logged."}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"note\":\"Caf? Ni?o\"}]}"}]}}}"#,
        },
        Example {
            about: "a question is no question mark",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask","arguments":{"q":"東京"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Which one?? 東京都 or another?"}]}}}"#,
        },
        Example {
            about: "a banner among the messages",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"server","raw":"Warehouse server 1.2.0"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{}}}"#,
        },
        Example {
            about: "a banner on standard error, and a blank line",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"server","raw":"Warehouse server 1.2.0","channel":"stderr"}
{"from":"server","raw":""}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{}}}"#,
        },
        Example {
            about: "a line that was cut at the end",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"from":"server","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"resu"}"#,
        },
        Example {
            about: "a byte order mark",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"from":"server","raw":"\ufeff{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"}"#,
        },
        Example {
            about: "bytes that are not UTF-8",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{}}}}
{"from":"server","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Caf\ufffd\"}]}}","utf8":false}"#,
        },
        Example {
            about: "a carriage return at the end of the line",
            expected: Expected::Finding(Severity::Info, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"ping"}}
{"from":"server","raw":"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r"}"#,
        },
    ],
};
