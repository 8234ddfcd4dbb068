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
/// where the tags of a game and of its beginning contradict each other: ten moves each.
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
    const LEN: usize = 12 + 1 + Place::LEN + 4 + Differences::LEN;

    fn to_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(Repeat::LEN);
        bytes.extend_from_slice(&self.text.to_be_bytes());
        bytes.extend_from_slice(&self.offset.to_be_bytes());
        bytes.push(u8::from(self.kind == Kind::Begins));
        self.other.write(&mut bytes);
        bytes.extend_from_slice(&self.plies.to_be_bytes());
        self.differences.write(&mut bytes);
        bytes
    }

    pub fn read(bytes: &[u8]) -> Option<Repeat> {
        let (text, bytes) = bytes.split_first_chunk()?;
        let (offset, bytes) = bytes.split_first_chunk()?;
        let (&begins, bytes) = bytes.split_first()?;
        let (other, bytes) = bytes.split_at_checked(Place::LEN)?;
        let (plies, bytes) = bytes.split_first_chunk()?;
        Some(Repeat {
            text: u32::from_be_bytes(*text),
            offset: u64::from_be_bytes(*offset),
            kind: if begins == 1 { Kind::Begins } else { Kind::Repeats },
            other: Place::read(other)?,
            plies: u32::from_be_bytes(*plies),
            differences: Differences::read(bytes)?,
        })
    }
}

/// Whether a game of so many half-moves is told as the beginning of another.
pub fn is_told(kind: Kind, plies: usize, facts: Facts, differences: Differences) -> bool {
    let doubtful = facts.anonymous || (kind == Kind::Begins && differences.any());
    plies >= NO_COINCIDENCE || !doubtful
}

/// # Errors
/// Those of the temporary files.
pub fn search(mut records: Sorted, mut repeats: Sorter) -> io::Result<Sorted> {
    let mut group = Vec::new();
    let mut moves: Vec<u8> = Vec::new();
    let mut lines = Lines::default();
    while let Some(bytes) = records.next()? {
        let record = Record::read(bytes).ok_or(io::ErrorKind::InvalidData)?;
        let game = Game { place: record.place, facts: record.facts, plies: record.plies() };
        if record.group != group {
            lines.close(0, &mut repeats)?;
            group.clear();
            group.extend_from_slice(record.group);
            moves.clear();
        } else if record.moves == moves {
            lines.repeat(game, &mut repeats)?;
            continue;
        } else {
            let shared = moves.iter().zip(record.moves).take_while(|(a, b)| a == b).count();
            lines.close(shared / 2, &mut repeats)?;
        }
        lines.open(game);
        moves.clear();
        moves.extend_from_slice(record.moves);
    }
    lines.close(0, &mut repeats)?;
    drop(records);
    repeats.finish()
}

/// The present game, and the games whose moves are a beginning of its moves, shortest first: of
/// equal games, the first.
#[derive(Debug, Default)]
struct Lines(Vec<Line>);

#[derive(Debug)]
struct Line {
    game: Game,
    /// The longest game so far that goes on with its moves.
    longest: Option<Game>,
}

impl Lines {
    fn open(&mut self, game: Game) {
        self.meet(game);
        self.0.push(Line { game, longest: None });
    }

    /// Another game with the moves of the present one.
    fn repeat(&mut self, game: Game, repeats: &mut Sorter) -> io::Result<()> {
        self.meet(game);
        let first = self.0.last().and_then(|line| game.to(Kind::Repeats, line.game));
        first.map_or(Ok(()), |first| repeats.push(&first.to_bytes()))
    }

    /// Shows a game to the short ones that it may go on from, which are picky: fewer than
    /// [`NO_COINCIDENCE`]. The others hear of it when it is closed.
    fn meet(&mut self, game: Game) {
        for line in self.0.iter_mut().take_while(|line| line.game.plies < NO_COINCIDENCE) {
            if line.game.plies < game.plies && line.game.to(Kind::Begins, game).is_some() {
                line.take(game);
            }
        }
    }

    /// Leaves the games of more half-moves than these, with which nothing more goes on.
    fn close(&mut self, plies: usize, repeats: &mut Sorter) -> io::Result<()> {
        while let Some(Line { game, longest }) = self.0.pop_if(|line| line.game.plies > plies) {
            if let Some(shorter) = self.0.last_mut()
                && shorter.game.plies >= NO_COINCIDENCE
            {
                shorter.take(longest.unwrap_or(game));
            }
            if let Some(repeat) = longest.and_then(|longest| game.to(Kind::Begins, longest)) {
                repeats.push(&repeat.to_bytes())?;
            }
        }
        Ok(())
    }
}

impl Line {
    /// Of games of one length the first one stays.
    fn take(&mut self, longer: Game) {
        if self.longest.is_none_or(|longest| longest.plies < longer.plies) {
            self.longest = Some(longer);
        }
    }
}

/// What is kept of a record.
#[derive(Clone, Copy, Debug)]
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
    use std::cmp::Reverse;

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
            let length = |other: usize| games[other].1.len();
            let first = |&other: &usize| (Reverse(length(other)), &games[other].1, other);
            if let Some(other) = longer.min_by_key(first) {
                expected.push((at, Kind::Begins, other));
            }
        }
        expected
    }

    fn game() -> impl Strategy<Value = Played> {
        // Few players, moves and days, so that games meet.
        let moves = prop_oneof![
            prop::collection::vec(1u8..3, 1..5),
            prop::collection::vec(1u8..3, 0..5).prop_map(|tail| [vec![1; 18], tail].concat()),
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
    fn of_a_row_of_ever_longer_games_each_is_told_with_the_longest() {
        let games: Vec<Played> = [3, 1, 2, 3].map(|plies| (1, vec![1; plies], 0)).to_vec();
        let expected = [(1, Kind::Begins, 0), (2, Kind::Begins, 0), (3, Kind::Repeats, 0)];
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
    fn a_short_beginning_of_another_day_is_a_game_of_its_own_and_a_repetition_is_told_all_the_same()
    {
        let (monday, tuesday) = (1, 2);
        for (plies, count) in [(NO_COINCIDENCE - 1, 0), (NO_COINCIDENCE, 1)] {
            let games = [(1, vec![1; plies], monday), (1, vec![1; 30], tuesday)];
            assert_eq!(told(&games).len(), count, "{plies}");
        }
        let repeats = found(&[(1, vec![1; 9], monday), (1, vec![1; 9], tuesday)], 1 << 20);
        assert!(repeats[0].kind == Kind::Repeats && repeats[0].differences.date);
    }
}
