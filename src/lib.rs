//! Rules on chess archives the way an arbiter rules on a score sheet.

pub mod cli;
pub mod diagnostics;
pub mod duplicates;
pub mod engine;
pub mod error;
pub mod judge;
pub mod pgn;
pub mod replay;
pub mod report;
pub mod rules;
pub mod source;
pub mod summary;
#[cfg(feature = "tables")]
pub mod tables;
