//! Cuts a stream into games and the gaps between them: every byte stands in one of them.
//!
//! A game begins at a [candidate](super::boundary), or, behind the end of a game or at the start
//! of the source, at a tag line, at a move number with a move, or at a legal first move. It ends
//! behind its termination marker, else before the next candidate. A comment that runs over a
//! candidate holds it inside only if its `}` comes within [`LOOKBACK`] bytes of its `{` and what
//! follows goes on with the outer game; otherwise it ends at the candidate.
//!
//! A game or gap of more than [`LONGEST_STRETCH`] bytes is passed through: a game is cut there and
//! not judged, and the rest, up to the next safe candidate, counts as a gap.

use memchr::memchr2;

use super::boundary::{self, LONGEST_TAG_START, LOOKBACK};
use super::lexer::Lexer;
use super::san;
use super::token::TokenKind;
use crate::diagnostics::Span;
use crate::engine::{Cut, Cutter};

/// The longest game, and the longest gap, that is held in memory.
pub const LONGEST_STRETCH: usize = 8 * 1024 * 1024;

/// Comments of one game for which it is asked whether the game goes on behind them; further ones
/// end at the candidate that they run over. Bounds the work on hostile input.
const MOST_LONG_COMMENTS: u32 = 16;

/// How far behind the end of something a decision looks at what follows.
const LOOKAHEAD: usize = 4 * 1024;

/// Every decision about a game start needs no more bytes behind it than this.
const CERTAIN: usize = LOOKBACK + 4 * LOOKAHEAD;

/// Whether a game goes on behind a comment that runs over a candidate. Needs the board, so the
/// replay answers it.
pub trait Continuation {
    /// `outer` holds the game up to the comment's `{`; `after` begins behind its `}`.
    fn goes_on(&mut self, outer: &[u8], after: &[u8]) -> bool;
}

/// One game and the gap behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// From the first token to the termination marker, or to the last token.
    pub game: Span,
    /// From the game's end to the next game's start.
    pub gap: Span,
    /// Text in the gap that is neither comment nor escape line, if there is any.
    pub gap_text: Option<Span>,
    /// A comment of this game that was cut off at the next candidate.
    pub cut_comment: Option<CutComment>,
    /// The next game begins on the line on which this one ends.
    pub glued: bool,
    /// The game is longer than [`LONGEST_STRETCH`].
    pub oversized: bool,
    /// The game holds a `(` outside of its comments.
    pub has_variations: bool,
    /// The `}` that belongs to a comment cut off in the game before.
    pub late_close: Option<usize>,
}

/// A comment that ends at a candidate because it is never closed, or too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutComment {
    /// Its `{`.
    pub open: usize,
    /// The `}` that came too late, in the game that was split out; none where it is never closed.
    pub late_close: Option<usize>,
}

/// What stands before the first game of a chunk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeadingGap {
    pub gap: Span,
    pub gap_text: Option<Span>,
}

/// Walks over the games of a chunk.
#[derive(Debug)]
pub struct Framer<'a, C> {
    bytes: &'a [u8],
    continuation: C,
    /// Where the next game begins; `bytes.len()` at the end.
    at: usize,
    /// The first candidate at or behind some place, and that place.
    candidate: (usize, usize),
    late_close: Option<usize>,
}

impl<'a, C: Continuation> Framer<'a, C> {
    /// `at_start` says that the chunk begins its source, so that anything may stand before the
    /// first game; any other chunk begins with a game.
    pub fn new(bytes: &'a [u8], at_start: bool, continuation: C) -> (Framer<'a, C>, LeadingGap) {
        let mut framer = Framer { bytes, continuation, at: 0, candidate: (0, 0), late_close: None };
        if !at_start {
            framer.candidate =
                (1, boundary::next_candidate(bytes, 1.min(bytes.len())).unwrap_or(bytes.len()));
            return (framer, LeadingGap::default());
        }
        framer.candidate = (0, boundary::next_candidate(bytes, 0).unwrap_or(bytes.len()));
        let gap = framer.read_gap(0);
        framer.at = gap.next;
        let leading = LeadingGap { gap: Span::new(0, gap.next), gap_text: gap.text };
        (framer, leading)
    }

