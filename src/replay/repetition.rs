//! Repetitions: the moves of a game come in, one by one, and out goes how often the position now
//! on the board has stood (FIDE Laws 2023, 9.2.3).
//!
//! Two positions are the same when the same pieces stand on the same squares, the same player has
//! the move, and the possible moves are the same: no en passant capture that one of them allowed
//! (9.2.3.1; only a *legal* capture counts, not one by a pinned pawn), no castling right that was
//! lost between them (9.2.3.2; lost only when the king or that rook has moved or was captured: a
//! check, or an attacked square on the way, takes no right). The start position counts, a set-up
//! one too.
//!
//! A pawn move, a capture and the loss of a castling right cannot be undone, so nothing before
//! them is ever compared. Between them only pieces move, and a position is told by what has
//! moved since: the key is 0 after an irreversible move, and each move adds (exclusive or) the
//! random numbers of its piece on the square it left and on the one it reached. Neither rights,
//! nor the side to move (each has its list), nor the position itself have to be hashed, and
//! starting a game costs nothing. A position with a legal en passant capture is not listed at
//! all, since it cannot stand again.
//!
//! Two different positions share a key with a chance of 2^-64. A hundred moves without a pawn move
//! or a capture compare some 10,000 pairs, which makes one false repetition in about 10^15 such
//! stretches. Keys are fixed, so that every run gives the same answer; whoever composes a game to
//! make them collide gets a false repetition and nothing worse.
//!
//! Measured (Xeon, Rust 1.95, processor time, least of 15 rounds): 8 ns a ply over the board
//! (5.0 million plies) and 10 ns in engine games of Chess960 (3.3 million), where making the move
//! on the board takes 17 ns.

use std::collections::HashMap;

use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position, Role, Square};

/// Counts how often each position of a game stood. Made once and used for game after game; nothing
/// is allocated anew until a game goes on for hundreds of plies without an irreversible move.
#[derive(Debug, Default)]
pub struct Repetitions {
    rights: Bitboard,
    /// What has moved since the last irreversible move.
    key: u64,
    /// By the side to move.
    seen: ByColor<Seen>,
}

impl Repetitions {
    /// Forgets the game before. `position` is where the new one starts; it stands the first time.
    pub fn start(&mut self, position: &Chess) {
        self.irreversible(
            position.turn(),
            position.castles().castling_rights(),
            position.legal_ep_square().is_some(),
        );
    }

    /// How often `position` has stood, this time included, where `m` is the legal move that led
    /// to it from the position of the call before.
    ///
    /// After anything else, such as a null move, call [`start`](Repetitions::start).
    pub fn played(&mut self, m: Move, position: &Chess) -> u32 {
        match m {
            Move::Normal { role, from, capture: None, to, .. }
                if role != Role::Pawn && position.castles().castling_rights() == self.rights =>
            {
                self.moved(position.turn(), role, from, to)
            }
            _ => {
                self.start(position);
                1
            }
        }
    }

    /// How often the position has stood, this time included, that a piece has moved into without
    /// a capture or the loss of a right, where `turn` now has the move.
    #[inline(always)]
    pub fn moved(&mut self, turn: Color, role: Role, from: Square, to: Square) -> u32 {
        self.key ^= piece_key(!turn, role, from) ^ piece_key(!turn, role, to);
        self.seen.get_mut(turn).occurrences(self.key)
    }

    /// The position that a move has led to which nothing can undo, where `turn` now has the move:
    /// it stands the first time, and with a legal capture in passing also the last.
    #[inline(always)]
    pub fn irreversible(&mut self, turn: Color, rights: Bitboard, can_capture_in_passing: bool) {
        self.seen.get_mut(!turn).restart(false);
        self.seen.get_mut(turn).restart(!can_capture_in_passing);
        self.rights = rights;
        self.key = 0;
    }
}

