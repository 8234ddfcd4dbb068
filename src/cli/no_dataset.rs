//! In the place of `dataset`, where the program is built without its feature `tables`.

use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

use rayon::ThreadPool;

use crate::error::Result;
use crate::judge::{ChunkPlace, ChunkReport};
use crate::replay::Profile;
use crate::source::{Fingerprint, Hashing, Input};

/// No tables.
#[derive(Debug)]
pub struct Dataset<'pool>(PhantomData<&'pool ThreadPool>);

/// Reads no rows.
#[derive(Debug)]
pub struct Collector;

/// No rows.
#[derive(Debug)]
pub struct Rows;

impl<'pool> Dataset<'pool> {
    /// No option gives a folder here.
    pub fn create(
        _folder: Option<&Path>,
        _profile: Option<Profile>,
        _pool: &'pool ThreadPool,
    ) -> Result<Dataset<'pool>> {
        Ok(Dataset(PhantomData))
    }

    pub fn is_written(&self) -> bool {
        false
    }

    pub fn collector(&self) -> Collector {
        Collector
    }

    pub fn hashing(&self) -> Hashing {
        Hashing::Off
    }

    pub fn append(&mut self, _place: &ChunkPlace<'_>, _rows: Rows) -> Result<()> {
        Ok(())
    }

    pub fn source(
        &mut self,
        _input: &Input,
        _print: Option<&Fingerprint>,
        _split: Option<&Range<u64>>,
        _error: Option<String>,
        _games: u64,
    ) {
    }

    pub fn finish(self) -> Result<()> {
        Ok(())
    }
}

impl Collector {
    pub fn rows(&self, _bytes: &[u8], _report: &ChunkReport) -> Rows {
        Rows
    }
}
