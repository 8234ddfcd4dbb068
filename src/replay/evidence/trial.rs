//! What the rest of a line says of the readings of a move, gathered word by word.

use shakmaty::{Color, Position};

use super::candidates::Candidates;
use super::state::{State, alive};
use crate::diagnostics::Span;
use crate::replay::RecordedEnd;

/// A word of the rest, as a person names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub word: Span,
    pub move_number: u32,
    pub black: bool,
}

/// Readings that one word rules out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusion {
    pub candidates: Candidates,
    pub place: Place,
    /// The word is a move of the piece in question itself, for those that are not ruled out.
    pub own_move: bool,
}

/// What the rest says of the readings.
#[derive(Clone, Debug, Default)]
pub struct Trial {
    /// With these it is legal as far as it was read.
    pub legal: Candidates,
    /// Whether it was read to its end.
    pub whole: bool,
    /// In the order of the text.
    pub exclusions: Vec<Exclusion>,
    /// Readings that lack a check or mate that a later move is marked with, and others give.
    pub unmarked: Vec<Exclusion>,
    /// Readings with which two pieces can make a later move, and with others only one.
    pub ambiguous: Vec<Exclusion>,
    /// Two pieces can make a later move with every reading.
    pub all_ambiguous: bool,
    /// The recorded reasons of the end, each with the readings that the final position does not
    /// contradict.
    pub reasons: Vec<(RecordedEnd, Candidates)>,
    /// Those with which a decisive game does not end in a draw on the board.
    pub undrawn: Candidates,
    /// Those with which the last move does not mate, unmarked, against the recorded result. A
    /// mate that is marked speaks for itself: then the result is as likely to be wrong.
    pub unmated: Candidates,
    /// With some reading a later move gives a check that is not marked.
    pub bare_check: bool,
    /// Those with which the piece in question moves again.
    pub moved: Candidates,
}

impl Trial {
    /// The word at which the last of the readings became illegal.
    pub fn end(&self) -> Option<Exclusion> {
        self.exclusions.last().copied().filter(|_| self.legal.is_empty())
    }

    /// Takes the rest to end before the word that rules out the last readings.
    pub fn end_before_last(&mut self) {
        if let Some(last) = self.end() {
            self.exclusions.pop();
            self.legal = last.candidates;
            self.undrawn = last.candidates;
            self.unmated = last.candidates;
            self.reasons.clear();
        }
    }

    /// Takes in what a word did to the readings.
    pub(super) fn tell(&mut self, word: Span, before: &[State], after: &[State]) {
        let Some(first) = before.first() else { return };
        let place = Place {
            word,
            move_number: first.position.fullmoves().get(),
            black: first.position.turn() == Color::Black,
        };
        let is_own = |state: &State| {
            let with = |it: &&State| !it.candidates.and(state.candidates).is_empty();
            before.iter().filter(with).any(|it| it.is_own_move(state))
        };
        let left = alive(after);
        let gone = alive(before).without(left);
        if !gone.is_empty() {
            let own_move = after.iter().all(is_own);
            self.exclusions.push(Exclusion { candidates: gone, place, own_move });
        }
        // What some readings have and others lack.
        let differs = |has: &dyn Fn(&State) -> bool| {
            let having: Vec<&State> = after.iter().filter(|state| has(state)).collect();
            let with = having.iter().fold(Candidates::NONE, |all, it| all.or(it.candidates));
            let lacking = left.without(with);
            let own_move = having.iter().all(|state| is_own(state));
            (!with.is_empty() && !lacking.is_empty()).then_some(Exclusion {
                candidates: lacking,
                place,
                own_move,
            })
        };
        if !after.iter().all(|state| state.fits) {
            self.unmarked.extend(differs(&|state| state.fits));
        }
        if after.iter().any(|state| state.ambiguous) {
            self.ambiguous.extend(differs(&|state| !state.ambiguous));
            self.all_ambiguous |= after.iter().all(|state| state.ambiguous);
        }
    }
}
