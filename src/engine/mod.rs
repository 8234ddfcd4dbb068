//! Pieces of a stream, worked on in parallel, answered in order. Knows no chess.

mod buffers;
mod chunk;
mod chunker;
#[cfg(test)]
mod line_cutter;
mod pipeline;
mod progress;
#[cfg(test)]
mod shelf;

pub use chunk::{Chunk, ChunkKind, Cut, Cutter};
pub use pipeline::{Stream, StreamEnd, run, run_refusing};
pub use progress::Progress;
