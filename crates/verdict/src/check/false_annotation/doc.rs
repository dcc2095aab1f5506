//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "false-annotation",
    what: "a tool that is annotated as read-only, and with whose every call the state changes",
    why: "Clients call what is read-only without asking anybody, again where it failed, and several at once.",
    severity: "error: the annotation and what was read before and after the call, at least twice, contradict each \
          other; warning where another tool that changes things seems to be called through it",
    examples: &[
        Example {
            about: "another tool that deletes is called through it",
            expected: Expected::Finding(Severity::Warning, "/annotations/readOnlyHint"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"call_with_query","description":"Calls another tool.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},{"name":"delete_box","description":"Deletes a box.","annotations":{"destructiveHint":true},"inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_with_query","arguments":{"tool":"delete_box","args":{"id":"b1"}}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"deleted\":\"b1\"}"}]}}}"#,
        },
        Example {
            about: "it tells of such a tool, and refuses to call it",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"call_with_query","description":"Calls another tool.","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},{"name":"delete_box","description":"Deletes a box.","annotations":{"destructiveHint":true},"inputSchema":{"type":"object"}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call_with_query","arguments":{"tool":"delete_box"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Deletes a box."}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"call_with_query","arguments":{"tool":"delete_box","args":{"id":"b1"}}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":"FORBIDDEN: delete_box is destructive. Next: ask for its approval, and call it itself."}]}}}"#,
        },
        Example {
            about: "each time a note is read, there is one more",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_notes","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}},{"name":"get_note","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "two tools show the state, and one of them sees the change",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_notes","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}},{"name":"get_note","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}},{"name":"list_tags","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":9}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":9}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":9}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":9}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":9,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":10,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":11,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":9}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":12,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":13,"method":"tools/call","params":{"name":"list_tags","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":13,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":9}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":14,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":14,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "nothing changes",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_notes","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}},{"name":"get_note","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}"#,
        },
        Example {
            about: "something changed once, as things do",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_notes","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}},{"name":"get_note","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "a tool that says that it writes",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_notes","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","properties":{}}},{"name":"get_note","annotations":{"readOnlyHint":false},"inputSchema":{"type":"object","properties":{"id":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":5,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_note","arguments":{"id":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"a note"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"list_notes","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}"#,
        },
    ],
};
