//! One JSON object a line: findings, games where asked for, and the summary as the last line.
//!
//! Fields are stable and stand in this order; new ones may be added. A field without a value is
//! left out: a finding on the file as a whole has no `game`, a rule without an article no
//! `basis`. Offsets and lengths are bytes of the decompressed file; text comes
//! decoded from the character set of its game. A game's line stands before its findings, and
//! before those of the file behind its start; a second opinion stands behind the gravest finding
//! of its game.

use std::borrow::Cow;
use std::io;

use serde::Serialize;

use super::summary::{RunSummary, SummaryDocument};
use super::{Format, Judged, Located, Output};
use crate::diagnostics::{Course, Edit, Fix, Severity};
use crate::error::Result;
use crate::replay::{GameRecord, SecondOpinion};

/// The format `jsonl`.
#[derive(Clone, Copy, Debug)]
pub struct JsonLines {
    pub min_severity: Severity,
    /// Whether each game has a line too.
    pub games: bool,
}

impl Format for JsonLines {
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()> {
        let games: &[GameRecord] = if self.games { &judged.report.records.games } else { &[] };
        let mut games = games.iter().zip(judged.place.games + 1..).peekable();
        for located in judged.findings() {
            let is_before = |&(record, number): &(&GameRecord, u64)| match located.game() {
                // What stands before the first game is told before it.
                Some(game) if number == game => record.span.start <= located.finding.span.start,
                Some(game) => number < game,
                None => record.span.start <= located.finding.span.start,
            };
            while let Some((record, number)) = games.next_if(is_before) {
                push_line(&GameLine::new(judged, record, number), out)?;
            }
            if located.finding.rule.severity >= self.min_severity {
                push_line(&FindingLine::new(&located), out)?;
                if let Some(opinion) = located.opinion {
                    push_line(&OpinionLine::new(&located, opinion), out)?;
                }
            }
        }
        for (record, number) in games {
            push_line(&GameLine::new(judged, record, number), out)?;
        }
        Ok(())
    }

    fn end(&mut self, run: &RunSummary, out: &mut Output) -> Result<()> {
        push_line(&SummaryLine::new(run), out)
    }
}

/// A finding as an object.
#[derive(Serialize)]
pub struct FindingLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    offset: u64,
    length: usize,
    line: u64,
    column: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<u32>,
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    code: &'static str,
    name: &'static str,
    severity: Severity,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basis_2018: Option<&'static str>,
    message: &'a str,
    token: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    course: Option<CourseObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ruling: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixObject<'a>>,
}

impl<'a> FindingLine<'a> {
    pub fn new(located: &Located<'a>) -> FindingLine<'a> {
        let finding = located.finding;
        FindingLine {
            kind: "finding",
            file: located.file(),
            game: located.game(),
            offset: located.offset(),
            length: finding.span.len(),
            line: located.line,
            column: located.column,
            ply: finding.ply.map(|ply| ply.index),
            label: located.move_label(),
            code: finding.rule.code,
            name: finding.rule.name,
            severity: finding.rule.severity,
            basis: Some(finding.rule.basis).filter(|&basis| basis != "-"),
            basis_2018: finding.rule.basis_2018,
            message: &finding.message,
            token: located.token(),
            fen: finding.fen.as_deref(),
            course: finding.course().map(CourseObject::new),
            ruling: finding.ruling(),
            fix: finding.fix.as_deref().map(|fix| FixObject::new(located, fix)),
        }
    }
}

/// How the record goes on behind the fault.
#[derive(Serialize)]
struct CourseObject<'a> {
    kind: &'static str,
    plies: u32,
    message: &'a str,
}

impl<'a> CourseObject<'a> {
    fn new(course: &'a Course) -> CourseObject<'a> {
        CourseObject { kind: course.kind, plies: course.plies, message: &course.message }
    }
}

#[derive(Serialize)]
struct FixObject<'a> {
    title: &'a str,
    applicability: &'static str,
    source: &'static str,
    edits: Vec<EditObject<'a>>,
}

impl<'a> FixObject<'a> {
    fn new(located: &Located<'_>, fix: &'a Fix) -> FixObject<'a> {
        let edit = |edit: &'a Edit| EditObject {
            offset: located.absolute(edit.span),
            length: edit.span.len(),
            content: String::from_utf8_lossy(&edit.content),
        };
        FixObject {
            title: &fix.title,
            applicability: fix.applicability.as_str(),
            source: fix.source.as_str(),
            edits: fix.edits.iter().map(edit).collect(),
        }
    }
}

#[derive(Serialize)]
struct EditObject<'a> {
    offset: u64,
    length: usize,
    content: Cow<'a, str>,
}

/// What pgn-reader makes of a game, as an object.
#[derive(Serialize)]
pub struct OpinionLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<u64>,
    reader: &'static str,
    plies: u32,
    moves: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal_moves: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs_at: Option<DifferenceObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stops_at: Option<StopObject<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    message: String,
}

#[derive(Serialize)]
struct DifferenceObject<'a> {
    ply: u32,
    theirs: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<&'a str>,
}

#[derive(Serialize)]
struct StopObject<'a> {
    ply: u32,
    san: &'a str,
}

