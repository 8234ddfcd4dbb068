//! Numbers of bytes and byte ranges, as people write them.

use std::ops::Range;

use crate::error::{Error, Result};

/// Reads `4096`, `512K`, `1M`, `2GiB`: K, M and G are powers of 1024, in any letter case.
pub fn parse_size(text: &str) -> Result<u64> {
    let bad = |why: &str| Error::Usage(format!("\"{}\" is no size: {why}", text.escape_debug()));
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = text.split_at(digits);
    let shift = match suffix.to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KIB" => 10,
        "M" | "MIB" => 20,
        "G" | "GIB" => 30,
        _ => return Err(bad("write bytes, or K, M or G behind the number")),
    };
    if number.is_empty() {
        return Err(bad("it has no number"));
    }
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    bytes.ok_or_else(|| bad("it is too large"))
}

/// Reads `FROM-TO` and `FROM-`: bytes from 0, the end not in it.
pub fn parse_split(text: &str) -> Result<Range<u64>> {
    let bad = |why: &str| {
        Error::Usage(format!("--split \"{}\" is no byte range: {why}", text.escape_debug()))
    };
    let (from, to) = text.split_once('-').ok_or_else(|| bad("write FROM-TO"))?;
    let from = parse_size(from)?;
    let to = if to.is_empty() { u64::MAX } else { parse_size(to)? };
    if from < to { Ok(from..to) } else { Err(bad("it is empty")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_binary_and_in_any_letter_case() {
        let table = [
            ("1", 1),
            ("0", 0),
            ("512k", 512 << 10),
            ("1M", 1 << 20),
            ("2GiB", 2 << 30),
            ("7B", 7),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, bytes) in table {
            assert_eq!(parse_size(text).unwrap(), bytes, "{text}");
        }
        for text in
            ["", "K", "1T", "-1", "1.5M", "1 M", "é", "18446744073709551616", "99999999999G"]
        {
            assert!(matches!(parse_size(text), Err(Error::Usage(_))), "{text}");
        }
    }

    #[test]
    fn a_split_ends_before_its_second_number() {
        assert_eq!(parse_split("0-100").unwrap(), 0..100);
        assert_eq!(parse_split("1M-2M").unwrap(), 1 << 20..2 << 20);
        assert_eq!(parse_split("5-").unwrap(), 5..u64::MAX);
        for text in ["", "-", "5", "5-5", "6-5", "-5", "a-b", "1-2-3"] {
            assert!(matches!(parse_split(text), Err(Error::Usage(_))), "{text}");
        }
    }
}
