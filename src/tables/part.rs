//! One Parquet file of a table, while it is written.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use polars_error::PolarsError;
use polars_parquet::write::{
    DynIter, DynStreamingIterator, FileWriter, fallible_streaming_iterator,
};

use super::encode::{EncodedGroup, Schema, write_options};
use super::manifest::FileEntry;
use crate::error::{Error, Result};

/// A file to which row groups are appended.
pub(super) struct Part {
    path: PathBuf,
    /// Its final name below the dataset's folder.
    name: String,
    writer: FileWriter<Hashed<BufWriter<File>>>,
    rows: u64,
}

impl Part {
    /// Creates the file at `path`.
    pub fn create(path: PathBuf, name: String, schema: &Schema) -> Result<Part> {
        let file = File::create(&path).map_err(|e| Error::write(&path, e))?;
        let file = Hashed { inner: BufWriter::new(file), hash: blake3::Hasher::new(), bytes: 0 };
        let writer = FileWriter::new_with_parquet_schema(
            file,
            schema.arrow.clone(),
            schema.parquet.clone(),
            write_options(),
        );
        Ok(Part { path, name, writer, rows: 0 })
    }

    pub fn write(&mut self, group: &EncodedGroup) -> Result<()> {
        let columns = DynIter::new(group.columns.iter().map(|pages| {
            let pages = pages.iter().map(Ok::<_, PolarsError>);
            Ok(DynStreamingIterator::new(fallible_streaming_iterator::convert(pages)))
        }));
        let written = self.writer.write(group.rows as u64, columns);
        written.map_err(|error| write_error(&self.path, error))?;
        self.rows += group.rows as u64;
        Ok(())
    }

    /// Writes the footer. The file keeps its name; the entry is for the manifest.
    pub fn close(mut self) -> Result<FileEntry> {
        self.writer.end(None).map_err(|error| write_error(&self.path, error))?;
        let Hashed { inner, hash, bytes } = self.writer.into_inner();
        inner.into_inner().map_err(|error| Error::write(&self.path, error.into_error()))?;
        Ok(FileEntry {
            path: self.name,
            rows: self.rows,
            bytes,
            blake3: hash.finalize().to_string(),
        })
    }
}

/// polars' errors as ours: an operating system's error stays what it was.
pub(super) fn write_error(path: &Path, error: PolarsError) -> Error {
    match error {
        PolarsError::IO { error, .. } => Error::write(path, io::Error::new(error.kind(), error)),
        error => Error::write(path, io::Error::other(error)),
    }
}

/// Hashes and counts what goes through it.
struct Hashed<W> {
    inner: W,
    hash: blake3::Hasher,
    bytes: u64,
}

impl<W: Write> Write for Hashed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
