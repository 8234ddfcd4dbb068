//! A judged chunk as the formats see it: its findings with their places in the file.
//!
//! In: a chunk's bytes, its report, and where it stands. Out: for each finding the line, the
//! column, and the offset and game counted from the start of the file. Time is linear in the
//! chunk, also where it is a single line.

use std::borrow::Cow;

use crate::diagnostics::{Edit, Finding, Identity, LineCursor, Severity, Span};
use crate::judge::{ChunkPlace, ChunkReport};
use crate::replay::{GameRecord, SecondOpinion};
use crate::source::TextEncoding;

/// The longest token in bytes whose rewrite is shown. Moves and results are far shorter.
const MOST_REWRITTEN: usize = 64;

/// A chunk with what was found in it.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'a> {
    pub place: ChunkPlace<'a>,
    pub bytes: &'a [u8],
    pub report: &'a ChunkReport,
}

impl<'a> Judged<'a> {
    /// The findings in file order.
    pub fn findings(&self) -> impl Iterator<Item = Located<'a>> + use<'a> {
        let Judged { place, bytes, report } = *self;
        let mut lines = LineCursor::new(bytes, place.column);
        let mut opinions = report.opinions.iter().zip(gravest(report)).peekable();
        report.findings.iter().enumerate().map(move |(at, finding)| {
            let offset = finding.span.start;
            let line = place.lines + lines.line_ends_before(offset) + 1;
            let (column, line_start) = (lines.column(), lines.line_start());
            let encoding = report.encoding_of(finding);
            let games = &report.records.games;
            let opinion = opinions.next_if(|&(_, of)| of == at).map(|(opinion, _)| opinion);
            Located { finding, opinion, encoding, place, bytes, games, line, column, line_start }
        })
    }

    /// The offset in the file of something in the chunk.
    pub fn offset(&self, span: Span) -> u64 {
        self.place.offset + span.start as u64
    }
}

/// Where among the findings the first gravest one of each game with an opinion stands.
fn gravest(report: &ChunkReport) -> Vec<usize> {
    let mut findings = report.findings.iter().enumerate().peekable();
    let of_game = |game: u32| {
        let mut gravest: Option<(usize, Severity)> = None;
        // Gaps' findings stand between those of games, and belong to none.
        while let Some((at, finding)) =
            findings.next_if(|(_, finding)| finding.game.is_none_or(|of| of <= game))
        {
            let severity = finding.rule.severity;
            if finding.game == Some(game) && gravest.is_none_or(|(_, worst)| worst < severity) {
                gravest = Some((at, severity));
            }
        }
        // One without a finding is told nowhere.
        gravest.map_or(usize::MAX, |(at, _)| at)
    };
    report.opinions.iter().map(|opinion| opinion.game).map(of_game).collect()
}

/// A finding and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Located<'a> {
    pub finding: &'a Finding,
    /// The character set of its game.
    pub encoding: TextEncoding,
    /// What pgn-reader makes of its game, at the game's gravest finding.
    pub opinion: Option<&'a SecondOpinion>,
    /// From 1.
    pub line: u64,
    /// In bytes, from 1.
    pub column: u64,
    pub(super) place: ChunkPlace<'a>,
    pub(super) bytes: &'a [u8],
    pub(super) games: &'a [GameRecord],
    /// Where the line begins in the chunk; `None` where that is before the chunk.
    pub(super) line_start: Option<usize>,
}

