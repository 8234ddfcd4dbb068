//! Buffers for the values of one column, filled on a worker and appended in stretches.
//!
//! A column that is all null, or never, keeps no note of it for each row, and nulls at the end
//! take no room: most columns of most archives are one or the other. Cleared buffers keep their
//! capacity.

use std::ops::Range;

/// Which rows hold a value.
#[derive(Clone, Debug, Default)]
pub(super) struct Validity {
    rows: usize,
    values: usize,
    /// Empty while all rows hold a value or none does.
    valid: Vec<bool>,
}

impl Validity {
    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn nulls(&self) -> usize {
        self.rows - self.values
    }

    /// Row by row, where some hold a value and some do not.
    pub fn mixed(&self) -> Option<&[bool]> {
        (!self.valid.is_empty()).then_some(&self.valid)
    }

    #[inline]
    pub fn push(&mut self, valid: bool) {
        let as_before = if valid { self.values == self.rows } else { self.values == 0 };
        if !as_before {
            self.spell_out();
            self.valid.push(valid);
        }
        self.rows += 1;
        self.values += usize::from(valid);
    }

    pub fn append(&mut self, from: &Validity, rows: Range<usize>) {
        let flags = from.mixed().map(|valid| &valid[rows.clone()]);
        let values = match flags {
            Some(flags) => flags.iter().filter(|&&valid| valid).count(),
            None if from.values > 0 => rows.len(),
            None => 0,
        };
        let same =
            (values == rows.len() && self.values == self.rows) || (values == 0 && self.values == 0);
        if !same {
            self.spell_out();
            match flags {
                Some(flags) => self.valid.extend_from_slice(flags),
                None => self.valid.resize(self.rows + rows.len(), values > 0),
            }
        }
        self.rows += rows.len();
        self.values += values;
    }

    fn spell_out(&mut self) {
        if self.valid.is_empty() {
            self.valid.resize(self.rows, self.values > 0);
        }
    }

    pub fn clear(&mut self) {
        self.rows = 0;
        self.values = 0;
        self.valid.clear();
    }
}

/// Values of one type, some of them null.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells<T> {
    /// Rows behind its end are null.
    values: Vec<T>,
    pub validity: Validity,
}

impl<T: Copy + Default> Cells<T> {
    #[inline]
    pub fn push(&mut self, value: Option<T>) {
        if let Some(value) = value {
            self.catch_up();
            self.values.push(value);
        }
        self.validity.push(value.is_some());
    }

    /// Returns where in [`Cells::values`] the new ones stand.
    pub fn append(&mut self, from: &Cells<T>, rows: Range<usize>) -> &mut [T] {
        let start = self.validity.rows();
        let stored = rows.start..rows.end.min(from.values.len());
        if !stored.is_empty() {
            self.catch_up();
            self.values.extend_from_slice(&from.values[stored]);
        }
        self.validity.append(&from.validity, rows);
        self.values.get_mut(start..).unwrap_or_default()
    }

    /// One value for each row; that of a null says nothing.
    pub fn values(&mut self) -> &[T] {
        self.catch_up();
        &self.values
    }

    pub fn clear(&mut self) {
        self.values.clear();
        self.validity.clear();
    }

    /// About how many bytes its buffers hold, in use or not.
    pub fn capacity(&self) -> usize {
        self.values.capacity() * size_of::<T>() + self.validity.valid.capacity()
    }

    #[inline]
    fn catch_up(&mut self) {
        if self.values.len() < self.validity.rows() {
            self.values.resize(self.validity.rows(), T::default());
        }
    }
}

/// Texts end to end in one buffer, some of them null.
#[derive(Clone, Debug, Default)]
pub(super) struct Texts {
    pub bytes: Vec<u8>,
    /// Where each text ends. Rows behind the last one are null.
    ends: Vec<usize>,
    pub validity: Validity,
}

impl Texts {
    /// Takes in one text, which `write` appends to the bytes, or null where it gives `None`.
    /// Returns its length.
    #[inline]
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>) -> Option<()>) -> usize {
        let start = self.bytes.len();
        let written = write(&mut self.bytes);
        if written.is_some() {
            if self.ends.len() < self.validity.rows() {
                self.ends.resize(self.validity.rows(), start);
            }
            self.ends.push(self.bytes.len());
        } else {
            self.bytes.truncate(start);
        }
        self.validity.push(written.is_some());
        self.bytes.len() - start
    }

    pub fn append(&mut self, from: &Texts, rows: Range<usize>) {
        let stored = rows.start..rows.end.min(from.ends.len());
        if !stored.is_empty() {
            let base = self.bytes.len();
            self.ends.resize(self.validity.rows(), base);
            let (start, end) = (from.start_of(stored.start), from.ends[stored.end - 1]);
            self.bytes.extend_from_slice(&from.bytes[start..end]);
            self.ends.extend(from.ends[stored].iter().map(|end| end - start + base));
        }
        self.validity.append(&from.validity, rows);
    }

    /// The text of a row, which is empty for a null.
    #[inline]
    pub fn get(&self, row: usize) -> &[u8] {
        self.ends.get(row).map_or(&[], |&end| &self.bytes[self.start_of(row)..end])
    }

    fn start_of(&self, row: usize) -> usize {
        row.checked_sub(1).map_or(0, |before| self.ends[before])
    }

    /// Where each row's text ends.
    pub fn ends(&mut self) -> &[usize] {
        self.ends.resize(self.validity.rows(), self.bytes.len());
        &self.ends
    }

    /// About how many bytes its buffers hold, in use or not.
    pub fn capacity(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<usize>()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.validity.clear();
    }
}

