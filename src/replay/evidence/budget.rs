//! What may go into evidence in one game, so that a hostile one costs no more than its bytes.

use super::MOST_TRIES;

/// Counts down while the rest of a game is replayed. One unit is about one plain move.
#[derive(Debug)]
pub struct Budget {
    left: usize,
    /// Goes into words that are several moves run together.
    pub tries: usize,
}

impl Budget {
    /// Even of the shortest game, so much.
    const LEAST: usize = 4 * 1024;
    /// A rest of 100 moves, held against four pieces, takes 1,000 units; its game has as many
    /// bytes. A game with a doubt in every tenth word can ask so much of each.
    const A_BYTE: usize = 16;
    const MOST: usize = 256 * 1024;

    /// For a game of so many bytes.
    pub fn of_game(bytes: usize) -> Budget {
        let left = bytes.saturating_mul(Budget::A_BYTE).clamp(Budget::LEAST, Budget::MOST);
        let tries = bytes.saturating_mul(Budget::A_BYTE).clamp(1024, MOST_TRIES);
        Budget { left, tries }
    }

    /// Whether so much was left; it is taken.
    pub fn take(&mut self, units: usize) -> bool {
        match self.left.checked_sub(units) {
            Some(left) => self.left = left,
            None => self.left = 0,
        }
        self.left > 0
    }
}
