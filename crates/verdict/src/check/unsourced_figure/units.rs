//! The same quantity in another unit.

/// Factors between units of one kind, by the names of the units; each is taken both ways.
const KINDS: &[(&[&str], &[f64])] = &[
    (
        &[
            "km", "kilometer", "kilometers", "kilometre", "kilometres", "mi", "mile", "miles", "mph", "m",
            "meter", "meters", "metre", "metres", "ft", "feet", "foot", "cm", "mm", "in", "inch", "inches",
            "yd", "yards",
        ],
        &[
            1.609_344, 1_609.344, 1_000.0, 100.0, 10.0, 3.280_84, 0.3048, 2.54, 25.4, 0.9144, 12.0, 5_280.0,
            3.6, 2.236_936,
        ],
    ),
    (
        &[
            "b", "byte", "bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "tib", "kilobytes",
            "megabytes", "gigabytes", "terabytes", "bit", "bits",
        ],
        &[1e3, 1e6, 1e9, 1e12, 1_024.0, 1_048_576.0, 1_073_741_824.0, 1_099_511_627_776.0, 8.0],
    ),
    (
        &[
            "ms", "millisecond", "milliseconds", "s", "sec", "secs", "second", "seconds", "min", "mins",
            "minute", "minutes", "h", "hr", "hrs", "hour", "hours", "day", "days", "week", "weeks", "month",
            "months", "year", "years",
        ],
        &[
            1e3, 1e6, 60.0, 3_600.0, 6e4, 3.6e6, 86_400.0, 8.64e7, 24.0, 1_440.0, 7.0, 168.0, 604_800.0,
            12.0, 30.0, 52.0, 365.0,
        ],
    ),
    (
        &[
            "kg", "kilogram", "kilograms", "kilos", "g", "gram", "grams", "lb", "lbs", "pound", "pounds",
            "oz", "ounces", "t", "tons", "tonnes",
        ],
        &[1_000.0, 2.204_623, 0.453_592, 28.349_52, 16.0],
    ),
    (
        &["l", "liter", "liters", "litre", "litres", "ml", "gal", "gallon", "gallons", "fl"],
        &[1_000.0, 3.785_412, 4.546_09, 29.573_53],
    ),
];
/// Units of which a text names the rest beside the next larger: "1 hour 30 minutes".
const RESTS: &[(&[&str], &[f64], f64)] = &[
    (&["min", "mins", "minute", "minutes", "m"], &[1.0, 60.0, 6e4], 60.0),
    (&["s", "sec", "secs", "second", "seconds"], &[1.0, 1e3], 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], &[1.0, 60.0, 3_600.0, 3.6e6], 24.0),
];
/// Words around an amount that make it one of another span of time, and how many of the one are in the other.
const SPANS: &[&str] = &["annual", "daily", "month", "per day", "quarter", "week", "year"];
const IN_SPANS: &[f64] = &[3.0, 4.0, 7.0, 12.0, 30.0, 52.0, 365.0];

/// What a quantity is in the units of a kind that a figure has, with the figure's unit and what stands around it.
pub(super) fn conversions(said: f64, unit: &str, around: &str) -> Vec<f64> {
    let mut found = Vec::new();
    let mut both =
        |factors: &[f64]| found.extend(factors.iter().flat_map(|factor| [said * factor, said / factor]));
    KINDS.iter().filter(|(units, _)| units.contains(&unit)).for_each(|(_, factors)| both(factors));
    let around = around.to_lowercase();
    if SPANS.iter().any(|span| around.contains(span)) {
        both(IN_SPANS);
    }
    let rests = RESTS.iter().filter(|(units, ..)| units.contains(&unit));
    found.extend(
        rests.flat_map(|(_, factors, of)| factors.iter().map(move |factor| (said / factor).floor() % of)),
    );
    if unit.starts_with('°') || matches!(unit, "c" | "f" | "celsius" | "fahrenheit" | "degrees") {
        found.extend([said * 9.0 / 5.0 + 32.0, (said - 32.0) * 5.0 / 9.0, said - 273.15, said + 273.15]);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_converted_within_their_kind_only() {
        let makes = |said: f64, unit: &str, around: &str, wanted: f64| {
            conversions(said, unit, around).into_iter().any(|value| (value - wanted).abs() < 0.05)
        };
        assert!(makes(42.195, "miles", "", 26.2) && makes(21.5, "°f", "", 70.7));
        assert!(makes(1_610_612_736.0, "gb", "", 1.5) && makes(1_234.0, "s", "", 1.234));
        assert!(makes(5_400.0, "minutes", "", 30.0) && makes(50.0, "a", "$600 a year", 600.0));
        assert!(!makes(42.195, "euro", "", 26.2) && !makes(50.0, "", "$600 in all", 600.0));
    }
}