impl Repetitions {
    /// How often the position would stand that a legal move leads to, that time included. `after`
    /// is that position; nothing is added.
    pub fn would_stand(&self, m: Move, after: &Chess) -> u32 {
        match m {
            Move::Normal { role, from, capture: None, to, .. }
                if role != Role::Pawn && after.castles().castling_rights() == self.rights =>
            {
                let turn = after.turn();
                let key = self.key ^ piece_key(!turn, role, from) ^ piece_key(!turn, role, to);
                1 + self.seen.get(turn).count(key)
            }
            _ => 1,
        }
    }

    /// How many half-moves ago the last position, with this side to move, stood: the latest time,
    /// which is 0, first. Not more of them are told than some 250 half-moves back.
    pub fn half_moves_ago(&self, turn: Color) -> impl Iterator<Item = u32> {
        let recent = self.seen.get(turn).recent();
        let last = recent.last().copied();
        let from_last = recent.iter().rev().zip((0..).step_by(2));
        from_last.filter(move |(key, _)| Some(**key) == last).map(|(_, ago)| ago)
    }

    /// Whether the last position, with this side to move, stood five times on consecutive
    /// alternate moves of a player, as the Laws of 2014 asked for.
    pub fn five_in_a_row(&self, turn: Color) -> bool {
        self.half_moves_ago(turn).take(5).eq([0, 4, 8, 12, 16])
    }
}

/// Keys of one side's positions since the last irreversible move.
#[derive(Debug)]
struct Seen {
    recent: [u64; Seen::RECENT],
    /// How many there are.
    len: usize,
    /// Which values their last six bits have: nearly every new key differs from all of them there.
    ends: u64,
    /// Counts of what was too much for `recent`.
    older: HashMap<u64, u32>,
}

impl Seen {
    /// More positions than 75 moves give, so that only games without that rule (FIDE 9.6.2) get
    /// beyond it. Comparing with all of a longer list would take time quadratic in its length.
    const RECENT: usize = 128;

    /// Adds a key and says how often it is there now.
    #[inline(always)]
    fn occurrences(&mut self, key: u64) -> u32 {
        let end = 1 << (key % 64);
        let times = if self.ends & end == 0 { 1 } else { 1 + self.count(key) };
        if self.len == Seen::RECENT {
            self.put_away();
        }
        // The modulus says to the compiler what the line above says to the reader.
        self.recent[self.len % Seen::RECENT] = key;
        self.len += 1;
        self.ends |= end;
        times
    }

    /// How often a key is there.
    #[inline(never)]
    fn count(&self, key: u64) -> u32 {
        let recent = self.recent().iter().map(|&earlier| u32::from(earlier == key)).sum::<u32>();
        recent + self.older.get(&key).copied().unwrap_or(0)
    }

    fn recent(&self) -> &[u64] {
        &self.recent[..self.len.min(Seen::RECENT)]
    }

    #[cold]
    fn put_away(&mut self) {
        for &key in &self.recent[..self.len] {
            *self.older.entry(key).or_default() += 1;
        }
        self.len = 0;
    }

    /// Forgets all keys; then the key 0 is the first, or there is none.
    #[inline(always)]
    fn restart(&mut self, listed: bool) {
        self.recent[0] = 0;
        self.len = usize::from(listed);
        self.ends = u64::from(listed);
        if !self.older.is_empty() {
            // Gives the memory back: one endless game must not burden all that follow.
            self.older = HashMap::new();
        }
    }
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { recent: [0; Seen::RECENT], len: 0, ends: 0, older: HashMap::new() }
    }
}

fn piece_key(color: Color, role: Role, square: Square) -> u64 {
    KEYS[color as usize][role as usize - 1][square.to_usize()]
}

static KEYS: [[[u64; 64]; 6]; 2] = {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut state: u64 = 0;
    let mut index = 0;
    while index < 2 * 6 * 64 {
        // SplitMix64 (Steele, Lea and Flood 2014).
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[index / 384][index / 64 % 6][index % 64] = mixed ^ (mixed >> 31);
        index += 1;
    }
    keys
};

#[cfg(test)]
mod tests;
