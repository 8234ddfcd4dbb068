//! Faults in tag pairs and in the start position that they give.

mod form;

use memchr::memchr2;

use crate::diagnostics::{Finding, Fix, FixPromise, GameFindings, Rule, Severity, Span};
use crate::pgn::{TagDate, TagForm, TagPair, markup_len};
use crate::replay::KnownTags;

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

pub static TAG_NAME_CASE: Rule = Rule {
    code: "T204",
    name: "tag-name-case",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a known tag name in other letter case",
    why: "Tag names differ by letter case, so a program that looks for FEN does not find fen: \
        it starts such a game from the usual array and calls its moves illegal.",
    example: "[whiteElo \"2105\"]\n\
        the standard knows this tag as WhiteElo",
    advice: "Write the name as the standard does. It counts as that tag here.",
};

pub static TAG_NAME_CHARACTERS: Rule = Rule {
    code: "T205",
    name: "tag-name-characters",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "characters in a tag name that the standard does not allow",
    why: "A name is made of letters from A to Z, digits and the underscore. A reader may end \
        it at any other character and then find no quote where it wants one.",
    example: "[White-Club \"Hillford\"]\n\
        the hyphen has no place in a name",
    advice: "Rename the tag in the whole archive, so that one thing keeps one name.",
};

pub static UNESCAPED_QUOTE: Rule = Rule {
    code: "T206",
    name: "unescaped-quote",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a quote inside a tag value without its backslash",
    why: "For most readers the value ends at that quote. The rest of it is dropped, or read as \
        something else.",
    example: "[Event \"The \"Open\" of Hillford\"]\n\
        two quotes stand inside the value",
    advice: "Put a backslash before each of them.",
};

pub static BAD_ESCAPE: Rule = Rule {
    code: "T207",
    name: "bad-escape",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a backslash that escapes nothing",
    why: "In a value the backslash announces a quote or another backslash. Before anything \
        else one program keeps it and the next one drops it; before the last quote it keeps \
        the value open.",
    example: "[Source \"C:\\chess\\holm.pgn\"]\n\
        neither backslash stands before a quote or another backslash",
    advice: "Write it twice where it is meant; delete it where it is not.",
};

pub static NEWLINE_IN_TAG_VALUE: Rule = Rule {
    code: "T208",
    name: "newline-in-tag-value",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "a tag value runs over the end of its line",
    why: "A string may not hold a line end. A reader that goes by lines loses the tag and \
        takes the second line for moves.",
    example: "[Annotator \"Holm, Ada,\n\
        and Brandt, Kai\"]\n\
        the value begins on one line and ends on the next",
    advice: "Join the lines with a blank.",
};

pub static MISSING_BRACKET: Rule = Rule {
    code: "T209",
    name: "missing-bracket",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a tag pair without its closing bracket",
    why: "Where the value ends is plain, but a reader that asks for the bracket drops the tag \
        or looks for it in the lines below.",
    example: "[ECO \"C20\"\n\
        the value is closed and the bracket is not",
    advice: "Add the bracket behind the quote.",
};

pub static UNQUOTED_TAG_VALUE: Rule = Rule {
    code: "T210",
    name: "unquoted-tag-value",
    severity: Severity::Warning,
    basis: "PGN 8.1",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a tag value without quotes",
    why: "A value is a string and stands in quotes. A reader that looks for them finds no \
        value, or that of the next tag.",
    example: "[Annotator Holm, Ada]\n\
        the name of the annotator stands bare",
    advice: "Put the value into quotes.",
};

pub static SMART_QUOTE: Rule = Rule {
    code: "T211",
    name: "smart-quote",
    severity: Severity::Warning,
    basis: "PGN 7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "other quotes than straight double ones around a tag value",
    why: "Word processors and mail programs put them there. Only the straight double quote \
        opens a string, so that other readers lose the tag.",
    example: "[Annotator “Holm, Ada”]\n\
        a word processor has bent the quotes",
    advice: "Write straight double quotes.",
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
        missed. A right that is only possible in Chess960 is T223 instead.",
    example: "[FEN \"r3k2r/8/8/8/8/8/8/R3K3 w KQkq - 0 20\"]\n\
        K asks for a rook on h1, and none is there",
    advice: "Take the letter out of the castling field, or put the rook back if the diagram has \
        it.",
};

