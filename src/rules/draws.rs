//! What the board says of draws.

use std::borrow::Cow;

use super::moves;
use crate::diagnostics::{FixPromise, Rule, Severity};
use crate::replay::AutomaticEnd;

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
    summary: "a fivefold repetition, 75 moves or a dead position ended the game, or its site's rule did",
    why: "These end a game without a claim; some sites end one at the third time and after fifty \
        moves, too, and none looks for a closed wall of pawns. The ply named is where it was over, whatever the record says of how.",
    example: "[FEN \"8/8/4k3/8/8/8/3p4/3K4 w - - 0 70\"]\n\n\
        70. Kxd2 1/2-1/2\n\
        with 70. Kxd2 only the kings are left",
    advice: "Nothing needs mending. Moves behind it, or another result, are findings of their own.",
};

pub static CLAIM_SUPPORTED: Rule = Rule {
    code: "D504",
    name: "claim-supported",
    severity: Severity::Info,
    basis: "FIDE 9.2, 9.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the recorded reason of the draw holds on the board",
    why: "A program, a server or an arbiter wrote down why the game was drawn, and the moves bear \
        it out. Such draws can be counted by their reason.",
    example: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 {Draw by 3-fold repetition} 1/2-1/2\n\
        the start position stood three times, and the comment gives that as the reason",
    advice: "Nothing needs mending. The draws table has every recorded reason with its verdict.",
};

pub static CLAIM_SUPPORTED_BY_NEXT_MOVE: Rule = Rule {
    code: "D505",
    name: "claim-supported-by-next-move",
    severity: Severity::Info,
    basis: "FIDE 9.2.1, 9.3.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the recorded reason holds with one legal intended move",
    why: "A player claims before the move that brings the third time or the hundredth half-move: \
        it is written down, shown to the arbiter and not played, so that it is in no score. A \
        score that lost its last half-move looks the same.",
    example: "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 1/2-1/2 {Draw by repetition}\n\
        the start position stood twice, and 4... Ng8 would bring it for the third time",
    advice: "Nothing needs mending. Programs that end games by themselves know no intended moves: \
        of their games a half-move is missing.",
};

pub static CLAIM_CONTRADICTED: Rule = Rule {
    code: "D506",
    name: "claim-contradicted",
    severity: Severity::Error,
    basis: "FIDE 5.1, 5.2, 6.9, 9.2, 9.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the recorded reason of the end does not hold on the board, or not with the result",
    why: "Moves are missing or wrong, or the reason is. A position that looks the same is another \
        one while castling or an en passant capture was still possible (9.2.3). A draw on time needs an \
        opponent who cannot mate (6.9).",
    example: "1. Nf3 Nf6 2. Rg1 Rg8 3. Rh1 Rh8 4. Rg1 Rg8 5. Rh1 Rh8 {Draw by 3-fold repetition} 1/2-1/2\n\
        after 1... Nf6 both sides could still castle: the position stood only twice",
    advice: "Compare with another copy. If the moves are sure, do not count the game by the reason \
        that it gives; the result may stand all the same.",
};

/// What ended the game, as the end of a sentence.
pub fn automatic_draw(end: AutomaticEnd) -> Cow<'static, str> {
    let message = match end {
        AutomaticEnd::DeadPosition(seen) => {
            let seen = seen.as_str();
            return Cow::Owned(format!(
                "{seen}, neither side can mate by any series of legal moves: the game is drawn"
            ));
        }
        AutomaticEnd::Threefold => {
            "the position stands the third time: by the rules of its site the game is drawn"
        }
        AutomaticEnd::FiftyMoves => {
            "fifty moves by each side without a pawn move or capture: by the rules of its site the \
             game is drawn"
        }
        AutomaticEnd::Fivefold => "the position stands the fifth time: the game is drawn",
        AutomaticEnd::FivefoldInARow => {
            "the position stands the fifth time on alternate moves in a row: the game is drawn"
        }
        AutomaticEnd::SeventyFiveMoves => {
            "75 moves by each side without a pawn move or capture: the game is drawn"
        }
    };
    Cow::Borrowed(message)
}

/// The rule for moves that follow such an end, and its message.
pub fn played_on(end: AutomaticEnd) -> (&'static Rule, &'static str) {
    let message = match end {
        AutomaticEnd::DeadPosition(_) => {
            return (
                &moves::MOVE_AFTER_DEAD_POSITION,
                "play goes on in a position in which neither side can mate",
            );
        }
        AutomaticEnd::Threefold => {
            "play goes on after the position stood the third time, which ends games of its site"
        }
        AutomaticEnd::FiftyMoves => {
            "play goes on after fifty moves without a pawn move or capture, which end games of its \
             site"
        }
        AutomaticEnd::Fivefold => "play goes on after the position stood the fifth time",
        AutomaticEnd::FivefoldInARow => {
            "play goes on after the position stood the fifth time on alternate moves in a row"
        }
        AutomaticEnd::SeventyFiveMoves => {
            "play goes on after 75 moves without a pawn move or capture"
        }
    };
    (&moves::MOVE_AFTER_AUTOMATIC_DRAW, message)
}
