//! The feature tables of a run, where they are asked for.

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex};

use rayon::ThreadPool;

use crate::error::Result;
use crate::judge::{ChunkPlace, ChunkReport};
use crate::replay::Profile;
use crate::source::{Fingerprint, Hashing, Input};
use crate::tables::{ChunkRows, DatasetOptions, DatasetWriter, SourceEntry};

/// The tables' writer, or nothing.
#[derive(Debug)]
pub struct Dataset<'pool> {
    writer: Option<DatasetWriter<'pool>>,
    collector: Collector,
}

/// Reads chunks' rows, on the workers.
#[derive(Clone, Debug)]
pub struct Collector {
    wanted: bool,
    /// Rows that were written, whose buffers are used again.
    spare: Arc<Mutex<Vec<ChunkRows>>>,
}

/// The rows of one chunk, where tables are written.
pub type Rows = Option<ChunkRows>;

impl<'pool> Dataset<'pool> {
    /// `None` writes no tables.
    pub fn create(
        folder: Option<&Path>,
        profile: Option<Profile>,
        pool: &'pool ThreadPool,
    ) -> Result<Dataset<'pool>> {
        let profile = profile.map_or("auto", Profile::as_str).to_owned();
        let options = DatasetOptions { profile, ..DatasetOptions::default() };
        let create = |folder| DatasetWriter::create(folder, options, pool);
        let writer = folder.map(create).transpose()?;
        let collector = Collector { wanted: writer.is_some(), spare: Arc::default() };
        Ok(Dataset { writer, collector })
    }

    pub fn is_written(&self) -> bool {
        self.collector.wanted
    }

    pub fn collector(&self) -> Collector {
        self.collector.clone()
    }

    /// The manifest tells the hash of each source.
    pub fn hashing(&self) -> Hashing {
        if self.is_written() { Hashing::On } else { Hashing::Off }
    }

    pub fn append(&mut self, place: &ChunkPlace<'_>, rows: Rows) -> Result<()> {
        if let (Some(writer), Some(rows)) = (&mut self.writer, rows) {
            writer.append(place, &rows)?;
            self.collector.take_back(rows);
        }
        Ok(())
    }

    /// Notes an input, with its fingerprint if it was read to its end, the part of it that was
    /// asked for, and why it could not be read on.
    pub fn source(
        &mut self,
        input: &Input,
        print: Option<&Fingerprint>,
        split: Option<&Range<u64>>,
        error: Option<String>,
        games: u64,
    ) {
        if let Some(writer) = &mut self.writer {
            let source = match print {
                Some(&Fingerprint { bytes, modified, hash }) => {
                    SourceEntry::new(&input.name, bytes, modified, hash, games)
                }
                None => SourceEntry::unfinished(&input.name, games),
            };
            let split = split.map(|range| format!("{}-{}", range.start, range.end));
            writer.source(SourceEntry { split, error, ..source });
        }
    }

    /// Puts the tables in their place.
    pub fn finish(self) -> Result<()> {
        self.writer.map_or(Ok(()), |writer| writer.finish().map(|_manifest| ()))
    }
}

impl Collector {
    /// Reads a chunk's rows.
    pub fn rows(&self, bytes: &[u8], report: &ChunkReport) -> Rows {
        if !self.wanted {
            return None;
        }
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut rows = spare.unwrap_or_default();
        rows.read(bytes, report);
        Some(rows)
    }

    /// Takes back rows that nobody reads any more. What a chunk far larger than others left is
    /// given up.
    fn take_back(&self, rows: ChunkRows) {
        const MOST: usize = 4 << 20;
        if rows.capacity() <= MOST
            && let Ok(mut spare) = self.spare.lock()
        {
            spare.push(rows);
        }
    }
}
