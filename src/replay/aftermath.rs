//! How a record goes on behind a move that the board refuses: as if the move had stood, with one
//! spelling put right, with half-moves put in, left out or exchanged, or in no such way.
//!
//! In: the refused move, the half-moves before it, the words behind it. Out: the reading that
//! explains them, where the fault then is, how many half-moves fit, and the near spellings that
//! keep all of them legal.
//!
//! A reading that fits the whole rest goes before one that fits a part, and a fault at the refused
//! move before one a few half-moves earlier. A move that only the king's safety, a lost castling
//! right or the moment for taking en passant forbids looks like any other on a board, and was made,
//! where the rest fits it; any other is taken for a fault of the record first.

mod hurdles;
mod line_word;
mod missing;
mod near;
mod search;
mod telling;
#[cfg(test)]
mod tests;
mod trial;

use shakmaty::{CastlingMode, Chess, Move, Position};

use self::line_word::LineWord;
pub use self::telling::{course, fix};
use self::trial::Replay;
use super::evidence::Budget;
use super::fast::{BoardMove, CompactBoard};
use super::illegal::Refusal;
use super::resolve;
use crate::diagnostics::Span;
use crate::pgn::{Dialect, Mark, WrittenMove};
use crate::rules::moves;

/// What explains the half-moves behind a refused move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The illegal position was played on (FIDE Laws 2023, A.5.2).
    Stood(Move),
    /// One of these was meant.
    Slip(Vec<Move>),
    /// Any of these stood before it: a half-move was left out.
    MissingPly(Vec<Move>),
    /// Where the numbers jump, a half-move of each side was left out, such as these.
    MissingMove(Move, Move),
    /// So many half-moves from here on stand there too much: one, or one of each side.
    ExtraPlies(usize),
    /// The half-move and the next one have changed places.
    SwappedPlies,
    /// None of these.
    Lost,
}

impl Reading {
    /// The word that reports and tables use.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Reading::Stood(_) => "stood",
            Reading::Slip(_) => "slip",
            Reading::MissingPly(_) | Reading::MissingMove(..) => "missing_ply",
            Reading::ExtraPlies(_) => "extra_ply",
            Reading::SwappedPlies => "swapped_plies",
            Reading::Lost => "lost",
        }
    }
}

/// What was found of the words behind a refused move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// `None` where nothing follows the move.
    pub reading: Option<Reading>,
    /// Where the fault is: which of the half-moves before; `None` for the refused move itself.
    pub earlier: Option<usize>,
    /// Half-moves behind the refused one that fit the reading.
    pub fitting: u32,
    /// Whether they are all that follow.
    pub whole: bool,
    /// The near spellings, where the fault is, with which every half-move that follows is legal.
    pub slips: Vec<Move>,
    /// Whether something else explains all that follows as well.
    pub doubtful: bool,
}

/// A refused move, and what stands around it.
#[derive(Clone, Copy, Debug)]
pub struct RefusedMove<'a> {
    pub position: &'a Chess,
    /// The word, without `!` and `?`.
    pub word: &'a [u8],
    /// What was read of it.
    pub written: Option<&'a WrittenMove>,
    pub refusal: &'a Refusal,
    /// The half-moves of its line before it, the last ones.
    pub before: &'a [PlayedBefore<'a>],
    /// The words of its line that follow.
    pub rest: &'a [&'a [u8]],
    /// Before which half-move the numbers go wrong, and how: as many as `before` has stand for the
    /// refused one.
    pub numbers: Option<(usize, Numbers)>,
    pub dialect: &'a Dialect,
}

/// What wrong move numbers hint at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// They are ahead: moves are missing.
    Jump,
    /// They come again: moves stand twice.
    Repeat,
}

/// A half-move of the same line that was played before the refused one.
#[derive(Clone, Debug)]
pub struct PlayedBefore<'a> {
    pub board: CompactBoard,
    /// The number of the move.
    pub number: u32,
    pub m: BoardMove,
    pub word: &'a [u8],
    pub span: Span,
}

impl PlayedBefore<'_> {
    pub fn position(&self, mode: CastlingMode) -> Chess {
        self.board.to_position(mode, self.number)
    }
}