    fn next_candidate(&mut self, from: usize) -> usize {
        let (asked, found) = self.candidate;
        if from >= self.bytes.len() {
            return self.bytes.len();
        }
        if from < asked || from > found {
            let found = boundary::next_candidate(self.bytes, from).unwrap_or(self.bytes.len());
            self.candidate = (from, found);
            return found;
        }
        found
    }

    fn next_safe_candidate(&self, from: usize) -> usize {
        boundary::next_safe_candidate(self.bytes, from).unwrap_or(self.bytes.len())
    }

    fn read_game(&mut self, start: usize) -> Game {
        let mut limit = self.next_candidate(start + 1);
        let mut game = Game { end: start, cut_comment: None, has_variations: false };
        let mut depth = 0u32;
        let mut long_comments = 0;
        let mut lexer = Lexer::new(self.bytes, Span::new(start, limit));
        loop {
            let Some(token) = lexer.next() else { return game };
            match token.kind {
                TokenKind::Space => continue,
                TokenKind::Comment { closed: false } if limit < self.bytes.len() => {
                    let open = token.span.start;
                    match self.close_of_long_comment(start, open, limit, long_comments) {
                        LongComment::Holds(close) => {
                            long_comments += 1;
                            limit = self.next_candidate(close + 1);
                            lexer = Lexer::movetext(self.bytes, Span::new(close + 1, limit));
                            game.end = close + 1;
                            continue;
                        }
                        LongComment::Cut(late_close) => {
                            game.cut_comment = Some(CutComment { open, late_close });
                            game.end = trimmed_end(self.bytes, open, limit);
                            return game;
                        }
                    }
                }
                TokenKind::Comment { closed: false } => {
                    let open = token.span.start;
                    game.cut_comment = Some(CutComment { open, late_close: None });
                    game.end = trimmed_end(self.bytes, open, token.span.end);
                    return game;
                }
                TokenKind::RavOpen => {
                    game.has_variations = true;
                    depth = depth.saturating_add(1);
                }
                TokenKind::RavClose => depth = depth.saturating_sub(1),
                TokenKind::Termination { .. }
                    if depth == 0 || self.ends_in_variation(token.span.end, limit) =>
                {
                    game.end = token.span.end;
                    return game;
                }
                _ => {}
            }
            game.end = token.span.end;
            if game.end - start > LONGEST_STRETCH {
                return game;
            }
        }
    }

    /// A marker inside a variation ends the game if the variation is not closed behind it and an
    /// empty line, the end or a new game follows.
    fn ends_in_variation(&self, end: usize, limit: usize) -> bool {
        let rest = &self.bytes[end..limit.min(end + LOOKAHEAD)];
        let blank = boundary::blank_len(rest);
        let line_ends = crate::diagnostics::count_line_ends(&rest[..blank]);
        blank == rest.len() || line_ends > 1 || self.begins_bare_game(end + blank, limit)
    }

    fn close_of_long_comment(
        &mut self,
        start: usize,
        open: usize,
        limit: usize,
        asked: u32,
    ) -> LongComment {
        // A `{` behind the candidate opens a comment of the inner game, so that the next `}` is
        // that one's: comments do not nest.
        let near = self.bytes.get(limit..self.bytes.len().min(open + LOOKBACK)).unwrap_or(&[]);
        let Some(close) = memchr2(b'{', b'}', near).filter(|&at| near[at] == b'}') else {
            return LongComment::Cut(None);
        };
        let close = limit + close;
        let after = &self.bytes[close + 1..self.bytes.len().min(close + 1 + LOOKAHEAD)];
        if asked < MOST_LONG_COMMENTS && self.continuation.goes_on(&self.bytes[start..open], after)
        {
            LongComment::Holds(close)
        } else {
            LongComment::Cut(Some(close))
        }
    }

