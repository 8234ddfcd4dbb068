//! Why castling was refused.
//!
//! FIDE Laws 2023, 3.8.2: the right may be lost for good, or castling prevented for now. In
//! Chess960 (Guidelines II) the king's way and the rook's way both count, and the right names its
//! rook: of two rooks on one wing, the one that an X-FEN means is the outer one.

use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, File, Move, Position, Role, Square, attacks,
};

use super::wording::{king, piece_on, side, spokesman};
use super::{Refusal, with_turn_swapped};
use crate::rules::moves;

/// Castling as it was meant: by this king with this rook.
struct Attempt<'a> {
    position: &'a Chess,
    us: Color,
    wing: CastlingSide,
    king: Square,
    rook: Square,
}

pub(super) fn why_refused(position: &Chess, wing: CastlingSide) -> Refusal {
    let refusal = reason(position, wing);
    // A piece that stands between stays where it is.
    let attempt = (refusal.rule != &moves::CASTLING_BLOCKED
        && refusal.rule != &moves::WRONG_SIDE_TO_MOVE)
        .then(|| attempt(position, wing))
        .flatten();
    Refusal { attempt, ..refusal }
}

/// The king and the rook as a hand castles with them: the one that the right names, or else those
/// on their first squares.
fn attempt(position: &Chess, wing: CastlingSide) -> Option<Move> {
    let us = position.turn();
    let board = position.board();
    let king = board.king_of(us)?;
    let corner =
        Square::from_coords(if wing.is_king_side() { File::H } else { File::A }, us.backrank());
    let at_home = position.castles().mode() == CastlingMode::Standard
        && king == Square::from_coords(File::E, us.backrank());
    let rook = position.castles().rook(us, wing).or(at_home.then_some(corner))?;
    // In Chess960 they may go to squares that do not lie between them.
    let (king_to, rook_to) = (wing.king_to(us), wing.rook_to(us));
    let way = (attacks::between(king, king_to) | attacks::between(rook, rook_to))
        .with(king_to)
        .with(rook_to);
    let way = (way | attacks::between(king, rook)).without(king).without(rook);
    (way.is_disjoint(board.occupied()) && board.by_piece(Role::Rook.of(us)).contains(rook))
        .then_some(Move::Castle { king, rook })
}

fn reason(position: &Chess, wing: CastlingSide) -> Refusal {
    let us = position.turn();
    let (Some(king), Some(rook)) =
        (position.board().king_of(us), position.castles().rook(us, wing))
    else {
        return already_castled(position, wing).unwrap_or_else(|| right_lost(position, wing));
    };
    let attempt = Attempt { position, us, wing, king, rook };
    attempt
        .check_at_start()
        .or_else(|| attempt.blocked())
        .or_else(|| attempt.check_on_the_way())
        .or_else(|| attempt.check_on_arrival())
        .unwrap_or_else(|| right_lost(position, wing))
}

/// The side to move has its king where castling puts it, and the other side may castle: the move
/// is the other's, more likely than a second castling of a king that has moved.
fn already_castled(position: &Chess, wing: CastlingSide) -> Option<Refusal> {
    let us = position.turn();
    let king = position.board().king_of(us)?;
    let castled = CastlingSide::ALL.iter().any(|wing| wing.king_to(us) == king);
    if !castled || position.castles().has_color(us) {
        return None;
    }
    let other = with_turn_swapped(position)?;
    (!other.castling_moves(wing).is_empty()).then(|| {
        let (us, them) = (side(us), side(!us));
        Refusal::new(
            &moves::WRONG_SIDE_TO_MOVE,
            format!(
                "it is {us}'s move with the king on {king} and no right to castle, but {them} \
                 could castle: a move may be missing before"
            ),
        )
    })
}

