//! One way in which a line may stand, with the readings of a move that lead to it.

use shakmaty::{Chess, Move, Position, Square};

use super::candidates::Candidates;
use super::gives;
use super::trial::Trial;
use crate::pgn::Mark;

/// One way in which the line may stand.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub position: Chess,
    /// With which readings it stands so.
    pub candidates: Candidates,
    /// The piece in question.
    pub piece: Option<Square>,
    pub moved: bool,
    /// The last move has a mark, and the position has what it says.
    pub marked: bool,
    pub fits: bool,
    /// The last word did not say which piece moves.
    pub ambiguous: bool,
}

impl State {
    /// Behind the move in question itself, which has this mark.
    pub fn new(before: &Chess, m: Move, mark: Mark, candidates: Candidates) -> State {
        let mut position = before.clone();
        position.play_unchecked(m);
        State {
            position,
            candidates,
            piece: Some(m.to()),
            moved: false,
            marked: mark != Mark::None,
            fits: true,
            ambiguous: false,
        }
    }

    /// Behind a word that is no move.
    pub fn unmoved(&self) -> State {
        State { fits: true, ambiguous: false, ..self.clone() }
    }

    /// Behind a legal move with this mark.
    pub fn after(&self, m: Move, mark: Mark, trial: &mut Trial) -> State {
        let mut position = self.position.clone();
        position.play_unchecked(m);
        let own = self.piece.is_some() && m.from() == self.piece;
        let piece = match self.piece {
            Some(_) if own => Some(m.to()),
            Some(square) if m.to() == square && !m.is_castle() => None,
            piece => piece,
        };
        trial.bare_check |= mark == Mark::None && position.is_check();
        let fits = mark == Mark::None || gives(&position, mark);
        State {
            position,
            candidates: self.candidates,
            piece,
            moved: self.moved || own,
            marked: mark != Mark::None,
            fits,
            ambiguous: false,
        }
    }

    /// Whether the word that led to `after` was a move of the piece in question.
    pub fn is_own_move(&self, after: &State) -> bool {
        self.piece.is_some() && after.piece.is_some() && self.piece != after.piece
    }
}

/// Adds a state; what stands on the board in the same way is followed once.
pub(super) fn push(states: &mut Vec<State>, state: State) {
    for other in states.iter_mut() {
        if other.piece == state.piece && other.position == state.position {
            other.candidates = other.candidates.or(state.candidates);
            // With some reading it may not have moved.
            other.moved &= state.moved;
            other.ambiguous &= state.ambiguous;
            return;
        }
    }
    states.push(state);
}

/// The readings that are left.
pub(super) fn alive(states: &[State]) -> Candidates {
    states.iter().fold(Candidates::NONE, |all, state| all.or(state.candidates))
}
