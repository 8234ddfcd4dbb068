//! A fault or a fact in a game. Never an error of ours.

use std::borrow::Cow;
use std::ops::Range;

use super::{Fix, Rule};
use crate::source::{TextEncoding, excerpt_as};

/// A stretch of bytes, counted from the start of the chunk it was found in.
///
/// A chunk's own offset makes it a place in the (decompressed) source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: usize,
    pub end: usize,
}

impl Span {
    pub const fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    pub const fn len(self) -> usize {
        self.end - self.start
    }

    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The bytes of this stretch in the chunk that it belongs to.
    pub fn of(self, chunk: &[u8]) -> &[u8] {
        &chunk[self.range()]
    }
}

/// Where in the score a finding stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Half-moves of the main line, from 1; 0 is the start position. In a variation, the ply it
    /// replaces; for a token that is no move, the ply before it.
    pub index: u32,
    /// The move's number as it should be written, and whether Black plays it.
    pub move_number: u32,
    pub black: bool,
    /// Whether the finding is about that move itself, so that a report may print `50... b1`.
    pub at_move: bool,
}

/// What follows from a fault: how the record goes on behind it, and what the rules prescribe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aftermath {
    /// How the record goes on; `None` where nothing follows, or nothing was looked for.
    pub course: Option<Course>,
    /// What the rules of the day prescribe.
    pub ruling: Option<String>,
}

/// How a record goes on behind a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// The word that reports and tables use.
    pub kind: &'static str,
    /// Half-moves behind the fault that fit.
    pub plies: u32,
    /// The same in a sentence, without a full stop at its end.
    pub message: String,
}

/// One finding. Everything a report or a table says of it comes from here and from the chunk.
#[derive(Clone, Debug)]
pub struct Finding {
    pub rule: &'static Rule,
    /// The token at fault.
    pub span: Span,
    /// Which game of the chunk, from 0; `None` for the file as a whole.
    pub game: Option<u32>,
    pub ply: Option<Ply>,
    /// One sentence for a person, without a full stop at its end.
    pub message: Cow<'static, str>,
    /// The position before the move, where there is one.
    pub fen: Option<String>,
    pub fix: Option<Box<Fix>>,
    /// What follows from it, where that was looked for.
    pub aftermath: Option<Box<Aftermath>>,
    /// How many more of its rule the game has that are not listed.
    pub unlisted: u64,
}

impl Finding {
    /// A finding with its rule's summary as the message; builders below add the rest.
    pub fn new(rule: &'static Rule, span: Span) -> Finding {
        Finding {
            rule,
            span,
            game: None,
            ply: None,
            message: Cow::Borrowed(rule.summary),
            fen: None,
            fix: None,
            aftermath: None,
            unlisted: 0,
        }
    }

    pub fn message(mut self, message: impl Into<Cow<'static, str>>) -> Finding {
        self.message = message.into();
        self
    }

    pub fn ply(mut self, ply: Ply) -> Finding {
        self.ply = Some(ply);
        self
    }

    pub fn fen(mut self, fen: String) -> Finding {
        self.fen = Some(fen);
        self
    }

    pub fn fix(mut self, fix: Fix) -> Finding {
        self.fix = Some(Box::new(fix));
        self
    }

    pub fn aftermath(mut self, aftermath: Option<Aftermath>) -> Finding {
        self.aftermath = aftermath.map(Box::new);
        self
    }

    /// How the record goes on behind it, where that was looked for.
    pub fn course(&self) -> Option<&Course> {
        self.aftermath.as_ref()?.course.as_ref()
    }

    /// What the rules of the day prescribe for it.
    pub fn ruling(&self) -> Option<&str> {
        self.aftermath.as_ref()?.ruling.as_deref()
    }

    /// The token's text in its game's set, cut off where it is long: its length is in the span.
    pub fn token<'c>(&self, chunk: &'c [u8], encoding: TextEncoding) -> Cow<'c, str> {
        excerpt_as(self.span.of(chunk), encoding)
    }

    /// `50... b1`: the move as a person names it, from the token in the chunk.
    pub fn move_label(&self, chunk: &[u8], encoding: TextEncoding) -> Option<String> {
        let ply = self.ply.filter(|ply| ply.at_move)?;
        let dots = if ply.black { "..." } else { "." };
        let token = self.token(chunk, encoding);
        Some(format!("{}{dots} {token}", ply.move_number))
    }
}
