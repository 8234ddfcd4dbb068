//! Games on the board.

mod draws;
mod record;
mod repetition;

pub use draws::dead_position;
pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
pub use repetition::Repetitions;
