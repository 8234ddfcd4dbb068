//! Games on the board.

mod continuation;
mod draws;
mod examine;
mod illegal;
mod line;
mod promotion;
mod record;
mod repetition;
mod resolve;
mod second_opinion;
mod start;
mod trace;

pub use continuation::BoardContinuation;
pub use draws::dead_position;
pub use examine::{DEEPEST_VARIATION, Examiner, Output};
pub(crate) use illegal::noun;
pub use illegal::{Refusal, why_refused};
pub use promotion::{PromotionPlace, Promotions};
pub use record::{
    ChunkRecords, EndState, GameRecord, GameResult, KnownTags, PieceSource, Promotion, Reason,
    Verdict,
};
pub use repetition::Repetitions;
pub use resolve::{can_answer_check, legal_origins, resolve};
pub use second_opinion::SecondOpinion;
pub use start::{Start, StartPosition, read_start};
pub use trace::{Trace, TracedMove};
