//! What stops one piece from going to one square.
//!
//! In: a position and a step of a piece of the side to move. Out: the first obstacle in the way of
//! that step: the square it goes to, then the way there, then the safety of its own king.

use shakmaty::{Bitboard, Chess, Color, Piece, Position, Rank, Role, Square, attacks};

use super::wording::{king, noun, piece_on, side, spokesman};
use crate::diagnostics::Rule;
use crate::rules::moves;

/// A piece's way, as it was written. `takes` matters for pawns only.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub from: Square,
    pub to: Square,
    pub takes: bool,
}

/// Earlier ones outweigh later ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Obstacle {
    KingIntoCheck { attacker: Square },
    CheckNotAnswered,
    KingLeftInCheck { attacker: Square },
    EnPassantUncovers { attacker: Square, taken: Square },
    EnPassantUnavailable { pawn: Square },
    OwnPieceOnTarget,
    PushBlocked { blocker: Square },
    DoubleStepFromElsewhere,
    NothingToTake,
    PathBlocked { blocker: Square },
    OutOfReach,
}

impl Obstacle {
    /// The first obstacle in the way of `step`, in a position where it is not legal.
    pub(super) fn to_step(position: &Chess, step: Step) -> Obstacle {
        let board = position.board();
        let Some(piece) = board.piece_at(step.from) else {
            return Obstacle::OutOfReach;
        };
        if board.by_color(piece.color).contains(step.to) {
            return Obstacle::OwnPieceOnTarget;
        }
        let in_the_way = match piece.role {
            Role::Pawn if step.takes => for_pawn_capture(position, piece.color, step),
            Role::Pawn => for_pawn_push(position, piece.color, step),
            _ => for_piece(position, piece, step),
        };
        in_the_way
            .or_else(|| for_king_safety(position, piece, step))
            .unwrap_or(Obstacle::OutOfReach)
    }

    /// Whether the piece goes to the square, were it not for its king.
    pub(super) const fn is_of_king(self) -> bool {
        matches!(
            self,
            Obstacle::KingIntoCheck { .. }
                | Obstacle::CheckNotAnswered
                | Obstacle::KingLeftInCheck { .. }
                | Obstacle::EnPassantUncovers { .. }
        )
    }

    pub(super) fn rule(self) -> &'static Rule {
        match self {
            Obstacle::KingIntoCheck { .. } => &moves::KING_INTO_CHECK,
            Obstacle::CheckNotAnswered => &moves::CHECK_NOT_ANSWERED,
            Obstacle::KingLeftInCheck { .. } | Obstacle::EnPassantUncovers { .. } => {
                &moves::KING_LEFT_IN_CHECK
            }
            Obstacle::EnPassantUnavailable { .. } => &moves::EN_PASSANT_UNAVAILABLE,
            Obstacle::OwnPieceOnTarget => &moves::OWN_PIECE_ON_TARGET,
            Obstacle::PushBlocked { .. } | Obstacle::DoubleStepFromElsewhere => {
                &moves::PAWN_PUSH_BLOCKED
            }
            Obstacle::NothingToTake => &moves::PAWN_TAKES_NOTHING,
            Obstacle::PathBlocked { .. } => &moves::PATH_BLOCKED,
            Obstacle::OutOfReach => &moves::NO_PIECE_CAN_REACH,
        }
    }

    pub(super) fn message(self, position: &Chess, step: Step) -> String {
        let Step { from, to, .. } = step;
        let board = position.board();
        let us = position.turn();
        let mover = piece_on(board, from);
        match self {
            Obstacle::KingIntoCheck { attacker } => {
                let attacker_name = piece_on(board, attacker);
                if board.kings().contains(attacker) {
                    format!("the king would stand on {to}, beside {attacker_name}")
                } else {
                    format!("the king would stand on {to}, which {attacker_name} attacks")
                }
            }
            Obstacle::CheckNotAnswered => {
                let checkers: Vec<String> =
                    position.checkers().into_iter().map(|square| piece_on(board, square)).collect();
                let king = king(position, us);
                match &checkers[..] {
                    [only] => {
                        format!(
                            "{only} gives check to {king}, and {mover} does not parry it by going to {to}"
                        )
                    }
                    several => format!(
                        "{} give check to {king} together, so that only the king can move",
                        several.join(" and ")
                    ),
                }
            }
            Obstacle::KingLeftInCheck { attacker } => {
                format!(
                    "{mover} is pinned to {} by {}",
                    king(position, us),
                    piece_on(board, attacker)
                )
            }
            Obstacle::EnPassantUncovers { attacker, taken } => format!(
                "{mover} and {} would both leave, and {} would attack {}",
                piece_on(board, taken),
                piece_on(board, attacker),
                king(position, us)
            ),
            Obstacle::EnPassantUnavailable { pawn } => format!(
                "{mover} can take on {to} en passant only right after a double step of {}, and the \
                 move before was none",
                piece_on(board, pawn)
            ),
            Obstacle::OwnPieceOnTarget if from == to => format!("{mover} stands there already"),
            Obstacle::OwnPieceOnTarget => {
                let role = board.role_at(to).map_or("piece", noun);
                format!("{to} is held by {}'s own {role}", side(us))
            }
            Obstacle::PushBlocked { blocker } if blocker == to => {
                format!("{mover} is blocked by {}", piece_on(board, blocker))
            }
            Obstacle::PushBlocked { blocker } => {
                format!("{mover} cannot pass {}", piece_on(board, blocker))
            }
            Obstacle::DoubleStepFromElsewhere => {
                format!("{mover} has left its own rank and may go one square only, not to {to}")
            }
            Obstacle::NothingToTake => format!("{mover} finds nothing to take on {to}"),
            Obstacle::PathBlocked { blocker } => {
                format!("{} stands between {mover} and {to}", piece_on(board, blocker))
            }
            Obstacle::OutOfReach => format!("{mover} cannot reach {to} in one move"),
        }
    }
}

