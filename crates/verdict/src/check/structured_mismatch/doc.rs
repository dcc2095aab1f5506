//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "structured-mismatch",
    what: "`structuredContent` that is missing though the definition promises it, that violates the definition's \
           `outputSchema`, or that says something else than the text beside it; and a result that is none by the protocol's \
           own schema",
    why: "Some clients hand on the text, some the structured half, some refuse what does not fit the schema. Where the \
          halves differ, what the agent reads depends on the client, and nobody sees both.",
    severity: "error, in every revision for what is no result at all; warning where it is an error's structured half that does not fit the schema, since the protocol asks \
               nothing of that. Silent of structured content before revision 2025-06-18, which has no structured content. Until 2026-07-28 it \
               has to be an object.",
    examples: &[
        Example {
            about: "a flag that is a text, and so no flag",
            expected: Expected::Finding(Severity::Error, "/result/isError"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the harbour does not answer; try again in 60 s"}],"isError":"true"}}}"#,
        },
        Example {
            about: "a text in place of the list of blocks",
            expected: Expected::Finding(Severity::Error, "/result/content"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":"4 boats"}}}"#,
        },
        Example {
            about: "a number in place of a result",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":4}}"#,
        },
        Example {
            about: "the same number in a block",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"4"}],"isError":false}}}"#,
        },
        Example {
            about: "the schema promises a count, and only the text has it",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-06-18","tools":[{"name":"count_boats","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"4 boats"}]}}}"#,
        },
        Example {
            about: "the tool failed, and says so in words",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-06-18","tools":[{"name":"count_boats","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the harbour does not answer; try again in 60 s"}],"isError":true}}}"#,
        },
        Example {
            about: "the schema is closed, and the answer has a member more",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-06-18","tools":[{"name":"count_boats","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"],"additionalProperties":false}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"count\":4,\"pier\":\"N\"}"}],"structuredContent":{"count":4,"pier":"N"}}}}"#,
        },
        Example {
            about: "the same where the schema is open",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2025-06-18","tools":[{"name":"count_boats","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"count\":4,\"pier\":\"N\"}"}],"structuredContent":{"count":4,"pier":"N"}}}}"#,
        },
        Example {
            about: "an error whose structured half is of another shape",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"count_boats","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"the harbour is closed"}],"structuredContent":{"error":"closed"},"isError":true}}}"#,
        },
        Example {
            about: "two numbers for one thing",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/count"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"count_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"count\":4}"}],"structuredContent":{"count":5}}}}"#,
        },
        Example {
            about: "a text with the answer beside an empty structured half",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_map","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"pier N\n  boat 1\n  boat 2"}],"structuredContent":{}}}}"#,
        },
        Example {
            about: "nothing was found, and both halves say so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show_map","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"No boats found."}],"structuredContent":{"boats":[]}}}}"#,
        },
        Example {
            about: "a list as structured content, in a revision that asks for an object",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1,"revision":"2025-11-25"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}}}"#,
        },
        Example {
            about: "the same in the revision that takes any JSON",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"revision":"2026-07-28"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2]}}}"#,
        },
    ],
};
