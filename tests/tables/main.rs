//! Datasets written from reports made by hand and read back with polars.
#![cfg(feature = "tables")]

mod archive;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;

use archive::{chunk, game_text};
use pgn_arbiter::diagnostics::{Finding, Span};
use pgn_arbiter::error::Error;
use pgn_arbiter::judge::{ChunkPlace, ChunkReport};
use pgn_arbiter::rules::structure;
use pgn_arbiter::tables::{
    ChunkRows, ColumnInfo, DatasetOptions, DatasetWriter, Kind, Manifest, SourceEntry, TABLES,
};
use polars::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool for the test")
}

/// Writes the same two sources, cut into chunks of the given numbers of games.
fn write(path: &Path, cuts: &[usize], threads: usize, options: &DatasetOptions) -> Manifest {
    let pool = pool(threads);
    let mut writer = DatasetWriter::create(path, options.clone(), &pool).expect("a new dataset");
    for source in ["a.pgn", "b/c.pgn.zst"] {
        let (mut offset, mut games, mut lines) = (0, 0, 0);
        for &count in cuts {
            let (bytes, report) = chunk(games as usize, count);
            let place = ChunkPlace { source, offset, column: 0, games, lines };
            let rows = ChunkRows::collect(&bytes, &report);
            writer.append(&place, &rows).expect("the rows can be written");
            offset += bytes.len() as u64;
            games += count as u64;
            lines += report.line_ends;
        }
        writer.source(SourceEntry::new(source, offset, None, blake3::hash(b"its bytes"), games));
    }
    writer.finish().expect("the dataset can be finished")
}

fn read(path: &Path) -> DataFrame {
    let file = File::open(path).expect("the file is there");
    ParquetReader::new(file).finish().expect("polars reads the file")
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry of the folder");
        let name = entry.file_name().into_string().expect("a plain name");
        if entry.path().is_dir() {
            let below = files(&entry.path()).into_iter();
            found.extend(below.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("a readable file"));
        }
    }
    found
}

fn small() -> DatasetOptions {
    DatasetOptions { games_per_file: 4, row_group_bytes: 1_500, ..DatasetOptions::default() }
}

fn text(frame: &DataFrame, column: &str, row: usize) -> Option<String> {
    let column = frame.column(column).expect("the column is there");
    column.str().expect("a column of text").get(row).map(str::to_owned)
}

fn number(frame: &DataFrame, column: &str, row: usize) -> Option<i64> {
    let column = frame.column(column).expect("the column is there");
    let column = column.cast(&DataType::Int64).expect("a column of numbers");
    column.i64().expect("a column of numbers").get(row)
}

fn flag(frame: &DataFrame, column: &str, row: usize) -> Option<bool> {
    let column = frame.column(column).expect("the column is there");
    column.bool().expect("a column of flags").get(row)
}

fn float(frame: &DataFrame, column: &str, row: usize) -> Option<f64> {
    let column = frame.column(column).expect("the column is there");
    column.f64().expect("a column of fractions").get(row)
}

#[test]
fn a_game_is_read_back_as_it_was_judged() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[2, 1], 1, &DatasetOptions::default());
    let games = read(&home.path().join("games/part-00000.parquet"));
    assert_eq!(games.height(), 6);
    // The third game begins the second chunk; its Date names no day.
    let (before, _) = chunk(0, 2);
    assert_eq!(text(&games, "source", 2).as_deref(), Some("a.pgn"));
    assert_eq!(text(&games, "source", 5).as_deref(), Some("b/c.pgn.zst"));
    assert_eq!(number(&games, "game", 2), Some(3));
    assert_eq!(number(&games, "offset", 2), Some(before.len() as i64));
    assert_eq!(number(&games, "length", 2), Some(game_text(2).trim_end().len() as i64));
    assert_eq!(number(&games, "line", 2), Some(23));
    assert_eq!(text(&games, "event", 2).as_deref(), Some("Rated Blitz game"));
    assert_eq!(text(&games, "site", 2).as_deref(), Some("Zürich 2"));
    assert_eq!(text(&games, "white", 2).as_deref(), Some("Anna \"A\" 2"));
    assert_eq!(text(&games, "round", 2), None);
    assert_eq!(number(&games, "date", 0), None);
    assert_eq!(number(&games, "date", 2), Some(19_784));
    assert_eq!(number(&games, "year", 0), Some(2024));
    assert_eq!(number(&games, "white_elo", 2), Some(2400));
    assert_eq!(number(&games, "white_elo", 1), None);
    assert_eq!(text(&games, "variant", 2).as_deref(), Some("standard"));
    assert_eq!(text(&games, "time_class", 2).as_deref(), Some("blitz"));
    assert_eq!(text(&games, "time_class_site", 2).as_deref(), Some("blitz"));
    assert_eq!(text(&games, "result", 2).as_deref(), Some("1-0"));
    assert_eq!(number(&games, "plies", 2), Some(102));
    assert_eq!(text(&games, "verdict", 2).as_deref(), Some("flawed"));
    assert_eq!(number(&games, "first_threefold_ply", 2), Some(40));
    assert_eq!(number(&games, "first_threefold_ply", 1), None);
    let keys = games.column("moves_key").expect("the column is there");
    assert_eq!(keys.u64().expect("a column of hashes").get(2), Some(u64::MAX - 2));
    assert_eq!(text(&games, "claim", 2).as_deref(), Some("threefold"));
    assert_eq!(text(&games, "claim_verdict", 2).as_deref(), Some("contradicted"));
    assert_eq!(text(&games, "claim", 1), None);
    assert_eq!(text(&games, "duplicate_of", 1), None);
    assert_eq!(text(&games, "duplicate_of", 2).as_deref(), Some("a.pgn@0"));
    assert_eq!(number(&games, "illegal_white", 2), Some(0));
    assert_eq!(number(&games, "illegal_black", 2), Some(1));
    assert_eq!(number(&games, "illegal_black", 1), None);
}

