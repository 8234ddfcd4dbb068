//! What the board says of draws.

use super::moves;
use crate::diagnostics::{FixPromise, Rule, Severity};
use crate::pgn::TagDate;

pub static UNCLAIMED_THREEFOLD: Rule = Rule {
    code: "D501",
    name: "unclaimed-threefold",
    severity: Severity::Info,
    basis: "FIDE 9.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a position stood three times; nothing in the record says it was claimed",
    why: "Three times gives a right to claim; it ends nothing by itself. Whoever studies draws \
        wants to know that one could be had here.",
    example: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 e5 *\n\
        4... Ng8 brings the start position for the third time",
    advice: "Nothing needs mending. Do not name the draw after it: why players agree is in no \
        score.",
};

pub static UNCLAIMED_FIFTY_MOVES: Rule = Rule {
    code: "D502",
    name: "unclaimed-fifty-moves",
    severity: Severity::Info,
    basis: "FIDE 9.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "fifty moves by each side without pawn move or capture; nothing says it was claimed",
    why: "A hundred such half-moves give a right to claim; they end nothing by themselves. The \
        clock of a set-up position counts.",
    example: "[FEN \"7k/8/8/8/8/2K5/8/R7 w - - 98 100\"]\n\n\
        100. Ra2 Kg8 101. Kd4 *\n\
        the clock read 98 at the start and 100 after 100... Kg8",
    advice: "Nothing needs mending. Do not name the draw after it: why players agree is in no \
        score.",
};

pub static AUTOMATIC_DRAW_REACHED: Rule = Rule {
    code: "D503",
    name: "automatic-draw-reached",
    severity: Severity::Info,
    basis: "FIDE 9.6, 5.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a fivefold repetition, 75 moves or a dead position ended the game",
    why: "These end a game without a claim. The ply named is where it was over, whatever the \
        record says of how.",
    example: "[FEN \"8/8/4k3/8/8/8/3p4/3K4 w - - 0 70\"]\n\n\
        70. Kxd2 1/2-1/2\n\
        with 70. Kxd2 only the kings are left",
    advice: "Nothing needs mending. Moves behind it, or another result, are findings of their own.",
};

/// What the record says of a draw: read from the Termination tag and the last comment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claim {
    pub repetition: bool,
    pub fifty_moves: bool,
}

impl Claim {
    /// Adds what one text says, in any letter case.
    pub fn read(&mut self, text: &[u8]) {
        self.repetition |=
            mentions(text, &["repetition", "3-fold", "3 fold", "3fold", "threefold"]);
        self.fifty_moves |= mentions(text, &["fifty", "50-move", "50 move", "50move"]);
    }
}

fn mentions(text: &[u8], words: &[&str]) -> bool {
    words
        .iter()
        .any(|word| text.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word.as_bytes())))
}

/// What ends a game without anybody's claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutomaticEnd {
    /// FIDE 9.6.1
    Fivefold,
    /// FIDE 9.6.2
    SeventyFive,
    /// FIDE 5.2.2
    DeadPosition,
}

impl AutomaticEnd {
    /// Whether the Laws had it on the day of the game. The fivefold repetition and the 75 moves
    /// came on 2014-07-01; until 2017-06-30 the five times had to be on consecutive alternate
    /// moves, which is not looked for, so that the rule counts from the day after.
    pub fn is_in_force(self, date: Option<TagDate>) -> bool {
        match self {
            AutomaticEnd::DeadPosition => true,
            AutomaticEnd::Fivefold => date.is_some_and(|date| date.is_from(2017, 7, 1)),
            AutomaticEnd::SeventyFive => date.is_some_and(|date| date.is_from(2014, 7, 1)),
        }
    }

    pub const fn message(self) -> &'static str {
        match self {
            AutomaticEnd::Fivefold => "the position stands the fifth time: the game is drawn",
            AutomaticEnd::SeventyFive => {
                "75 moves by each side without a pawn move or capture: the game is drawn"
            }
            AutomaticEnd::DeadPosition => {
                "neither side can mate by any series of legal moves: the game is drawn"
            }
        }
    }

    /// The rule for moves that follow, and its message.
    pub fn played_on(self) -> (&'static Rule, &'static str) {
        match self {
            AutomaticEnd::Fivefold => (
                &moves::MOVE_AFTER_AUTOMATIC_DRAW,
                "play goes on after the position stood the fifth time",
            ),
            AutomaticEnd::SeventyFive => (
                &moves::MOVE_AFTER_AUTOMATIC_DRAW,
                "play goes on after 75 moves without a pawn move or capture",
            ),
            AutomaticEnd::DeadPosition => (
                &moves::MOVE_AFTER_DEAD_POSITION,
                "play goes on in a position in which neither side can mate",
            ),
        }
    }
}
