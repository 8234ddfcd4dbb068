//! The recorded result, against itself and against the board.

use std::borrow::Cow;

use shakmaty::Color;

use crate::diagnostics::{Finding, Fix, FixPromise, GameFindings, Ply, Rule, Severity, Span};
use crate::pgn::parse_result;
use crate::replay::{EndState, GameResult};
use crate::source::excerpt;

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
    basis: "FIDE 5.1.1, 5.2.1, 5.2.2, 9.6",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the result, or *, contradicts the mate, stalemate or other end on the board",
    why: "The board decides such a game, whatever was written under it. The finding stands at the \
        last ply.",
    example: "1. f3 e5 2. g4 Qh4# 1-0\n\
        Black has mated, and the result gives White the win",
    advice: "Take the result from the board if the moves are sure. If they are not, the last of \
        them may be what is wrong.",
};

pub static OFF_BOARD_RESULT: Rule = Rule {
    code: "R605",
    name: "off-board-result",
    severity: Severity::Info,
    basis: "FIDE 6.7, 11.8",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "a result that no play on the board gives",
    why: "Both players came too late, or the arbiter took points from them. PGN has no marker for \
        it: a program takes 0-0 for castling, or turns it into a draw that was never given.",
    example: "[Result \"0-0\"]\n\n\
        0-0\n\
        neither player came; both have lost",
    advice: "Leave it, and leave the game out where you count results. Software that insists on a \
        standard marker gets *, never 1/2-1/2.",
};

pub static FLAG_FALL_WITHOUT_MATING_MATERIAL: Rule = Rule {
    code: "R606",
    name: "flag-fall-without-mating-material",
    severity: Severity::Warning,
    basis: "FIDE 6.9",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "won on time by a side that no series of legal moves lets mate",
    why: "Who runs out of time loses only if the opponent could still mate, however badly both \
        play. With a bare king the game is drawn, on the large servers too.",
    example: "[FEN \"8/8/4k3/4p3/8/3K4/8/8 w - - 0 60\"]\n\
        [Termination \"Holm, Ada won on time\"]\n\n\
        60. Ke4 Kf6 1-0\n\
        White has a bare king and cannot have won",
    advice: "Look the game up where it was played. Matches of engines that score every loss on \
        time are not told of.",
};

/// What the record says of the result, and where.
#[derive(Clone, Copy, Debug)]
pub struct RecordedResult {
    /// The Result tag's value.
    pub tag: Option<Span>,
    /// The termination marker, whether it is in the standard's spelling, and where it stands.
    pub marker: Option<(GameResult, bool, Span)>,
    /// Where the game begins, for a tag that is missing.
    pub start: Span,
}

impl RecordedResult {
    /// The marker's result, else the tag's; a known one goes before `*`.
    pub fn result(&self, bytes: &[u8]) -> Option<GameResult> {
        let tag = self.tag.and_then(|tag| parse_result(tag.of(bytes).trim_ascii()));
        let tag = tag.map(|(result, _)| result);
        match self.marker.map(|(result, ..)| result) {
            None => tag,
            Some(GameResult::Unknown) => tag.or(Some(GameResult::Unknown)),
            known => known,
        }
    }
}

/// Holds the Result tag against the marker.
pub fn check_record(bytes: &[u8], record: &RecordedResult, ply: Ply, found: &mut GameFindings<'_>) {
    let text = record.tag.map(|tag| tag.of(bytes).trim_ascii());
    let tag = text.and_then(parse_result);
    let told = matches!(text, None | Some(b"" | b"?" | b"*"));
    match (tag, record.marker) {
        (_, Some((result, _, marker))) if told && result != GameResult::Unknown => {
            let result = match result {
                GameResult::OffBoard => excerpt(marker.of(bytes)),
                result => Cow::Borrowed(result.as_str()),
            };
            let span = record.tag.unwrap_or(record.start);
            let mut finding = Finding::new(&RESULT_MISSING, span).message(match record.tag {
                Some(_) => format!("the Result tag does not tell what the marker does: {result}"),
                None => format!("there is no Result tag; the marker says {result}"),
            });
            if let Some(tag) = record.tag {
                finding = finding.fix(Fix::safe("take the marker's result", tag, &*result));
            }
            found.push(finding);
        }
        (Some((tag, _)), Some((result, _, span))) if tag != result && !told => {
            found.push(Finding::new(&RESULT_CONFLICT, span).ply(ply).message(format!(
                "the Result tag says {}, the termination marker {}",
                tag.as_str(),
                excerpt(span.of(bytes)),
            )));
        }
        _ => {}
    }
    check_style(bytes, record, text, tag, ply, found);
}

/// One finding, however often the result is misspelled: at the marker, else at the tag.
fn check_style(
    bytes: &[u8],
    record: &RecordedResult,
    text: Option<&[u8]>,
    tag: Option<(GameResult, bool)>,
    ply: Ply,
    found: &mut GameFindings<'_>,
) {
    let style = |span: Span, result: GameResult| {
        let finding = Finding::new(&RESULT_STYLE, span).ply(ply).message(format!(
            "the result is written \"{}\", where the standard writes {}",
            excerpt(span.of(bytes)),
            result.as_str()
        ));
        finding.fix(Fix::safe(format!("write {}", result.as_str()), span, result.as_str()))
    };
    let off_board = |span: Span| {
        Finding::new(&OFF_BOARD_RESULT, span)
            .ply(ply)
            .message(format!("no play on the board gives the result {}", excerpt(span.of(bytes))))
    };
    match (record.marker, tag, record.tag) {
        // No play on the board gives such a result; its spelling is nobody's concern.
        (Some((GameResult::OffBoard, _, span)), _, _) => found.push(off_board(span)),
        (_, Some((GameResult::OffBoard, _)), Some(span)) => found.push(off_board(span)),
        (Some((result, false, span)), _, _) => found.push(style(span, result)),
        (_, Some((result, false)), Some(span)) => found.push(style(span, result)),
        (_, None, Some(span)) if !matches!(text, Some(b"" | b"?")) => {
            found.push(
                Finding::new(&RESULT_STYLE, span).message(format!(
                    "the Result tag's \"{}\" is no result",
                    excerpt(span.of(bytes))
                )),
            );
        }
        _ => {}
    }
}

/// Holds the recorded result against a mate, stalemate or dead position on the board. `last` is
/// the last move.
pub fn check_board(
    recorded: Option<GameResult>,
    end: EndState,
    winner: Color,
    last: Span,
    ply: Ply,
    fen: impl FnOnce() -> String,
    found: &mut GameFindings<'_>,
) {
    let (on_board, what) = match end {
        EndState::Checkmate => (
            winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins),
            winner.fold_wb("White has mated", "Black has mated"),
        ),
        EndState::Stalemate => (GameResult::Draw, "the board shows a stalemate"),
        EndState::DeadPosition => {
            (GameResult::Draw, "neither side can mate by any series of legal moves")
        }
        EndState::Fivefold | EndState::SeventyFive | EndState::VariantEnd | EndState::None => {
            return;
        }
    };
    if let Some(recorded) = recorded.filter(|&recorded| recorded != on_board) {
        found.push(
            Finding::new(&RESULT_AGAINST_BOARD, last)
                .ply(ply)
                .message(format!("{what}, and the result is recorded as {}", recorded.as_str()))
                .fen(fen()),
        );
    }
}