/// Fewer half-moves than these fit many a wrong reading by chance.
const TELLING: u32 = 8;

/// What stands twice, and is left out, is told by fewer.
const LEAST: u32 = 2;

impl<'a> RefusedMove<'a> {
    /// Explains what follows, if something does, within the budget of the game. Trials that can
    /// find nothing are passed over, unless the budget may end with them.
    pub fn explain(&self, budget: &mut Budget) -> Explanation {
        let words = self.line();
        let all = budget.clone();
        let explanation = self.explain_with(&words, budget, true);
        if budget.would_last() {
            return explanation;
        }
        *budget = all;
        self.explain_with(&words, budget, false)
    }

    /// The same, and takes of the budget what each trial costs.
    pub fn explain_counting_all(&self, budget: &mut Budget) -> Explanation {
        self.explain_with(&self.line(), budget, false)
    }

    fn explain_with(
        &self,
        words: &[LineWord<'a>],
        budget: &mut Budget,
        passes_over: bool,
    ) -> Explanation {
        let here = self.before.len();
        let mut replay = Replay { refused: self, words, budget, passes_over };
        let mut slips = replay.slips_here();
        self.keep_those_that_fit_the_marks(&mut slips);
        let following = u32::try_from(self.rest.len()).unwrap_or(u32::MAX);
        let mut explained = Explanation {
            reading: None,
            earlier: None,
            fitting: following,
            whole: true,
            slips: Vec::new(),
            doubtful: false,
        };
        if self.rest.is_empty() {
            return Explanation { fitting: 0, slips, ..explained };
        }
        let start = replay.at(here);
        let attempt = self.refusal.attempt;
        let stood = attempt.map(|m| (m, replay.plays(&start.behind_any(m, self), here + 1)));
        let stood_whole = stood.filter(|(_, played)| played.whole).map(|(m, _)| m);
        let missing = replay.with_a_move_before();
        let without = replay.plays(&start, here + 1);
        let explanations = u32::from(!slips.is_empty())
            + u32::from(stood_whole.is_some())
            + u32::from(missing.whole)
            + u32::from(without.whole);
        explained.doubtful = explanations > 1;

        let looks_legal = self.refusal.looks_legal();
        let wrong_side = self.refusal.rule == &moves::WRONG_SIDE_TO_MOVE;
        // Where the numbers go wrong, something is missing or stands twice, and no spelling is to
        // blame.
        explained.doubtful |= self.numbers.is_some();
        let hinted = self.numbers.map_or(here, |(place, _)| place);
        let told = replay.fault_of_numbers(hinted);
        if told.is_some() && hinted < here {
            return Explanation { reading: told, earlier: Some(hinted), ..explained };
        }
        let reading = match stood_whole {
            _ if told.is_some() => told,
            Some(m) if looks_legal => Some(Reading::Stood(m)),
            _ if missing.whole && wrong_side => Some(Reading::MissingPly(missing.moves.clone())),
            _ if !slips.is_empty() => Some(Reading::Slip(slips.clone())),
            _ if missing.whole => Some(Reading::MissingPly(missing.moves.clone())),
            _ if without.whole && replay.stands_twice(here, 1) => Some(Reading::ExtraPlies(1)),
            _ => replay.rarer_fault(here),
        };
        if let Some(reading) = reading {
            // A fault before this move may explain it as well as one in it.
            let slip = matches!(reading, Reading::Slip(_));
            explained.doubtful |=
                slip && !explained.doubtful && replay.earlier_faults().next().is_some();
            // The next half-move is part of the fault.
            let taken =
                u32::from(matches!(reading, Reading::ExtraPlies(2) | Reading::SwappedPlies));
            let fitting = following.saturating_sub(taken);
            return Explanation { reading: Some(reading), fitting, slips, ..explained };
        }
        // The nearest, and whether there is another.
        let earlier: Vec<_> = replay.earlier_faults().take(2).collect();
        let another = earlier.len() > 1;
        if let Some((index, reading)) = earlier.into_iter().next() {
            let slips = match &reading {
                Reading::Slip(moves) => moves.clone(),
                _ => Vec::new(),
            };
            return Explanation {
                reading: Some(reading),
                earlier: Some(index),
                slips,
                doubtful: explained.doubtful || stood_whole.is_some() || another,
                ..explained
            };
        }
        if let Some(m) = stood_whole {
            return Explanation { reading: Some(Reading::Stood(m)), ..explained };
        }
        if without.whole {
            return Explanation { reading: Some(Reading::ExtraPlies(1)), ..explained };
        }
        for count in [1, 2] {
            // Another fault may follow.
            let fitting = replay.fits_without_twins(here, count);
            if fitting >= LEAST {
                let reading = Some(Reading::ExtraPlies(count));
                return Explanation { reading, fitting, whole: false, ..explained };
            }
        }
        let stood_fits = stood.map_or(0, |(_, played)| played.plies);
        let most = stood_fits.max(missing.fitting).max(without.plies);
        let reading = match stood {
            Some((m, _)) if stood_fits == most && most > 0 && (looks_legal || most >= TELLING) => {
                Reading::Stood(m)
            }
            _ if most < TELLING => Reading::Lost,
            _ if missing.fitting == most => Reading::MissingPly(missing.moves),
            _ => Reading::ExtraPlies(1),
        };
        Explanation { reading: Some(reading), fitting: most, whole: false, ..explained }
    }

    /// The position before a half-move, by its place among those before the refused one.
    fn position_at(&self, place: usize) -> Chess {
        match self.before.get(place) {
            Some(before) => before.position(self.position.castles().mode()),
            None => self.position.clone(),
        }
    }

    fn board_at(&self, place: usize) -> CompactBoard {
        self.before.get(place).map_or_else(|| CompactBoard::of(self.position), |it| it.board)
    }

    /// The words of the line from the first half-move before the refused one on.
    fn line(&self) -> Vec<LineWord<'a>> {
        let before = self.before.iter().map(|before| before.word);
        let words = before.chain([self.word]).chain(self.rest.iter().copied());
        words.map(|word| LineWord::new(word, self.dialect)).collect()
    }

