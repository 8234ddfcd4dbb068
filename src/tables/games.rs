//! The games table.

use super::column::{Column, Kind, Read, write};
use super::game_facts::{self, GameFacts};
use super::rows::{JudgedChunk, Table, TableRows};
use crate::diagnostics::Span;
use crate::replay::{GameRecord, GameResult};

pub static TABLE: Table = Table {
    name: "games",
    about: "one row for each game, in the order of the archive",
    columns: || columns().iter().map(Column::info).collect(),
    collect,
};

/// What a row is read from.
struct GameRow<'a> {
    bytes: &'a [u8],
    index: usize,
    record: &'a GameRecord,
    facts: &'a GameFacts,
    duplicate_of: Option<&'a str>,
}

impl GameRow<'_> {
    fn tag(&self, span: Option<Span>, out: &mut Vec<u8>) -> Option<()> {
        game_facts::append_tag(self.bytes, span, self.record.encoding, out)
    }

    /// The set-up position. The standard one is none, even where a FEN tag spells it out.
    fn start_fen(&self, out: &mut Vec<u8>) -> Option<()> {
        const STANDARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let fen = game_facts::tag(self.bytes, self.record.tags.fen, self.record.encoding)?;
        if fen.is_empty() || fen.trim() == STANDARD { None } else { write(&fen, out) }
    }
}

fn collect(chunk: &JudgedChunk<'_>, rows: &mut TableRows) {
    let JudgedChunk { bytes, report, facts } = *chunk;
    let games = report.records.games.iter().zip(facts).enumerate();
    let games = games.map(|(index, (record, facts))| {
        let duplicate_of = report.duplicate_of(index);
        GameRow { bytes, index, record, facts, duplicate_of }
    });
    rows.collect(&columns(), games, |row| Some(row.index));
}

