//! What the examiner is asked for, beside the findings.

use crate::replay::Profile;

/// Answers that cost time or change what is told, and that not everybody wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExaminerOptions {
    /// Promotions, and draws, and hashes of moves and bytes, for tables.
    pub collect: bool,
    /// Whose rules end a game by themselves; `None` where each game's tags are to tell.
    pub profile: Option<Profile>,
}
