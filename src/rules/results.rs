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
    why: "Some programs read the one and some the other, so one archive gives two scores for the \
        same players.",
    example: "[Result \"1-0\"]\n\n\
        1. d4 d5 2. c4 e6 1/2-1/2\n\
        a win by the tag, a draw by the marker",
    advice: "Look the game up in the crosstable. Where the board shows mate or stalemate, that \
        decides.",
};

pub static RESULT_MISSING: Rule = Rule {
    code: "R602",
    name: "result-missing",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "no Result, or *, where the marker tells it",
    why: "A program that reads only tags counts the game as unfinished. A mate on the board that \
        Result does not know is a finding of its own.",
    example: "[Result \"*\"]\n\n\
        1. e4 e5 2. Nf3 Nc6 1-0\n\
        the marker says that White won",
    advice: "Write the marker's result into the tag.",
};

pub static RESULT_STYLE: Rule = Rule {
    code: "R603",
    name: "result-style",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a result in another spelling",
    why: "People read it at once; a program that knows only the four spellings takes the game for \
        unfinished, or reads on into the next one.",
    example: "1. d4 d5 2. c4 e6 1/2\n\
        1/2 stands for 1/2-1/2",
    advice: "Write 1-0, 0-1, 1/2-1/2 or *.",
};

pub static RESULT_AGAINST_BOARD: Rule = Rule {
    code: "R604",
    name: "result-against-board",
    severity: Severity::Error,
    basis: "FIDE 5.1.1, 5.2.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the result, or *, contradicts the mate, stalemate or dead position on the board",
    why: "The board decides such a game, whatever was written under it. The finding stands at the \
        last ply.",
    example: "1. f3 e5 2. g4 Qh4# 1-0\n\
        Black has mated, and the result gives White the win",
    advice: "Take the result from the board if the moves are sure. If they are not, the last of \
        them may be what is wrong.",
};