pub static IMPOSSIBLE_EN_PASSANT: Rule = Rule {
    code: "T220",
    name: "impossible-en-passant",
    severity: Severity::Warning,
    basis: "PGN 16.1.3.4",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "an en passant square that no double step can have left",
    why: "The field names the square that a pawn has just jumped over. Where no pawn stands behind \
        it, the square is a slip, or the side to move is wrong: a reader that believes it allows \
        a capture of nothing.",
    example: "[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - e6 0 30\"]\n\
        on e5, below e6, stands a white pawn and no black one",
    advice: "Write a dash. If the diagram has the pawn on another file, correct the square instead.",
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

pub static FEN_MOVE_NUMBER_ZERO: Rule = Rule {
    code: "T222",
    name: "fen-move-number-zero",
    severity: Severity::Warning,
    basis: "PGN 16.1.3.6",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a fullmove number of 0",
    why: "The first move has number 1. Programs that count from the 0 number the whole game one \
        too low, and some refuse the position.",
    example: "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 0\"]\n\n\
        1. Ra8# 1-0\n\
        the last field should be 1",
    advice: "Write 1, or the true number if the source has it.",
};

pub static VARIANT_TAG_MISSING: Rule = Rule {
    code: "T223",
    name: "variant-tag-missing",
    severity: Severity::Warning,
    basis: "-",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the game can only be read as Chess960 or another variant, and no Variant tag says so",
    why: "By the rules of chess its castling, drops or moves are illegal, and a reader cuts it \
        short. The rules are those that it shows: by rights to castle, drops, pieces in hand, \
        counted checks, a start position or an Event.",
    example: "[FEN \"nrbbkrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKRQN w KQkq - 0 1\"]\n\
        no right to castle with these rooks exists in chess",
    advice: "Add the tag, [Variant \"Chess960\"] for instance. If the game is chess after all, \
        correct the castling field.",
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

pub static PLY_COUNT_MISMATCH: Rule = Rule {
    code: "T225",
    name: "ply-count-mismatch",
    severity: Severity::Warning,
    basis: "PGN 9.9.3",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "PlyCount differs from the number of plies",
    why: "The tag was right when a program wrote it. Since then moves were lost or added, or \
        somebody counted moves and not half-moves.",
    example: "[PlyCount \"40\"]\n\
        \n\
        1. e4 e5 2. Nf3 Nc6 *\n\
        the game has 4 half-moves",
    advice: "Compare with another copy if moves may be lost; else write the number of \
        half-moves. Said only of games that were read to their end.",
};

/// Where a known tag's value goes, and which tags the roster asks for. By length first, since every
/// tag of every game is looked up.
fn known<'t>(tags: &'t mut KnownTags, name: &[u8]) -> Option<&'t mut Option<Span>> {
    Some(match (name.len(), name) {
        (3, b"ECO") => &mut tags.eco,
        (3, b"FEN") => &mut tags.fen,
        (4, b"Site") => &mut tags.site,
        (4, b"Date") => &mut tags.date,
        (5, b"Event") => &mut tags.event,
        (5, b"Round") => &mut tags.round,
        (5, b"White") => &mut tags.white,
        (5, b"Black") => &mut tags.black,
        (5, b"SetUp") => &mut tags.set_up,
        (6, b"Result") => &mut tags.result,
        (7, b"UTCDate") => &mut tags.utc_date,
        (7, b"Variant") => &mut tags.variant,
        (8, b"WhiteElo") => &mut tags.white_elo,
        (8, b"BlackElo") => &mut tags.black_elo,
        (8, b"PlyCount") => &mut tags.ply_count,
        (9, b"ICCResult") => &mut tags.icc_result,
        (10, b"WhiteTitle") => &mut tags.white_title,
        (10, b"BlackTitle") => &mut tags.black_title,
        (11, b"TimeControl") => &mut tags.time_control,
        (11, b"Termination") => &mut tags.termination,
        (18, b"TerminationDetails") => &mut tags.termination_details,
        _ => return None,
    })
}

/// Reads the tag section of a game: what the tables and the replay need of it, and every fault
/// that needs no board. `start` is where the game begins, for games without any tag; `others` is
/// room for the tags that are not known here; HTML in the section is added to `markup`; `tags`
/// becomes what is known.
pub fn check_tags(
    bytes: &[u8],
    start: usize,
    pairs: &[(Span, TagPair)],
    others: &mut Vec<(Span, TagPair)>,
    markup: &mut Vec<Span>,
    tags: &mut KnownTags,
    found: &mut GameFindings<'_>,
) {
    *tags = KnownTags::default();
    others.clear();
    for pair @ &(span, TagPair { name, value, form }) in pairs {
        if form != TagForm::Plain {
            form::check_form(bytes, span, &pair.1, found);
            find_markup(bytes, span, markup);
        }
        if span.len() > 255 {
            found.push(Finding::new(&OVERLONG_TAG, span));
        }
        let slot = match known(tags, name.of(bytes)) {
            None => form::check_name(bytes, name, found)
                .and_then(|standard| known(tags, standard.as_bytes())),
            slot => slot,
        };
        match slot {
            Some(slot) => match *slot {
                None => *slot = Some(value),
                Some(first) => found.push(duplicate(bytes, span, &pair.1, first, found)),
            },
            None => others.push(*pair),
        }
    }
    check_other_duplicates(bytes, others, found);
    check_values(bytes, tags, found);
    check_roster(start, tags, pairs, found);
}

