//! Games on the board.

mod illegal;
mod record;

pub use illegal::{Refusal, why_refused};
pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
