//! How pieces, sides and origins are named in a sentence.

use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Rank, Role, Square};

/// `the knight on c6`
pub(super) fn piece_on(board: &Board, square: Square) -> String {
    match board.role_at(square) {
        Some(role) => format!("the {} on {square}", noun(role)),
        None => format!("the empty square {square}"),
    }
}

/// `the king on e8`
pub(super) fn king(position: &Chess, color: Color) -> String {
    match position.board().king_of(color) {
        Some(square) => format!("the king on {square}"),
        None => format!("the {color} king"),
    }
}

/// The piece to name where several attack: another king only if it is the only one, for a piece
/// that guards a square says more.
pub(super) fn spokesman(board: &Board, attackers: Bitboard) -> Option<Square> {
    (attackers & !board.kings()).first().or(attackers.first())
}

pub(crate) fn noun(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

pub(super) fn side(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

/// ` on b3`, ` on the b-file`, ` on rank 3`, or nothing.
pub(super) fn origin(file: Option<File>, rank: Option<Rank>) -> String {
    match (file, rank) {
        (Some(file), Some(rank)) => format!(" on {file}{rank}"),
        (Some(file), None) => format!(" on the {file}-file"),
        (None, Some(rank)) => format!(" on rank {rank}"),
        (None, None) => String::new(),
    }
}

/// `Nbd2, Nfd2 or N1d2`
pub(crate) fn either(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
