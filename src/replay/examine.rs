//! The examiner: the bytes of one framed game come in, its findings and its record come out.
//!
//! It reads every byte as a token, replays the main line and the variations on shakmaty, without
//! recursion, and judges every rule. Behind the first fault of the main line its moves are counted
//! and no longer judged, so that one fault gives one finding; what does not need the board
//! (comments, variations' brackets, the result) is judged to the end.

mod both_lanes;
mod claims;
mod closing;
mod contradiction;
mod lane;
mod mainline;
mod notation;
mod open_move;
mod opening;
mod options;
mod refused;
mod strange;
mod variant;

use std::cell::OnceCell;

use both_lanes::FramedGame;
use contradiction::{Contradiction, MadePromotion};
use lane::FastLane;
use mainline::Facts;
pub use options::{AfterIllegal, ExaminerOptions, Lane};
use refused::Uncounted;

use super::decision::Decision;
use super::evidence::Budget;
use super::fast::Handover;
use super::kept::Kept;
use super::line::Line;
use super::{
    ChunkRecords, GameResult, KnownTags, MoveList, Profile, Promotions, Repetitions, StartPosition,
    Trace, Verdict,
};
use crate::diagnostics::{Finding, GameFindings, Ply, Rule, Span};
use crate::pgn::framing::Frame;
use crate::pgn::{Dialect, Lexer, TagDate, TagPair, Token, TokenKind, read_clock};
use crate::rules::bytes::{self, Strange};
use crate::rules::characters::check_characters;
use crate::rules::{annotations, structure};
use crate::source::TextEncoding;
use crate::summary::Counts;

/// Variations nested deeper than this are kept and not replayed.
pub const DEEPEST_VARIATION: usize = 1024;

/// A move's number, its dots and the blanks between them are no more tokens than these.
const TOKENS_TO_A_MOVE: usize = 4;

/// Judges game after game; what it allocates it keeps for the next one.
#[derive(Debug, Default)]
pub struct Examiner {
    options: ExaminerOptions,
    tags: Vec<(Span, TagPair)>,
    other_tags: Vec<(Span, TagPair)>,
    repetitions: Repetitions,
    promotions: Promotions,
    /// The certified promotions of the game.
    made: Vec<MadePromotion>,
    /// What is played, for those who asked to see or compare it.
    kept: Option<Box<Kept>>,
    /// The lines that wait for the variation inside them to end, each with its `(`.
    outer: Vec<(Line, Span)>,
    /// Variations deeper than [`DEEPEST_VARIATION`] that are open.
    too_deep: usize,
    /// HTML, and the `>` of a quoted mail, in the order of the text.
    markup: Vec<Span>,
    mail_quotes: Vec<Span>,
}

/// How the source ends, as far as a game has to do with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Behind the game, or with a line end.
    #[default]
    Whole,
    /// With the game and without a line end: unless a marker ends the game, the file was cut.
    Open,
    /// With the game, since nothing could be read behind it.
    Damaged,
}

/// Where the examiner puts what it finds.
#[derive(Debug)]
pub struct Output<'a> {
    pub findings: &'a mut Vec<Finding>,
    pub records: &'a mut ChunkRecords,
    pub counts: &'a mut Counts,
}

impl Examiner {
    pub fn new(options: ExaminerOptions) -> Examiner {
        Examiner { options, ..Examiner::default() }
    }

    /// Keeps what is played in each game, until the next one.
    pub fn tracing(options: ExaminerOptions) -> Examiner {
        let kept = Some(Box::new(Kept::Trace(Trace::default())));
        Examiner { options, kept, ..Examiner::default() }
    }

    /// Keeps the moves of each game, until the next one, for comparison.
    pub fn keeping_moves() -> Examiner {
        Examiner { kept: Some(Box::new(Kept::Moves(MoveList::default()))), ..Examiner::default() }
    }

    /// The last game's moves, if they were to be kept.
    pub fn moves(&self) -> Option<&MoveList> {
        match self.kept.as_deref() {
            Some(Kept::Moves(moves)) => Some(moves),
            _ => None,
        }
    }

    /// The last game's moves on the board, if they were to be traced.
    pub fn trace(&self) -> Option<&Trace> {
        match self.kept.as_deref() {
            Some(Kept::Trace(trace)) => Some(trace),
            _ => None,
        }
    }

