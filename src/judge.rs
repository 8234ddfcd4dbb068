//! From the bytes of one chunk to everything that the sinks need. Runs on a worker.

use std::ops::Range;

use memchr::memchr2;

use crate::diagnostics::{
    Finding, FirstLineEnds, GameFindings, LineCounter, LineEnd, Span, count_line_ends,
};
use crate::engine::{Chunk, ChunkKind};
use crate::pgn::framing::{Frame, Framer, LONGEST_STRETCH, Place};
use crate::replay::{
    BoardContinuation, ChunkRecords, Ending, Examiner, ExaminerOptions, Lane, Output, SecondOpinion,
};
use crate::rules::characters::kinds_of_text;
use crate::rules::{bytes, structure};
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
    /// Where asked for, on faulty games, in the order of the games.
    pub opinions: Vec<SecondOpinion>,
    /// The games that repeat others or begin longer ones, where that was looked for, in the order
    /// of the games.
    pub duplicates: Vec<Duplicate>,
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
    /// UTF-8 text, and of the first one with single-byte text, each with the word that shows it;
    /// one game may be both.
    pub encodings: Vec<(TextEncoding, Span)>,
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

/// A game that repeats another one, or begins it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Which game of the chunk, from 0.
    pub game: u32,
    /// The other one, as `show` takes it: `source@offset`.
    pub of: String,
}

impl ChunkReport {
    /// Which other game a game of the chunk (from 0) repeats or begins.
    pub fn duplicate_of(&self, game: usize) -> Option<&str> {
        let game = u32::try_from(game).ok()?;
        let at = self.duplicates.binary_search_by_key(&game, |duplicate| duplicate.game).ok()?;
        Some(&self.duplicates[at].of)
    }

    /// The set of the text that a finding stands in: its game's. Between games none is known, for
    /// a chunk may end there.
    pub fn encoding_of(&self, finding: &Finding) -> TextEncoding {
        let games = &self.records.games;
        let start = finding.span.start;
        let at = finding
            .game
            .map(|game| game as usize)
            .or_else(|| games.partition_point(|game| game.span.start <= start).checked_sub(1));
        at.and_then(|at| games.get(at))
            .filter(|game| game.span.range().contains(&start))
            .map_or(TextEncoding::Utf8, |game| game.encoding)
    }

    /// Takes in a finding on the file as a whole, in its place, if that lies in a judged game.
    pub fn take_on_file(&mut self, finding: Finding) {
        let at = finding.span.start;
        let in_range = self.records.games.iter().any(|game| game.span.range().contains(&at));
        if in_range {
            self.insert(finding);
        }
    }

    /// Adds a finding that was made behind the worker's back, in its place, and counts it.
    pub fn insert(&mut self, finding: Finding) {
        self.counts.finding(&finding);
        let before = |other: &Finding| other.span.start <= finding.span.start;
        let at = self.findings.partition_point(before);
        self.findings.insert(at, finding);
    }

    /// Whether a CR may stand in the chunk without an LF behind it.
    fn has_lone_cr(&self, bytes: &[u8]) -> bool {
        // A half of a pair that stands at the end is told of nowhere.
        bytes.last() == Some(&b'\r') || self.first_line_ends.iter().any(|it| it.kind == LineEnd::Cr)
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

    fn take_encoding(&mut self, bytes: &[u8], game: Span, encoding: TextEncoding) {
        if encoding == TextEncoding::Ascii {
            return;
        }
        let known = |encodings: &[(TextEncoding, Span)], single_byte| {
            encodings.iter().any(|(other, _)| other.is_single_byte() == single_byte)
        };
        // Only a game in a single-byte set may hold both.
        let single_byte = encoding.is_single_byte();
        if known(&self.encodings, single_byte) && (!single_byte || known(&self.encodings, false)) {
            return;
        }
        for (kind, word) in kinds_of_text(bytes, game, encoding) {
            if !known(&self.encodings, kind.is_single_byte()) {
                self.encodings.push((kind, word));
            }
        }
    }
}

/// Bytes of a short game, for the room that a chunk's records get at once.
const USUAL_GAME: usize = 512;

/// What to judge, and for whom.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Games that begin in these bytes of the source are judged, others only counted.
    pub range: Range<u64>,
    pub options: ExaminerOptions,
}

impl Default for Judge {
    fn default() -> Judge {
        Judge { range: 0..u64::MAX, options: ExaminerOptions::default() }
    }
}

impl Judge {
    /// Games of one chunk that are judged at a time: what is found in more of them might outweigh
    /// their bytes.
    pub const MOST_GAMES: usize = 8_000;

