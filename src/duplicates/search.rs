//! Finds out which games repeat others.
//!
//! In: the records of all games, sorted. Out: the games that repeat another one, or begin a longer
//! one, in the order of the archive. One look at each record is enough: what can repeat a game, or
//! go on with its moves, follows it.

use std::io;

use super::facts::{Differences, Facts, Place};
use super::record::Record;
use super::sort::{Sorted, Sorter};

/// Half-moves from which on equal moves are no coincidence, where the players are not known, or
/// where a game and its beginning have other dates. Ten moves are as long as opening books are
/// followed by heart.
pub const NO_COINCIDENCE: usize = 20;

/// What a game is to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The same moves stand earlier in the archive.
    Repeats,
    /// The moves are the beginning of the other's.
    Begins,
}

/// A game that repeats another one, or begins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    pub text: u32,
    pub offset: u64,
    pub kind: Kind,
    pub other: Place,
    /// Half-moves of the other one.
    pub plies: u32,
    pub differences: Differences,
}

impl Repeat {
    const LEN: usize = 12 + 1 + Place::LEN + 4 + 1;

    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Repeat::LEN);
        bytes.extend_from_slice(&self.text.to_be_bytes());
        bytes.extend_from_slice(&self.offset.to_be_bytes());
        bytes.push(u8::from(self.kind == Kind::Begins));
        self.other.write(&mut bytes);
        bytes.extend_from_slice(&self.plies.to_be_bytes());
        bytes.push(self.differences.to_bits());
        bytes
    }

    pub fn read(bytes: &[u8]) -> Option<Repeat> {
        let (text, bytes) = bytes.split_first_chunk()?;
        let (offset, bytes) = bytes.split_first_chunk()?;
        let (&begins, bytes) = bytes.split_first()?;
        let (other, bytes) = bytes.split_at_checked(Place::LEN)?;
        let (plies, bytes) = bytes.split_first_chunk()?;
        let &[differences] = bytes else { return None };
        Some(Repeat {
            text: u32::from_be_bytes(*text),
            offset: u64::from_be_bytes(*offset),
            kind: if begins == 1 { Kind::Begins } else { Kind::Repeats },
            other: Place::read(other)?,
            plies: u32::from_be_bytes(*plies),
            differences: Differences::from_bits(differences),
        })
    }
}

/// Whether a game of so many half-moves is told as the beginning of another.
pub fn is_told(kind: Kind, plies: usize, facts: Facts, differences: Differences) -> bool {
    let doubtful = facts.anonymous || (kind == Kind::Begins && differences.date);
    plies >= NO_COINCIDENCE || !doubtful
}

/// # Errors
/// Those of the temporary files.
pub fn search(mut records: Sorted, mut repeats: Sorter) -> io::Result<Sorted> {
    let mut group = Vec::new();
    let mut moves: Vec<u8> = Vec::new();
    // The first game with the present moves.
    let mut first = Game::default();
    // Games whose moves are a beginning of the present ones, shortest first, as far as no game
    // told so far goes on with them: fewer than [`NO_COINCIDENCE`], since longer ones are told at
    // once.
    let mut open: Vec<Game> = Vec::new();
    while let Some(bytes) = records.next()? {
        let Some(record) = Record::read(bytes) else {
            return Err(io::ErrorKind::InvalidData.into());
        };
        let game = Game { place: record.place, facts: record.facts, plies: record.plies() };
        let same_group = record.group == group;
        if same_group && record.moves == moves {
            if let Some(repeat) = game.to(Kind::Repeats, first) {
                repeats.push(&repeat.to_bytes())?;
            }
        } else {
            if same_group {
                let shared = moves.iter().zip(record.moves).take_while(|(a, b)| a == b).count();
                open.truncate(open.partition_point(|game| 2 * game.plies <= shared));
            } else {
                open.clear();
                group.clear();
                group.extend_from_slice(record.group);
            }
            moves.clear();
            moves.extend_from_slice(record.moves);
            first = game;
            open.push(game);
        }
        let mut told = Ok(());
        open.retain(|begun| {
            let longer = game.plies > begun.plies;
            match begun.to(Kind::Begins, game).filter(|_| longer && told.is_ok()) {
                Some(repeat) => {
                    told = repeats.push(&repeat.to_bytes());
                    false
                }
                None => true,
            }
        });
        told?;
    }
    drop(records);
    repeats.finish()
}

/// What is kept of a record.
#[derive(Clone, Copy, Debug, Default)]
struct Game {
    place: Place,
    facts: Facts,
    plies: usize,
}