    /// Judges the game in `frame`, the `game`th of its chunk, and appends what it finds.
    /// `lines_before` goes into the record.
    pub fn examine(
        &mut self,
        bytes: &[u8],
        frame: &Frame,
        ending: Ending,
        game: u32,
        lines_before: u64,
        output: &mut Output<'_>,
    ) {
        debug_assert!(!frame.is_guess, "nobody would see that it is wrong");
        self.examine_guess(bytes, frame, ending, game, lines_before, output);
    }

    /// The same of a frame that may be a [guess](crate::pgn::framing::Framer::guess). Says whether
    /// it is a game; else nothing is appended.
    pub fn examine_guess(
        &mut self,
        bytes: &[u8],
        frame: &Frame,
        ending: Ending,
        game: u32,
        lines_before: u64,
        output: &mut Output<'_>,
    ) -> bool {
        if self.options.lane == Lane::Both {
            let game = FramedGame { bytes, frame, ending, game, lines_before };
            self.examine_both_ways(&game, output);
            return true;
        }
        let mut settled = None;
        let found = loop {
            let mut found = GameFindings::new(output.findings, game);
            let mut exam = Exam::new(self, bytes, frame, game, &mut found);
            exam.ending = ending;
            exam.settle(settled.take());
            if frame.oversized {
                exam.pass_through();
            } else {
                exam.read();
            }
            if frame.is_guess && !exam.fast.went_through() {
                found.discard();
                self.promotions.abandon();
                return false;
            }
            match exam.again.take() {
                // Once for each of the two at most: what is settled is not asked again.
                Some(first) => {
                    settled = Some(first);
                    found.discard();
                    self.promotions.abandon();
                }
                None => {
                    output.counts.open_promotions += u64::from(exam.facts.open_promotions);
                    if exam.examiner.options.lane == Lane::Fast {
                        exam.fast.count(&mut output.counts.lanes);
                    }
                    let record = exam.close(lines_before, output.records);
                    output.counts.game(&record);
                    output.records.games.push(record);
                    break found;
                }
            }
        };
        for (rule, times) in found.finish() {
            output.counts.rule(rule, times);
        }
        true
    }
}

/// One game under examination.
struct Exam<'e, 'a, 'f> {
    examiner: &'e mut Examiner,
    bytes: &'a [u8],
    frame: &'a Frame,
    ending: Ending,
    /// What the tokens must be looked through for.
    strange: Strange,
    /// A move that may be half of one, at the end of a source that was cut.
    half_move: Option<Span>,
    /// The source ends before the game's movetext.
    cut_in_tags: bool,
    game: u32,
    encoding: TextEncoding,
    found: &'e mut GameFindings<'f>,
    known: KnownTags,
    start: Option<StartPosition>,
    date: Option<TagDate>,
    /// The main line, or the variation that is being read.
    line: Line,
    /// Half-moves of the main line in the text.
    plies: u32,
    marker: Option<(GameResult, bool, Span)>,
    last_comment: Option<Span>,
    facts: Facts,
    /// Whose rules end the game, once it was asked.
    profile: OnceCell<Profile>,
    /// Why the moves, or those from some ply on, are not certified.
    stop: Option<Verdict>,
    seen: Seen,
    dialect: Dialect,
    /// Languages in which the game reads the same, if it is not the standard's.
    languages: Vec<&'static str>,
    /// Whether it was asked, or told, in which dialect the game is written.
    dialect_settled: bool,
    /// A promotion to another piece than the one that it names, if that was asked.
    contradiction: Option<Contradiction>,
    /// The game is to be read again, so.
    again: Option<FirstReading>,
    /// What may still go into evidence, once that was asked for.
    budget: Option<Budget>,
    /// An explanation that is not wholly counted there.
    uncounted: Option<Box<Uncounted<'a>>>,
    /// Whether any move of the main line is marked as check, once that was asked.
    marks_checks: Option<bool>,
    /// Where the movetext begins.
    movetext_start: usize,
    /// The words of the main line, once they were asked for.
    main_line: OnceCell<Vec<Span>>,
    /// What stands before this was read.
    skip_to: usize,
    fast: FastLane,
}

/// What a first reading of a game settled.
#[derive(Debug)]
struct FirstReading {
    /// Its dialect, where it was asked.
    dialect: Option<Decision>,
    contradiction: Option<Contradiction>,
}

/// Which parts of the text were seen, for what may stand between them.
#[derive(Debug, Default)]
struct Seen {
    /// End of the last tag pair.
    last_tag: Option<usize>,
    /// An empty line since the last tag pair.
    empty_line: Option<Span>,
    /// Markup since the last tag pair, which may stand for an empty line.
    markup: bool,
    movetext: bool,
}

