//! The values of a column without repetition: each row becomes the key of an entry.
//!
//! Entries of texts stand in the order in which they come up first, those of numbers in their
//! own. The buffers of a [`Dictionary`] are used for one column after another.

use std::hash::{BuildHasher, Hasher, RandomState};

use polars_arrow::array::{PrimitiveArray, Utf8Array};
use polars_arrow::datatypes::ArrowDataType;
use polars_arrow::offset::OffsetsBuffer;
use polars_arrow::types::NativeType;
use polars_error::PolarsResult;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::cells::{Cells, Names, Texts, Validity, Words};

/// The rows of one column as keys.
#[derive(Debug)]
pub(super) struct Dictionary {
    pub rows: usize,
    /// The entry of each row that is not null.
    pub keys: Vec<u32>,
    /// Row by row, whether it is not null; empty where none is or all are.
    pub valid: Vec<bool>,
    pub entries: usize,
    /// Of texts: half of the hash, and the key plus one; 0 where there is none.
    table: Vec<u64>,
    /// Where each text came up first.
    firsts: Vec<usize>,
    /// Of numbers: the key of each number from the smallest.
    ranks: Vec<u32>,
    /// Nobody can make texts that fall together.
    seed: u64,
}

impl Default for Dictionary {
    fn default() -> Dictionary {
        Dictionary {
            rows: 0,
            keys: Vec::new(),
            valid: Vec::new(),
            entries: 0,
            table: Vec::new(),
            firsts: Vec::new(),
            ranks: Vec::new(),
            seed: RandomState::new().build_hasher().finish(),
        }
    }
}

