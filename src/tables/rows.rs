//! The rows that one chunk gives to every table. Made on a worker, with places of the chunk.

use std::ops::Range;

use super::TABLES;
use super::column::{Column, ColumnInfo, Kind};
use super::values::Values;
use crate::judge::{ChunkPlace, ChunkReport};

/// The declaration of a table.
#[derive(Debug)]
pub struct Table {
    /// Also the name of its folder.
    pub name: &'static str,
    /// What its rows are, in one line without a full stop.
    pub about: &'static str,
    /// Its columns, in order.
    pub columns: fn() -> Vec<ColumnInfo>,
    pub(super) collect: fn(&[u8], &ChunkReport) -> TableRows,
}

/// What a worker makes of one chunk for the dataset.
#[derive(Debug)]
pub struct ChunkRows {
    pub(super) games: usize,
    /// In the order of [`TABLES`].
    pub(super) tables: Vec<TableRows>,
}

impl ChunkRows {
    /// Reads the rows of all tables from a chunk's bytes and what was found in them.
    pub fn collect(bytes: &[u8], report: &ChunkReport) -> ChunkRows {
        ChunkRows {
            games: report.records.games.len(),
            tables: TABLES.iter().map(|table| (table.collect)(bytes, report)).collect(),
        }
    }
}

/// The rows of one table, column by column.
#[derive(Debug)]
pub(super) struct TableRows {
    columns: Vec<Values>,
    /// For each row, how many games of the chunk have begun with it: never falling. A row without
    /// a game goes with the row before it, or with the last game before the chunk.
    begun: Vec<usize>,
}

impl TableRows {
    /// `game` says which game of the chunk a row belongs to, from 0.
    pub fn collect<R>(
        columns: &[Column<R>],
        rows: &[R],
        game: impl Fn(&R) -> Option<usize>,
    ) -> TableRows {
        let begun = rows.iter().scan(0, |begun, row| {
            *begun = game(row).map_or(*begun, |game| (game + 1).max(*begun));
            Some(*begun)
        });
        TableRows {
            begun: begun.collect(),
            columns: columns.iter().map(|column| Values::collect(&column.read, rows)).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.begun.len()
    }

    /// How many rows belong to the first `games` games of the chunk, or to those before it.
    pub fn within(&self, games: usize) -> usize {
        self.begun.partition_point(|&begun| begun <= games)
    }

    fn weight(&self, rows: Range<usize>) -> usize {
        self.columns
            .iter()
            .map(|column| column.weight_before(rows.end) - column.weight_before(rows.start))
            .sum()
    }
}

/// Rows of a table, in their places in the archive, that will be one row group of a file.
#[derive(Debug)]
pub(super) struct RowGroup {
    pub columns: Vec<Values>,
    pub rows: usize,
    weight: usize,
}

impl RowGroup {
    pub fn new(kinds: &[Kind]) -> RowGroup {
        let columns = kinds.iter().map(|&kind| Values::empty(kind)).collect();
        RowGroup { columns, rows: 0, weight: 0 }
    }

    /// Takes as many of the chunk's rows as fit and returns where it stopped. A group is full with
    /// the row that brings its weight to `limit`, so that chunks have no part in where it ends.
    pub fn fill(
        &mut self,
        kinds: &[Kind],
        from: &TableRows,
        rows: Range<usize>,
        place: &ChunkPlace<'_>,
        limit: usize,
    ) -> usize {
        let room = limit.saturating_sub(self.weight);
        let mut end = rows.end;
        if from.weight(rows.clone()) > room {
            // The first row that fills the room: a search between the first row and the last.
            let (mut low, mut high) = (rows.start + 1, rows.end);
            while low < high {
                let middle = low + (high - low) / 2;
                if from.weight(rows.start..middle) >= room {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            end = low;
        }
        let taken = rows.start..end;
        for ((column, values), &kind) in self.columns.iter_mut().zip(&from.columns).zip(kinds) {
            column.append(kind, values, taken.clone(), place);
        }
        self.rows += taken.len();
        self.weight += from.weight(taken);
        end
    }

    pub fn is_full(&self, limit: usize) -> bool {
        self.weight >= limit
    }
}
