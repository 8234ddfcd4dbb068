//! Why somebody may have seen a repetition where there is none: positions that look the same.

use shakmaty::{Chess, EnPassantMode, Position};

use super::judgement::enumeration;

/// Collects the plies after which a position stood that looks like the last one, and differs from
/// it in what the Laws count (FIDE Laws 2023, 9.2.3).
#[derive(Debug)]
pub struct NearMisses<'a> {
    last: &'a Chess,
    castling: Vec<u32>,
    en_passant: Vec<u32>,
}

impl<'a> NearMisses<'a> {
    pub fn new(last: &'a Chess) -> NearMisses<'a> {
        NearMisses { last, castling: Vec::new(), en_passant: Vec::new() }
    }

    pub fn look_at(&mut self, ply: u32, position: &Chess) {
        if position.turn() != self.last.turn() || position.board() != self.last.board() {
            return;
        }
        if position.castles().castling_rights() != self.last.castles().castling_rights() {
            self.castling.push(ply);
        } else if position.ep_square(EnPassantMode::Legal)
            != self.last.ep_square(EnPassantMode::Legal)
        {
            self.en_passant.push(ply);
        }
    }

    /// What they come to, as the end of a sentence; `place` names the move of a ply.
    pub fn sentence(&self, place: impl Fn(u32) -> String) -> Option<String> {
        let list = |plies: &[u32]| {
            let places: Vec<String> = plies.iter().map(|&ply| place(ply)).collect();
            enumeration(&places)
        };
        let (plies, what) = if self.castling.is_empty() {
            (&self.en_passant, "with an en passant capture that was possible")
        } else {
            (&self.castling, "with other castling rights")
        };
        (!plies.is_empty()).then(|| format!("; it stood {what} {}", list(plies)))
    }
}
