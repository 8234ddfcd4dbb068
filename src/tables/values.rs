//! The values of one column, of a chunk's rows or of a row group.

use std::ops::Range;

use super::cells::{Cells, Names, Texts, Words};
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
    Words(Words),
    Int16(Cells<i16>),
    Int32(Cells<i32>),
    Int64(Cells<i64>),
    Key(Cells<u64>),
    Float(Cells<f64>),
    Flag(Cells<bool>),
    Edits(EditLists),
}

impl Values {
    /// An empty column of a chunk's rows.
    pub fn of_chunk(kind: Kind) -> Values {
        match kind {
            Kind::Source => Values::Unnamed,
            Kind::Edits => Values::Edits(EditLists::default()),
            _ => Values::of_group(kind),
        }
    }

    /// An empty column of a row group.
    pub fn of_group(kind: Kind) -> Values {
        match kind {
            Kind::Source => Values::Names(Names::default()),
            Kind::Text | Kind::Edits => Values::Text(Texts::default()),
            Kind::Word => Values::Words(Words::default()),
            Kind::Int16 => Values::Int16(Cells::default()),
            Kind::Int32 | Kind::Date => Values::Int32(Cells::default()),
            Kind::Int64 | Kind::Game | Kind::Offset | Kind::Line | Kind::LineColumn => {
                Values::Int64(Cells::default())
            }
            Kind::Key => Values::Key(Cells::default()),
            Kind::Float => Values::Float(Cells::default()),
            Kind::Flag => Values::Flag(Cells::default()),
        }
    }

    /// Reads one column of some of a chunk's rows, and adds the length of texts to the rows'
    /// weights. A number too large for its column is its maximum.
    pub fn read<R>(&mut self, read: &Read<R>, rows: &[R], weights: &mut [usize]) {
        fn push_all<R, T: Copy + Default>(
            cells: &mut Cells<T>,
            rows: &[R],
            get: impl Fn(&R) -> Option<T>,
        ) {
            rows.iter().for_each(|row| cells.push(get(row)));
        }
        match (self, read) {
            (Values::Unnamed, Read::Source) => {}
            (Values::Text(texts), Read::Text(write)) => {
                for (row, weight) in rows.iter().zip(weights) {
                    *weight += texts.push(|out| write(row, out));
                }
            }
            (Values::Words(words), Read::Word(get)) => {
                for (row, weight) in rows.iter().zip(weights) {
                    *weight += words.push(get(row));
                }
            }
            (Values::Edits(lists), Read::Edits(get)) => {
                for (row, weight) in rows.iter().zip(weights) {
                    *weight += lists.push(get(row));
                }
            }
            (Values::Int16(cells), Read::Int16(get)) => push_all(cells, rows, get),
            (Values::Int32(cells), Read::Int32(get)) => {
                let clamp = |value: u32| i32::try_from(value).unwrap_or(i32::MAX);
                push_all(cells, rows, |row| get(row).map(clamp));
            }
            (Values::Int32(cells), Read::Date(get)) => push_all(cells, rows, get),
            (Values::Int64(cells), Read::Int64(get)) => {
                let widen = |value: usize| i64::try_from(value).unwrap_or(i64::MAX);
                push_all(cells, rows, |row| get(row).map(widen));
            }
            (Values::Int64(cells), Read::Placed(_, get)) => push_all(cells, rows, get),
            (Values::Key(cells), Read::Key(get)) => push_all(cells, rows, |row| Some(get(row))),
            (Values::Float(cells), Read::Float(get)) => push_all(cells, rows, get),
            (Values::Flag(cells), Read::Flag(get)) => push_all(cells, rows, get),
            _ => unreachable!("a column's values are made for its kind"),
        }
    }

    /// Appends rows of a chunk's column of the same kind, shifted to their place in the source.
    pub fn append(
        &mut self,
        kind: Kind,
        from: &Values,
        rows: Range<usize>,
        place: &ChunkPlace<'_>,
        codes: &mut Vec<u16>,
    ) {
        match (self, from) {
            (Values::Names(to), Values::Unnamed) => to.append(place.source, rows.len()),
            (Values::Text(to), Values::Text(from)) => to.append(from, rows),
            (Values::Text(to), Values::Edits(from)) => from.append_to(to, rows, place.offset),
            (Values::Words(to), Values::Words(from)) => to.append(from, rows, codes),
            (Values::Int16(to), Values::Int16(from)) => _ = to.append(from, rows),
            (Values::Int32(to), Values::Int32(from)) => _ = to.append(from, rows),
            (Values::Int64(to), Values::Int64(from)) => shift(to.append(from, rows), kind, place),
            (Values::Key(to), Values::Key(from)) => _ = to.append(from, rows),
            (Values::Float(to), Values::Float(from)) => _ = to.append(from, rows),
            (Values::Flag(to), Values::Flag(from)) => _ = to.append(from, rows),
            _ => unreachable!("a table's columns have one kind, in a chunk and in a row group"),
        }
    }

    /// About how many bytes its buffers hold, in use or not.
    pub fn capacity(&self) -> usize {
        match self {
            Values::Unnamed | Values::Names(_) => 0,
            Values::Text(texts) => texts.capacity(),
            Values::Words(words) => words.capacity(),
            Values::Int16(cells) => cells.capacity(),
            Values::Int32(cells) => cells.capacity(),
            Values::Int64(cells) => cells.capacity(),
            Values::Key(cells) => cells.capacity(),
            Values::Float(cells) => cells.capacity(),
            Values::Flag(cells) => cells.capacity(),
            Values::Edits(lists) => lists.capacity(),
        }
    }

    /// Empties the column, whose buffers keep their capacity.
    pub fn clear(&mut self) {
        match self {
            Values::Unnamed => {}
            Values::Names(names) => names.runs.clear(),
            Values::Text(texts) => texts.clear(),
            Values::Words(words) => words.clear(),
            Values::Int16(cells) => cells.clear(),
            Values::Int32(cells) => cells.clear(),
            Values::Int64(cells) => cells.clear(),
            Values::Key(cells) => cells.clear(),
            Values::Float(cells) => cells.clear(),
            Values::Flag(cells) => cells.clear(),
            Values::Edits(lists) => lists.clear(),
        }
    }
}

/// Adds what the place of the chunk adds. The value of a null is shifted with the others, and
/// says nothing before and after.
fn shift(values: &mut [i64], kind: Kind, place: &ChunkPlace<'_>) {
    let add = match kind {
        Kind::Game => place.games as i64 + 1,
        Kind::Offset => place.offset as i64,
        Kind::Line => place.lines as i64 + 1,
        Kind::LineColumn => {
            for value in values.iter_mut().filter(|value| **value < 0) {
                *value = place.column as i64 - *value;
            }
            return;
        }
        _ => return,
    };
    values.iter_mut().for_each(|value| *value += add);
}
