//! How a record goes on behind a move that the board refuses: as if the move had stood, with one
//! spelling put right, with a half-move that is missing before it, without it, or in no such way.
//!
//! In: the position, the refused move, the words behind it. Out: the reading that explains them,
//! with how many half-moves fit it, and the near spellings that keep all of them legal.
//!
//! A reading that fits the whole rest goes before one that fits a part. A move that only the
//! king's safety, or a lost castling right, forbids can be made on a board, and was, where the rest
//! fits it; any other is first taken for a slip of the pen.

mod near;
mod telling;

use shakmaty::{Chess, Move, Position, Role};

use self::near::near_moves;
pub use self::telling::{course, course_from_earlier, fix};

use super::evidence::{Playable, play_words};
use super::illegal::Refusal;
use super::{legal_moves, resolve};
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
    /// Any of these may stand before it: a half-move was left out.
    MissingPly(Vec<Move>),
    /// The word stands there too much.
    ExtraPly,
    /// None of these.
    Lost,
}

impl Reading {
    /// The word that reports and tables use.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Reading::Stood(_) => "stood",
            Reading::Slip(_) => "slip",
            Reading::MissingPly(_) => "missing_ply",
            Reading::ExtraPly => "extra_ply",
            Reading::Lost => "lost",
        }
    }
}

/// What was found of the words behind a refused move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// `None` where nothing follows the move.
    pub reading: Option<Reading>,
    /// Half-moves that fit the reading.
    pub fitting: u32,
    /// Whether they are all that follow.
    pub whole: bool,
    /// The near spellings with which every half-move that follows is legal.
    pub slips: Vec<Move>,
    /// Whether something else explains all that follows as well.
    pub doubtful: bool,
}

/// A refused move, and what stands behind it.
#[derive(Clone, Copy, Debug)]
pub struct RefusedMove<'a> {
    pub position: &'a Chess,
    /// The word, without `!` and `?`.
    pub word: &'a [u8],
    /// What was read of it.
    pub written: Option<&'a WrittenMove>,
    pub refusal: &'a Refusal,
    /// The words of its line that follow.
    pub rest: &'a [&'a [u8]],
    pub dialect: &'a Dialect,
}

/// A half-move of the same line that was played before the refused one.
#[derive(Clone, Debug)]
pub struct PlayedBefore<'a> {
    pub position: Chess,
    pub m: Move,
    pub word: &'a [u8],
    pub span: Span,
}

/// What explains a refused move by a fault before it.
#[derive(Clone, Debug)]
pub struct EarlierFault {
    /// Which of the half-moves before it.
    pub index: usize,
    /// [`Reading::Slip`], [`Reading::MissingPly`] or [`Reading::ExtraPly`] of that half-move.
    pub reading: Reading,
    /// Where the refused move is then played, and that move.
    pub position: Chess,
    pub m: Move,
}

/// Fewer half-moves than these fit many a wrong reading by chance.
const TELLING: u32 = 8;

/// Half-moves that may be replayed to explain one refused move, so that the time for a game is
/// bounded whatever follows.
const MOST_PLIES: u32 = 100_000;

/// What may go into taking apart words that are several moves run together.
const MOST_TRIES: usize = 4 * 1024;

