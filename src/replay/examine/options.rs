//! What the examiner is asked for, beside the findings.

use crate::replay::Profile;

/// What becomes of a game behind the first illegal move of its main line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AfterIllegal {
    /// It is told once, with how the record goes on, and the game is left there.
    #[default]
    Report,
    /// It is read on in the way that explains most of what follows, and later faults are told too.
    Continue,
}

/// Which of its two ways through a game the program takes. They give the same answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lane {
    /// What the fast lane knows for certain it plays; the examiner does the rest.
    #[default]
    Fast,
    /// The examiner does everything.
    Examiner,
    /// Every game is judged in both ways, and a difference is an error.
    Both,
}

/// Answers that cost time or change what is told, and that not everybody wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExaminerOptions {
    /// Promotions, and draws, and hashes of moves and bytes, for tables.
    pub collect: bool,
    pub after_illegal: AfterIllegal,
    /// Whose rules end a game by themselves; `None` where each game's tags are to tell.
    pub profile: Option<Profile>,
    pub lane: Lane,
}
