//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "cursor-fault",
    what: "pages that do not add up to the list: a cursor that leads nowhere, back, or past some items",
    why: "Who reads a list page by page believes that the pages together are the list. An item on none of them \
          does not exist for the agent, one on two of them is counted twice, and a list without an end eats \
          the budget.",
    severity: "error: two pages, a page and a total, or two readings of one list contradict each other; warning for \
          a cursor that is an empty text, and where two readings of rows differ, since rows come and go. What \
          was announced, or came after a call that may have changed the list, is silent. An empty \
          page with the cursor that it was asked for with is a poll, unless it says that there is more. Where the client is \
          under test, a page that it never asked for is its fault.",
    examples: &[
        Example {
            about: "three pages to the end, as many items as were said to be",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"total":5,"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":3},{"id":4}],"total":5,"next_cursor":"b"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"b"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":5}],"total":5}}}}"#,
        },
        Example {
            about: "the second page names its own cursor",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/next_cursor"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":3},{"id":4}],"next_cursor":"a"}}}}"#,
        },
        Example {
            about: "polls for what is new: nothing, then an item that has changed again",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sync","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"changes":[{"id":1,"name":"a"}],"next_cursor":"s1"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"sync","arguments":{"cursor":"s1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"changes":[],"next_cursor":"s1"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"sync","arguments":{"cursor":"s1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"changes":[{"id":1,"name":"b"}],"next_cursor":"s2"}}}}"#,
        },
        Example {
            about: "an empty page that names its own cursor and says that there is more",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/next_cursor"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"has_more":true,"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[],"has_more":true,"next_cursor":"a"}}}}"#,
        },
        Example {
            about: "the end, with the cursor from which a later poll goes on",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"has_more":true,"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":3}],"has_more":false,"next_cursor":"a"}}}}"#,
        },
        Example {
            about: "whatever the cursor, it is the first page",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"b"}}}}"#,
        },
        Example {
            about: "each page begins with the last item of the one before",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":2},{"id":3}],"next_cursor":"b"}}}}"#,
        },
        Example {
            about: "rows without ids, each page from the last row of the one before",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[["a","tea"],["b","tea"]],"next_cursor":"p"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"p"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[["b","tea"],["c","tea"]],"next_cursor":"q"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"q"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[["c","tea"],["d","tea"]]}}}}"#,
        },
        Example {
            about: "rows without ids, of which two are alike",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[["a","tea"],["b","tea"]],"next_cursor":"p"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"p"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[["b","tea"],["c","tea"]],"next_cursor":"q"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"q"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[["d","tea"],["e","tea"]]}}}}"#,
        },
        Example {
            about: "an item was added at the front in between",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create","arguments":{"id":0}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"id":0}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":2},{"id":3}],"next_cursor":"b"}}}}"#,
        },
        Example {
            about: "the pages hold four of five items",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"total":5,"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":4},{"id":5}],"total":5}}}}"#,
        },
        Example {
            about: "a longer page holds an item that no page has",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":9}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3},{"id":4}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a","limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":4}]}}}}"#,
        },
        Example {
            about: "one empty page on the way to the rest",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[],"next_cursor":"b"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"b"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":3}]}}}}"#,
        },
        Example {
            about: "empty pages without an end",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/next_cursor"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[],"next_cursor":"b"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"b"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[],"next_cursor":"c"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"c"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"rows":[],"next_cursor":"d"}}}}"#,
        },
        Example {
            about: "its own cursor is refused",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"invalid cursor"}],"isError":true}}}"#,
        },
        Example {
            about: "a cursor that the caller made up is refused",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"next_cursor":"a"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"zz"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"invalid cursor"}],"isError":true}}}"#,
        },
        Example {
            about: "tools in two pages, one of them on both",
            expected: Expected::Finding(Severity::Error, "/result/tools"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}},{"name":"b","inputSchema":{"type":"object"}}],"nextCursor":"p"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"c","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "the second time a tool is missing",
            expected: Expected::Finding(Severity::Error, "/result/tools"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"p"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"c","inputSchema":{"type":"object"}}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"p"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"p"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "the second time a tool is missing, as was announced",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"p"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"p"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"c","inputSchema":{"type":"object"}}]}}}
{"from":"server","msg":{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"p"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"p"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "an empty text for a cursor, which nobody sends back",
            expected: Expected::Finding(Severity::Warning, "/result/nextCursor"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":""}}}"#,
        },
        Example {
            about: "an empty text for a cursor, which was sent back",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":""}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":""}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}]}}}"#,
        },
        Example {
            about: "a client under test that never asks for the second page",
            expected: Expected::Finding(Severity::Error, "/result/nextCursor"),
            input: r#"{"frankly":"recording","version":1,"role":"client"}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/list"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"p"}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Tool b is unavailable"}}}"#,
        },
    ],
};
