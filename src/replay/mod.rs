//! Games on the board.

mod aftermath;
mod claim;
mod continuation;
mod dead;
mod decision;
mod evidence;
mod examine;
mod fast;
mod fen;
mod fen_faults;
mod game_key;
mod illegal;
mod interpret;
mod kept;
mod line;
mod move_list;
mod profile;
mod promotion;
mod record;
mod repetition;
mod resolve;
mod ruleset;
mod second_opinion;
mod start;
mod trace;
mod unnamed;
mod variant_board;

pub use claim::{ClaimSource, ClaimVerdict, RecordedEnd};
pub use continuation::BoardContinuation;
pub use dead::{DeadPosition, cannot_mate, dead_position};
pub use evidence::mix;
pub use examine::{
    AfterIllegal, DEEPEST_VARIATION, Ending, Examiner, ExaminerOptions, Lane, Output,
};
pub use fast::{Handover, known_plies};
pub use fen_faults::{FenFaults, ImpossibleCastling, UnnamedRules};
pub use illegal::{Refusal, why_refused};
pub(crate) use illegal::{either, noun};
pub use interpret::{Interpretation, RunPart, interpret, stands_for_move};
pub use move_list::MoveList;
pub use profile::{AutomaticEnd, Profile};
pub use promotion::{PromotionPlace, Promotions};
pub use record::{
    ChunkRecords, DrawRecord, EndState, GameClaim, GameRecord, GameResult, KnownTags,
    LaneDifference, PieceSource, Promotion, Reason, Verdict,
};
pub use repetition::Repetitions;
pub use resolve::{can_answer_check, legal_moves, legal_origins, resolve};
pub use second_opinion::SecondOpinion;
pub use start::{Start, StartPosition, VariantStart, read_start};
pub use trace::{Trace, TracedMove};
pub(crate) use variant_board::read_variant_move;
