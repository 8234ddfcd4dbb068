//! The rows that one chunk gives to every table. Made on a worker, with places of the chunk.

use std::ops::Range;

use super::TABLES;
use super::column::{Column, ColumnInfo, Kind};
use super::game_facts::GameFacts;
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
    pub(super) collect: fn(&JudgedChunk<'_>, &mut TableRows),
}

/// What the rows of all tables are read from.
#[derive(Clone, Copy, Debug)]
pub(super) struct JudgedChunk<'a> {
    pub bytes: &'a [u8],
    pub report: &'a ChunkReport,
    /// For each game of the report.
    pub facts: &'a [GameFacts],
}

/// What a worker makes of one chunk for the dataset. Its buffers may be used for one chunk after
/// another.
#[derive(Debug)]
pub struct ChunkRows {
    pub(super) games: usize,
    /// In the order of [`TABLES`].
    pub(super) tables: Vec<TableRows>,
    facts: Vec<GameFacts>,
}

impl Default for ChunkRows {
    /// No rows, and room for none.
    fn default() -> ChunkRows {
        let tables = TABLES.iter().map(|table| TableRows::new(&(table.columns)()));
        ChunkRows { games: 0, tables: tables.collect(), facts: Vec::new() }
    }
}

impl ChunkRows {
    /// Reads the rows of all tables from a chunk's bytes and what was found in them.
    pub fn collect(bytes: &[u8], report: &ChunkReport) -> ChunkRows {
        let mut rows = ChunkRows::default();
        rows.read(bytes, report);
        rows
    }

    /// Puts the rows of this chunk in the place of those that were here.
    pub fn read(&mut self, bytes: &[u8], report: &ChunkReport) {
        let games = &report.records.games;
        self.games = games.len();
        self.facts.clear();
        GameFacts::read(bytes, games, &mut self.facts);
        let chunk = JudgedChunk { bytes, report, facts: &self.facts };
        for (table, rows) in TABLES.iter().zip(&mut self.tables) {
            rows.clear();
            (table.collect)(&chunk, rows);
        }
    }

    /// About how many bytes its buffers hold, in use or not.
    pub fn capacity(&self) -> usize {
        self.tables.iter().flat_map(|rows| &rows.columns).map(Values::capacity).sum()
    }
}

/// The rows of one table, column by column.
#[derive(Debug)]
pub(super) struct TableRows {
    columns: Vec<Values>,
    /// For each row, how many games of the chunk have begun with it: never falling. A row without
    /// a game goes with the row before it, or with the last game before the chunk.
    begun: Vec<usize>,
    /// About how many bytes each row and those before it take in memory: the same differences for
    /// the same rows, however they were cut into chunks.
    weights: Vec<usize>,
}

impl TableRows {
    fn new(columns: &[ColumnInfo]) -> TableRows {
        let columns = columns.iter().map(|column| Values::of_chunk(column.kind)).collect();
        TableRows { columns, begun: Vec::new(), weights: Vec::new() }
    }

    fn clear(&mut self) {
        self.columns.iter_mut().for_each(Values::clear);
        self.begun.clear();
        self.weights.clear();
    }

    /// Takes in the rows of a chunk. `game` says which game of the chunk a row belongs to, from 0.
    pub fn collect<R>(
        &mut self,
        columns: &[Column<R>],
        mut rows: impl Iterator<Item = R>,
        game: impl Fn(&R) -> Option<usize>,
    ) {
        // Column by column, but of few rows at a time, so that what these are read from is still
        // at hand for the last column.
        const AT_ONCE: usize = 16;
        let weight: usize = columns.iter().map(|column| column.kind().weight()).sum();
        let mut begun = 0;
        let mut block = Vec::with_capacity(AT_ONCE);
        loop {
            block.extend(rows.by_ref().take(AT_ONCE));
            if block.is_empty() {
                break;
            }
            for row in &block {
                begun = game(row).map_or(begun, |game| (game + 1).max(begun));
                self.begun.push(begun);
            }
            let first = self.weights.len();
            self.weights.resize(self.begun.len(), weight);
            let weights = &mut self.weights[first..];
            for (values, column) in self.columns.iter_mut().zip(columns) {
                values.read(&column.read, &block, weights);
            }
            block.clear();
        }
        let mut total = 0;
        for weight in &mut self.weights {
            total += *weight;
            *weight = total;
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
        let before = |row: usize| row.checked_sub(1).map_or(0, |before| self.weights[before]);
        before(rows.end) - before(rows.start)
    }
}

/// Rows of a table, in their places in the archive, that will be one row group of a file.
#[derive(Debug)]
pub(super) struct RowGroup {
    pub columns: Vec<Values>,
    pub rows: usize,
    weight: usize,
    /// Of words, while they are appended.
    codes: Vec<u16>,
}

impl RowGroup {
    pub fn new(kinds: &[Kind]) -> RowGroup {
        let columns = kinds.iter().map(|&kind| Values::of_group(kind)).collect();
        RowGroup { columns, rows: 0, weight: 0, codes: Vec::new() }
    }

    /// Empties the group, whose buffers keep their capacity.
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Values::clear);
        self.rows = 0;
        self.weight = 0;
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
            column.append(kind, values, taken.clone(), place, &mut self.codes);
        }
        self.rows += taken.len();
        self.weight += from.weight(taken);
        end
    }

    pub fn is_full(&self, limit: usize) -> bool {
        self.weight >= limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Chunk;
    use crate::judge::Judge;
    use crate::replay::ExaminerOptions;

    fn judged(games: usize) -> (Vec<u8>, ChunkReport) {
        let game = "[Event \"E\"]\n[White \"A\"]\n[WhiteElo \"2400\"]\n\n1. e4 e5 2. Ke3 *\n\n";
        let bytes = game.repeat(games).into_bytes();
        let chunk = Chunk { bytes, last: true, ..Chunk::default() };
        let options = ExaminerOptions { collect: true, ..ExaminerOptions::default() };
        let report = Judge { range: 0..u64::MAX, options }.judge(&chunk);
        (chunk.bytes, report)
    }

    #[test]
    fn rows_that_are_read_again_keep_their_buffers_and_nothing_of_what_was_in_them() {
        let (many, one) = (judged(100), judged(1));
        let mut rows = ChunkRows::collect(&many.0, &many.1);
        let capacity = rows.capacity();
        assert!(capacity > ChunkRows::collect(&one.0, &one.1).capacity());
        rows.read(&one.0, &one.1);
        assert_eq!(rows.capacity(), capacity);
        let again = format!("{:?}", rows.tables);
        assert_eq!(again, format!("{:?}", ChunkRows::collect(&one.0, &one.1).tables));
        rows.read(&many.0, &many.1);
        assert_eq!(rows.capacity(), capacity);
    }

    #[test]
    fn a_row_group_that_is_filled_again_keeps_its_buffers() {
        let (bytes, report) = judged(100);
        let chunk = ChunkRows::collect(&bytes, &report);
        let place = ChunkPlace::start("a.pgn");
        for (table, rows) in TABLES.iter().zip(&chunk.tables) {
            let kinds: Vec<_> = (table.columns)().iter().map(|column| column.kind).collect();
            let mut group = RowGroup::new(&kinds);
            let mut fill = || {
                group.clear();
                group.fill(&kinds, rows, 0..rows.len(), &place, usize::MAX);
                let capacity: usize = group.columns.iter().map(Values::capacity).sum();
                (group.rows, capacity, format!("{:?}", group.columns))
            };
            assert_eq!(fill(), fill(), "{}", table.name);
        }
    }
}
