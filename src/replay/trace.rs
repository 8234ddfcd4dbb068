//! The main line as the examiner played it, for those who want to see the board.
//!
//! In come the certified moves while a game is examined; out come their SAN, their squares and the
//! position after each. Behind the first fault there are only words: [`Trace::rest`] gives them as
//! they stand in the text. Positions are kept as FEN, so that any variant fits.

use shakmaty::san::{San, SanPlus};
use shakmaty::variant::Variant;
use shakmaty::{Move, Position, Role, Square};

use crate::diagnostics::{Ply, Span};
use crate::pgn::{Lexer, TokenKind, WrittenMove, is_move_like};
use crate::rules::fen_of;

/// What was played in one game.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Whose rules it was played by, if there is a start position.
    pub variant: Variant,
    /// FEN of the start position; `None` where it cannot be played on, or by no known rules.
    pub start: Option<String>,
    /// The certified moves: the first is ply 1.
    pub moves: Vec<TracedMove>,
}

/// A certified move of the main line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedMove {
    pub ply: Ply,
    /// The word that stands for it.
    pub span: Span,
    pub m: Move,
    /// As the standard writes it, with its check or mate mark; a drop with the letter of its
    /// piece, `P@e4` too.
    pub san: String,
    /// Where the piece came from; `None` for a drop. In castling, the king's squares.
    pub from: Option<Square>,
    pub to: Square,
    /// FEN of the position after it, with pieces in hand and checks to give where there are such.
    pub fen: String,
}

impl Trace {
    pub(super) fn clear(&mut self) {
        self.variant = Variant::Chess;
        self.start = None;
        self.moves.clear();
    }

    pub(super) fn begin(&mut self, variant: Variant, start: &impl Position) {
        self.variant = variant;
        self.start = Some(fen_of(start));
    }

    pub(super) fn played<P: Position + Clone>(
        &mut self,
        ply: Ply,
        span: Span,
        m: Move,
        before: &P,
        after: &P,
    ) {
        let to = m.castling_side().map_or(m.to(), |side| side.king_to(before.turn()));
        let san = written(&SanPlus::from_move(before.clone(), m));
        self.moves.push(TracedMove { ply, span, m, san, from: m.from(), to, fen: fen_of(after) });
    }

    /// The words of the main line behind the last certified move that stand for moves.
    pub fn rest(&self, bytes: &[u8], game: Span) -> Vec<Span> {
        let lexer = match self.moves.last() {
            Some(last) => Lexer::movetext(bytes, Span::new(last.span.end, game.end)),
            None => Lexer::new(bytes, game),
        };
        let mut depth = 0u32;
        let mut words = Vec::new();
        for token in lexer {
            match token.kind {
                TokenKind::RavOpen => depth += 1,
                TokenKind::RavClose => depth = depth.saturating_sub(1),
                TokenKind::Word if depth == 0 => {
                    let word = token.span.of(bytes);
                    if WrittenMove::parse(word).is_some() || is_move_like(word) {
                        words.push(token.span);
                    }
                }
                _ => {}
            }
        }
        words
    }
}

/// A move as reports write it: the drop of a pawn with its letter, as servers do.
pub(super) fn written(san: &SanPlus) -> String {
    let letter = if matches!(san.san, San::Put { role: Role::Pawn, .. }) { "P" } else { "" };
    format!("{letter}{san}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::framing::{Framer, Place};
    use crate::replay::{
        BoardContinuation, ChunkRecords, Ending, Examiner, ExaminerOptions, Output,
    };
    use crate::summary::Counts;

    fn traced(text: &str) -> (Trace, Vec<String>) {
        let bytes = text.as_bytes();
        let (framer, _) = Framer::new(bytes, Place::WHOLE, BoardContinuation::default());
        let mut examiner = Examiner::tracing(ExaminerOptions::default());
        let (mut findings, mut records) = (Vec::new(), ChunkRecords::default());
        let mut counts = Counts::default();
        let mut last = Span::default();
        for frame in framer {
            let mut output =
                Output { findings: &mut findings, records: &mut records, counts: &mut counts };
            examiner.examine(bytes, &frame, Ending::Whole, 0, 0, &mut output);
            last = frame.game;
        }
        let trace = examiner.trace().expect("it was asked for").clone();
        let rest = trace.rest(bytes, last);
        let rest = rest.iter().map(|word| String::from_utf8_lossy(word.of(bytes)).into_owned());
        (trace, rest.collect())
    }

    #[test]
    fn moves_are_traced_up_to_the_first_fault_and_words_from_there() {
        let (trace, rest) =
            traced("1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 Nc6 3. Qh9 (3. Bb5) a6 4. O-O *");
        let sans: Vec<_> = trace.moves.iter().map(|played| played.san.as_str()).collect();
        assert_eq!(sans, ["e4", "e5", "Nf3", "Nc6"]);
        assert_eq!(rest, ["Qh9", "a6", "O-O"]);
        assert_eq!(trace.moves[0].from, Some(Square::E2));
        assert!(trace.moves[3].fen.starts_with("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/"));
    }

    #[test]
    fn a_word_is_traced_as_the_standard_writes_the_move() {
        let (trace, _) = traced("1. f3 e5 2. g4 Qh4 0-1");
        assert_eq!(trace.moves[3].san, "Qh4#");
        let (trace, _) = traced("[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. 0-0 *");
        assert_eq!((trace.moves[0].san.as_str(), trace.moves[0].to), ("O-O", Square::G1));
    }

    #[test]
    fn a_variant_is_traced_with_its_hands_and_checks() {
        let (trace, rest) = traced(
            "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 (3. @d6) Qa5 4. @d6 N@f6 exd6 *",
        );
        assert_eq!(trace.variant, Variant::Crazyhouse);
        let last = trace.moves.last().unwrap();
        assert_eq!((last.san.as_str(), last.from, last.to), ("P@d6", None, Square::D6));
        assert!(trace.moves[5].fen.contains("[Pp] w "), "{}", trace.moves[5].fen);
        assert_eq!(rest, ["N@f6", "exd6"]);
        let (trace, _) = traced("[Variant \"3check\"]\n\n1. e4 d5 2. Bb5+ *");
        assert!(trace.start.unwrap().ends_with(" 3+3 0 1"));
        assert!(trace.moves[2].fen.ends_with(" 2+3 1 2"), "{}", trace.moves[2].fen);
    }

    #[test]
    fn nothing_is_left_of_the_game_before() {
        let (trace, rest) = traced("1. e4 e5 *\n\n[Variant \"Unheard-of\"]\n\n1. d4 d5 *");
        assert!(trace.start.is_none() && trace.moves.is_empty());
        assert_eq!(rest, ["d4", "d5"]);
        let (trace, _) = traced("[Variant \"Atomic\"]\n\n1. e4 *\n\n[Event \"?\"]\n\n1. d4 *");
        assert_eq!(trace.variant, Variant::Chess);
    }
}
