//! Moves that are legal and written in another way than the standard asks.

use crate::diagnostics::{FixPromise, Rule, Severity};

pub static CHECK_MARK: Rule = Rule {
    code: "N701",
    name: "check-mark",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.5",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "+ or # superfluous, + missing, or # where there is no mate",
    why: "",
    example: "",
    advice: "",
};

pub static CAPTURE_MARK: Rule = Rule {
    code: "N702",
    name: "capture-mark",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "x missing or superfluous",
    why: "",
    example: "",
    advice: "",
};

pub static OVERDISAMBIGUATION: Rule = Rule {
    code: "N703",
    name: "overdisambiguation",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.4",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "more of the origin square than is needed",
    why: "",
    example: "",
    advice: "",
};

pub static CASTLING_STYLE: Rule = Rule {
    code: "N704",
    name: "castling-style",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "castling with zeros, lower case or other dashes",
    why: "",
    example: "",
    advice: "",
};

pub static PROMOTION_STYLE: Rule = Rule {
    code: "N705",
    name: "promotion-style",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a promotion written e8Q, e8(Q), e8/Q, e8=q",
    why: "",
    example: "",
    advice: "",
};

pub static MATE_MARKED_AS_CHECK: Rule = Rule {
    code: "N713",
    name: "mate-marked-as-check",
    severity: Severity::Info,
    basis: "PGN 8.2.3.5",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a mating move written with + or with nothing (most over-the-board archives do so)",
    why: "",
    example: "",
    advice: "",
};
