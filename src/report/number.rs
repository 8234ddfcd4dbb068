//! Numbers for people.

use std::fmt;

/// Prints `1234567` as `1,234,567`; obeys the width of a format string.
#[derive(Clone, Copy, Debug)]
pub struct Grouped(pub u64);

impl fmt::Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        let mut text = String::with_capacity(digits.len() * 4 / 3);
        for (at, digit) in digits.char_indices() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                text.push(',');
            }
            text.push(digit);
        }
        f.pad(&text)
    }
}

/// Prints `1 game`, `2 games`.
#[derive(Clone, Copy, Debug)]
pub struct Counted(pub u64, pub &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = if self.0 == 1 { "" } else { "s" };
        write!(f, "{} {}{ending}", Grouped(self.0), self.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        let table = [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345_678, "12,345,678")];
        for (number, text) in table {
            assert_eq!(Grouped(number).to_string(), text);
        }
        assert_eq!(format!("{:>8}", Grouped(1_234)), "   1,234");
    }

    #[test]
    fn one_thing_has_no_plural() {
        assert_eq!(Counted(1, "game").to_string(), "1 game");
        assert_eq!(Counted(0, "game").to_string(), "0 games");
        assert_eq!(Counted(1_200, "game").to_string(), "1,200 games");
    }
}
