//! Promotions whose piece is missing or impossible.

use crate::diagnostics::{Applicability, Edit, Fix, FixPromise, FixSource, Rule, Severity, Span};

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

/// The default of FIDE 7.5.2 for a pawn that nobody replaced: a queen.
pub fn assume_queen(bytes: &[u8], word: Span) -> Fix {
    let at = word.of(bytes).iter().rposition(|byte| matches!(byte, b'1' | b'8'));
    let end = at.map_or(word.end, |at| word.start + at + 1);
    // `e8=` has its sign already.
    let has_sign = bytes[end..word.end].starts_with(b"=");
    let (span, content) = if has_sign {
        (Span::new(end, end + 1), &b"=Q"[..])
    } else {
        (Span::new(end, end), &b"=Q"[..])
    };
    Fix {
        title: "promote to a queen".to_owned(),
        applicability: Applicability::Unsafe,
        source: FixSource::Assumed,
        edits: vec![Edit { span, content: content.to_vec() }],
    }
}