impl Dictionary {
    /// `None` where too few texts repeat for a dictionary to be worth its bytes.
    pub fn of_texts(&mut self, texts: &Texts) -> PolarsResult<Option<Utf8Array<i64>>> {
        // From a table of 16 KiB up, at most half full.
        const SMALLEST: usize = 1 << 11;
        self.begin(&texts.validity);
        self.keys.reserve(self.rows);
        self.firsts.clear();
        self.table.clear();
        self.table.resize(SMALLEST, 0);
        let rows = 0..if texts.validity.nulls() == self.rows { 0 } else { self.rows };
        let mut last: Option<(&[u8], u32)> = None;
        for row in rows {
            if self.valid.get(row) == Some(&false) {
                continue;
            }
            let text = texts.get(row);
            let key = match last {
                Some((before, key)) if before == text => key,
                _ => self.key_of(texts, row),
            };
            last = Some((text, key));
            self.keys.push(key);
        }
        self.entries = self.firsts.len();
        // As polars decides it, whose count is an estimate.
        if self.rows > 128 && self.entries as f64 / self.rows as f64 > 0.75 {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let mut offsets = Vec::with_capacity(self.entries + 1);
        offsets.push(0);
        for &row in &self.firsts {
            bytes.extend_from_slice(texts.get(row));
            offsets.push(bytes.len() as i64);
        }
        let offsets = OffsetsBuffer::try_from(offsets)?;
        Utf8Array::try_new(ArrowDataType::LargeUtf8, offsets, bytes.into(), None).map(Some)
    }

    pub fn of_words(&mut self, words: &mut Words) -> Utf8Array<i64> {
        let codes = words.codes();
        self.rows = codes.len();
        self.keys.clear();
        self.keys.extend(codes.iter().filter(|&&code| code > 0).map(|&code| u32::from(code) - 1));
        self.valid.clear();
        if (1..self.rows).contains(&self.keys.len()) {
            self.valid.extend(codes.iter().map(|&code| code > 0));
        }
        self.entries = words.list.len();
        Utf8Array::from_slice(&words.list)
    }

    /// Each run of a name is an entry, so that nothing is compared.
    pub fn of_names(&mut self, names: &Names) -> Utf8Array<i64> {
        self.valid.clear();
        self.keys.clear();
        for (key, (_, times)) in (0..).zip(&names.runs) {
            self.keys.resize(self.keys.len() + times, key);
        }
        self.rows = self.keys.len();
        self.entries = names.runs.len();
        Utf8Array::from_slice(names.runs.iter().map(|(name, _)| name).collect::<Vec<_>>())
    }

    /// `None` where the numbers lie too far apart to be counted, or too few repeat. So many
    /// different ones are few: `few`.
    pub fn of_numbers<T: NativeType + Ord + Into<i64>>(
        &mut self,
        cells: &mut Cells<T>,
        data_type: ArrowDataType,
        few: usize,
    ) -> PolarsResult<Option<PrimitiveArray<T>>> {
        // 256 KiB of ranks.
        const FARTHEST: u64 = u16::MAX as u64;
        self.begin(&cells.validity);
        self.keys.reserve(self.rows);
        let mut entries = Vec::new();
        if cells.validity.nulls() < self.rows {
            let values = cells.values();
            let mut range = None;
            each_value(values, &self.valid, |value| {
                let (low, high) = range.unwrap_or((value, value));
                range = Some((low.min(value), high.max(value)));
            });
            let (smallest, largest): (T, T) = range.unwrap_or_default();
            let (low, high): (i64, i64) = (smallest.into(), largest.into());
            if low.abs_diff(high) > FARTHEST {
                return Ok(None);
            }
            // The difference of two values is below 2^16, as small as it must be.
            let place = |value: T| value.into().wrapping_sub(low) as u16 as usize;
            self.ranks.clear();
            self.ranks.resize(place(largest) + 1, 0);
            let ranks = self.ranks.as_mut_slice();
            each_value(values, &self.valid, |value| ranks[place(value)] = 1);
            self.entries = ranks.iter().map(|&seen| seen as usize).sum();
            if self.entries > few && self.entries as f64 / self.rows as f64 >= 0.75 {
                return Ok(None);
            }
            entries.resize(self.entries, smallest);
            let mut next = 0;
            for rank in ranks.iter_mut() {
                let seen = *rank;
                *rank = next;
                next += seen;
            }
            let keys = &mut self.keys;
            each_value(values, &self.valid, |value| {
                let key = ranks[place(value)];
                entries[key as usize] = value;
                keys.push(key);
            });
        }
        PrimitiveArray::try_new(data_type, entries.into(), None).map(Some)
    }

    fn begin(&mut self, validity: &Validity) {
        self.rows = validity.rows();
        self.entries = 0;
        self.keys.clear();
        self.valid.clear();
        self.valid.extend_from_slice(validity.mixed().unwrap_or_default());
    }

    fn key_of(&mut self, texts: &Texts, row: usize) -> u32 {
        let text = texts.get(row);
        let hash = xxh3_64_with_seed(text, self.seed);
        let mask = self.table.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.table[at];
            if slot == 0 {
                break;
            }
            let key = slot as u32 - 1;
            if slot >> 32 == hash >> 32 && texts.get(self.firsts[key as usize]) == text {
                return key;
            }
            at = (at + 1) & mask;
        }
        let key = self.firsts.len() as u32;
        self.table[at] = (hash >> 32 << 32) | u64::from(key + 1);
        self.firsts.push(row);
        if self.firsts.len() * 2 > self.table.len() {
            self.grow(texts);
        }
        key
    }

    fn grow(&mut self, texts: &Texts) {
        let len = self.table.len() * 2;
        self.table.clear();
        self.table.resize(len, 0);
        for (key, &row) in (1..).zip(&self.firsts) {
            let hash = xxh3_64_with_seed(texts.get(row), self.seed);
            let mut at = hash as usize & (len - 1);
            while self.table[at] != 0 {
                at = (at + 1) & (len - 1);
            }
            self.table[at] = (hash >> 32 << 32) | key;
        }
    }
}

/// All values but nulls. `valid` is empty where there are none of these.
#[inline]
fn each_value<T: Copy>(values: &[T], valid: &[bool], mut each: impl FnMut(T)) {
    if valid.is_empty() {
        values.iter().for_each(|&value| each(value));
    } else {
        let held = values.iter().zip(valid).filter(|&(_, &valid)| valid);
        held.for_each(|(&value, _)| each(value));
    }
}
