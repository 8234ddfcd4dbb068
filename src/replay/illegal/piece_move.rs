//! A refused move of a piece or pawn, and the rule that refuses it.

use shakmaty::san::San;
use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::obstacle::{Obstacle, Step};
use super::wording::{either, noun, origin, piece_on, side};
use super::{Refusal, with_turn_swapped};
use crate::rules::{moves, notation, promotions};

/// What the token says, as `San::Normal` holds it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceMove {
    pub role: Role,
    pub file: Option<File>,
    pub rank: Option<Rank>,
    pub capture: bool,
    pub to: Square,
    pub promotion: Option<Role>,
}

impl PieceMove {
    pub(super) fn why_refused(&self, position: &Chess) -> Refusal {
        match &self.legal(position)[..] {
            [] => self.why_illegal(position),
            [only] => self.why_misnamed(position, *only),
            several => self.why_ambiguous(position, several),
        }
    }

    /// Whether a piece of the kind on this square is one that the token can mean.
    fn means(&self, from: Square) -> bool {
        self.file.is_none_or(|file| file == from.file())
            && self.rank.is_none_or(|rank| rank == from.rank())
            && (self.role != Role::Pawn || self.takes() == (from.file() != self.to.file()))
    }

    /// Whether a pawn is said to capture: by its own file, or by an `x` where no file stands.
    fn takes(&self) -> bool {
        match self.file {
            Some(file) => file != self.to.file(),
            None => self.capture,
        }
    }

    /// The legal moves that the squares allow, one for each origin; of a pawn's four promotions
    /// the one that is written, or else the queen's.
    fn legal(&self, position: &Chess) -> Vec<Move> {
        let piece = match self.promotion {
            None | Some(Role::King | Role::Pawn) => Role::Queen,
            Some(piece) => piece,
        };
        let mut legal: Vec<Move> = position
            .san_candidates(self.role, self.to)
            .into_iter()
            .filter(|m| m.from().is_some_and(|from| self.means(from)))
            .filter(|m| m.capture() != Some(Role::King))
            .filter(|m| m.promotion().is_none_or(|promotion| promotion == piece))
            .collect();
        legal.sort_by_key(|m| m.from());
        legal
    }

    fn why_ambiguous(&self, position: &Chess, several: &[Move]) -> Refusal {
        let names: Vec<String> =
            several.iter().map(|&m| San::from_move(position, m).to_string()).collect();
        Refusal::new(
            &moves::AMBIGUOUS_SAN,
            format!(
                "more than one {}{} can go to {}: {}",
                noun(self.role),
                origin(self.file, self.rank),
                self.to,
                either(&names)
            ),
        )
    }

    /// One legal move fits, so the fault is the promotion, or else the capture mark.
    fn why_misnamed(&self, position: &Chess, only: Move) -> Refusal {
        let to = self.to;
        let mover = only.from().map_or_else(String::new, |from| piece_on(position.board(), from));
        match (only.promotion(), self.promotion) {
            (Some(_), Some(piece @ (Role::King | Role::Pawn))) => Refusal::new(
                &promotions::INVALID_PROMOTION_PIECE,
                match piece {
                    Role::King => format!("{mover} cannot become a king on {to}"),
                    _ => format!("{mover} cannot stay a pawn on {to}"),
                },
            ),
            (None, Some(piece)) => Refusal::new(
                &promotions::PROMOTION_OFF_LAST_RANK,
                if self.role == Role::Pawn {
                    format!(
                        "{mover} does not reach the last rank on {to} and becomes no {}",
                        noun(piece)
                    )
                } else {
                    format!("{mover} is no pawn and becomes no {}", noun(piece))
                },
            ),
            (Some(_), None) => Refusal::new(
                &promotions::MISSING_PROMOTION_PIECE,
                format!("{mover} reaches {to}, and the piece that it becomes is not named"),
            ),
            _ => Refusal::new(
                &notation::CAPTURE_MARK,
                if only.is_capture() {
                    format!("{mover} takes on {to}, and the x that says so is missing")
                } else {
                    format!("{mover} takes nothing on {to}, and the x says that it does")
                },
            ),
        }
    }

