//! What the board says of draws.

use crate::diagnostics::{FixPromise, Rule, Severity};

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