impl<'e, 'a, 'f> Exam<'e, 'a, 'f> {
    fn new(
        examiner: &'e mut Examiner,
        bytes: &'a [u8],
        frame: &'a Frame,
        game: u32,
        found: &'e mut GameFindings<'f>,
    ) -> Self {
        examiner.tags.clear();
        examiner.outer.clear();
        examiner.made.clear();
        examiner.too_deep = 0;
        let strange = Strange::of(frame.game.of(bytes));
        let encoding = if strange.is_ascii() {
            TextEncoding::Ascii
        } else {
            check_characters(bytes, frame.game, found)
        };
        examiner.markup.clear();
        examiner.mail_quotes.clear();
        if let Some(kept) = &mut examiner.kept {
            kept.clear();
        }
        Exam {
            examiner,
            bytes,
            frame,
            ending: Ending::Whole,
            strange,
            half_move: None,
            cut_in_tags: false,
            game,
            encoding,
            found,
            known: KnownTags::default(),
            start: None,
            date: None,
            line: Line::default(),
            plies: 0,
            marker: None,
            last_comment: None,
            profile: OnceCell::new(),
            facts: Facts::new(Span::new(frame.game.start, frame.game.start)),
            stop: None,
            seen: Seen::default(),
            dialect: Dialect::STANDARD,
            languages: Vec::new(),
            dialect_settled: false,
            contradiction: None,
            again: None,
            budget: None,
            uncounted: None,
            marks_checks: None,
            movetext_start: frame.game.start,
            main_line: OnceCell::new(),
            skip_to: 0,
            fast: FastLane::new(),
        }
    }

    /// Takes over what a first reading settled.
    fn settle(&mut self, first: Option<FirstReading>) {
        let Some(FirstReading { dialect, contradiction }) = first else { return };
        if let Some(Decision { dialect, languages }) = dialect {
            self.dialect = dialect;
            self.languages = languages;
            self.dialect_settled = true;
        }
        self.contradiction = contradiction;
    }

    fn read(&mut self) {
        let start = self.take_plain_tags();
        let mut lexer = Lexer::new(self.bytes, Span::new(start, self.frame.game.end));
        while let Some(token) = lexer.next() {
            if self.again.is_some() {
                return;
            }
            // It was read with the move before it.
            if token.span.start < self.skip_to {
                continue;
            }
            if self.strange.any() {
                self.look_for_strange_bytes(token);
            }
            match token.kind {
                TokenKind::Space => self.space(token.span),
                TokenKind::Escape => self.at_ply(&structure::ESCAPE_LINE, token.span),
                TokenKind::LineComment if self.seen.movetext => {
                    if self.examiner.outer.is_empty() {
                        self.last_comment = Some(token.span);
                    }
                    self.line_comment(token.span);
                }
                TokenKind::LineComment => {}
                TokenKind::Markup => self.markup(token.span),
                TokenKind::Comment { .. } => self.comment(token.span),
                TokenKind::Tag(pair) if !self.seen.movetext => self.tag(token.span, pair),
                _ => {
                    if !self.seen.movetext {
                        self.begin_movetext(token.span);
                        if self.may_take_fast_lane() {
                            let at = self.take_fast_lane(token.span.start);
                            if self.frame.is_guess && !self.fast.went_through() {
                                return;
                            }
                            lexer = self.lexer_from(at);
                            continue;
                        }
                        self.fast.left = Some(Handover::Start);
                        if self.frame.is_guess {
                            return;
                        }
                    }
                    self.movetext(token);
                }
            }
            if self.seen.movetext && self.may_take_fast_lane() && self.again.is_none() {
                let at = self.take_fast_lane(token.span.end.max(self.skip_to));
                lexer = self.lexer_from(at);
            }
        }
        if !self.seen.movetext {
            self.cut_in_tags = self.ending != Ending::Whole;
            let end = self.frame.game.end;
            self.read_tags(Span::new(end, end));
        }
        let movetext = self.seen.last_tag.unwrap_or(self.frame.game.start);
        let movetext = Span::new(movetext, self.frame.game.end);
        if let Some(finding) = bytes::overlong_lines(self.bytes, movetext) {
            self.found.push(finding);
        }
    }