    /// From the end of a game, or the start of the source, to the next game.
    fn read_gap(&mut self, start: usize) -> Gap {
        let mut limit = self.next_candidate(start);
        let mut gap = Gap { next: limit, text: None };
        if limit - start > LONGEST_STRETCH {
            limit = start + LONGEST_STRETCH;
            gap.next = self.next_safe_candidate(limit);
        }
        let mut at = start;
        let mut line_begins = true;
        while at < limit {
            let rest = &self.bytes[at..limit];
            let blank = boundary::blank_len(rest);
            if blank > 0 {
                line_begins |= rest[..blank].iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                at += blank;
                continue;
            }
            let line_end = at + memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            match rest[0] {
                b'%' if line_begins => at = line_end,
                b';' => at = line_end,
                b'{' if memchr::memchr(b'}', rest).is_some() => {
                    at += memchr::memchr(b'}', rest).map_or(0, |len| len + 1);
                }
                b'[' if boundary::opens_tag_line(self.bytes, at) => {
                    gap.next = at;
                    return gap;
                }
                _ if line_begins && self.begins_bare_game(at, limit) => {
                    gap.next = at;
                    return gap;
                }
                _ => {
                    let text = gap.text.get_or_insert(Span::new(at, at));
                    text.end = trimmed_end(self.bytes, at, line_end);
                    at = line_end;
                }
            }
            line_begins = false;
        }
        gap
    }

    /// Whether a game without tags begins here: a move number with a move, or a legal first move
    /// with something behind it that goes on with it.
    fn begins_bare_game(&self, at: usize, limit: usize) -> bool {
        let end = limit.min(at + LOOKAHEAD);
        let mut tokens = Lexer::movetext(self.bytes, Span::new(at, end))
            .filter(|token| !matches!(token.kind, TokenKind::Space | TokenKind::Comment { .. }));
        let Some(first) = tokens.next() else { return false };
        match first.kind {
            TokenKind::MoveNumber if self.bytes[at].is_ascii_digit() => {
                tokens.find(|token| token.kind != TokenKind::MoveNumber).is_some_and(|token| {
                    token.kind == TokenKind::Word && san::is_move_like(token.span.of(self.bytes))
                })
            }
            TokenKind::Word if san::is_first_move(first.span.of(self.bytes)) => tokens
                .find(|token| token.kind != TokenKind::MoveNumber)
                .is_none_or(|token| match token.kind {
                    TokenKind::Word => san::is_move_like(token.span.of(self.bytes)),
                    TokenKind::Termination { .. } | TokenKind::Nag | TokenKind::Suffix => true,
                    _ => false,
                }),
            _ => false,
        }
    }
}

impl<C: Continuation> Iterator for Framer<'_, C> {
    type Item = Frame;

    fn next(&mut self) -> Option<Frame> {
        let start = self.at;
        if start >= self.bytes.len() {
            return None;
        }
        let game = self.read_game(start);
        let late_close = self.late_close.take_if(|close| *close < game.end);
        if game.end - start > LONGEST_STRETCH {
            let end = start + LONGEST_STRETCH;
            self.at = self.next_safe_candidate(end);
            return Some(Frame {
                game: Span::new(start, end),
                gap: Span::new(end, self.at),
                gap_text: None,
                cut_comment: None,
                glued: false,
                oversized: true,
                has_variations: game.has_variations,
                late_close,
            });
        }
        let gap = self.read_gap(game.end);
        self.at = gap.next;
        if let Some(comment) = game.cut_comment {
            self.late_close = comment.late_close;
        }
        let between = &self.bytes[game.end..gap.next];
        Some(Frame {
            game: Span::new(start, game.end),
            gap: Span::new(game.end, gap.next),
            gap_text: gap.text,
            cut_comment: game.cut_comment,
            glued: gap.next < self.bytes.len() && memchr2(b'\n', b'\r', between).is_none(),
            oversized: false,
            has_variations: game.has_variations,
            late_close,
        })
    }
}

