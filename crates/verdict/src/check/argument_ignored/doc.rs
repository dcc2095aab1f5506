//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "argument-ignored",
    what: "an argument that was dropped, or quietly taken for something else",
    why: "The agent asked for something and believes that it got it: the Dining rows, the key that expires, the open \
          issues. Whoever misspells an argument is told nothing, and misspells it again.",
    severity: "error where the schema refuses what the tool took without a word, or where the answer is the very same with \
               and without it (A, B, A), is no failure, and the argument asks for something; warning where one answer alone suggests it, where a text was read as the number \
               or JSON that was wanted, and for dates that no calendar has. Saying what was ignored, or which value was \
               taken, is enough.",
    examples: &[
        Example {
            about: "a misspelled argument, and the answer is the same as without",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"categroy":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}"#,
        },
        Example {
            about: "a misspelled argument that asks for nothing",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"},"limit":{"type":"integer","default":50}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"categroies":[]}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "a misspelled argument with what is the default anyway",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"},"limit":{"type":"integer","default":50}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limt":50}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "a misspelled argument, where the call finds nothing with it and without",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"},"limit":{"type":"integer","default":50}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"category":"Boats"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Category Boats not found"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"Boats","limt":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"Category Boats not found"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"category":"Boats"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"Category Boats not found"}]}}}"#,
        },
        Example {
            about: "a misspelled argument, and the answer says that it was ignored",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"categroy":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}],\"ignored\":[\"categroy\"]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}"#,
        },
        Example {
            about: "an argument that is not declared, and works",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"state":"open"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":2,\"category\":\"Travel\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"category\":\"Dining\"},{\"id\":2,\"category\":\"Travel\"}]}"}]}}}"#,
        },
        Example {
            about: "the key will never expire",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set","inputSchema":{"type":"object","properties":{"key":{"type":"string"},"expireSeconds":{"type":"number"}},"required":["key"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set","arguments":{"key":"b","ttl":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully set key: b"}]}}}"#,
        },
        Example {
            about: "any argument is welcome",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set","inputSchema":{"type":"object","properties":{"key":{"type":"string"}},"required":["key"],"additionalProperties":true}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set","arguments":{"key":"b","ttl":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully set key: b"}]}}}"#,
        },
        Example {
            about: "the schema allows no others, and one was taken",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set","inputSchema":{"type":"object","properties":{"key":{"type":"string"}},"required":["key"],"additionalProperties":false}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set","arguments":{"key":"b","ttl":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Successfully set key: b"}]}}}"#,
        },
        Example {
            about: "a state that does not exist runs the default",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/issues"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"state":{"enum":["open","closed"]}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"state":"merged"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"issues":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "a state that does not exist, and the answer says which one was taken",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"state":{"enum":["open","closed"]}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"state":"merged"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"issues":[{"id":1},{"id":2}],"state":"open"}}}}"#,
        },
        Example {
            about: "a volume of 300 percent",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","minimum":0,"maximum":100}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{"level":300}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Done."}]}}}"#,
        },
        Example {
            about: "a volume of 300 percent, lowered to 100",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","minimum":0,"maximum":100}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{"level":300}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"300 is over the maximum: the volume was set to 100."}]}}}"#,
        },
        Example {
            about: "a text for a number",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","minimum":0,"maximum":100}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{"level":"loud"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Done."}]}}}"#,
        },
        Example {
            about: "a text that is a number",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","minimum":0,"maximum":100}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{"level":"30"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Done."}]}}}"#,
        },
        Example {
            about: "a text that is a number, and the answer says which",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","minimum":0,"maximum":100}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{"level":"30"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"level":30}}}}"#,
        },
        Example {
            about: "without the level that is required",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","minimum":0,"maximum":100}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Done."}]}}}"#,
        },
        Example {
            about: "without the level that is required, which has a default",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"set_volume","inputSchema":{"type":"object","properties":{"level":{"type":"integer","default":50}},"required":["level"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"set_volume","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Done."}]}}}"#,
        },
        Example {
            about: "a city that cannot exist has the same shops",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_shops","arguments":{"place":"Bergen"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"city\":\"Bergen\"},{\"id\":2,\"city\":\"Oslo\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_shops","arguments":{"place":"zz-no-such-value-7f3a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"city\":\"Bergen\"},{\"id\":2,\"city\":\"Oslo\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list_shops","arguments":{"place":"Bergen"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"city\":\"Bergen\"},{\"id\":2,\"city\":\"Oslo\"}]}"}]}}}"#,
        },
        Example {
            about: "two cities with the same shops, which are in neither",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#/rows"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_shops","arguments":{"city":"Bergen"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"city\":\"Oslo\"}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list_shops","arguments":{"city":"Voss"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":1,\"city\":\"Oslo\"}]}"}]}}}"#,
        },
        Example {
            about: "two words that find the same pages",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"tide"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"pages\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"query":"tides"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"pages\":[{\"id\":1}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"tide"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"pages\":[{\"id\":1}]}"}]}}}"#,
        },
        Example {
            about: "a day that no calendar has",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"days_in_month","inputSchema":{"type":"object","properties":{"date":{"type":"string","description":"Format: YYYY-MM-DD"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"days_in_month","arguments":{"date":"2026-02-31"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The month has 31 days."}]}}}"#,
        },
        Example {
            about: "a leap day",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"days_in_month","inputSchema":{"type":"object","properties":{"date":{"type":"string","description":"Format: YYYY-MM-DD"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"days_in_month","arguments":{"date":"2028-02-29"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The month has 29 days."}]}}}"#,
        },
        Example {
            about: "a number for a name, of which the answer says that nothing is called so",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list_boats","inputSchema":{"type":"object","properties":{"pier":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_boats","arguments":{"pier":12345}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"boats\":[],\"matched\":0,\"note\":\"no pier is called 12345; see list_piers\"}"}]}}}"#,
        },
        Example {
            about: "what matched counts what the filter left out",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/matched"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"orders":[{"id":1},{"id":2},{"id":3},{"id":4}],"matched":100,"has_more":true}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"status":"open"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"orders":[{"id":3},{"id":4}],"matched":100,"has_more":false}}}}"#,
        },
        Example {
            about: "a total counts what the filter left out",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/total"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"orders":[{"id":1},{"id":2},{"id":3}],"total":100}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"status":"open"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"orders":[{"id":3}],"total":100}}}}"#,
        },
        Example {
            about: "what matched is what the filter left",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"orders":[{"id":1},{"id":2},{"id":3},{"id":4}],"matched":100,"has_more":true}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"status":"open"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"orders":[{"id":3},{"id":4}],"matched":2,"has_more":false}}}}"#,
        },
        Example {
            about: "all of them have what the filter asks for, and there is more",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"orders":[{"id":1},{"id":2}],"matched":100,"has_more":true}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"status":"open","limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"orders":[{"id":1},{"id":2}],"matched":100,"has_more":true}}}}"#,
        },
        Example {
            about: "an unknown id gets the record of another one",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"A-7"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"order_id":"A-7","status":"open"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"zz-no-such-value-7f3a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"order_id":"A-7","status":"open"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"A-7"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"order_id":"A-7","status":"open"}}}}"#,
        },
        Example {
            about: "each id gets its own record",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"A-7"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"order_id":"A-7","status":"open"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"A-8"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"order_id":"A-8","status":"open"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_order","arguments":{"order_id":"A-7"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"order_id":"A-7","status":"open"}}}}"#,
        },
        Example {
            about: "a choice of a closed set that has no effect, as the rows show",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string","enum":["Dining","Fuel"]}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}"#,
        },
        Example {
            about: "a declared filter that has no effect, beside rows that have its value",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}"#,
        },
        Example {
            about: "a declared filter that filters",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":2,"category":"Dining"}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Dining"},{"id":3,"category":"Fuel"}]}}}}"#,
        },
        Example {
            about: "every row has another value than the one that was asked for",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/rows"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"category":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"category":"Fuel"},{"id":2,"category":"Fuel"}]}}}}"#,
        },
        Example {
            about: "the same value, which the rows spell as a code",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"country":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"country":"Germany"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1,"country":"DEU"},{"id":2,"country":"DEU"}]}}}}"#,
        },
    ],
};
