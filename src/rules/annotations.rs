//! Annotations of moves: glyphs and symbols.

use crate::diagnostics::{Finding, Fix, FixPromise, Rule, Severity, Span};
use crate::source::excerpt;

pub static NAG_OUT_OF_RANGE: Rule = Rule {
    code: "A801",
    name: "nag-out-of-range",
    severity: Severity::Warning,
    basis: "PGN 10",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a NAG above 255 or without a number",
    why: "A glyph is a number from 0 to 255. Programs keep it in one byte: a larger one becomes \
        another glyph, and a good move may come out as a blunder.",
    example: "1. e4 $260 e5 *\n\
        $260 cut down to one byte is $4, a very poor move",
    advice: "Look up which glyph was meant, or delete it; the moves do not depend on it.",
};

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

/// What is wrong with a `$` and its digits, if anything is.
pub fn check_nag(bytes: &[u8], nag: Span) -> Option<Finding> {
    let digits = &nag.of(bytes)[1..];
    if digits.is_empty() {
        let message = "a $ without a number is no annotation glyph";
        return Some(Finding::new(&NAG_OUT_OF_RANGE, nag).message(message));
    }
    let number = digits.iter().fold(0u32, |number, digit| {
        number.saturating_mul(10).saturating_add(u32::from(digit - b'0'))
    });
    (number > 255).then(|| {
        Finding::new(&NAG_OUT_OF_RANGE, nag)
            .message("the number of an annotation glyph is above 255")
    })
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_from_0_to_255_are_in_range() {
        for (text, sound) in [
            ("$0", true),
            ("$255", true),
            ("$007", true),
            ("$256", false),
            ("$", false),
            ("$99999999999999999999", false),
        ] {
            let found = check_nag(text.as_bytes(), Span::new(0, text.len()));
            assert_eq!(found.is_none(), sound, "{text}");
        }
    }
}
