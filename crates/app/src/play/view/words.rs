//! Values, counts and moves in few letters.

use stoneline_rules::notation::write_move;
use stoneline_rules::{Cell, Variant};
use stoneline_search::Value;

pub(super) use crate::analyse::value_text as value;

/// A move's name.
pub(super) fn move_name(variant: &Variant, cell: Cell) -> String {
    write_move(variant, cell)
}

/// A value in at most three letters: `W7`, `L12`, `=`, `54`.
pub(super) fn short_value(value: Value) -> String {
    match value {
        Value::Win { plies } => format!("W{plies}"),
        Value::Loss { plies } => format!("L{plies}"),
        Value::Draw => "=".to_owned(),
        Value::Guess(rate) => format!("{:.0}", (100.0 * rate).clamp(0.0, 99.0)),
    }
}

/// A count in at most four letters: `950`, `12k`, `3.4M`.
pub(super) fn count(number: u64) -> String {
    let number = number as f64;
    match number {
        ..1e3 => format!("{number:.0}"),
        ..9.95e3 => format!("{:.1}k", number / 1e3),
        ..999.5e3 => format!("{:.0}k", number / 1e3),
        ..9.95e6 => format!("{:.1}M", number / 1e6),
        ..999.5e6 => format!("{:.0}M", number / 1e6),
        _ => format!("{:.1}G", number / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stay_short() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1_234, "1.2k"),
            (9_960, "10k"),
            (999_600, "1.0M"),
            (12_345_678, "12M"),
            (2_500_000_000, "2.5G"),
        ] {
            assert_eq!(count(number), expected);
        }
    }

    #[test]
    fn values_fit_a_cell() {
        assert_eq!(short_value(Value::Win { plies: 7 }), "W7");
        assert_eq!(short_value(Value::Loss { plies: 12 }), "L12");
        assert_eq!(short_value(Value::Draw), "=");
        assert_eq!(short_value(Value::Guess(0.999)), "99");
    }
}
