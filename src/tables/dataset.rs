//! Writes a dataset: rows of chunks come in, in the order of the archive; Parquet files and a
//! manifest come out.
//!
//! The files depend on the rows alone, never on chunks or threads: a row group ends with the row
//! that brings it to a fixed weight, and all tables begin a new file after the same game. Row
//! groups are encoded on the workers' pool and written here in their order.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use polars_error::PolarsResult;
use rayon::ThreadPool;

use super::encode::{EncodedGroup, GroupEncoder, Schema};
use super::folder::Folder;
use super::manifest::{FileEntry, Manifest, SourceEntry, TableEntry};
use super::part::{Part, write_error};
use super::rows::{ChunkRows, RowGroup, TableRows};
use super::{TABLES, Table};
use crate::error::{Error, Result};
use crate::judge::ChunkPlace;

/// How a dataset is laid out.
#[derive(Clone, Debug)]
pub struct DatasetOptions {
    /// In each table, a new file begins after this many games.
    pub games_per_file: u64,
    /// A row group ends at about this many bytes of memory.
    pub row_group_bytes: usize,
    /// For the manifest: whose rules end a game by themselves.
    pub profile: String,
}

impl Default for DatasetOptions {
    fn default() -> DatasetOptions {
        DatasetOptions {
            games_per_file: 1 << 18,
            row_group_bytes: 8 << 20,
            profile: "auto".to_owned(),
        }
    }
}

/// A dataset while it is written. Dropped unfinished, it leaves nothing behind.
pub struct DatasetWriter<'pool> {
    options: DatasetOptions,
    pool: &'pool ThreadPool,
    /// In the order of [`TABLES`].
    tables: Vec<TableWriter>,
    /// Row groups that are being encoded, and for which table, in their order.
    encoding: VecDeque<(usize, Receiver<Encoded>)>,
    /// Those that nobody uses now.
    encoders: Vec<GroupEncoder>,
    sources: Vec<SourceEntry>,
    files: usize,
    games_in_file: u64,
    games: u64,
    /// Last, so that the files are closed before an unfinished folder goes.
    folder: Folder,
}

struct TableWriter {
    table: &'static Table,
    schema: Arc<Schema>,
    group: RowGroup,
    /// One that was encoded, to be filled again.
    spare: Option<RowGroup>,
    part: Option<Part>,
    finished: Vec<FileEntry>,
}

/// What comes back from the pool: the pages, and what they were made of and with.
type Encoded = (PolarsResult<EncodedGroup>, RowGroup, GroupEncoder);

