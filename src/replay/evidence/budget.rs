//! What may go into evidence in one game, so that a hostile one costs no more than its bytes.

use super::MOST_TRIES;

/// Counts down while the rest of a game is replayed. One unit is about one plain move.
#[derive(Clone, Debug)]
pub struct Budget {
    left: usize,
    /// At the most so much was passed over without being taken.
    passed_over: usize,
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
        Budget { left, passed_over: 0, tries }
    }

    /// Whether so much was left; it is taken.
    pub fn take(&mut self, units: usize) -> bool {
        match self.left.checked_sub(units) {
            Some(left) => self.left = left,
            None => self.left = 0,
        }
        self.left > 0
    }

    /// Leaves out what would take so much at the most, and find nothing.
    pub fn pass_over(&mut self, units: usize) {
        self.passed_over += units;
    }

    /// Whether anything was left out.
    pub fn is_estimate(&self) -> bool {
        self.passed_over > 0
    }

    /// Whether something would be left if nothing had been left out, so that nothing came out
    /// otherwise for want of it.
    pub fn would_last(&self) -> bool {
        self.tries > 0 && self.left > self.passed_over
    }

    /// Whether what is left of a budget from which nothing was left out is within this estimate.
    #[cfg(test)]
    pub fn bounds(&self, counted: &Budget) -> bool {
        let least = self.left.saturating_sub(self.passed_over);
        (least..=self.left).contains(&counted.left) && self.tries == counted.tries
    }
}
