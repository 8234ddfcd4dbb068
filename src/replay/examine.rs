//! The examiner: the bytes of one framed game come in, its findings and its record come out.
//!
//! It reads every byte as a token, replays the main line and the variations on shakmaty, without
//! recursion, and judges every rule. Behind the first fault of the main line its moves are counted
//! and no longer judged, so that one fault gives one finding; what does not need the board
//! (comments, variations' brackets, the result) is judged to the end.

mod closing;
mod mainline;

use mainline::Facts;

use super::line::Line;
use super::{
    ChunkRecords, GameResult, KnownTags, Promotions, Repetitions, Start, StartPosition, Trace,
    Verdict, read_start,
};
use crate::diagnostics::{Finding, Fix, GameFindings, Ply, Rule, Span};
use crate::pgn::framing::Frame;
use crate::pgn::{Lexer, TagDate, TagPair, Token, TokenKind, read_clock};
use crate::rules::{structure, tags};
use crate::summary::Counts;

/// Variations nested deeper than this are kept and not replayed.
pub const DEEPEST_VARIATION: usize = 1024;

/// Judges game after game; what it allocates it keeps for the next one.
#[derive(Debug, Default)]
pub struct Examiner {
    /// Whether promotions, and hashes of moves and bytes, are wanted for tables.
    collect: bool,
    tags: Vec<(Span, TagPair)>,
    other_tags: Vec<(Span, TagPair)>,
    repetitions: Repetitions,
    promotions: Promotions,
    /// What is played, for those who asked to see it.
    trace: Option<Box<Trace>>,
    /// The lines that wait for the variation inside them to end, each with its `(`.
    outer: Vec<(Line, Span)>,
    /// Variations deeper than [`DEEPEST_VARIATION`] that are open.
    too_deep: usize,
}

/// Where the examiner puts what it finds.
#[derive(Debug)]
pub struct Output<'a> {
    pub findings: &'a mut Vec<Finding>,
    pub records: &'a mut ChunkRecords,
    pub counts: &'a mut Counts,
}

impl Examiner {
    /// `collect` asks for the promotions and hashes that only tables need.
    pub fn new(collect: bool) -> Examiner {
        Examiner { collect, ..Examiner::default() }
    }

    /// Keeps what is played in each game, until the next one.
    pub fn tracing() -> Examiner {
        Examiner { trace: Some(Box::default()), ..Examiner::default() }
    }

    /// The last game's moves, if they were to be kept.
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_deref()
    }

    /// Judges the game in `frame`, the `game`th of its chunk, and appends what it finds.
    /// `lines_before` goes into the record.
    pub fn examine(
        &mut self,
        bytes: &[u8],
        frame: &Frame,
        game: u32,
        lines_before: u64,
        output: &mut Output<'_>,
    ) {
        let mut found = GameFindings::new(output.findings, game);
        let mut exam = Exam::new(self, bytes, frame, game, &mut found);
        if frame.oversized {
            exam.pass_through();
        } else {
            exam.read();
        }
        let record = exam.close(lines_before, &mut output.records.promotions);
        for (rule, times) in found.finish() {
            output.counts.rule(rule, times);
        }
        output.counts.game(&record);
        output.records.games.push(record);
    }
}

/// One game under examination.
struct Exam<'e, 'a, 'f> {
    examiner: &'e mut Examiner,
    bytes: &'a [u8],
    frame: &'a Frame,
    game: u32,
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
    /// Why the moves, or those from some ply on, are not certified.
    stop: Option<Verdict>,
    seen: Seen,
}

