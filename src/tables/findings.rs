//! The findings table: what `check --format jsonl` prints, of any severity.

use std::borrow::Cow;
use std::io::Write;

use super::column::{Column, Kind, Read, write};
use super::rows::{JudgedChunk, Table, TableRows};
use crate::diagnostics::{Finding, LineCursor};

pub static TABLE: Table = Table {
    name: "findings",
    about: "one row for each finding, in the order of the archive",
    columns: || columns().iter().map(Column::info).collect(),
    collect,
};

/// What a row is read from.
struct FindingRow<'a> {
    finding: &'a Finding,
    /// Where its game begins in the chunk.
    game_offset: Option<usize>,
    token: Cow<'a, str>,
    /// Line ends of the chunk before it.
    line: u64,
    /// The column in the chunk's part of the line.
    column: u64,
}

impl FindingRow<'_> {
    /// `50... b1`, as in the reports.
    fn label(&self, out: &mut Vec<u8>) -> Option<()> {
        let ply = self.finding.ply.filter(|ply| ply.at_move)?;
        let dots = if ply.black { "..." } else { "." };
        write!(out, "{}{dots} ", ply.move_number).ok()?;
        write(&self.token, out)
    }
}

fn collect(chunk: &JudgedChunk<'_>, rows: &mut TableRows) {
    let JudgedChunk { bytes, report, .. } = *chunk;
    let games = &report.records.games;
    let mut lines = LineCursor::new(bytes, 0);
    let findings = report.findings.iter().map(|finding| {
        // A game behind what stands before it may be in another chunk.
        let game = finding
            .game
            .and_then(|game| games.get(game as usize))
            .filter(|game| game.span.start <= finding.span.start);
        if let Some(game) = game {
            lines.skip_to(game.span.start, game.lines_before);
        }
        FindingRow {
            finding,
            game_offset: game.map(|game| game.span.start),
            token: finding.token(bytes, report.encoding_of(finding)),
            line: lines.line_ends_before(finding.span.start),
            column: lines.column(),
        }
    });
    rows.collect(&columns(), findings, |row| row.finding.game.map(|game| game as usize));
}

fn columns<'a>() -> Vec<Column<FindingRow<'a>>> {
    use Read::{Edits, Int32, Int64, Placed, Source, Text, Word};
    type Row<'a> = FindingRow<'a>;
    vec![
        Column::new("source", Source, "the file that it stands in"),
        Column::new(
            "game_offset",
            Placed(Kind::Offset, |row| row.game_offset.and_then(|start| i64::try_from(start).ok())),
            "where its game begins, with source the key to games; null for the file as a whole",
        ),
        Column::new(
            "game",
            Placed(Kind::Game, |row| row.finding.game.map(i64::from)),
            "which game of its source it is in, from 1",
        ),
        Column::new(
            "offset",
            Placed(Kind::Offset, |row| i64::try_from(row.finding.span.start).ok()),
            "where it stands, in bytes of the decompressed source",
        ),
        Column::new("length", Int64(|row| Some(row.finding.span.len())), "its length in bytes"),
        Column::new(
            "line",
            Placed(Kind::Line, |row| i64::try_from(row.line).ok()),
            "its line, from 1",
        ),
        Column::new(
            "column",
            Placed(Kind::LineColumn, |row| {
                let column = i64::try_from(row.column).ok()?;
                Some(if row.line == 0 { -column } else { column })
            }),
            "its column in bytes, from 1",
        ),
        Column::new(
            "ply",
            Int32(|row| row.finding.ply.map(|ply| ply.index)),
            "the half-move of the main line, from 1; 0 is the start position",
        ),
        Column::new("move", Text(FindingRow::label), "the move as a person names it"),
        Column::new("code", Word(|row| Some(row.finding.rule.code)), "the rule's code"),
        Column::new("name", Word(|row| Some(row.finding.rule.name)), "the rule's name"),
        Column::new(
            "severity",
            Word(|row| Some(row.finding.rule.severity.as_str())),
            "error, warning or info",
        ),
        Column::new(
            "basis",
            Word(|row| Some(row.finding.rule.basis).filter(|&basis| basis != "-")),
            "the article of the Laws or the clause of the standard",
        ),
        Column::new(
            "message",
            Text(|row, out| write(&row.finding.message, out)),
            "what is wrong, in one sentence",
        ),
        Column::new(
            "token",
            Text(|row, out| write(&row.token, out)),
            "the text at fault, at most 255 bytes of it",
        ),
        Column::new(
            "fen",
            Text(|row, out| write(row.finding.fen.as_deref()?, out)),
            "the position before the move",
        ),
        Column::new(
            "course",
            Word(|row| row.finding.course().map(|course| course.kind)),
            "how the record goes on behind a refused move: stood, slip, missing_ply, \
             extra_ply, swapped_plies or lost",
        ),
        Column::new(
            "course_plies",
            Int32(|row| row.finding.course().map(|course| course.plies)),
            "half-moves behind it that fit that",
        ),
        Column::new(
            "ruling",
            Text(|row, out| write(row.finding.ruling()?, out)),
            "what the Laws of the game's date prescribe",
        ),
        Column::new(
            "fix_title",
            Text(|row, out| write(&row.finding.fix.as_ref()?.title, out)),
            "what could be done",
        ),
        Column::new(
            "fix_applicability",
            Word(|row| row.finding.fix.as_ref().map(|fix| fix.applicability.as_str())),
            "safe, unsafe or display",
        ),
        Column::new(
            "fix_source",
            Word(|row| row.finding.fix.as_ref().map(|fix| fix.source.as_str())),
            "certain, inferred or assumed",
        ),
        Column::new(
            "fix_edits",
            Edits(|row: &Row<'_>| row.finding.fix.as_ref().map_or(&[], |fix| &fix.edits)),
            "the edits as JSON: offset, length, content",
        ),
    ]
}
