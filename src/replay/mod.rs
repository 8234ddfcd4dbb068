//! Games on the board.

mod record;
mod resolve;

pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
pub use resolve::{can_answer_check, legal_origins, resolve};
