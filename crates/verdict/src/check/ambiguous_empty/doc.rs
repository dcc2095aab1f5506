//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "ambiguous-empty",
    what: "an empty answer to a value that does not exist, the same as to one that has no items",
    why: "The agent asked for `dining` where the data says `Dining`, and reads: you never spent anything on food.",
    severity: "error where the value is in no enum of the schema, or where the items show that the filter compares for \
               equality and the value is known not to exist (it is not in the list of the tool that lists them, has \
               another case, or is a probe's own), and nothing beside the empty list says so; warning where only the \
               names suggest it, where the answer repeats the value and no more, and for a success with no content at all",
    examples: &[
        Example {
            about: "`dining` for `Dining`",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Dining\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[]}"}]}}}"#,
        },
        Example {
            about: "the same empty list with a note",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Dining\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[],\"note\":\"no category is named dining; names match exactly\"}"}]}}}"#,
        },
        Example {
            about: "a category that may exist and have no rows",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Dining\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"Rent"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[]}"}]}}}"#,
        },
        Example {
            about: "a category that is in no list of categories",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_categories","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"categories":["Dining","Rent"]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Dining"},{"id":2,"category":"Dining"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"category":"Food"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[]}}}}"#,
        },
        Example {
            about: "a value outside the schema's list of values",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"state":{"enum":["open","closed"]}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"state":"opne"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[]}}}}"#,
        },
        Example {
            about: "a project that cannot exist has no issues",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/issues"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_issues","arguments":{"project":"tides"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"issues":[{"id":1}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_issues","arguments":{"project":"zz-no-such-value-7f3a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"issues":[]}}}}"#,
        },
        Example {
            about: "a text that is searched for and matches nothing",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"tides"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"pages":[{"id":1}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"zz-no-such-value-7f3a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"pages":[]}}}}"#,
        },
        Example {
            about: "nothing for an id that nobody has, where one that somebody has gives a boat with it",
            expected: Expected::Finding(Severity::Error, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_boat","arguments":{"id":"b1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"id\":\"b1\",\"name\":\"Tern\"}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_boat","arguments":{"id":"zz-no-such-value-7f3a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}}"#,
        },
        Example {
            about: "a stored value that is nothing",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_boat","arguments":{"id":"b1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"id\":\"b1\",\"name\":\"Tern\"}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_boat","arguments":{"id":"b2"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"null"}]}}}"#,
        },
        Example {
            about: "a blank filter empties the list",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"day":"Mon"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"day":"Mon","pier":""}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[]}"}]}}}"#,
        },
        Example {
            about: "a flag that leaves items out, and says so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"moored":false}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[],\"filters\":{\"moored\":false}}"}]}}}"#,
        },
        Example {
            about: "nothing in a folder that is not there, as another tool said",
            expected: Expected::Finding(Severity::Warning, "/result"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_folder","arguments":{"path":"piers/old"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"NOT_FOUND: piers/old does not exist"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_files","arguments":{"path":"piers/old","query":"x"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Searched piers/old\nTotal results: 0"}]}}}"#,
        },
        Example {
            about: "nothing in a folder that was made in between",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_folder","arguments":{"path":"piers/old"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"NOT_FOUND: piers/old does not exist"}],"isError":true}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"make_folder","arguments":{"path":"piers/old"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"made"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_files","arguments":{"path":"piers/old","query":"x"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Searched piers/old\nTotal results: 0"}]}}}"#,
        },
        Example {
            about: "a regular expression that cannot be read matches nothing",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"search","inputSchema":{"type":"object","properties":{"pattern":{"type":"string","description":"A regular expression."}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"pattern":"boat("}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[]}"}]}}}"#,
        },
        Example {
            about: "one that can be read, and matches nothing",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"search","inputSchema":{"type":"object","properties":{"pattern":{"type":"string","description":"A regular expression."}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"pattern":"boat(s)?"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[]}"}]}}}"#,
        },
        Example {
            about: "a success with no content",
            expected: Expected::Finding(Severity::Warning, "/result/content"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[]}}}"#,
        },
    ],
};