fn find_markup(bytes: &[u8], span: Span, markup: &mut Vec<Span>) {
    let mut at = span.start;
    while let Some(len) = memchr2(b'<', b'&', &bytes[at..span.end]) {
        at += len;
        match markup_len(&bytes[at..span.end]) {
            0 => at += 1,
            len => {
                markup.push(Span::new(at, at + len));
                at += len;
            }
        }
    }
}

fn duplicate(
    bytes: &[u8],
    span: Span,
    pair: &TagPair,
    first: Span,
    found: &GameFindings<'_>,
) -> Finding {
    let TagPair { name, value, .. } = *pair;
    let name = found.text(name.of(bytes));
    if first.of(bytes) == value.of(bytes) {
        Finding::new(&DUPLICATE_TAG, span)
            .message(format!("the tag {name} stands twice with the same value"))
            .fix(Fix::safe("delete the second one", span, ""))
    } else {
        Finding::new(&CONFLICTING_TAGS, span).message(format!(
            "the tag {name} stands twice, first with \"{}\", then with \"{}\"",
            found.text(first.of(bytes)),
            found.text(value.of(bytes)),
        ))
    }
}

/// Tags that are not known here and are too few for a sort to pay.
const FEW_TAGS: usize = 12;

/// Sorts by name and place, so that a section of very many tags takes no quadratic time.
fn check_other_duplicates(
    bytes: &[u8],
    others: &mut [(Span, TagPair)],
    found: &mut GameFindings<'_>,
) {
    // A few names are held against each other sooner than they are sorted.
    let name = |(_, pair): &(Span, TagPair)| pair.name.of(bytes);
    let is_alone = |at: usize| others[..at].iter().all(|other| name(other) != name(&others[at]));
    if others.len() <= FEW_TAGS && (0..others.len()).all(is_alone) {
        return;
    }
    others.sort_unstable_by_key(|(span, pair)| (pair.name.of(bytes), span.start));
    let mut first = others[0].1;
    for (span, pair) in &others[1..] {
        if pair.name.of(bytes) == first.name.of(bytes) {
            found.push(duplicate(bytes, *span, pair, first.value, found));
        } else {
            first = *pair;
        }
    }
}

fn check_values(bytes: &[u8], tags: &KnownTags, found: &mut GameFindings<'_>) {
    for value in [tags.date, tags.utc_date].into_iter().flatten() {
        if TagDate::parse(value.of(bytes)).is_none() {
            let text = found.text(value.of(bytes));
            let message = if TagDate::has_form(value.of(bytes)) {
                format!("there is no such day as \"{text}\"")
            } else {
                format!("\"{text}\" is no date in the form YYYY.MM.DD")
            };
            found.push(Finding::new(&INVALID_DATE, value).message(message));
        }
    }
    for value in [tags.white_elo, tags.black_elo].into_iter().flatten() {
        // Many programs write an empty value for a player without a rating.
        let text = value.of(bytes).trim_ascii();
        if !(text.iter().all(u8::is_ascii_digit) && text.len() <= 4 || matches!(text, b"-" | b"?"))
        {
            found.push(Finding::new(&INVALID_ELO, value).message(format!(
                "\"{}\" is no rating: a number, - or ? is asked for",
                found.text(value.of(bytes))
            )));
        }
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

/// Holds the PlyCount tag against a game that was read to its end. `sure` says that no move can
/// be missing there.
pub fn check_ply_count(
    bytes: &[u8],
    tag: Span,
    plies: u32,
    sure: bool,
    found: &mut GameFindings<'_>,
) {
    let text = tag.of(bytes).trim_ascii();
    let written = std::str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    if matches!(text, b"" | b"?" | b"-") || written == Some(plies) {
        return;
    }
    let finding = Finding::new(&PLY_COUNT_MISMATCH, tag).message(format!(
        "PlyCount is \"{}\", and the game has {plies} half-move{}",
        found.text(text),
        if plies == 1 { "" } else { "s" },
    ));
    found.push(if sure {
        finding.fix(Fix::safe("write the number of half-moves", tag, plies.to_string()))
    } else {
        finding
    });
}

pub fn unsupported_variant(bytes: &[u8], variant: Span, found: &GameFindings<'_>) -> Finding {
    Finding::new(&UNSUPPORTED_VARIANT, variant).message(format!(
        "the rules of the variant \"{}\" are not known here; its moves are kept and not judged",
        found.text(variant.of(bytes))
    ))
}
