//! The rest of a line as evidence for what one of its moves was.
//!
//! In: the position before a move, its possible readings, and where the text goes on. Out: with
//! which of them every word that follows in the same line is a legal move, and which word ruled
//! out the others. Where a further move leaves something open, all its readings are followed, so
//! that nothing is ruled out but by what is written.

use shakmaty::{Chess, Color, Move, Position, Square};

use super::super::interpret::{Interpretation, RunPart, interpret_within, open_moves};
use super::super::{GameResult, dead_position, resolve};
use super::budget::Budget;
use super::candidates::Candidates;
use super::gives;
use crate::diagnostics::Span;
use crate::pgn::{Dialect, Lexer, Mark, TokenKind, WrittenMove};
use crate::rules::{moves, promotions};

/// The text behind a move, as far as its own line goes.
#[derive(Clone, Copy, Debug)]
pub struct Rest<'a> {
    pub bytes: &'a [u8],
    /// From behind the move on.
    pub text: Span,
    /// It ends with the parenthesis that closes it.
    pub in_variation: bool,
    pub dialect: &'a Dialect,
    /// The source ends with the text: its last word may be half a move.
    pub cut: bool,
    /// What the Result tag says; a marker behind the line goes before it.
    pub result: Option<GameResult>,
}

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
        }
    }
}

/// Positions that are followed at the same time.
const MOST_STATES: usize = 32;

/// A unit of the budget for so many bytes that are passed over.
const BYTES_A_UNIT: usize = 64;

/// What a word costs that has to be interpreted.
const INTERPRETED: usize = 12;

/// One way in which the line may stand.
#[derive(Clone, Debug)]
struct State {
    position: Chess,
    /// With which readings it stands so.
    candidates: Candidates,
    /// The piece in question.
    piece: Option<Square>,
    moved: bool,
    /// The last move has a mark, and the position has what it says.
    marked: bool,
    fits: bool,
    /// The last word did not say which piece moves.
    ambiguous: bool,
}

