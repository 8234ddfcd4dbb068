//! Where a game stands, and what two games with the same moves may still differ in.

use std::fmt;

use crate::pgn::{TagDate, parse_result};
use crate::replay::{GameRecord, GameResult};

/// The place of a game in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Which of the run's texts, from 0.
    pub text: u32,
    pub offset: u64,
    /// From 1.
    pub game: u64,
    /// From 1.
    pub line: u64,
}

impl Place {
    pub const LEN: usize = 28;

    /// In the order of the archive, as bytes.
    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text.to_be_bytes());
        for number in [self.offset, self.game, self.line] {
            out.extend_from_slice(&number.to_be_bytes());
        }
    }

    pub fn read(bytes: &[u8]) -> Option<Place> {
        let (text, numbers) = bytes.split_first_chunk()?;
        let (offset, numbers) = numbers.split_first_chunk()?;
        let (game, line) = numbers.split_first_chunk()?;
        Some(Place {
            text: u32::from_be_bytes(*text),
            offset: u64::from_be_bytes(*offset),
            game: u64::from_be_bytes(*game),
            line: u64::from_be_bytes(line.try_into().ok()?),
        })
    }
}

/// What tags say of a game beside its players. Zero is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Year, month and day in 9, 4 and 5 bits from below; each may be unknown.
    pub date: u32,
    pub result: u8,
    /// A hash: a chance in four thousand million to miss a difference.
    pub round: u32,
    /// One of the players is not known.
    pub anonymous: bool,
}

impl Facts {
    pub const LEN: usize = 10;

    /// From the tags and the marker of a game.
    pub fn of(record: &GameRecord, bytes: &[u8], anonymous: bool) -> Facts {
        let value = |span: Option<crate::diagnostics::Span>| {
            span.map_or(&b""[..], |span| span.of(bytes).trim_ascii())
        };
        let tags = &record.tags;
        let date = TagDate::parse(value(tags.date))
            .filter(|date| date.year.is_some())
            .or_else(|| TagDate::parse(value(tags.utc_date)));
        let date = date.map_or(0, |date| {
            let (month, day) = (date.month.unwrap_or(0), date.day.unwrap_or(0));
            u32::from(date.year.unwrap_or(0)) << 9 | u32::from(month) << 5 | u32::from(day)
        });
        let tag = || parse_result(value(tags.result)).map(|(result, _)| result);
        let result = match record.marker.filter(|it| *it != GameResult::Unknown).or_else(tag) {
            None | Some(GameResult::Unknown) => 0,
            Some(GameResult::WhiteWins) => 1,
            Some(GameResult::BlackWins) => 2,
            Some(GameResult::Draw) => 3,
            Some(GameResult::OffBoard) => 4,
        };
        let round = match value(tags.round) {
            b"" | b"?" | b"-" => 0,
            round => (xxhash_rust::xxh3::xxh3_64(round) as u32).max(1),
        };
        Facts { date, result, round, anonymous }
    }

    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.date.to_be_bytes());
        out.extend_from_slice(&self.round.to_be_bytes());
        out.extend_from_slice(&[self.result, u8::from(self.anonymous)]);
    }

    pub fn read(bytes: &[u8]) -> Option<Facts> {
        let (date, bytes) = bytes.split_first_chunk()?;
        let (round, bytes) = bytes.split_first_chunk()?;
        let &[result, anonymous] = bytes else { return None };
        Some(Facts {
            date: u32::from_be_bytes(*date),
            round: u32::from_be_bytes(*round),
            result,
            anonymous: anonymous != 0,
        })
    }

    /// In what the two contradict each other. What one of them does not know is no contradiction.
    pub fn differences(self, other: Facts) -> Differences {
        let unlike = |one: u32, other: u32| one != 0 && other != 0 && one != other;
        let part = |from: u32, bits: u32| {
            let part = |date: u32| date >> from & ((1 << bits) - 1);
            unlike(part(self.date), part(other.date))
        };
        Differences {
            date: part(9, 23) || part(5, 4) || part(0, 5),
            round: unlike(self.round, other.round),
            result: unlike(u32::from(self.result), u32::from(other.result)),
        }
    }
}

/// Which tags of two games contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    pub date: bool,
    pub round: bool,
    pub result: bool,
}

impl Differences {
    pub fn to_bits(self) -> u8 {
        u8::from(self.date) | u8::from(self.round) << 1 | u8::from(self.result) << 2
    }

    pub fn from_bits(bits: u8) -> Differences {
        Differences { date: bits & 1 != 0, round: bits & 2 != 0, result: bits & 4 != 0 }
    }

    pub fn any(self) -> bool {
        self.date || self.round || self.result
    }
}

/// `Date, Round and Result`
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags = [(self.date, "Date"), (self.round, "Round"), (self.result, "Result")];
        let tags: Vec<&str> = tags.iter().filter(|(differs, _)| *differs).map(|it| it.1).collect();
        match tags.split_last() {
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Chunk;
    use crate::judge::Judge;

    fn facts(tags: &str, marker: &str) -> Facts {
        let text = format!("{tags}\n\n1. e4 {marker}\n");
        let chunk = Chunk { bytes: text.into(), last: true, ..Chunk::default() };
        let report = Judge::default().judge(&chunk);
        Facts::of(&report.records.games[0], &chunk.bytes, false)
    }

    #[test]
    fn what_is_not_known_contradicts_nothing() {
        let date = |one, other| {
            let of = |date| facts(&format!("[Date \"{date}\"]"), "*");
            assert_eq!(of(one).differences(of(other)), of(other).differences(of(one)));
            of(one).differences(of(other)).date
        };
        for (one, other, differ) in [
            ("2024.05.11", "2024.05.11", false),
            ("2024.05.11", "2024.05.12", true),
            ("2024.05.11", "2024.??.??", false),
            ("2024.05.11", "2023.??.??", true),
            ("2024.05.??", "2024.06.??", true),
            ("2024.05.11", "????.??.??", false),
            ("2024.05.11", "yesterday", false),
        ] {
            assert_eq!(date(one, other), differ, "{one} {other}");
        }
        let round = |one, other| {
            let of = |round| facts(&format!("[Round \"{round}\"]"), "*");
            of(one).differences(of(other)).round
        };
        assert!(round("1", "2") && !round("1", " 1 ") && !round("1", "?") && !round("-", "3"));
    }

    #[test]
    fn the_result_is_the_markers_and_else_the_tags() {
        let won = facts("[Result \"0-1\"]", "1-0");
        assert_eq!(won.result, facts("[Site \"?\"]", "1-0").result);
        assert_eq!(won.result, facts("[Result \"1-0\"]", "*").result);
        assert!(won.differences(facts("", "1/2-1/2")).result);
        assert!(!won.differences(facts("", "*")).result);
    }

    #[test]
    fn differences_are_named_in_a_row() {
        let told = |bits| Differences::from_bits(bits).to_string();
        assert_eq!([told(0), told(1), told(6)], ["", "Date", "Round and Result"]);
        assert_eq!(told(7), "Date, Round and Result");
        assert!((0..8).all(|bits| Differences::from_bits(bits).to_bits() == bits));
        assert!(!Differences::default().any());
    }
}
