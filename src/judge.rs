//! From the bytes of one chunk to everything that the sinks need. Runs on a worker.

use std::ops::Range;

use crate::diagnostics::{Finding, LineCursor, Span, count_line_ends};
use crate::engine::{Chunk, ChunkKind};
use crate::pgn::framing::{Frame, Framer, LONGEST_STRETCH, Place};
use crate::replay::{BoardContinuation, ChunkRecords, Examiner, Output, SecondOpinion};
use crate::rules::structure;
use crate::summary::{Counts, Ledger};

/// Where a chunk stands: what the chunks of its source before it add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkPlace<'a> {
    /// The source's name as reports and tables print it.
    pub source: &'a str,
    /// Offset of the chunk's first byte in the (decompressed) source.
    pub offset: u64,
    /// Bytes of the chunk's first line that lie before the chunk.
    pub column: u64,
    /// Games of the source before this chunk.
    pub games: u64,
    /// Line ends of the source before this chunk.
    pub lines: u64,
}

/// What a worker makes of one chunk. Spans count from the chunk's start.
#[derive(Debug, Default)]
pub struct ChunkReport {
    /// Sorted by place; those of one game stand together.
    pub findings: Vec<Finding>,
    pub records: ChunkRecords,
    /// Where asked for, on faulty games, in the order of the games.
    pub opinions: Vec<SecondOpinion>,
    /// Of the games in the range that was asked for.
    pub counts: Counts,
    /// Line ends in the chunk (CRLF, LF and CR each are one).
    pub line_ends: u64,
    /// Games that begin in the chunk, in the range or not.
    pub games: u64,
    /// Those of them before the first one in the range. Findings and promotions count games from
    /// that one on, as the records do.
    pub games_before: u64,
    /// Whether its last game lies in the range; a tail that follows belongs to that game.
    pub last_in_range: Option<bool>,
}

/// What to judge, and for whom.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Games that begin in these bytes of the source are judged, others only counted.
    pub range: Range<u64>,
    /// Whether tables want promotions and hashes.
    pub collect: bool,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge { range: 0..u64::MAX, collect: false }
    }
}

impl Judge {
    pub fn judge(&self, chunk: &Chunk) -> ChunkReport {
        let bytes = chunk.bytes.as_slice();
        let mut report = ChunkReport::default();
        if chunk.kind == ChunkKind::OverlongTail {
            report.line_ends = count_line_ends(bytes);
            report.counts.ledger.bytes_in = bytes.len() as u64;
            report.counts.ledger.bytes_in_gaps = bytes.len() as u64;
            return report;
        }
        let place = Place {
            first: chunk.offset == 0,
            last: chunk.last || chunk.kind == ChunkKind::OverlongHead,
        };
        let (framer, leading) = Framer::new(bytes, place, BoardContinuation::default());
        let mut examiner = Examiner::new(self.collect);
        let mut lines = LineCursor::new(bytes, chunk.column);
        if place.first {
            // It goes with the first game, which begins behind it, unless there is none or it is
            // too long to know.
            let alone = (place.last && leading.gap.end == bytes.len())
                || leading.gap.len() > LONGEST_STRETCH;
            let owner = if alone { 0 } else { leading.gap.end as u64 };
            let in_range = self.range.contains(&owner);
            report.last_in_range = Some(in_range);
            if in_range {
                self.take_gap(leading.gap, leading.gap_text, &mut report);
            }
        }
        for frame in framer {
            report.games += 1;
            let in_range = self.range.contains(&(chunk.offset + frame.game.start as u64));
            report.last_in_range = Some(in_range);
            if in_range {
                let index = report.records.games.len() as u32;
                let lines_before = lines.line_ends_before(frame.game.start);
                let mut output = Output {
                    findings: &mut report.findings,
                    records: &mut report.records,
                    counts: &mut report.counts,
                };
                examiner.examine(bytes, &frame, index, lines_before, &mut output);
                self.take_game(&frame, &mut report);
            } else if report.records.games.is_empty() {
                report.games_before += 1;
            }
        }
        report.line_ends = lines.line_ends_before(bytes.len());
        report
    }

    fn take_game(&self, frame: &Frame, report: &mut ChunkReport) {
        let len = frame.game.len() as u64;
        report.counts.ledger += Ledger {
            bytes_in: len,
            bytes_in_games: len,
            games_in: 1,
            games_judged: 1,
            ..Ledger::default()
        };
        self.take_gap(frame.gap, frame.gap_text, report);
    }

    fn take_gap(&self, gap: Span, text: Option<Span>, report: &mut ChunkReport) {
        report.counts.ledger.bytes_in += gap.len() as u64;
        report.counts.ledger.bytes_in_gaps += gap.len() as u64;
        if let Some(text) = text {
            let finding = structure::text_between_games(text);
            report.counts.finding(&finding);
            report.findings.push(finding);
        }
    }
}
