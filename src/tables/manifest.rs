//! `manifest.json`: what a dataset was made from and which files it consists of.
//!
//! It is written last, so a folder without it holds no whole dataset. It tells nothing about when
//! or where the run took place: the same sources give the same manifest, but for their
//! modification times.

use std::fs;
use std::io;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The version of the tables' columns. Rises when one changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// The program that a manifest of ours names.
const PROGRAM: &str = "pgn-arbiter";

/// The manifest of one dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub program: String,
    /// The program's version.
    pub version: String,
    pub schema_version: u32,
    /// Whose rules end a game by themselves.
    pub profile: String,
    /// In each table, a new file begins after this many games.
    pub games_per_file: u64,
    /// Games of all sources.
    pub games: u64,
    pub sources: Vec<SourceEntry>,
    pub tables: Vec<TableEntry>,
}

/// One source of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// As in the column `source`.
    pub name: String,
    /// Bytes on disk, compressed as they are; null where the source was not read to its end.
    pub size: Option<u64>,
    /// Milliseconds since 1970-01-01 UTC; null for standard input.
    pub modified_ms: Option<u64>,
    /// BLAKE3 of the bytes on disk, in hexadecimal digits; null where `size` is.
    pub blake3: Option<String>,
    pub games: u64,
    /// Only the games that begin in these bytes of the source are in the tables: `FROM-TO`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// Why the source could not be read to its end; the tables hold what came before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// One table of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableEntry {
    pub name: String,
    pub rows: u64,
    /// In the order of the archive.
    pub files: Vec<FileEntry>,
}

/// One Parquet file of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// From the dataset's folder, with `/` on every system.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    /// BLAKE3 of the file, in hexadecimal digits.
    pub blake3: String,
}

impl SourceEntry {
    pub fn new(
        name: impl Into<String>,
        size: u64,
        modified: Option<SystemTime>,
        hash: blake3::Hash,
        games: u64,
    ) -> SourceEntry {
        let since_1970 = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        SourceEntry {
            size: Some(size),
            modified_ms: since_1970.and_then(|time| u64::try_from(time.as_millis()).ok()),
            blake3: Some(hash.to_string()),
            ..SourceEntry::unfinished(name, games)
        }
    }

    /// A source that was not read to its end.
    pub fn unfinished(name: impl Into<String>, games: u64) -> SourceEntry {
        SourceEntry {
            name: name.into(),
            size: None,
            modified_ms: None,
            blake3: None,
            games,
            split: None,
            error: None,
        }
    }
}

impl Manifest {
    pub(super) fn new(
        profile: String,
        games_per_file: u64,
        games: u64,
        sources: Vec<SourceEntry>,
        tables: Vec<TableEntry>,
    ) -> Manifest {
        Manifest {
            program: PROGRAM.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            schema_version: SCHEMA_VERSION,
            profile,
            games_per_file,
            games,
            sources,
            tables,
        }
    }

    /// Reads the manifest at `path`; `None` where there is no file, or not one of ours.
    pub fn read(path: &Path) -> Result<Option<Manifest>> {
        let json = match fs::read(path) {
            Ok(json) => json,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::read(path, error)),
        };
        let manifest: Option<Manifest> = serde_json::from_slice(&json).ok();
        Ok(manifest.filter(|manifest| manifest.program == PROGRAM))
    }

    pub(super) fn write(&self, path: &Path) -> Result<()> {
        let mut json =
            serde_json::to_vec_pretty(self).map_err(|error| Error::write(path, error.into()))?;
        json.push(b'\n');
        fs::write(path, json).map_err(|error| Error::write(path, error))
    }
}
