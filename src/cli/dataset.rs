//! The feature tables of a run, where they are asked for.

use std::ops::Range;
use std::path::Path;

use rayon::ThreadPool;

use crate::error::Result;
use crate::judge::{ChunkPlace, ChunkReport};
use crate::replay::Profile;
use crate::source::{Fingerprint, Hashing, Input};
use crate::tables::{ChunkRows, DatasetOptions, DatasetWriter, SourceEntry};

/// The tables' writer, or nothing.
#[derive(Debug)]
pub struct Dataset<'pool>(Option<DatasetWriter<'pool>>);

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
        Ok(Dataset(folder.map(create).transpose()?))
    }

    pub fn is_written(&self) -> bool {
        self.0.is_some()
    }

    /// The manifest tells the hash of each source.
    pub fn hashing(&self) -> Hashing {
        if self.is_written() { Hashing::On } else { Hashing::Off }
    }

    pub fn append(&mut self, place: &ChunkPlace<'_>, rows: &Rows) -> Result<()> {
        match (&mut self.0, rows) {
            (Some(writer), Some(rows)) => writer.append(place, rows),
            _ => Ok(()),
        }
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
        if let Some(writer) = &mut self.0 {
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
        self.0.map_or(Ok(()), |writer| writer.finish().map(|_manifest| ()))
    }
}

/// Reads a chunk's rows, on a worker.
pub fn rows(wanted: bool, bytes: &[u8], report: &ChunkReport) -> Rows {
    wanted.then(|| ChunkRows::collect(bytes, report))
}
