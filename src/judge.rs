//! From the bytes of one chunk to everything that the sinks need. Runs on a worker.

use std::ops::Range;

use crate::diagnostics::{Finding, LineCursor, Span, count_line_ends};
use crate::engine::{Chunk, ChunkKind};
use crate::pgn::framing::{Frame, Framer, LONGEST_STRETCH, Place};
use crate::replay::{BoardContinuation, ChunkRecords, Examiner, Output};
use crate::rules::characters::first_word;
use crate::rules::structure;
use crate::source::TextEncoding;
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
    /// Of the games that begin in the chunk, in the range or not: the set of the first one with
    /// UTF-8 text, and of the first one with single-byte text, each with the word that shows it.
    pub encodings: Vec<(TextEncoding, Span)>,
    /// Whether its last game lies in the range; a tail that follows belongs to that game.
    pub last_in_range: Option<bool>,
}

impl ChunkReport {
    /// The set of the text that a finding stands in. What stands behind a game goes with it.
    pub fn encoding_of(&self, finding: &Finding) -> TextEncoding {
        let games = &self.records.games;
        let at = finding.game.map(|game| game as usize).or_else(|| {
            games.partition_point(|game| game.span.start <= finding.span.start).checked_sub(1)
        });
        at.and_then(|at| games.get(at)).map_or(TextEncoding::Utf8, |game| game.encoding)
    }

    /// Takes in a finding on the file as a whole, in its place, if that lies in a judged game.
    pub fn take_on_file(&mut self, finding: Finding) -> bool {
        let at = finding.span.start;
        let in_range = self.records.games.iter().any(|game| game.span.range().contains(&at));
        if in_range {
            self.counts.finding(&finding);
            let behind = self.findings.partition_point(|other| other.span.start <= at);
            self.findings.insert(behind, finding);
        }
        in_range
    }

    fn take_encoding(&mut self, bytes: &[u8], game: Span, encoding: TextEncoding) {
        let kind = encoding.is_single_byte();
        if encoding != TextEncoding::Ascii
            && self.encodings.iter().all(|(other, _)| other.is_single_byte() != kind)
            && let Some(word) = first_word(bytes, game, encoding)
        {
            self.encodings.push((encoding, word));
        }
    }
}

/// What to judge, and for whom.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Games that begin in these bytes of the source are judged, others only counted.
    pub range: Range<u64>,
    /// Whether the report or the tables want promotions and hashes.
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
                let game = (!alone).then_some(0);
                self.take_gap(bytes, leading.gap, leading.gap_text, game, &mut report);
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
                let judged = report.records.games.last();
                let encoding = judged.map_or(TextEncoding::Ascii, |game| game.encoding);
                report.take_encoding(bytes, frame.game, encoding);
                self.take_game(bytes, &frame, &mut report);
            } else if report.records.games.is_empty() {
                report.games_before += 1;
                let encoding = TextEncoding::detect(frame.game.of(bytes));
                report.take_encoding(bytes, frame.game, encoding);
            }
        }
        report.line_ends = lines.line_ends_before(bytes.len());
        report
    }

    fn take_game(&self, bytes: &[u8], frame: &Frame, report: &mut ChunkReport) {
        let len = frame.game.len() as u64;
        report.counts.ledger += Ledger {
            bytes_in: len,
            bytes_in_games: len,
            games_in: 1,
            games_judged: 1,
            ..Ledger::default()
        };
        let game = u32::try_from(report.records.games.len() - 1).ok();
        self.take_gap(bytes, frame.gap, frame.gap_text, game, report);
    }

    /// `game` is the one that the gap belongs to: the one before it, or the first one behind it,
    /// which may be in the next chunk.
    fn take_gap(
        &self,
        bytes: &[u8],
        gap: Span,
        text: Option<Span>,
        game: Option<u32>,
        report: &mut ChunkReport,
    ) {
        report.counts.ledger.bytes_in += gap.len() as u64;
        report.counts.ledger.bytes_in_gaps += gap.len() as u64;
        let text = text.map(structure::text_between_games);
        let escapes =
            structure::escape_lines(bytes, gap).map(|finding| Finding { game, ..finding });
        let mut findings = [text, escapes];
        findings.sort_by_key(|finding| finding.as_ref().map(|finding| finding.span.start));
        for finding in findings.into_iter().flatten() {
            report.counts.finding(&finding);
            report.findings.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::characters::MIXED_ENCODINGS;

    const TEXT: &[u8] = b"[White \"A\"]\n\n1. e4 *\n\n[White \"M\xc3\xbcller\"]\n\n1. d4 *\n\n\
        [White \"M\xfcller\"]\n\n1. c4 *\n\n[White \"J\xf6rg\"]\n\n1. f4 *\n";

    fn judged(range: Range<u64>) -> ChunkReport {
        let chunk = Chunk {
            offset: 0,
            column: 0,
            kind: ChunkKind::Whole,
            last: true,
            bytes: TEXT.to_vec(),
        };
        Judge { range, collect: false }.judge(&chunk)
    }

    #[test]
    fn the_first_text_of_each_kind_is_kept_in_the_range_or_before_it() {
        for range in [0..u64::MAX, 60..u64::MAX] {
            let report = judged(range);
            let kept: Vec<_> =
                report.encodings.iter().map(|&(set, word)| (set, word.of(TEXT))).collect();
            let expected: [(TextEncoding, &[u8]); 2] =
                [(TextEncoding::Utf8, b"M\xc3\xbcller"), (TextEncoding::Latin1, b"M\xfcller")];
            assert_eq!(kept, expected);
        }
    }

    #[test]
    fn a_finding_on_the_file_goes_to_its_place_if_that_is_in_the_range() {
        let mut report = judged(0..u64::MAX);
        let (_, word) = report.encodings[1];
        assert!(report.take_on_file(Finding::new(&MIXED_ENCODINGS, word)));
        assert_eq!(report.counts.codes["B006"], 1);
        assert!(report.findings.is_sorted_by_key(|finding| finding.span.start));
        let on_file = report.findings.iter().find(|finding| finding.game.is_none()).unwrap();
        assert_eq!(report.encoding_of(on_file), TextEncoding::Latin1);

        let mut report = judged(90..u64::MAX);
        assert!(!report.take_on_file(Finding::new(&MIXED_ENCODINGS, word)));
        assert!(!report.counts.codes.contains_key("B006"));
    }
}
