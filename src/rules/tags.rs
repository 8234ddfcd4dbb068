//! Faults in tag pairs and in the start position that they give.

use shakmaty::EnPassantMode;
use shakmaty::fen::Fen;

use crate::diagnostics::{Finding, Fix, FixPromise, GameFindings, Rule, Severity, Span};
use crate::pgn::{TagDate, TagForm, TagPair};
use crate::replay::{KnownTags, StartPosition};

pub static MISSING_ROSTER_TAG: Rule = Rule {
    code: "T201",
    name: "missing-roster-tag",
    severity: Severity::Warning,
    basis: "PGN 8.1.1",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "one or more of the Seven Tag Roster are missing",
    why: "",
    example: "",
    advice: "",
};

pub static DUPLICATE_TAG: Rule = Rule {
    code: "T202",
    name: "duplicate-tag",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a tag name stands twice with the same value",
    why: "",
    example: "",
    advice: "",
};

pub static CONFLICTING_TAGS: Rule = Rule {
    code: "T203",
    name: "conflicting-tags",
    severity: Severity::Error,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag name stands twice with different values",
    why: "",
    example: "",
    advice: "",
};

pub static UNTERMINATED_TAG: Rule = Rule {
    code: "T212",
    name: "unterminated-tag",
    severity: Severity::Error,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag pair that is never closed",
    why: "",
    example: "",
    advice: "",
};

pub static OVERLONG_TAG: Rule = Rule {
    code: "T213",
    name: "overlong-tag",
    severity: Severity::Info,
    basis: "PGN 4.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a tag pair of more than 255 characters",
    why: "",
    example: "",
    advice: "",
};

pub static INVALID_DATE: Rule = Rule {
    code: "T214",
    name: "invalid-date",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.3",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a date that is no date, or not in the form YYYY.MM.DD with ? for unknown parts",
    why: "",
    example: "",
    advice: "",
};

pub static INVALID_ELO: Rule = Rule {
    code: "T215",
    name: "invalid-elo",
    severity: Severity::Warning,
    basis: "PGN 9.1.2",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "an Elo that is no number, - or ?",
    why: "",
    example: "",
    advice: "",
};

pub static FEN_WITHOUT_SETUP: Rule = Rule {
    code: "T216",
    name: "fen-without-setup",
    severity: Severity::Warning,
    basis: "PGN 9.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a FEN tag without SetUp \"1\"",
    why: "",
    example: "",
    advice: "",
};

pub static SETUP_WITHOUT_FEN: Rule = Rule {
    code: "T217",
    name: "setup-without-fen",
    severity: Severity::Warning,
    basis: "PGN 9.7",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "SetUp \"1\" without a FEN tag",
    why: "",
    example: "",
    advice: "",
};

pub static ILLEGAL_POSITION: Rule = Rule {
    code: "T218",
    name: "illegal-position",
    severity: Severity::Error,
    basis: "PGN 16.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a FEN that does not parse, or a position that cannot be played on (side not to move in check, a king missing); too much material and checks that no move can have given are no fault: problems have them",
    why: "",
    example: "",
    advice: "",
};

pub static IMPOSSIBLE_CASTLING_RIGHT: Rule = Rule {
    code: "T219",
    name: "impossible-castling-right",
    severity: Severity::Warning,
    basis: "PGN 16.1.3.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a castling right without its king or rook at home (not said where T223 explains it)",
    why: "",
    example: "",
    advice: "",
};

pub static FEN_FIELDS_MISSING: Rule = Rule {
    code: "T221",
    name: "fen-fields-missing",
    severity: Severity::Warning,
    basis: "PGN 16.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a FEN with fewer than six fields",
    why: "",
    example: "",
    advice: "",
};

pub static UNSUPPORTED_VARIANT: Rule = Rule {
    code: "T224",
    name: "unsupported-variant",
    severity: Severity::Info,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a variant whose rules are not known here; its moves are kept and not judged",
    why: "",
    example: "",
    advice: "",
};

/// Where a known tag's value goes, and which tags the roster asks for.
fn known<'t>(tags: &'t mut KnownTags, name: &[u8]) -> Option<&'t mut Option<Span>> {
    Some(match name {
        b"Event" => &mut tags.event,
        b"Site" => &mut tags.site,
        b"Date" => &mut tags.date,
        b"Round" => &mut tags.round,
        b"White" => &mut tags.white,
        b"Black" => &mut tags.black,
        b"Result" => &mut tags.result,
        b"WhiteElo" => &mut tags.white_elo,
        b"BlackElo" => &mut tags.black_elo,
        b"WhiteTitle" => &mut tags.white_title,
        b"BlackTitle" => &mut tags.black_title,
        b"ECO" => &mut tags.eco,
        b"Variant" => &mut tags.variant,
        b"FEN" => &mut tags.fen,
        b"SetUp" => &mut tags.set_up,
        b"TimeControl" => &mut tags.time_control,
        b"Termination" => &mut tags.termination,
        b"UTCDate" => &mut tags.utc_date,
        _ => return None,
    })
}