impl<'a> Located<'a> {
    /// The name of the file.
    pub fn file(&self) -> &'a str {
        self.place.source
    }

    /// The game in its file, from 1.
    pub fn game(&self) -> Option<u64> {
        self.finding.game.map(|game| self.place.games + u64::from(game) + 1)
    }

    /// What the judge says of its game; `None` for a finding on the file as a whole.
    pub fn record(&self) -> Option<&'a GameRecord> {
        self.finding.game.and_then(|game| self.games.get(game as usize))
    }

    /// The bytes that the spans of the finding and of its game's record count in.
    pub fn chunk(&self) -> &'a [u8] {
        self.bytes
    }

    /// From the start of the file.
    pub fn offset(&self) -> u64 {
        self.absolute(self.finding.span)
    }

    /// Where an edit of the finding's fix begins, from the start of the file.
    pub fn absolute(&self, span: Span) -> u64 {
        self.place.offset + span.start as u64
    }

    /// By what the finding is known again in another run.
    pub fn identity(&self) -> Identity {
        let game = self.record().map(|record| record.key(self.bytes));
        Identity::of(self.finding, self.bytes, game)
    }

    /// The token's text, cut off where it is long.
    pub fn token(&self) -> Cow<'a, str> {
        self.finding.token(self.bytes, self.encoding)
    }

    /// `50... b1`
    pub fn move_label(&self) -> Option<String> {
        self.finding.move_label(self.bytes, self.encoding)
    }

    /// What the token becomes when the finding's fix is done; `None` where there is no fix, it
    /// has no edit or touches what is beside the token, or the token is too long to be shown whole.
    pub fn rewrite(&self) -> Option<Vec<u8>> {
        let Span { start, end } = self.finding.span;
        let fix = self.finding.fix.as_deref()?;
        let inside = |edit: &Edit| start <= edit.span.start && edit.span.end <= end;
        if fix.edits.is_empty() || !fix.edits.iter().all(inside) || end - start > MOST_REWRITTEN {
            return None;
        }
        let (mut rewrite, mut at) = (Vec::new(), start);
        for edit in &fix.edits {
            // Edits that stand in no order, or over each other, have no result to show.
            rewrite.extend_from_slice(self.bytes.get(at..edit.span.start)?);
            rewrite.extend_from_slice(&edit.content);
            at = edit.span.end;
        }
        rewrite.extend_from_slice(&self.bytes[at..end]);
        Some(rewrite)
    }

    /// What stands before the token on its line, as far as the chunk holds it, and whether the
    /// line begins there.
    pub fn line_before(&self) -> (&'a [u8], bool) {
        let start = self.line_start.unwrap_or(0);
        let whole = self.line_start.is_some() || self.place.column == 0;
        (&self.bytes[start..self.finding.span.start], whole)
    }

    /// The token and everything behind it, to the end of the chunk.
    pub fn from_token(&self) -> &'a [u8] {
        &self.bytes[self.finding.span.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Fix;
    use crate::rules::moves;

    const PLACE: ChunkPlace<'static> =
        ChunkPlace { source: "a.pgn", offset: 1_000, column: 3, games: 10, lines: 20 };

    #[test]
    fn every_offset_gets_the_place_that_a_line_cursor_gives_it() {
        let bytes = b"x\r\nab\n\n\rc\r\nlast";
        let mut report = ChunkReport::default();
        for at in 0..=bytes.len() {
            report.findings.push(Finding::new(&moves::UNREADABLE_MOVE, Span::new(at, at)));
        }
        let judged = Judged { place: PLACE, bytes, report: &report };
        for located in judged.findings() {
            let at = located.finding.span.start;
            let mut cursor = LineCursor::new(bytes, PLACE.column);
            assert_eq!(located.line, 21 + cursor.line_ends_before(at), "{at}");
            assert_eq!(located.column, cursor.column(), "{at}");
            assert_eq!(located.offset(), 1_000 + at as u64);
        }
    }

    #[test]
    fn a_rewrite_is_the_token_after_the_fix_where_the_fix_stays_inside_it() {
        let bytes = b"19. e2-e4 N";
        let edit = |start, end, content: &[u8]| Edit {
            span: Span::new(start, end),
            content: content.to_vec(),
        };
        let table = [
            (vec![edit(4, 7, b"")], Some("e4")),
            (vec![edit(9, 9, b"+")], Some("e2-e4+")),
            (vec![edit(4, 6, b"d2"), edit(6, 7, b"x")], Some("d2xe4")),
            (vec![edit(4, 9, b"")], Some("")),
            (vec![edit(0, 1, b"")], None),
            (vec![edit(6, 7, b"x"), edit(4, 6, b"d2")], None),
        ];
        for (edits, expected) in table {
            let mut fix = Fix::safe("", Span::default(), "");
            fix.edits = edits;
            let mut report = ChunkReport::default();
            report.findings.push(Finding::new(&moves::UNREADABLE_MOVE, Span::new(4, 9)).fix(fix));
            let judged = Judged { place: PLACE, bytes, report: &report };
            let rewrite = judged.findings().next().unwrap().rewrite();
            assert_eq!(rewrite.as_deref(), expected.map(str::as_bytes), "{expected:?}");
        }
    }

    #[test]
    fn games_count_from_one_in_their_file() {
        let mut report = ChunkReport::default();
        let mut finding = Finding::new(&moves::UNREADABLE_MOVE, Span::new(0, 1));
        report.findings.push(finding.clone());
        finding.game = Some(1);
        report.findings.push(finding);
        let judged = Judged { place: PLACE, bytes: b"x", report: &report };
        let games: Vec<_> = judged.findings().map(|located| located.game()).collect();
        assert_eq!(games, [None, Some(12)]);
    }
}
