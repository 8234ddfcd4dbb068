//! A game as a string of bytes, made so that sorting brings together what is to be compared.
//!
//! First the players, rules and start position, then the moves, then the place: games with the
//! same moves stand side by side in the order of the archive, and a game stands before all that
//! go on with its moves.

use super::facts::{Facts, Place};

/// A hash of players, rules and start position. With 128 bits no two of them meet by chance.
pub const GROUP: usize = 16;

/// Behind the moves: two bytes that are no move, the place and the facts.
const TAIL: usize = 2 + Place::LEN + Facts::LEN;

/// A game that can be compared with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    pub group: &'a [u8],
    /// Two bytes for each half-move.
    pub moves: &'a [u8],
    pub place: Place,
    pub facts: Facts,
}

impl<'a> Record<'a> {
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.group);
        out.extend_from_slice(self.moves);
        out.extend_from_slice(&[0, 0]);
        self.place.write(out);
        self.facts.write(out);
    }

    /// `None` for bytes that [`write`](Record::write) did not make.
    pub fn read(bytes: &'a [u8]) -> Option<Record<'a>> {
        let (group, rest) = bytes.split_at_checked(GROUP)?;
        let (moves, tail) = rest.split_at_checked(rest.len().checked_sub(TAIL)?)?;
        let (place, facts) = tail[2..].split_at_checked(Place::LEN)?;
        Some(Record { group, moves, place: Place::read(place)?, facts: Facts::read(facts)? })
    }

    pub fn plies(&self) -> usize {
        self.moves.len() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(group: u8, moves: &[u8], offset: u64) -> Vec<u8> {
        let place = Place { text: 1, offset, game: 3, line: 4 };
        let facts = Facts { date: 5, result: 1, round: 9, anonymous: true, ..Facts::default() };
        let record = Record { group: &[group; GROUP], moves, place, facts };
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        assert_eq!(Record::read(&bytes), Some(record));
        bytes
    }

    #[test]
    fn the_order_of_bytes_is_that_of_players_moves_and_places() {
        let (e4, e5, high) = ([0x83, 0x1c], [0x8d, 0x24], [0xff, 0xff]);
        let sorted = [
            bytes(1, &e4, 7),
            bytes(1, &e4, 700),
            bytes(1, &[e4, e5].concat(), 0),
            bytes(1, &[e4, high].concat(), 0),
            bytes(1, &e5, 0),
            bytes(2, &e4, 0),
        ];
        assert!(sorted.is_sorted());
    }

    #[test]
    fn what_is_too_short_is_no_record() {
        let whole = bytes(1, &[], 0);
        for len in 0..whole.len() {
            assert_eq!(Record::read(&whole[..len]), None);
        }
    }
}
