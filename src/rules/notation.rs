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
    why: "The mark is a test of the score: one that does not fit may mean that a piece stood \
        elsewhere on the writer's board. Strict programs refuse the game.",
    example: "1. e4 e5+ 2. Nf3 Nc6 *\n\
        1... e5 gives no check",
    advice: "Correct the mark. Where many are wrong in one game, look for a slip before the first \
        of them.",
};

pub static CAPTURE_MARK: Rule = Rule {
    code: "N702",
    name: "capture-mark",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "x missing or superfluous",
    why: "The move is certain without it. But an x on an empty square may mean that the writer's \
        board had a piece there.",
    example: "1. e4 d5 2. exd5 Qd5 3. Nc3 *\n\
        2... Qd5 takes the pawn on d5 and has no x",
    advice: "Correct the mark. Where x stands for no capture, see whether a move is missing.",
};

pub static OVERDISAMBIGUATION: Rule = Rule {
    code: "N703",
    name: "overdisambiguation",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.4",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "more of the origin square than is needed",
    why: "Ngf3 and Nf3 are one move and two texts: whoever compares games as text takes them for \
        different ones.",
    example: "1. e4 e5 2. Ngf3 Nc6 *\n\
        the other knight cannot go to f3",
    advice: "Drop what is not needed. A piece that is pinned needs no telling apart.",
};

pub static CASTLING_STYLE: Rule = Rule {
    code: "N704",
    name: "castling-style",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "castling with zeros, lower case or other dashes",
    why: "The standard writes capital letters O. A reader that takes 0-0 for a result, or skips \
        it, loses the move; python-chess does so with some dashes.",
    example: "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6 *\n\
        zeros stand for the letters",
    advice: "Write O-O or O-O-O.",
};

pub static PROMOTION_STYLE: Rule = Rule {
    code: "N705",
    name: "promotion-style",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a promotion written e8Q, e8(Q), e8/Q, e8=q",
    why: "A reader that expects the equals sign drops the piece or the whole move, and the \
        promotion with it.",
    example: "[FEN \"8/P6k/8/8/8/8/6K1/8 w - - 0 60\"]\n\n\
        60. a8Q Kg6 1-0\n\
        60. a8Q lacks the equals sign",
    advice: "Write a8=Q; the piece stays the same.",
};

pub static MATE_MARKED_AS_CHECK: Rule = Rule {
    code: "N713",
    name: "mate-marked-as-check",
    severity: Severity::Info,
    basis: "PGN 8.2.3.5",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a mating move written with + or with nothing",
    why: "Most over-the-board archives write + for a mate, so it is a fact and no defect. Whoever \
        counts mates by the mark misses these.",
    example: "1. f3 e5 2. g4 Qh4+ 0-1\n\
        2... Qh4 is mate",
    advice: "Nothing needs mending. Count mates by the board; # can be put in safely.",
};
