//! The draws table.

use shakmaty::Color;

use super::column::{Column, Kind, Read};
use super::game_facts::{self, GameFacts};
use super::rows::{JudgedChunk, Table, TableRows};
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
    facts: &'a GameFacts,
}

impl DrawRow<'_> {
    fn claim_text(&self, out: &mut Vec<u8>) -> Option<()> {
        let (_, span, _) = self.record.recorded?;
        game_facts::append_tag(self.bytes, Some(span), self.game.encoding, out)
    }
}

fn collect(chunk: &JudgedChunk<'_>, rows: &mut TableRows) {
    let JudgedChunk { bytes, report, facts } = *chunk;
    let draws = report.records.draws.iter().filter_map(|record| {
        let index = record.game as usize;
        let (game, facts) = report.records.games.get(index).zip(facts.get(index))?;
        Some(DrawRow { bytes, record, game, facts })
    });
    rows.collect(&columns(), draws, |row| Some(row.record.game as usize));
}

fn columns<'a>() -> Vec<Column<DrawRow<'a>>> {
    use Read::{Int32, Placed, Source, Text, Word};
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
            Word(|row| row.facts.result.map(GameResult::as_str)),
            "the recorded result, as in games",
        ),
        Column::new(
            "claim_source",
            Word(|row| {
                let source = row.record.recorded.map(|(source, ..)| source);
                source.map(ClaimSource::as_str)
            }),
            "what records it: tag or comment; null where the draw was there and nothing does",
        ),
        Column::new("claim_text", Text(DrawRow::claim_text), "the words that record it"),
        Column::new(
            "rule",
            Word(|row| Some(row.record.rule.as_str())),
            "threefold, fivefold, fifty, seventyfive, stalemate, insufficient_material, \
             agreement, perpetual_check, timeout_vs_insufficient, adjudication, or another end as \
             in games.claim; a dead position is insufficient_material",
        ),
        Column::new(
            "verdict",
            Word(|row| {
                let verdict = row.record.recorded.map(|(.., verdict)| verdict);
                verdict.map(ClaimVerdict::as_str)
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
            Word(|row| row.record.could_claim.map(|color: Color| color.fold_wb("white", "black"))),
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