impl<'pool> DatasetWriter<'pool> {
    /// Begins a dataset in a folder that is new, empty, or holds a dataset, which stays as it is
    /// until the new one is whole. Row groups are encoded on `pool`.
    ///
    /// # Errors
    /// [`Error::Usage`] where the folder holds anything else, or another run writes to it.
    pub fn create(
        path: &Path,
        options: DatasetOptions,
        pool: &'pool ThreadPool,
    ) -> Result<DatasetWriter<'pool>> {
        let folder = Folder::open(path)?;
        let mut tables = Vec::with_capacity(TABLES.len());
        for table in TABLES {
            folder.add_table(table.name)?;
            let schema =
                Schema::new(&(table.columns)()).map_err(|error| write_error(path, error))?;
            let group = RowGroup::new(&schema.kinds);
            let schema = Arc::new(schema);
            tables.push(TableWriter {
                table,
                schema,
                group,
                spare: None,
                part: None,
                finished: Vec::new(),
            });
        }
        let mut writer = DatasetWriter {
            options,
            pool,
            tables,
            encoding: VecDeque::new(),
            encoders: Vec::new(),
            sources: Vec::new(),
            files: 0,
            games_in_file: 0,
            games: 0,
            folder,
        };
        writer.begin_files()?;
        Ok(writer)
    }

    /// Appends the rows of the next chunk. May wait for the pool, so it must not run on it.
    pub fn append(&mut self, place: &ChunkPlace<'_>, rows: &ChunkRows) -> Result<()> {
        let mut games = 0;
        let mut written = [0; TABLES.len()];
        loop {
            let room = self.options.games_per_file.max(1) - self.games_in_file;
            let taken = usize::try_from(room).unwrap_or(usize::MAX).min(rows.games - games);
            games += taken;
            for (index, table) in rows.tables.iter().enumerate() {
                let end = if games == rows.games { table.len() } else { table.within(games) };
                self.fill(index, table, written[index], end, place)?;
                written[index] = end;
            }
            self.games_in_file += taken as u64;
            self.games += taken as u64;
            if games == rows.games {
                return Ok(());
            }
            self.end_files()?;
            self.begin_files()?;
        }
    }

    /// Notes a source whose rows have all been appended.
    pub fn source(&mut self, source: SourceEntry) {
        self.sources.push(source);
    }

    /// Writes what is left and puts the dataset in its place.
    pub fn finish(mut self) -> Result<Manifest> {
        self.end_files()?;
        let tables = self.tables.drain(..).map(|writer| TableEntry {
            name: writer.table.name.to_owned(),
            rows: writer.finished.iter().map(|file| file.rows).sum(),
            files: writer.finished,
        });
        let manifest = Manifest::new(
            self.options.profile,
            self.options.games_per_file,
            self.games,
            self.sources,
            tables.collect(),
        );
        self.folder.publish(&manifest)?;
        Ok(manifest)
    }

    fn fill(
        &mut self,
        index: usize,
        rows: &TableRows,
        mut row: usize,
        end: usize,
        place: &ChunkPlace<'_>,
    ) -> Result<()> {
        let limit = self.options.row_group_bytes;
        while row < end {
            let table = &mut self.tables[index];
            row = table.group.fill(&table.schema.kinds, rows, row..end, place, limit);
            if table.group.is_full(limit) {
                self.end_group(index)?;
            }
        }
        Ok(())
    }

    /// Writes what the pool has done with row groups, and hands it another one.
    fn end_group(&mut self, index: usize) -> Result<()> {
        // More than a few at work would only hold memory.
        let at_work = self.pool.current_num_threads().min(MOST_AT_WORK);
        self.write_until(at_work.saturating_sub(1))?;
        let mut encoder = match self.encoders.pop() {
            Some(encoder) => encoder,
            None => GroupEncoder::new().map_err(|error| Error::write(self.folder.path(), error))?,
        };
        let table = &mut self.tables[index];
        let schema = Arc::clone(&table.schema);
        let next = table.spare.take().unwrap_or_else(|| RowGroup::new(&schema.kinds));
        let mut group = mem::replace(&mut table.group, next);
        let (answer, receiver) = mpsc::sync_channel(1);
        self.pool.spawn(move || {
            // A panic in the pool would end the process without a word to the user.
            let encode = AssertUnwindSafe(|| encoder.encode(&schema, &mut group));
            if let Ok(encoded) = catch_unwind(encode) {
                // Nobody waits for it where the writer was dropped.
                let _ = answer.send((encoded, group, encoder));
            }
        });
        self.encoding.push_back((index, receiver));
        Ok(())
    }

    /// Writes encoded row groups until no more than `left` are outstanding.
    fn write_until(&mut self, left: usize) -> Result<()> {
        while self.encoding.len() > left {
            let Some((index, receiver)) = self.encoding.pop_front() else { break };
            let lost = || io::Error::other("a row group was lost while it was encoded");
            let (encoded, mut group, encoder) =
                receiver.recv().map_err(|_| Error::write(self.folder.path(), lost()))?;
            let encoded = encoded.map_err(|error| write_error(self.folder.path(), error))?;
            let table = &mut self.tables[index];
            group.clear();
            table.spare = Some(group);
            self.encoders.push(encoder);
            if let Some(part) = &mut table.part {
                part.write(&encoded)?;
            }
        }
        Ok(())
    }

    fn begin_files(&mut self) -> Result<()> {
        for writer in &mut self.tables {
            let name = format!("{}/part-{:05}.parquet", writer.table.name, self.files);
            let path = self.folder.unfinished(&name);
            writer.part = Some(Part::create(path, name, &writer.schema)?);
        }
        self.files += 1;
        self.games_in_file = 0;
        Ok(())
    }

    fn end_files(&mut self) -> Result<()> {
        for index in 0..self.tables.len() {
            if self.tables[index].group.rows > 0 {
                self.end_group(index)?;
            }
        }
        self.write_until(0)?;
        for writer in &mut self.tables {
            if let Some(part) = writer.part.take() {
                writer.finished.push(part.close()?);
            }
        }
        Ok(())
    }
}

/// Row groups outside of the tables' own buffers, at most; not measured beyond two threads.
const MOST_AT_WORK: usize = 4;

impl fmt::Debug for DatasetWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetWriter")
            .field("options", &self.options)
            .field("folder", &self.folder)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}