#[test]
fn a_promotion_is_read_back_with_its_games_facts() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[2, 2], 1, &DatasetOptions::default());
    let rows = read(&home.path().join("promotions/part-00000.parquet"));
    assert_eq!(rows.height(), 4);
    assert_eq!(number(&rows, "game", 1), Some(4));
    let games = read(&home.path().join("games/part-00000.parquet"));
    assert_eq!(number(&rows, "offset", 1), number(&games, "offset", 3));
    for (column, value) in [
        ("color", "black"),
        ("from", "b2"),
        ("to", "a1"),
        ("piece", "knight"),
        ("piece_source", "explicit"),
        ("san", "bxa1=N+"),
        ("capture", "rook"),
        ("reason", "avoids_stalemate"),
        ("fen_before", "4k3/8/8/8/8/8/1p6/R3K3 b - - 0 50"),
        ("time_class", "blitz"),
        ("variant", "standard"),
    ] {
        assert_eq!(text(&rows, column, 0).as_deref(), Some(value), "{column}");
    }
    for (column, value) in [
        ("ply", Some(100)),
        ("move_number", Some(50)),
        ("forks", Some(2)),
        ("nth_of_side", Some(1)),
        ("queens_before", Some(0)),
        ("legal_replies", Some(3)),
        ("mover_elo", None),
        ("opponent_elo", Some(2400)),
        ("year", Some(2024)),
    ] {
        assert_eq!(number(&rows, column, 0), value, "{column}");
    }
    assert_eq!(flag(&rows, "certified", 0), Some(true));
    assert_eq!(flag(&rows, "gives_mate", 0), Some(false));
    assert_eq!(flag(&rows, "queen_would_stalemate", 0), Some(true));
    assert_eq!(flag(&rows, "captured_next", 0), None);
    assert_eq!(float(&rows, "clock_s", 0), Some(12.5));
    assert_eq!(float(&rows, "mover_score", 0), Some(0.0));
}

#[test]
fn a_draw_is_read_back_with_its_claim_or_without_one() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[2, 1], 1, &DatasetOptions::default());
    let rows = read(&home.path().join("draws/part-00000.parquet"));
    assert_eq!(rows.height(), 8);
    let games = read(&home.path().join("games/part-00000.parquet"));
    // The third game, which begins the second chunk.
    for row in [2, 3] {
        assert_eq!(number(&rows, "game", row), Some(3));
        assert_eq!(number(&rows, "offset", row), number(&games, "offset", 2));
        assert_eq!(text(&rows, "source", row).as_deref(), Some("a.pgn"));
    }
    for (column, claimed, unclaimed) in [
        ("result", Some("1-0"), Some("1-0")),
        ("claim_source", Some("comment"), None),
        ("claim_text", Some("b1"), None),
        ("rule", Some("threefold"), Some("fifty")),
        ("verdict", Some("contradicted"), None),
        ("could_claim", None, Some("white")),
    ] {
        assert_eq!(text(&rows, column, 2).as_deref(), claimed, "{column}");
        assert_eq!(text(&rows, column, 3).as_deref(), unclaimed, "{column}");
    }
    for (column, claimed, unclaimed) in [
        ("first_available_ply", None, Some(90)),
        ("plies_played_on", None, Some(12)),
        ("occurrences", Some(2), Some(1)),
        ("halfmove_clock", Some(100), Some(100)),
    ] {
        assert_eq!(number(&rows, column, 2), claimed, "{column}");
        assert_eq!(number(&rows, column, 3), unclaimed, "{column}");
    }
}

