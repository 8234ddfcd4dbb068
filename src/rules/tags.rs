//! Faults in tag pairs and in the start position that they give.

use crate::diagnostics::{FixPromise, Rule, Severity};

pub static MISSING_ROSTER_TAG: Rule = Rule {
    code: "T201",
    name: "missing-roster-tag",
    severity: Severity::Warning,
    basis: "PGN 8.1.1",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "one or more of the Seven Tag Roster are missing",
    why: "",
    example: "",
    advice: "",
};

pub static DUPLICATE_TAG: Rule = Rule {
    code: "T202",
    name: "duplicate-tag",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a tag name stands twice with the same value",
    why: "",
    example: "",
    advice: "",
};

pub static CONFLICTING_TAGS: Rule = Rule {
    code: "T203",
    name: "conflicting-tags",
    severity: Severity::Error,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag name stands twice with different values",
    why: "",
    example: "",
    advice: "",
};

pub static UNTERMINATED_TAG: Rule = Rule {
    code: "T212",
    name: "unterminated-tag",
    severity: Severity::Error,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag pair that is never closed",
    why: "",
    example: "",
    advice: "",
};

pub static OVERLONG_TAG: Rule = Rule {
    code: "T213",
    name: "overlong-tag",
    severity: Severity::Info,
    basis: "PGN 4.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag pair of more than 255 characters",
    why: "",
    example: "",
    advice: "",
};

pub static INVALID_DATE: Rule = Rule {
    code: "T214",
    name: "invalid-date",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a date that is no date, or not in the form YYYY.MM.DD with ? for unknown parts",
    why: "",
    example: "",
    advice: "",
};

pub static INVALID_ELO: Rule = Rule {
    code: "T215",
    name: "invalid-elo",
    severity: Severity::Warning,
    basis: "PGN 9.1.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "an Elo that is no number, - or ?",
    why: "",
    example: "",
    advice: "",
};

pub static FEN_WITHOUT_SETUP: Rule = Rule {
    code: "T216",
    name: "fen-without-setup",
    severity: Severity::Warning,
    basis: "PGN 9.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a FEN tag without SetUp \"1\"",
    why: "",
    example: "",
    advice: "",
};

pub static SETUP_WITHOUT_FEN: Rule = Rule {
    code: "T217",
    name: "setup-without-fen",
    severity: Severity::Warning,
    basis: "PGN 9.7",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "SetUp \"1\" without a FEN tag",
    why: "",
    example: "",
    advice: "",
};

pub static ILLEGAL_POSITION: Rule = Rule {
    code: "T218",
    name: "illegal-position",
    severity: Severity::Error,
    basis: "PGN 16.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a FEN that does not parse, or a position that cannot be played on (side not to move in check, a king missing); too much material and checks that no move can have given are no fault: problems have them",
    why: "",
    example: "",
    advice: "",
};

pub static IMPOSSIBLE_CASTLING_RIGHT: Rule = Rule {
    code: "T219",
    name: "impossible-castling-right",
    severity: Severity::Warning,
    basis: "PGN 16.1.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a castling right without its king or rook at home (not said where T223 explains it)",
    why: "",
    example: "",
    advice: "",
};

pub static FEN_FIELDS_MISSING: Rule = Rule {
    code: "T221",
    name: "fen-fields-missing",
    severity: Severity::Warning,
    basis: "PGN 16.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a FEN with fewer than six fields",
    why: "",
    example: "",
    advice: "",
};

pub static UNSUPPORTED_VARIANT: Rule = Rule {
    code: "T224",
    name: "unsupported-variant",
    severity: Severity::Info,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a variant whose rules are not known here; its moves are kept and not judged",
    why: "",
    example: "",
    advice: "",
};