/// FIDE Laws 2023, 3.2 to 3.6 and 3.8.1.
fn for_piece(position: &Chess, piece: Piece, Step { from, to, .. }: Step) -> Option<Obstacle> {
    if !attacks::attacks(from, piece, Bitboard::EMPTY).contains(to) {
        return Some(Obstacle::OutOfReach);
    }
    // A king's or knight's squares may lie on a line too, yet with nothing between.
    let blockers = attacks::between(from, to) & position.board().occupied();
    let nearest = if from < to { blockers.first() } else { blockers.last() };
    nearest.map(|blocker| Obstacle::PathBlocked { blocker })
}

/// FIDE Laws 2023, 3.7.1 and 3.7.2.
fn for_pawn_push(position: &Chess, us: Color, Step { from, to, .. }: Step) -> Option<Obstacle> {
    let occupied = position.board().occupied();
    let behind = back(us, to, 1);
    let blocked_on = |square| occupied.contains(square).then_some(square);
    let blocker = if behind == Some(from) {
        blocked_on(to)
    } else if back(us, to, 2) == Some(from) {
        if from.rank() != us.relative_rank(Rank::Second) {
            return Some(Obstacle::DoubleStepFromElsewhere);
        }
        behind.and_then(blocked_on).or(blocked_on(to))
    } else {
        return Some(Obstacle::OutOfReach);
    };
    blocker.map(|blocker| Obstacle::PushBlocked { blocker })
}

/// FIDE Laws 2023, 3.7.3.
fn for_pawn_capture(position: &Chess, us: Color, Step { from, to, .. }: Step) -> Option<Obstacle> {
    let board = position.board();
    if !attacks::pawn_attacks(us, from).contains(to) {
        return Some(Obstacle::OutOfReach);
    }
    if board.occupied().contains(to) || position.maybe_ep_square() == Some(to) {
        return None;
    }
    let passed = back(us, to, 1)
        .filter(|&square| board.by_piece(Role::Pawn.of(!us)).contains(square))
        .filter(|_| to.rank() == us.relative_rank(Rank::Sixth));
    Some(match passed {
        Some(pawn) => Obstacle::EnPassantUnavailable { pawn },
        None => Obstacle::NothingToTake,
    })
}

/// FIDE Laws 2023, 3.9.2: no move may leave or place the own king in check.
fn for_king_safety(position: &Chess, piece: Piece, step: Step) -> Option<Obstacle> {
    let Step { from, to, takes } = step;
    let board = position.board();
    let them = !piece.color;
    let taken_in_passing = (piece.role == Role::Pawn && takes && !board.occupied().contains(to))
        .then(|| Square::from_coords(to.file(), from.rank()));
    let mut occupied = board.occupied().without(from).with(to);
    let mut gone = Bitboard::from_square(to);
    if let Some(taken) = taken_in_passing {
        occupied.discard(taken);
        gone.add(taken);
    }
    if piece.role == Role::King {
        let attackers = board.attacks_to(to, them, occupied);
        return spokesman(board, attackers).map(|attacker| Obstacle::KingIntoCheck { attacker });
    }
    let king = board.king_of(piece.color)?;
    let attackers = board.attacks_to(king, them, occupied) & !gone;
    if (attackers & position.checkers()).any() {
        return Some(Obstacle::CheckNotAnswered);
    }
    let attacker = attackers.first()?;
    Some(match taken_in_passing {
        // The pawn taken stands on the line: the move would be safe for a pawn that only leaves.
        Some(taken) if attacks::between(king, attacker).contains(taken) => {
            Obstacle::EnPassantUncovers { attacker, taken }
        }
        _ => Obstacle::KingLeftInCheck { attacker },
    })
}

/// The square so many ranks behind, as `color` sees it.
fn back(color: Color, square: Square, ranks: i32) -> Option<Square> {
    square.offset(color.fold_wb(-8, 8) * ranks)
}
