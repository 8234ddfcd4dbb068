//! Annotations of moves: glyphs and symbols.

use crate::diagnostics::{Finding, Fix, FixPromise, Rule, Severity, Span};
use crate::source::excerpt;

pub static ANNOTATION_SYMBOL: Rule = Rule {
    code: "A802",
    name: "annotation-symbol",
    severity: Severity::Warning,
    basis: "PGN 8.2.3.8",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "an evaluation symbol that import format does not know",
    why: "The standard knows !, ?, !!, ??, !? and ?! behind a move, and glyphs like $16 for all \
        else. Readers drop other signs without a word, or take them for a part of the move.",
    example: "1. e4 e5 2. Nf3 += Nc6 *\n\
        the sign says that White is slightly better",
    advice: "Write the glyph: $14 for +=, $16 for +/-, $18 for +-.",
};

/// A symbol that stands apart from its move, with the glyph that says the same.
pub fn symbol(bytes: &[u8], span: Span, glyph: u8) -> Finding {
    Finding::new(&ANNOTATION_SYMBOL, span)
        .message(format!("\"{}\" is ${glyph} in the standard", excerpt(span.of(bytes))))
        .fix(Fix::safe(format!("write ${glyph}"), span, format!("${glyph}")))
}

/// A run of `!` and `?` that is none of the six.
pub fn suffix(bytes: &[u8], span: Span) -> Option<Finding> {
    let text = span.of(bytes);
    let known: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
    (!known.contains(&text)).then(|| {
        Finding::new(&ANNOTATION_SYMBOL, span)
            .message(format!("\"{}\" is none of the six suffixes", excerpt(text)))
    })
}
