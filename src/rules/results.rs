//! The recorded result, against itself and against the board.

use crate::diagnostics::{FixPromise, Rule, Severity};

pub static RESULT_CONFLICT: Rule = Rule {
    code: "R601",
    name: "result-conflict",
    severity: Severity::Error,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the Result tag and the termination marker differ",
    why: "",
    example: "",
    advice: "",
};

pub static RESULT_MISSING: Rule = Rule {
    code: "R602",
    name: "result-missing",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "no Result, or *, where the marker tells it (a mate on the board is R604)",
    why: "",
    example: "",
    advice: "",
};

pub static RESULT_STYLE: Rule = Rule {
    code: "R603",
    name: "result-style",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a result in another spelling",
    why: "",
    example: "",
    advice: "",
};

pub static RESULT_AGAINST_BOARD: Rule = Rule {
    code: "R604",
    name: "result-against-board",
    severity: Severity::Error,
    basis: "FIDE 5.1.1, 5.2.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the result, * included, contradicts the mate, stalemate or dead position on the board; it stands at the last ply",
    why: "",
    example: "",
    advice: "",
};
