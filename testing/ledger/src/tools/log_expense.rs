//! `log_expense`: stores one expense, and says what was stored.

use std::sync::Arc;

use frankly_contract::{Answer, Code, Tool, ToolDef, ToolError, nearest, shown};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer;
use super::definition;
use crate::Fault;
use crate::ledger::Given;
use crate::store::{Expense, Logged, Outcome, Transaction};

pub(super) use lies::LIES;

mod lies;

pub(super) const NAME: &str = "log_expense";
const MIN_AMOUNT: f64 = 0.01;
const MAX_AMOUNT: u32 = 100_000;
/// The longest name of a category, and of a merchant, in characters.
pub(super) const MAX_NAME: usize = 60;
/// The longest idempotency key, in characters.
const MAX_KEY: usize = 100;
/// The ledger has no clock, so an expense without a date gets the last day of the year that it starts with.
const DEFAULT_DATE: &str = "2025-12-31";
const NO_MERCHANT: &str = "unknown";
/// A text with neither line breaks nor space at its ends.
const TRIMMED: &str = r"^\S(.*\S)?$";

#[derive(Debug, Default, Deserialize)]
struct Arguments {
    amount: Option<f64>,
    category: Option<String>,
    merchant: Option<String>,
    date: Option<String>,
    idempotency_key: Option<String>,
}

pub(crate) fn tool(given: &Arc<Given>) -> Tool {
    let definition = definition(given.faults.contains(Fault::OptionalEverything));
    definition::by_hand(definition, given, answer).additive().idempotent(false).open_world(false)
}

/// The definition; with the fault it does not say what the tool cannot do without.
fn definition(optional_everything: bool) -> ToolDef {
    definition::write(
        NAME,
        "Stores one new expense as a transaction and returns it as it was stored. A category that does not exist is \
         created, so get the exact name from list_categories first. A call without an \
         idempotency_key always stores one more row; with a key that was used before, the same expense stores nothing \
         and returns the first row, and another expense is refused. To take in a whole file use \
         import_csv; to look at what is stored use query_transactions. Example: {\"amount\": 12.5, \"category\": \
         \"Dining\", \"merchant\": \"Tea Room\", \"date\": \"2025-12-30\"}.",
        properties(),
        if optional_everything { &[] } else { &["amount", "category"] },
    )
}

fn properties() -> Value {
    json!({
        "amount": {
            "type": "number", "minimum": MIN_AMOUNT, "maximum": MAX_AMOUNT,
            "description": format!(
                "What was spent, in dollars, e.g. 12.5; minimum {MIN_AMOUNT}, maximum {MAX_AMOUNT}. More than two \
                 decimals are rounded to cents, and the answer says so."
            ),
            "examples": [12.5]
        },
        "category": {
            "type": "string", "minLength": 1, "maxLength": MAX_NAME, "pattern": TRIMMED,
            "description": format!(
                "Exact category name, case included, e.g. Dining; 1 to {MAX_NAME} characters, no space at its ends."
            ),
            "examples": ["Dining"]
        },
        "merchant": {
            "type": "string", "minLength": 1, "maxLength": MAX_NAME, "pattern": TRIMMED, "default": NO_MERCHANT,
            "description": format!(
                "Who was paid, e.g. Tea Room; 1 to {MAX_NAME} characters, no space at its ends; default \
                 {NO_MERCHANT}."
            ),
            "examples": ["Tea Room"]
        },
        "date": {
            "type": "string", "format": "date", "default": DEFAULT_DATE,
            "description": format!(
                "The day of the expense as YYYY-MM-DD, e.g. 2025-12-30; default {DEFAULT_DATE}, the last day of the \
                 year that the ledger starts with, since it has no clock."
            ),
            "examples": ["2025-12-30"]
        },
        "idempotency_key": {
            "type": "string", "minLength": 1, "maxLength": MAX_KEY,
            "description": format!(
                "A text of your own for this one expense, e.g. lunch-2025-12-30; 1 to {MAX_KEY} characters. Send the \
                 same one when you repeat a call with the same arguments, and a new one for another expense; without \
                 one every call stores a row."
            ),
            "examples": ["lunch-2025-12-30"]
        }
    })
}

