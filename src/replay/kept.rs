//! What an examiner keeps of the moves that it plays, for who asked for it.
//!
//! One place for all who ask, so that the loop over moves looks only once whether anybody does.

use shakmaty::variant::Variant;
use shakmaty::{Move, Position};

use super::{MoveList, Trace};
use crate::diagnostics::{Ply, Span};

/// The last game's moves.
#[derive(Clone, Debug)]
pub(super) enum Kept {
    /// To be shown.
    Trace(Trace),
    /// To be compared.
    Moves(MoveList),
}

impl Kept {
    pub fn clear(&mut self) {
        match self {
            Kept::Trace(trace) => trace.clear(),
            Kept::Moves(moves) => moves.clear(),
        }
    }

    /// `set_up`: the start position is another one than that of chess, or may be.
    pub fn begin(&mut self, variant: Variant, start: &impl Position, set_up: bool) {
        match self {
            Kept::Trace(trace) => trace.begin(variant, start),
            Kept::Moves(moves) => moves.begin(variant, start, set_up),
        }
    }

    #[inline(never)]
    pub fn played<P: Position + Clone>(
        &mut self,
        ply: Ply,
        span: Span,
        m: Move,
        before: &P,
        after: &P,
    ) {
        match self {
            Kept::Trace(trace) => trace.played(ply, span, m, before, after),
            Kept::Moves(moves) => moves.played(m),
        }
    }
}
