//! Buffers for the values of one column, filled on a worker and appended in stretches.

use std::borrow::Cow;
use std::ops::Range;

/// Values of one type, some of them null.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells<T> {
    pub values: Vec<T>,
    pub valid: Vec<bool>,
}

impl<T: Copy> Cells<T> {
    pub fn append(&mut self, from: &Cells<T>, rows: Range<usize>) {
        self.values.extend_from_slice(&from.values[rows.clone()]);
        self.valid.extend_from_slice(&from.valid[rows]);
    }
}

impl<T: Default> FromIterator<Option<T>> for Cells<T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(iter: I) -> Cells<T> {
        let iter = iter.into_iter();
        let rows = iter.size_hint().0;
        let mut cells = Cells { values: Vec::with_capacity(rows), valid: Vec::with_capacity(rows) };
        for value in iter {
            cells.valid.push(value.is_some());
            cells.values.push(value.unwrap_or_default());
        }
        cells
    }
}

/// Texts end to end in one buffer, some of them null.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub bytes: Vec<u8>,
    /// Where each text ends.
    pub ends: Vec<usize>,
    pub valid: Vec<bool>,
}

impl Texts {
    pub fn push(&mut self, text: Option<&str>) {
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.ends.push(self.bytes.len());
        self.valid.push(text.is_some());
    }

    pub fn append(&mut self, from: &Texts, rows: Range<usize>) {
        let (start, end) = (from.bytes_before(rows.start), from.bytes_before(rows.end));
        let base = self.bytes.len();
        self.bytes.extend_from_slice(&from.bytes[start..end]);
        self.ends.extend(from.ends[rows.clone()].iter().map(|end| end - start + base));
        self.valid.extend_from_slice(&from.valid[rows]);
    }

    /// Bytes of all texts before this row.
    pub fn bytes_before(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

impl<'a> FromIterator<Option<Cow<'a, str>>> for Texts {
    fn from_iter<I: IntoIterator<Item = Option<Cow<'a, str>>>>(iter: I) -> Texts {
        let iter = iter.into_iter();
        let rows = iter.size_hint().0;
        let mut texts = Texts {
            bytes: Vec::new(),
            ends: Vec::with_capacity(rows),
            valid: Vec::with_capacity(rows),
        };
        for text in iter {
            texts.push(text.as_deref());
        }
        texts
    }
}

/// One name for many rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub names: Vec<String>,
    /// For each row, which of the names.
    pub keys: Vec<u32>,
}

impl Names {
    pub fn append(&mut self, name: &str, rows: usize) {
        if self.names.last().is_none_or(|last| last != name) {
            self.names.push(name.to_owned());
        }
        let key = self.names.len().saturating_sub(1) as u32;
        self.keys.resize(self.keys.len() + rows, key);
    }
}
