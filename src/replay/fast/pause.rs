//! Where and why the fast lane stops.

use super::board::BoardMove;
use crate::diagnostics::Span;
use crate::replay::GameResult;

/// What the fast lane came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// The game is over; with its termination marker, if it has one.
    End(Option<(GameResult, Span)>),
    /// The last move was played, and is to be looked at; then it may go on.
    Look(Look, BoardMove),
    /// A comment on the promotion that was just made.
    Comment(Span),
    /// What stands here is for the examiner to read.
    Odd(Handover),
}

/// What there is to see of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// It is not written as the standard asks, or that is not certain.
    pub spelling: bool,
    pub promotion: bool,
    /// A draw may be claimed, or the position may be dead.
    pub draw: bool,
}

/// What the fast lane is to stop for, beside the spelling of moves and promotions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// Every move: it may say why a pawn was promoted as it was.
    pub every_move: bool,
    /// A position that has stood so often.
    pub occurrences: u32,
    /// A halfmove clock that reads so much.
    pub halfmove_clock: u32,
    /// A position that may be dead.
    pub dead: bool,
    /// The hash of the moves is wanted.
    pub hash: bool,
}

/// Why the examiner reads a game, or goes on with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Handover {
    /// No position of chess to begin with, another dialect, characters that need a look.
    Start,
    /// A word that is no move in the standard's spelling.
    Word,
    /// A move that is not legal, or not the only one that fits.
    Move,
    /// A move number that does not fit, or is written in another way.
    Number,
    Variation,
    EmptyLine,
    /// A comment that holds a brace or is never closed.
    Comment,
    /// Anything else between the moves.
    Token,
    /// The game ended by itself, and it has to be seen what follows.
    EndedByItself,
}

impl Handover {
    pub const ALL: [Handover; 9] = [
        Handover::Start,
        Handover::Word,
        Handover::Move,
        Handover::Number,
        Handover::Variation,
        Handover::EmptyLine,
        Handover::Comment,
        Handover::Token,
        Handover::EndedByItself,
    ];

    /// The name that summaries use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Handover::Start => "start",
            Handover::Word => "word",
            Handover::Move => "move",
            Handover::Number => "number",
            Handover::Variation => "variation",
            Handover::EmptyLine => "empty_line",
            Handover::Comment => "comment",
            Handover::Token => "token",
            Handover::EndedByItself => "ended_by_itself",
        }
    }
}