/// Which parts of the text were seen, for what may stand between them.
#[derive(Debug, Default)]
struct Seen {
    /// End of the last tag pair.
    last_tag: Option<usize>,
    /// An empty line since the last tag pair.
    empty_line: Option<Span>,
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
        examiner.too_deep = 0;
        if let Some(trace) = &mut examiner.trace {
            trace.clear();
        }
        Exam {
            examiner,
            bytes,
            frame,
            game,
            found,
            known: KnownTags::default(),
            start: None,
            date: None,
            line: Line::default(),
            plies: 0,
            marker: None,
            last_comment: None,
            facts: Facts::new(Span::new(frame.game.start, frame.game.start)),
            stop: None,
            seen: Seen::default(),
        }
    }

    /// A game that is too long to be judged: only its tags are read.
    fn pass_through(&mut self) {
        for token in Lexer::new(self.bytes, self.frame.game) {
            match token.kind {
                TokenKind::Tag(pair) => self.examiner.tags.push((token.span, pair)),
                TokenKind::Space
                | TokenKind::Escape
                | TokenKind::LineComment
                | TokenKind::Comment { .. } => {}
                _ => break,
            }
        }
        let start = self.frame.game.start;
        self.known = self.check_tags(start);
        self.found.push(structure::oversized_game(Span::new(start, start)));
        self.line.live = false;
        self.stop = Some(Verdict::Unjudged);
    }

    fn read(&mut self) {
        for token in Lexer::new(self.bytes, self.frame.game) {
            match token.kind {
                TokenKind::Space => self.space(token.span),
                TokenKind::Escape | TokenKind::LineComment => {}
                TokenKind::Comment { .. } => self.comment(token.span),
                TokenKind::Tag(pair) if !self.seen.movetext => self.tag(token.span, pair),
                _ => {
                    if !self.seen.movetext {
                        self.begin_movetext(token.span);
                    }
                    self.movetext(token);
                }
            }
        }
        if !self.seen.movetext {
            self.read_tags();
        }
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

    fn tag(&mut self, span: Span, pair: TagPair) {
        if let Some(empty) = self.seen.empty_line.take() {
            self.found.push(structure::blank_line_in_tags(empty));
        }
        self.seen.last_tag = Some(span.end);
        self.examiner.tags.push((span, pair));
    }

    fn comment(&mut self, span: Span) {
        let ply = self.ply_before();
        if let Some(cut) = self.frame.cut_comment.filter(|cut| cut.open == span.start) {
            self.found.push(structure::cut_comment(&cut, self.frame.game.end).ply(ply));
            self.stop.get_or_insert(Verdict::Unreadable);
        }
        if let Some(nested) = memchr::memchr(b'{', &span.of(self.bytes)[1..]) {
            let at = span.start + 1 + nested;
            self.found
                .push(Finding::new(&structure::NESTED_COMMENT, Span::new(at, at + 1)).ply(ply));
        }
        if self.examiner.outer.is_empty() {
            self.last_comment = Some(span);
            if self.facts.promotions > 0
                && self.examiner.collect
                && let Some(seconds) = read_clock(span.of(self.bytes))
            {
                self.examiner.promotions.clock(self.plies, seconds);
            }
        }
    }

    fn read_tags(&mut self) {
        self.seen.movetext = true;
        let start = self.frame.game.start;
        self.known = self.check_tags(start);
        let value = |span: Option<Span>| span.map(|span| span.of(self.bytes));
        let date = |span: Option<Span>| value(span).and_then(TagDate::parse);
        self.date = date(self.known.date).or_else(|| date(self.known.utc_date));
        match read_start(value(self.known.variant), value(self.known.fen)) {
            Start::Position(start) => {
                if let Some(fen) = self.known.fen {
                    tags::check_start(fen, &start, self.found);
                }
                self.line = Line::new(&start.position);
                if let Some(trace) = &mut self.examiner.trace {
                    trace.begin(&start.position);
                }
                self.begin_facts(&start);
                self.start = Some(start);
            }
            Start::Unplayable(reason) => {
                let fen = self.known.fen.unwrap_or_default();
                self.found.push(Finding::new(&tags::ILLEGAL_POSITION, fen).message(reason));
                self.line.live = false;
                self.stop = Some(Verdict::Unreadable);
            }
            Start::UnknownVariant => {
                let variant = self.known.variant.unwrap_or_default();
                self.found.push(tags::unsupported_variant(self.bytes, variant));
                self.line.live = false;
                self.stop = Some(Verdict::Unjudged);
            }
        }
    }

    fn check_tags(&mut self, start: usize) -> KnownTags {
        let Examiner { tags, other_tags, .. } = &mut *self.examiner;
        tags::check_tags(self.bytes, start, tags, other_tags, self.found)
    }

    fn begin_movetext(&mut self, first: Span) {
        self.read_tags();
        if let Some(end) = self.seen.last_tag
            && self.seen.empty_line.is_none()
        {
            self.found.push(
                Finding::new(&structure::NO_BLANK_LINE_AFTER_TAGS, first).fix(Fix::safe(
                    "insert an empty line",
                    Span::new(end, end),
                    "\n",
                )),
            );
        }
    }

    #[inline]
    fn movetext(&mut self, token: Token) {
        let span = token.span;
        match token.kind {
            TokenKind::MoveNumber => self.line.number(self.bytes, span),
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
            TokenKind::Nag
            | TokenKind::Suffix
            | TokenKind::Space
            | TokenKind::Escape
            | TokenKind::LineComment
            | TokenKind::Comment { .. } => {}
        }
    }

    fn open_variation(&mut self, span: Span) {
        if self.examiner.outer.len() >= DEEPEST_VARIATION {
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
