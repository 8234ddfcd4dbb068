//! The half-moves of a main line, as a person reads them.
//!
//! In: a game, its record and what was played. Out: a word for each half-move that the text holds:
//! SAN as far as the moves are certified, and from there what is written.

use std::borrow::Cow;

use shakmaty::fen::Fen;

use crate::diagnostics::Span;
use crate::replay::{GameRecord, Trace};
use crate::source::excerpt_as;

/// A half-move of the main line.
#[derive(Debug)]
pub(super) struct Word<'a> {
    pub span: Span,
    /// The SAN of a certified move, else what the text says.
    pub text: Cow<'a, str>,
    /// `12.` or `12...`
    pub number: String,
    pub black: bool,
}

/// The main line as far as it was counted.
pub(super) fn words<'a>(bytes: &'a [u8], record: &GameRecord, trace: &'a Trace) -> Vec<Word<'a>> {
    let certified = trace.moves.iter().map(|it| (it.span, Cow::Borrowed(it.san.as_str())));
    let rest = trace.rest(bytes, record.span).into_iter();
    let rest = rest.map(|span| (span, excerpt_as(span.of(bytes), record.encoding)));
    let (first, black) = first_move(trace);
    let word = |(at, (span, text)): (u64, (Span, Cow<'a, str>))| {
        let half_moves = at + u64::from(black);
        let (number, black) = (first + half_moves / 2, half_moves % 2 == 1);
        let number = format!("{number}{}", if black { "..." } else { "." });
        Word { span, text, number, black }
    };
    (0..).zip(certified.chain(rest)).take(record.plies as usize).map(word).collect()
}

/// Number and side of the first move.
fn first_move(trace: &Trace) -> (u64, bool) {
    let start = trace.start.as_ref().and_then(|fen| fen.parse::<Fen>().ok());
    start.map_or((1, false), |fen| {
        let setup = fen.as_setup();
        (u64::from(setup.fullmoves.get()), setup.turn.is_black())
    })
}
