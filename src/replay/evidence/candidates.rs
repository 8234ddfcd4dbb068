//! A set of the readings of one move.

/// Which readings of a move are still in question, by their place in a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Candidates(u32);

impl Candidates {
    pub const NONE: Candidates = Candidates(0);
    /// No more readings than this are told apart; nine queens that all reach one square are less.
    pub const MOST: usize = 32;

    pub fn all(count: usize) -> Candidates {
        Candidates((0..count.min(Candidates::MOST)).fold(0, |bits, index| bits | 1 << index))
    }

    pub fn one(index: usize) -> Candidates {
        Candidates(1u32.checked_shl(u32::try_from(index).unwrap_or(u32::MAX)).unwrap_or(0))
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn and(self, other: Candidates) -> Candidates {
        Candidates(self.0 & other.0)
    }

    pub fn or(self, other: Candidates) -> Candidates {
        Candidates(self.0 | other.0)
    }

    pub fn without(self, other: Candidates) -> Candidates {
        Candidates(self.0 & !other.0)
    }

    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..Candidates::MOST).filter(move |&index| !self.and(Candidates::one(index)).is_empty())
    }
}
