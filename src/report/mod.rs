//! What was found, written for people and for machines; one file per format.
//!
//! In: judged chunks in file order, and at the end what the run comes to. Out: bytes in an
//! [`Output`]. What is printed depends on the bytes judged alone, never on how they were cut into
//! chunks. Formats know no clap and no threads.

mod board;
mod concise;
#[cfg(test)]
mod examples;
mod explanation;
mod full;
mod github;
mod grouped;
mod json;
mod json_lines;
mod located;
mod look;
mod main_line;
mod number;
mod output;
mod sarif;
mod snippet;
mod summary;
mod temporary;
mod text_places;
mod uri;
mod view;
mod visible;
mod wrap;

pub use board::{BoardStyle, Marks, push_board};
pub use concise::Concise;
pub use explanation::{course_and_ruling, markdown, push_explanation};
pub use full::Full;
pub use github::GitHub;
pub use grouped::GroupedSummary;
pub use json::Json;
pub use json_lines::JsonLines;
pub use located::{Judged, Located};
pub use look::{Color, Look, width_of};
pub use number::{Counted, Grouped};
pub use output::Output;
pub use sarif::Sarif;
pub use summary::{InputSummary, RunSummary, SCHEMA_VERSION, SummaryDocument};
pub use view::{Moment, View};
pub use visible::push_visible;
pub use wrap::{Margins, push_wrapped};

use crate::error::Result;

/// A way to write what was found.
pub trait Format {
    /// Writes what stands at the beginning, once, before the first chunk.
    fn begin(&mut self, _out: &mut Output) -> Result<()> {
        Ok(())
    }

    /// Writes the next chunk. Chunks come in file order, files in the order of the inputs.
    fn chunk(&mut self, judged: &Judged<'_>, out: &mut Output) -> Result<()>;

    /// Writes what stands at the end, once, after the last chunk.
    fn end(&mut self, _run: &RunSummary, _out: &mut Output) -> Result<()> {
        Ok(())
    }
}