    pub fn judge(&self, chunk: &Chunk) -> ChunkReport {
        self.judge_up_to(chunk, usize::MAX).unwrap_or_default()
    }

    /// The same, unless there are more games than this.
    pub fn judge_up_to(&self, chunk: &Chunk, most_games: usize) -> Option<ChunkReport> {
        let bytes = chunk.bytes.as_slice();
        let mut report =
            ChunkReport { first_line_ends: first_line_ends(chunk), ..ChunkReport::default() };
        if chunk.kind == ChunkKind::OverlongTail {
            report.line_ends = count_line_ends(bytes);
            report.counts.ledger.bytes_in = bytes.len() as u64;
            report.counts.ledger.bytes_in_gaps = bytes.len() as u64;
            return Some(report);
        }
        let place = place(chunk);
        let (mut framer, leading) = Framer::new(bytes, place, BoardContinuation::default());
        let mut examiner = Examiner::new(self.options);
        let mut lines = LineCounter::new(bytes, report.has_lone_cr(bytes));
        report.records.games.reserve(bytes.len() / USUAL_GAME);
        if place.first {
            // It goes with the first game, which begins behind it, unless there is none or it is
            // too long to know.
            let alone = (place.last && leading.gap.end == bytes.len())
                || leading.gap.len() > LONGEST_STRETCH;
            let owner = if alone { 0 } else { leading.gap.end as u64 };
            let in_range = self.range.contains(&owner);
            report.own(leading.gap, in_range);
            if in_range {
                let game = (!alone).then_some(0);
                let gap =
                    Gap { span: leading.gap, text: leading.gap_text, game: None, escapes: game };
                take_gap(chunk, gap, &mut report);
            }
        }
        // Only the fast lane reads so much of a game that it can tell a wrong guess.
        let guesses = self.options.lane == Lane::Fast;
        while let Some(mut frame) = if guesses { framer.guess() } else { framer.next() } {
            report.games += 1;
            if report.games > most_games as u64 {
                return None;
            }
            let in_range = self.range.contains(&(chunk.offset + frame.game.start as u64));
            let index = report.records.games.len() as u32;
            let mut judge = |frame: &Frame| {
                let lines_before = lines.line_ends_before(frame.game.start);
                let mut output = Output {
                    findings: &mut report.findings,
                    records: &mut report.records,
                    counts: &mut report.counts,
                };
                let ending = ending(chunk, frame);
                examiner.examine_guess(bytes, frame, ending, index, lines_before, &mut output)
            };
            let is_judged = in_range && judge(&frame);
            if frame.is_guess && !is_judged {
                let Some(sure) = framer.sure(&frame) else { break };
                frame = sure;
                if in_range {
                    judge(&frame);
                }
            }
            report.own(Span::new(frame.game.start, frame.gap.end), in_range);
            if in_range {
                let judged = report.records.games.last();
                let encoding = judged.map_or(TextEncoding::Ascii, |game| game.encoding);
                report.take_encoding(bytes, frame.game, encoding);
                take_game(chunk, &frame, index, &mut report);
            } else if report.records.games.is_empty() {
                report.games_before += 1;
                let encoding = TextEncoding::detect(frame.game.of(bytes));
                report.take_encoding(bytes, frame.game, encoding);
            }
        }
        report.line_ends = lines.line_ends_before(bytes.len());
        Some(report)
    }
}

