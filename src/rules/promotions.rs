//! Promotions whose piece is missing or impossible.

use crate::diagnostics::{FixPromise, Rule, Severity};

pub static MISSING_PROMOTION_PIECE: Rule = Rule {
    code: "P401",
    name: "missing-promotion-piece",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.3, 7.5.2; PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a pawn reaches the last rank and no piece is named",
    why: "",
    example: "",
    advice: "",
};

pub static INVALID_PROMOTION_PIECE: Rule = Rule {
    code: "P402",
    name: "invalid-promotion-piece",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "promotion to a king or a pawn",
    why: "",
    example: "",
    advice: "",
};

pub static PROMOTION_OFF_LAST_RANK: Rule = Rule {
    code: "P403",
    name: "promotion-off-last-rank",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.3",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "a promotion piece on a move that is no promotion",
    why: "",
    example: "",
    advice: "",
};