    /// Where the game stands if the half-move with this index is put right so: behind the refused
    /// move; where that is exchanged with the next one, or both stand there too much, behind both.
    pub fn read_with(&self, index: usize, reading: &Reading) -> Option<Chess> {
        let mut position = self.position_at(index);
        let words = self.before.iter().map(|before| before.word);
        let next = self.rest.first().copied().filter(|_| index == self.before.len());
        let mut words: Vec<&[u8]> = words.chain([self.word]).chain(next).skip(index).collect();
        match reading {
            Reading::Slip(moves) => {
                position = played(&position, *moves.first()?);
                words.remove(0);
            }
            Reading::MissingPly(moves) => position = played(&position, *moves.first()?),
            Reading::ExtraPlies(count) => drop(words.drain(..(*count).min(words.len()))),
            Reading::SwappedPlies if words.len() > 1 => words.swap(0, 1),
            Reading::MissingMove(one, other) => {
                position = played(&played(&position, *one), *other);
                // Nothing but the refused move is read with them.
                words.truncate(self.before.len() + 1 - index);
            }
            _ => return None,
        }
        for word in words {
            let m = resolve(&position, &WrittenMove::parse(word)?.san)?;
            position.play_unchecked(m);
        }
        Some(position)
    }

    /// Of several moves, those that capture, or give the check or the mate, as it is written, if
    /// there are any.
    fn keep_those_that_fit_the_marks(&self, moves: &mut Vec<Move>) {
        let takes = |m: &Move| m.is_capture();
        if self.word.contains(&b'x') && moves.iter().any(takes) {
            moves.retain(takes);
        }
        let mark = self.written.map_or(Mark::None, |written| written.mark);
        let gives = |m: &Move| {
            let after = played(self.position, *m);
            match mark {
                Mark::None => true,
                Mark::Check | Mark::DoubleCheck => after.is_check(),
                Mark::Mate => after.is_checkmate(),
            }
        };
        if moves.iter().any(gives) {
            moves.retain(gives);
        }
    }
}

fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
