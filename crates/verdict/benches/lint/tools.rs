//! Definitions as large servers have them: families of siblings around one thing each, with sentences, choices, nested
//! objects, lists and annotations. The same for the same number. What may not enter: chance.

use serde_json::{Map, Value, json};

const AREAS: &[&str] = &[
    "billing", "catalog", "chat", "crm", "deploy", "docs", "fleet", "garden", "hr", "inventory", "legal",
    "lab", "mail", "maps", "media", "monitor", "payroll", "quality", "school", "shop", "support", "travel",
    "wiki", "work",
];
const QUALIFIERS: &[&str] = &[
    "annual", "archived", "backup", "blocked", "branch", "bulk", "campaign", "carrier", "customer", "daily",
    "default", "draft", "external", "field", "guest", "hidden", "home", "incident", "internal", "linked",
    "local", "merged", "nested", "open", "partner", "pinned", "public", "quarter", "regional", "remote",
    "review", "shared", "signed", "source", "staff", "student", "supplier", "team", "tenant", "vendor",
];
const NOUNS: &[&str] = &[
    "account", "address", "agreement", "alert", "article", "asset", "badge", "booking", "brief", "budget",
    "carton", "channel", "claim", "comment", "contact", "contract", "course", "dataset", "delivery",
    "device", "dispute", "document", "event", "expense", "flight", "folder", "form", "grade", "guide",
    "invoice", "issue", "journal", "lease", "lesson", "letter", "meeting", "message", "milestone", "note",
    "offer", "order", "package", "parcel", "patient", "payment", "photo", "policy", "product", "project",
    "quote", "receipt", "recipe", "refund", "report", "route", "sample", "sensor", "shipment", "survey",
    "ticket",
];
/// A verb, how the description begins, and how the result is told.
const VERBS: &[(&str, &str, &str)] = &[
    ("get", "Gets", "Returns the whole record, with the people who may change it."),
    ("list", "Lists", "Returns the newest first, with a cursor where there are more."),
    ("search", "Searches", "Matches words in titles and texts; case does not matter."),
    ("create", "Creates", "Returns the new identifier and when it takes effect."),
    ("update", "Updates", "Leaves alone what is not given, and returns the record as it is now."),
    ("delete", "Deletes", "What is deleted cannot be brought back after thirty days."),
    ("export", "Exports", "The file is written to the workspace, as text or as a table."),
];
const SENTENCES: &[&str] = &[
    "Use this when the question is about one period and not about a trend.",
    "Amounts are in the currency of the account, without taxes.",
    "Permissions of the signed-in user apply, so others may see more.",
    "Changes show up after a minute at most, e.g. in the weekly summary.",
    "Dates are days in the time zone of the office, such as 2026-01-31.",
    "Does not include what somebody has put away, unless that is asked for.",
    "The answer is short enough to be read at once; longer texts are cut and say so.",
    "Fields that nobody has filled in are left out of the answer.",
    "Works on the copy that was loaded last night; call it again tomorrow for today's numbers.",
];

/// A JSON array of so many definitions, about 1.5 KB each.
pub fn definitions(count: usize) -> Vec<u8> {
    let tools: Vec<Value> = (0..count).map(definition).collect();
    serde_json::to_vec(&tools).expect("values can be written")
}

fn definition(number: usize) -> Value {
    let (family, member) = (number / VERBS.len(), number % VERBS.len());
    let thing = Thing::of(family);
    let (verb, begins, returns) = VERBS[member];
    let other = VERBS[(member + 1) % VERBS.len()].0;
    let description = format!(
        "{begins} {} in {}. {returns} {} {} To {other} instead, use {}.",
        thing.said(verb),
        thing.area,
        thing.pick(SENTENCES, member),
        thing.pick(SENTENCES, member + 3),
        thing.name(other)
    );
    let mut tool = json!({"name": thing.name(verb), "description": description, "inputSchema": thing.schema(verb, member)});
    if !family.is_multiple_of(3) {
        tool["annotations"] = json!({"readOnlyHint": matches!(verb, "get" | "list" | "search"), "destructiveHint": verb == "delete"});
    }
    if family.is_multiple_of(4) {
        let text = json!({"type": "string"});
        let rows = json!({"type": "array", "items": {"type": "object", "properties": {"id": text, "title": text, "updated_at": text}}});
        tool["outputSchema"] =
            json!({"type": "object", "properties": {"rows": rows, "total": {"type": "integer"}}});
    }
    tool
}

/// What a family of tools is about.
struct Thing {
    family: usize,
    area: &'static str,
    qualifier: &'static str,
    noun: &'static str,
}

