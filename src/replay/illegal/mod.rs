//! Why a move was refused: which rule it breaks, and how, in a sentence.
//!
//! In: a position and a move as it was written, which that position refuses. Out: one rule and
//! one sentence (lower case, no full stop) that names the pieces and squares it speaks of. It runs
//! for refused moves only, takes bounded time and never panics.
//!
//! A move can break several rules at once; the first that holds is told, in this order:
//!
//! 1. The game is over: M320, M321.
//! 2. A drop (M317) or a null move (M318), which the Laws do not know.
//! 3. Castling: the right is lost M304, the king is in check M305, a piece is in the way M308, the
//!    king would pass M306 or reach M307 an attacked square. What lasts comes before what passes,
//!    and what stands on the board before what is attacked. Where the king stands as if it had castled and
//!    no right is left, while the other side may castle now, it is M315 instead.
//! 4. Legal moves fit the squares: two or more M316; else the promotion, P402, P403, P401; else
//!    nothing is wrong but the capture mark, N702.
//! 5. A piece goes to the square, and its king forbids it: M303, M302, M301. A check that still
//!    stands is M302; one that the move itself lets in is M301.
//! 6. The other side, and only it, has the move: M315.
//! 7. No piece of that kind (from there) is on the board: M310.
//! 8. Nothing goes to the square: M309, M312, M313, M314, M311, M310. What concerns the square it
//!    goes to (a piece of its own on it, nothing to take) comes before what concerns the way, and
//!    the distance comes last.
//!
//! With several pieces of the kind, the one that fails by the earliest of these speaks for all.
//!
//! Squares decide, not the mark `x`, save that a pawn's own file, or an `x` without one, says that
//! it captures. `e5` is never taken for `dxe5`; the sentence says when that one would be legal.

mod castling;
mod obstacle;
mod penalty;
mod piece_move;
mod variant;
mod wording;

pub(crate) use penalty::IllegalMove;
pub(crate) use variant::why_refused_in_variant;
pub(crate) use wording::{either, noun};

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use shakmaty::san::San;
use shakmaty::{Chess, Move, Position, PositionError};

use self::piece_move::PieceMove;
use self::wording::{king, side};
use crate::diagnostics::Rule;
use crate::replay::legal_moves;
use crate::rules::moves;

/// The rule that a refused move breaks, and the reason in one sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub rule: &'static Rule,
    pub message: String,
    /// The move as a hand can make it on the board all the same, where the squares tell.
    pub attempt: Option<Move>,
}

impl Refusal {
    pub(super) fn new(rule: &'static Rule, message: impl Into<String>) -> Refusal {
        Refusal { rule, message: message.into(), attempt: None }
    }

    /// Whether nothing but the king's safety, the right to castle or the moment for taking en
    /// passant forbids the move: it looks like any other on a board.
    pub(super) fn looks_legal(&self) -> bool {
        [
            &moves::EN_PASSANT_UNAVAILABLE,
            &moves::KING_LEFT_IN_CHECK,
            &moves::CHECK_NOT_ANSWERED,
            &moves::KING_INTO_CHECK,
            &moves::CASTLING_RIGHT_LOST,
            &moves::CASTLING_OUT_OF_CHECK,
            &moves::CASTLING_THROUGH_CHECK,
            &moves::CASTLING_INTO_CHECK,
        ]
        .contains(&self.rule)
    }
}

/// Says why `position` refuses `san`, which may be illegal, ambiguous or wrongly marked.
///
/// For a move that is legal as it is written the answer means nothing.
pub fn why_refused(position: &Chess, san: &San) -> Refusal {
    if legal_moves(position).is_empty() {
        return game_over(position);
    }
    match *san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            PieceMove { role, file, rank, capture, to, promotion }.why_refused(position)
        }
        San::Castle(wing) => castling::why_refused(position, wing),
        San::Put { .. } => Refusal::new(
            &moves::UNREADABLE_MOVE,
            format!("the drop {san} puts a new piece on the board, which chess does not know"),
        ),
        San::Null => Refusal::new(
            &moves::NULL_MOVE,
            "a null move passes the turn, which the Laws do not allow",
        ),
    }
}

fn game_over(position: &Chess) -> Refusal {
    if position.is_check() {
        Refusal::new(
            &moves::MOVE_AFTER_CHECKMATE,
            format!(
                "the game ended before this move, for {} is checkmated",
                king(position, position.turn())
            ),
        )
    } else {
        Refusal::new(
            &moves::MOVE_AFTER_STALEMATE,
            format!("the game ended before this move, for {} is stalemated", side(position.turn())),
        )
    }
}

/// The position with the other side to move, where that side could play on from it.
fn with_turn_swapped(position: &Chess) -> Option<Chess> {
    // Problems have too much material, and are judged all the same (see T218).
    position.clone().swap_turn().or_else(PositionError::ignore_too_much_material).ok()
}
