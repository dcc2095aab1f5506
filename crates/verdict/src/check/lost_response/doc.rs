//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "lost-response",
    what: "a request without its answer, an answer without its request, and calls that no longer work after another one failed",
    why: "The agent waits for what never comes, or takes the answer to another call for its own and goes on \
          with somebody else's data. Neither can be seen in the answer itself.",
    severity: "error; warning where every call fails after a malformed one and none is known to have worked before. \
          Answers in another order than the requests are fine, and so is silence after a cancel. In a \
          recording that says that it is whole (`end`, `exit`) the last request counts as well, unless it was sent less \
          than a second before; in one that does not say so, what comes last may still be under way.",
    examples: &[
        Example {
            about: "after a long request one that is no call is refused, and is not the call without arguments that worked before",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"role":"server"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"fine"}]}}}
{"from":"client","cut":{"bytes":4500,"head":"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"arguments\":{\"q\":\"long","tail":"\"}}}"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"fine"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"a","arguments":"none"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"tools/call takes `arguments`, an object"}}}"#,
        },
        Example {
            about: "a result and an error in one answer",
            expected: Expected::Finding(Severity::Error, "/error"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]},"error":{"code":-32603,"message":"the harbour does not answer"}}}"#,
        },
        Example {
            about: "the same with an error that is none",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]},"error":null}}"#,
        },
        Example {
            about: "an answer before its request",
            expected: Expected::Finding(Severity::Error, "/id"),
            input: r#"{"frankly":"recording","version":1}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"event":"end"}"#,
        },
        Example {
            about: "an answer to what was asked before the recording began",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"bb"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"bb"}]}}}
{"event":"end"}"#,
        },
        Example {
            about: "three calls at once, and one was never answered",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"bb"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"cc"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"cc"}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"event":"end"}"#,
        },
        Example {
            about: "three calls at once, answered in another order",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"bb"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"cc"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"cc"}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"bb"}]}}}
{"event":"end"}"#,
        },
        Example {
            about: "a call that was cancelled is not answered",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{}}}
{"event":"end"}"#,
        },
        Example {
            about: "after a cancel nothing is answered",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"event":"end"}"#,
        },
        Example {
            about: "the last call of a recording that was torn off",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"bb"}}}}"#,
        },
        Example {
            about: "an answer twice",
            expected: Expected::Finding(Severity::Error, "/id"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}"#,
        },
        Example {
            about: "an answer that nobody asked for",
            expected: Expected::Finding(Severity::Error, "/id"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"aa"}]}}}"#,
        },
        Example {
            about: "a text for an id that is a number",
            expected: Expected::Finding(Severity::Error, "/id"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":"1","result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"bb"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"bb"}]}}}
{"event":"end"}"#,
        },
        Example {
            about: "two calls at once, each with the answer to the other",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"first mark"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"second mark"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"second mark"}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"first mark"}]}}}"#,
        },
        Example {
            about: "two pages read at once, each of which speaks of the other",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"README.md"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"path":"GUIDE.md"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"See GUIDE.md."}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"See README.md."}]}}}"#,
        },
        Example {
            about: "the very same call no longer works after a malformed one",
            expected: Expected::Finding(Severity::Error, "/error"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":"aa"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"arguments must be an object"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error"}}}"#,
        },
        Example {
            about: "the very same call works after a malformed one",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"aa"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":"aa"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"arguments must be an object"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"text":"aa"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"aa"}]}}}"#,
        },
        Example {
            about: "a stream of notices that stays open",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2026-07-28"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Tern"}]}}}
{"event":"end"}"#,
        },
        Example {
            about: "the last call is not answered, and the session ended in order",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"event":"exit","code":0}
{"event":"end"}"#,
        },
        Example {
            about: "the last call of a server that crashed under it",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{}}}}
{"event":"exit","code":101}
{"event":"end"}"#,
        },
        Example {
            about: "a session that its client ended ten milliseconds into a call",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","at_ms":0,"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"render","arguments":{}}}}
{"from":"client","at_ms":5,"msg":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"from":"server","at_ms":6,"msg":{"jsonrpc":"2.0","id":2,"result":{}}}
{"event":"end","at_ms":10}"#,
        },
        Example {
            about: "a session that ended a minute and a half after the call",
            expected: Expected::Finding(Severity::Error, ""),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","at_ms":6,"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"render","arguments":{}}}}
{"event":"end","at_ms":90000}"#,
        },
        Example {
            about: "two pings answered during a long call, and no word of an end",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"render","arguments":{}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"ping"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"ping"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{}}}"#,
        },
        Example {
            about: "two tenants that use the same id at once",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","context":{"tenant":"a"},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"q":"x"}}}}
{"from":"client","context":{"tenant":"b"},"msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"q":"y"}}}}
{"from":"server","context":{"tenant":"a"},"msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"one"}]}}}
{"from":"server","context":{"tenant":"b"},"msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"two"}]}}}"#,
        },
    ],
};