impl Thing {
    fn of(family: usize) -> Self {
        let (noun, rest) = (family % NOUNS.len(), family / NOUNS.len());
        let (qualifier, area) = (rest % QUALIFIERS.len(), rest / QUALIFIERS.len() % AREAS.len());
        // Neighbours share neither noun nor area.
        let area = (area + noun * 5) % AREAS.len();
        Self { family, area: AREAS[area], qualifier: QUALIFIERS[qualifier], noun: NOUNS[noun] }
    }

    fn name(&self, verb: &str) -> String {
        let plural = if matches!(verb, "list" | "search" | "export") { "s" } else { "" };
        format!("{}_{verb}_{}_{}{plural}", self.area, self.qualifier, self.noun)
    }

    fn said(&self, verb: &str) -> String {
        match verb {
            "list" | "search" | "export" => format!("the {} {}s", self.qualifier, self.noun),
            _ => format!("one {} {}", self.qualifier, self.noun),
        }
    }

    /// One of these, another for each family and for each place.
    fn pick(&self, from: &[&'static str], place: usize) -> &'static str {
        from[(self.family.wrapping_mul(2_654_435_761) / 64 + place * 7) % from.len()]
    }

    fn schema(&self, verb: &str, member: usize) -> Value {
        let noun = self.noun;
        let mut properties = Map::new();
        let mut add = |name: String, schema: Value| properties.insert(name, schema);
        let id = format!("{noun}_id");
        let one = json!({"type": "string", "description": format!("Identifier of the {noun}, as list returns it.")});
        match verb {
            "get" | "update" | "delete" => add(id.clone(), one),
            "search" => add(
                "query".into(),
                json!({"type": "string", "description": format!("Words that the {noun} must have.")}),
            ),
            _ => add(
                format!("{}_id", self.area),
                json!({"type": "string", "description": "Where to look, e.g. \"main-1\"."}),
            ),
        };
        if matches!(verb, "list" | "search" | "export") {
            let most = 50 + 50 * (self.family % 5);
            add(
                "limit".into(),
                json!({"type": "integer", "minimum": 1, "maximum": most, "default": 20, "description": format!("How many {noun}s, at most {most} (default 20).")}),
            );
            add(
                "cursor".into(),
                json!({"type": ["string", "null"], "description": "Where the last answer ended."}),
            );
            add("filter".into(), self.filter());
        }
        if matches!(verb, "create" | "update") {
            add(
                "title".into(),
                json!({"type": "string", "maxLength": 200, "description": format!("Title of the {noun}, one line.")}),
            );
            add(
                "labels".into(),
                json!({"type": "array", "items": {"type": "string"}, "description": "Labels, replacing those that are there."}),
            );
            add("details".into(), json!({"$ref": "#/$defs/Details"}));
        }
        add(
            "format".into(),
            json!({"type": "string", "enum": ["text", "json", "table"], "default": "text", "description": "How the answer is written."}),
        );
        if (self.family + member).is_multiple_of(5) {
            add(
                "root_path".into(),
                json!({"type": "string", "description": self.pick(SENTENCES, member + 1)}),
            );
        }
        let required = if matches!(verb, "get" | "update" | "delete") { json!([id]) } else { json!([]) };
        let mut schema = json!({"type": "object", "properties": properties, "required": required});
        if matches!(verb, "create" | "update") {
            schema["$defs"] = json!({"Details": self.details()});
        }
        schema
    }

    fn filter(&self) -> Value {
        json!({"type": "object", "additionalProperties": false, "description": "Which ones; all of it must fit.", "properties": {
            "status": {"type": "string", "enum": ["new", self.qualifier, "done"], "description": "How far they have come."},
            "created_after": {"type": "string", "format": "date", "description": "First day, such as 2026-01-31."},
            "created_before": {"type": "string", "description": "Last day."},
            "amount": {"type": "object", "properties": {"minimum": {"type": "number"}, "maximum": {"type": "number"}}},
        }})
    }

    fn details(&self) -> Value {
        json!({"type": "object", "description": format!("What else is known of the {}.", self.noun), "properties": {
            "owner": {"type": "string", "description": "Name of the person who answers for it."},
            "due_date": {"type": "string", "description": "When it has to be done."},
            "priority": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 5}, {"type": "null"}], "default": null, "description": "1 comes first."},
            "notes": {"type": "array", "maxItems": 20, "items": {"type": "object", "properties": {"text": {"type": "string"}, "by": {"type": "string"}}}},
        }})
    }
}
