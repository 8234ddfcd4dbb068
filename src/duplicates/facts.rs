//! Where a game stands, and what two games with the same moves may still differ in.

use std::fmt;

use super::players::{FirstName, Player};
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
    /// White's and Black's.
    pub first_names: [FirstName; 2],
}

impl Facts {
    pub const LEN: usize = 10 + 2 * FirstName::LEN;

    /// From the tags and the marker of a game of these players.
    pub fn of(record: &GameRecord, bytes: &[u8], players: [Option<&Player>; 2]) -> Facts {
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
        let anonymous = players.contains(&None);
        let first_name = |player: Option<&Player>| player.map(|it| it.first_name);
        let first_names = players.map(|player| first_name(player).unwrap_or_default());
        Facts { date, result, round, anonymous, first_names }
    }

    pub fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.date.to_be_bytes());
        out.extend_from_slice(&self.round.to_be_bytes());
        out.extend_from_slice(&[self.result, u8::from(self.anonymous)]);
        out.extend_from_slice(self.first_names.map(FirstName::to_bytes).as_flattened());
    }

    pub fn read(bytes: &[u8]) -> Option<Facts> {
        let (date, bytes) = bytes.split_first_chunk()?;
        let (round, bytes) = bytes.split_first_chunk()?;
        let ([result, anonymous], bytes) = bytes.split_first_chunk()?;
        let (white, black) = bytes.split_first_chunk()?;
        Some(Facts {
            date: u32::from_be_bytes(*date),
            round: u32::from_be_bytes(*round),
            result: *result,
            anonymous: *anonymous != 0,
            first_names: [*white, black.try_into().ok()?].map(FirstName::from_bytes),
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
            first_names: [0, 1].map(|player| {
                let names = [self.first_names[player], other.first_names[player]];
                names[0].contradicts(names[1]).then_some(names)
            }),
        }
    }
}

/// In what two games contradict each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    pub date: bool,
    pub round: bool,
    pub result: bool,
    /// The two of White and the two of Black, where they are no name of one person.
    pub first_names: [Option<[FirstName; 2]>; 2],
}

impl Differences {
    pub const LEN: usize = 1 + 4 * FirstName::LEN;

    pub fn write(self, out: &mut Vec<u8>) {
        out.push(u8::from(self.date) | u8::from(self.round) << 1 | u8::from(self.result) << 2);
        for names in self.first_names.map(Option::unwrap_or_default) {
            out.extend_from_slice(names.map(FirstName::to_bytes).as_flattened());
        }
    }

    pub fn read(bytes: &[u8]) -> Option<Differences> {
        let (&bits, names) = bytes.split_first()?;
        let (names, []) = names.as_chunks() else { return None };
        let &[a, b, c, d] = names else { return None };
        let first_names = [[a, b], [c, d]].map(|names| {
            let names = names.map(FirstName::from_bytes);
            (names != <[FirstName; 2]>::default()).then_some(names)
        });
        let (date, round, result) = (bits & 1 != 0, bits & 2 != 0, bits & 4 != 0);
        Some(Differences { date, round, result, first_names })
    }

    pub fn any(self) -> bool {
        self != Differences::default()
    }
}

/// `the Date and Result differ; first names differ: Axel, Ada`
impl fmt::Display for Differences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags = [(self.date, "Date"), (self.round, "Round"), (self.result, "Result")];
        let tags: Vec<&str> = tags.iter().filter(|(differs, _)| *differs).map(|it| it.1).collect();
        match tags.split_last() {
            Some((last, [])) => write!(f, "the {last} differs")?,
            Some((last, others)) => write!(f, "the {} and {last} differ", others.join(", "))?,
            None => {}
        }
        let names = self.first_names.iter().flatten();
        let names: Vec<String> = names.map(|[one, other]| format!("{one}, {other}")).collect();
        if names.is_empty() {
            return Ok(());
        }
        let gap = if tags.is_empty() { "" } else { "; " };
        write!(f, "{gap}first names differ: {}", names.join(" and "))
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
        Facts::of(&report.records.games[0], &chunk.bytes, [None; 2])
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
        let of = |white: &str, black: &str| {
            let players = [white, black].map(Player::of);
            let first_names = players.map(|it| it.map(|it| it.first_name).unwrap_or_default());
            Facts { first_names, ..Facts::default() }
        };
        let names = of("Holm, Axel", "Brandt, Kai").differences(of("Holm, Ada", "Brandt, K"));
        let both = of("Holm, Axel", "Brandt, Kai").differences(of("Holm, Ada", "Brandt, Karl"));
        let date = Differences { date: true, ..Differences::default() };
        let result = Differences { result: true, ..date };
        let all = Differences { round: true, ..result };
        for (differences, expected) in [
            (Differences::default(), ""),
            (date, "the Date differs"),
            (result, "the Date and Result differ"),
            (all, "the Date, Round and Result differ"),
            (names, "first names differ: Axel, Ada"),
            (both, "first names differ: Axel, Ada and Kai, Karl"),
            (
                Differences { first_names: names.first_names, ..date },
                "the Date differs; first names differ: Axel, Ada",
            ),
        ] {
            assert_eq!(differences.to_string(), expected);
            assert_eq!(differences.any(), !expected.is_empty());
            let mut bytes = Vec::new();
            differences.write(&mut bytes);
            assert_eq!(bytes.len(), Differences::LEN);
            assert_eq!(Differences::read(&bytes), Some(differences));
        }
    }
}