impl Rest<'_> {
    /// Plays the rest after each of the readings, which are legal in `before` and have this mark.
    pub fn hold(
        &self,
        before: &Chess,
        readings: &[Move],
        mark: Mark,
        budget: &mut Budget,
    ) -> Trial {
        let mut states: Vec<State> = Vec::new();
        for (index, &m) in readings.iter().enumerate().take(Candidates::MOST) {
            let mut position = before.clone();
            position.play_unchecked(m);
            let candidates = Candidates::one(index);
            let piece = Some(m.to());
            states.push(State {
                position,
                candidates,
                piece,
                moved: false,
                marked: mark != Mark::None,
                fits: true,
                ambiguous: false,
            });
        }
        let mut trial = Trial { whole: true, ..Trial::default() };
        let mut result = self.result;
        let mut next: Vec<State> = Vec::new();
        let mut depth = 0u32;
        for token in Lexer::movetext(self.bytes, self.text) {
            if !budget.take(1 + token.span.len() / BYTES_A_UNIT) {
                trial.whole = false;
                break;
            }
            match token.kind {
                TokenKind::RavOpen => depth += 1,
                TokenKind::RavClose if depth == 0 && self.in_variation => break,
                TokenKind::RavClose => depth = depth.saturating_sub(1),
                TokenKind::Termination { result: marker, .. } if depth == 0 => {
                    result = Some(marker);
                }
                TokenKind::Word if depth == 0 => {
                    if self.cut && token.span.end == self.text.end {
                        break;
                    }
                    next.clear();
                    if !self.play_word(token.span, &states, &mut next, budget, &mut trial) {
                        trial.whole = false;
                        break;
                    }
                    trial.tell(token.span, &states, &next);
                    std::mem::swap(&mut states, &mut next);
                    if states.is_empty() {
                        return trial;
                    }
                }
                _ => {}
            }
        }
        for state in &states {
            trial.legal = trial.legal.or(state.candidates);
            if state.moved {
                trial.moved = trial.moved.or(state.candidates);
            }
            // A variation has no result of its own.
            let result = result.filter(|_| !self.in_variation);
            if !is_drawn_against(&state.position, result) {
                trial.undrawn = trial.undrawn.or(state.candidates);
            }
            if state.marked || !is_mate_against(&state.position, result) {
                trial.unmated = trial.unmated.or(state.candidates);
            }
        }
        trial
    }

    /// Follows a word from every state; `false` where there are too many ways.
    fn play_word(
        &self,
        span: Span,
        states: &[State],
        next: &mut Vec<State>,
        budget: &mut Budget,
        trial: &mut Trial,
    ) -> bool {
        let word = span.of(self.bytes);
        let plain = if self.dialect.is_standard() { WrittenMove::parse(word) } else { None };
        for state in states {
            if !budget.take(1) || next.len() >= MOST_STATES {
                return false;
            }
            if let Some(written) = plain
                && let Some(m) = resolve(&state.position, &written.san)
            {
                push(next, state.after(m, written.mark, trial));
                continue;
            }
            if !budget.take(INTERPRETED) {
                return false;
            }
            match interpret_within(&state.position, word, self.dialect, &mut budget.tries) {
                Interpretation::Move(written, m) => {
                    push(next, state.after(m, written.mark, trial));
                }
                Interpretation::Run(parts) => {
                    let mut state = state.clone();
                    for part in parts {
                        if let RunPart::Move(_, written, m) = part {
                            state = state.after(m, written.mark, trial);
                        }
                    }
                    push(next, state);
                }
                Interpretation::Null(_) => {
                    if let Ok(position) = state.position.clone().swap_turn() {
                        push(next, State { position, fits: true, ambiguous: false, ..*state });
                    }
                }
                Interpretation::Remark(_) | Interpretation::Unknown => {
                    push(next, State { fits: true, ambiguous: false, ..state.clone() });
                }
                Interpretation::Refused { refusal, .. }
                    if refusal.rule == &promotions::MISSING_PROMOTION_PIECE
                        || refusal.rule == &moves::AMBIGUOUS_SAN =>
                {
                    let Some((reading, open)) = open_moves(&state.position, word, self.dialect)
                    else {
                        continue;
                    };
                    if !budget.take(open.len()) {
                        return false;
                    }
                    let ambiguous = refusal.rule == &moves::AMBIGUOUS_SAN;
                    for m in open {
                        let after = state.after(m, reading.mark, trial);
                        push(next, State { ambiguous, ..after });
                    }
                }
                Interpretation::Refused { .. }
                | Interpretation::BrokenRun(..)
                | Interpretation::Unreadable => {}
            }
        }
        true
    }
}

impl State {
    fn after(&self, m: Move, mark: Mark, trial: &mut Trial) -> State {
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
    fn is_own_move(&self, after: &State) -> bool {
        self.piece.is_some() && after.piece.is_some() && self.piece != after.piece
    }
}

/// Adds a state; what stands on the board in the same way is followed once.
fn push(states: &mut Vec<State>, state: State) {
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

fn alive(states: &[State]) -> Candidates {
    states.iter().fold(Candidates::NONE, |all, state| all.or(state.candidates))
}

impl Trial {
    /// Takes in what a word did to the readings.
    fn tell(&mut self, word: Span, before: &[State], after: &[State]) {
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

fn winner(result: Option<GameResult>) -> Option<Color> {
    match result {
        Some(GameResult::WhiteWins) => Some(Color::White),
        Some(GameResult::BlackWins) => Some(Color::Black),
        _ => None,
    }
}

/// Whether the board ends a game as drawn that somebody won.
fn is_drawn_against(position: &Chess, result: Option<GameResult>) -> bool {
    winner(result).is_some() && (position.is_stalemate() || dead_position(position))
}

/// Whether the board ends a game by a mate that is not its result.
fn is_mate_against(position: &Chess, result: Option<GameResult>) -> bool {
    let known = winner(result).is_some() || result == Some(GameResult::Draw);
    known && winner(result) != Some(!position.turn()) && position.is_checkmate()
}
