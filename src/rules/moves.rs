//! Moves that break the Laws, or cannot be read.

use crate::diagnostics::{FixPromise, Rule, Severity};

pub static KING_LEFT_IN_CHECK: Rule = Rule {
    code: "M301",
    name: "king-left-in-check",
    severity: Severity::Error,
    basis: "FIDE 3.9.2, 3.10.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a pinned piece leaves the line that it guards",
    why: "",
    example: "",
    advice: "",
};

pub static CHECK_NOT_ANSWERED: Rule = Rule {
    code: "M302",
    name: "check-not-answered",
    severity: Severity::Error,
    basis: "FIDE 3.9.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the king is in check and the move does not parry it",
    why: "",
    example: "",
    advice: "",
};

pub static KING_INTO_CHECK: Rule = Rule {
    code: "M303",
    name: "king-into-check",
    severity: Severity::Error,
    basis: "FIDE 3.9.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the king steps onto an attacked square, or beside the other king",
    why: "",
    example: "",
    advice: "",
};

pub static CASTLING_RIGHT_LOST: Rule = Rule {
    code: "M304",
    name: "castling-right-lost",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the king or that rook has moved before",
    why: "",
    example: "",
    advice: "",
};

pub static CASTLING_OUT_OF_CHECK: Rule = Rule {
    code: "M305",
    name: "castling-out-of-check",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "castling while in check",
    why: "",
    example: "",
    advice: "",
};

pub static CASTLING_THROUGH_CHECK: Rule = Rule {
    code: "M306",
    name: "castling-through-check",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the king crosses an attacked square",
    why: "",
    example: "",
    advice: "",
};

pub static CASTLING_INTO_CHECK: Rule = Rule {
    code: "M307",
    name: "castling-into-check",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the king lands on an attacked square",
    why: "",
    example: "",
    advice: "",
};

pub static CASTLING_BLOCKED: Rule = Rule {
    code: "M308",
    name: "castling-blocked",
    severity: Severity::Error,
    basis: "FIDE 3.8.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a piece stands between king and rook",
    why: "",
    example: "",
    advice: "",
};

pub static EN_PASSANT_UNAVAILABLE: Rule = Rule {
    code: "M309",
    name: "en-passant-unavailable",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "en passant a move too late, or where no pawn has just made a double step",
    why: "",
    example: "",
    advice: "",
};

pub static NO_PIECE_CAN_REACH: Rule = Rule {
    code: "M310",
    name: "no-piece-can-reach",
    severity: Severity::Error,
    basis: "FIDE 3.2-3.7",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "no piece of that kind moves like that to the square",
    why: "",
    example: "",
    advice: "",
};

pub static PATH_BLOCKED: Rule = Rule {
    code: "M311",
    name: "path-blocked",
    severity: Severity::Error,
    basis: "FIDE 3.5",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a bishop, rook or queen would have to jump",
    why: "",
    example: "",
    advice: "",
};

pub static OWN_PIECE_ON_TARGET: Rule = Rule {
    code: "M312",
    name: "own-piece-on-target",
    severity: Severity::Error,
    basis: "FIDE 3.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the square holds a piece of the same colour",
    why: "",
    example: "",
    advice: "",
};

pub static PAWN_PUSH_BLOCKED: Rule = Rule {
    code: "M313",
    name: "pawn-push-blocked",
    severity: Severity::Error,
    basis: "FIDE 3.7.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a pawn pushed onto or across an occupied square, or two squares from elsewhere than its own rank",
    why: "",
    example: "",
    advice: "",
};

pub static PAWN_TAKES_NOTHING: Rule = Rule {
    code: "M314",
    name: "pawn-takes-nothing",
    severity: Severity::Error,
    basis: "FIDE 3.7.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a pawn captures on an empty square",
    why: "",
    example: "",
    advice: "",
};

pub static WRONG_SIDE_TO_MOVE: Rule = Rule {
    code: "M315",
    name: "wrong-side-to-move",
    severity: Severity::Error,
    basis: "FIDE 1.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the move is legal for the other side only (a move is missing before it)",
    why: "",
    example: "",
    advice: "",
};

pub static AMBIGUOUS_SAN: Rule = Rule {
    code: "M316",
    name: "ambiguous-san",
    severity: Severity::Error,
    basis: "PGN 8.2.3.4",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "two pieces can make the move",
    why: "",
    example: "",
    advice: "",
};

pub static UNREADABLE_MOVE: Rule = Rule {
    code: "M317",
    name: "unreadable-move",
    severity: Severity::Error,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a token that stands for a move and is none",
    why: "",
    example: "",
    advice: "",
};

pub static NULL_MOVE: Rule = Rule {
    code: "M318",
    name: "null-move",
    severity: Severity::Error,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a null move in the main line; the replay goes on",
    why: "",
    example: "",
    advice: "",
};

pub static NULL_MOVE_IN_VARIATION: Rule = Rule {
    code: "M319",
    name: "null-move-in-variation",
    severity: Severity::Info,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a null move in a variation",
    why: "",
    example: "",
    advice: "",
};

pub static MOVE_AFTER_CHECKMATE: Rule = Rule {
    code: "M320",
    name: "move-after-checkmate",
    severity: Severity::Error,
    basis: "FIDE 5.1.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "moves follow a mate",
    why: "",
    example: "",
    advice: "",
};

pub static MOVE_AFTER_STALEMATE: Rule = Rule {
    code: "M321",
    name: "move-after-stalemate",
    severity: Severity::Error,
    basis: "FIDE 5.2.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "moves follow a stalemate",
    why: "",
    example: "",
    advice: "",
};

pub static MOVE_AFTER_DEAD_POSITION: Rule = Rule {
    code: "M322",
    name: "move-after-dead-position",
    severity: Severity::Error,
    basis: "FIDE 5.2.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "moves follow a position in which neither side can mate",
    why: "",
    example: "",
    advice: "",
};

pub static MOVE_AFTER_AUTOMATIC_DRAW: Rule = Rule {
    code: "M323",
    name: "move-after-automatic-draw",
    severity: Severity::Error,
    basis: "FIDE 9.6",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "moves follow a fivefold repetition or 75 moves, in a game of 2014-07-01 or later, under rules that have them",
    why: "",
    example: "",
    advice: "",
};

pub static ILLEGAL_VARIATION_MOVE: Rule = Rule {
    code: "M325",
    name: "illegal-variation-move",
    severity: Severity::Error,
    basis: "PGN 8.2.5",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "an illegal move in a variation",
    why: "",
    example: "",
    advice: "",
};
