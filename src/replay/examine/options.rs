//! What the examiner is asked for, beside the findings.

/// Answers that cost time or change what is told, and that not everybody wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExaminerOptions {
    /// Promotions, and hashes of moves and bytes, for tables.
    pub collect: bool,
}
