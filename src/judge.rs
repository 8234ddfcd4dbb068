//! From the bytes of one chunk to everything that the sinks need. Runs on a worker.

use std::ops::Range;

use memchr::memchr2;

use crate::diagnostics::{
    Finding, FirstLineEnds, GameFindings, LineCursor, LineEnd, Span, count_line_ends,
};
use crate::engine::{Chunk, ChunkKind};
use crate::pgn::framing::{Frame, Framer, LONGEST_STRETCH, Place};
use crate::replay::{BoardContinuation, ChunkRecords, Ending, Examiner, Output};
use crate::rules::{bytes, structure};
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
    /// The first line end of each kind, for what can be said of the file as a whole.
    pub first_line_ends: Vec<OwnedLineEnd>,
}

/// A line end, and whether the game that it stands in lies in the range; `None` in the tail of a
/// game that began before the chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnedLineEnd {
    pub kind: LineEnd,
    pub span: Span,
    pub in_range: Option<bool>,
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
        let mut report =
            ChunkReport { first_line_ends: first_line_ends(chunk), ..ChunkReport::default() };
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
            report.own(leading.gap, in_range);
            if in_range {
                let gap = Gap { span: leading.gap, text: leading.gap_text, game: None };
                take_gap(chunk, gap, &mut report);
            }
        }
        for frame in framer {
            report.games += 1;
            let in_range = self.range.contains(&(chunk.offset + frame.game.start as u64));
            report.own(Span::new(frame.game.start, frame.gap.end), in_range);
            if in_range {
                let index = report.records.games.len() as u32;
                let lines_before = lines.line_ends_before(frame.game.start);
                let mut output = Output {
                    findings: &mut report.findings,
                    records: &mut report.records,
                    counts: &mut report.counts,
                };
                let ending = ending(chunk, &frame);
                examiner.examine(bytes, &frame, ending, index, lines_before, &mut output);
                take_game(chunk, &frame, index, &mut report);
            } else if report.records.games.is_empty() {
                report.games_before += 1;
            }
        }
        report.line_ends = lines.line_ends_before(bytes.len());
        report
    }
}

impl<'a> ChunkPlace<'a> {
    /// The start of a source.
    pub fn start(source: &'a str) -> ChunkPlace<'a> {
        ChunkPlace { source, offset: 0, column: 0, games: 0, lines: 0 }
    }
}

impl ChunkReport {
    /// Adds a finding that was made behind the worker's back, in its place, and counts it.
    pub fn insert(&mut self, finding: Finding) {
        self.counts.finding(&finding);
        let before = |other: &Finding| other.span.start <= finding.span.start;
        let at = self.findings.partition_point(before);
        self.findings.insert(at, finding);
    }

    /// Notes whether a stretch of the chunk lies in the range.
    fn own(&mut self, stretch: Span, in_range: bool) {
        self.last_in_range = Some(in_range);
        for line_end in &mut self.first_line_ends {
            if stretch.range().contains(&line_end.span.start) {
                line_end.in_range = Some(in_range);
            }
        }
    }
}

fn first_line_ends(chunk: &Chunk) -> Vec<OwnedLineEnd> {
    let cut_before = chunk.kind == ChunkKind::OverlongTail;
    FirstLineEnds::of(&chunk.bytes, cut_before, !chunk.last)
        .ends
        .into_iter()
        .map(|(kind, span)| OwnedLineEnd { kind, span, in_range: None })
        .collect()
}

/// How the source ends, as far as a game has to do with it.
fn ending(chunk: &Chunk, frame: &Frame) -> Ending {
    let gap = frame.gap.of(&chunk.bytes);
    if !chunk.last || frame.gap.end < chunk.bytes.len() || frame.gap_text.is_some() {
        Ending::Whole
    } else if chunk.damaged {
        Ending::Damaged
    } else if memchr2(b'\n', b'\r', gap).is_none() {
        Ending::Open
    } else {
        Ending::Whole
    }
}

fn take_game(chunk: &Chunk, frame: &Frame, index: u32, report: &mut ChunkReport) {
    let len = frame.game.len() as u64;
    report.counts.ledger += Ledger {
        bytes_in: len,
        bytes_in_games: len,
        games_in: 1,
        games_judged: 1,
        ..Ledger::default()
    };
    take_gap(chunk, Gap { span: frame.gap, text: frame.gap_text, game: Some(index) }, report);
}

/// What stands behind a game, or before the first one.
#[derive(Clone, Copy)]
struct Gap {
    span: Span,
    text: Option<Span>,
    game: Option<u32>,
}

fn take_gap(chunk: &Chunk, gap: Gap, report: &mut ChunkReport) {
    let Gap { span, text, game } = gap;
    report.counts.ledger.bytes_in += span.len() as u64;
    report.counts.ledger.bytes_in_gaps += span.len() as u64;
    let first = report.findings.len();
    let mut times = 0;
    bytes::check_gap(&chunk.bytes, span, text, chunk.offset == 0, |finding| {
        report.counts.finding(&finding);
        times += 1;
        if times <= GameFindings::MOST_OF_A_RULE {
            report.findings.push(Finding { game, ..finding });
        }
    });
    if let Some(text) = text {
        let finding = if is_cut_tag(chunk, text) {
            // What a damaged stream holds of a tag is told of with the damage.
            if chunk.damaged {
                return;
            }
            bytes::truncated(text)
        } else {
            structure::text_between_games(text)
        };
        report.counts.finding(&finding);
        report.findings.push(finding);
    }
    report.findings[first..].sort_by_key(|finding| finding.span.start);
}

/// Whether text between games is the beginning of a tag that was cut off with its source.
fn is_cut_tag(chunk: &Chunk, text: Span) -> bool {
    let bytes = text.of(&chunk.bytes);
    chunk.last
        && text.end == chunk.bytes.len()
        && bytes.starts_with(b"[")
        && memchr2(b'\n', b'\r', bytes).is_none()
}
