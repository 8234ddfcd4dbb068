//! From the bytes of one chunk to everything that the sinks need. Runs on a worker.

use crate::diagnostics::Finding;
use crate::replay::ChunkRecords;
use crate::summary::Counts;

/// Where a chunk stands: what the chunks of its source before it add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPlace<'a> {
    /// The source's name as reports and tables print it.
    pub source: &'a str,
    /// Offset of the chunk's first byte in the (decompressed) source.
    pub offset: u64,
    /// Bytes of the chunk's first line that lie before the chunk.
    pub column: u64,
    /// Games of the source before this chunk.
    pub games: u64,
    /// Line ends of the source before this chunk.
    pub lines: u64,
}

/// What a worker makes of one chunk. Spans count from the chunk's start.
#[derive(Debug, Default)]
pub struct ChunkReport {
    /// Sorted by place; those of one game stand together.
    pub findings: Vec<Finding>,
    pub records: ChunkRecords,
    pub counts: Counts,
    /// Line ends in the chunk (CRLF, LF and CR each are one).
    pub line_ends: u64,
}
