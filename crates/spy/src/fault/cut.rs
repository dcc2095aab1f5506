//! Answers are cut off.

use frankly_contract::{BoxFuture, CallError, ToolCall, ToolDef, ToolResult, Tools};
use serde_json::Value;

use super::Touched;

/// Tools whose answers are cut off in the middle without a word, as a client's own limit or a full buffer does it.
///
/// The first text of a result keeps so many bytes at most, and whole characters. JSON in it breaks in its middle, and the
/// structured content, which says the same, is gone with it: whoever reads that alone would never see a cut. Other blocks stay.
/// A result whose first text is short enough stays as it is, and so does an error.
///
/// ```
/// use frankly_contract::{Json, NoArguments, Registry, Tool, ToolCall, Tools};
/// use frankly_spy::fault::Cut;
/// use serde_json::json;
///
/// let mut registry = Registry::new();
/// let rows = json!({"flights": ["LX 14", "LX 16"]});
/// registry.add(Tool::typed("search", "Finds flights.", move |_: NoArguments| {
///     let rows = rows.clone();
///     async move { Ok(Json(rows)) }
/// }))?;
/// let tools = Cut::new(registry, 20).only(["search"]);
///
/// let result = pollster::block_on(tools.call(ToolCall::new("search", Default::default())))?;
/// assert_eq!(result.texts().collect::<Vec<_>>(), [(0, r#"{"flights":["LX 14",""#)].map(|(at, text)| (at, &text[..20])));
/// assert_eq!(result.structured(), None);
/// assert_eq!(tools.struck(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Cut<T> {
    tools: T,
    bytes: usize,
    touched: Touched,
}

impl<T: Tools> Cut<T> {
    /// These tools, of whose results the first text keeps so many bytes.
    pub fn new(tools: T, bytes: usize) -> Self {
        Self { tools, bytes, touched: Touched::default() }
    }

    /// The same fault, for the tools of these names only.
    #[must_use]
    pub fn only<N: Into<String>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.touched.only(tools);
        self
    }

    /// How many results were cut. Where it is 0, no answer was long enough, and nothing was tested.
    #[must_use]
    pub fn struck(&self) -> usize {
        self.touched.struck()
    }

    fn cut(&self, result: ToolResult) -> ToolResult {
        let Some((block, text)) = result.texts().next().filter(|(_, text)| text.len() > self.bytes) else {
            return result;
        };
        let end = (0..=self.bytes).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let rest = Value::from(&text[..end]);
        let mut raw = result.into_raw();
        raw.remove("structuredContent");
        if let Some(text) = raw.get_mut("content").and_then(|content| content.get_mut(block)?.get_mut("text"))
        {
            *text = rest;
        }
        self.touched.strike();
        ToolResult::from_raw(raw)
    }
}

impl<T: Tools> Tools for Cut<T> {
    fn list(&self) -> BoxFuture<'_, Result<Vec<ToolDef>, CallError>> {
        self.tools.list()
    }

    fn call(&self, call: ToolCall) -> BoxFuture<'_, Result<ToolResult, CallError>> {
        Box::pin(async move {
            let covered = self.touched.covers(&call.name);
            let result = self.tools.call(call).await?;
            Ok(if covered { self.cut(result) } else { result })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use frankly_contract::Registry;
    use proptest::prelude::*;
    use serde_json::json;

    fn cut(result: ToolResult, bytes: usize) -> (ToolResult, usize) {
        let cut = Cut::new(Registry::new(), bytes);
        (cut.cut(result), cut.struck())
    }

    proptest! {
        #[test]
        fn what_is_left_is_the_beginning_in_whole_characters(text in "[a-zé🦀]{0,20}", bytes in 0usize..30) {
            let (result, struck) = cut(ToolResult::text(text.clone()), bytes);
            let rest = result.texts().next().unwrap().1.to_owned();
            prop_assert!(text.starts_with(&rest) && rest.len() <= bytes);
            prop_assert_eq!(struck == 1, rest != text);
            prop_assert!(rest.len() + 4 > bytes.min(text.len()));
        }
    }

    #[test]
    fn what_is_short_enough_keeps_everything() {
        let result = ToolResult::json(&json!({"n": 1})).unwrap();
        assert_eq!(cut(result.clone(), 7), (result, 0));
    }

    #[test]
    fn only_the_first_text_is_cut_and_other_members_stay() {
        let raw = json!({
            "content": [{"type": "image", "data": "aaaa"}, {"type": "text", "text": "abcdef"}, {"type": "text", "text": "ghijkl"}],
            "structuredContent": {"a": 1}, "_meta": {"b": 2},
        });
        let (result, struck) = cut(ToolResult::try_from(raw).unwrap(), 3);
        let left = json!({
            "content": [{"type": "image", "data": "aaaa"}, {"type": "text", "text": "abc"}, {"type": "text", "text": "ghijkl"}],
            "_meta": {"b": 2},
        });
        assert_eq!((json!(result), struck), (left, 1));
    }
}