impl Game {
    /// What it is to another game, if that is told.
    fn to(self, kind: Kind, other: Game) -> Option<Repeat> {
        let differences = self.facts.differences(other.facts);
        is_told(kind, self.plies, self.facts, differences).then(|| Repeat {
            text: self.place.text,
            offset: self.place.offset,
            kind,
            other: other.place,
            plies: u32::try_from(other.plies).unwrap_or(u32::MAX),
            differences,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::record::GROUP;
    use super::*;

    /// Who plays, what is played, and on which day.
    type Played = (u8, Vec<u8>, u32);

    fn record(at: usize, (group, moves, date): &Played) -> Vec<u8> {
        let place = Place { text: 0, offset: at as u64, game: at as u64 + 1, line: 1 };
        let facts = Facts { date: *date, anonymous: *group == 0, ..Facts::default() };
        let codes: Vec<u8> = moves.iter().flat_map(|&m| [0x80 | m, m]).collect();
        let mut bytes = Vec::new();
        Record { group: &[*group; GROUP], moves: &codes, place, facts }.write(&mut bytes);
        bytes
    }

    fn found(games: &[Played], limit: usize) -> Vec<Repeat> {
        let mut records = Sorter::new(limit);
        for (at, game) in games.iter().enumerate() {
            records.push(&record(at, game)).unwrap();
        }
        let mut sorted = search(records.finish().unwrap(), Sorter::new(limit)).unwrap();
        let mut found = Vec::new();
        while let Some(bytes) = sorted.next().unwrap() {
            found.push(Repeat::read(bytes).unwrap());
        }
        found
    }

    /// Every game held against every other one.
    fn expected(games: &[Played]) -> Vec<(usize, Kind, usize)> {
        let facts = |at: usize| Facts {
            date: games[at].2,
            anonymous: games[at].0 == 0,
            ..Facts::default()
        };
        let told = |kind, at: usize, other: usize| {
            is_told(kind, games[at].1.len(), facts(at), facts(at).differences(facts(other)))
        };
        let mut expected = Vec::new();
        for (at, (group, moves, _)) in games.iter().enumerate() {
            let others = || (0..games.len()).filter(|&other| games[other].0 == *group);
            if let Some(first) = others().find(|&other| other < at && games[other].1 == *moves) {
                if told(Kind::Repeats, at, first) {
                    expected.push((at, Kind::Repeats, first));
                }
                continue;
            }
            let goes_on = |other: &usize| {
                let longer = &games[*other].1;
                longer.len() > moves.len() && longer.starts_with(moves)
            };
            let longer = others().filter(goes_on).filter(|&other| told(Kind::Begins, at, other));
            if let Some(other) = longer.min_by_key(|&other| (&games[other].1, other)) {
                expected.push((at, Kind::Begins, other));
            }
        }
        expected
    }

    fn game() -> impl Strategy<Value = Played> {
        // Few players, moves and days, so that games meet.
        let moves = prop_oneof![
            prop::collection::vec(1u8..3, 1..5),
            prop::collection::vec(1u8..3, 0..3).prop_map(|tail| [vec![1; 19], tail].concat()),
        ];
        (0u8..3, moves, 0u32..3)
    }

    proptest! {
        #[test]
        fn each_game_held_against_each_other_one_gives_the_same(
            games in prop::collection::vec(game(), 0..60),
        ) {
            let found_at = |limit| found(&games, limit);
            let all = found_at(1 << 20);
            let told: Vec<_> = all
                .iter()
                .map(|it| (it.offset as usize, it.kind, it.other.offset as usize))
                .collect();
            prop_assert_eq!(told, expected(&games));
            prop_assert_eq!(found_at(300), all, "whatever the limit of memory is");
        }
    }

    fn told(games: &[Played]) -> Vec<(u64, Kind, u64)> {
        found(games, 1 << 20).iter().map(|it| (it.offset, it.kind, it.other.offset)).collect()
    }

    #[test]
    fn of_a_row_of_ever_longer_games_each_is_told_but_the_longest() {
        let games: Vec<Played> = [3, 1, 2, 3].map(|plies| (1, vec![1; plies], 0)).to_vec();
        let expected = [(1, Kind::Begins, 2), (2, Kind::Begins, 0), (3, Kind::Repeats, 0)];
        assert_eq!(told(&games), expected);
    }

    #[test]
    fn short_games_of_players_who_are_not_known_are_no_duplicates() {
        for (plies, count) in [(NO_COINCIDENCE - 1, 0), (NO_COINCIDENCE, 1)] {
            let games = [(0, vec![1; plies], 0), (0, vec![1; plies], 0)];
            assert_eq!(told(&games).len(), count, "{plies}");
            let games = [(0, vec![1; plies], 0), (0, vec![1; 30], 0)];
            assert_eq!(told(&games).len(), count, "{plies}");
        }
    }

    #[test]
    fn a_short_beginning_of_another_day_is_a_game_of_its_own_and_a_repetition_is_told() {
        let (monday, tuesday) = (1, 2);
        for (plies, count) in [(NO_COINCIDENCE - 1, 0), (NO_COINCIDENCE, 1)] {
            let games = [(1, vec![1; plies], monday), (1, vec![1; 30], tuesday)];
            assert_eq!(told(&games).len(), count, "{plies}");
        }
        let repeats = found(&[(1, vec![1; 9], monday), (1, vec![1; 9], tuesday)], 1 << 20);
        assert!(repeats[0].kind == Kind::Repeats && repeats[0].differences.date);
    }
}
