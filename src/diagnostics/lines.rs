//! Lines and columns. CRLF, LF and CR each end a line.

use memchr::{memchr2, memrchr2};

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

    /// The column of `offset`, in bytes from 1. Takes no time where the cursor stands there, so
    /// that many findings on one long line stay cheap.
    pub fn column(&self, offset: usize) -> u64 {
        let (from, line_start) =
            if offset >= self.at { (self.at, self.line_start) } else { (0, None) };
        let end = memrchr2(b'\n', b'\r', &self.bytes[from..offset]);
        match end.map(|end| from + end + 1).or(line_start) {
            Some(start) => (offset - start) as u64 + 1,
            None => self.column_before + offset as u64 + 1,
        }
    }

    /// The bytes of the line in which `offset` stands, as far as the chunk holds them.
    pub fn line_around(&self, offset: usize) -> (usize, &'a [u8]) {
        let start = memrchr2(b'\n', b'\r', &self.bytes[..offset]).map_or(0, |end| end + 1);
        let end = memchr2(b'\n', b'\r', &self.bytes[offset..])
            .map_or(self.bytes.len(), |len| offset + len);
        (start, &self.bytes[start..end])
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
    fn a_column_is_the_same_wherever_the_cursor_stands() {
        let bytes = b"ab\r\ncd\n\n\ref\r\ng";
        for offset in 0..=bytes.len() {
            let fresh = LineCursor::new(bytes, 5);
            for stop in 0..=bytes.len() {
                let mut cursor = LineCursor::new(bytes, 5);
                cursor.line_ends_before(stop / 2);
                cursor.line_ends_before(stop);
                assert_eq!(cursor.column(offset), fresh.column(offset), "{offset} from {stop}");
            }
        }
    }

    #[test]
    fn the_first_column_counts_what_stands_before_the_chunk() {
        let cursor = LineCursor::new(b"ab\ncd", 5);
        assert_eq!(cursor.column(1), 7);
        assert_eq!(cursor.column(4), 2);
    }
}
