//! Promotions that name no piece: a refused move comes in, the piece that it became goes out.

use shakmaty::san::San;
use shakmaty::{Chess, Move, Position, Role};

use super::Exam;
use crate::diagnostics::{Fix, FixSource, Span};
use crate::pgn::{Mark, WrittenMove};
use crate::replay::resolve;
use crate::rules::promotions;

impl Exam<'_, '_, '_> {
    /// The move that a promotion without its piece is read as, and the fix that writes it so.
    pub(super) fn name_piece(
        &mut self,
        written: &WrittenMove,
        span: Span,
        in_main_line: bool,
    ) -> Option<(Move, Fix)> {
        let fitting = self.fitting_pieces(written, span, in_main_line);
        let (piece, fix) = promotions::name_piece(self.bytes, span, &fitting)?;
        self.facts.assumed |= in_main_line && fix.source == FixSource::Assumed;
        let m = resolve(&self.line.position, &with_piece(&written.san, piece)?)?;
        Some((m, fix))
    }

    /// The pieces with which a promotion that names none fits what is written: its check or mate
    /// mark, if that fits any of them, and the rest of the main line. In a variation the rest is
    /// not looked at.
    fn fitting_pieces(&self, written: &WrittenMove, span: Span, in_main_line: bool) -> Vec<Role> {
        let mut after: Vec<(Role, Chess)> = Vec::new();
        for piece in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            if let Some(san) = with_piece(&written.san, piece)
                && let Some(m) = resolve(&self.line.position, &san)
            {
                let mut position = self.line.position.clone();
                position.play_unchecked(m);
                after.push((piece, position));
            }
        }
        let fits_mark = |position: &Chess| match written.mark {
            Mark::None => !position.is_check(),
            Mark::Check | Mark::DoubleCheck => position.is_check(),
            Mark::Mate => position.is_checkmate(),
        };
        if after.iter().any(|(_, position)| fits_mark(position)) {
            after.retain(|(_, position)| fits_mark(position));
        }
        let rest = Span::new(span.end, self.frame.game.end);
        after.retain(|(_, position)| !in_main_line || self.plays_on(position.clone(), rest));
        after.into_iter().map(|(piece, _)| piece).collect()
    }
}

/// The promotion with a piece named.
fn with_piece(san: &San, piece: Role) -> Option<San> {
    let San::Normal { role, file, rank, capture, to, .. } = *san else { return None };
    Some(San::Normal { role, file, rank, capture, to, promotion: Some(piece) })
}
