//! How an answer differs from what was expected of it, in words.

use frankly_contract::Code;

use super::shown;
use crate::case::Observed;
use crate::expect::Pattern;

impl Observed {
    /// How the call failed, if it did.
    pub(super) fn failure(&self) -> Option<String> {
        if let Some((code, message)) = &self.protocol_error {
            return Some(format!("a JSON-RPC error, {code} {message:?}"));
        }
        self.is_error.then(|| shown(&self.text))
    }

    pub(super) fn differs_in_error(&self, wanted: bool) -> Option<String> {
        match (wanted, &self.protocol_error) {
            (_, Some((code, message))) => Some(format!(
                "expected {}, got the JSON-RPC error {code} {message:?}, which clients may keep from the model",
                if wanted { "a result with `isError`" } else { "a success" }
            )),
            (true, None) if !self.is_error => Some(format!(
                "expected the call to be refused with `isError`, it succeeded: {}",
                shown(&self.text)
            )),
            (false, None) if self.is_error => {
                Some(format!("expected a success, it failed: {}", shown(&self.text)))
            }
            _ => None,
        }
    }

    pub(super) fn differs_in_protocol_error(&self, wanted: i64) -> Option<String> {
        match &self.protocol_error {
            Some((code, _)) if *code == wanted => None,
            Some((code, message)) => {
                Some(format!("expected the JSON-RPC error {wanted}, got {code} {message:?}"))
            }
            None => {
                Some(format!("expected the JSON-RPC error {wanted}, got a result: {}", shown(&self.text)))
            }
        }
    }

    pub(super) fn guidance_without(&self, pattern: &Pattern) -> Option<String> {
        if self.guidance.iter().any(|text| pattern.fits(text)) {
            return None;
        }
        Some(match self.guidance.first() {
            Some(first) => format!("expected a next step that shows {pattern}, got {}", shown(first)),
            None => {
                format!("expected a next step that shows {pattern}, and no hint, note or next step is there")
            }
        })
    }

    pub(super) fn not_empty_because(&self, pattern: &Pattern) -> Option<String> {
        if self.protocol_error.is_some() {
            return self.differs_in_error(false);
        }
        let says_why = self.guidance.iter().any(|text| pattern.fits(text));
        if self.is_error {
            // A server without codes can only say it in words.
            let may_be_not_found = self.code.as_deref().is_none_or(|code| code == Code::NotFound.as_str());
            return match (may_be_not_found, says_why) {
                (true, true) => None,
                (true, false) => {
                    Some(format!("expected the error to show {pattern}, got {}", shown(&self.text)))
                }
                (false, _) => Some(format!(
                    "expected NOT_FOUND or an empty result, got another error: {}",
                    shown(&self.text)
                )),
            };
        }
        match (self.is_empty, says_why) {
            (true, true) => None,
            (true, false) => Some(format!(
                "expected the empty result to say why, with {pattern}; it says nothing of it: {}",
                shown(&self.text)
            )),
            (false, _) => Some(format!("expected an empty result, got {}", shown(&self.text))),
        }
    }
}
