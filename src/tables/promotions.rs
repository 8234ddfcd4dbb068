//! The promotions table.

use std::borrow::Cow;

use shakmaty::{Color, Role, Square};

use super::column::{Column, Kind, Read, word};
use super::game_facts::GameFacts;
use super::rows::{Table, TableRows};
use crate::judge::ChunkReport;
use crate::replay::{GameRecord, GameResult, Promotion, Reason, noun};

pub static TABLE: Table = Table {
    name: "promotions",
    about: "one row for each promotion that was played, in the order of the archive",
    columns: || columns().iter().map(Column::info).collect(),
    collect,
};

/// What a row is read from.
struct PromotionRow<'a> {
    record: &'a Promotion,
    game: &'a GameRecord,
    facts: GameFacts,
}

impl PromotionRow<'_> {
    fn elo_of(&self, color: Color) -> Option<i16> {
        color.fold_wb(self.facts.white_elo, self.facts.black_elo)
    }

    /// What the mover scored: 1, 0.5 or 0.
    fn mover_score(&self) -> Option<f64> {
        match self.facts.result? {
            GameResult::WhiteWins => Some(self.record.color.fold_wb(1.0, 0.0)),
            GameResult::BlackWins => Some(self.record.color.fold_wb(0.0, 1.0)),
            GameResult::Draw => Some(0.5),
            GameResult::Unknown | GameResult::OffBoard => None,
        }
    }
}

fn collect(bytes: &[u8], report: &ChunkReport) -> TableRows {
    let records = &report.records;
    let rows: Vec<_> = records
        .promotions
        .iter()
        .filter_map(|record| {
            let game = records.games.get(record.game as usize)?;
            Some(PromotionRow { record, game, facts: GameFacts::of(bytes, game) })
        })
        .collect();
    TableRows::collect(&columns(), &rows, |row| Some(row.record.game as usize))
}

fn square(square: Square) -> Option<Cow<'static, str>> {
    Some(Cow::Owned(square.to_string()))
}

fn piece(role: Role) -> Option<Cow<'static, str>> {
    word(noun(role))
}

fn columns<'a>() -> Vec<Column<PromotionRow<'a>>> {
    use Read::{Flag, Float, Int16, Int32, Placed, Source, Text};
    type Row<'a> = PromotionRow<'a>;
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
        Column::new("ply", Int32(|row| Some(row.record.ply)), "the half-move, from 1"),
        Column::new("move_number", Int32(|row| Some(row.record.move_number)), "the move's number"),
        Column::new(
            "color",
            Text(|row| word(row.record.color.fold_wb("white", "black"))),
            "who promotes: white or black",
        ),
        Column::new("from", Text(|row| square(row.record.from)), "the pawn's square"),
        Column::new("to", Text(|row| square(row.record.to)), "the square of the promotion"),
        Column::new(
            "piece",
            Text(|row| piece(row.record.piece)),
            "queen, rook, bishop or knight (a king in antichess)",
        ),
        Column::new(
            "piece_source",
            Text(|row| word(row.record.piece_source.as_str())),
            "explicit, inferred (only this piece fits what is written) or assumed (FIDE 7.5.2)",
        ),
        Column::new(
            "certified",
            Flag(|row| Some(row.record.certified)),
            "whether it lies before the game's first fault",
        ),
        Column::new(
            "san",
            Text(|row: &Row<'_>| Some(Cow::Borrowed(&row.record.san))),
            "the move in standard notation",
        ),
        Column::new("capture", Text(|row| row.record.capture.and_then(piece)), "what it takes"),
        Column::new("gives_check", Flag(|row| Some(row.record.gives_check)), "it gives check"),
        Column::new(
            "discovered_check",
            Flag(|row| Some(row.record.discovered_check)),
            "another piece gives check",
        ),
        Column::new("double_check", Flag(|row| Some(row.record.double_check)), "two pieces do"),
        Column::new("gives_mate", Flag(|row| Some(row.record.gives_mate)), "it is checkmate"),
        Column::new(
            "gives_stalemate",
            Flag(|row| Some(row.record.gives_stalemate)),
            "it is stalemate",
        ),
        Column::new(
            "queen_would_check",
            Flag(|row| Some(row.record.queen_would_check)),
            "a queen there would give check",
        ),
        Column::new(
            "queen_would_mate",
            Flag(|row| Some(row.record.queen_would_mate)),
            "a queen there would be checkmate",
        ),
        Column::new(
            "queen_would_stalemate",
            Flag(|row| Some(row.record.queen_would_stalemate)),
            "a queen there would be stalemate",
        ),
        Column::new(
            "forks",
            Int16(|row| Some(i16::from(row.record.forks))),
            "the king, queens, rooks and unprotected minor pieces that the new piece attacks",
        ),
        Column::new(
            "captured_next",
            Flag(|row| row.record.captured_next),
            "the next move captures it; null where none follows",
        ),
        Column::new("last_ply", Flag(|row| Some(row.record.last_ply)), "the game ends with it"),
        Column::new(
            "nth_of_side",
            Int16(|row| Some(i16::from(row.record.nth_of_side))),
            "which promotion of this player in the game, from 1",
        ),
        Column::new(
            "queens_before",
            Int16(|row| Some(i16::from(row.record.queens_before))),
            "queens that the player had",
        ),
        Column::new(
            "legal_replies",
            Int32(|row| Some(u32::from(row.record.legal_replies))),
            "legal moves of the opponent",
        ),
        Column::new(
            "reason",
            Text(|row| row.record.reason.map(Reason::as_str).and_then(word)),
            "why it may be no queen, by the board; null for a queen",
        ),
        Column::new(
            "fen_before",
            Text(|row: &Row<'_>| Some(Cow::Borrowed(&row.record.fen_before))),
            "the position before the move",
        ),
        Column::new(
            "clock_s",
            Float(|row| row.record.clock_s),
            "the mover's clock after the move, in seconds",
        ),
        Column::new(
            "mover_elo",
            Int16(|row| row.elo_of(row.record.color)),
            "the rating of who promotes",
        ),
        Column::new(
            "opponent_elo",
            Int16(|row| row.elo_of(!row.record.color)),
            "the rating of the opponent",
        ),
        Column::new(
            "mover_score",
            Float(PromotionRow::mover_score),
            "what the mover scored: 1, 0.5, 0; null where the game has no such result",
        ),
        Column::new("year", Int16(|row| row.facts.date.year), "the game's year"),
        Column::new(
            "time_class",
            Text(|row| word(row.facts.time_class.as_str())),
            "the game's time class, as in games",
        ),
        Column::new(
            "variant",
            Text(|row: &Row<'_>| Some(Cow::Borrowed(&*row.facts.variant))),
            "the game's variant, as in games",
        ),
    ]
}
