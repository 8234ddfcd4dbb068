//! What is said of a source as a whole, gathered from its chunks in their order.
//!
//! In: each chunk with its report. Out: the place where the line ends change their kind, at once;
//! and behind the last chunk what only the end tells. The chunks' sizes have no part in it, and
//! of the parts of a split it is the one in whose game the place stands that says it.

use memchr::memrchr2;

use crate::diagnostics::{Finding, LineEndHistory, Span};
use crate::engine::Chunk;
use crate::judge::{ChunkPlace, ChunkReport};
use crate::rules::bytes;

/// A source, as far as it was read.
#[derive(Debug)]
pub struct WholeSource {
    pub games: u64,
    /// Line ends.
    pub lines: u64,
    /// Whether the last game lies in the range that was asked for.
    pub in_range: bool,
    line_ends: LineEndHistory,
    offset: u64,
    /// Bytes of the last line so far.
    column: u64,
    /// The last chunk was seen.
    ended: bool,
}

impl Default for WholeSource {
    fn default() -> WholeSource {
        WholeSource {
            games: 0,
            lines: 0,
            in_range: true,
            line_ends: LineEndHistory::default(),
            offset: 0,
            column: 0,
            ended: false,
        }
    }
}

impl WholeSource {
    /// Adds the next chunk. Gives a finding in it that only the chunks before it explain.
    pub fn take(&mut self, chunk: &Chunk, report: &ChunkReport) -> Option<Finding> {
        let mut finding = None;
        for end in &report.first_line_ends {
            if let Some(first) = self.line_ends.take(chunk.offset, end.kind, end.span)
                && end.in_range.unwrap_or(self.in_range)
            {
                finding = Some(bytes::mixed_line_ends(first, end.kind, end.span));
            }
        }
        self.games += report.games;
        self.lines += report.line_ends;
        self.in_range = report.last_in_range.unwrap_or(self.in_range);
        self.offset = chunk.offset + chunk.bytes.len() as u64;
        self.column = match memrchr2(b'\n', b'\r', &chunk.bytes) {
            Some(at) => (chunk.bytes.len() - at - 1) as u64,
            None => chunk.column + chunk.bytes.len() as u64,
        };
        self.ended |= chunk.last;
        finding
    }

    /// Behind the last byte.
    pub fn place_of_end<'a>(&self, source: &'a str) -> ChunkPlace<'a> {
        ChunkPlace {
            source,
            offset: self.offset,
            column: self.column,
            games: self.games,
            lines: self.lines,
        }
    }

    /// What the end tells, each finding with its place. `stopped`: nobody wanted the rest.
    pub fn end<'a>(
        &self,
        source: &'a str,
        stopped: bool,
    ) -> impl Iterator<Item = (ChunkPlace<'a>, Finding)> + use<'a> {
        let ended = (self.ended || !stopped) && self.in_range;
        let offset = self.line_ends.only_cr().filter(|_| ended);
        offset.into_iter().map(move |offset| {
            let place = ChunkPlace { offset, column: offset, ..ChunkPlace::start(source) };
            (place, bytes::cr_line_ends(Span::new(0, 0)))
        })
    }
}
