//! Whether a game goes on behind a comment that runs over what looks like another game.

use shakmaty::Move;
use shakmaty::san::San;

use super::line::Line;
use super::variant_board::{read_variant_move, resolve_variant};
use super::{Start, read_start, resolve};
use crate::diagnostics::Span;
use crate::pgn::framing::Continuation;
use crate::pgn::{Lexer, TokenKind, WrittenMove};

/// Asks the board: a move must be legal behind the outer game's last one, and a number fit it.
#[derive(Debug, Default)]
pub struct BoardContinuation {
    outer: Vec<Line>,
}

impl Continuation for BoardContinuation {
    fn goes_on(&mut self, outer: &[u8], after: &[u8]) -> bool {
        let Some(mut line) = self.replay(outer) else { return false };
        for token in Lexer::movetext(after, Span::new(0, after.len())) {
            match token.kind {
                TokenKind::MoveNumber => {
                    line.number(after, token.span);
                    if line.take_wrong_number().is_some() {
                        return false;
                    }
                }
                TokenKind::Word => {
                    let word = token.span.of(after);
                    return read(&line, word).is_some_and(|san| legal_move(&line, san).is_some());
                }
                TokenKind::Space
                | TokenKind::Markup
                | TokenKind::Comment { .. }
                | TokenKind::LineComment
                | TokenKind::Nag
                | TokenKind::Suffix => {}
                TokenKind::RavClose => return !self.outer.is_empty(),
                _ => return false,
            }
        }
        false
    }
}

impl BoardContinuation {
    /// Where the outer game stands at its end; `None` if that cannot be told.
    fn replay(&mut self, game: &[u8]) -> Option<Line> {
        self.outer.clear();
        let (mut variant, mut fen) = (None, None);
        let mut line: Option<Line> = None;
        for token in Lexer::new(game, Span::new(0, game.len())) {
            match token.kind {
                TokenKind::Tag(pair) => match pair.name.of(game) {
                    b"Variant" => variant = Some(pair.value.of(game)),
                    b"FEN" => fen = Some(pair.value.of(game)),
                    _ => {}
                },
                TokenKind::Word | TokenKind::RavOpen | TokenKind::RavClose => {
                    let line = match &mut line {
                        Some(line) => line,
                        None => line.insert(start_line(variant, fen)?),
                    };
                    self.step(line, token.kind, token.span.of(game))?;
                }
                _ => {}
            }
        }
        line.or_else(|| start_line(variant, fen))
    }

    fn step(&mut self, line: &mut Line, kind: TokenKind, text: &[u8]) -> Option<()> {
        match kind {
            TokenKind::RavOpen if self.outer.len() < super::DEEPEST_VARIATION => {
                let variation = line.variation();
                self.outer.push(std::mem::replace(line, variation));
            }
            TokenKind::RavOpen => return None,
            TokenKind::RavClose => *line = self.outer.pop()?,
            _ => {
                let Some(san) = read(line, text) else { return Some(()) };
                if san == San::Null {
                    line.pass();
                    return Some(());
                }
                let m = legal_move(line, san)?;
                if line.variant.is_some() {
                    line.play_variant(m);
                } else {
                    line.play(m);
                }
            }
        }
        Some(())
    }
}

fn read(line: &Line, word: &[u8]) -> Option<San> {
    let written =
        if line.variant.is_some() { read_variant_move(word) } else { WrittenMove::parse(word) };
    written.map(|written| written.san)
}

fn legal_move(line: &Line, san: San) -> Option<Move> {
    match &line.variant {
        Some(board) => resolve_variant(&board.position, san).ok(),
        None => resolve(&line.position, &san),
    }
}

fn start_line(variant: Option<&[u8]>, fen: Option<&[u8]>) -> Option<Line> {
    match read_start(variant, fen) {
        Start::Position(start) => Some(Line::new(&start.position)),
        Start::Variant(start) => Some(Line::of_variant(start.position)),
        Start::Unplayable(_) | Start::UnknownVariant => None,
    }
}