fn right_lost(position: &Chess, wing: CastlingSide) -> Refusal {
    let us = position.turn();
    let board = position.board();
    let castles = position.castles();
    let king = king(position, us);
    let rooks = board.by_piece(Role::Rook.of(us));
    let king_square = board.king_of(us);
    let own_wing = match wing {
        CastlingSide::KingSide => "king-side",
        CastlingSide::QueenSide => "queen-side",
    };
    let mover = if castles.has(us, !wing) { "that rook" } else { "the king or that rook" };
    let message = match castles.mode() {
        CastlingMode::Standard => {
            let home = Square::from_coords(File::E, us.backrank());
            let corner = Square::from_coords(
                if wing.is_king_side() { File::H } else { File::A },
                us.backrank(),
            );
            if king_square != Some(home) {
                format!("{king} has left {home}, and the right to castle is lost")
            } else if !rooks.contains(corner) {
                format!("no {us} rook stands on {corner} to castle with")
            } else {
                format!(
                    "the right to castle with the rook on {corner} is lost: {mover} has moved before"
                )
            }
        }
        CastlingMode::Chess960 => {
            let on_wing = rooks.into_iter().any(|rook| {
                rook.rank() == us.backrank()
                    && king_square.is_some_and(|king| (king < rook) == wing.is_king_side())
            });
            if king_square.is_none_or(|king| king.rank() != us.backrank()) {
                format!("{king} has left its own rank, and the right to castle is lost")
            } else if on_wing {
                format!("the right to castle {own_wing} is lost: {mover} has moved before")
            } else {
                format!("no {us} rook stands {own_wing} of {king} to castle with")
            }
        }
    };
    Refusal::new(&moves::CASTLING_RIGHT_LOST, message)
}

impl Attempt<'_> {
    fn check_at_start(&self) -> Option<Refusal> {
        let board = self.position.board();
        let checker = self.position.checkers().first()?;
        Some(Refusal::new(
            &moves::CASTLING_OUT_OF_CHECK,
            format!("{} is in check from {}", piece_on(board, self.king), piece_on(board, checker)),
        ))
    }

    fn blocked(&self) -> Option<Refusal> {
        let board = self.position.board();
        let way = self.position.castles().path(self.us, self.wing);
        let blockers = way & board.occupied();
        let between = attacks::between(self.king, self.rook);
        let blocker = (blockers & between).first().or(blockers.first())?;
        let (name, king, rook) =
            (piece_on(board, blocker), piece_on(board, self.king), piece_on(board, self.rook));
        let king_to = self.wing.king_to(self.us);
        let message = if between.contains(blocker) {
            format!("{name} stands between {king} and {rook}")
        } else if attacks::between(self.king, king_to).with(king_to).contains(blocker) {
            format!("{name} stands in the way of {king} to {king_to}")
        } else {
            format!("{name} stands in the way of {rook} to {}", self.wing.rook_to(self.us))
        };
        Some(Refusal::new(&moves::CASTLING_BLOCKED, message))
    }

    fn check_on_the_way(&self) -> Option<Refusal> {
        let board = self.position.board();
        let king_to = self.wing.king_to(self.us);
        let occupied = board.occupied().without(self.king);
        let mut passed: Vec<Square> = attacks::between(self.king, king_to).into_iter().collect();
        if king_to < self.king {
            passed.reverse();
        }
        passed.into_iter().find_map(|square| {
            let attacker = spokesman(board, self.attackers(square, occupied))?;
            Some(Refusal::new(
                &moves::CASTLING_THROUGH_CHECK,
                format!(
                    "the king would pass {square}, which {} attacks",
                    piece_on(board, attacker)
                ),
            ))
        })
    }

    fn check_on_arrival(&self) -> Option<Refusal> {
        let board = self.position.board();
        let king_to = self.wing.king_to(self.us);
        let without_king = board.occupied().without(self.king);
        let after = without_king.without(self.rook).with(self.wing.rook_to(self.us));
        let attacker = spokesman(board, self.attackers(king_to, after))?;
        let mut message = format!(
            "the king would stand on {king_to}, which {} attacks",
            piece_on(board, attacker)
        );
        // Only in Chess960 can the castling rook have been the king's shield.
        if self.attackers(king_to, without_king).is_empty() {
            message.push_str(&format!(" once {} has left", piece_on(board, self.rook)));
        }
        Some(Refusal::new(&moves::CASTLING_INTO_CHECK, message))
    }

    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.position.board().attacks_to(square, !self.us, occupied)
    }
}