impl<'a> ChunkPlace<'a> {
    /// The start of a source.
    pub fn start(source: &'a str) -> ChunkPlace<'a> {
        ChunkPlace { source, offset: 0, column: 0, games: 0, lines: 0 }
    }
}

fn first_line_ends(chunk: &Chunk) -> Vec<OwnedLineEnd> {
    let cut_before = chunk.kind == ChunkKind::OverlongTail;
    // Behind whole games another one begins, and no LF.
    let cut_behind = !chunk.last && chunk.kind != ChunkKind::Whole;
    FirstLineEnds::of(&chunk.bytes, cut_before, cut_behind)
        .ends
        .into_iter()
        .map(|(kind, span)| OwnedLineEnd { kind, span, in_range: None })
        .collect()
}

/// Where a chunk stands in its source, for its framing.
pub(crate) fn place(chunk: &Chunk) -> Place {
    let last = chunk.last || chunk.kind == ChunkKind::OverlongHead;
    Place { first: chunk.offset == 0, last }
}

/// How the source ends, as far as a game has to do with it.
pub(crate) fn ending(chunk: &Chunk, frame: &Frame) -> Ending {
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
    let game = Some(index);
    let gap = Gap { span: frame.gap, text: frame.gap_text, game, escapes: game };
    take_gap(chunk, gap, report);
}

/// What stands behind a game, or before the first one.
#[derive(Clone, Copy)]
struct Gap {
    span: Span,
    text: Option<Span>,
    game: Option<u32>,
    /// The game whose escape lines stand here: the one before the gap, or the first one behind
    /// it, which may be in the next chunk.
    escapes: Option<u32>,
}

fn take_gap(chunk: &Chunk, gap: Gap, report: &mut ChunkReport) {
    let Gap { span, text, game, escapes } = gap;
    report.counts.ledger.bytes_in += span.len() as u64;
    report.counts.ledger.bytes_in_gaps += span.len() as u64;
    let is_blank = |byte: &u8| matches!(byte, b'\n' | b'\r' | b' ' | b'\t');
    if text.is_none() && span.of(&chunk.bytes).iter().all(is_blank) {
        return;
    }
    let first = report.findings.len();
    let mut times = 0;
    let source = (chunk.offset == 0, chunk.last);
    bytes::check_gap(&chunk.bytes, span, text, source, |finding| {
        report.counts.finding(&finding);
        times += 1;
        if times <= GameFindings::MOST_OF_A_RULE {
            report.findings.push(Finding { game, ..finding });
        }
    });
    if let Some(finding) = structure::escape_lines(&chunk.bytes, span) {
        report.counts.finding(&finding);
        report.findings.push(Finding { game: escapes, ..finding });
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::characters::MIXED_ENCODINGS;

    fn judge(text: &[u8], damaged: bool) -> ChunkReport {
        let chunk = Chunk { bytes: text.to_vec(), last: true, damaged, ..Chunk::default() };
        Judge::default().judge(&chunk)
    }

    /// Code, game and place.
    type Told = (&'static str, Option<u32>, usize);

    /// What is neither a missing roster tag nor a missing Result.
    fn found(text: &str, damaged: bool) -> Vec<Told> {
        judge(text.as_bytes(), damaged)
            .findings
            .iter()
            .filter(|finding| !["T201", "R602"].contains(&finding.rule.code))
            .map(|finding| (finding.rule.code, finding.game, finding.span.start))
            .collect()
    }

    fn codes(text: &str, damaged: bool) -> Vec<&'static str> {
        found(text, damaged).into_iter().map(|(code, ..)| code).collect()
    }

    #[test]
    fn a_file_is_cut_where_it_ends_without_a_line_end_and_without_a_marker() {
        let table: &[(&str, &[&str])] = &[
            ("1. e4 e5 *", &[]),
            ("1. e4 e5 *\n", &[]),
            ("1. e4 e5\n", &["S107"]),
            ("1. e4 e5\n\n", &["S107"]),
            ("1. e4 e5 \n ", &["S107"]),
            ("1. e4 e5", &["B011"]),
            ("1. e4 e5 ", &["B011"]),
            ("1. e4 e5 2. N", &["B011"]),
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-", &["B011"]),
            ("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-\n", &["M317", "S107"]),
            ("1. e4 e5 2. Nxe4 Nc6 3", &["M312", "B011"]),
            ("1. e4 e5 1/2-1", &["B011"]),
            ("1. e4 { a rema", &["S108", "B011"]),
            ("1. e4 { a rema\n", &["S108"]),
            ("1. e4 e5 *\n\n[Event \"x\"]\n[Site \"y", &["B011"]),
            ("1. e4 e5 *\n\n[Event \"x\"]\n[Site \"y\"]", &["B011"]),
            ("1. e4 e5 *\n\n[Eve", &["B011"]),
            ("1. e4 e5 *\n\n[Eve\n", &["S102"]),
            ("1. e4 e5 *\n\nEve", &["S102"]),
        ];
        for (text, expected) in table {
            assert_eq!(codes(text, false), *expected, "{text:?}");
        }
    }

    #[test]
    fn what_a_damaged_stream_cut_off_is_not_told_again() {
        for text in ["1. e4 e5", "1. e4 e5\n", "1. e4 e5 2. N", "1. e4 e5 *\n\n[Eve"] {
            assert_eq!(codes(text, true), [""; 0], "{text:?}");
        }
        assert_eq!(codes("1. e4 e5 2. Nxe4 Nc6\n", true), ["M312"]);
    }

    #[test]
    fn a_legal_move_at_the_cut_counts_and_half_a_move_does_not() {
        for (text, plies) in [("1. e4 e5 2. Nf3", 3), ("1. e4 e5 2. Nf", 2), ("1. e4 e5 2. Qd2", 2)]
        {
            let game = &judge(text.as_bytes(), false).records.games[0];
            assert_eq!((game.plies, game.certified_plies), (plies, plies), "{text}");
        }
    }

    #[test]
    fn strange_characters_are_told_where_they_separate_and_not_where_they_are_text() {
        let table: &[(&str, &[Told])] = &[
            ("\u{feff}1. e4 *\n", &[("B001", None, 0)]),
            ("\u{feff}\u{feff}1. e4 *\n", &[("B001", None, 0), ("B002", None, 3)]),
            ("1. e4\u{feff} e5 *\n", &[("B002", Some(0), 5)]),
            ("1. e4 {\u{feff}\u{a0}} e5 *\n", &[]),
            ("1.\u{a0}e4 e5 *\n", &[("B010", Some(0), 2)]),
            ("1. e4 e5 *\n\u{2003}\n1. d4 *\n", &[("B010", Some(0), 11)]),
            ("1. e4\0\0 e5 *\n\0", &[("B007", Some(0), 5), ("B007", Some(0), 13)]),
            ("1. e4 {a\x07b} e5 *\n", &[("B007", Some(0), 8)]),
            ("1. e4\t\u{b}\u{c}e5 *\r\n", &[]),
            ("1. e4 *\n\n; a\u{a0}remark\n", &[]),
            ("1. e4 *\n\na\u{a0}letter\n", &[("S102", None, 9)]),
        ];
        for (text, expected) in table {
            assert_eq!(found(text, false), *expected, "{text:?}");
        }
    }

    #[test]
    fn a_gap_full_of_control_characters_is_counted_and_not_listed_whole() {
        let text = ["1. e4 *\n", &"\0 ".repeat(1_000), "\n"].concat();
        let report = judge(text.as_bytes(), false);
        assert_eq!(report.counts.codes["B007"], 1_000);
        let listed = report.findings.iter().filter(|finding| finding.rule.code == "B007").count();
        assert_eq!(listed as u64, GameFindings::MOST_OF_A_RULE);
    }

    #[test]
    fn characters_and_not_bytes_make_a_line_long() {
        // Ten more characters stand on the line.
        let line = |character: &str, times| format!("1. e4 {{{}}} *\n", character.repeat(times));
        for (text, expected) in [
            (line("x", 245), &[][..]),
            (line("x", 246), &["B014"][..]),
            (line("é", 245), &[]),
            (line("é", 246), &["B014"]),
            (line("王", 246), &["B014"]),
            (line("x\n", 300), &[]),
        ] {
            assert_eq!(codes(&text, false), expected, "{}", text.len());
        }
    }

    const TEXT: &[u8] = b"[White \"A\"]\n\n1. e4 *\n\n[White \"M\xc3\xbcller\"]\n\n1. d4 *\n\n\
        [White \"M\xfcller\"]\n\n1. c4 *\n\n[White \"J\xf6rg\"]\n\n1. f4 *\n";

    fn judged(range: Range<u64>) -> ChunkReport {
        let chunk = Chunk { bytes: TEXT.to_vec(), last: true, ..Chunk::default() };
        Judge { range, options: ExaminerOptions::default() }.judge(&chunk)
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
    fn one_game_may_hold_both_kinds() {
        let text = b"[Event \"K\xc3\xb6ln\"]\n[White \"M\xfcller\"]\n\n1. d4 *\n";
        let kinds: Vec<_> =
            judge(text, false).encodings.iter().map(|&(set, word)| (set, word.start)).collect();
        assert_eq!(kinds, [(TextEncoding::Utf8, 8), (TextEncoding::Latin1, 24)]);
    }

    #[test]
    fn a_finding_on_the_file_goes_to_its_place_if_that_is_in_the_range() {
        let mut report = judged(0..u64::MAX);
        let (_, word) = report.encodings[1];
        report.take_on_file(Finding::new(&MIXED_ENCODINGS, word));
        assert_eq!(report.counts.codes["B006"], 1);
        assert!(report.findings.is_sorted_by_key(|finding| finding.span.start));
        let on_file = report.findings.iter().find(|finding| finding.game.is_none()).unwrap();
        assert_eq!(report.encoding_of(on_file), TextEncoding::Latin1);

        let mut report = judged(90..u64::MAX);
        report.take_on_file(Finding::new(&MIXED_ENCODINGS, word));
        assert!(!report.counts.codes.contains_key("B006"));
    }
}
