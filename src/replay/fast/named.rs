//! Moves as they are written, found and played on the fast lane's board.
//!
//! In: the words of a line, read once. Out: of each the one legal move that it names on a board, as
//! [`resolve`](crate::replay::resolve) finds it on shakmaty's.

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, Color, Move, Role, Square, attacks};

use super::board::{BoardMove, CompactBoard};
use super::geometry::reach;

/// A move as it is written, in the board's terms. The mark of a capture is not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedMove {
    /// Of a piece that stands on one of these squares.
    Piece {
        role: Role,
        origin: Bitboard,
        to: Square,
    },
    /// A push, or a capture where it names another file than that of its target.
    Pawn {
        captures: bool,
        origin: Bitboard,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(CastlingSide),
    /// Nothing that is ever legal.
    Never,
}

impl From<San> for NamedMove {
    fn from(san: San) -> NamedMove {
        match san {
            San::Normal { promotion: Some(Role::Pawn | Role::King), .. } => NamedMove::Never,
            San::Normal { role: Role::Pawn, file, rank, to, promotion, .. } => NamedMove::Pawn {
                captures: file.is_some_and(|file| file != to.file()),
                origin: file.map_or(Bitboard::FULL, Bitboard::from_file)
                    & rank.map_or(Bitboard::FULL, Bitboard::from_rank),
                to,
                promotion,
            },
            San::Normal { role, file, rank, to, promotion: None, .. } => NamedMove::Piece {
                role,
                origin: file.map_or(Bitboard::FULL, Bitboard::from_file)
                    & rank.map_or(Bitboard::FULL, Bitboard::from_rank),
                to,
            },
            San::Castle(side) => NamedMove::Castle(side),
            San::Normal { .. } | San::Put { .. } | San::Null => NamedMove::Never,
        }
    }
}

impl NamedMove {
    /// The piece, and where it can come from on an empty board; `None` for castling.
    pub fn origins(&self, by: Color) -> Option<(Role, Bitboard)> {
        match *self {
            NamedMove::Piece { role, origin, to } => Some((role, reach(role, to) & origin)),
            NamedMove::Pawn { captures: true, origin, to, .. } => {
                Some((Role::Pawn, attacks::pawn_attacks(!by, to) & origin))
            }
            NamedMove::Pawn { origin, to, .. } => {
                let back = by.fold_wb(-8, 8);
                let behind = to.offset(back);
                let double = behind.and_then(|square| square.offset(back));
                let pushes = behind.into_iter().chain(double).collect::<Bitboard>();
                Some((Role::Pawn, pushes & origin))
            }
            NamedMove::Castle(_) | NamedMove::Never => None,
        }
    }
}

impl CompactBoard {
    /// The one legal move that is named so; `None` where none or several fit.
    #[inline]
    pub fn find(&self, named: &NamedMove) -> Option<BoardMove> {
        match *named {
            NamedMove::Piece { role, origin, to } => {
                let from = self.find_piece(role, origin, to)?;
                Some(BoardMove::Piece { role, from, to })
            }
            NamedMove::Pawn { captures, origin, to, promotion } => {
                let us = self.turn();
                let is_last = to.rank() == (!us).backrank();
                if is_last != promotion.is_some() || to.rank() == us.backrank() {
                    return None;
                }
                let from = if captures {
                    (self.pawns_attacking(to) & origin).first()
                } else {
                    self.pushed_from(to).filter(|from| origin.contains(*from))
                };
                let from = from.filter(|_| !self.kings().contains(to))?;
                if captures && !self.theirs().contains(to) {
                    let in_passing =
                        self.was_jumped_over(to) && self.keeps_king_safe_in_passing(from, to);
                    return in_passing.then_some(BoardMove::EnPassant { from, to });
                }
                self.keeps_king_safe(Role::Pawn, from, to).then_some(BoardMove::Pawn {
                    from,
                    to,
                    promotion,
                })
            }
            NamedMove::Castle(side) => {
                let (king, rook) = self.castling(side)?;
                Some(BoardMove::Castle { king, rook })
            }
            NamedMove::Never => None,
        }
    }

