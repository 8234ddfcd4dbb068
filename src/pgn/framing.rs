//! Cuts a stream into games and the gaps between them: every byte stands in one of them.
//!
//! A game begins at a [candidate](super::boundary), or, behind the end of a game or at the start
//! of the source, at a tag line, at a move number with a move, or at a legal first move. It ends
//! behind its termination marker, else before the next candidate; one without tags also at an empty
//! line behind which the numbering begins again at 1. A comment that runs over a
//! candidate holds it inside only if its `}` comes within [`LOOKBACK`] bytes of its `{` and what
//! follows goes on with the outer game; otherwise it ends at the candidate.
//!
//! A game or gap of more than [`LONGEST_STRETCH`] bytes is passed through: a game is cut there and
//! not judged, and the rest, up to the next candidate, counts as a gap.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

use super::boundary::{self, LONGEST_TAG_START, LOOKBACK};
use super::lexer::Lexer;
use super::markup;
use super::san;
use super::section::PlainSection;
use super::space::spaces_len;
use super::tag::{self, line_len};
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

/// Of what follows, no more tokens than these tell whether it is a game.
const LOOKAHEAD_TOKENS: usize = 16;

/// Every decision about a game start needs no more bytes behind it than this.
const CERTAIN: usize = LOOKBACK + 4 * LOOKAHEAD;

/// [Marks](mark_at) of a chunk that is not cut further. Ordinary archives have some 10,000 in a chunk
/// of the usual size, and no game has none.
const MOST_MARKS: usize = 20_000;

/// Whether a game goes on behind a comment that runs over a candidate. Needs the board, so the
/// replay answers it.
pub trait Continuation {
    /// `outer` holds the game up to the comment's `{`; `after` begins behind its `}`.
    /// `asked` says how often it was asked of this game before.
    fn goes_on(&mut self, outer: &[u8], after: &[u8], asked: u32) -> bool;
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
    /// The plain tag pairs with which the game begins.
    pub section: PlainSection,
    /// It is a game if its movetext ends nowhere before its last word: see [`Framer::guess`].
    pub is_guess: bool,
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
    last: bool,
}

/// Where a chunk stands in its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// It begins the source, so that anything may stand before its first game.
    pub first: bool,
    /// No game follows it.
    pub last: bool,
}

impl Place {
    /// A source that is one chunk.
    pub const WHOLE: Place = Place { first: true, last: true };
}

