//! The archive as tables: a folder of Parquet files that any reader opens.
//!
//! On a worker, [`ChunkRows::collect`] reads a chunk's rows from its bytes and its report. In the
//! order of the archive, [`DatasetWriter::append`] puts them in their place. `games/`,
//! `promotions/`, `findings/` and `draws/` appear together when all is written, `manifest.json` last, and
//! are the same to the byte for the same sources, however they were cut and by however many
//! threads. Rows are joined by source and offset.

mod cells;
mod column;
mod dataset;
mod date;
mod dictionary;
mod draws;
mod edits;
mod encode;
mod findings;
mod folder;
mod game_facts;
mod games;
mod keys;
mod manifest;
mod pages;
mod part;
mod promotions;
mod rows;
mod text;
mod values;

pub use column::{ColumnInfo, Kind};
pub use dataset::{DatasetOptions, DatasetWriter};
pub use manifest::{FileEntry, Manifest, SCHEMA_VERSION, SourceEntry, TableEntry};
pub use rows::{ChunkRows, Table};

/// All tables, in the order of their writing.
pub static TABLES: [&Table; 4] =
    [&games::TABLE, &promotions::TABLE, &findings::TABLE, &draws::TABLE];