    fn why_illegal(&self, position: &Chess) -> Refusal {
        let candidates: Vec<(Obstacle, Step)> = position
            .our(self.role)
            .into_iter()
            .filter(|&from| self.means(from))
            .map(|from| {
                let step = Step { from, to: self.to, takes: self.takes() };
                (Obstacle::to_step(position, step), step)
            })
            .collect();
        let weightiest = candidates.iter().min_by_key(|(obstacle, _)| *obstacle);
        if !weightiest.is_some_and(|(obstacle, _)| obstacle.is_of_king())
            && let Some(refusal) = self.why_not_now(position)
        {
            return refusal;
        }
        let (rule, mut message) = match weightiest {
            None => (
                &moves::NO_PIECE_CAN_REACH,
                format!(
                    "there is no {} {}{}",
                    position.turn(),
                    noun(self.role),
                    self.origin_of_candidates()
                ),
            ),
            Some((Obstacle::OutOfReach, _)) if candidates.len() > 1 => (
                &moves::NO_PIECE_CAN_REACH,
                format!(
                    "no {}{} can reach {} in one move",
                    noun(self.role),
                    self.origin_of_candidates(),
                    self.to
                ),
            ),
            Some(&(obstacle, step)) => (obstacle.rule(), obstacle.message(position, step)),
        };
        if let Some(hint) = self.meant_as_castling(position).or_else(|| self.who_could(position)) {
            message.push_str("; ");
            message.push_str(&hint);
        }
        let attempt = weightiest
            .filter(|(obstacle, _)| *obstacle != Obstacle::OutOfReach || candidates.len() == 1)
            .and_then(|(obstacle, step)| self.attempt(position, *obstacle, *step));
        Refusal { attempt, ..Refusal::new(rule, message) }
    }

    /// The move as a hand makes it, whatever the Laws say: not onto a piece of its own, and no
    /// king is taken.
    fn attempt(&self, position: &Chess, obstacle: Obstacle, step: Step) -> Option<Move> {
        let Step { from, to, .. } = step;
        let board = position.board();
        if from == to || position.us().contains(to) || board.kings().contains(to) {
            return None;
        }
        // Behind a double step over a piece it could be taken en passant on an occupied square.
        if let Obstacle::PushBlocked { blocker } = obstacle
            && blocker != to
        {
            return None;
        }
        if matches!(
            obstacle,
            Obstacle::EnPassantUnavailable { .. } | Obstacle::EnPassantUncovers { .. }
        ) {
            return Some(Move::EnPassant { from, to });
        }
        let last_rank = position.turn().fold_wb(Rank::Eighth, Rank::First);
        let promotion = (self.role == Role::Pawn && to.rank() == last_rank).then(|| {
            self.promotion
                .filter(|piece| !matches!(piece, Role::King | Role::Pawn))
                .unwrap_or(Role::Queen)
        });
        Some(Move::Normal { role: self.role, from, capture: board.role_at(to), to, promotion })
    }

    /// Where the pieces stand that the token can mean: a pawn that is pushed comes from its file.
    fn origin_of_candidates(&self) -> String {
        let pushed = (self.role == Role::Pawn && !self.takes()).then(|| self.to.file());
        origin(self.file.or(pushed), self.rank)
    }

    /// The other side has exactly this move.
    fn why_not_now(&self, position: &Chess) -> Option<Refusal> {
        let other = with_turn_swapped(position)?;
        let &[only] = &self.legal(&other)[..] else {
            return None;
        };
        if only.promotion() != self.promotion {
            return None;
        }
        Some(Refusal::new(
            &moves::WRONG_SIDE_TO_MOVE,
            format!(
                "it is {}'s move, but only {}'s {} on {} can go to {}: a move may be missing before",
                side(position.turn()),
                side(other.turn()),
                noun(self.role),
                only.from()?,
                self.to
            ),
        ))
    }

    /// Castling written as a move of the king, to the square it lands on or onto the rook.
    fn meant_as_castling(&self, position: &Chess) -> Option<String> {
        let us = position.turn();
        let wing = CastlingSide::ALL.into_iter().find(|&wing| {
            self.role == Role::King
                && (wing.king_to(us) == self.to
                    || position.castles().rook(us, wing) == Some(self.to))
                && !position.castling_moves(wing).is_empty()
        })?;
        Some(format!("{} would be legal", San::Castle(wing)))
    }

    /// Other pieces of the kind that could go to the square legally, had the token meant them.
    fn who_could(&self, position: &Chess) -> Option<String> {
        let mut others: Vec<Square> = position
            .san_candidates(self.role, self.to)
            .into_iter()
            .filter(|m| m.capture() != Some(Role::King))
            .filter_map(Move::from)
            .collect();
        others.dedup();
        if others.is_empty() {
            return None;
        }
        let names: Vec<String> =
            others.iter().map(|&from| piece_on(position.board(), from)).collect();
        let how = match (self.role, self.takes()) {
            (Role::Pawn, false) => "could take there",
            (Role::Pawn, true) if others.iter().any(|from| from.file() == self.to.file()) => {
                "could go there"
            }
            _ => "could",
        };
        Some(format!("{} {how}", either(&names)))
    }
}
