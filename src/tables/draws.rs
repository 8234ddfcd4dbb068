//! The draws table.

use std::borrow::Cow;

use shakmaty::Color;

use super::column::{Column, Kind, Read, word};
use super::game_facts;
use super::rows::{Table, TableRows};
use crate::judge::ChunkReport;
use crate::replay::{ClaimSource, ClaimVerdict, DrawRecord, GameRecord, GameResult};

pub static TABLE: Table = Table {
    name: "draws",
    about: "one row for each draw that a score records, and for each rule by which one was on the \
        board and that is not recorded",
    columns: || columns().iter().map(Column::info).collect(),
    collect,
};

/// What a row is read from.
struct DrawRow<'a> {
    bytes: &'a [u8],
    record: &'a DrawRecord,
    game: &'a GameRecord,
}

impl DrawRow<'_> {
    fn claim_text(&self) -> Option<Cow<'_, str>> {
        let (_, span, _) = self.record.recorded?;
        game_facts::tag(self.bytes, Some(span), self.game.encoding)
    }
}

fn collect(bytes: &[u8], report: &ChunkReport) -> TableRows {
    let records = &report.records;
    let rows: Vec<_> = records
        .draws
        .iter()
        .filter_map(|record| {
            let game = records.games.get(record.game as usize)?;
            Some(DrawRow { bytes, record, game })
        })
        .collect();
    TableRows::collect(&columns(), &rows, |row| Some(row.record.game as usize))
}

fn columns<'a>() -> Vec<Column<DrawRow<'a>>> {
    use Read::{Int32, Placed, Source, Text};
    vec![
        Column::new("source", Source, "the file that the game stands in"),
        Column::new(
            "offset",
            Placed(Kind::Offset, |row| i64::try_from(row.game.span.start).ok()),
            "where the game begins; with source the key to games",
        ),
        Column::new(
            "game",
            Placed(Kind::Game, |row| Some(i64::from(row.record.game))),
            "which game of its source it is, from 1",
        ),
        Column::new(
            "result",
            Text(|row| {
                game_facts::result(row.bytes, row.game).map(GameResult::as_str).and_then(word)
            }),
            "the recorded result, as in games",
        ),
        Column::new(
            "claim_source",
            Text(|row| {
                let source = row.record.recorded.map(|(source, ..)| source);
                source.map(ClaimSource::as_str).and_then(word)
            }),
            "what records it: tag or comment; null where the draw was there and nothing does",
        ),
        Column::new("claim_text", Text(DrawRow::claim_text), "the words that record it"),
        Column::new(
            "rule",
            Text(|row| word(row.record.rule.as_str())),
            "threefold, fivefold, fifty, seventyfive, stalemate, insufficient_material, \
             agreement, perpetual_check, timeout_vs_insufficient, adjudication, or another end as \
             in games.claim; a dead position is insufficient_material",
        ),
        Column::new(
            "verdict",
            Text(|row| {
                let verdict = row.record.recorded.map(|(.., verdict)| verdict);
                verdict.map(ClaimVerdict::as_str).and_then(word)
            }),
            "supported, supported_by_next_move, contradicted or unverifiable; null where nothing \
             is recorded",
        ),
        Column::new(
            "first_available_ply",
            Int32(|row| row.record.first_available_ply),
            "the first ply after which it was on the board",
        ),
        Column::new(
            "plies_played_on",
            Int32(|row| row.record.plies_played_on),
            "half-moves of the game behind that ply",
        ),
        Column::new(
            "could_claim",
            Text(|row| {
                row.record
                    .could_claim
                    .and_then(|color: Color| word(color.fold_wb("white", "black")))
            }),
            "who had the move there: white or black; null where nobody claims, since the game was \
             over by itself",
        ),
        Column::new(
            "occurrences",
            Int32(|row| row.record.occurrences),
            "how often the last position stood; the one at the first available ply where nothing \
             is recorded",
        ),
        Column::new(
            "halfmove_clock",
            Int32(|row| row.record.halfmove_clock),
            "the halfmove clock of that position",
        ),
    ]
}