#[test]
fn a_finding_is_read_back_with_its_place_in_the_source() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[1, 1], 1, &DatasetOptions::default());
    let rows = read(&home.path().join("findings/part-00000.parquet"));
    assert_eq!(rows.height(), 6);
    assert_eq!(text(&rows, "code", 0).as_deref(), Some("S102"));
    assert_eq!(number(&rows, "game", 0), None);
    assert_eq!(number(&rows, "game_offset", 0), None);
    assert_eq!((number(&rows, "line", 0), number(&rows, "column", 0)), (Some(1), Some(1)));
    assert_eq!(text(&rows, "fix_edits", 0), None);
    // The second game's finding, in the second chunk.
    let (first, second) = (game_text(0), game_text(1));
    let token = first.len() + second.find("b1").expect("the token");
    assert_eq!(number(&rows, "game", 2), Some(2));
    assert_eq!(number(&rows, "game_offset", 2), Some(first.len() as i64));
    assert_eq!(number(&rows, "offset", 2), Some(token as i64));
    assert_eq!(number(&rows, "length", 2), Some(2));
    assert_eq!(number(&rows, "line", 2), Some(21));
    assert_eq!(number(&rows, "column", 2), Some(17));
    assert_eq!(number(&rows, "ply", 2), Some(100));
    let edits = format!(r#"[{{"offset":{},"length":0,"content":"=Q"}}]"#, token + 2);
    for (column, value) in [
        ("move", "50... b1"),
        ("code", "P401"),
        ("name", "missing-promotion-piece"),
        ("severity", "error"),
        ("message", "no piece is named"),
        ("token", "b1"),
        ("fen", "8/8/8/8/8/8/1p6/8 b - - 0 50"),
        ("fix_title", "name the queen"),
        ("fix_applicability", "unsafe"),
        ("fix_source", "assumed"),
        ("fix_edits", &edits),
    ] {
        assert_eq!(text(&rows, column, 2).as_deref(), Some(value), "{column}");
    }
}

#[test]
fn the_column_of_a_line_that_began_before_the_chunk_counts_from_its_start() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let pool = pool(1);
    let options = DatasetOptions::default();
    let mut writer = DatasetWriter::create(home.path(), options, &pool).expect("a new dataset");
    let report = ChunkReport {
        findings: vec![
            Finding::new(&structure::UNKNOWN_TOKEN, Span::new(1, 2)),
            Finding::new(&structure::UNKNOWN_TOKEN, Span::new(3, 4)),
            Finding::new(&structure::UNKNOWN_TOKEN, Span::new(8, 9)),
        ],
        ..ChunkReport::default()
    };
    let place = ChunkPlace { source: "a", offset: 1_000, column: 50, games: 0, lines: 7 };
    writer.append(&place, &ChunkRows::collect(b"0123\r\n678", &report)).expect("rows");
    writer.finish().expect("the dataset can be finished");
    let rows = read(&home.path().join("findings/part-00000.parquet"));
    let places: Vec<_> =
        (0..3).map(|row| (number(&rows, "line", row), number(&rows, "column", row))).collect();
    assert_eq!(places, [(Some(8), Some(52)), (Some(8), Some(54)), (Some(9), Some(3))]);
}

#[test]
fn the_files_depend_neither_on_chunks_nor_on_threads() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let expected = home.path().join("whole");
    let manifest = write(&expected, &[31], 1, &small());
    assert_eq!(manifest.games, 62);
    assert!(manifest.tables.iter().all(|table| table.files.len() == 16));
    let expected = files(&expected);
    assert_eq!(expected.len(), 4 * 16 + 1);
    for (name, cuts, threads) in [
        ("ones", vec![1; 31], 1),
        ("mixed", vec![3, 1, 9, 0, 18], 3),
        ("at the files' ends", vec![4, 4, 4, 4, 4, 4, 4, 3], 2),
    ] {
        let path = home.path().join(name);
        write(&path, &cuts, threads, &small());
        assert!(files(&path) == expected, "cut into {name}");
    }
}