impl<'a> OpinionLine<'a> {
    pub(super) fn new(located: &Located<'a>, opinion: &'a SecondOpinion) -> OpinionLine<'a> {
        OpinionLine {
            kind: "second_opinion",
            file: located.file(),
            game: located.game(),
            reader: "pgn-reader",
            plies: opinion.plies,
            moves: opinion.moves,
            legal_moves: opinion.legal_moves,
            differs_at: opinion.differs_at.as_ref().map(|it| DifferenceObject {
                ply: it.ply,
                theirs: &it.theirs,
                ours: it.ours.as_deref(),
            }),
            stops_at: opinion.stops_at.as_ref().map(|it| StopObject { ply: it.ply, san: &it.san }),
            result: opinion.result.as_deref(),
            error: opinion.error.as_deref(),
            message: opinion.to_string(),
        }
    }
}

/// A game as an object.
#[derive(Serialize)]
pub struct GameLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    file: &'a str,
    game: u64,
    offset: u64,
    length: usize,
    plies: u32,
    certified_plies: u32,
    verdict: &'static str,
    /// Hash of the certified moves, in 16 hexadecimal digits: JSON's numbers are too short.
    moves_key: String,
    /// How the last certified position ends the game, `none` where it does not.
    end_state: &'static str,
    /// The first ply at which a position stood the third time; likewise below.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_threefold_ply: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_fivefold_ply: Option<u32>,
    /// The first ply after which the halfmove clock read 100 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_fifty_ply: Option<u32>,
    /// The first ply after which the halfmove clock read 150 or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_seventyfive_ply: Option<u32>,
    max_halfmove_clock: u32,
    /// The recorded reason of the end, and what the board says of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    claim: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim_verdict: Option<&'static str>,
    /// Illegal moves of each player; left out where the game was left at its first fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    illegal_white: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    illegal_black: Option<u32>,
    /// The game that it repeats or begins, where that was looked for: `file@offset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    duplicate_of: Option<&'a str>,
}

impl<'a> GameLine<'a> {
    pub fn new(judged: &Judged<'a>, record: &GameRecord, game: u64) -> GameLine<'a> {
        GameLine {
            kind: "game",
            file: judged.place.source,
            game,
            offset: judged.offset(record.span),
            length: record.span.len(),
            plies: record.plies,
            certified_plies: record.certified_plies,
            verdict: record.verdict.as_str(),
            moves_key: format!("{:016x}", record.moves_key),
            end_state: record.end_state.as_str(),
            first_threefold_ply: record.first_threefold_ply,
            first_fivefold_ply: record.first_fivefold_ply,
            first_fifty_ply: record.first_fifty_ply,
            first_seventyfive_ply: record.first_seventyfive_ply,
            max_halfmove_clock: record.max_halfmove_clock,
            claim: record.claim.map(|claim| claim.end.as_str()),
            claim_verdict: record.claim.map(|claim| claim.verdict.as_str()),
            illegal_white: record.illegal.map(|illegal| illegal.white),
            illegal_black: record.illegal.map(|illegal| illegal.black),
            duplicate_of: usize::try_from(game - judged.place.games - 1)
                .ok()
                .and_then(|game| judged.report.duplicate_of(game)),
        }
    }
}

/// The summary as an object.
#[derive(Serialize)]
pub struct SummaryLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    summary: SummaryDocument<'a>,
}

impl<'a> SummaryLine<'a> {
    pub fn new(run: &'a RunSummary) -> SummaryLine<'a> {
        SummaryLine { kind: "summary", summary: SummaryDocument::new(run) }
    }
}

fn push_line(line: &impl Serialize, out: &mut Output) -> Result<()> {
    push_object(out.buffer(), line);
    out.buffer().push(b'\n');
    out.spill()
}

/// Appends an object without a line end.
pub fn push_object(out: &mut Vec<u8>, object: &impl Serialize) {
    let mut serializer = serde_json::Serializer::with_formatter(out, Harmless);
    object
        .serialize(&mut serializer)
        .expect("memory takes every byte and no object holds a map with other keys than text");
}

/// Writes JSON that a terminal shows and does not obey: control characters beyond ASCII and marks
/// that turn the direction of text are escaped. Whoever parses it reads the same text.
#[derive(Clone, Copy, Debug)]
pub struct Harmless;

impl serde_json::ser::Formatter for Harmless {
    fn write_string_fragment<W>(&mut self, out: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let obeyed = |c: char| {
            matches!(c, '\u{7f}'..='\u{9f}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}')
        };
        let mut rest = fragment;
        while let Some(at) = rest.find(obeyed) {
            let c = rest[at..].chars().next().unwrap_or_default();
            out.write_all(&rest.as_bytes()[..at])?;
            write!(out, "\\u{:04x}", u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_would_obey_is_escaped_and_read_back_the_same() {
        let text = "a\u{9b}31m b\u{7f} c\u{202e}d\u{2066} é 王 \u{1b}[0m";
        let mut out = Vec::new();
        push_object(&mut out, &text);
        let json = String::from_utf8(out).unwrap();
        assert_eq!(json, r#""a\u009b31m b\u007f c\u202ed\u2066 é 王 \u001b[0m""#);
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
