//! Rules, findings and fixes. Knows no chess.

mod baseline;
mod finding;
mod fix;
mod game_findings;
mod identity;
mod line_ends;
mod lines;
mod rule;
mod selection;

pub use baseline::{Baseline, BaselineError, BaselineWriter};
pub use finding::{Aftermath, Course, Finding, Ply, Span};
pub use fix::{Applicability, Edit, Fix, FixSource};
pub use game_findings::GameFindings;
pub use identity::Identity;
pub use line_ends::{FirstLineEnds, LineEnd, LineEndHistory};
pub use lines::{LineCounter, LineCursor, count_line_ends};
pub use rule::{FixPromise, Rule, Severity};
pub use selection::{Selection, nearest, unknown_rule};
