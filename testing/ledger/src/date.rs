//! Days as they are written in files; those in arguments are checked with their schema. What may not enter: a clock.

/// Whether a text is a day that exists, written YYYY-MM-DD.
pub(crate) fn exists(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts[..] else { return false };
    let digits = |part: &str, count| part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit());
    if !(digits(year, 4) && digits(month, 2) && digits(day, 2)) {
        return false;
    }
    let (Ok(year), Ok(month), Ok(day)) = (year.parse::<u32>(), month.parse::<u32>(), day.parse::<u32>())
    else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_a_day_that_exists() {
        for date in ["2025-01-01", "2024-02-29", "2000-02-29", "2025-12-31"] {
            assert!(exists(date), "{date}");
        }
        for text in [
            "2025-02-29", "1900-02-29", "2025-13-01", "2025-00-10", "2025-04-31", "2025-1-1", "March",
            "2025-01-01T00:00", "+025-01-01", "2025-01", "", "２025-01-01",
        ] {
            assert!(!exists(text), "{text}");
        }
    }
}
