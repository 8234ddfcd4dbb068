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
    why: "Archives are sorted, joined and searched by these seven. Without them a game cannot be \
        told from another one of the same players.",
    example: "[Event \"Fixture T201\"]\n\
        [White \"Holm, Ada\"]\n\
        [Black \"Brandt, Kai\"]\n\
        [Result \"*\"]\n\
        Site, Date and Round are not there",
    advice: "Fill them from the source; write ? for what nobody knows, and ????.??.?? for a date.",
};

pub static DUPLICATE_TAG: Rule = Rule {
    code: "T202",
    name: "duplicate-tag",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a tag name stands twice with the same value",
    why: "Nothing is lost, but the standard allows each name once, and a program that stores tags \
        by name may refuse the game.",
    example: "[ECO \"C20\"]\n\
        [ECO \"C20\"]\n\
        the second line says nothing new",
    advice: "Delete one of the two.",
};

pub static CONFLICTING_TAGS: Rule = Rule {
    code: "T203",
    name: "conflicting-tags",
    severity: Severity::Error,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag name stands twice with different values",
    why: "One program keeps the first value and another the last: the same archive gives two \
        answers, and neither can be certified.",
    example: "[WhiteElo \"2105\"]\n\
        [WhiteElo \"2150\"]\n\
        two ratings for one player in one game",
    advice: "Find out which value is right and delete the other.",
};

pub static UNTERMINATED_TAG: Rule = Rule {
    code: "T212",
    name: "unterminated-tag",
    severity: Severity::Error,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag pair that is never closed",
    why: "Nobody can tell where its value ends. A reader that goes on looking for the quote takes \
        tags or moves into the value.",
    example: "[Annotator \"Holm, Ada\n\
        neither the quote nor the bracket is closed",
    advice: "Close both where the value ends in the source.",
};

pub static OVERLONG_TAG: Rule = Rule {
    code: "T213",
    name: "overlong-tag",
    severity: Severity::Info,
    basis: "PGN 4.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag pair of more than 255 characters",
    why: "The standard allows 255 characters a line, and a program with a fixed buffer cuts the \
        rest off. It is a fact here, no fault: nothing is shortened.",
    example: "[Annotator \"Holm, Ada, with the help of … \"]\n\
        the value alone is longer than a line may be",
    advice: "Leave it, or move a long text from the tag into a comment.",
};

pub static INVALID_DATE: Rule = Rule {
    code: "T214",
    name: "invalid-date",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a date that is no date, or not in the form YYYY.MM.DD with ? for unknown parts",
    why: "Games are sorted and matched by it, and it decides which Laws were in force. A program \
        that cannot read it drops the game from every count by year.",
    example: "[Date \"2024.02.30\"]\n\
        February has no thirtieth day",
    advice: "Correct it from the source; write ?? for a month or a day that nobody knows.",
};

pub static INVALID_ELO: Rule = Rule {
    code: "T215",
    name: "invalid-elo",
    severity: Severity::Warning,
    basis: "PGN 9.1.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "an Elo that is no number, - or ?",
    why: "What is no number falls out of every average, or counts as 0 and pulls it down.",
    example: "[WhiteElo \"about 1900\"]\n\
        a rating is a number; a guess at one belongs into a comment",
    advice: "Write the number alone, or - for a player without a rating.",
};

pub static FEN_WITHOUT_SETUP: Rule = Rule {
    code: "T216",
    name: "fen-without-setup",
    severity: Severity::Warning,
    basis: "PGN 9.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a FEN tag without SetUp \"1\"",
    why: "A reader that goes by SetUp starts such a game from the usual array and calls its first \
        move illegal.",
    example: "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30\"]\n\n\
        30. Ra8# 1-0\n\
        the position is there, the tag that announces it is not",
    advice: "Add [SetUp \"1\"] before the FEN.",
};

pub static SETUP_WITHOUT_FEN: Rule = Rule {
    code: "T217",
    name: "setup-without-fen",
    severity: Severity::Warning,
    basis: "PGN 9.7",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "SetUp \"1\" without a FEN tag",
    why: "It says that the game began from a position of its own, and that position is lost. Moves \
        that happen to be legal from the usual array prove nothing.",
    example: "[SetUp \"1\"]\n\n\
        1. e4 e5 2. Nf3 *\n\
        which position was set up, nothing tells",
    advice: "Restore the FEN from the source, or delete SetUp if the game began from the usual \
        array.",
};

pub static ILLEGAL_POSITION: Rule = Rule {
    code: "T218",
    name: "illegal-position",
    severity: Severity::Error,
    basis: "PGN 16.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a FEN that cannot be read, or a position that cannot be played on",
    why: "No move can be judged from it: a king is missing, say, or the side not to move is in \
        check. Too much material, or a check that no move can have given, is no fault: problems \
        have it.",
    example: "[FEN \"8/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
        Black has no king",
    advice: "Compare it with the diagram or the source; look at the side to move and at the length \
        of every rank first.",
};

pub static IMPOSSIBLE_CASTLING_RIGHT: Rule = Rule {
    code: "T219",
    name: "impossible-castling-right",
    severity: Severity::Warning,
    basis: "PGN 16.1.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a castling right without its king or rook at home",
    why: "A right that can never be used makes two equal positions differ, so that a repetition is \
        missed. Not said where a missing Variant tag explains it.",
    example: "[FEN \"r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 20\"]\n\
        K asks for a rook on h1, and none is there",
    advice: "Take the letter out of the castling field, or put the rook back if the diagram has \
        it.",
};

pub static FEN_FIELDS_MISSING: Rule = Rule {
    code: "T221",
    name: "fen-fields-missing",
    severity: Severity::Warning,
    basis: "PGN 16.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a FEN with fewer than six fields",
    why: "Without its counters nobody can tell how far the fifty-move count had run at the start, \
        nor which number the first move has.",
    example: "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -\"]\n\
        the halfmove clock and the move number are missing",
    advice: "Add what is missing: - for castling and en passant, then the true counters, or 0 and \
        1.",
};

pub static UNSUPPORTED_VARIANT: Rule = Rule {
    code: "T224",
    name: "unsupported-variant",
    severity: Severity::Info,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a variant whose rules are not known here; its moves are kept and not judged",
    why: "By the rules of chess its sound games would be called illegal. They are counted as \
        unjudged instead, and their moves are left alone.",
    example: "[Variant \"Knightmate\"]\n\n\
        1. e4 e5 2. f4 *\n\
        these moves are read and not replayed",
    advice: "Nothing needs mending, unless the tag is wrong and the game is chess.",
};
