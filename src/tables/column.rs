//! What a column is: declared once, read by the writers, the documentation and the tests.

use crate::diagnostics::Edit;

/// What a column holds. Numbers are signed, so that the difference of two columns is a number in
/// every reader; only hashes use all 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The name of the source, the same for all rows of a chunk.
    Source,
    Text,
    /// Text, one of a few words that the program knows.
    Word,
    Int16,
    Int32,
    Int64,
    /// A game, collected from 0 in its chunk, written from 1 in its source.
    Game,
    /// A byte offset, collected in its chunk, written in its source.
    Offset,
    /// A line, collected from 0 in its chunk, written from 1 in its source.
    Line,
    /// A column in bytes, from 1. On the chunk's first line, which may have begun before the
    /// chunk, the negative of the column in the chunk is collected.
    LineColumn,
    /// A hash.
    Key,
    Float,
    Flag,
    /// Days since 1970-01-01.
    Date,
    /// The edits of a fix, written as JSON text with offsets in the source.
    Edits,
}

impl Kind {
    /// About how many bytes a value takes in memory, without the letters of a text: it decides
    /// where row groups end.
    pub(super) const fn weight(self) -> usize {
        match self {
            Kind::Flag => 2,
            Kind::Int16 => 3,
            Kind::Source => 4,
            Kind::Int32 | Kind::Date => 5,
            Kind::Text | Kind::Word | Kind::Edits => 9,
            Kind::Int64 | Kind::Game | Kind::Offset | Kind::Line | Kind::LineColumn => 9,
            Kind::Key | Kind::Float => 9,
        }
    }
}

/// The declaration of a column, as documentation and tests read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    pub name: &'static str,
    pub kind: Kind,
    /// What it says, in one line without a full stop.
    pub about: &'static str,
}

/// A column of a table whose rows are read from `R`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column<R> {
    pub name: &'static str,
    pub read: Read<R>,
    pub about: &'static str,
}

/// How a row gives a column's value; `None` is null.
#[derive(Clone, Copy, Debug)]
pub(super) enum Read<R> {
    Source,
    /// Appends the text's bytes, which must be UTF-8.
    Text(fn(&R, &mut Vec<u8>) -> Option<()>),
    Word(fn(&R) -> Option<&'static str>),
    Int16(fn(&R) -> Option<i16>),
    Int32(fn(&R) -> Option<u32>),
    Int64(fn(&R) -> Option<usize>),
    /// A number that the place of the chunk shifts.
    Placed(Kind, fn(&R) -> Option<i64>),
    Key(fn(&R) -> u64),
    Float(fn(&R) -> Option<f64>),
    Flag(fn(&R) -> Option<bool>),
    Date(fn(&R) -> Option<i32>),
    Edits(fn(&R) -> &[Edit]),
}

impl<R> Column<R> {
    pub const fn new(name: &'static str, read: Read<R>, about: &'static str) -> Column<R> {
        Column { name, read, about }
    }

    pub const fn kind(&self) -> Kind {
        match self.read {
            Read::Source => Kind::Source,
            Read::Placed(kind, _) => kind,
            Read::Text(_) => Kind::Text,
            Read::Word(_) => Kind::Word,
            Read::Int16(_) => Kind::Int16,
            Read::Int32(_) => Kind::Int32,
            Read::Int64(_) => Kind::Int64,
            Read::Key(_) => Kind::Key,
            Read::Float(_) => Kind::Float,
            Read::Flag(_) => Kind::Flag,
            Read::Date(_) => Kind::Date,
            Read::Edits(_) => Kind::Edits,
        }
    }

    pub const fn info(&self) -> ColumnInfo {
        ColumnInfo { name: self.name, kind: self.kind(), about: self.about }
    }
}

/// Appends a text that is there.
pub(super) fn write(text: &str, out: &mut Vec<u8>) -> Option<()> {
    out.extend_from_slice(text.as_bytes());
    Some(())
}
