//! Bytes that do not belong into a text, and a text that was cut off.

use super::{Ending, Exam, TOKENS_TO_A_MOVE};
use crate::diagnostics::{Finding, Ply, Span};
use crate::pgn::{Lexer, Token, TokenKind, WrittenMove};
use crate::replay::resolve;
use crate::rules::bytes;

impl Exam<'_, '_, '_> {
    #[cold]
    pub(super) fn look_for_strange_bytes(&mut self, token: Token) {
        let (bytes, span) = (self.bytes, token.span);
        if token.kind != TokenKind::Space {
            let ply = self.seen.movetext.then(|| self.ply_before());
            bytes::check_text(bytes, span, |finding| self.found.push(Finding { ply, ..finding }));
            return;
        }
        let ply = self.seen.movetext.then(|| self.ply_behind(span.end));
        bytes::check_space(bytes, span, (false, false), |finding| {
            self.found.push(Finding { ply, ..finding });
        });
    }

    /// Where white space stands: before a move that follows, as a part of how that one is
    /// written, else behind the ply before it.
    pub(super) fn ply_behind(&self, at: usize) -> Ply {
        let mut tokens = Lexer::movetext(self.bytes, Span::new(at, self.frame.game.end))
            .take(TOKENS_TO_A_MOVE)
            .filter(|token| !matches!(token.kind, TokenKind::MoveNumber | TokenKind::Space));
        let before = self.ply_before();
        match tokens.next() {
            Some(Token { kind: TokenKind::Word, .. }) => {
                Ply { index: before.index + 1, at_move: false, ..self.line.next_move() }
            }
            _ => before,
        }
    }

    /// Whether a word was cut off with its source; one that is a legal move is taken for whole.
    #[inline]
    pub(super) fn may_be_half_a_move(&self, span: Span) -> bool {
        self.ending != Ending::Whole && span.end == self.bytes.len() && !self.is_legal(span)
    }

    pub(super) fn is_legal(&self, span: Span) -> bool {
        self.line.live
            && WrittenMove::parse(span.of(self.bytes))
                .is_some_and(|written| resolve(&self.line.position, &written.san).is_some())
    }
}
