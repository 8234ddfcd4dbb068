//! Dates as tags write them: `YYYY.MM.DD`, with `?` for unknown digits (PGN standard 8.1.1.3).

/// A date as far as a tag tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TagDate {
    pub year: Option<u16>,
    pub month: Option<u8>,
    pub day: Option<u8>,
}

impl TagDate {
    /// Reads a tag value; `None` where it is no date, or not in the standard's form.
    ///
    /// ```
    /// use pgn_arbiter::pgn::TagDate;
    /// assert_eq!(TagDate::parse(b"2024.02.29").unwrap().day, Some(29));
    /// assert_eq!(TagDate::parse(b"1906.??.??").unwrap().month, None);
    /// assert!(TagDate::parse(b"2023.02.29").is_none());
    /// ```
    pub fn parse(value: &[u8]) -> Option<TagDate> {
        let &[y1, y2, y3, y4, b'.', m1, m2, b'.', d1, d2] = value else { return None };
        let date = TagDate {
            year: number(&[y1, y2, y3, y4])?,
            month: number(&[m1, m2])?.map(|month| month as u8),
            day: number(&[d1, d2])?.map(|day| day as u8),
        };
        let month_fits = date.month.is_none_or(|month| (1..=12).contains(&month));
        let day_fits =
            date.day.is_none_or(|day| (1..=days_in(date.year, date.month)).contains(&day));
        (month_fits && day_fits).then_some(date)
    }

    /// Whether a value is in the standard's form, be there such a day or not.
    pub fn has_form(value: &[u8]) -> bool {
        let digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'?';
        let part = |range: std::ops::Range<usize>| value[range].iter().all(digit);
        value.len() == 10
            && value[4] == b'.'
            && value[7] == b'.'
            && part(0..4)
            && part(5..7)
            && part(8..10)
    }

    /// Whether it lies on or after a day for certain, whatever its unknown parts are.
    pub fn is_from(self, year: u16, month: u8, day: u8) -> bool {
        let first = (self.year.unwrap_or(0), self.month.unwrap_or(1), self.day.unwrap_or(1));
        first >= (year, month, day)
    }

    /// Whether it lies before a day for certain.
    pub fn is_before(self, year: u16, month: u8, day: u8) -> bool {
        let last = (self.year.unwrap_or(9999), self.month.unwrap_or(12), self.day.unwrap_or(31));
        last < (year, month, day)
    }
}

/// `Some(None)` for what is unknown; a part with some `?` is unknown too.
fn number(digits: &[u8]) -> Option<Option<u16>> {
    let mut value = Some(0);
    for &digit in digits {
        value = match digit {
            b'0'..=b'9' => value.map(|value| value * 10 + u16::from(digit - b'0')),
            b'?' => None,
            _ => return None,
        };
    }
    Some(value)
}

fn days_in(year: Option<u16>, month: Option<u8>) -> u8 {
    match month {
        Some(4 | 6 | 9 | 11) => 30,
        Some(2) => {
            let leap = year.is_none_or(|year| {
                year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
            });
            if leap { 29 } else { 28 }
        }
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_date_is_told_apart_from_what_is_unknown() {
        for text in
            ["????.??.??", "2024.??.??", "2024.12.31", "19??.??.??", "2000.02.29", "????.02.29"]
        {
            assert!(TagDate::parse(text.as_bytes()).is_some(), "{text}");
        }
        for text in
            ["", "?", "2024", "2024.13.01", "2024.00.01", "1900.02.29", "2024-01-01", "01.02.2024"]
        {
            assert!(TagDate::parse(text.as_bytes()).is_none(), "{text}");
        }
    }

    #[test]
    fn a_date_with_unknown_parts_is_surely_early_or_late_only_where_all_its_days_are() {
        assert!(TagDate::parse(b"2014.07.01").unwrap().is_from(2014, 7, 1));
        assert!(!TagDate::parse(b"2014.??.??").unwrap().is_from(2014, 7, 1));
        assert!(TagDate::parse(b"2015.??.??").unwrap().is_from(2014, 7, 1));
        assert!(!TagDate::parse(b"????.??.??").unwrap().is_from(2014, 7, 1));
        assert!(TagDate::parse(b"2014.06.??").unwrap().is_before(2014, 7, 1));
        assert!(!TagDate::parse(b"2014.??.??").unwrap().is_before(2014, 7, 1));
    }
}
