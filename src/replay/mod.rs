//! Games on the board.

mod draws;
mod record;

pub use draws::dead_position;
pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