impl<'a, C: Continuation> Framer<'a, C> {
    /// Any chunk but the first of a source begins with a game, and a game follows any but the
    /// last.
    pub fn new(bytes: &'a [u8], place: Place, continuation: C) -> (Framer<'a, C>, LeadingGap) {
        let mut framer = Framer {
            bytes,
            continuation,
            at: 0,
            candidate: (0, 0),
            late_close: None,
            last: place.last,
        };
        if !place.first {
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

    /// The next game, for who reads all of its movetext anyway: up to the next candidate, if a
    /// marker stands there and plain tags begin it. Nobody has looked whether it ends before that;
    /// where it does, or a comment is still open there, ask [`sure`](Framer::sure) in its place.
    pub fn guess(&mut self) -> Option<Frame> {
        let start = self.at;
        if start >= self.bytes.len() {
            return None;
        }
        let section = PlainSection::read(self.bytes, start);
        // Finding the end of these costs next to nothing.
        let simple = simple_game_end(self.bytes, &section);
        if simple.is_none() && self.late_close.is_none() && !section.is_empty() {
            let limit = self.next_candidate(section.end());
            let end = trimmed_end(self.bytes, section.end(), limit);
            let game = Span::new(start, end);
            let gap = Span::new(end, limit);
            let breaks_line = memchr2(b'\n', b'\r', gap.of(self.bytes)).is_some();
            let ends = [&b" 1-0"[..], b" 0-1", b" 1/2-1/2", b" *"];
            let text = Span::new(section.end(), end).of(self.bytes);
            if breaks_line
                && game.len() <= LONGEST_STRETCH
                && gap.len() <= LONGEST_STRETCH
                && ends.iter().any(|marker| text.ends_with(marker))
            {
                self.at = limit;
                return Some(Frame {
                    game,
                    gap,
                    gap_text: None,
                    cut_comment: None,
                    glued: false,
                    oversized: false,
                    has_variations: false,
                    late_close: None,
                    section,
                    is_guess: true,
                });
            }
        }
        self.frame(start, section, simple)
    }

    /// The game that was guessed wrong.
    pub fn sure(&mut self, guess: &Frame) -> Option<Frame> {
        self.at = guess.game.start;
        self.next()
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

    /// `simple` is the end of a game of moves alone.
    fn read_game(&mut self, start: usize, section: &PlainSection, simple: Option<usize>) -> Game {
        let plain = |end| Game { end, cut_comment: None, has_variations: false };
        if let Some(end) = simple {
            return plain(end);
        }
        // No candidate stands in a plain section.
        let limit = self.next_candidate(section.end().max(start + 1));
        match plain_game_end(self.bytes, start, section.end(), limit) {
            Some(end) => plain(end),
            None => self.read_tokens(start, limit),
        }
    }

    fn read_tokens(&mut self, start: usize, mut limit: usize) -> Game {
        let mut game = Game { end: start, cut_comment: None, has_variations: false };
        let bare = is_bare(self.bytes, start);
        let mut depth = 0u32;
        let mut long_comments = 0;
        let mut lexer = Lexer::new(self.bytes, Span::new(start, limit));
        loop {
            let Some(token) = lexer.next() else { return game };
            match token.kind {
                TokenKind::Space => {
                    let begun = bare && depth == 0 && game.end > start;
                    if begun && self.restarts(token.span, limit) {
                        return game;
                    }
                    continue;
                }
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

    /// Whether the numbering begins again at 1 behind this white space, if it holds an empty line:
    /// then another game without tags begins there, and this one has lost its marker.
    fn restarts(&self, space: Span, limit: usize) -> bool {
        let next = self.bytes[space.end..limit].strip_prefix(b"1.");
        next.is_some_and(|rest| !rest.starts_with(b"."))
            && crate::diagnostics::count_line_ends(space.of(self.bytes)) > 1
            && self.begins_bare_game(space.end, limit)
    }

    /// A marker inside a variation ends the game if the variation is not closed behind it and an
    /// empty line, the end or a new game follows.
    fn ends_in_variation(&self, end: usize, limit: usize) -> bool {
        let rest = &self.bytes[end..limit.min(end + LOOKAHEAD)];
        let blank = spaces_len(rest);
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
        if asked < MOST_LONG_COMMENTS
            && self.continuation.goes_on(&self.bytes[start..open], after, asked)
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
            gap.next = self.next_candidate(limit);
        }
        let mut at = start;
        let mut closes = Closes { next: None };
        let mut line_begins = true;
        while at < limit {
            let rest = &self.bytes[at..limit];
            let blank = spaces_len(rest);
            if blank > 0 {
                line_begins |= rest[..blank].iter().any(|byte| matches!(byte, b'\n' | b'\r'));
                at += blank;
                continue;
            }
            match rest[0] {
                b'%' if line_begins => at += line_len(rest),
                b';' => at += line_len(rest),
                b'<' | b'&' if markup::markup_len(rest) > 0 => {
                    let text = gap.text.get_or_insert(Span::new(at, at));
                    at += markup::markup_len(rest);
                    text.end = at;
                    continue;
                }
                b'>' if line_begins => {
                    at += markup::mail_quote_len(rest);
                    continue;
                }
                b'{' if let Some(close) = closes.within_reach(self.bytes, at, limit) => {
                    at = close + 1;
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
                    let line_end = at + line_len(rest);
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
            .take(LOOKAHEAD_TOKENS)
            .filter(|token| {
                !matches!(
                    token.kind,
                    TokenKind::Space | TokenKind::Markup | TokenKind::Comment { .. }
                )
            });
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
        let section = PlainSection::read(self.bytes, start);
        let simple = simple_game_end(self.bytes, &section);
        self.frame(start, section, simple)
    }
}

impl<C: Continuation> Framer<'_, C> {
    fn frame(
        &mut self,
        start: usize,
        section: PlainSection,
        simple: Option<usize>,
    ) -> Option<Frame> {
        let game = self.read_game(start, &section, simple);
        let late_close = self.late_close.take_if(|close| *close < game.end);
        if game.end - start > LONGEST_STRETCH {
            let end = start + LONGEST_STRETCH;
            self.at = self.next_candidate(end);
            return Some(Frame {
                game: Span::new(start, end),
                gap: Span::new(end, self.at),
                gap_text: None,
                cut_comment: None,
                glued: false,
                oversized: true,
                has_variations: game.has_variations,
                late_close,
                section,
                is_guess: false,
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
            glued: (gap.next < self.bytes.len() || !self.last)
                && memchr2(b'\n', b'\r', between).is_none(),
            oversized: false,
            has_variations: game.has_variations,
            late_close,
            section,
            is_guess: false,
        })
    }
}

#[derive(Debug, PartialEq, Eq)]
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

/// The end of a game that has nothing in its movetext but moves, numbers and a marker of the
/// standard with white space around it, as most games over the board. No candidate can come before
/// that marker, so that none is looked for.
fn simple_game_end(bytes: &[u8], section: &PlainSection) -> Option<usize> {
    if section.is_empty() {
        return None;
    }
    let start = section.end();
    let telling = next_telling(bytes, start)?;
    // The longest marker begins three bytes before its first telling one.
    let before = &bytes[start..telling];
    let word = before[before.len().saturating_sub(3)..].iter().rposition(|&byte| byte <= b' ')?;
    let word = telling + 1 + word - before.len().min(3);
    let (end, behind) = match &bytes[word..] {
        [b'1', b'-', b'0', behind @ ..] | [b'0', b'-', b'1', behind @ ..] => (word + 3, behind),
        [b'1', b'/', b'2', b'-', b'1', b'/', b'2', behind @ ..] => (word + 7, behind),
        [b'*', behind @ ..] => (word + 1, behind),
        _ => return None,
    };
    let alone = behind.first().is_none_or(|&byte| byte <= b' ');
    (alone && end - start <= LONGEST_STRETCH).then_some(end)
}

/// The end of a game that has no variations or other things in its movetext that could hide its
/// marker, and no comment that is not closed before the next candidate: found without cutting it
/// into tokens. `at` is a place behind which nothing but the tags before it was read.
fn plain_game_end(bytes: &[u8], start: usize, mut at: usize, limit: usize) -> Option<usize> {
    if is_bare(bytes, start) {
        return None;
    }
    let bytes = &bytes[..limit];
    loop {
        at += spaces_len(&bytes[at..]);
        if bytes.get(at) != Some(&b'[') {
            break;
        }
        at = tag::read(bytes, at)?.1;
    }
    let (mut from, mut markup, mut comments) = (at, false, false);
    let telling = loop {
        let telling = next_telling(bytes, from)?;
        from = match bytes[telling] {
            // It may hold a brace.
            b'<' if comments => return None,
            b'{' if markup => return None,
            b'<' => {
                markup = true;
                telling + 1
            }
            b'{' => {
                comments = true;
                at = telling + memchr(b'}', &bytes[telling..])? + 1;
                at
            }
            _ => break telling,
        };
    };
    let word = bytes[at..telling].iter().rposition(|&byte| byte <= b' ').map_or(0, |len| len + 1);
    let token = Lexer::movetext(bytes, Span::new(at + word, limit)).next()?;
    (matches!(token.kind, TokenKind::Termination { .. })
        && token.span.end - start <= LONGEST_STRETCH)
        .then_some(token.span.end)
}

/// A game without tags: only there an empty line may be all that parts two games.
fn is_bare(bytes: &[u8], start: usize) -> bool {
    bytes.get(start) != Some(&b'[')
}

/// The first byte from `from` on, which is above 0, that may belong to a termination marker or
/// begin what may hide one.
fn next_telling(bytes: &[u8], from: usize) -> Option<usize> {
    // Blocks of one size, of which the compiler looks at many bytes at once.
    const BLOCK: usize = 32;
    // Between comments there is little.
    let near = bytes.len().min(from + 16);
    first_telling(bytes, from..near).or_else(|| {
        let (blocks, _) = bytes[near..].as_chunks::<BLOCK>();
        let (blocks_before, _) = bytes[near - 1..].as_chunks::<BLOCK>();
        let holds = |(block, before): (&[u8; BLOCK], &[u8; BLOCK])| {
            let pairs = block.iter().zip(before);
            pairs.fold(false, |any, (&byte, &before)| any | is_telling(byte, before))
        };
        let passed = blocks.iter().zip(blocks_before).position(holds).unwrap_or(blocks.len());
        first_telling(bytes, near + BLOCK * passed..bytes.len())
    })
}

fn first_telling(bytes: &[u8], mut places: Range<usize>) -> Option<usize> {
    places.find(|&at| TELLING[usize::from(bytes[at])] && is_telling(bytes[at], bytes[at - 1]))
}

/// All bytes that can be telling.
const TELLING: [bool; 256] = {
    let mut telling = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        telling[byte] = is_telling(byte as u8, 0);
        byte += 1;
    }
    telling
};

/// Whether a byte belongs to a termination marker, or begins what may hide one. The dash of
/// castling does not.
#[inline(always)]
const fn is_telling(byte: u8, before: u8) -> bool {
    ((byte == b'-') & (before != b'O'))
        | (byte == b'/')
        | (byte == b'*')
        | (byte == b':')
        | (byte == b';')
        | (byte == b'(')
        | (byte == b'%')
        | (byte == b'<')
        | (byte == b'[')
        | (byte == b'{')
        | (byte >= 0x80)
}

/// The next `}` of a gap, looked for once.
struct Closes {
    next: Option<usize>,
}

impl Closes {
    /// The `}` within [`LOOKBACK`] of a `{` in a gap, which opens a comment only with one.
    fn within_reach(&mut self, bytes: &[u8], open: usize, limit: usize) -> Option<usize> {
        let next = self.next.filter(|&next| next >= open).unwrap_or_else(|| {
            memchr(b'}', &bytes[open..limit]).map_or(usize::MAX, |len| open + len)
        });
        self.next = Some(next);
        (next < open.saturating_add(LOOKBACK)).then_some(next)
    }
}

fn trimmed_end(bytes: &[u8], start: usize, end: usize) -> usize {
    start + bytes[start..end].trim_ascii_end().len()
}

/// 1 where a byte between two others may be part of what each game has one of: a `[` that opens no
/// command of a comment, a `*`, or a `-` that is neither a sign nor in castling.
#[inline(always)]
fn mark_at(before: u8, byte: u8, behind: u8) -> u8 {
    let is = |fact: bool| u8::from(fact);
    let in_castling = is(before == b'O') & is(behind == b'O');
    let is_sign = is(before == b' ') & is(behind > b' ');
    is(byte == b'*')
        | is(byte == b'[') & is(behind != b'%')
        | is(byte == b'-') & !in_castling & !is_sign & 1
}

/// Marks in a text, by blocks that a compiler turns into a few instructions each. One that stands
/// at the edge of a block may be missed: it is the order of magnitude that counts.
fn count_marks(text: &[u8]) -> usize {
    // A sum of so many fits into a byte.
    let blocks = text.chunks(192).filter_map(|block| {
        let (before, middle) = (block.get(..block.len() - 1)?, block.get(1..)?);
        let behind = middle.get(1..)?;
        let triples = before.iter().zip(middle).zip(behind);
        Some(triples.map(|((before, byte), behind)| mark_at(*before, *byte, *behind)).sum::<u8>())
    });
    blocks.map(usize::from).sum()
}

/// Some place in a text before which it has no more marks than this, and with what follows it has;
/// `None` where it has no more in all.
fn end_of_marks(text: &[u8], most: usize) -> Option<usize> {
    let count = |byte| memchr_iter(byte, text).count();
    if count(b'[') + count(b'*') + count(b'-') <= most {
        return None;
    }
    const STRIDE: usize = 16 * 1024;
    let mut marks = 0;
    let stride = text.chunks(STRIDE).position(|stride| {
        marks += count_marks(stride);
        marks > most
    });
    stride.map(|stride| stride * STRIDE)
}

/// Cuts a PGN stream into chunks of whole games for the [engine](crate::engine).
#[derive(Clone, Debug)]
pub struct PgnCutter<C> {
    continuation: C,
    at_start: bool,
    in_overlong: bool,
}

impl<C: Continuation> PgnCutter<C> {
    pub fn new(continuation: C) -> PgnCutter<C> {
        PgnCutter { continuation, at_start: true, in_overlong: false }
    }

    /// Where to cut a buffer that holds so many games that what is found in them would outweigh
    /// their bytes.
    fn cut_before_too_many(&mut self, buf: &[u8]) -> Option<usize> {
        let limit = end_of_marks(buf, MOST_MARKS)?.max(CERTAIN + LOOKBACK);
        let window = buf.get(..limit)?;
        boundary::last_safe_candidate(window).or_else(|| match self.last_certain_start(window) {
            Found::Start(at) => Some(at),
            Found::Overlong | Found::Nothing => None,
        })
    }

    /// The last game start in `buf` that no further byte can change, found by framing it.
    fn last_certain_start(&mut self, buf: &[u8]) -> Found {
        let place = Place { first: self.at_start, last: true };
        let (framer, leading) = Framer::new(buf, place, &mut self.continuation);
        let certain = buf.len().saturating_sub(CERTAIN);
        let mut last =
            if (1..=certain).contains(&leading.gap.end) { Some(leading.gap.end) } else { None };
        let mut stretch = 0;
        // The game that holds a brace that came too late must know of it.
        let mut late_close = None;
        for frame in framer {
            if frame.oversized {
                stretch = frame.game.start;
                break;
            }
            stretch = if frame.gap.is_empty() { frame.game.start } else { frame.gap.start };
            if let Some(comment) = frame.cut_comment {
                late_close = comment.late_close;
            }
            let knows = late_close.is_none_or(|close| close < frame.gap.end);
            if knows && (1..=certain).contains(&frame.gap.end) {
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
    fn goes_on(&mut self, outer: &[u8], after: &[u8], asked: u32) -> bool {
        (**self).goes_on(outer, after, asked)
    }
}

impl<C: Continuation + Send> Cutter for PgnCutter<C> {
    const LOOKBACK: Option<usize> = Some(LOOKBACK);

    fn last_boundary(window: &[u8], from: usize) -> Option<usize> {
        boundary::last_safe_candidate_from(window, from)
    }

    fn begin_inside(&mut self) {
        self.at_start = false;
    }

    fn most_bytes(sample: &[u8]) -> usize {
        let marks = count_marks(sample);
        // Some of it to spare: the next games may be shorter.
        (sample.len().saturating_mul(MOST_MARKS / 4 * 3)).checked_div(marks).unwrap_or(usize::MAX)
    }

    fn is_too_much(chunk: &[u8]) -> bool {
        end_of_marks(chunk, MOST_MARKS).is_some()
    }

    fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
        if self.in_overlong {
            // What was kept for looking back was searched already, but for its last bytes.
            let from = buf.len().min(OVERLAP - LONGEST_TAG_START + 1);
            if let Some(at) = boundary::next_candidate(buf, from) {
                self.in_overlong = false;
                return Cut::At(at);
            }
            return match buf.len().checked_sub(OVERLAP) {
                _ if eof => Cut::At(buf.len()),
                Some(done) if done > 0 => Cut::Overlong(done),
                _ => Cut::More,
            };
        }
        if let Some(at) = self.cut_before_too_many(buf) {
            self.at_start = false;
            return Cut::At(at);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Says that an outer game goes on where the text behind the comment begins with `2...`.
    struct Stub;

    impl Continuation for Stub {
        fn goes_on(&mut self, _outer: &[u8], after: &[u8], _asked: u32) -> bool {
            after.trim_ascii_start().starts_with(b"2...")
        }
    }

    fn frames(text: &[u8]) -> (LeadingGap, Vec<Frame>) {
        let (framer, leading) = Framer::new(text, Place::WHOLE, Stub);
        let frames: Vec<Frame> = framer.collect();
        let mut at = leading.gap.end;
        for frame in &frames {
            assert_eq!((frame.game.start, frame.gap.start), (at, frame.game.end));
            at = frame.gap.end;
        }
        assert_eq!(at, text.len(), "every byte stands in a game or a gap");
        (leading, frames)
    }

    fn games(text: &str) -> Vec<&str> {
        frames(text.as_bytes()).1.iter().map(|frame| &text[frame.game.range()]).collect()
    }

    #[test]
    fn games_end_at_their_marker_and_gaps_go_to_the_game_before() {
        let text =
            "\u{FEFF}[White \"a\"]\n\n1. e4 *\n\n\n[White \"b\"]\n\n1. d4\n\n[White \"c\"]\n\n*\n";
        assert_eq!(
            games(text),
            ["[White \"a\"]\n\n1. e4 *", "[White \"b\"]\n\n1. d4", "[White \"c\"]\n\n*"]
        );
    }

    #[test]
    fn a_comment_before_the_first_game_is_a_comment() {
        for before in ["", "\n", "x\n"] {
            let (leading, frames) =
                frames(format!("{before}{{\n1. e4 e5\n}}\n\n[White \"a\"]\n\n*\n").as_bytes());
            assert_eq!(frames.len(), 1, "{before:?}");
            assert_eq!(leading.gap_text.is_some(), before == "x\n", "{before:?}");
        }
    }

    #[test]
    fn games_without_tags_follow_one_another() {
        assert_eq!(
            games("1. e4 e5 1-0\n\n1. d4 d5 0-1 1. c4 *\ne4 e5 *\n"),
            ["1. e4 e5 1-0", "1. d4 d5 0-1", "1. c4 *", "e4 e5 *"]
        );
    }

    #[test]
    fn prose_between_games_is_a_gap_and_is_told() {
        let text =
            "From: me\n1. The start\n\n[White \"a\"]\n\n1. e4 1-0\n\nThanks, e5 is best.\n0-1\n";
        let (leading, frames) = frames(text.as_bytes());
        assert_eq!(leading.gap_text.map(|t| &text[t.range()]), Some("From: me\n1. The start"));
        assert_eq!(frames.len(), 1);
        let gap_text = frames[0].gap_text.map(|t| &text[t.range()]);
        assert_eq!(gap_text, Some("Thanks, e5 is best.\n0-1"));
    }

    #[test]
    fn a_marker_inside_a_closed_variation_ends_nothing() {
        assert_eq!(games("1. e4 (1. d4 1-0) 1... e5 *\n").len(), 1);
        assert_eq!(games("1. e4 (1. d4 1-0\n\n1. c4 *\n"), ["1. e4 (1. d4 1-0", "1. c4 *"]);
    }

    #[test]
    fn an_open_comment_ends_where_the_next_game_begins() {
        let text = "1. e4 { open\n\n[White \"b\"]\n\n1. d4 *\n";
        let (_, frames) = frames(text.as_bytes());
        assert_eq!(frames.len(), 2);
        assert_eq!(frames[0].cut_comment, Some(CutComment { open: 6, late_close: None }));
    }

    #[test]
    fn a_comment_closed_inside_the_next_game_is_cut_and_its_brace_known() {
        let text = "1. e4 { open\n\n[White \"b\"]\n\n1. d4 } d5 *\n";
        let (_, frames) = frames(text.as_bytes());
        assert_eq!(frames.len(), 2);
        let close = text.find('}');
        assert_eq!(frames[0].cut_comment, Some(CutComment { open: 6, late_close: close }));
        assert_eq!(frames[1].late_close, close);
    }

    #[test]
    fn a_comment_that_quotes_a_game_holds_it() {
        assert_eq!(games("1. e4 { see\n\n[White \"b\"]\n\n1. d4 } 2... d5 *\n").len(), 1);
    }

    #[test]
    fn a_quoted_game_with_comments_of_its_own_is_split_out() {
        assert_eq!(games("1. e4 { see\n\n[White \"b\"]\n\n1. d4 { x } 2... d5 *\n").len(), 2);
    }

    #[test]
    fn a_comment_that_swallowed_three_games_gives_them_back() {
        let inner = "\n\n[Event \"b\"]\n\n1. d4 *";
        let text = format!("1. e4 {{ see{inner}{inner}{inner} }} 1... e5 *\n");
        let (_, frames) = frames(text.as_bytes());
        assert_eq!(frames.len(), 4);
        let late_close = text.find('}');
        assert_eq!(frames[0].cut_comment, Some(CutComment { open: 6, late_close }));
    }

    #[test]
    fn games_without_tags_and_markers_are_parted_by_empty_lines() {
        assert_eq!(
            games("1. e4 e5 2. Nf3\n\n1. d4 d5\n\n\n1. c4 (1. b3\n\n1. g3 e5) e5 *\n"),
            ["1. e4 e5 2. Nf3", "1. d4 d5", "1. c4 (1. b3\n\n1. g3 e5) e5 *"]
        );
        // The same numbers go on with a game.
        assert_eq!(games("1. e4\n\n1... e5\n\n2. Nf3\n1. d4\n").len(), 1);
        // With tags it is one game, and the board tells that it restarts.
        assert_eq!(games("[White \"a\"]\n\n1. e4 e5\n\n1. d4 d5 *\n").len(), 1);
    }

    #[test]
    fn a_double_spaced_archive_holds_the_same_games() {
        let text =
            "[Event \"a\"]\n[White \"b\"]\n\n1. e4\ne5 1-0\n\n[Event \"c\"]\n\n1. d4\nd5 *\n";
        assert_eq!(games(text).len(), 2);
        assert_eq!(games(&text.replace('\n', "\n\n")).len(), 2);
        assert_eq!(games(&text.replace("\n\n", "\n")).len(), 2);
        assert_eq!(games(&text.replace('\n', " ")).len(), 2);
        assert_eq!(games(&text.replace('\n', "<br>\n")).len(), 2);
        assert_eq!(games(&text.replace('"', "&quot;")).len(), 2);
    }

    #[test]
    fn games_of_a_quoted_mail_begin_behind_the_quotation_mark() {
        let text = "Hi,\n> [Event \"a\"]\n> [White \"b\"]\n>\n> 1. e4 e5\n> 2. Nf3 1-0\n>\n\
            > [Event \"c\"]\n>\n> 1. d4 *\n-- \nJoe\n";
        let (leading, frames) = frames(text.as_bytes());
        assert_eq!(leading.gap_text, Some(Span::new(0, 3)));
        let starts: Vec<&[u8]> =
            frames.iter().map(|it| &it.game.of(text.as_bytes())[..11]).collect();
        assert_eq!(starts, [b"[Event \"a\"]", b"[Event \"c\"]"]);
        let gap_text = frames[1].gap_text.map(|it| &text[it.range()]);
        assert_eq!(gap_text, Some("-- \nJoe"));
    }

    #[test]
    fn games_of_a_web_page_begin_behind_its_markup() {
        let text = "<html><body><pre>[Event \"a\"]\n\n1. e4 1-0</pre>\n<p>Next:<br>\n\
            <p><pre>[Event \"b\"]\n\n1. d4 <a href=\"1-0\">d5</a> *</pre></html>\n";
        let games = games(text);
        assert_eq!(games[0], "[Event \"a\"]\n\n1. e4 1-0");
        assert_eq!(games[1], "[Event \"b\"]\n\n1. d4 <a href=\"1-0\">d5</a> *");
        assert_eq!(games.len(), 2);
    }

    #[test]
    fn a_first_move_that_nothing_follows_is_no_game() {
        let (leading, frames) = frames(b"e4\n[White \"b\"]\n\n1. d4 *\n");
        assert_eq!((leading.gap_text, frames.len()), (Some(Span::new(0, 2)), 1));
    }

    #[test]
    fn games_behind_an_oversized_one_are_found_though_it_leaves_a_comment_open() {
        let mut text = b"[White \"a\"]\n\n1. e4 ".to_vec();
        text.resize(LONGEST_STRETCH + 100, b'x');
        text.extend_from_slice(b" {oops *\n\n[White \"b\"]\n\n1. d4 *\n\n[White \"c\"]\n\n*\n");
        let (_, frames) = frames(&text);
        assert_eq!(frames.len(), 3);
    }

    #[test]
    fn a_tag_section_behind_a_marker_on_the_same_line_is_glued() {
        let (_, frames) = frames(b"1. e4 *[Event \"b\"]\n\n1. d4 *\n");
        assert!(frames[0].glued && !frames[1].glued);
    }

    #[test]
    fn an_oversized_game_is_cut_and_what_follows_is_kept() {
        let mut text = b"[White \"a\"]\n\n1. e4 ".to_vec();
        while text.len() < LONGEST_STRETCH + 3 * LOOKBACK {
            text.extend_from_slice(b"{ long } Nf3 ");
        }
        text.extend_from_slice(b"*\n\n[White \"b\"]\n\n1. d4 *\n");
        let (_, frames) = frames(&text);
        assert_eq!(frames.len(), 2);
        assert!(frames[0].oversized && !frames[1].oversized);
        assert_eq!(frames[0].game.len(), LONGEST_STRETCH);
    }

    /// Cuts as the engine does, and frames each chunk.
    fn frames_by_chunks(text: &[u8], chunk_size: usize) -> Vec<(usize, usize, bool)> {
        let mut cutter = PgnCutter::new(Stub);
        let (mut start, mut read, mut target) = (0, 0, chunk_size);
        let mut found = Vec::new();
        let mut in_overlong = false;
        while start < text.len() {
            read = text.len().min((start + target).max(read));
            let eof = read == text.len();
            let (len, overlong) = match cutter.cut(&text[start..read], eof) {
                Cut::At(len) => (len, false),
                Cut::Overlong(len) => (len, true),
                Cut::More => {
                    target *= 2;
                    continue;
                }
            };
            target = chunk_size;
            let chunk = &text[start..start + len];
            if !in_overlong {
                let place =
                    Place { first: start == 0, last: overlong || start + len == text.len() };
                let (framer, _) = Framer::new(chunk, place, Stub);
                found.extend(
                    framer.map(|frame| {
                        (start + frame.game.start, start + frame.game.end, frame.glued)
                    }),
                );
            }
            in_overlong = overlong;
            start += len;
        }
        found
    }

    #[test]
    fn a_plain_game_ends_where_its_tokens_say() {
        let pieces: [&[u8]; 20] = [
            b"[White \"1-0\"]\n",
            b"<br>",
            b"<a href=\"{\">",
            b"2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 ",
            b"[Site &quot;1-0&quot;]\n",
            b"\n",
            b"1. e4 ",
            b"O-O ",
            b"O-O-O+ ",
            b"1-0",
            b" 0-1 ",
            b"1/2 ",
            b"*",
            b"e2-e4 ",
            b"O-1-0 ",
            b"x:y ",
            b"+- ",
            b"{ 1-0 } ",
            b"{[%clk 0:01]}",
            b"{ [Event \"b\"] } ",
        ];
        let mut state = 3u64;
        let (mut plain, mut simple) = (0, 0);
        for _ in 0..20_000 {
            let mut text = b"[Event \"a\"]\n\n".to_vec();
            for _ in 0..8 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.extend_from_slice(pieces[(state >> 33) as usize % pieces.len()]);
            }
            let (mut framer, _) = Framer::new(&text, Place::WHOLE, Stub);
            let limit = framer.next_candidate(1);
            let section = PlainSection::read(&text, 0);
            let from_start = plain_game_end(&text, 0, 0, limit);
            assert_eq!(plain_game_end(&text, 0, section.end(), limit), from_start);
            let from_section = simple_game_end(&text, &section);
            for end in [from_start, from_section].into_iter().flatten() {
                let game = Game { end, cut_comment: None, has_variations: false };
                assert_eq!(framer.read_tokens(0, limit), game, "{}", text.escape_ascii());
            }
            plain += usize::from(from_start.is_some());
            simple += usize::from(from_section.is_some());
        }
        assert!(plain > 1_000, "only {plain} plain games");
        assert!(simple > 500, "only {simple} simple games");
    }

    #[test]
    fn every_chunk_size_gives_the_same_games() {
        // Pieces that make every kind of boundary, in pseudo-random order.
        let pieces: [&[u8]; 26] = [
            b"<pre>[Event &quot;a&quot;]\n",
            b"<br>\n",
            b"> [White \"b\"]\n",
            b">\n",
            b"1. d4 d5\n",
            b"1-0</p>\n",
            b"[Event \"a\"]\n",
            b"[Event\n\n",
            b"e4\n",
            b"{\n\n[Event \"c\"]\n\n",
            b"\xC2\xA0\n",
            b"[White \"b\"]\r\n",
            b"\n",
            b"\r\n\r\n",
            b"1. e4 e5 ",
            b"2. Nf3 Nc6 1-0",
            b"*",
            b"*\n",
            b"{ comment } ",
            b"{ open ",
            b"} ",
            b"(1. d4 ",
            b") ",
            b"prose here\n",
            b"e4 e5 0-1\n",
            b"; { rest\n",
        ];
        let mut state = 7u64;
        for round in 0..16 {
            let mut text = Vec::new();
            for _ in 0..400 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.extend_from_slice(pieces[(state >> 33) as usize % pieces.len()]);
                if round % 3 == 0 && state >> 60 == 0 {
                    text.resize(text.len() + CERTAIN, b' ');
                }
            }
            let whole: Vec<_> = frames(&text)
                .1
                .iter()
                .map(|frame| (frame.game.start, frame.game.end, frame.glued))
                .collect();
            for chunk_size in [1, 3_000, 200_000] {
                let cut = frames_by_chunks(&text, chunk_size);
                if whole != cut {
                    let at = whole.iter().zip(&cut).position(|(a, b)| a != b);
                    let show = |frames: &[(usize, usize, bool)]| {
                        let near = at.map_or(&[][..], |at| &frames[at.saturating_sub(1)..][..2]);
                        near.iter()
                            .map(|&(start, end, _)| {
                                let text = String::from_utf8_lossy(&text[start..end]);
                                (start, end, text.split_whitespace().collect::<Vec<_>>().join(" "))
                            })
                            .collect::<Vec<_>>()
                    };
                    panic!(
                        "round {round}, chunks of {chunk_size}:\n{:?}\nand\n{:?}",
                        show(&whole),
                        show(&cut)
                    );
                }
            }
        }
    }
}