    /// Where the only piece stands (no pawn), of those on these squares, that can legally go to a
    /// square.
    #[inline(always)]
    pub fn find_piece(&self, role: Role, origin: Bitboard, to: Square) -> Option<Square> {
        if (self.ours() | self.kings()).contains(to) {
            return None;
        }
        let reaching = self.reaching(role, to, origin);
        match reaching.single_square() {
            Some(from) => self.keeps_king_safe(role, from, to).then_some(from),
            None => self.only_legal(role, to, reaching),
        }
    }

    /// Of several pieces that reach a square the only one that may go there.
    #[inline(never)]
    fn only_legal(&self, role: Role, to: Square, reaching: Bitboard) -> Option<Square> {
        let legal = |from: &Square| self.keeps_king_safe(role, *from, to);
        reaching.into_iter().filter(legal).collect::<Bitboard>().single_square()
    }

    /// Plays a legal move.
    #[inline]
    pub fn play(&mut self, m: BoardMove) {
        match m {
            BoardMove::Piece { role, from, to } => {
                self.play_piece(role, from, to);
            }
            BoardMove::Pawn { from, to, promotion } => self.play_pawn(from, to, promotion),
            BoardMove::EnPassant { from, to } => self.play_in_passing(from, to),
            BoardMove::Castle { king, rook } => self.play_castling(king, rook),
        }
    }

    /// Whether this side has no piece that could make the move on an empty board.
    pub fn is_out_of_reach(&self, named: &NamedMove, by: Color) -> bool {
        match *named {
            NamedMove::Castle(side) => self.castling_rook(by, side).is_none(),
            _ => named
                .origins(by)
                .is_none_or(|(role, origins)| self.of_side(role, by).is_disjoint(origins)),
        }
    }
}

impl BoardMove {
    pub fn role(&self) -> Role {
        match *self {
            BoardMove::Piece { role, .. } => role,
            BoardMove::Pawn { .. } | BoardMove::EnPassant { .. } => Role::Pawn,
            BoardMove::Castle { .. } => Role::King,
        }
    }

    pub fn from(&self) -> Square {
        match *self {
            BoardMove::Piece { from, .. }
            | BoardMove::Pawn { from, .. }
            | BoardMove::EnPassant { from, .. } => from,
            BoardMove::Castle { king, .. } => king,
        }
    }

    /// In castling the rook's square.
    pub fn to(&self) -> Square {
        match *self {
            BoardMove::Piece { to, .. }
            | BoardMove::Pawn { to, .. }
            | BoardMove::EnPassant { to, .. } => to,
            BoardMove::Castle { rook, .. } => rook,
        }
    }

    pub fn promotion(&self) -> Option<Role> {
        match *self {
            BoardMove::Pawn { promotion, .. } => promotion,
            _ => None,
        }
    }

    /// `None` for a piece that is put on the board, which chess does not have.
    pub fn of(m: Move) -> Option<BoardMove> {
        Some(match m {
            Move::Normal { role: Role::Pawn, from, to, promotion, .. } => {
                BoardMove::Pawn { from, to, promotion }
            }
            Move::Normal { role, from, to, .. } => BoardMove::Piece { role, from, to },
            Move::EnPassant { from, to } => BoardMove::EnPassant { from, to },
            Move::Castle { king, rook } => BoardMove::Castle { king, rook },
            Move::Put { .. } => return None,
        })
    }

    /// On which side it castles, if it does.
    pub fn castling_side(&self) -> Option<CastlingSide> {
        match *self {
            BoardMove::Castle { king, rook } => {
                Some(CastlingSide::from_king_side(king.file() < rook.file()))
            }
            _ => None,
        }
    }
}
