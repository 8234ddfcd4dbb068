//! From a stream of bytes to chunks.
//!
//! In come the bytes of a reader, in whatever pieces it gives them, and a [`Cutter`]'s word on
//! where units begin. Out come chunks that, put together, are the stream. Where they are cut
//! depends on the bytes, the cutter and the chunk size only.

use std::io::{self, Read};

use memchr::memrchr2;

use super::{Chunk, ChunkKind, Cut, Cutter};

/// Bytes asked of the reader at once.
const READ_BLOCK: usize = 256 * 1024;

/// Cuts one stream. Its buffers are the chunks' own, so that only what stands behind a cut is
/// copied.
pub(super) struct Chunker<R, C> {
    reader: R,
    cutter: C,
    chunk_size: usize,
    /// `buf[..filled]` are the bytes since the last cut; what is behind them was used before, and
    /// stays, since to clear it would mean to write every byte twice.
    buf: Vec<u8>,
    filled: usize,
    /// How many bytes must be there before the cutter is asked.
    target: usize,
    /// The cutter is in the middle of a unit that is too long.
    overlong: bool,
    offset: u64,
    column: u64,
    eof: bool,
    bytes_read: u64,
    damage: Option<io::Error>,
}

impl<R: Read, C: Cutter> Chunker<R, C> {
    /// `chunk_size` is where asking begins; a size of 0 counts as 1.
    pub fn new(reader: R, cutter: C, chunk_size: usize) -> Chunker<R, C> {
        let chunk_size = chunk_size.max(1);
        Chunker {
            reader,
            cutter,
            chunk_size,
            buf: Vec::new(),
            filled: 0,
            target: chunk_size,
            overlong: false,
            offset: 0,
            column: 0,
            eof: false,
            bytes_read: 0,
            damage: None,
        }
    }

    /// The next chunk, or `None` at the end of the stream. The next bytes go into `spare`, which
    /// may be one of the buffers that left as chunks, and is asked for only when there is a
    /// chunk to give; `None` from there ends it too.
    pub fn next_chunk(&mut self, spare: impl FnOnce() -> Option<Vec<u8>>) -> Option<Chunk> {
        let (len, kind) = self.next_cut()?;
        let tail = &self.buf[len..self.filled];
        let mut next = spare()?;
        if next.len() < tail.len() {
            next.clear();
            next.extend_from_slice(tail);
        } else {
            next[..tail.len()].copy_from_slice(tail);
        }
        self.filled = tail.len();
        let mut bytes = std::mem::replace(&mut self.buf, next);
        bytes.truncate(len);
        let last = self.eof && self.filled == 0;
        let damaged = last && self.damage.is_some();
        let chunk = Chunk { bytes, offset: self.offset, column: self.column, kind, last, damaged };
        self.offset += len as u64;
        self.column = match memrchr2(b'\n', b'\r', &chunk.bytes) {
            Some(line_end) => (len - line_end - 1) as u64,
            None => self.column + len as u64,
        };
        Some(chunk)
    }

    /// How many bytes came out of the reader, and why it stopped before their end.
    pub fn finish(self) -> (u64, Option<io::Error>) {
        (self.bytes_read, self.damage)
    }

    /// Reads until the cutter knows a cut; its length is above 0.
    fn next_cut(&mut self) -> Option<(usize, ChunkKind)> {
        loop {
            self.fill();
            if self.filled == 0 {
                return None;
            }
            let cut = self.cutter.cut(&self.buf[..self.filled], self.eof);
            let inside = self.overlong;
            match cut {
                Cut::At(0) if inside => self.overlong = false,
                Cut::At(len) if len > 0 => {
                    self.overlong = false;
                    self.target = self.chunk_size;
                    let kind = if inside { ChunkKind::OverlongTail } else { ChunkKind::Whole };
                    return Some((len.min(self.filled), kind));
                }
                Cut::Overlong(len) if len > 0 => {
                    self.overlong = true;
                    self.target = self.chunk_size;
                    let kind =
                        if inside { ChunkKind::OverlongTail } else { ChunkKind::OverlongHead };
                    return Some((len.min(self.filled), kind));
                }
                // Twice as many each time: the bytes looked at, over and over, add up to no more
                // than twice the chunk. At the end all that is left goes out, whatever was said.
                _ if !self.eof => self.target = self.filled.saturating_mul(2),
                _ => {
                    let kind = if inside { ChunkKind::OverlongTail } else { ChunkKind::Whole };
                    return Some((self.filled, kind));
                }
            }
        }
    }

