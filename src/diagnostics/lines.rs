//! Lines and columns. CRLF, LF and CR each end a line.

use memchr::{memchr, memchr_iter, memrchr2};

/// How many lines end in these bytes. A CR at the very end counts as a line end of its own.
pub fn count_line_ends(bytes: &[u8]) -> u64 {
    let lf = memchr_iter(b'\n', bytes).count() as u64;
    lf + memchr(b'\r', bytes).map_or(0, |first| count_lone_cr(&bytes[first..]))
}

/// How many CR have no LF behind them.
fn count_lone_cr(bytes: &[u8]) -> u64 {
    let Some((last, before)) = bytes.split_last() else { return 0 };
    // Sums of one byte each, so that the compiler adds many of them at once.
    let sum = |(bytes, nexts): (&[u8], &[u8])| {
        let pairs = bytes.iter().zip(nexts);
        let is_lone = |(&byte, &next): (&u8, &u8)| u8::from((byte == b'\r') & (next != b'\n'));
        u64::from(pairs.map(is_lone).sum::<u8>())
    };
    let blocks = before.chunks(MOST_SUMMED).zip(bytes[1..].chunks(MOST_SUMMED));
    blocks.map(sum).sum::<u64>() + u64::from(*last == b'\r')
}

/// So many ones a byte can hold.
const MOST_SUMMED: usize = 255;

/// Counts the line ends before rising offsets of a chunk.
#[derive(Debug)]
pub struct LineCounter<'a> {
    bytes: &'a [u8],
    lone_cr: bool,
    at: usize,
    line_ends: u64,
}

impl<'a> LineCounter<'a> {
    /// `lone_cr`: a CR may stand there without an LF behind it. Without one it is enough to count
    /// LF.
    pub fn new(bytes: &'a [u8], lone_cr: bool) -> LineCounter<'a> {
        LineCounter { bytes, lone_cr, at: 0, line_ends: 0 }
    }

    /// Line ends of the chunk before `offset`, which must not be below the last one asked for.
    pub fn line_ends_before(&mut self, offset: usize) -> u64 {
        debug_assert!(offset >= self.at, "offsets must rise");
        let bytes = &self.bytes[self.at..offset];
        if self.lone_cr {
            self.line_ends += count_line_ends(bytes);
            // A pair that the offset cuts in two was counted for its CR.
            if self.at > 0 && self.bytes[self.at - 1] == b'\r' && bytes.first() == Some(&b'\n') {
                self.line_ends -= 1;
            }
        } else {
            self.line_ends += memchr_iter(b'\n', bytes).count() as u64;
        }
        self.at = offset;
        self.line_ends
    }
}

/// Turns rising offsets of a chunk into lines and columns.
#[derive(Debug)]
pub struct LineCursor<'a> {
    lines: LineCounter<'a>,
    column_before: u64,
    /// Where the line of the last offset starts; `None` on the chunk's first line.
    line_start: Option<usize>,
}

impl<'a> LineCursor<'a> {
    /// `column_before`: bytes of the chunk's first line that lie before the chunk.
    pub fn new(bytes: &'a [u8], column_before: u64) -> LineCursor<'a> {
        LineCursor { lines: LineCounter::new(bytes, true), column_before, line_start: None }
    }

    /// Line ends of the chunk before `offset`, which must not be below the last one asked for.
    pub fn line_ends_before(&mut self, offset: usize) -> u64 {
        let at = self.lines.at;
        if let Some(end) = memrchr2(b'\n', b'\r', &self.lines.bytes[at..offset]) {
            self.line_start = Some(at + end + 1);
        }
        self.lines.line_ends_before(offset)
    }

    /// Goes on to an offset before which so many lines of the chunk are known to end, unless it is
    /// there or behind it.
    pub fn skip_to(&mut self, offset: usize, line_ends: u64) {
        let at = self.lines.at;
        if offset > at {
            if let Some(end) = memrchr2(b'\n', b'\r', &self.lines.bytes[at..offset]) {
                self.line_start = Some(at + end + 1);
            }
            self.lines.at = offset;
            self.lines.line_ends = line_ends;
        }
    }

    /// The column of the offset last asked for, in bytes from 1.
    pub fn column(&self) -> u64 {
        match self.line_start {
            Some(start) => (self.lines.at - start) as u64 + 1,
            None => self.column_before + self.lines.at as u64 + 1,
        }
    }

    /// Where its line starts in the chunk; `None` where that is before the chunk.
    pub fn line_start(&self) -> Option<usize> {
        self.line_start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crlf_lf_and_cr_each_end_one_line() {
        assert_eq!(count_line_ends(b"a\r\nb\nc\rd"), 3);
        assert_eq!(count_line_ends(b"\r\r\n\n"), 3);
        assert_eq!(count_line_ends(&b"a\r".repeat(1_000)), 1_000);
        assert_eq!(count_line_ends(&b"\r\r\n".repeat(1_000)), 2_000);
    }

    #[test]
    fn a_cursor_counts_as_one_pass_does_wherever_it_stops() {
        let bytes = b"a\r\nb\n\n\rc\r\n";
        for stop in 0..=bytes.len() {
            let mut cursor = LineCursor::new(bytes, 0);
            cursor.line_ends_before(stop);
            assert_eq!(cursor.line_ends_before(bytes.len()), count_line_ends(bytes), "{stop}");
        }
    }

    #[test]
    fn where_every_cr_has_its_lf_it_is_enough_to_count_lf() {
        let bytes = b"a\r\nb\n\nc\r\n\r\nd";
        for stop in (0..=bytes.len()).filter(|&at| bytes.get(at) != Some(&b'\n')) {
            let [mut all, mut lf] = [true, false].map(|lone_cr| LineCounter::new(bytes, lone_cr));
            assert_eq!(lf.line_ends_before(stop), all.line_ends_before(stop), "{stop}");
            assert_eq!(lf.line_ends_before(bytes.len()), all.line_ends_before(bytes.len()));
        }
    }

    #[test]
    fn a_cursor_that_is_told_what_it_skips_counts_on_from_there() {
        let bytes = b"ab\r\ncd\n\n\ref\r\ng";
        for offset in 0..=bytes.len() {
            let mut expected = LineCursor::new(bytes, 5);
            let line_ends = expected.line_ends_before(offset);
            let mut cursor = LineCursor::new(bytes, 5);
            cursor.skip_to(offset, line_ends);
            cursor.skip_to(offset / 2, 99);
            assert_eq!(cursor.column(), expected.column(), "{offset}");
            let rest = cursor.line_ends_before(bytes.len());
            assert_eq!(rest, expected.line_ends_before(bytes.len()), "{offset}");
            assert_eq!(cursor.column(), expected.column(), "{offset}");
        }
    }

    #[test]
    fn a_column_is_the_same_wherever_the_cursor_stopped_before() {
        let bytes = b"ab\r\ncd\n\n\ref\r\ng";
        for offset in 0..=bytes.len() {
            let line = &bytes[..offset];
            let start = line.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
            let expected = start.map_or(5 + offset as u64 + 1, |end| (offset - end) as u64);
            for stop in 0..=offset {
                let mut cursor = LineCursor::new(bytes, 5);
                cursor.line_ends_before(stop / 2);
                cursor.line_ends_before(stop);
                cursor.line_ends_before(offset);
                assert_eq!(cursor.column(), expected, "{offset} from {stop}");
            }
        }
    }
}
