//! Promotions whose piece is missing or impossible.

use shakmaty::Role;

use crate::diagnostics::{Applicability, Edit, Fix, FixPromise, FixSource, Rule, Severity, Span};

pub static MISSING_PROMOTION_PIECE: Rule = Rule {
    code: "P401",
    name: "missing-promotion-piece",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.3, 7.5.2; PGN 8.2.3.3",
    basis_2018: Some("FIDE 3.7.5.1, 7.5.2"),
    fix: FixPromise::Unsafe,
    summary: "a pawn reaches the last rank and no piece is named",
    why: "The piece is part of the move. pgn-extract writes a queen there without a word and \
        rejects games in which it was a knight, so that underpromotions drop out of the count.",
    example: "[FEN \"8/P6k/8/8/8/8/6K1/8 w - - 0 60\"]\n\n\
        60. a8 Kg6 61. Qe4+ Kf6 1-0\n\
        60. a8 names no piece; 61. Qe4+ shows that it was a queen",
    advice: "Where one piece alone fits the rest, its marks and the recorded end, it is offered, \
        marked inferred; where a queen fits beside others, she is, marked assumed (FIDE 7.5.2). \
        Else the pieces that fit are listed; if none does, the fault lies elsewhere.",
};

pub static INVALID_PROMOTION_PIECE: Rule = Rule {
    code: "P402",
    name: "invalid-promotion-piece",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.3",
    basis_2018: Some("FIDE 3.7.5.1"),
    fix: FixPromise::Unsafe,
    summary: "promotion to a king or a pawn",
    why: "A pawn becomes a queen, a rook, a bishop or a knight. Anything else is a joke, a slip or \
        a damaged byte, and belongs into no count.",
    example: "[FEN \"8/P6k/8/8/8/8/6K1/8 w - - 0 60\"]\n\n\
        60. a8=K Kg6 1-0\n\
        White would have two kings",
    advice: "See what the piece does later: its moves tell what it was. A near spelling that alone \
        keeps all that follows legal is offered.",
};

pub static PROMOTION_OFF_LAST_RANK: Rule = Rule {
    code: "P403",
    name: "promotion-off-last-rank",
    severity: Severity::Error,
    basis: "FIDE 3.7.3.3",
    basis_2018: Some("FIDE 3.7.5.1"),
    fix: FixPromise::Unsafe,
    summary: "a promotion piece on a move that is no promotion",
    why: "Whoever counts promotions by the equals sign counts one that never was. The move is \
        legal without it, so the sign or the square is wrong.",
    example: "[FEN \"8/8/P6k/8/8/8/6K1/8 w - - 0 59\"]\n\n\
        59. a7=Q Kg6 1-0\n\
        a7 is not the last rank",
    advice: "Delete the piece if the game goes on with a pawn there; if it goes on with a queen, a \
        move is missing.",
};

pub static PROMOTION_CONTRADICTED: Rule = Rule {
    code: "P404",
    name: "promotion-contradicted",
    severity: Severity::Warning,
    basis: "FIDE 3.7.3.3",
    basis_2018: Some("FIDE 3.7.5.1"),
    fix: FixPromise::Unsafe,
    summary: "a promotion piece that later moves contradict, while another one fits them all",
    why: "A rook that is laid upside down for a queen is recorded as a rook, and the score breaks \
        off at the queen's first move along a diagonal. The promotion is counted for the wrong \
        piece.",
    example: "[FEN \"8/P6k/8/8/8/8/6K1/8 w - - 0 60\"]\n\n\
        60. a8=R Kg6 61. Qe4+ Kf6 1-0\n\
        White has no queen for 61. Qe4+ unless 60. a8 made one",
    advice: "Name the piece that the later moves show. It is offered where it alone, at this \
        promotion alone, makes the whole rest of the game legal and moves in it.",
};

/// Writes the piece of a promotion that names none.
pub fn name_piece(bytes: &[u8], word: Span, piece: Role, source: FixSource, title: String) -> Fix {
    // `ed` has no rank; the piece stands at its end.
    let rank = word.of(bytes).iter().rposition(|byte| matches!(byte, b'1' | b'8'));
    let end = rank.map_or(word.end, |at| word.start + at + 1);
    // `e8=` has its sign already.
    let sign = usize::from(bytes[end..word.end].starts_with(b"="));
    Fix {
        title,
        applicability: Applicability::Unsafe,
        source,
        edits: vec![Edit {
            span: Span::new(end, end + sign),
            content: format!("={}", piece.upper_char()).into_bytes(),
        }],
    }
}
