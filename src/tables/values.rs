//! The values of one column, of a chunk's rows or of a row group.

use std::ops::Range;

use super::cells::{Cells, Names, Texts};
use super::column::{Kind, Read};
use super::edits::EditLists;
use crate::judge::ChunkPlace;

/// One column's values. A chunk's rows and a row group differ in what the place of the chunk
/// adds: the source's name, and the offsets of edits.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// The source's name, which comes with the place of the chunk.
    Unnamed,
    Names(Names),
    Text(Texts),
    Int16(Cells<i16>),
    Int32(Cells<i32>),
    Int64(Cells<i64>),
    Key(Cells<u64>),
    Float(Cells<f64>),
    Flag(Cells<bool>),
    Edits(EditLists),
}

impl Values {
    /// Reads one column of a chunk's rows. A number too large for its column is its maximum.
    pub fn collect<R>(read: &Read<R>, rows: &[R]) -> Values {
        let clamp = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
        let widen = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
        let rows_of = rows.iter();
        match read {
            Read::Source => Values::Unnamed,
            Read::Text(get) => Values::Text(rows_of.map(get).collect()),
            Read::Int16(get) => Values::Int16(rows_of.map(get).collect()),
            Read::Int32(get) => Values::Int32(rows_of.map(|row| get(row).map(clamp)).collect()),
            Read::Int64(get) => Values::Int64(rows_of.map(|row| get(row).map(widen)).collect()),
            Read::Placed(_, get) => Values::Int64(rows_of.map(get).collect()),
            Read::Key(get) => Values::Key(rows_of.map(|row| Some(get(row))).collect()),
            Read::Float(get) => Values::Float(rows_of.map(get).collect()),
            Read::Flag(get) => Values::Flag(rows_of.map(get).collect()),
            Read::Date(get) => Values::Int32(rows_of.map(get).collect()),
            Read::Edits(get) => Values::Edits(rows_of.map(get).collect()),
        }
    }

    /// An empty column of a row group.
    pub fn empty(kind: Kind) -> Values {
        match kind {
            Kind::Source => Values::Names(Names::default()),
            _ => Values::nulls(kind, 0),
        }
    }

    fn nulls(kind: Kind, rows: usize) -> Values {
        match kind {
            Kind::Source => Values::Unnamed,
            Kind::Text | Kind::Edits => Values::Text((0..rows).map(|_| None).collect()),
            Kind::Int16 => Values::Int16((0..rows).map(|_| None).collect()),
            Kind::Int32 | Kind::Date => Values::Int32((0..rows).map(|_| None).collect()),
            Kind::Int64 | Kind::Game | Kind::Offset | Kind::Line | Kind::LineColumn => {
                Values::Int64((0..rows).map(|_| None).collect())
            }
            Kind::Key => Values::Key((0..rows).map(|_| None).collect()),
            Kind::Float => Values::Float((0..rows).map(|_| None).collect()),
            Kind::Flag => Values::Flag((0..rows).map(|_| None).collect()),
        }
    }

    /// Appends rows of a chunk's column of the same kind, shifted to their place in the source.
    pub fn append(
        &mut self,
        kind: Kind,
        from: &Values,
        rows: Range<usize>,
        place: &ChunkPlace<'_>,
    ) {
        let shift = |value: i64| match kind {
            Kind::Game => value + place.games as i64 + 1,
            Kind::Offset => value + place.offset as i64,
            Kind::Line => value + place.lines as i64 + 1,
            Kind::LineColumn if value < 0 => place.column as i64 - value,
            _ => value,
        };
        match (self, from) {
            (Values::Names(to), Values::Unnamed) => to.append(place.source, rows.len()),
            (Values::Text(to), Values::Text(from)) => to.append(from, rows),
            (Values::Text(to), Values::Edits(from)) => from.append_to(to, rows, place.offset),
            (Values::Int16(to), Values::Int16(from)) => to.append(from, rows),
            (Values::Int32(to), Values::Int32(from)) => to.append(from, rows),
            (Values::Int64(to), Values::Int64(from)) => {
                let before = to.values.len();
                to.append(from, rows);
                to.values[before..].iter_mut().for_each(|value| *value = shift(*value));
            }
            (Values::Key(to), Values::Key(from)) => to.append(from, rows),
            (Values::Float(to), Values::Float(from)) => to.append(from, rows),
            (Values::Flag(to), Values::Flag(from)) => to.append(from, rows),
            _ => unreachable!("a table's columns have one kind, in a chunk and in a row group"),
        }
    }

    /// About how many bytes a chunk's rows before this one take in memory: the same number for
    /// the same rows, however they were cut into chunks.
    pub fn weight_before(&self, row: usize) -> usize {
        // An offset or a view into the buffer, and the flag for null.
        const TEXT: usize = 9;
        match self {
            Values::Unnamed | Values::Names(_) => row * size_of::<u32>(),
            Values::Text(texts) => row * TEXT + texts.bytes_before(row),
            Values::Edits(lists) => row * TEXT + lists.weight_before(row),
            Values::Int16(_) => row * (size_of::<i16>() + 1),
            Values::Int32(_) => row * (size_of::<i32>() + 1),
            Values::Int64(_) | Values::Key(_) | Values::Float(_) => row * (size_of::<i64>() + 1),
            Values::Flag(_) => row * 2,
        }
    }
}