impl RefusedMove<'_> {
    /// Explains what follows, if something does.
    pub fn explain(&self) -> Explanation {
        let mut replay = Replay { refused: self, plies_left: MOST_PLIES, tries_left: MOST_TRIES };
        let near = self.near();
        let mut all = 0;
        let mut slips = near;
        slips.retain(|&m| {
            let played = replay.after(self.position, m);
            all = all.max(played.plies);
            played.whole
        });
        self.keep_those_that_fit_the_marks(&mut slips);
        if self.rest.is_empty() {
            return Explanation { reading: None, fitting: 0, whole: true, slips, doubtful: false };
        }
        let stood = self.refusal.attempt.map(|m| (m, replay.after(self.position, m)));
        let missing = replay.with_a_move_before();
        let without = replay.from(self.position.clone());

        let stood_whole =
            stood.filter(|(_, played)| played.whole).map(|(m, played)| (m, played.plies));
        let could_be_made = self.refusal.is_of_kings();
        let wrong_side = self.refusal.rule == &moves::WRONG_SIDE_TO_MOVE;
        let explanations = u32::from(!slips.is_empty())
            + u32::from(stood_whole.is_some())
            + u32::from(missing.whole)
            + u32::from(without.whole);

        let (reading, fitting, whole) = match stood_whole {
            Some((m, plies)) if could_be_made || (slips.is_empty() && !wrong_side) => {
                (Reading::Stood(m), plies, true)
            }
            _ if missing.whole && wrong_side => {
                (Reading::MissingPly(missing.moves), missing.fitting, true)
            }
            _ if !slips.is_empty() => (Reading::Slip(slips.clone()), all, true),
            _ if missing.whole => (Reading::MissingPly(missing.moves), missing.fitting, true),
            _ if without.whole => (Reading::ExtraPly, without.plies, true),
            _ => {
                let stood_fits = stood.map_or(0, |(_, played)| played.plies);
                let most = stood_fits.max(missing.fitting).max(without.plies);
                let reading = match stood {
                    _ if most < TELLING => Reading::Lost,
                    Some((m, _)) if stood_fits == most => Reading::Stood(m),
                    _ if missing.fitting == most => Reading::MissingPly(missing.moves),
                    _ => Reading::ExtraPly,
                };
                (reading, most, false)
            }
        };
        Explanation { reading: Some(reading), fitting, whole, slips, doubtful: explanations > 1 }
    }

    /// Looks for the fault among the half-moves `before` this one: whatever is put right there,
    /// this move and all that follow are then legal. The nearest place counts.
    pub fn explain_by_earlier(&self, before: &[PlayedBefore<'_>]) -> Option<EarlierFault> {
        let mut replay = Replay { refused: self, plies_left: MOST_PLIES, tries_left: MOST_TRIES };
        (0..before.len()).rev().find_map(|index| {
            let PlayedBefore { position, m, word, .. } = &before[index];
            let between = &before[index + 1..];
            let mut fits = |after: &Chess, words: &[PlayedBefore<'_>]| {
                let (position, m) = self.reached(after, words)?;
                replay.after(&position, m).whole.then_some((position, m))
            };
            let mut reached = None;
            if let Some(place) = fits(position, between) {
                let (position, m) = place;
                return Some(EarlierFault { index, reading: Reading::ExtraPly, position, m });
            }
            let mut slips =
                near_moves(position, word, WrittenMove::parse(word).map(|w| w.san).as_ref());
            slips.retain(|&slip| {
                let place = (slip != *m).then(|| fits(&played(position, slip), between)).flatten();
                reached = place.clone().or_else(|| reached.take());
                place.is_some()
            });
            if let Some((position, m)) = reached {
                return Some(EarlierFault { index, reading: Reading::Slip(slips), position, m });
            }
            let missing: Vec<Move> = legal_moves(position)
                .into_iter()
                .filter(|&missing| {
                    let place = fits(&played(position, missing), &before[index..]);
                    reached = place.clone().or_else(|| reached.take());
                    place.is_some()
                })
                .collect();
            let (position, m) = reached?;
            Some(EarlierFault { index, reading: Reading::MissingPly(missing), position, m })
        })
    }

    /// Where the words between lead from a position, and the refused move there.
    fn reached(&self, from: &Chess, words: &[PlayedBefore<'_>]) -> Option<(Chess, Move)> {
        let mut position = from.clone();
        for before in words {
            let written = WrittenMove::parse(before.word)?;
            let m = resolve(&position, &written.san)?;
            position.play_unchecked(m);
        }
        let m = resolve(&position, &self.written?.san)?;
        Some((position, m))
    }

    /// The near spellings, whatever follows.
    fn near(&self) -> Vec<Move> {
        let body = self.word.trim_ascii_end();
        let end = body.iter().rposition(|byte| !matches!(byte, b'+' | b'#')).map_or(0, |at| at + 1);
        near_moves(self.position, &body[..end], self.written.map(|written| &written.san))
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

/// A half-move put in before the refused one.
struct Missing {
    /// Those with which the most half-moves fit.
    moves: Vec<Move>,
    /// Of those that follow the refused one.
    fitting: u32,
    whole: bool,
}

/// Replays the rest from one position after another, within bounds.
struct Replay<'r, 'a> {
    refused: &'r RefusedMove<'a>,
    plies_left: u32,
    tries_left: usize,
}

impl Replay<'_, '_> {
    fn after(&mut self, position: &Chess, m: Move) -> Playable {
        self.from(played(position, m))
    }

    fn from(&mut self, position: Chess) -> Playable {
        let words = self.refused.rest;
        let within = words.len().min(self.plies_left as usize);
        let played = play_words(
            position,
            words[..within].iter().copied(),
            self.refused.dialect,
            &mut self.tries_left,
        );
        self.plies_left = self.plies_left.saturating_sub(played.plies + 1);
        Playable { whole: played.whole && within == words.len(), ..played }
    }

    /// Each legal move of the side to move, and then the refused one by the other side.
    fn with_a_move_before(&mut self) -> Missing {
        let mut best = Missing { moves: Vec::new(), fitting: 0, whole: false };
        let Some(written) = self.refused.written else { return best };
        let position = self.refused.position;
        for missing in legal_moves(position) {
            let after = played(position, missing);
            let Some(m) = resolve(&after, &written.san) else { continue };
            let played = self.after(&after, m);
            let reach = (played.whole, played.plies);
            if best.moves.is_empty() || reach > (best.whole, best.fitting) {
                best = Missing { moves: Vec::new(), fitting: played.plies, whole: played.whole };
            }
            if reach == (best.whole, best.fitting) {
                best.moves.push(missing);
            }
        }
        best.moves.sort_by_key(|m| (m.role() != Role::Pawn, m.role(), m.to(), m.from()));
        best
    }
}

fn played(position: &Chess, m: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(m);
    after
}
