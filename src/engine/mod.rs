//! Pieces of a stream, worked on in parallel, answered in order. Knows no chess.

mod chunk;

pub use chunk::{Chunk, ChunkKind, Cut, Cutter};
