//! The rest of a line as evidence for what one of its moves was.
//!
//! In: the position before a move, its possible readings, and where the text goes on. Out: with
//! which of them every word that follows in the same line is a legal move, and which word ruled
//! out the others. Where a further move leaves something open, all its readings are followed, so
//! that nothing is ruled out but by what is written.

use shakmaty::{Chess, Color, Move, Position};

use super::super::claim::{Claims, judge_position};
use super::super::interpret::{Interpretation, RunPart, interpret_within, open_moves};
use super::super::{ClaimVerdict, GameResult, KnownTags, Profile, dead_position, resolve};
use super::budget::Budget;
use super::candidates::Candidates;
use super::state::{State, push};
use super::trial::Trial;
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
    pub tags: &'a KnownTags,
    /// The comment behind the termination marker, if there is one.
    pub behind_marker: Option<Span>,
    pub profile: Profile,
}

/// Positions that are followed at the same time.
const MOST_STATES: usize = 32;

/// A unit of the budget for so many bytes that are passed over.
const BYTES_A_UNIT: usize = 64;

/// What a word costs that has to be interpreted.
const INTERPRETED: usize = 12;

impl Rest<'_> {
    /// Plays the rest after each of the readings, which are legal in `before` and have this mark.
    pub fn hold(
        &self,
        before: &Chess,
        readings: &[Move],
        mark: Mark,
        budget: &mut Budget,
    ) -> Trial {
        let readings = readings.iter().enumerate().take(Candidates::MOST);
        let mut states: Vec<State> = readings
            .map(|(index, &m)| State::new(before, m, mark, Candidates::one(index)))
            .collect();
        let mut trial = Trial { whole: true, ..Trial::default() };
        let mut result = self.result;
        let mut next: Vec<State> = Vec::new();
        let mut last_comment = None;
        let mut marked = false;
        let mut to_the_end = true;
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
                    marked = true;
                }
                TokenKind::Comment { .. } | TokenKind::LineComment if depth == 0 => {
                    last_comment = Some(token.span);
                }
                TokenKind::Word if depth == 0 => {
                    if self.cut && token.span.end == self.text.end {
                        to_the_end = false;
                        break;
                    }
                    last_comment = None;
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
        if trial.whole && to_the_end && !self.in_variation {
            let behind_marker = self.behind_marker.filter(|_| marked);
            self.hold_reasons([last_comment, behind_marker], result, &states, &mut trial);
        }
        trial
    }

    /// Holds what tags and comments say of the end against the positions that are left.
    fn hold_reasons(
        &self,
        comments: [Option<Span>; 2],
        result: Option<GameResult>,
        states: &[State],
        trial: &mut Trial,
    ) {
        if !Claims::may_be_in(self.tags, comments) {
            return;
        }
        for claim in Claims::read_with_remarks(self.bytes, self.tags, comments).iter() {
            if !claim.end.is_on_board() {
                continue;
            }
            // A record that contradicts itself shows nothing.
            let known = result.filter(|&result| result != GameResult::Unknown);
            if claim.result.zip(known).is_some_and(|(said, known)| said != known) {
                trial.reasons.clear();
                (trial.undrawn, trial.unmated) = (trial.legal, trial.legal);
                return;
            }
            let fits = |state: &&State| {
                let judgement = judge_position(&state.position, claim, || self.profile);
                judgement.verdict != ClaimVerdict::Contradicted
            };
            let fitting = states.iter().filter(fits);
            let fitting = fitting.fold(Candidates::NONE, |all, it| all.or(it.candidates));
            trial.reasons.push((claim.end, fitting));
        }
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
                        push(next, State { position, ..state.unmoved() });
                    }
                }
                Interpretation::Remark(_) | Interpretation::Unknown => {
                    push(next, state.unmoved());
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

fn winner(result: Option<GameResult>) -> Option<Color> {
    match result {
        Some(GameResult::WhiteWins) => Some(Color::White),
        Some(GameResult::BlackWins) => Some(Color::Black),
        _ => None,
    }
}

/// Whether the board ends a game as drawn that somebody won.
fn is_drawn_against(position: &Chess, result: Option<GameResult>) -> bool {
    winner(result).is_some() && (position.is_stalemate() || dead_position(position).is_some())
}

/// Whether the board ends a game by a mate that is not its result.
fn is_mate_against(position: &Chess, result: Option<GameResult>) -> bool {
    let known = winner(result).is_some() || result == Some(GameResult::Draw);
    known && winner(result) != Some(!position.turn()) && position.is_checkmate()
}
