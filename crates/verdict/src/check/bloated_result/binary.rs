//! Bytes written as letters.

/// How Base64 begins for some kinds of file.
const STARTS: &[(&str, &str)] = &[
    ("/9j/", "a JPEG picture"),
    ("GkXfo", "a video"),
    ("H4sI", "compressed data"),
    ("JVBERi0", "a PDF"),
    ("R0lGOD", "a GIF picture"),
    ("SUQz", "an MP3"),
    ("UEsDB", "a ZIP archive"),
    ("UklGR", "a picture or sound"),
    ("iVBORw0KGgo", "a PNG picture"),
];
const SHORTEST: usize = 200;
/// So long a text of nothing but Base64's letters is no word, hash or token.
const SURELY: usize = 2000;

/// What a text is, if it is bytes written as letters.
pub(super) fn binary_kind(text: &str, mime: Option<&str>) -> Option<String> {
    if text.len() < SHORTEST {
        return None;
    }
    let data = match text.strip_prefix("data:").and_then(|rest| rest.split_once(";base64,")) {
        Some((mime, _)) if mime.starts_with("text/") => return None,
        Some((_, data)) => data,
        None => text,
    };
    let letters =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_' | '\n' | '\r');
    if !data.chars().take(SURELY).all(letters) {
        return None;
    }
    if let Some((_, kind)) = STARTS.iter().find(|(start, _)| data.starts_with(start)) {
        return Some(format!("{kind} as Base64"));
    }
    let is_text = |mime: &str| mime.starts_with("text/") || mime.contains("json") || mime.contains("xml");
    if let Some(mime) = mime.filter(|mime| !is_text(mime)) {
        return Some(format!("{mime} as Base64"));
    }
    // A sequence of genes has no digits, a number no letters, and hexadecimal no large and small ones.
    let has = |kind: fn(&char) -> bool| data.chars().take(SURELY).any(|c| kind(&c));
    let mixed = has(char::is_ascii_digit) && has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase);
    let has_words = data.lines().take(3).all(|line| line.len() < 60);
    (data.len() >= SURELY && mixed && !has_words).then(|| "data as Base64".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_told_from_texts_hashes_and_sequences() {
        let png = "iVBORw0KGgo".to_owned() + &"A".repeat(300);
        assert_eq!(binary_kind(&png, None).as_deref(), Some("a PNG picture as Base64"));
        assert!(binary_kind(&format!("data:image/png;base64,{png}"), None).is_some());
        assert!(binary_kind(&"aB3".repeat(700), None).is_some());
        assert!(binary_kind(&"aB3".repeat(70), Some("font/woff")).is_some());
        for text in [
            "iVBORw0KGgo".to_owned(),
            "word ".repeat(800),
            "GATTACA".repeat(800),
            "0123456789abcdef".repeat(400),
            "aB3".repeat(70),
            "Name1\nName2\n".repeat(500),
            "é".repeat(3000),
        ] {
            assert_eq!(binary_kind(&text, None), None, "{text}");
        }
        assert_eq!(binary_kind(&"aB3".repeat(70), Some("application/json")), None);
    }
}