    /// Reads until `target` bytes are there or the reader has no more.
    fn fill(&mut self) {
        while self.filled < self.target && !self.eof {
            let end = self.target.min(self.filled.saturating_add(READ_BLOCK));
            if self.buf.len() < end {
                // To what is wanted at once, but not far ahead of what the stream turns out to be.
                let room = self.target.min(end.saturating_mul(2));
                self.buf.reserve_exact(room - self.buf.len());
                self.buf.resize(end, 0);
            }
            match self.reader.read(&mut self.buf[self.filled..end]) {
                Ok(0) => self.eof = true,
                Ok(len) => {
                    self.filled += len;
                    self.bytes_read += len as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.eof = true;
                    self.damage = Some(error);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::line_cutter::LineCutter;
    use super::*;

    /// Gives its bytes in pieces of changing length, with interruptions, and fails at the end if
    /// told to.
    struct Pieces<'a> {
        bytes: &'a [u8],
        lengths: std::iter::Cycle<std::slice::Iter<'a, usize>>,
        error: Option<io::ErrorKind>,
    }

    impl<'a> Pieces<'a> {
        fn new(bytes: &'a [u8], lengths: &'a [usize]) -> Pieces<'a> {
            Pieces { bytes, lengths: lengths.iter().cycle(), error: None }
        }
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let len = *self.lengths.next().unwrap();
            if len == 0 {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if let (true, Some(kind)) = (self.bytes.is_empty(), self.error) {
                return Err(kind.into());
            }
            let len = len.min(buf.len());
            Read::read(&mut self.bytes, &mut buf[..len])
        }
    }

    fn chunks<C: Cutter>(mut chunker: Chunker<impl Read, C>) -> Vec<Chunk> {
        let mut chunks: Vec<Chunk> = Vec::new();
        // A used buffer each time, so that what it held would show.
        while let Some(chunk) = chunker.next_chunk(|| Some(vec![b'?'; chunks.len() % 40])) {
            assert!(!chunk.bytes.is_empty());
            chunks.push(chunk);
        }
        let total: usize = chunks.iter().map(|chunk| chunk.bytes.len()).sum();
        assert_eq!(chunker.finish().0, total as u64);
        chunks
    }

    fn joined(chunks: &[Chunk]) -> Vec<u8> {
        chunks.iter().flat_map(|chunk| chunk.bytes.iter().copied()).collect()
    }

    const TEXT: &[u8] = b"one\ntwo two\n\nthree three three three three\nfour\r\nfive";

    #[test]
    fn chunks_put_together_are_the_stream_and_hold_whole_units_at_every_size() {
        for chunk_size in (0..70).chain([1 << 20, usize::MAX]) {
            let chunks = chunks(Chunker::new(TEXT, LineCutter::new(), chunk_size));
            assert_eq!(joined(&chunks), TEXT, "{chunk_size}");
            let (last, before) = chunks.split_last().unwrap();
            assert!(before.iter().all(|chunk| chunk.bytes.ends_with(b"\n")));
            assert!(last.bytes.ends_with(b"five"));
            assert!(chunks.iter().all(|chunk| chunk.kind == ChunkKind::Whole));
        }
    }

    #[test]
    fn cuts_do_not_depend_on_how_the_reader_splits_its_bytes() {
        for chunk_size in [1, 2, 5, 17, 1000] {
            let expected = chunks(Chunker::new(TEXT, LineCutter::new(), chunk_size));
            for lengths in [&[1][..], &[0, 2, 0, 0, 7], &[3, 1, 40]] {
                let pieces = Pieces::new(TEXT, lengths);
                let chunks = chunks(Chunker::new(pieces, LineCutter::new(), chunk_size));
                assert_eq!(format!("{chunks:?}"), format!("{expected:?}"), "{lengths:?}");
            }
        }
    }

    #[test]
    fn offset_and_column_say_where_a_chunk_begins() {
        struct EverySeven;
        impl Cutter for EverySeven {
            fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
                if buf.len() >= 7 || eof { Cut::At(buf.len().min(7)) } else { Cut::More }
            }
        }
        let mut offset = 0;
        for chunk in chunks(Chunker::new(TEXT, EverySeven, 3)) {
            assert_eq!(chunk.offset, offset);
            let before = &TEXT[..offset as usize];
            let line_end = memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
            assert_eq!(chunk.column, (before.len() - line_end) as u64);
            offset += chunk.bytes.len() as u64;
        }
    }

    #[test]
    fn an_empty_stream_has_no_chunks() {
        assert!(chunks(Chunker::new(&b""[..], LineCutter::new(), 10)).is_empty());
    }

    #[test]
    fn damage_ends_the_stream_after_the_bytes_before_it() {
        let mut pieces = Pieces::new(TEXT, &[5]);
        pieces.error = Some(io::ErrorKind::InvalidData);
        let mut chunker = Chunker::new(pieces, LineCutter::new(), 4);
        let mut bytes = Vec::new();
        while let Some(chunk) = chunker.next_chunk(|| Some(Vec::new())) {
            bytes.extend(chunk.bytes);
        }
        assert_eq!(bytes, TEXT);
        let (read, damage) = chunker.finish();
        assert_eq!(read, TEXT.len() as u64);
        assert_eq!(damage.unwrap().kind(), io::ErrorKind::InvalidData);
    }

    #[test]
    fn an_overlong_unit_passes_in_parts_and_its_neighbours_stay_whole() {
        let long = [b"a\n".to_vec(), vec![b'x'; 100], b"\nb\nc\n".to_vec()].concat();
        for chunk_size in [1, 3, 16, 64] {
            let chunks = chunks(Chunker::new(&long[..], LineCutter::with_limit(20), chunk_size));
            assert_eq!(joined(&chunks), long);
            let first = chunks.iter().position(|c| c.kind == ChunkKind::OverlongHead).unwrap();
            let tails =
                chunks[first + 1..].iter().take_while(|c| c.kind == ChunkKind::OverlongTail);
            let after = first + 1 + tails.count();
            assert!(after > first + 1, "{chunk_size}");
            assert_eq!(joined(&chunks[after..]), b"b\nc\n", "{chunk_size}");
            assert!(chunks[after..].iter().all(|c| c.kind == ChunkKind::Whole));
        }
    }

    #[test]
    fn an_overlong_unit_may_end_exactly_where_it_was_cut() {
        let long = [vec![b'x'; 20], b"\nb\n".to_vec()].concat();
        struct Exact(u32);
        impl Cutter for Exact {
            fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
                self.0 += 1;
                match self.0 {
                    1 => Cut::Overlong(21),
                    2 => Cut::At(0),
                    _ if eof => Cut::At(buf.len()),
                    _ => Cut::More,
                }
            }
        }
        let chunks = chunks(Chunker::new(&long[..], Exact(0), 22));
        let kinds: Vec<_> = chunks.iter().map(|c| (c.kind, c.bytes.len())).collect();
        assert_eq!(kinds, [(ChunkKind::OverlongHead, 21), (ChunkKind::Whole, 2)]);
    }

    #[test]
    fn a_long_unit_is_looked_at_in_linear_time_even_from_one_byte_up() {
        struct Counting<'a>(LineCutter, &'a mut usize);
        impl Cutter for Counting<'_> {
            fn cut(&mut self, buf: &[u8], eof: bool) -> Cut {
                *self.1 += buf.len();
                self.0.cut(buf, eof)
            }
        }
        let long = vec![b'x'; 100_000];
        let mut looked_at = 0;
        let cutter = Counting(LineCutter::new(), &mut looked_at);
        let chunks = chunks(Chunker::new(&long[..], cutter, 1));
        assert_eq!(chunks.len(), 1);
        assert!(looked_at < 4 * long.len(), "{looked_at}");
    }
}
