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
    why: "",
    example: "",
    advice: "",
};

pub static UNCLAIMED_FIFTY_MOVES: Rule = Rule {
    code: "D502",
    name: "unclaimed-fifty-moves",
    severity: Severity::Info,
    basis: "FIDE 9.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "fifty moves by each side without pawn move or capture; nothing says it was claimed",
    why: "",
    example: "",
    advice: "",
};

pub static AUTOMATIC_DRAW_REACHED: Rule = Rule {
    code: "D503",
    name: "automatic-draw-reached",
    severity: Severity::Info,
    basis: "FIDE 9.6, 5.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a fivefold repetition, 75 moves or a dead position ended the game",
    why: "",
    example: "",
    advice: "",
};
