//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "buried-error",
    what: "a failure under the flag of a success: an error body, `success: false`, a status of 400 or more, the text of \
           an exception",
    why: "Clients and agents go by `isError`. What is not flagged worked: the agent goes on with the words of the error \
          as if they were the answer, and whoever counts failures counts none.",
    severity: "error where the body is an error and nothing else (`error`, `success: false`), or answers a call that \
               can only fail (arguments against the schema, a tool that is not listed); also where such a tool is \
               answered as if it had worked; warning where a status, a denial without a reason, or only \
               the words of a text, suggest it",
    examples: &[
        Example {
            about: "an error body that is not flagged",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_paper","arguments":{"id":"p1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false,\"error\":\"Paper p1 not found\"}"}]}}}"#,
        },
        Example {
            about: "the same body, flagged",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_paper","arguments":{"id":"p1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"{\"success\":false,\"error\":\"Paper p1 not found\"}"}]}}}"#,
        },
        Example {
            about: "a tool that is not listed worked",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats"}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lst_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"boats\":[]}"}]}}}"#,
        },
        Example {
            about: "a tool that is not listed is refused",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats"}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lst_boats","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: lst_boats"}}}"#,
        },
        Example {
            about: "a tool that came after the list",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats"}]}
{"from":"server","msg":{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_piers","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"piers\":[]}"}]}}}"#,
        },
        Example {
            about: "a job whose state is failed",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_job","arguments":{"id":"j7"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"id\":\"j7\",\"status\":\"failed\",\"message\":\"disk full on worker 3\"}"}]}}}"#,
        },
        Example {
            about: "one of several items that failed",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_papers","arguments":{"ids":["p1","p2"]}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"papers":[{"id":"p2","title":"On Tides"}],"error":"p1 was not found"}}}}"#,
        },
        Example {
            about: "the text of an exception",
            expected: Expected::Finding(Severity::Warning, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_sql","arguments":{"sql":"SELECT * FROM ordres"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":false,"content":[{"type":"text","text":"Error: (OperationalError) no such table: ordres"}]}}}"#,
        },
        Example {
            about: "the text of an exception in answer to arguments that the schema refuses",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"run_sql","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}},"required":["sql"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_sql","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Error: Missing arguments"}]}}}"#,
        },
        Example {
            about: "a log whose text begins like an error",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_log","arguments":{"name":"build"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Error: out of memory\nretried once, passed"}]}}}"#,
        },
        Example {
            about: "a file that holds an error body",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"fixtures/gone.json"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false,\"error\":\"not found\"}"}]}}}"#,
        },
        Example {
            about: "an error body about the file that was to be read",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_file","arguments":{"path":"fixtures/gone.json"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false,\"error\":\"fixtures/gone.json not found\"}"}]}}}"#,
        },
        Example {
            about: "a row with a flag",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_row","arguments":{"id":"3"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"name\":\"pump 3\",\"ok\":false}"}]}}}"#,
        },
        Example {
            about: "the column that a statement selects",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"sql":"select success from runs where id = 3"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false}"}]}}}"#,
        },
        Example {
            about: "a task that could not be made",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_task","arguments":{"title":""}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"success\":false,\"error\":\"The title may not be empty\"}"}]}}}"#,
        },
        Example {
            about: "a task with its state and the error that it ended with",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_task","arguments":{"task_id":"t9"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"task_id\":\"t9\",\"status\":\"failed\",\"error\":{\"code\":\"BAD_CSV\",\"message\":\"line 7 has 3 columns\"}}"}]}}}"#,
        },
        Example {
            about: "hits of a search for errors",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"rust error"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Error: cannot borrow\nException handling"}]}}}"#,
        },
        Example {
            about: "a deletion of what never was",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_boat","arguments":{"name":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"NOT_FOUND: no boat is called Tern; not found"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_boat","arguments":{"name":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Successfully deleted boat Tern"}]}}}"#,
        },
        Example {
            about: "the same, of a boat that was added in between",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_boat","arguments":{"name":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"NOT_FOUND: no boat is called Tern; not found"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"add_boat","arguments":{"name":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"added"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"delete_boat","arguments":{"name":"Tern"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Successfully deleted boat Tern"}]}}}"#,
        },
        Example {
            about: "a stored text that the client itself wrote",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set","arguments":{"key":"lie","value":"Key not found: lie"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"OK"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get","arguments":{"key":"lie"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Key not found: lie"}]}}}"#,
        },
    ],
};
