//! Sorts more records than memory is to hold.
//!
//! In: records, which are strings of bytes, in any order. Out: the same in the order of their
//! bytes. Up to a limit they stay in memory; beyond it sorted runs go to a file without a name,
//! which the system takes away however the process ends, and are merged on the way out. The order
//! is that of the bytes alone, so that the limit has no part in the answer.

use std::cmp::Ordering;
use std::io;
use std::ops::Range;

use super::runs::{MOST_RUNS, Merge, Runs};

/// Bytes that are read or written at a time: no less than the system's page, and no more than
/// what still helps a disk.
const BLOCK: Range<usize> = 4 << 10..1 << 20;

/// Takes records in.
#[derive(Debug)]
pub struct Sorter {
    limit: usize,
    held: Held,
    spilled: Option<Runs>,
}

/// Gives records out, the least first.
#[derive(Debug)]
pub enum Sorted {
    Held { held: Held, at: usize },
    Merged(Merge),
}

impl Sorter {
    /// `limit`: bytes of memory for records. What one record and the blocks of a merge need (less
    /// than 128 KiB) is taken in any case.
    pub fn new(limit: usize) -> Sorter {
        Sorter { limit, held: Held::default(), spilled: None }
    }

    /// # Errors
    /// Those of the temporary file.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        if !self.held.entries.is_empty() && self.held.is_full(record, self.limit) {
            self.spill()?;
        }
        self.held.push(record, self.limit);
        Ok(())
    }

    /// # Errors
    /// Those of the temporary file.
    pub fn finish(mut self) -> io::Result<Sorted> {
        if self.spilled.is_some() {
            self.spill()?;
        }
        let block = self.block();
        let Sorter { mut held, spilled, .. } = self;
        match spilled {
            None => {
                held.sort();
                Ok(Sorted::Held { held, at: 0 })
            }
            Some(runs) => {
                drop(held);
                Ok(Sorted::Merged(runs.merge(block)?))
            }
        }
    }

    fn spill(&mut self) -> io::Result<()> {
        let block = self.block();
        let runs = match &mut self.spilled {
            Some(runs) => runs,
            none => none.insert(Runs::new()?),
        };
        self.held.sort();
        let mut out = runs.begin(block)?;
        for at in 0..self.held.entries.len() {
            out.push(self.held.record(at))?;
        }
        out.end()?;
        self.held.clear();
        Ok(())
    }

    fn block(&self) -> usize {
        (self.limit / (MOST_RUNS + 1)).clamp(BLOCK.start, BLOCK.end)
    }
}

impl Sorted {
    /// # Errors
    /// Those of the temporary file.
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        match self {
            Sorted::Held { held, at } => {
                *at += 1;
                Ok((*at <= held.entries.len()).then(|| held.record(*at - 1)))
            }
            Sorted::Merged(merge) => merge.next(),
        }
    }
}

/// Records in memory.
#[derive(Debug, Default)]
pub struct Held {
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

/// Where a record stands in memory, with its first bytes, which nearly always tell two apart.
#[derive(Clone, Copy, Debug)]
struct Entry {
    head: u64,
    start: usize,
    len: usize,
}

impl Held {
    /// Whether another record would take more memory than is allowed.
    fn is_full(&self, record: &[u8], limit: usize) -> bool {
        let (bytes, entries) = shares(limit);
        self.bytes.len() + record.len() > bytes || self.entries.len() + 1 > entries
    }

    fn push(&mut self, record: &[u8], limit: usize) {
        let (bytes, entries) = shares(limit);
        make_room(&mut self.bytes, record.len(), bytes);
        make_room(&mut self.entries, 1, entries);
        let mut head = [0; 8];
        let len = record.len().min(head.len());
        head[..len].copy_from_slice(&record[..len]);
        let head = u64::from_be_bytes(head);
        self.entries.push(Entry { head, start: self.bytes.len(), len: record.len() });
        self.bytes.extend_from_slice(record);
    }

    fn record(&self, at: usize) -> &[u8] {
        self.entries[at].of(&self.bytes)
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.entries.sort_unstable_by(|a, b| match a.head.cmp(&b.head) {
            Ordering::Equal => a.of(bytes).cmp(b.of(bytes)),
            told => told,
        });
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.entries.clear();
    }
}

/// How many bytes and entries fit into so much memory.
fn shares(limit: usize) -> (usize, usize) {
    let entries = limit / 4 / size_of::<Entry>();
    (limit - limit / 4, entries)
}

/// Grows as any vector does, but never beyond what may be filled.
fn make_room<T>(list: &mut Vec<T>, more: usize, most: usize) {
    let needed = list.len() + more;
    if needed > list.capacity() {
        let room = (2 * needed).min(most).max(needed);
        list.reserve_exact(room - list.len());
    }
}

impl Entry {
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.start + self.len]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(records: &[Vec<u8>], limit: usize) -> (Vec<Vec<u8>>, bool) {
        let mut sorter = Sorter::new(limit);
        for record in records {
            sorter.push(record).unwrap();
        }
        let mut sorted = sorter.finish().unwrap();
        let mut all = Vec::new();
        while let Some(record) = sorted.next().unwrap() {
            all.push(record.to_vec());
        }
        assert!(sorted.next().unwrap().is_none(), "the end stays the end");
        (all, matches!(sorted, Sorted::Merged(_)))
    }

    proptest! {
        #[test]
        fn records_come_out_in_the_order_of_their_bytes_at_every_limit(
            records in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..300),
            limit in 0usize..20_000,
        ) {
            let mut expected = records.clone();
            expected.sort();
            prop_assert_eq!(sorted(&records, limit).0, expected);
        }
    }

    #[test]
    fn many_runs_are_merged_in_more_than_one_step() {
        let number = |n: u32| n.wrapping_mul(2_654_435_761).to_be_bytes().repeat(5);
        let records: Vec<Vec<u8>> = (0..5_000).map(number).collect();
        let mut expected = records.clone();
        expected.sort();
        for (limit, spills) in [(0, true), (1_000, true), (50_000, true), (1 << 20, false)] {
            assert_eq!(sorted(&records, limit), (expected.clone(), spills), "{limit}");
        }
    }

    #[test]
    fn a_record_longer_than_the_limit_and_the_blocks_is_sorted_too() {
        let records: Vec<Vec<u8>> = (0..40).rev().map(|n| vec![n; 300_000]).collect();
        let (sorted, spilled) = sorted(&records, 1_000);
        assert!(spilled && sorted.iter().rev().eq(&records));
    }

    #[test]
    fn memory_stays_within_the_limit() {
        let limit = 100_000;
        let mut sorter = Sorter::new(limit);
        for n in 0..50_000u32 {
            sorter.push(&n.to_be_bytes().repeat(1 + n as usize % 60)).unwrap();
            let Held { bytes, entries } = &sorter.held;
            let held = bytes.capacity() + entries.capacity() * size_of::<Entry>();
            assert!(held <= limit, "{held} at {n}");
        }
    }
}
