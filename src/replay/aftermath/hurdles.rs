//! Which other half-moves before a refused one could have made it legal, told without playing them.
//!
//! In: the boards of the half-moves before, from the last one back. Out: whether another move than
//! the game's, at one of them, has anything to do with what stands in the way of the refused move.
//!
//! Nothing is lost, if all words from there on are in the standard's form:
//!
//! - The words behind the other move name the pieces and the squares where they land. So where a
//!   piece of one kind and side can stand before the refused move, one has stood in the game too, at
//!   some time since; but for the piece that the other move itself brings somewhere.
//! - A piece that stands still in the game since then, and that no word can name, as none of its
//!   kind and side has that piece in its reach, stands still behind the other move too; unless that
//!   move begins or ends on its square. What captured it would land on its square in the game as
//!   well.
//!
//! So the other move must bring a piece of the refused kind into its reach, or it must begin or end
//! on each of the ways that are barred by pieces that stand still.

use shakmaty::{Bitboard, Color, Role, Square};

use crate::replay::fast::{BoardMove, CompactBoard, NamedMove, between, reach};

/// What stands in the way of the refused move.
pub struct Hurdles {
    by: Color,
    role: Role,
    /// Where the move can begin on an empty board.
    origins: Bitboard,
    to: Square,
    is_push: bool,
    /// The board of the refused move.
    board: CompactBoard,
    /// Where a piece of its kind has stood since.
    stood: Bitboard,
    /// Squares whose piece has moved since, or can be named by a word.
    restless: Bitboard,
}

impl Hurdles {
    /// `None` for castling, which needs more.
    pub fn of(board: &CompactBoard, refused: &NamedMove) -> Option<Hurdles> {
        let by = board.turn();
        let (role, origins) = refused.origins(by)?;
        let (to, is_push) = match *refused {
            NamedMove::Piece { to, .. } => (to, false),
            NamedMove::Pawn { to, captures, .. } => (to, !captures),
            NamedMove::Castle(_) | NamedMove::Never => return None,
        };
        Some(Hurdles {
            by,
            role,
            origins,
            to,
            is_push,
            board: *board,
            stood: board.of_side(role, by),
            restless: Bitboard::EMPTY,
        })
    }

    /// Goes one half-move back, to one that was played so; `next` is the word behind it, unless
    /// that is the refused one.
    pub fn go_back(&mut self, board: &CompactBoard, m: BoardMove, next: Option<&NamedMove>) {
        self.stood |= board.of_side(self.role, self.by);
        self.restless |= Bitboard::from(m.from()) | m.to();
        match m {
            BoardMove::EnPassant { from, to } => {
                self.restless.add(Square::from_coords(to.file(), from.rank()));
            }
            BoardMove::Castle { king, .. } => self.restless |= Bitboard::from(king.rank()),
            BoardMove::Piece { .. } | BoardMove::Pawn { .. } => {}
        }
        if let Some(next) = next {
            let by = !board.turn();
            self.restless |= match next.origins(by) {
                Some((role, origins)) => origins & self.board.of_side(role, by),
                None => Bitboard::from(by.backrank()),
            };
        }
    }

    /// Whether a move that is spelled nearly like this one, in its place, may help.
    pub fn may_fall(&self, board: &CompactBoard, m: BoardMove) -> bool {
        // Castling is near to all castling, and to moves of the king. A capture in passing takes from
        // a third square.
        if m.role() == Role::King || board.can_capture_in_passing() {
            return true;
        }
        let steady = self.board.occupied() & !self.restless;
        let mut barred = Bitboard::EMPTY;
        let target = Bitboard::from(self.to)
            & if self.is_push {
                steady
            } else {
                steady & (self.board.of_color(self.by) | self.board.kings())
            };
        for from in self.stood & self.origins {
            let bars = steady & between(from, self.to) | target;
            if bars.is_empty() {
                return true;
            }
            barred |= bars;
        }
        // A near spelling names the same piece or the same square.
        let us = board.turn();
        let same_piece = board.of_side(m.role(), us);
        let same_square = board.attackers(m.to(), us) | board.of_side(Role::Pawn, us);
        if barred.intersects((same_piece | same_square) & board.ours()) {
            return true;
        }
        if (barred & board.theirs()).into_iter().any(|square| {
            m.role() == Role::Pawn || board.attackers(square, us).intersects(same_piece)
        }) {
            return true;
        }
        if us != self.by {
            return false;
        }
        // A piece of the refused kind, where it is not in the game.
        match (self.role, m.promotion()) {
            (_, Some(_)) => true,
            (Role::Pawn, _) => m.role() == Role::Pawn || self.origins.contains(m.to()),
            (role, _) if role == m.role() => same_piece.into_iter().any(|from| {
                (reach(role, from) & self.origins & !board.ours())
                    .into_iter()
                    .any(|to| between(from, to).is_disjoint(board.occupied()))
            }),
            (role, _) => {
                let brings = board.attackers(m.to(), us).intersects(board.of_side(role, us));
                self.origins.contains(m.to()) && brings
            }
        }
    }
}
