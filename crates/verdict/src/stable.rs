//! What of a pointer stays the same when a fault is found again: the names that a program gave, and no data.
//!
//! Nothing enters here that knows a rule or a check.

/// What stands for an index, or for a key that is data.
const ANY: &str = "*";
/// So many digits make a key an id, a date or a number.
const DIGITS: usize = 3;

/// A pointer without the indexes and the keys that are data. One into a definition is left as it is: what stands
/// there was written by hand, and so is the number of a content block.
pub(crate) fn stable(pointer: &str) -> String {
    let tokens: Vec<&str> = pointer.split('/').collect();
    if !tokens.get(1).is_some_and(|root| matches!(*root, "error" | "params" | "result")) {
        return pointer.to_owned();
    }
    let is_block = |at: usize| at == 3 && tokens[1] == "result" && tokens[2] == "content";
    let named = tokens.iter().enumerate().map(|(at, token)| {
        let (key, mark) = token.strip_suffix('#').map_or((*token, ""), |key| (key, "#"));
        if at > 1 && !is_block(at) && is_data(key) { format!("{ANY}{mark}") } else { (*token).to_owned() }
    });
    named.collect::<Vec<_>>().join("/")
}

/// Whether a key is an index, a number, an id, a date, an address or a path rather than a name.
fn is_data(key: &str) -> bool {
    let digits = key.chars().filter(char::is_ascii_digit).count();
    let is_number = digits > 0 && !key.contains(char::is_alphabetic);
    let is_text = key.contains(|c: char| c.is_whitespace() || matches!(c, '@' | ':')) || key.contains("~1");
    is_number || digits >= DIGITS || is_text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn indexes_and_keys_that_are_data_do_not_count() {
        for (pointer, expected) in [
            ("/result/content/0/text#/rows/3/id", "/result/content/0/text#/rows/*/id"),
            (
                "/result/structuredContent/users/anna@example.com/name",
                "/result/structuredContent/users/*/name",
            ),
            ("/result/structuredContent/by_day/2026-11-30", "/result/structuredContent/by_day/*"),
            ("/result/structuredContent/6f1c2c1e-8a3b-4e0e-9d55-1c2d3e4f5a6b", "/result/structuredContent/*"),
            ("/result/structuredContent/-7", "/result/structuredContent/*"),
            ("/result/structuredContent/line_1/v2", "/result/structuredContent/line_1/v2"),
            ("/inputSchema/anyOf/0/properties/2026", "/inputSchema/anyOf/0/properties/2026"),
            ("/id", "/id"),
            ("", ""),
        ] {
            assert_eq!(stable(pointer), expected);
        }
    }

    proptest! {
        #[test]
        fn two_keys_that_are_ids_are_the_same_place(one in "[a-z]{0,3}[0-9]{3,9}", other in "[0-9a-f]{4}-[0-9]{4}") {
            let at = |key: &str| stable(&format!("/result/structuredContent/orders/{key}/total"));
            prop_assert_eq!(at(&one), at(&other));
        }

        #[test]
        fn what_is_stable_stays_so(pointer in "(/[a-z0-9@~*#-]{0,8}){0,6}") {
            prop_assert_eq!(stable(&stable(&pointer)), stable(&pointer));
        }
    }
}
