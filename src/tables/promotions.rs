//! The promotions table.

use shakmaty::{Color, Square};

use super::column::{Column, Kind, Read, write};
use super::game_facts::GameFacts;
use super::rows::{JudgedChunk, Table, TableRows};
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
    facts: &'a GameFacts,
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

fn collect(chunk: &JudgedChunk<'_>, rows: &mut TableRows) {
    let records = &chunk.report.records;
    let promotions = records.promotions.iter().filter_map(|record| {
        let index = record.game as usize;
        let (game, facts) = records.games.get(index).zip(chunk.facts.get(index))?;
        Some(PromotionRow { record, game, facts })
    });
    rows.collect(&columns(), promotions, |row| Some(row.record.game as usize));
}

/// The name of a square, as moves give it.
fn name(square: Square) -> &'static str {
    const NAMES: &str = "a1b1c1d1e1f1g1h1a2b2c2d2e2f2g2h2a3b3c3d3e3f3g3h3a4b4c4d4e4f4g4h4\
        a5b5c5d5e5f5g5h5a6b6c6d6e6f6g6h6a7b7c7d7e7f7g7h7a8b8c8d8e8f8g8h8";
    let start = 2 * usize::from(square);
    &NAMES[start..start + 2]
}

fn columns<'a>() -> Vec<Column<PromotionRow<'a>>> {
    use Read::{Flag, Float, Int16, Int32, Placed, Source, Text, Word};
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
            Word(|row| Some(row.record.color.fold_wb("white", "black"))),
            "who promotes: white or black",
        ),
        Column::new("from", Word(|row| Some(name(row.record.from))), "the pawn's square"),
        Column::new("to", Word(|row| Some(name(row.record.to))), "the square of the promotion"),
        Column::new(
            "piece",
            Word(|row| Some(noun(row.record.piece))),
            "queen, rook, bishop or knight (a king in antichess)",
        ),
        Column::new(
            "piece_source",
            Word(|row| Some(row.record.piece_source.as_str())),
            "explicit, inferred (only this piece fits what is written) or assumed (FIDE 7.5.2)",
        ),
        Column::new(
            "certified",
            Flag(|row| Some(row.record.certified)),
            "whether it lies before the game's first fault",
        ),
        Column::new(
            "san",
            Text(|row, out| {
                row.record.append_san(out);
                Some(())
            }),
            "the move in standard notation",
        ),
        Column::new("capture", Word(|row| row.record.capture.map(noun)), "what it takes"),
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
            Word(|row| row.record.reason.map(Reason::as_str)),
            "why it may be no queen, by the board; null for a queen",
        ),
        Column::new(
            "fen_before",
            Text(|row, out| {
                row.record.append_fen(out);
                Some(())
            }),
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
            Word(|row| Some(row.facts.time_class.as_str())),
            "the game's time class, as in games",
        ),
        Column::new(
            "variant",
            Text(|row, out| write(&row.facts.variant, out)),
            "the game's variant, as in games",
        ),
    ]
}
