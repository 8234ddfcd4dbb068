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

pub static PIECE_LETTER_CASE: Rule = Rule {
    code: "N706",
    name: "piece-letter-case",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.2",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a piece letter in the wrong case",
    why: "Only the case tells the bishop from the b-pawn: bxc4 may be either. Readers that know \
        capitals alone skip such a move, and the rest of the game with it.",
    example: "1. e4 e5 2. nf3 nc6 *\n\
        the knights are written with small letters",
    advice: "Write pieces with capitals and files with small letters. Where both a pawn and a \
        bishop could be meant, the rest of the game has decided.",
};

pub static FIGURINE: Rule = Rule {
    code: "N707",
    name: "figurine",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.2",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "chess symbols in place of letters",
    why: "Books and web pages print figurines. A program that expects letters skips the symbol \
        and reads a knight's move as a pawn's, often without noticing.",
    example: "1. e4 e5 2. ♘f3 Nc6 *\n\
        the symbol of a white knight stands for N",
    advice: "Write the letters; a program that shows the game can draw the symbols again.",
};

pub static LOCALIZED_PIECE_LETTERS: Rule = Rule {
    code: "N708",
    name: "localized-piece-letters",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.2",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "piece letters of another language",
    why: "One letter is a different piece in different languages: S is the German knight and the \
        Czech bishop, R the English rook, the French king and the Finnish knight. Readers skip \
        such moves or play others. The language is taken in which all is legal.",
    example: "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 *\n\
        S and L are the German knight and bishop",
    advice: "Translate the letters if the language is that of the source. Known are Czech, \
        Danish, Dutch, English, Estonian, Finnish, French, German, Hungarian, Icelandic, Italian, \
        Norwegian, Polish, Portuguese, Romanian, Russian, Spanish, Swedish and Ukrainian.",
};

pub static LONG_ALGEBRAIC: Rule = Rule {
    code: "N709",
    name: "long-algebraic",
    severity: Severity::Warning,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "long algebraic moves",
    why: "The moves say all that is needed and more, but not as the standard asks: some readers \
        import no move of such a game, and give no message.",
    example: "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *\n\
        every move names the square that it comes from",
    advice: "Let the moves be rewritten; nothing is guessed.",
};

pub static UCI_MOVE: Rule = Rule {
    code: "N710",
    name: "uci-move",
    severity: Severity::Warning,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "engine notation",
    why: "Engines write the two squares of a move and no piece. It is exact, and yet no PGN: \
        readers skip such tokens or take them for something else.",
    example: "1. e2e4 e7e5 2. g1f3 b8c6 *\n\
        squares only, as in the protocol of engines",
    advice: "Let the moves be rewritten; nothing is guessed.",
};

pub static EN_PASSANT_SUFFIX: Rule = Rule {
    code: "N711",
    name: "en-passant-suffix",
    severity: Severity::Warning,
    basis: "PGN 8.2.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "e.p. after a capture",
    why: "Score sheets write it; the standard has no token for it. A reader may take it for a \
        move and stop there.",
    example: "1. e4 a6 2. e5 d5 3. exd6 e.p. Qxd6 *\n\
        the capture is marked as one in passing",
    advice: "Delete it: the move is certain without.",
};

pub static DRAW_OFFER_MARK: Rule = Rule {
    code: "N712",
    name: "draw-offer-mark",
    severity: Severity::Warning,
    basis: "FIDE C.12",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a draw offer written as a move's suffix",
    why: "The Laws want (=) on the score sheet; PGN has no token for it, and a reader may take the \
        equals sign for a promotion that lost its piece, or for an evaluation.",
    example: "1. e4 e5 2. Nf3= Nc6 *\n\
        White offered a draw with 2. Nf3",
    advice: "Put it into a comment, so that the offer is kept.",
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
