//! Lines and columns. CRLF, LF and CR each end a line.

use memchr::memrchr2;

/// How many lines end in these bytes. A CR at the very end counts as a line end of its own.
pub fn count_line_ends(bytes: &[u8]) -> u64 {
    let Some((last, _)) = bytes.split_last() else { return 0 };
    let ends_here = |byte: u8, next: u8| (byte == b'\n') | ((byte == b'\r') & (next != b'\n'));
    let mut total = u64::from(matches!(last, b'\n' | b'\r'));
    // Sums of one byte each, so that the compiler adds many of them at once.
    let (mut bytes, mut nexts) = (&bytes[..bytes.len() - 1], &bytes[1..]);
    while !bytes.is_empty() {
        let len = bytes.len().min(255);
        let sum: u8 = bytes[..len]
            .iter()
            .zip(&nexts[..len])
            .map(|(&byte, &next)| u8::from(ends_here(byte, next)))
            .sum();
        total += u64::from(sum);
        (bytes, nexts) = (&bytes[len..], &nexts[len..]);
    }
    total
}

/// Turns rising offsets of a chunk into lines and columns.
#[derive(Debug)]
pub struct LineCursor<'a> {
    bytes: &'a [u8],
    column_before: u64,
    at: usize,
    line_ends: u64,
    /// Where the line of `at` starts; `None` on the chunk's first line.
    line_start: Option<usize>,
}

impl<'a> LineCursor<'a> {
    /// `column_before`: bytes of the chunk's first line that lie before the chunk.
    pub fn new(bytes: &'a [u8], column_before: u64) -> LineCursor<'a> {
        LineCursor { bytes, column_before, at: 0, line_ends: 0, line_start: None }
    }

    /// Line ends of the chunk before `offset`, which must not be below the last one asked for.
    pub fn line_ends_before(&mut self, offset: usize) -> u64 {
        debug_assert!(offset >= self.at, "offsets must rise");
        self.line_ends += count_line_ends(&self.bytes[self.at..offset]);
        // A pair that the offset cuts in two was counted for its CR.
        if self.at > 0
            && offset > self.at
            && self.bytes[self.at - 1] == b'\r'
            && self.bytes[self.at] == b'\n'
        {
            self.line_ends -= 1;
        }
        if let Some(end) = memrchr2(b'\n', b'\r', &self.bytes[self.at..offset]) {
            self.line_start = Some(self.at + end + 1);
        }
        self.at = offset;
        self.line_ends
    }

    /// Goes on to an offset before which so many lines of the chunk are known to end, unless it is
    /// there or behind it.
    pub fn skip_to(&mut self, offset: usize, line_ends: u64) {
        if offset > self.at {
            if let Some(end) = memrchr2(b'\n', b'\r', &self.bytes[self.at..offset]) {
                self.line_start = Some(self.at + end + 1);
            }
            self.at = offset;
            self.line_ends = line_ends;
        }
    }

    /// The column of the offset last asked for, in bytes from 1.
    pub fn column(&self) -> u64 {
        match self.line_start {
            Some(start) => (self.at - start) as u64 + 1,
            None => self.column_before + self.at as u64 + 1,
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
