//! Games on the board.

mod continuation;
mod examine;
mod line;
mod record;
mod resolve;
mod start;

pub use continuation::BoardContinuation;
pub use examine::{DEEPEST_VARIATION, Examiner, Output};
pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
pub use resolve::{can_answer_check, legal_origins, resolve};
pub use start::{Start, StartPosition, read_start};