#[test]
fn all_tables_begin_a_new_file_after_the_same_game() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[10, 1], 2, &small());
    for part in 0..6 {
        let table = |name| read(&home.path().join(format!("{name}/part-{part:05}.parquet")));
        let games = table("games");
        let key = |frame: &DataFrame, offset: &str, row| {
            number(frame, offset, row).map(|offset| (text(frame, "source", row), offset))
        };
        let keys: Vec<_> = (0..games.height()).map(|row| key(&games, "offset", row)).collect();
        assert_eq!(keys.len(), if part == 5 { 2 } else { 4 });
        let promotions = table("promotions");
        assert!((0..promotions.height()).all(|i| keys.contains(&key(&promotions, "offset", i))));
        let draws = table("draws");
        assert!((0..draws.height()).all(|i| keys.contains(&key(&draws, "offset", i))));
        let findings = table("findings");
        let mut of_games = (0..findings.height())
            .map(|row| key(&findings, "game_offset", row))
            .filter(Option::is_some);
        assert!(of_games.all(|key| keys.contains(&key)));
    }
}

#[test]
fn the_manifest_lists_what_the_folder_holds() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let manifest = write(home.path(), &[9], 1, &small());
    let read_again = Manifest::read(&home.path().join("manifest.json")).expect("a readable file");
    assert_eq!(read_again.as_ref(), Some(&manifest));
    let mut found = files(home.path());
    found.remove("manifest.json");
    for table in &manifest.tables {
        assert_eq!(table.rows, table.files.iter().map(|file| file.rows).sum::<u64>());
        for file in &table.files {
            let bytes = found.remove(&file.path).expect("a listed file is there");
            assert_eq!(file.bytes, bytes.len() as u64);
            assert_eq!(file.blake3, blake3::hash(&bytes).to_string());
            assert_eq!(file.rows, read(&home.path().join(&file.path)).height() as u64);
        }
    }
    assert!(found.is_empty(), "not listed: {:?}", found.keys());
    assert_eq!(manifest.sources.iter().map(|source| source.games).sum::<u64>(), manifest.games);
}

#[test]
fn an_archive_without_games_gives_tables_without_rows() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[], 1, &DatasetOptions::default());
    for table in TABLES {
        let frame = read(&home.path().join(table.name).join("part-00000.parquet"));
        assert_eq!(frame.height(), 0);
        let names: Vec<_> = (table.columns)().iter().map(|column| column.name).collect();
        assert_eq!(frame.get_column_names(), names, "{}", table.name);
    }
}

#[test]
fn every_column_has_the_type_that_it_declares() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[3], 1, &DatasetOptions::default());
    for table in TABLES {
        let frame = read(&home.path().join(table.name).join("part-00000.parquet"));
        for ColumnInfo { name, kind, about } in (table.columns)() {
            let expected = match kind {
                Kind::Source | Kind::Text | Kind::Word | Kind::Edits => DataType::String,
                Kind::Int16 => DataType::Int16,
                Kind::Int32 => DataType::Int32,
                Kind::Int64 | Kind::Game | Kind::Offset | Kind::Line | Kind::LineColumn => {
                    DataType::Int64
                }
                Kind::Key => DataType::UInt64,
                Kind::Float => DataType::Float64,
                Kind::Flag => DataType::Boolean,
                Kind::Date => DataType::Date,
            };
            let column = frame.column(name).expect("the column is there");
            assert_eq!(column.dtype(), &expected, "{}.{name}", table.name);
            assert!(!about.is_empty() && !about.ends_with('.'), "{}.{name}", table.name);
        }
    }
}

#[test]
fn a_writer_that_is_dropped_leaves_the_old_dataset_as_it_was() {
    let home = tempfile::tempdir().expect("a folder for the test");
    write(home.path(), &[5], 1, &small());
    let before = files(home.path());
    let pool = pool(1);
    let mut writer = DatasetWriter::create(home.path(), small(), &pool).expect("a dataset of ours");
    let (bytes, report) = chunk(0, 9);
    let place = ChunkPlace { source: "z.pgn", offset: 0, column: 0, games: 0, lines: 0 };
    writer.append(&place, &ChunkRows::collect(&bytes, &report)).expect("rows");
    drop(writer);
    assert!(files(home.path()) == before);
}

#[test]
fn a_folder_with_other_files_is_refused() {
    let home = tempfile::tempdir().expect("a folder for the test");
    fs::write(home.path().join("thesis.tex"), "mine").expect("a file");
    let pool = pool(1);
    let error = DatasetWriter::create(home.path(), small(), &pool).expect_err("not ours");
    assert!(matches!(error, Error::Usage(ref text) if text.contains("thesis.tex")), "{error}");
}
