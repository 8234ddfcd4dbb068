//! All legal moves of a position on the fast lane's board.

use shakmaty::{Bitboard, CastlingSide, Rank, Role, Square, attacks};

use super::board::{BoardMove, CompactBoard};
use super::geometry::{between, diagonal, reach, straight};

impl CompactBoard {
    /// Shows each legal move, piece by piece.
    pub fn each_legal_move(&self, mut show: impl FnMut(BoardMove)) {
        let (us, occupied) = (self.turn(), self.occupied());
        let ours = self.ours();
        let free = !(ours | self.kings());
        // Behind no check, these can uncover their king, and all others are free to go.
        let bound = if self.checkers().is_empty() { self.shields() } else { Bitboard::FULL };
        let is_legal =
            |role, from, to| !bound.contains(from) || self.keeps_king_safe(role, from, to);
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            for from in self.of_side(role, us) {
                for to in reached(role, from, occupied) & free {
                    if is_legal(role, from, to) {
                        show(BoardMove::Piece { role, from, to });
                    }
                }
            }
        }
        for from in self.of_side(Role::King, us) {
            for to in reach(Role::King, from) & free {
                if self.keeps_king_safe(Role::King, from, to) {
                    show(BoardMove::Piece { role: Role::King, from, to });
                }
            }
        }
        for from in self.of_side(Role::Pawn, us) {
            for to in self.pawn_targets(from) & free {
                if !is_legal(Role::Pawn, from, to) {
                    continue;
                }
                if to.rank() == (!us).backrank() {
                    for piece in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
                        show(BoardMove::Pawn { from, to, promotion: Some(piece) });
                    }
                } else {
                    show(BoardMove::Pawn { from, to, promotion: None });
                }
            }
        }
        if let Some(to) = self.jumped_over() {
            for from in self.pawns_attacking(to) {
                if self.keeps_king_safe_in_passing(from, to) {
                    show(BoardMove::EnPassant { from, to });
                }
            }
        }
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            if self.castling_rook(us, side).is_some()
                && let Some((king, rook)) = self.castling(side)
            {
                show(BoardMove::Castle { king, rook });
            }
        }
    }

    /// As many legal moves as there are, or a few more: moves that leave the king attacked count too.
    pub fn most_legal_moves(&self) -> usize {
        // Of the king, with castling.
        const OF_KING: usize = 10;
        const IN_PASSING: usize = 2;
        let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let of_pieces: usize = pieces.into_iter().map(|role| self.most_moves_of(role)).sum();
        of_pieces + self.most_moves_of(Role::Pawn) + IN_PASSING + OF_KING
    }

    /// The same of the pieces of one kind; of pawns without captures in passing.
    pub fn most_moves_of(&self, role: Role) -> usize {
        let of_one = |from: Square| match role {
            Role::Pawn => {
                let targets = self.pawn_targets(from);
                let last = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
                targets.count() + 3 * (targets & last).count()
            }
            _ => (reached(role, from, self.occupied()) & !self.ours()).count(),
        };
        self.of_side(role, self.turn()).into_iter().map(of_one).sum()
    }

    /// What stands alone between the king of the side to move and a piece that would attack him.
    fn shields(&self) -> Bitboard {
        let (us, occupied) = (self.turn(), self.occupied());
        let queens = self.of_side(Role::Queen, !us);
        let mut shields = Bitboard::EMPTY;
        for king in self.of_side(Role::King, us) {
            let lines = (straight(king) & (self.of_side(Role::Rook, !us) | queens))
                | (diagonal(king) & (self.of_side(Role::Bishop, !us) | queens));
            for from in lines {
                let in_the_way = between(king, from) & occupied;
                if !in_the_way.more_than_one() {
                    shields |= in_the_way;
                }
            }
        }
        shields
    }

    /// Where a pawn of the side to move can go, but for captures in passing.
    fn pawn_targets(&self, from: Square) -> Bitboard {
        let us = self.turn();
        let ahead = us.fold_wb(8, -8);
        let is_free = |to: &Square| !self.occupied().contains(*to);
        let mut targets = attacks::pawn_attacks(us, from) & self.theirs();
        if let Some(one) = from.offset(ahead).filter(is_free) {
            targets.add(one);
            let starts = from.rank() == us.fold_wb(Rank::Second, Rank::Seventh);
            if let Some(two) = one.offset(ahead).filter(|to| starts && is_free(to)) {
                targets.add(two);
            }
        }
        targets
    }
}

/// Where a piece (no pawn) goes from a square, up to the first thing in its way.
fn reached(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        _ => reach(role, from),
    }
}