fn columns<'a>() -> Vec<Column<GameRow<'a>>> {
    use Read::{Date, Int16, Int32, Int64, Key, Placed, Source, Text, Word};
    vec![
        Column::new("source", Source, "the file that the game stands in, as it was named"),
        Column::new(
            "game",
            Placed(Kind::Game, |row| i64::try_from(row.index).ok()),
            "which game of its source it is, from 1",
        ),
        Column::new(
            "offset",
            Placed(Kind::Offset, |row| i64::try_from(row.record.span.start).ok()),
            "where it begins, in bytes of the decompressed source; with source the key of joins",
        ),
        Column::new("length", Int64(|row| Some(row.record.span.len())), "its length in bytes"),
        Column::new(
            "line",
            Placed(Kind::Line, |row| i64::try_from(row.record.lines_before).ok()),
            "the line on which it begins, from 1",
        ),
        Column::new("event", Text(|row, out| row.tag(row.record.tags.event, out)), "the Event tag"),
        Column::new("site", Text(|row, out| row.tag(row.record.tags.site, out)), "the Site tag"),
        Column::new(
            "date",
            Date(|row| row.facts.date.day),
            "the Date tag's day, else UTCDate's; null where it is not whole",
        ),
        Column::new("year", Int16(|row| row.facts.date.year), "the year of those tags"),
        Column::new("round", Text(|row, out| row.tag(row.record.tags.round, out)), "the Round tag"),
        Column::new("white", Text(|row, out| row.tag(row.record.tags.white, out)), "the White tag"),
        Column::new("black", Text(|row, out| row.tag(row.record.tags.black, out)), "the Black tag"),
        Column::new("white_elo", Int16(|row| row.facts.white_elo), "the WhiteElo tag, above 0"),
        Column::new("black_elo", Int16(|row| row.facts.black_elo), "the BlackElo tag, above 0"),
        Column::new(
            "white_title",
            Text(|row, out| row.tag(row.record.tags.white_title, out)),
            "the WhiteTitle tag",
        ),
        Column::new(
            "black_title",
            Text(|row, out| row.tag(row.record.tags.black_title, out)),
            "the BlackTitle tag",
        ),
        Column::new("eco", Text(|row, out| row.tag(row.record.tags.eco, out)), "the ECO tag"),
        Column::new(
            "variant",
            Text(|row, out| write(&row.facts.variant, out)),
            "the Variant tag in lower case, letters and digits only; standard where there is none",
        ),
        Column::new("start_fen", Text(GameRow::start_fen), "the FEN tag of a set-up position"),
        Column::new(
            "time_control",
            Text(|row, out| row.tag(row.record.tags.time_control, out)),
            "the TimeControl tag",
        ),
        Column::new(
            "time_class",
            Word(|row| Some(row.facts.time_class.as_str())),
            "bullet, blitz, rapid, classical, correspondence or unknown, by the time for 60 moves",
        ),
        Column::new(
            "time_class_site",
            Word(|row| row.facts.time_class_site),
            "the class that the Event names",
        ),
        Column::new(
            "result",
            Word(|row| row.facts.result.map(GameResult::as_str)),
            "the termination marker, else the Result tag",
        ),
        Column::new(
            "termination",
            Text(|row, out| row.tag(row.record.tags.termination, out)),
            "the Termination tag",
        ),
        Column::new("plies", Int32(|row| Some(row.record.plies)), "half-moves of the main line"),
        Column::new(
            "certified_plies",
            Int32(|row| Some(row.record.certified_plies)),
            "half-moves before the first fault",
        ),
        Column::new(
            "verdict",
            Word(|row| Some(row.record.verdict.as_str())),
            "certified, flawed, contradicted, illegal, unreadable or unjudged",
        ),
        Column::new("errors", Int32(|row| Some(row.record.errors)), "its errors"),
        Column::new("warnings", Int32(|row| Some(row.record.warnings)), "its warnings"),
        Column::new(
            "end_state",
            Word(|row| Some(row.record.end_state.as_str())),
            "checkmate, stalemate, dead_position, fivefold, seventyfive or none",
        ),
        Column::new(
            "promotions",
            Int32(|row| Some(row.record.promotions)),
            "its promotions before the first fault",
        ),
        Column::new(
            "underpromotions",
            Int32(|row| Some(row.record.underpromotions)),
            "those of them to something other than a queen",
        ),
        Column::new(
            "first_threefold_ply",
            Int32(|row| row.record.first_threefold_ply),
            "the first ply after which the position stood for the third time",
        ),
        Column::new(
            "first_fivefold_ply",
            Int32(|row| row.record.first_fivefold_ply),
            "the first ply after which the position stood for the fifth time",
        ),
        Column::new(
            "first_fifty_ply",
            Int32(|row| row.record.first_fifty_ply),
            "the first ply after which the halfmove clock read 100",
        ),
        Column::new(
            "first_seventyfive_ply",
            Int32(|row| row.record.first_seventyfive_ply),
            "the first ply after which the halfmove clock read 150",
        ),
        Column::new(
            "max_halfmove_clock",
            Int32(|row| Some(row.record.max_halfmove_clock)),
            "the highest halfmove clock",
        ),
        Column::new(
            "claim",
            Word(|row| row.record.claim.map(|claim| claim.end.as_str())),
            "the recorded reason of the end: a rule of draws, checkmate, timeout, resignation, \
             abandoned, rules_infraction, death or emergency",
        ),
        Column::new(
            "claim_verdict",
            Word(|row| row.record.claim.map(|claim| claim.verdict.as_str())),
            "what the board says of it: supported, supported_by_next_move, contradicted or \
             unverifiable",
        ),
        Column::new(
            "illegal_white",
            Int32(|row| row.record.illegal.map(|illegal| illegal.white)),
            "illegal moves of White; null where a game was left at its first fault",
        ),
        Column::new(
            "illegal_black",
            Int32(|row| row.record.illegal.map(|illegal| illegal.black)),
            "the same of Black",
        ),
        Column::new("moves_key", Key(|row| row.record.moves_key), "a hash of the certified moves"),
        Column::new("bytes_key", Key(|row| row.record.bytes_key), "a hash of its bytes"),
        Column::new(
            "duplicate_of",
            Text(|row, out| write(row.duplicate_of?, out)),
            "the game that it repeats or begins, source@offset, where that was looked for",
        ),
    ]
}
