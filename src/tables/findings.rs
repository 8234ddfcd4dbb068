//! The findings table: what `check --format jsonl` prints, of any severity.

use std::borrow::Cow;

use super::column::{Column, Kind, Read, word};
use super::rows::{Table, TableRows};
use crate::diagnostics::{Finding, LineCursor};
use crate::judge::ChunkReport;

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
    /// `50... b1`, as in the reports.
    label: Option<String>,
    /// Line ends of the chunk before it.
    line: u64,
    /// The column in the chunk's part of the line.
    column: u64,
}

fn collect(bytes: &[u8], report: &ChunkReport) -> TableRows {
    let games = &report.records.games;
    let mut lines = LineCursor::new(bytes, 0);
    let rows: Vec<_> = report
        .findings
        .iter()
        .map(|finding| {
            let encoding = report.encoding_of(finding);
            // A game behind what stands before it may be in another chunk.
            let game = finding
                .game
                .and_then(|game| games.get(game as usize))
                .filter(|game| game.span.start <= finding.span.start);
            FindingRow {
                finding,
                game_offset: game.map(|game| game.span.start),
                token: finding.token(bytes, encoding),
                label: finding.move_label(bytes, encoding),
                line: lines.line_ends_before(finding.span.start),
                column: lines.column(),
            }
        })
        .collect();
    TableRows::collect(&columns(), &rows, |row| row.finding.game.map(|game| game as usize))
}

fn columns<'a>() -> Vec<Column<FindingRow<'a>>> {
    use Read::{Edits, Int32, Int64, Placed, Source, Text};
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
        Column::new(
            "move",
            Text(|row| row.label.as_deref().map(Cow::Borrowed)),
            "the move as a person names it",
        ),
        Column::new("code", Text(|row| word(row.finding.rule.code)), "the rule's code"),
        Column::new("name", Text(|row| word(row.finding.rule.name)), "the rule's name"),
        Column::new(
            "severity",
            Text(|row| word(row.finding.rule.severity.as_str())),
            "error, warning or info",
        ),
        Column::new(
            "basis",
            Text(|row| word(row.finding.rule.basis).filter(|basis| basis != "-")),
            "the article of the Laws or the clause of the standard",
        ),
        Column::new(
            "message",
            Text(|row: &Row<'_>| Some(Cow::Borrowed(&*row.finding.message))),
            "what is wrong, in one sentence",
        ),
        Column::new(
            "token",
            Text(|row: &Row<'_>| Some(Cow::Borrowed(&*row.token))),
            "the text at fault, at most 255 bytes of it",
        ),
        Column::new(
            "fen",
            Text(|row| row.finding.fen.as_deref().map(Cow::Borrowed)),
            "the position before the move",
        ),
        Column::new(
            "course",
            Text(|row| row.finding.course().and_then(|course| word(course.kind))),
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
            Text(|row| row.finding.ruling().map(Cow::Borrowed)),
            "what the Laws of the game's date prescribe",
        ),
        Column::new(
            "fix_title",
            Text(|row| row.finding.fix.as_ref().map(|fix| Cow::Borrowed(fix.title.as_str()))),
            "what could be done",
        ),
        Column::new(
            "fix_applicability",
            Text(|row| row.finding.fix.as_ref().and_then(|fix| word(fix.applicability.as_str()))),
            "safe, unsafe or display",
        ),
        Column::new(
            "fix_source",
            Text(|row| row.finding.fix.as_ref().and_then(|fix| word(fix.source.as_str()))),
            "certain, inferred or assumed",
        ),
        Column::new(
            "fix_edits",
            Edits(|row: &Row<'_>| row.finding.fix.as_ref().map_or(&[], |fix| &fix.edits)),
            "the edits as JSON: offset, length, content",
        ),
    ]
}
