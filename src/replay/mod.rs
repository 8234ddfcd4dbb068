//! Games on the board.

mod draws;
mod promotion;
mod record;
mod repetition;

pub use draws::dead_position;
pub use promotion::{PromotionPlace, Promotions};
pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
pub use repetition::Repetitions;
