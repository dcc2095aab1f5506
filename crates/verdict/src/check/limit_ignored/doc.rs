//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "limit-ignored",
    what: "a limit without effect, or one that was quietly replaced by another",
    why: "The agent asked for so many and takes what comes for that: the first three of a ranking, the one row that it \
          wanted to see, a price it is ready to pay in tokens.",
    severity: "error where two limits got the same items, more than the smaller one allows, or where a limit below the \
               stated minimum was answered with items; warning where one answer alone holds more than was asked for, \
               where the schema states no minimum, and where a limit over the maximum got just the maximum. Saying \
               which limit was applied is enough.",
    examples: &[
        Example {
            about: "one or two, it is always three",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"How many rows at most."}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "the same, where nothing describes the argument",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}"#,
        },
        Example {
            about: "one and two, as asked for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}],\"matched\":3,\"truncated\":true}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}],\"matched\":3,\"truncated\":true}"}]}}}"#,
        },
        Example {
            about: "three, when one was asked for",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3}]}}}}"#,
        },
        Example {
            about: "one as asked for, beside a longer list of something else",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1}],"facets":[{"of":"a"},{"of":"b"},{"of":"c"}],"truncated":true}}}}"#,
        },
        Example {
            about: "as asked for both times, beside a longer list of something else",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1}],"facets":[{"of":"a"},{"of":"b"},{"of":"c"}],"truncated":true}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"facets":[{"of":"a"},{"of":"b"},{"of":"c"}],"truncated":true}}}}"#,
        },
        Example {
            about: "a limit of 0 became one of 1",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","minimum":1}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":0}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1}],"count":1}}}}"#,
        },
        Example {
            about: "a limit of 0 became one of 1, and the answer says so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","minimum":1}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":0}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1}],"limit":1,"truncated":true}}}}"#,
        },
        Example {
            about: "a limit over the maximum got the maximum",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","maximum":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "-1 means all, by the schema's own words",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"How many rows; -1 for all"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":-1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "a limit over the maximum, lowered as a note says",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","description":"Lists rows.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"notes":["limit 3 was lowered to 2"]}}}}"#,
        },
        Example {
            about: "the same, and the note is about something else",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","description":"Lists rows.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"notes":["prices are in euro"]}}}}"#,
        },
    ],
};
