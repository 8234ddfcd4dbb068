//! How far the main line of a text can be played from a position.
//!
//! It decides what a single move leaves open: in which language a game is written, whether the
//! numbers begin another game; and, with a [`Rest`] behind the move, which piece a pawn became and
//! which of two pieces moved.

mod budget;
mod candidates;
mod rest;
mod ruling;
mod state;
mod trial;

pub use budget::Budget;
pub use candidates::Candidates;
pub use rest::Rest;
pub use ruling::{Doubts, Ground, Habits, Ruling, rule_on};
use shakmaty::{Chess, Move, Position, Role, Square};
pub use trial::{Exclusion, Place, Trial};

use super::interpret::{Interpretation, RunPart, interpret_within};
use super::resolve;
use crate::diagnostics::Span;
use crate::pgn::{Dialect, Lexer, Mark, TokenKind, WrittenMove};
use crate::rules::promotions;

/// What became of a main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playable {
    /// Half-moves that could be played.
    pub plies: u32,
    /// All of them; a promotion that lacks its piece ends what can be told, and is no fault here.
    pub whole: bool,
    /// Hash of the moves played.
    pub key: u64,
}

/// The words of the main line in a stretch of movetext.
pub fn main_line_words(bytes: &[u8], movetext: Span) -> impl Iterator<Item = Span> {
    let mut depth = 0u32;
    Lexer::movetext(bytes, movetext).filter_map(move |token| {
        match token.kind {
            TokenKind::RavOpen => depth += 1,
            TokenKind::RavClose => depth = depth.saturating_sub(1),
            TokenKind::Word if depth == 0 => return Some(token.span),
            _ => {}
        }
        None
    })
}

/// The words of a variation, from a place inside it to its end.
pub fn variation_words(bytes: &[u8], rest: Span) -> impl Iterator<Item = Span> {
    let mut depth = 0u32;
    Lexer::movetext(bytes, rest)
        .map_while(move |token| {
            match token.kind {
                TokenKind::RavOpen => depth += 1,
                TokenKind::RavClose => depth = depth.checked_sub(1)?,
                TokenKind::Word if depth == 0 => return Some(Some(token.span)),
                _ => {}
            }
            Some(None)
        })
        .flatten()
}

/// How often parts of words may be tried as moves to answer one question. A game whose moves are
/// all run together takes a few thousand.
pub const MOST_TRIES: usize = 16 * 1024;

/// Plays the words one after another. `tries` go into words that are several moves run together.
pub fn play_words<'a>(
    position: Chess,
    words: impl Iterator<Item = &'a [u8]>,
    dialect: &Dialect,
    tries: &mut usize,
) -> Playable {
    play_and_show(position, words, dialect, tries, |_, _| {})
}

/// The same, and shows each move's half-move, from 1, with the position behind it.
pub fn play_and_show<'a>(
    mut position: Chess,
    words: impl Iterator<Item = &'a [u8]>,
    dialect: &Dialect,
    tries: &mut usize,
    mut show: impl FnMut(u32, &Chess),
) -> Playable {
    let mut played = Playable { plies: 0, whole: true, key: 0 };
    for word in words {
        let step = play_word(&mut position, word, dialect, tries, |m, after| {
            played.key = mix(played.key, m);
            played.plies += 1;
            show(played.plies, after);
        });
        match step {
            Step::On => {}
            Step::OpenPromotion => return played,
            Step::Stop => return Playable { whole: false, ..played },
        }
    }
    played
}

/// What became of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It was played, or is no move.
    On,
    /// A promotion that lacks its piece.
    OpenPromotion,
    /// It cannot be played.
    Stop,
}

/// Plays one word, and shows each of its moves with the position behind it.
pub fn play_word(
    position: &mut Chess,
    word: &[u8],
    dialect: &Dialect,
    tries: &mut usize,
    mut show: impl FnMut(Move, &Chess),
) -> Step {
    let mut play = |position: &mut Chess, m: Move| {
        position.play_unchecked(m);
        show(m, position);
    };
    let is_plain =
        dialect.language.is_english() && !(dialect.pieces_first && word.first() == Some(&b'b'));
    if is_plain
        && let Some(written) = WrittenMove::parse(word)
        && let Some(m) = resolve(position, &written.san)
    {
        play(position, m);
        return Step::On;
    }
    match interpret_within(position, word, dialect, tries) {
        Interpretation::Move(_, m) => play(position, m),
        Interpretation::Run(parts) => {
            for part in parts {
                if let RunPart::Move(_, _, m) = part {
                    play(position, m);
                }
            }
        }
        Interpretation::Null(_) => match position.clone().swap_turn() {
            Ok(passed) => *position = passed,
            Err(_) => return Step::Stop,
        },
        Interpretation::Remark(_) | Interpretation::Unknown => {}
        Interpretation::Refused { refusal, .. }
            if refusal.rule == &promotions::MISSING_PROMOTION_PIECE =>
        {
            return Step::OpenPromotion;
        }
        Interpretation::BrokenRun(..)
        | Interpretation::Refused { .. }
        | Interpretation::Unreadable => return Step::Stop,
    }
    Step::On
}

/// Whether a position has what the mark of the move before it says.
fn gives(after: &Chess, mark: Mark) -> bool {
    match mark {
        Mark::None => !after.is_check(),
        Mark::Check | Mark::DoubleCheck => after.is_check(),
        Mark::Mate => after.is_checkmate(),
    }
}

/// Adds a move to the hash of those before it.
pub fn mix(key: u64, m: Move) -> u64 {
    let from = m.from().map_or(64, Square::to_u32);
    let piece = match m {
        Move::Put { role, .. } => Some(role),
        _ => m.promotion(),
    };
    mix_squares(key, from, m.to(), piece)
}

/// The same, from the parts of a move: the number of the square it comes from, where it goes, and
/// the piece that it makes.
#[inline]
pub fn mix_squares(key: u64, from: u32, to: Square, piece: Option<Role>) -> u64 {
    let piece = piece.map_or(0, |role| role as u32);
    let code = u64::from(from << 12 | to.to_u32() << 4 | piece) + 1;
    // The finalizer of SplitMix64, which spreads each bit over all.
    let mut mixed = key.rotate_left(23) ^ code.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 27)
}