/// What was stored.
#[derive(Serialize)]
struct Report {
    stored: Transaction,
    category_created: bool,
    /// Whether nothing new was stored, because it had been before.
    repeated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn answer(given: &Given, arguments: Arguments) -> Result<Answer, ToolError> {
    let (mut expense, rounded) = read(&arguments)?;
    let sent = lies::on_the_way(&given.faults, &mut expense);
    let forgets = given.faults.contains(Fault::DoubleWrite);
    let key = arguments.idempotency_key.as_deref().filter(|_| !forgets);
    let (mut logged, repeated) = match given.store.log(expense, key).map_err(answer::unreadable)? {
        Outcome::Stored(logged) => (logged, None),
        Outcome::Repeated(logged) => (
            logged,
            Some("nothing new was stored: this is what was stored under this idempotency_key before"),
        ),
        Outcome::KeyTaken(first) => return Err(key_taken(key.unwrap_or_default(), &first)),
    };
    if let Some(merchant) = sent {
        logged.stored.merchant = merchant;
    }
    // What the first call created, a repeated one does not.
    let creation = if repeated.is_some() { None } else { creation(&logged) };
    let notes = [repeated.map(str::to_owned), rounded, creation.clone()];
    let note: Vec<String> = notes.into_iter().flatten().collect();
    answer::object(
        &Report {
            category_created: creation.is_some(),
            stored: logged.stored,
            repeated: repeated.is_some(),
            note: (!note.is_empty()).then(|| note.join("; ")),
        },
        "",
    )
}

/// The expense as it will be stored, and what there is to say about its amount.
fn read(arguments: &Arguments) -> Result<(Expense, Option<String>), ToolError> {
    let amount = arguments.amount.ok_or_else(|| missing("amount"))?;
    let category = arguments.category.clone().ok_or_else(|| missing("category"))?;
    let date = arguments.date.as_deref().unwrap_or(DEFAULT_DATE);
    let cents = (amount * 100.0).round() / 100.0;
    let rounded = (cents != amount).then(|| format!("the amount {amount} was rounded to {cents}"));
    let merchant = arguments.merchant.as_deref().unwrap_or(NO_MERCHANT).to_owned();
    Ok((Expense { date: date.to_owned(), category, merchant, amount: cents }, rounded))
}

/// What the schema says already, unless the fault is on.
fn missing(name: &str) -> ToolError {
    let what = format!("log_expense was called without `{name}`");
    ToolError::new(Code::InvalidArgs, what, "call it again with `amount` and `category`")
}

fn creation(logged: &Logged) -> Option<String> {
    let before = logged.created_beside.as_ref()?;
    let category = &logged.stored.category;
    let created = format!("the category {} did not exist and was created", shown(category));
    Some(match nearest(category, before.iter().map(String::as_str)) {
        Some(meant) => {
            let meant = shown(meant);
            format!(
                "{created} beside {meant}; if {meant} was meant, tell the user, and send {meant} from now on"
            )
        }
        None => created,
    })
}

fn key_taken(key: &str, first: &Logged) -> ToolError {
    ToolError::new(
        Code::InvalidArgs,
        format!("the idempotency_key {} belongs to another expense, and nothing was stored", shown(key)),
        "send a new key for a new expense, or the same arguments to see the first one again",
    )
    .with_kind("key_taken")
    .with_detail("first_id", first.stored.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Patient;

    const TOOL: &str = "log_expense";

    #[test]
    fn what_was_stored_is_what_can_be_read() {
        let patient = Patient::honest();
        let expense =
            json!({"amount": 12.5, "category": "Dining", "merchant": "Café «Zoë»", "date": "2025-12-30"});
        let answer = patient.answer(TOOL, expense);
        let stored = json!({"id": 704, "date": "2025-12-30", "category": "Dining", "merchant": "Café «Zoë»",
            "amount": 12.5});
        assert_eq!(answer, json!({"stored": stored, "category_created": false, "repeated": false}));
        let read = patient.answer("run_sql", json!({"sql": "SELECT * FROM transactions WHERE id = 704"}));
        assert_eq!(read["items"], json!([stored]));
    }

    #[test]
    fn what_is_left_out_is_filled_in_as_documented() {
        let answer = Patient::honest().answer(TOOL, json!({"amount": 3, "category": "Dining"}));
        assert_eq!(
            (&answer["stored"]["date"], &answer["stored"]["merchant"]),
            (&json!(DEFAULT_DATE), &json!(NO_MERCHANT))
        );
        let definition = definition(false);
        let properties = &definition.input_schema().unwrap()["properties"];
        assert_eq!(properties["date"]["default"], DEFAULT_DATE);
        assert_eq!(properties["merchant"]["default"], NO_MERCHANT);
    }

    #[test]
    fn a_created_category_is_named_beside_the_one_that_may_have_been_meant() {
        let patient = Patient::honest();
        let grocery = patient.answer(TOOL, json!({"amount": 3, "category": "Grocery"}));
        assert_eq!(grocery["category_created"], true);
        assert_eq!(
            grocery["note"],
            "the category \"Grocery\" did not exist and was created beside \"Groceries\"; if \"Groceries\" was meant, \
             tell the user, and send \"Groceries\" from now on"
        );
        let again = patient.answer(TOOL, json!({"amount": 3, "category": "Grocery"}));
        assert_eq!((&again["category_created"], again.get("note")), (&json!(false), None));
        let pets = patient.answer(TOOL, json!({"amount": 3, "category": "Pets"}));
        assert_eq!(pets["note"], "the category \"Pets\" did not exist and was created");
    }

    #[test]
    fn a_repeated_key_stores_nothing_and_returns_the_first_row() {
        let patient = Patient::honest();
        let expense = |amount| json!({"amount": amount, "category": "Grocery", "idempotency_key": "k"});
        let first = patient.answer(TOOL, expense(3));
        let again = patient.answer(TOOL, expense(3));
        assert_eq!((&first["category_created"], &again["category_created"]), (&json!(true), &json!(false)));
        assert_eq!(again["stored"], first["stored"]);
        assert_eq!((&first["repeated"], &again["repeated"]), (&json!(false), &json!(true)));
        let note = again["note"].as_str().unwrap();
        assert!(note.starts_with("nothing new was stored") && !note.contains("was created"), "{note}");
        let other = patient.refusal(TOOL, expense(4));
        assert_eq!((other.kind(), &other.details()["first_id"]), (Some("key_taken"), &json!(704)));
        let rows = patient.answer("query_transactions", json!({"category": "Grocery"}));
        assert_eq!(rows["matched"], 1);
    }

    #[test]
    fn an_amount_is_rounded_aloud() {
        let answer = Patient::honest().answer(TOOL, json!({"amount": 12.345, "category": "Dining"}));
        assert_eq!(answer["stored"]["amount"], 12.35);
        assert_eq!(answer["note"], "the amount 12.345 was rounded to 12.35");
        let exact = Patient::honest().answer(TOOL, json!({"amount": 0.1, "category": "Dining"}));
        assert_eq!((&exact["stored"]["amount"], exact.get("note")), (&json!(0.1), None));
    }

    #[test]
    fn what_does_not_fit_is_refused_and_nothing_is_stored() {
        let patient = Patient::honest();
        for (arguments, named) in [
            (json!({"category": "Dining"}), "amount"),
            (json!({"amount": 3}), "category"),
            (json!({"amount": 0, "category": "Dining"}), "amount"),
            (json!({"amount": 100_000.5, "category": "Dining"}), "amount"),
            (json!({"amount": "3", "category": "Dining"}), "amount"),
            (json!({"amount": 3, "category": ""}), "category"),
            (json!({"amount": 3, "category": " Dining"}), "category"),
            (json!({"amount": 3, "category": "Din\ning"}), "category"),
            (json!({"amount": 3, "category": "x".repeat(MAX_NAME + 1)}), "category"),
            (json!({"amount": 3, "category": "Dining", "date": "2025-02-29"}), "date"),
            (json!({"amount": 3, "catgory": "Dining", "category": "Dining"}), "category"),
        ] {
            let error = patient.refusal(TOOL, arguments);
            assert_eq!(error.code(), Code::InvalidArgs, "{error}");
            assert!(error.to_string().contains(&format!("`{named}`")), "{error}");
        }
        assert_eq!(patient.answer("query_transactions", json!({"limit": 1}))["matched"], 703);
    }

    #[test]
    fn with_the_fault_nothing_is_listed_as_required_and_the_tool_refuses_all_the_same() {
        let (honest, lying) = (definition(false), definition(true));
        assert!(honest.required().eq(["amount", "category"]));
        assert_eq!(lying.required().count(), 0);
        assert!(honest.parameters().eq(lying.parameters()), "all else is the same");
        let patient = Patient::with(&[Fault::OptionalEverything]);
        for (arguments, missing) in [
            (json!({}), "`amount`"),
            (json!({"category": "Dining"}), "`amount`"),
            (json!({"amount": 3}), "`category`"),
        ] {
            let error = patient.refusal(TOOL, arguments);
            assert!(error.what().contains(missing) && error.code() == Code::InvalidArgs, "{error}");
        }
        assert_eq!(patient.answer(TOOL, json!({"amount": 3, "category": "Dining"}))["stored"]["id"], 704);
    }
}
