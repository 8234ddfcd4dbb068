//! Whether a game goes on behind a comment that runs over what looks like another game.

use super::decision::decide;
use super::evidence::MOST_TRIES;
use super::interpret::{Interpretation, RunPart, interpret_within};
use super::line::Line;
use super::variant_board::{read_variant_move, resolve_variant};
use super::{Start, read_start, resolve};
use crate::diagnostics::Span;
use crate::pgn::framing::Continuation;
use crate::pgn::{Dialect, Lexer, TokenKind, WrittenMove};

/// Asks the board: a move must be legal behind the outer game's last one, and a number fit it.
#[derive(Clone, Debug, Default)]
pub struct BoardContinuation {
    outer: Vec<Line>,
    dialect: Dialect,
    /// What may still go into words of this game that are several moves run together.
    tries: usize,
}

impl Continuation for BoardContinuation {
    fn goes_on(&mut self, outer: &[u8], after: &[u8], asked: u32) -> bool {
        if asked == 0 {
            self.dialect = Dialect::STANDARD;
            self.tries = MOST_TRIES;
        }
        let replayed = match self.replay(outer) {
            // Once a game: what its first part does not tell, costs too much to ask again.
            None if asked == 0 => self.replay_in_its_dialect(outer),
            replayed => replayed,
        };
        let Some(mut line) = replayed else { return false };
        for token in Lexer::movetext(after, Span::new(0, after.len())) {
            match token.kind {
                TokenKind::MoveNumber => {
                    line.number(after, token.span);
                    if line.take_wrong_number().is_some() {
                        return false;
                    }
                }
                TokenKind::Word => {
                    return self.play(&mut line, token.span.of(after)) == Some(Played::Move);
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
        let (variant, fen) = start_tags(game);
        let mut line: Option<Line> = None;
        for token in Lexer::new(game, Span::new(0, game.len())) {
            match token.kind {
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
            _ => drop(self.play(line, text)?),
        }
        Some(())
    }

    /// A game that the standard's letters do not explain may be written with others.
    fn replay_in_its_dialect(&mut self, game: &[u8]) -> Option<Line> {
        let (variant, fen) = start_tags(game);
        let start = start_line(variant, fen).filter(|line| line.variant.is_none())?;
        self.dialect = decide(&start.position, game, Span::new(0, game.len()))?.dialect;
        self.replay(game)
    }

    /// `None` for a move that cannot be played, or not be read.
    fn play(&mut self, line: &mut Line, word: &[u8]) -> Option<Played> {
        if let Some(board) = &line.variant {
            let Some(written) = read_variant_move(word) else { return Some(Played::Nothing) };
            let m = resolve_variant(&board.position, written.san).ok()?;
            line.play_variant(m);
            return Some(Played::Move);
        }
        if self.dialect.is_standard()
            && let Some(written) = WrittenMove::parse(word)
            && let Some(m) = resolve(&line.position, &written.san)
        {
            line.play(m);
            return Some(Played::Move);
        }
        match interpret_within(&line.position, word, &self.dialect, &mut self.tries) {
            Interpretation::Move(_, m) => line.play(m),
            Interpretation::Run(parts) => {
                for part in parts {
                    if let RunPart::Move(_, _, m) = part {
                        line.play(m);
                    }
                }
            }
            Interpretation::Null(_) => line.pass(),
            Interpretation::Remark(_) | Interpretation::Unknown => return Some(Played::Nothing),
            Interpretation::BrokenRun(..)
            | Interpretation::Refused { .. }
            | Interpretation::Unreadable => return None,
        }
        Some(Played::Move)
    }
}

/// What a word was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Played {
    Move,
    /// No move.
    Nothing,
}

/// The values of the Variant and FEN tags.
fn start_tags(game: &[u8]) -> (Option<&[u8]>, Option<&[u8]>) {
    let (mut variant, mut fen) = (None, None);
    for token in Lexer::new(game, Span::new(0, game.len())) {
        match token.kind {
            TokenKind::Tag(pair) if pair.name.of(game) == b"Variant" => {
                variant = Some(pair.value.of(game));
            }
            TokenKind::Tag(pair) if pair.name.of(game) == b"FEN" => fen = Some(pair.value.of(game)),
            TokenKind::Word | TokenKind::RavOpen | TokenKind::MoveNumber => break,
            _ => {}
        }
    }
    (variant, fen)
}

fn start_line(variant: Option<&[u8]>, fen: Option<&[u8]>) -> Option<Line> {
    match read_start(variant, fen) {
        Start::Position(start) => Some(Line::new(&start.position)),
        Start::Variant(start) => Some(Line::of_variant(start.position)),
        Start::Unplayable(_) | Start::UnknownVariant => None,
    }
}
