//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "silent-truncation",
    what: "a part of a list that does not say that it is a part",
    why: "The agent cannot see what was left out. It counts, adds up or searches what it got, and answers as if that \
          were everything: the sum of 50 rows of 262 was reported as what was spent.",
    severity: "error where a longer page, or the payload's own words, prove that items are missing; warning where the \
               caller itself asked for so few and the answer claims nothing, where only a stated total gives it away, \
               or where the length looks like a cap. The members `matched`, `truncated` and `hint` are this \
               project's convention; the protocol prescribes none.",
    examples: &[
        Example {
            about: "no next page, and more in all than came back",
            expected: Expected::Finding(
                Severity::Error,
                "/result/structuredContent/boats/pageInfo/hasNextPage",
            ),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":{"totalCount":9,"edges":[{"node":{"id":1}},{"node":{"id":2}}],"pageInfo":{"hasNextPage":false}}}}}}"#,
        },
        Example {
            about: "the last page of some, read from its end",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/boats/totalCount"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"boats":{"totalCount":9,"edges":[{"node":{"id":1}},{"node":{"id":2}}],"pageInfo":{"hasNextPage":false,"hasPreviousPage":true}}}}}}"#,
        },
        Example {
            about: "a text that speaks of more than it lists",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Found 57 boats:\n1. Tern\n2. Gull\n3. Erne"}]}}}"#,
        },
        Example {
            about: "a text that lists what it speaks of",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"Found 3 boats:\n1. Tern\n2. Gull\n3. Erne"}]}}}"#,
        },
        Example {
            about: "two rows and `count: 2`, where a longer page has three",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/count"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"count\":2,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"of":"a","limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"count\":3,\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"count\":2,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "the same page, saying that it is one",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"returned\":2,\"matched\":9,\"truncated\":true,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"of":"a","limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"{\"returned\":3,\"matched\":9,\"truncated\":true,\"rows\":[{\"id\":1},{\"id\":2},{\"id\":3}]}"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"of":"a"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"{\"returned\":2,\"matched\":9,\"truncated\":true,\"rows\":[{\"id\":1},{\"id\":2}]}"}]}}}"#,
        },
        Example {
            about: "a row came in between: the first answer, asked again, is another",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2},{\"id\":3}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2},{\"id\":3}]"}]}}}"#,
        },
        Example {
            about: "the cut is only told below a `completed`",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text#/status"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sql","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"status\":\"completed\",\"data\":{\"rows\":[[1],[2]],\"rows_truncated\":3}}"}]}}}"#,
        },
        Example {
            about: "the cut is told at the top as well",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sql","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"status\":\"completed\",\"message\":\"Partial: 2 of 5 rows\",\"data\":{\"rows\":[[1],[2]],\"rows_truncated\":3}}"}]}}}"#,
        },
        Example {
            about: "a total that only who subtracts notices",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/total"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"total":7}}}}"#,
        },
        Example {
            about: "a total that equals the items, and another that counts something else",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"total":2,"total_cost":7}}}}"#,
        },
        Example {
            about: "`has_more: false`, although a longer page has more",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/has_more"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"has_more":false}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2},{"id":3}],"has_more":false}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"has_more":false}}}}"#,
        },
        Example {
            about: "`has_more: true`",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"has_more":true}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2},{"id":3}],"has_more":true}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"has_more":true}}}}"#,
        },
        Example {
            about: "as many as were asked for, without a word about the rest",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text#"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\": 1}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[{\"id\": 1}, {\"id\": 2}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"[{\"id\": 1}]"}]}}}"#,
        },
        Example {
            about: "none, when none were asked for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":0}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[{\"id\": 1}, {\"id\": 2}]"}]}}}"#,
        },
        Example {
            about: "a text that goes on for longer",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"- ash\n- oak"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"- ash\n- oak\n- yew"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"- ash\n- oak"}]}}}"#,
        },
        Example {
            about: "a text that says that it is all, and grows by what it says besides",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"2 results, 2 total\nBoat 1\nBoat 2"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"limit":9}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"2 results, 2 total\nBoat 1\nBoat 2\nsee also: piers\nsee also: ferries"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2 results, 2 total\nBoat 1\nBoat 2"}]}}}"#,
        },
        Example {
            about: "a text that says how much of how much it is",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"2 of 9 trees:\n- ash\n- oak"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"3 of 9 trees:\n- ash\n- oak\n- yew"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"2 of 9 trees:\n- ash\n- oak"}]}}}"#,
        },
        Example {
            about: "something beside the list that is not understood leaves a doubt",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/items"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"nota":"Hay más en la página dos"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2},{"id":3}],"nota":"Hay más en la página dos"}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"nota":"Hay más en la página dos"}}}}"#,
        },
        Example {
            about: "a list as long as the default of its limit, and nothing about more",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/items"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","default":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "the same list, where another answer counts as many",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","default":2}}}},{"name":"query","inputSchema":{"type":"object","properties":{"sql":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"id\":1},{\"id\":2}]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"query","arguments":{"sql":"select count(*) from boats"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"[{\"count(*)\":2}]"}]}}}"#,
        },
        Example {
            about: "the same list, of which a text says that its items are all that there are",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","default":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"2 results, 2 total\nsorted by id"}],"structuredContent":{"items":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "the same list, saying that it is whole",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","default":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"truncated":false}}}}"#,
        },
        Example {
            about: "no item where none was asked for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":0}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[],"count":0}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":9}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"items":[{"id":1}],"count":1}}}}"#,
        },
        Example {
            about: "one page is proven a part; that another is as long as the default adds nothing",
            expected: Expected::Finding(Severity::Error, "/result/structuredContent/count"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"list","inputSchema":{"type":"object","properties":{"kind":{"type":"string"},"limit":{"type":"integer","default":2}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"kind":"tree"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"count":2}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"count":2}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2},{"id":3}],"count":3}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"list","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":4,"result":{"content":[],"structuredContent":{"items":[{"id":1},{"id":2}],"count":2}}}}"#,
        },
        Example {
            about: "the last page, asked for by its cursor",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"cursor":"after-6"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"id\":7}],\"matched\":7,\"next_cursor\":null}"}]}}}"#,
        },
        Example {
            about: "the two nearest, and the three nearest",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"stations","description":"The k nearest stations.","inputSchema":{"type":"object","properties":{"k":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stations","arguments":{"k":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"stations":[{"id":1},{"id":2}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stations","arguments":{"k":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"stations":[{"id":1},{"id":2},{"id":3}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"stations","arguments":{"k":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"stations":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "so many for each file",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"search_code","description":"Searches.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer","description":"Matches per file"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_code","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"matches":[{"id":1},{"id":2}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search_code","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"matches":[{"id":1},{"id":2},{"id":3}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search_code","arguments":{"limit":1}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"matches":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "the first two of three, and the first three",
            expected: Expected::Finding(Severity::Warning, "/result/structuredContent/stations"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"stations","description":"Lists stations.","inputSchema":{"type":"object","properties":{"limit":{"type":"integer"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"stations","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"stations":[{"id":1},{"id":2}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"stations","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"stations":[{"id":1},{"id":2},{"id":3}]}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"stations","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"content":[],"structuredContent":{"stations":[{"id":1},{"id":2}]}}}}"#,
        },
        Example {
            about: "two shown of nine",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":2}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"showing":2,"of":9}}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"list","arguments":{"limit":3}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2},{"id":3}],"showing":3,"of":9}}}}"#,
        },
        Example {
            about: "a total beside the place of the page, as it was asked for",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list","arguments":{"limit":2,"offset":0}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"rows":[{"id":1},{"id":2}],"total":9,"limit":2,"offset":0}}}}"#,
        },
    ],
};
