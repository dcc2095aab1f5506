//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "dead-end-error",
    what: "an error with nothing to go on from: no cause, no argument, the wrong cause, the same words for everything",
    why: "The agent can only repeat the call or guess. It sends the same again, changes what was right, and gives up or \
          makes up an answer.",
    severity: "error where by the schema two different mistakes got the same words, or an argument of the wrong type is \
               called missing; warning where that is told without a schema or of a value that may be right, and where \
               the words tell no cause",
    examples: &[
        Example {
            about: "two mistakes, the same words",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"book","inputSchema":{"type":"object","properties":{"seat":{"type":"string"},"day":{"type":"string"}},"required":["seat","day"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"seat":"12A"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"Input validation failed"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"seat":12,"day":"2026-01-31"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":"Input validation failed"}]}}}"#,
        },
        Example {
            about: "a blank filter fails without a word of it",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"boats"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[1]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"q":"boats","pier":""}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"phase_execution_exception"}],"isError":true}}}"#,
        },
        Example {
            about: "a blank filter that is refused by its name",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"boats"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[1]"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"search","arguments":{"q":"boats","pier":""}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"pier must not be blank; leave it out for all piers"}],"isError":true}}}"#,
        },
        Example {
            about: "a text that is said to be none",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"show","inputSchema":{"type":"object","properties":{"data":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show","arguments":{"data":"{\"m\":1}"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"data: Input should be a valid string [got dict]"}],"isError":true}}}"#,
        },
        Example {
            about: "a text that is not of the kind that is wanted",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"show","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"show","arguments":{"path":"a\u0000"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"The argument 'path' must be a string or URL without null bytes"}],"isError":true}}}"#,
        },
        Example {
            about: "whatever is missing, nothing was found",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"book","inputSchema":{"type":"object","properties":{"seat":{"type":"string"},"day":{"type":"string"}},"required":["seat","day"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"seat":"12A","day":"2026-01-31"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"booked"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"seat":"12A"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":"not found"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"book","arguments":{"day":"2026-01-31"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":3,"result":{"isError":true,"content":[{"type":"text","text":"not found"}]}}}"#,
        },
        Example {
            about: "two mistakes, each with its own words",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"book","inputSchema":{"type":"object","properties":{"seat":{"type":"string"},"day":{"type":"string"}},"required":["seat","day"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"seat":"12A"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"`day` is missing: give it as YYYY-MM-DD"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"seat":12,"day":"2026-01-31"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":"`seat` must be a string, and 12 was sent"}]}}}"#,
        },
        Example {
            about: "whatever is asked, the key is wrong: that is one mistake",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"book","inputSchema":{"type":"object","properties":{"seat":{"type":"string"},"day":{"type":"string"}},"required":["seat","day"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"seat":"12A"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"Invalid API key: set BOOKING_KEY"}]}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"book","arguments":{"seat":12,"day":"2026-01-31"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"result":{"isError":true,"content":[{"type":"text","text":"Invalid API key: set BOOKING_KEY"}]}}}"#,
        },
        Example {
            about: "requests that are no calls, refused in the words of the protocol",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export","arguments":"A1"}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid request parameters","data":""}}}
{"from":"client","msg":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":"export"}}
{"from":"server","msg":{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Invalid request parameters","data":""}}}"#,
        },
        Example {
            about: "the same words for a call that is one",
            expected: Expected::Finding(Severity::Warning, "/error/message"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export","arguments":{"view":"A1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Invalid request parameters","data":""}}}"#,
        },
        Example {
            about: "a value that was sent, as text, is called missing",
            expected: Expected::Finding(Severity::Error, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"sleep","inputSchema":{"type":"object","properties":{"ms":{"type":"number"}},"required":["ms"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sleep","arguments":{"ms":"2000"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"ms is required and must be positive"}]}}}"#,
        },
        Example {
            about: "the wrapper of an exception",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export","arguments":{"view":"A1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"One or more errors occurred."}]}}}"#,
        },
        Example {
            about: "short and specific",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"export","arguments":{"view":"A1"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"View A1 is a template"}]}}}"#,
        },
        Example {
            about: "the program's own fault",
            expected: Expected::Finding(Severity::Warning, "/error/message"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Cannot read properties of undefined (reading 'map')"}}}"#,
        },
        Example {
            about: "one of several arguments is wrong, and the error does not say which",
            expected: Expected::Finding(Severity::Warning, "/result/content/0/text"),
            input: r#"{"frankly":"recording","version":1,"tools":[{"name":"book","inputSchema":{"type":"object","properties":{"seat":{"type":"string"},"day":{"type":"string"}},"required":["seat","day"]}}]}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"book","arguments":{"seat":"12A"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"isError":true,"content":[{"type":"text","text":"a required value is absent from the input"}]}}}"#,
        },
    ],
};
