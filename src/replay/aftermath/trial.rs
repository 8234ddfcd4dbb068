//! Replays of a line from one of its half-moves on, with something else in its place.
//!
//! In: the line and the position of a half-move, as the game has it or behind other moves. Out: how
//! many words from some place on are legal, and whether all are.
//!
//! Words in the standard's form are played on the fast lane's board, which is several times as fast
//! as one that answers all questions; where a word has to be interpreted, the trial is set up again
//! on such a board, and stays there.

use shakmaty::{Chess, Move, Position};

use super::RefusedMove;
use super::line_word::{Form, LineWord};
use crate::replay::evidence::{Budget, Step, play_word};
use crate::replay::fast::{BoardMove, CompactBoard, NamedMove};
use crate::replay::interpret::{WordAnywhere, plain_move};
use crate::replay::resolve;

/// What a word costs that has to be interpreted, where a plain move costs 1.
const INTERPRETED: usize = 32;

/// Replays the line from one place after another, within bounds. Places count the half-moves before
/// the refused one, which has the last.
pub struct Replay<'r, 'a> {
    pub refused: &'r RefusedMove<'a>,
    pub words: &'r [LineWord<'a>],
    pub budget: &'r mut Budget,
    /// Whether trials that can find nothing are passed over.
    pub passes_over: bool,
}

/// Where a trial begins: at a place of the line, behind up to two moves that are put in there.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    pub board: CompactBoard,
    place: usize,
    moves: [Option<Move>; 2],
}

impl Start {
    /// The same behind one legal move more.
    pub fn behind(mut self, m: Move) -> Start {
        if let Some(m) = BoardMove::of(m) {
            self.board.play(m);
        }
        let [first, second] = &mut self.moves;
        *if first.is_none() { first } else { second } = Some(m);
        self
    }

    /// The same behind a move that need not be legal.
    pub fn behind_any(self, m: Move, refused: &RefusedMove<'_>) -> Start {
        let mut position = self.position(refused);
        position.play_unchecked(m);
        Start { board: CompactBoard::of(&position), ..self.behind(m) }
    }

    pub fn position(&self, refused: &RefusedMove<'_>) -> Chess {
        let mut position = refused.position_at(self.place);
        for m in self.moves.into_iter().flatten() {
            position.play_unchecked(m);
        }
        position
    }
}

/// What became of words that were played one after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Played {
    pub plies: u32,
    /// All of them; a promotion that lacks its piece ends what can be told, and is no fault here.
    pub whole: bool,
}

impl<'r, 'a> Replay<'r, 'a> {
    /// The position of the game at a place.
    pub fn at(&self, place: usize) -> Start {
        Start { board: self.refused.board_at(place), place, moves: [None; 2] }
    }

    /// Plays the words from a place on.
    pub fn plays(&mut self, start: &Start, place: usize) -> Played {
        let words: &'r [LineWord<'a>] = self.words;
        self.plays_words(start, words[place.min(words.len())..].iter())
    }

    pub fn all_fit(&mut self, start: &Start, place: usize) -> bool {
        self.plays(start, place).whole
    }

    pub fn plays_words(
        &mut self,
        start: &Start,
        words: impl Iterator<Item = &'r LineWord<'a>> + Clone,
    ) -> Played {
        let mut board = start.board;
        let mut played = Played::default();
        let mut passed = 0;
        for word in words.clone() {
            if !self.budget.take(1) {
                return played;
            }
            if let Some(m) = board.find(&word.named) {
                board.play(m);
                played.plies += 1;
                passed += 1;
                continue;
            }
            if word.is_plain() || !self.budget.take(INTERPRETED) {
                return played;
            }
            if let Form::SmallBishop(bishop) = word.form {
                let Some(m) = board.find(&NamedMove::from(bishop)) else {
                    WordAnywhere::spend(word.word, &mut self.budget.tries);
                    return played;
                };
                board.play(m);
                played.plies += 1;
            } else if let Some(step) = self.without_board(word) {
                if step == Step::Stop {
                    return played;
                }
            } else {
                return self.goes_on(start, words, passed, played);
            }
            passed += 1;
        }
        Played { whole: true, ..played }
    }

    /// What becomes of a word that is no move wherever it stands.
    fn without_board(&mut self, word: &LineWord<'a>) -> Option<Step> {
        let dialect = self.refused.dialect;
        let anywhere = word.anywhere(dialect).filter(|_| dialect.is_standard())?;
        let step = anywhere.without_moves()?;
        WordAnywhere::spend(word.word, &mut self.budget.tries);
        Some(step)
    }

    /// Goes on at a word that has to be interpreted, behind so many that were played or passed over.
    #[inline(never)]
    fn goes_on(
        &mut self,
        start: &Start,
        words: impl Iterator<Item = &'r LineWord<'a>> + Clone,
        passed: usize,
        mut played: Played,
    ) -> Played {
        let mut position = start.position(self.refused);
        for word in words.clone().take(passed) {
            let m = word.san.and_then(|san| resolve(&position, &san));
            let m = m.or_else(|| match word.form {
                Form::SmallBishop(bishop) => resolve(&position, &bishop),
                _ => None,
            });
            if let Some(m) = m {
                position.play_unchecked(m);
            }
        }
        let mut is_paid = true;
        for word in words.skip(passed) {
            if !is_paid {
                if !self.budget.take(1) {
                    return played;
                }
                if let Some(m) = word.san.and_then(|san| resolve(&position, &san)) {
                    position.play_unchecked(m);
                    played.plies += 1;
                    continue;
                }
                if word.is_plain() || !self.budget.take(INTERPRETED) {
                    return played;
                }
            }
            is_paid = false;
            match self.play_otherwise(&mut position, word, &mut played) {
                Step::On => {}
                // No fault here.
                Step::OpenPromotion => return Played { whole: true, ..played },
                Step::Stop => return played,
            }
        }
        Played { whole: true, ..played }
    }

    /// Plays a word that is no move in the standard's form.
    fn play_otherwise(
        &mut self,
        position: &mut Chess,
        word: &LineWord<'a>,
        played: &mut Played,
    ) -> Step {
        let dialect = self.refused.dialect;
        let tries = &mut self.budget.tries;
        let mut count = |_, _: &Chess| played.plies += 1;
        let mut play = |position: &mut Chess, m: Move| {
            position.play_unchecked(m);
            count(m, position);
            Step::On
        };
        if let Form::SmallBishop(bishop) = word.form {
            return match resolve(position, &bishop) {
                Some(m) => play(position, m),
                None => {
                    WordAnywhere::spend(word.word, tries);
                    Step::Stop
                }
            };
        }
        if !dialect.is_standard()
            && let Some((_, m)) = plain_move(position, word.word, dialect)
        {
            return play(position, m);
        }
        match word.anywhere(dialect) {
            Some(anywhere) => match anywhere.step(position, word.word, tries) {
                Ok(m) => play(position, m),
                Err(step) => step,
            },
            None => play_word(position, word.word, dialect, tries, count),
        }
    }
}
