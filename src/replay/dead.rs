//! Dead positions: a position comes in, and out goes whether a series of legal moves can still let
//! a side mate (FIDE Laws 2023, 5.2.2, 6.9, 7.5.5).
//!
//! What is called dead is proved: by the bare material, or by a wall of pawns that nothing can ever
//! break ([`wall`]). The other way nothing is promised: a position that is not called dead may be
//! dead all the same. docs/draws.md shows both kinds on the board.

mod wall;

use shakmaty::{Bitboard, Board, Chess, Color, Position};

use wall::ClosedWall;

/// Why a position is dead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadPosition {
    /// King against king, king and one minor piece against king, or kings with bishops of one
    /// square colour only, however many and whosever they are.
    BareMaterial,
    /// Pawns that can never move or be captured, and kings and bishops that cannot mate.
    ClosedWall,
}

impl DeadPosition {
    /// What is seen on the board, to stand before a comma.
    pub const fn as_str(self) -> &'static str {
        match self {
            DeadPosition::BareMaterial => "with the material left",
            DeadPosition::ClosedWall => "behind a wall of pawns that nothing can break",
        }
    }
}

/// Whether it is proved that neither side can mate, however both play, and by what.
///
/// Not dead by material, since helpmates exist: two knights, a knight against any minor piece,
/// bishops on both colours.
///
/// ```
/// use pgn_arbiter::replay::{DeadPosition, dead_position};
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let fen: Fen = "8/8/4k3/8/3N4/8/4K3/8 b - - 0 80".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert_eq!(dead_position(&position), Some(DeadPosition::BareMaterial));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn dead_position(position: &Chess) -> Option<DeadPosition> {
    let board = position.board();
    if !may_be_dead(board) {
        return None;
    }
    if board.pawns().is_empty() {
        return is_bare(board).then_some(DeadPosition::BareMaterial);
    }
    let wall = ClosedWall::find(position)?;
    (wall.keeps_from_mate(Color::White) && wall.keeps_from_mate(Color::Black))
        .then_some(DeadPosition::ClosedWall)
}

/// Whether a position can be dead at all, as far as its pieces tell: nearly every one of a game has
/// a rook or a queen.
#[inline]
pub fn may_be_dead(board: &Board) -> bool {
    board.rooks_and_queens().is_empty()
}

/// Whether it is proved that no series of legal moves lets `color` mate: by its material and what
/// the opponent has to block his own king, or by a closed wall.
///
/// ```
/// use pgn_arbiter::replay::cannot_mate;
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let fen: Fen = "8/8/4k3/8/3N4/8/4K3/7q b - - 0 80".parse()?;
/// let position: Chess = fen.into_position(CastlingMode::Standard)?;
/// assert!(cannot_mate(&position, Color::White));
/// assert!(!cannot_mate(&position, Color::Black));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub fn cannot_mate(position: &Chess, color: Color) -> bool {
    position.has_insufficient_material(color)
        || ClosedWall::find(position).is_some_and(|wall| wall.keeps_from_mate(color))
}

/// Whether a board without pawns, rooks and queens has material with which nobody can mate.
fn is_bare(board: &Board) -> bool {
    let (knights, bishops) = (board.knights(), board.bishops());
    if knights.any() {
        return !knights.more_than_one() && bishops.is_empty();
    }
    bishops.is_subset(Bitboard::DARK_SQUARES) || bishops.is_subset(Bitboard::LIGHT_SQUARES)
}

#[cfg(test)]
mod tests;
