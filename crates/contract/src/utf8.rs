//! Places between characters. What may not enter: what is done there.

/// The last place between two characters that is not beyond this byte.
pub(crate) fn floor(text: &str, byte: usize) -> usize {
    if byte >= text.len() {
        return text.len();
    }
    (0..=byte).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// The first place between two characters that is not before this byte.
pub(crate) fn ceil(text: &str, byte: usize) -> usize {
    (byte..text.len()).find(|place| text.is_char_boundary(*place)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_never_cut() {
        let places: Vec<(usize, usize)> =
            (0..=6).map(|byte| (floor("a🦀", byte), ceil("a🦀", byte))).collect();
        assert_eq!(places, [(0, 0), (1, 1), (1, 5), (1, 5), (1, 5), (5, 5), (5, 5)]);
        assert_eq!((floor("", 0), ceil("", 3)), (0, 0));
    }
}
