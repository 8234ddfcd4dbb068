//! What the tags FEN, SetUp and Variant say of where a game starts, held against each other.
//!
//! The rules are declared with those of the other tags.

use std::ops::Range;

use super::tags::{
    FEN_FIELDS_MISSING, FEN_MOVE_NUMBER_ZERO, FEN_WITHOUT_SETUP, IMPOSSIBLE_CASTLING_RIGHT,
    IMPOSSIBLE_EN_PASSANT, SETUP_WITHOUT_FEN, VARIANT_TAG_MISSING,
};
use crate::diagnostics::{Applicability, Edit, Finding, Fix, FixSource, GameFindings, Span};
use crate::pgn::TagPair;
use crate::replay::{FenFaults, KnownTags};

/// The value of the FEN tag, unless it says nothing.
pub fn told_fen(bytes: &[u8], known: &KnownTags) -> Option<Span> {
    known.fen.filter(|fen| !matches!(fen.of(bytes).trim_ascii(), b"" | b"?" | b"-"))
}

/// Holds the FEN and SetUp tags against each other.
pub fn check_set_up(
    bytes: &[u8],
    known: &KnownTags,
    pairs: &[(Span, TagPair)],
    found: &mut GameFindings<'_>,
) {
    if known.fen.is_none() && known.set_up.is_none() {
        return;
    }
    match (told_fen(bytes, known), known.set_up) {
        (Some(fen), None) => {
            let mut finding = Finding::new(&FEN_WITHOUT_SETUP, fen);
            if let Some((pair, _)) = pairs.iter().find(|(_, pair)| pair.value == fen) {
                let line_end = line_end(bytes, pair.end);
                finding = finding.fix(Fix::safe(
                    "insert [SetUp \"1\"]",
                    Span::new(pair.start, pair.start),
                    format!("[SetUp \"1\"]{line_end}"),
                ));
            }
            found.push(finding);
        }
        (Some(_), Some(set_up)) if set_up.of(bytes).trim_ascii() != b"1" => {
            found.push(
                Finding::new(&FEN_WITHOUT_SETUP, set_up)
                    .message("a FEN tag stands beside a SetUp tag that denies it")
                    .fix(Fix::safe("write 1", set_up, "1")),
            );
        }
        (None, Some(set_up)) if set_up.of(bytes).trim_ascii() == b"1" => {
            found.push(Finding::new(&SETUP_WITHOUT_FEN, set_up));
        }
        _ => {}
    }
}

/// What is wrong with a FEN that can be played on; `fen` is the tag's value.
pub fn check_fen(fen: Span, faults: &FenFaults, found: &mut GameFindings<'_>) {
    let place = |field: &Range<usize>| Span::new(fen.start + field.start, fen.start + field.end);
    if let Some((end, rest)) = faults.missing_fields {
        let end = fen.start + end;
        let mut fix = Fix::safe("add what is missing", Span::new(end, end), rest);
        fix.source = FixSource::Assumed;
        found.push(Finding::new(&FEN_FIELDS_MISSING, fen).fix(fix));
    }
    if let Some(castling) = &faults.castling {
        let field = place(&castling.field);
        found.push(
            Finding::new(&IMPOSSIBLE_CASTLING_RIGHT, field)
                .message(format!(
                    "no king and rook stand where castling as {} needs them",
                    castling.impossible
                ))
                .fix(Fix::safe(
                    format!("write {}", castling.possible),
                    field,
                    castling.possible.as_str(),
                )),
        );
    }
    if let Some(field) = &faults.en_passant {
        let field = place(field);
        found.push(
            Finding::new(&IMPOSSIBLE_EN_PASSANT, field).fix(Fix::safe("write -", field, "-")),
        );
    }
    if let Some(field) = &faults.move_number_zero {
        let field = place(field);
        found
            .push(Finding::new(&FEN_MOVE_NUMBER_ZERO, field).fix(Fix::safe("write 1", field, "1")));
    }
}

/// A game that shows by `evidence` the rules that no Variant tag names. `start` is where the game
/// begins, for games without any tag.
pub fn variant_tag_missing(
    bytes: &[u8],
    start: usize,
    known: &KnownTags,
    pairs: &[(Span, TagPair)],
    evidence: Span,
    name: &str,
) -> Finding {
    let (span, content) = match (known.variant, pairs.last()) {
        (Some(value), _) => (value, name.to_owned()),
        (None, Some((last, _))) => {
            let line_end = line_end(bytes, last.end);
            (Span::new(last.end, last.end), format!("{line_end}[Variant \"{name}\"]"))
        }
        (None, None) => (Span::new(start, start), format!("[Variant \"{name}\"]\n\n")),
    };
    Finding::new(&VARIANT_TAG_MISSING, evidence).fix(Fix {
        title: format!("name the variant {name}"),
        applicability: Applicability::Unsafe,
        source: FixSource::Inferred,
        edits: vec![Edit { span, content: content.into_bytes() }],
    })
}

/// The line end that stands at this place, for lines that are added beside it.
fn line_end(bytes: &[u8], at: usize) -> &'static str {
    match bytes.get(at..) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    }
}
