//! Our own failures. A fault in a game is a [`Finding`](crate::diagnostics::Finding), never an
//! `Error`.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::diagnostics::BaselineError;

/// Why the job, or a part of it, could not be done. Each message says what, where and why.
#[derive(Debug, Error)]
pub enum Error {
    /// An input could not be opened or read on; the other inputs are still worked on.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A folder holds no file that looks like a chess archive.
    #[error(
        "no archive in {}: looked for names ending in .zip or .pgn, also with .zst, .gz, .bz2 or .xz \
         behind it; name a file itself to read it whatever its ending",
        path.display()
    )]
    EmptyFolder { path: PathBuf },
    /// An input holds bytes and no game.
    #[error("no game found in {0}: is it a chess archive (PGN), and plain text inside?")]
    NoGames(String),
    /// A report, a table or a temporary file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    /// What does not fit into memory, or can be read only once, cannot be kept on disk.
    #[error(
        "cannot keep temporary files in {}: {source}; set TMPDIR to a folder with room",
        folder.display()
    )]
    Temporary {
        folder: PathBuf,
        #[source]
        source: io::Error,
    },
    /// A file of known faults is none, is damaged, or was written by a later version.
    #[error("cannot use the baseline {}: {source}", path.display())]
    Baseline {
        path: PathBuf,
        #[source]
        source: Box<BaselineError>,
    },
    /// The words on the command line do not fit together.
    #[error("{0}")]
    Usage(String),
    /// A worker ended without its answer; a defect of this program.
    #[error("a worker was lost at byte {offset} of {source_name}; please report this")]
    LostWorker { source_name: String, offset: u64 },
    /// The fast lane and the examiner do not say the same of a game; a defect of this program.
    #[error(
        "the fast lane and the examiner differ on the game at byte {offset} of {source_name}: \
         {detail}; please report this"
    )]
    LanesDiffer { source_name: String, offset: u64, detail: String },
    /// The bytes or games out are not those that came in; a defect of this program.
    #[error("the ledger of {source_name} does not balance: {detail}; please report this")]
    Ledger { source_name: String, detail: String },
}

impl Error {
    pub fn read(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Read { path: path.into(), source }
    }

    pub fn temporary(source: io::Error) -> Error {
        Error::Temporary { folder: std::env::temp_dir(), source }
    }

    pub fn write(path: impl Into<PathBuf>, source: io::Error) -> Error {
        Error::Write { path: path.into(), source }
    }

    /// The reader of our output went away, which is no failure (`pgn-arbiter ... | head`).
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

pub type Result<T, E = Error> = std::result::Result<T, E>;
