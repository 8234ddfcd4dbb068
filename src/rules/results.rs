//! The recorded result, against itself and against the board.

use shakmaty::Color;

use crate::diagnostics::{Finding, Fix, FixPromise, GameFindings, Ply, Rule, Severity, Span};
use crate::pgn::parse_result;
use crate::replay::{EndState, GameResult};

pub static RESULT_CONFLICT: Rule = Rule {
    code: "R601",
    name: "result-conflict",
    severity: Severity::Error,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "the Result tag and the termination marker differ",
    why: "",
    example: "",
    advice: "",
};

pub static RESULT_MISSING: Rule = Rule {
    code: "R602",
    name: "result-missing",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "no Result, or *, where the marker tells it (a mate on the board is R604)",
    why: "",
    example: "",
    advice: "",
};

pub static RESULT_STYLE: Rule = Rule {
    code: "R603",
    name: "result-style",
    severity: Severity::Warning,
    basis: "PGN 8.1.1.7",
    basis_2018: None,
    fix: FixPromise::Safe,
    summary: "a result in another spelling",
    why: "",
    example: "",
    advice: "",
};

pub static RESULT_AGAINST_BOARD: Rule = Rule {
    code: "R604",
    name: "result-against-board",
    severity: Severity::Error,
    basis: "FIDE 5.1.1, 5.2.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "the result, * included, contradicts the mate, stalemate or dead position on the board; it stands at the last ply",
    why: "",
    example: "",
    advice: "",
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
        (_, Some((result, _, _))) if told && result != GameResult::Unknown => {
            let span = record.tag.unwrap_or(record.start);
            let mut finding = Finding::new(&RESULT_MISSING, span).message(match record.tag {
                Some(_) => format!(
                    "the Result tag does not tell what the marker does: {}",
                    result.as_str()
                ),
                None => format!("there is no Result tag; the marker says {}", result.as_str()),
            });
            if let Some(tag) = record.tag {
                finding = finding.fix(Fix::safe("take the marker's result", tag, result.as_str()));
            }
            found.push(finding);
        }
        (Some((tag, _)), Some((result, _, span))) if tag != result && !told => {
            found.push(Finding::new(&RESULT_CONFLICT, span).ply(ply).message(format!(
                "the Result tag says {}, the termination marker {}",
                tag.as_str(),
                String::from_utf8_lossy(span.of(bytes)),
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
            String::from_utf8_lossy(span.of(bytes)),
            result.as_str()
        ));
        finding.fix(Fix::safe(format!("write {}", result.as_str()), span, result.as_str()))
    };
    match (record.marker, tag, record.tag) {
        // No play on the board gives such a result; its spelling is nobody's concern.
        (Some((GameResult::OffBoard, ..)), _, _) | (_, Some((GameResult::OffBoard, _)), _) => {}
        (Some((result, false, span)), _, _) => found.push(style(span, result)),
        (_, Some((result, false)), Some(span)) => found.push(style(span, result)),
        (_, None, Some(span)) if !matches!(text, Some(b"" | b"?")) => {
            found.push(Finding::new(&RESULT_STYLE, span).message(format!(
                "the Result tag's \"{}\" is no result",
                String::from_utf8_lossy(span.of(bytes))
            )));
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
        EndState::Fivefold | EndState::SeventyFive | EndState::None => return,
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