/// Reads the tag section of a game: what the tables and the replay need of it, and every fault
/// that needs no board. `start` is where the game begins, for games without any tag.
pub fn check_tags(
    bytes: &[u8],
    start: usize,
    pairs: &[(Span, TagPair)],
    found: &mut GameFindings<'_>,
) -> KnownTags {
    let mut tags = KnownTags::default();
    let mut others: Vec<&(Span, TagPair)> = Vec::new();
    for pair @ &(span, TagPair { name, value, form }) in pairs {
        if form == TagForm::Unterminated {
            found.push(Finding::new(&UNTERMINATED_TAG, span));
        }
        if span.len() > 255 {
            found.push(Finding::new(&OVERLONG_TAG, span));
        }
        match known(&mut tags, name.of(bytes)) {
            Some(slot) => match *slot {
                None => *slot = Some(value),
                Some(first) => found.push(duplicate(bytes, span, name, first, value)),
            },
            None => others.push(pair),
        }
    }
    check_other_duplicates(bytes, &mut others, found);
    check_values(bytes, &tags, found);
    check_roster(start, &tags, pairs, found);
    tags
}

fn duplicate(bytes: &[u8], span: Span, name: Span, first: Span, value: Span) -> Finding {
    let name = String::from_utf8_lossy(name.of(bytes));
    if first.of(bytes) == value.of(bytes) {
        Finding::new(&DUPLICATE_TAG, span)
            .message(format!("the tag {name} stands twice with the same value"))
            .fix(Fix::safe("delete the second one", span, ""))
    } else {
        Finding::new(&CONFLICTING_TAGS, span).message(format!(
            "the tag {name} stands twice, first with \"{}\", then with \"{}\"",
            String::from_utf8_lossy(first.of(bytes)),
            String::from_utf8_lossy(value.of(bytes)),
        ))
    }
}

/// Sorts by name and place, so that a section of very many tags takes no quadratic time.
fn check_other_duplicates(
    bytes: &[u8],
    others: &mut [&(Span, TagPair)],
    found: &mut GameFindings<'_>,
) {
    if others.len() < 2 {
        return;
    }
    others.sort_unstable_by_key(|(span, pair)| (pair.name.of(bytes), span.start));
    let mut first = others[0].1;
    for (span, pair) in &others[1..] {
        if pair.name.of(bytes) == first.name.of(bytes) {
            found.push(duplicate(bytes, *span, pair.name, first.value, pair.value));
        } else {
            first = *pair;
        }
    }
}

fn check_values(bytes: &[u8], tags: &KnownTags, found: &mut GameFindings<'_>) {
    for value in [tags.date, tags.utc_date].into_iter().flatten() {
        if TagDate::parse(value.of(bytes)).is_none() {
            found.push(Finding::new(&INVALID_DATE, value).message(format!(
                "\"{}\" is no date in the form YYYY.MM.DD",
                String::from_utf8_lossy(value.of(bytes))
            )));
        }
    }
    for value in [tags.white_elo, tags.black_elo].into_iter().flatten() {
        // Many programs write an empty value for a player without a rating.
        let text = value.of(bytes).trim_ascii();
        if !(text.iter().all(u8::is_ascii_digit) && text.len() <= 4 || matches!(text, b"-" | b"?"))
        {
            found.push(Finding::new(&INVALID_ELO, value).message(format!(
                "\"{}\" is no rating: a number, - or ? is asked for",
                String::from_utf8_lossy(value.of(bytes))
            )));
        }
    }
    let set_up = tags.set_up.map(|value| value.of(bytes).trim_ascii());
    match (tags.fen, set_up) {
        (Some(fen), None) => {
            found.push(Finding::new(&FEN_WITHOUT_SETUP, fen));
        }
        (Some(_), Some(value)) if value != b"1" => {
            found.push(
                Finding::new(&FEN_WITHOUT_SETUP, tags.set_up.unwrap_or_default())
                    .message("a FEN tag stands beside a SetUp tag that denies it"),
            );
        }
        (None, Some(b"1")) => {
            found.push(Finding::new(&SETUP_WITHOUT_FEN, tags.set_up.unwrap_or_default()));
        }
        _ => {}
    }
}

fn check_roster(
    start: usize,
    tags: &KnownTags,
    pairs: &[(Span, TagPair)],
    found: &mut GameFindings<'_>,
) {
    let roster = [
        ("Event", tags.event),
        ("Site", tags.site),
        ("Date", tags.date),
        ("Round", tags.round),
        ("White", tags.white),
        ("Black", tags.black),
        ("Result", tags.result),
    ];
    if roster.iter().all(|(_, value)| value.is_some()) {
        return;
    }
    let missing: Vec<&str> =
        roster.into_iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
    let span = pairs.first().map_or(Span::new(start, start), |(span, _)| *span);
    found.push(
        Finding::new(&MISSING_ROSTER_TAG, span)
            .message(format!("the Seven Tag Roster lacks {}", missing.join(", "))),
    );
}

/// What the start position shows of its FEN.
pub fn check_start(fen: Span, start: &StartPosition, found: &mut GameFindings<'_>) {
    let written = || Fen::from_position(&start.position, EnPassantMode::Always).to_string();
    if start.fields_missing {
        found.push(Finding::new(&FEN_FIELDS_MISSING, fen).fix(Fix::safe(
            "write the FEN with all its fields",
            fen,
            written(),
        )));
    }
    if start.impossible_castling {
        found.push(Finding::new(&IMPOSSIBLE_CASTLING_RIGHT, fen).fix(Fix::safe(
            "leave out the right",
            fen,
            written(),
        )));
    }
}

pub fn unsupported_variant(bytes: &[u8], variant: Span) -> Finding {
    Finding::new(&UNSUPPORTED_VARIANT, variant).message(format!(
        "the rules of the variant \"{}\" are not known here; its moves are kept and not judged",
        String::from_utf8_lossy(variant.of(bytes))
    ))
}
