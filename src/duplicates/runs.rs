//! Sorted runs in a file, and what reads them as one.
//!
//! In: runs, each with its records in order. Out: all records in order. However many runs there
//! are, [`MOST_RUNS`] blocks are in memory. The file has no name: the system takes it away however
//! the process ends.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;

/// Runs that are merged at a time. Their heads are compared one by one: with more of them a second
/// merge is cheaper (not measured).
pub const MOST_RUNS: usize = 16;

/// Bytes of a record's length, which stands before it.
const LENGTH: usize = 8;

/// Sorted runs, one behind the other in a file: each record with its length before it.
#[derive(Debug)]
pub struct Runs {
    file: File,
    runs: Vec<Range<u64>>,
}

impl Runs {
    pub fn new() -> io::Result<Runs> {
        // Without the name that it had for a moment, which tells nobody anything.
        let file = tempfile::tempfile().map_err(|error| io::Error::from(error.kind()))?;
        Ok(Runs { file, runs: Vec::new() })
    }

    /// All of them as one, read and written in blocks of so many bytes.
    pub fn merge(mut self, block: usize) -> io::Result<Merge> {
        while self.runs.len() > MOST_RUNS {
            self = self.fewer(block)?;
        }
        Merge::new(self.file, &self.runs, block)
    }

    /// Merges them by groups, into a file of their own.
    fn fewer(mut self, block: usize) -> io::Result<Runs> {
        let mut fewer = Runs::new()?;
        for group in self.runs.chunks(MOST_RUNS) {
            let mut merge = Merge::new(self.file, group, block)?;
            let mut out = fewer.begin(block)?;
            while let Some(record) = merge.next()? {
                out.push(record)?;
            }
            out.end()?;
            self.file = merge.file;
        }
        Ok(fewer)
    }

    /// Another run, behind the others.
    pub fn begin(&mut self, block: usize) -> io::Result<RunWriter<'_>> {
        let start = self.runs.last().map_or(0, |run| run.end);
        self.file.seek(SeekFrom::Start(start))?;
        let out = BufWriter::with_capacity(block, &self.file);
        Ok(RunWriter { out, run: start..start, runs: &mut self.runs })
    }
}

/// Takes the records of one run, in their order.
#[derive(Debug)]
pub struct RunWriter<'a> {
    out: BufWriter<&'a File>,
    run: Range<u64>,
    runs: &'a mut Vec<Range<u64>>,
}

impl RunWriter<'_> {
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        let len = record.len() as u64;
        self.out.write_all(&len.to_le_bytes())?;
        self.out.write_all(record)?;
        self.run.end += LENGTH as u64 + len;
        Ok(())
    }

    pub fn end(mut self) -> io::Result<()> {
        self.out.flush()?;
        self.runs.push(self.run);
        Ok(())
    }
}

/// Runs that are read at a time.
#[derive(Debug)]
pub struct Merge {
    file: File,
    readers: Vec<RunReader>,
    /// Whose record was given out last.
    given: Option<usize>,
    block: usize,
}

impl Merge {
    fn new(mut file: File, runs: &[Range<u64>], block: usize) -> io::Result<Merge> {
        let mut readers = Vec::with_capacity(runs.len());
        for run in runs {
            let mut reader = RunReader { unread: run.clone(), buffer: Vec::new(), record: 0..0 };
            if reader.advance(&mut file, block)? {
                readers.push(reader);
            }
        }
        Ok(Merge { file, readers, given: None, block })
    }

    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if let Some(given) = self.given.take()
            && !self.readers[given].advance(&mut self.file, self.block)?
        {
            self.readers.swap_remove(given);
        }
        let records = self.readers.iter().map(RunReader::record).enumerate();
        let least = records.min_by(|(_, a), (_, b)| a.cmp(b));
        self.given = least.map(|(at, _)| at);
        Ok(least.map(|(_, record)| record))
    }
}

/// A run, block by block.
#[derive(Debug)]
struct RunReader {
    unread: Range<u64>,
    buffer: Vec<u8>,
    /// Where the present record stands in the buffer.
    record: Range<usize>,
}

impl RunReader {
    fn record(&self) -> &[u8] {
        &self.buffer[self.record.clone()]
    }

    /// Goes to the next record, if there is one.
    fn advance(&mut self, file: &mut File, block: usize) -> io::Result<bool> {
        let at = self.record.end;
        if self.buffer.len() == at && self.unread.is_empty() {
            return Ok(false);
        }
        self.record = at..at;
        self.hold(LENGTH, file, block)?;
        let start = self.record.start + LENGTH;
        let mut len = [0; LENGTH];
        len.copy_from_slice(&self.buffer[self.record.start..start]);
        let len = u64::from_le_bytes(len) as usize;
        self.hold(LENGTH.saturating_add(len), file, block)?;
        let start = self.record.start + LENGTH;
        self.record = start..start + len;
        Ok(true)
    }

    /// Reads until so many bytes stand in the buffer from the present place on.
    fn hold(&mut self, bytes: usize, file: &mut File, block: usize) -> io::Result<()> {
        let missing = self.record.start.saturating_add(bytes).saturating_sub(self.buffer.len());
        if missing == 0 {
            return Ok(());
        }
        self.buffer.drain(..self.record.start);
        self.record = 0..0;
        let left = self.unread.end - self.unread.start;
        let wanted = (missing.max(block) as u64).min(left);
        file.seek(SeekFrom::Start(self.unread.start))?;
        self.buffer.reserve_exact(wanted as usize);
        let read = Read::take(file, wanted).read_to_end(&mut self.buffer)?;
        self.unread.start += read as u64;
        if read < missing { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }
}