struct Game {
    end: usize,
    cut_comment: Option<CutComment>,
    has_variations: bool,
}

struct Gap {
    next: usize,
    text: Option<Span>,
}

enum LongComment {
    /// The comment goes on over the candidate to this `}`.
    Holds(usize),
    /// It ends at the candidate; with the `}` that came too late.
    Cut(Option<usize>),
}

fn trimmed_end(bytes: &[u8], start: usize, end: usize) -> usize {
    start + bytes[start..end].trim_ascii_end().len()
}

/// Cuts a PGN stream into chunks of whole games for the [engine](crate::engine).
#[derive(Debug)]
pub struct PgnCutter<C> {
    continuation: C,
    at_start: bool,
    in_overlong: bool,
}

impl<C: Continuation> PgnCutter<C> {
    pub fn new(continuation: C) -> PgnCutter<C> {
        PgnCutter { continuation, at_start: true, in_overlong: false }
    }

    /// The last game start in `buf` that no further byte can change, found by framing it.
    fn last_certain_start(&mut self, buf: &[u8]) -> Found {
        let (framer, leading) = Framer::new(buf, self.at_start, &mut self.continuation);
        let certain = buf.len().saturating_sub(CERTAIN);
        let mut last =
            if (1..=certain).contains(&leading.gap.end) { Some(leading.gap.end) } else { None };
        let mut stretch = 0;
        for frame in framer {
            if frame.oversized {
                stretch = frame.game.start;
                break;
            }
            stretch = if frame.gap.is_empty() { frame.game.start } else { frame.gap.start };
            // The game behind a cut comment must know of the brace that came too late.
            if frame.cut_comment.is_none() && (1..=certain).contains(&frame.gap.end) {
                last = Some(frame.gap.end);
            }
        }
        match last {
            Some(at) => Found::Start(at),
            None if certain.saturating_sub(stretch) > LONGEST_STRETCH => Found::Overlong,
            None => Found::Nothing,
        }
    }
}

enum Found {
    Start(usize),
    Overlong,
    Nothing,
}

impl<C: Continuation> Continuation for &mut C {
    fn goes_on(&mut self, outer: &[u8], after: &[u8]) -> bool {
        (**self).goes_on(outer, after)
    }
}

impl<C: Continuation + Send> Cutter for PgnCutter<C> {
    fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
        if self.in_overlong {
            // What was kept for looking back was searched already, but for its last bytes.
            let from = buf.len().min(OVERLAP - LONGEST_TAG_START + 1);
            if let Some(at) = boundary::next_safe_candidate(buf, from) {
                self.in_overlong = false;
                return Cut::At(at);
            }
            return match buf.len().checked_sub(OVERLAP) {
                _ if eof => Cut::At(buf.len()),
                Some(done) if done > 0 => Cut::Overlong(done),
                _ => Cut::More,
            };
        }
        if eof {
            return Cut::At(buf.len());
        }
        let cut = match boundary::last_safe_candidate(buf) {
            Some(at) => Found::Start(at),
            None if buf.len() <= CERTAIN => Found::Nothing,
            None => self.last_certain_start(buf),
        };
        match cut {
            Found::Start(at) => {
                self.at_start = false;
                Cut::At(at)
            }
            Found::Overlong => {
                self.at_start = false;
                self.in_overlong = true;
                Cut::Overlong(buf.len() - OVERLAP)
            }
            Found::Nothing => Cut::More,
        }
    }
}

/// Bytes of an overlong stretch that are kept for looking back from the next candidate.
const OVERLAP: usize = LOOKBACK + LONGEST_TAG_START;
