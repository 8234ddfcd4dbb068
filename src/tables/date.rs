//! The PGN date (`2024.03.09`, `2024.??.??`) as a calendar day and a year.
//!
//! A part that is unknown or impossible is no part: nothing is guessed.

/// A tag's date as far as it is known (PGN standard 8.1.1.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PgnDate {
    /// From 1 to 9999.
    pub year: Option<i16>,
    /// Days since 1970-01-01, where year, month and day are known and on the calendar.
    pub day: Option<i32>,
}

impl PgnDate {
    /// Reads `YYYY.MM.DD` with question marks for what is unknown. `-` and `/` between the parts
    /// are taken too: with the year in front they leave no doubt.
    pub fn parse(text: &str) -> PgnDate {
        let mut parts = text.trim().split(['.', '-', '/']);
        let year = parts.next().filter(|part| part.len() == 4).and_then(number);
        let year = year.filter(|&year| year > 0);
        let month = parts.next().and_then(number);
        let day = parts.next().and_then(number);
        let whole = year.zip(month).zip(day).filter(|_| parts.next().is_none());
        PgnDate {
            year: year.and_then(|year| i16::try_from(year).ok()),
            day: whole.and_then(|((year, month), day)| days_since_1970(year, month, day)),
        }
    }

    /// The date of ten bytes `2024.03.09`; `None` for all others, whose text [`PgnDate::parse`]
    /// reads.
    pub fn of_digits(raw: &[u8]) -> Option<PgnDate> {
        let &[a, b, c, d, b'.', e, f, b'.', g, h] = raw else { return None };
        let digits = [a, b, c, d, e, f, g, h];
        if !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let [a, b, c, d, e, f, g, h] = digits.map(|digit| i32::from(digit - b'0'));
        let year = (a * 10 + b) * 100 + c * 10 + d;
        if year == 0 {
            return Some(PgnDate::default());
        }
        let day = days_since_1970(year, e * 10 + f, g * 10 + h);
        Some(PgnDate { year: i16::try_from(year).ok(), day })
    }

    /// What this date leaves open is taken from another one of the same game.
    pub fn or(self, other: PgnDate) -> PgnDate {
        // A day of another year would contradict the year beside it.
        let agrees = self.year.is_none() || self.year == other.year;
        PgnDate { year: self.year.or(other.year), day: self.day.or(other.day.filter(|_| agrees)) }
    }
}

fn number(part: &str) -> Option<i32> {
    let digits = (1..=4).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    if digits { part.parse().ok() } else { None }
}

fn days_since_1970(year: i32, month: i32, day: i32) -> Option<i32> {
    const DAYS_BEFORE: [i32; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let index = usize::try_from(month).ok().filter(|month| (1..=12).contains(month))?;
    let leap_day = i32::from(leap && month == 2);
    if !(1..=DAYS_BEFORE[index] - DAYS_BEFORE[index - 1] + leap_day).contains(&day) {
        return None;
    }
    // Days of the proleptic Gregorian calendar before the first of January.
    let before_year = |year: i32| {
        let past = year - 1;
        past * 365 + past / 4 - past / 100 + past / 400
    };
    let in_year = DAYS_BEFORE[index - 1] + i32::from(leap && month > 2) + day - 1;
    Some(before_year(year) - before_year(1970) + in_year)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_dates_are_days_since_1970() {
        for (text, day) in [
            ("1970.01.01", 0),
            ("1969.12.31", -1),
            ("2000.02.29", 11_016),
            ("2000.03.01", 11_017),
            ("2024.12.31", 20_088),
            ("1851.06.21", -43_293),
            (" 2024-03-09 ", 19_791),
        ] {
            assert_eq!(PgnDate::parse(text).day, Some(day), "{text}");
        }
    }

    #[test]
    fn what_is_unknown_or_off_the_calendar_is_no_day() {
        for (text, year) in [
            ("2024.??.??", Some(2024)),
            ("2024.03.??", Some(2024)),
            ("1900.02.29", Some(1900)),
            ("2024.13.01", Some(2024)),
            ("2024.04.31", Some(2024)),
            ("2024.04.00", Some(2024)),
            ("2024.04.01.02", Some(2024)),
            ("2024", Some(2024)),
            ("0000.01.01", None),
            ("????.??.??", None),
            ("09.03.2024", None),
            ("+024.01.01", None),
            ("", None),
        ] {
            assert_eq!(PgnDate::parse(text), PgnDate { year, day: None }, "{text}");
        }
    }

    #[test]
    fn a_date_in_digits_is_what_its_text_says() {
        for text in ["2024.03.09", "0001.01.01", "0000.01.01", "1900.02.29", "2024.00.10"] {
            let read = PgnDate::of_digits(text.as_bytes());
            assert_eq!(read, Some(PgnDate::parse(text)), "{text}");
        }
        for text in ["2024.??.??", "2024-03-09", "2024.03.0", "2024.03.09 ", ""] {
            assert_eq!(PgnDate::of_digits(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_servers_date_fills_in_but_never_contradicts() {
        let server = PgnDate::parse("2024.03.09");
        assert_eq!(PgnDate::parse("????.??.??").or(server), server);
        assert_eq!(PgnDate::parse("2024.??.??").or(server), server);
        assert_eq!(PgnDate::parse("2023.??.??").or(server).day, None);
    }
}