/// Words out of a short list, some of them null.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    /// In the order in which they come up first.
    pub list: Vec<&'static str>,
    /// For each row, which of the words, from 1; 0 is null. Rows behind the last one are null.
    codes: Vec<u16>,
    rows: usize,
}

impl Words {
    /// Takes in one word and returns its length.
    #[inline]
    pub fn push(&mut self, word: Option<&'static str>) -> usize {
        if let Some(word) = word {
            let code = self.code_of(word);
            if self.codes.len() < self.rows {
                self.codes.resize(self.rows, 0);
            }
            self.codes.push(code);
        }
        self.rows += 1;
        word.map_or(0, str::len)
    }

    /// `codes` is room for a word of each code.
    pub fn append(&mut self, from: &Words, rows: Range<usize>, codes: &mut Vec<u16>) {
        let stored = rows.start..rows.end.min(from.codes.len());
        if !stored.is_empty() {
            self.codes.resize(self.rows, 0);
            codes.clear();
            codes.resize(from.list.len() + 1, 0);
            for &code in &from.codes[stored] {
                let here = usize::from(code);
                if here > 0 && codes[here] == 0 {
                    codes[here] = self.code_of(from.list[here - 1]);
                }
                self.codes.push(codes[here]);
            }
        }
        self.rows += rows.len();
    }

    /// The code of each row.
    pub fn codes(&mut self) -> &[u16] {
        self.codes.resize(self.rows, 0);
        &self.codes
    }

    pub fn capacity(&self) -> usize {
        self.codes.capacity() * size_of::<u16>()
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.codes.clear();
        self.rows = 0;
    }

    #[inline]
    fn code_of(&mut self, word: &'static str) -> u16 {
        // The same constant, nearly always; its letters count where it is not.
        match self.list.iter().position(|&it| std::ptr::eq(it, word)) {
            Some(at) => (at + 1) as u16,
            None => self.code_of_letters(word),
        }
    }

    #[cold]
    fn code_of_letters(&mut self, word: &'static str) -> u16 {
        let at = self.list.iter().position(|&it| it == word).unwrap_or_else(|| {
            self.list.push(word);
            self.list.len() - 1
        });
        // The program does not know as many words.
        u16::try_from(at + 1).unwrap_or(0)
    }
}

/// One name for many rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    /// Each with the number of rows in a row that have it.
    pub runs: Vec<(String, usize)>,
}

impl Names {
    pub fn append(&mut self, name: &str, rows: usize) {
        match self.runs.last_mut() {
            Some((last, times)) if last == name => *times += rows,
            _ => self.runs.push((name.to_owned(), rows)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn column(values: &[Option<i16>]) -> (Cells<i16>, Texts, Words) {
        let mut column = <(Cells<i16>, Texts, Words)>::default();
        for value in values {
            column.0.push(*value);
            column.1.push(|out| value.map(|value| out.extend(value.to_string().bytes())));
            column.2.push(value.map(|value| if value < 0 { "below" } else { "above" }));
        }
        column
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn stretches_that_are_appended_give_the_column_that_their_values_give(
            chunks in proptest::collection::vec(
                (
                    proptest::collection::vec(proptest::option::of(-9_i16..9), 0..12),
                    any::<proptest::sample::Index>(),
                    0_u8..3,
                ),
                0..6,
            ),
        ) {
            let mut all = Vec::new();
            let (mut cells, mut texts, mut words) = column(&[]);
            for (mut values, cut, kind) in chunks {
                // Columns all null, or never, are stored in ways of their own.
                match kind {
                    0 => values.fill(None),
                    1 => values.iter_mut().for_each(|value| *value = value.or(Some(1))),
                    _ => {}
                }
                let rows = cut.index(values.len() + 1)..values.len();
                let from = column(&values);
                cells.append(&from.0, rows.clone());
                texts.append(&from.1, rows.clone());
                words.append(&from.2, rows.clone(), &mut Vec::new());
                all.extend_from_slice(&values[rows]);
            }
            let (mut expected_cells, mut expected_texts, mut expected_words) = column(&all);
            let nulls = all.iter().filter(|value| value.is_none()).count();
            for validity in [&cells.validity, &texts.validity, &expected_cells.validity] {
                prop_assert_eq!((validity.rows(), validity.nulls()), (all.len(), nulls));
                let flags: Vec<_> = all.iter().map(Option::is_some).collect();
                let mixed = (1..all.len()).contains(&nulls).then_some(&flags[..]);
                prop_assert_eq!(validity.mixed(), mixed);
            }
            let value = |cells: &mut Cells<i16>| {
                let values = cells.values().iter().zip(&all);
                values.map(|(&it, value)| value.map(|_| it)).collect::<Vec<_>>()
            };
            prop_assert_eq!(&value(&mut cells), &all);
            prop_assert_eq!(&value(&mut expected_cells), &all);
            prop_assert_eq!(texts.ends(), expected_texts.ends());
            prop_assert_eq!(&texts.bytes, &expected_texts.bytes);
            prop_assert_eq!(words.codes(), expected_words.codes());
            prop_assert_eq!(words.list, expected_words.list);
        }
    }
}
