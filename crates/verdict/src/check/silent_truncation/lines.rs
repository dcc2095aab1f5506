//! Texts that state how many there are, over fewer lines: "Found 57 boats:" and ten of them.

use serde_json::Value;

use super::DOC;
use crate::Finding;
use crate::check::pages::Page;
use crate::report::counted;

/// So few lines are no list.
const FEWEST: usize = 3;
const LONGEST: usize = 64 << 10;

/// A text whose only lines beside its items state a larger number of them.
pub(super) fn look_at(server: &str, page: &Page<'_>) -> Option<Finding> {
    const AT: &str = "/content/0/text";
    let blocks = page.payload.at("/content").and_then(Value::as_array).map_or(0, Vec::len);
    // Who states a limit asked for a part, and who sends another argument may have asked for another page.
    if blocks != 1 || page.stated.is_some() || page.payload.list().is_some() {
        return None;
    }
    let text = page.payload.at(AT)?.as_str().filter(|text| text.len() <= LONGEST)?;
    let (items, stated) = listed(text)?;
    let finding = Finding::suspected(&DOC, server, page.call.name, page.payload.shown(AT)).saying(
        format!("the text speaks of {stated}, and {} of them are in it", counted(items, "line")),
        "these are what was found",
        "say in the text that this is a part, such as \"10 of 57\", and how to get the rest",
    );
    Some(page.finding(finding, &[], AT))
}

/// How many items a text lists, and the larger number that its head states; `None` where it says anything else.
fn listed(text: &str) -> Option<(usize, u64)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let stated = stated(lines.next()?)?;
    let mut items = 0;
    for line in lines {
        // What belongs to an item is set in; any other line may say that there are more.
        if is_item(line) {
            items += 1;
        } else if !line.starts_with([' ', '\t']) {
            return None;
        }
    }
    (items >= FEWEST && stated > items as u64).then_some((items, stated))
}

/// The only number of a head such as "Found 57 boats:", "57 results found", "Total: 57".
fn stated(head: &str) -> Option<u64> {
    const MOST_WORDS: usize = 6;
    let words: Vec<String> = head
        .split(|c: char| !c.is_alphanumeric() && c != ',')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_told = words.iter().any(|word| matches!(word.as_str(), "found" | "total" | "matches" | "results"));
    // "Total: 57 kg" is no number of lines.
    let is_alone = words.first().is_none_or(|word| word != "total") || words.len() == 2;
    let numbers = words.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    let numbers: Vec<&String> = numbers.collect();
    match numbers[..] {
        [number] if is_told && is_alone && words.len() <= MOST_WORDS => number.replace(',', "").parse().ok(),
        _ => None,
    }
}

fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len() && (rest.starts_with(". ") || rest.starts_with(") "));
    is_numbered || ["- ", "* ", "• ", "+ "].iter().any(|mark| line.starts_with(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_over_fewer_items_is_told_from_one_of_something_else() {
        let list = |head: &str| listed(&format!("{head}\n- Tern\n  12 m\n- Gull\n- Erne"));
        for head in ["Found 57 boats:", "57 results found. Results:", "Total: 57", "Found 1,057 matches"] {
            assert!(list(head).is_some(), "{head}");
        }
        for head in [
            "Found 3 boats:",
            "Found 3 of 57 boats:",
            "Total: 57 kg",
            "57 boats",
            "Boats found:",
            "Found 57 boats in 3 harbours:",
            "Here is what was found in the 57 harbours of the north:",
        ] {
            assert_eq!(list(head), None, "{head}");
        }
        assert_eq!(listed("Found 57 boats:\n- Tern\n- Gull\n- Erne\nAsk with offset for the rest"), None);
    }
}
