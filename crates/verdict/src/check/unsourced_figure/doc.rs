//! What the check says about itself, with recordings of faults and of their healthy twins.

use crate::{Doc, Example, Expected, Severity};

pub(super) static DOC: Doc = Doc {
    name: "unsourced-figure",
    what: "a number in an agent's answer that no tool result and no prompt holds, and that follows from none of them",
    why: "A made-up figure reads like one that was looked up. Nobody recalculates an answer that looks right.",
    severity: "warning: a figure may follow from others in more ways than are tried (sums, differences, products, \
          ratios, columns, counts, other units). Only in recordings of what went between an agent and its model.",
    examples: &[
        Example {
            about: "a sum that nothing adds up to",
            expected: Expected::Finding(Severity::Warning, "/final"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spending","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"amount\":20.5},{\"amount\":30.25}]}"}]}}}
{"from":"server","channel":"model","msg":{"final":"You spent $847.00 on dining."}}"#,
        },
        Example {
            about: "the sum of the rows",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spending","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"amount\":20.5},{\"amount\":30.25}]}"}]}}}
{"from":"server","channel":"model","msg":{"final":"You spent $50.75 on dining, in 2 payments."}}"#,
        },
        Example {
            about: "a figure of the question",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"server","channel":"model","msg":{"role":"user","content":"Did I spend more than $847 on dining?"}}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"spending","arguments":{"category":"Dining"}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"rows\":[{\"amount\":20.5},{\"amount\":30.25}]}"}]}}}
{"from":"server","channel":"model","msg":{"role":"assistant","content":"No, less than $847: it was $50.75."}}"#,
        },
        Example {
            about: "a distance in another unit",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_run","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"km":42.195}}}}
{"from":"server","channel":"model","msg":{"final":"That is 26.2 miles."}}"#,
        },
        Example {
            about: "a distance that is not that one",
            expected: Expected::Finding(Severity::Warning, "/final"),
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_run","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"km":42.195}}}}
{"from":"server","channel":"model","msg":{"final":"That is 31.7 miles."}}"#,
        },
        Example {
            about: "seconds as hours and minutes, and a month as a year",
            expected: Expected::Silence,
            input: r#"{"frankly":"recording","version":1}
{"from":"client","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_run","arguments":{}}}}
{"from":"server","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"seconds":5400,"monthly":50}}}}
{"from":"server","channel":"model","msg":{"final":"It takes 1 hour 30 minutes and costs $600 a year."}}"#,
        },
    ],
};