    /// The tokens of the movetext that is left.
    fn lexer_from(&self, at: usize) -> Lexer<'a> {
        Lexer::movetext(self.bytes, Span::new(at, self.frame.game.end))
    }

    fn space(&mut self, span: Span) {
        if span.len() < 2 {
            return;
        }
        let Some(empty) = structure::empty_line(self.bytes, span) else { return };
        if self.seen.movetext {
            let ply = self.ply_before();
            self.found.push(structure::blank_line_in_movetext(empty).ply(ply));
        } else if self.seen.last_tag.is_some() {
            self.seen.empty_line.get_or_insert(empty);
        }
    }

    #[cold]
    fn markup(&mut self, span: Span) {
        self.seen.markup = true;
        if span.of(self.bytes)[0] == b'>' {
            self.examiner.mail_quotes.push(span);
        } else {
            self.examiner.markup.push(span);
        }
    }

    fn comment(&mut self, span: Span) {
        let ply = self.ply_before();
        if let Some(cut) = self.frame.cut_comment.filter(|cut| cut.open == span.start) {
            self.found.push(structure::cut_comment(&cut, self.frame.game.end).ply(ply));
            // One that is closed too late is a comment all the same.
            if cut.late_close.is_none() {
                self.stop.get_or_insert(Verdict::Unreadable);
            }
        }
        if let Some(nested) = memchr::memchr(b'{', &span.of(self.bytes)[1..]) {
            let at = span.start + 1 + nested;
            self.found
                .push(Finding::new(&structure::NESTED_COMMENT, Span::new(at, at + 1)).ply(ply));
        }
        if self.examiner.outer.is_empty() {
            self.last_comment = Some(span);
            if self.examiner.promotions.any()
                && let Some(seconds) = read_clock(span.of(self.bytes))
            {
                self.examiner.promotions.clock(self.plies, seconds);
            }
        }
    }

    #[inline]
    fn movetext(&mut self, token: Token) {
        let span = token.span;
        match token.kind {
            TokenKind::MoveNumber => self.number(span),
            TokenKind::Word if self.may_be_half_a_move(span) => self.half_move = Some(span),
            TokenKind::Word => self.word(span),
            TokenKind::RavOpen => self.open_variation(span),
            TokenKind::RavClose if self.examiner.too_deep > 0 => self.examiner.too_deep -= 1,
            TokenKind::RavClose => match self.examiner.outer.pop() {
                Some((outer, _)) => self.line = outer,
                None => self.at_ply(&structure::STRAY_VARIATION_CLOSE, span),
            },
            TokenKind::CommentClose if self.frame.late_close == Some(span.start) => {}
            TokenKind::CommentClose => self.at_ply(&structure::STRAY_COMMENT_CLOSE, span),
            TokenKind::Termination { result, standard } => {
                // Inside a variation it ends nothing, unless the frame ends with it.
                if self.examiner.outer.is_empty() || span.end == self.frame.game.end {
                    self.marker = Some((result, standard, span));
                }
            }
            TokenKind::Junk | TokenKind::Tag(_) => self.at_ply(&structure::UNKNOWN_TOKEN, span),
            TokenKind::Suffix => self.suffix(span),
            TokenKind::Nag => self.nag(span),
            TokenKind::Space
            | TokenKind::Markup
            | TokenKind::Escape
            | TokenKind::LineComment
            | TokenKind::Comment { .. } => {}
        }
    }

    #[inline(never)]
    fn nag(&mut self, span: Span) {
        if let Some(finding) = annotations::check_nag(self.bytes, span) {
            let ply = self.ply_before();
            self.found.push(finding.ply(ply));
        }
    }

    fn open_variation(&mut self, span: Span) {
        if self.examiner.outer.len() >= DEEPEST_VARIATION {
            if !self.found.has(&structure::VARIATION_TOO_DEEP) {
                self.at_ply(&structure::VARIATION_TOO_DEEP, span);
            }
            self.examiner.too_deep += 1;
            self.line.live = false;
            return;
        }
        let variation = self.line.variation();
        self.examiner.outer.push((std::mem::replace(&mut self.line, variation), span));
    }

    /// Where something stands that is no move: behind the ply before it.
    fn ply_before(&self) -> Ply {
        let mut ply = self.line.last_move();
        if self.examiner.outer.is_empty() {
            // Behind a fault the line stands still, and the text goes on.
            ply.index = self.plies;
        }
        Ply { at_move: false, ..ply }
    }

    fn at_ply(&mut self, rule: &'static Rule, span: Span) {
        let ply = self.ply_before();
        self.found.push(Finding::new(rule, span).ply(ply));
    }
}
