//! From a stream of bytes to chunks.
//!
//! In come the bytes of a reader, in whatever pieces it gives them, and a [`Cutter`]'s word on
//! where units begin. Out come chunks that, put together, are the stream. Where they are cut
//! depends on the bytes, the cutter and the chunk size only.
//!
//! Bytes that can be read anywhere are not read here, where that can be helped: a window around
//! the end of the next stretch shows where to cut, and who works on the chunk reads it. Where the
//! window shows nothing certain, that stretch is read and cut like any stream.

use std::io::{self, Read};
use std::ops::Range;

use memchr::memrchr2;

use super::{Chunk, ChunkKind, Cut, Cutter};
use crate::source::{Bytes, ReadAt, shortened};

/// Bytes asked of the reader at once.
const READ_BLOCK: usize = 256 * 1024;

/// Which part of a stretch, at its end, is searched for a cut: a 32nd, and if none is there, a
/// quarter.
const SEARCHED: [usize; 2] = [32, 4];

/// How long the first stretch is at most; the others go by what was seen before.
const FIRST_STRETCH: usize = 256 * 1024;

/// Cuts one stream. Its buffers are the chunks' own, so that only what stands behind a cut is
/// copied.
pub(super) struct Chunker<R, C> {
    bytes: Bytes<R>,
    cutter: C,
    chunk_size: usize,
    /// `buf[..filled]` are the bytes since the last cut; what is behind them was used before, and
    /// stays, since to clear it would mean to write every byte twice.
    buf: Vec<u8>,
    filled: usize,
    /// How many bytes must be there before the cutter is asked.
    target: usize,
    /// Where windows are looked through; `None` where all bytes are read here.
    window: Option<Window>,
    /// The cutter is in the middle of a unit that is too long.
    overlong: bool,
    offset: u64,
    column: u64,
    eof: bool,
    /// Bytes that went out, or are in the buffer.
    bytes_read: u64,
    /// Up to here there were bytes.
    seen: u64,
    damage: Option<io::Error>,
}

/// The bytes around the end of the next stretch.
struct Window {
    bytes: Vec<u8>,
    /// How far a cut looks back.
    lookback: usize,
    /// How many bytes the next chunk is to have at most.
    stretch: usize,
}

/// A chunk on its way to a worker.
pub(super) struct Piece {
    pub chunk: Chunk,
    /// So many bytes, from the chunk's offset on, are still to be read into it.
    pub unread: usize,
}

impl<R: Read, C: Cutter> Chunker<R, C> {
    /// `chunk_size` is where asking begins; a size of 0 counts as 1. `alone`: nobody else reads,
    /// so that all is read here even where it could be read anywhere.
    pub fn new(bytes: Bytes<R>, cutter: C, chunk_size: usize, alone: bool) -> Chunker<R, C> {
        let chunk_size = chunk_size.max(1);
        let window = match (&bytes, C::LOOKBACK) {
            (Bytes::Anywhere(_), Some(lookback)) if !alone => {
                Some(Window::new(lookback, chunk_size))
                    .filter(|window| window.reach(SEARCHED[0]) < chunk_size)
            }
            _ => None,
        };
        Chunker {
            bytes,
            cutter,
            chunk_size,
            buf: Vec::new(),
            filled: 0,
            target: chunk_size,
            window,
            overlong: false,
            offset: 0,
            column: 0,
            eof: false,
            bytes_read: 0,
            seen: 0,
            damage: None,
        }
    }

    /// The next chunk, or `None` at the end of the stream. The next bytes go into `spare`, which
    /// may be one of the buffers that left as chunks, and is asked for only when there is a
    /// chunk to give; `None` from there ends it too.
    pub fn next_piece(&mut self, spare: impl FnOnce() -> Option<Vec<u8>>) -> Option<Piece> {
        if let Some((len, column)) = self.cut_ahead() {
            let bytes = spare()?;
            let (offset, kind, last) = (self.offset, ChunkKind::Whole, self.eof);
            let chunk = Chunk { bytes, offset, column: self.column, kind, last, damaged: false };
            self.offset += len as u64;
            self.bytes_read += len as u64;
            self.column = column;
            return Some(Piece { chunk, unread: len });
        }
        let (len, kind) = self.next_cut()?;
        let next = spare()?;
        // Behind a cut the next window takes over, and what stands there is read again, unless
        // that is more than went out.
        let rest = self.filled - len;
        let handed_over = self.window.is_some() && !self.overlong && !self.eof && rest <= len;
        let tail = if handed_over { len..len } else { len..self.filled };
        self.bytes_read -= (self.filled - tail.end) as u64;
        let mut bytes = self.swap_buffers(tail, next);
        bytes.truncate(len);
        if let Some(window) = &mut self.window {
            window.learn(C::most_bytes(&bytes), self.chunk_size);
        }
        let last = self.eof && self.filled == 0;
        let damaged = last && self.damage.is_some();
        let chunk = Chunk { bytes, offset: self.offset, column: self.column, kind, last, damaged };
        self.offset += len as u64;
        self.column = column_behind(self.column, &chunk.bytes);
        Some(Piece { chunk, unread: 0 })
    }

    /// How many bytes went out, and why the reader stopped before their end.
    pub fn finish(self) -> (u64, Option<io::Error>) {
        (self.bytes_read, self.damage)
    }

    /// Puts `next` in the place of the buffer, with the tail that stays.
    fn swap_buffers(&mut self, tail: Range<usize>, mut next: Vec<u8>) -> Vec<u8> {
        let tail = &self.buf[tail];
        if next.len() < tail.len() {
            next.clear();
            next.extend_from_slice(tail);
        } else {
            next[..tail.len()].copy_from_slice(tail);
        }
        self.filled = tail.len();
        std::mem::replace(&mut self.buf, next)
    }

    /// Where the next chunk ends, and in which column the one behind it begins, if a window around
    /// its end shows it.
    fn cut_ahead(&mut self) -> Option<(usize, u64)> {
        SEARCHED.into_iter().find_map(|part| self.cut_by_window(part))
    }

    fn cut_by_window(&mut self, part: usize) -> Option<(usize, u64)> {
        let (Bytes::Anywhere(bytes), Some(window)) = (&self.bytes, &mut self.window) else {
            return None;
        };
        if self.filled > 0 || self.overlong || self.eof {
            return None;
        }
        let reach = window.reach(part);
        let skipped = window.stretch.checked_sub(reach).filter(|&skipped| skipped > 0)?;
        let start = self.offset.checked_add(skipped as u64)?;
        if window.bytes.len() < reach {
            window.bytes.resize(reach, 0);
        }
        let (len, read) = bytes.fill_at(&mut window.bytes[..reach], start);
        // What cannot be read is met again in its order, behind all bytes before it.
        read.ok()?;
        if len < reach {
            // The end, unless it lies before the window or where there was more before.
            self.eof = len > 0 && start + len as u64 >= self.seen;
            return self.eof.then_some((skipped + len, 0));
        }
        self.seen = self.seen.max(start + len as u64);
        let shown = &window.bytes[..reach];
        let end = C::last_boundary(shown, window.lookback).filter(|&end| end <= reach)?;
        let line_end = memrchr2(b'\n', b'\r', &shown[..end])?;
        let most = C::most_bytes(&shown[window.lookback..]);
        window.learn(most, self.chunk_size);
        self.cutter.begin_inside();
        Some((skipped + end, (end - line_end - 1) as u64))
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
            let at = self.offset + self.filled as u64;
            let out = &mut self.buf[self.filled..end];
            let read = match &mut self.bytes {
                Bytes::InOrder(reader) => reader.read(out),
                Bytes::Anywhere(bytes) => bytes.read_at(out, at),
            };
            match read {
                Ok(0) => {
                    self.eof = true;
                    self.damage = (at < self.seen).then(shortened);
                }
                Ok(len) => {
                    self.filled += len;
                    self.bytes_read += len as u64;
                    self.seen = self.seen.max(at + len as u64);
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

impl Window {
    fn new(lookback: usize, chunk_size: usize) -> Window {
        Window { bytes: Vec::new(), lookback, stretch: chunk_size.min(FIRST_STRETCH) }
    }

    /// How many bytes show a cut in this part of the stretch.
    fn reach(&self, part: usize) -> usize {
        self.lookback + self.stretch / part + 1
    }

    /// Goes by one stretch in how long the next one may be, which may hold more.
    fn learn(&mut self, most_bytes: usize, chunk_size: usize) {
        let most = most_bytes.min(self.stretch.saturating_mul(2));
        self.stretch = most.clamp(1, chunk_size);
    }
}

impl Piece {
    /// The chunk with its bytes; if not all of them could be read, those before, and why.
    pub fn read(self, bytes: &dyn ReadAt) -> (Chunk, Option<io::Error>) {
        let Piece { mut chunk, unread } = self;
        if let Some(more) = unread.checked_sub(chunk.bytes.len()) {
            chunk.bytes.reserve_exact(more);
        }
        chunk.bytes.resize(unread, 0);
        let (len, read) = bytes.fill_at(&mut chunk.bytes, chunk.offset);
        let damage = read.err().or_else(|| (len < unread).then(shortened));
        if damage.is_some() {
            chunk.bytes.truncate(len);
            chunk.last = true;
            chunk.damaged = true;
        }
        (chunk, damage)
    }
}

/// How many bytes of the line on which a chunk ends lie before its end.
pub(super) fn column_behind(column: u64, bytes: &[u8]) -> u64 {
    match memrchr2(b'\n', b'\r', bytes) {
        Some(line_end) => (bytes.len() - line_end - 1) as u64,
        None => column + bytes.len() as u64,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::line_cutter::LineCutter;
    use super::super::shelf::Shelf;
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

    fn stream<R: Read, C: Cutter>(reader: R, cutter: C, chunk_size: usize) -> Chunker<R, C> {
        Chunker::new(Bytes::InOrder(reader), cutter, chunk_size, false)
    }

    fn chunks<C: Cutter>(mut chunker: Chunker<impl Read, C>) -> Vec<Chunk> {
        let mut chunks: Vec<Chunk> = Vec::new();
        // A used buffer each time, so that what it held would show.
        while let Some(piece) = chunker.next_piece(|| Some(vec![b'?'; chunks.len() % 40])) {
            assert_eq!(piece.unread, 0, "a reader's bytes are read here");
            assert!(!piece.chunk.bytes.is_empty());
            chunks.push(piece.chunk);
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
            let chunks = chunks(stream(TEXT, LineCutter::new(), chunk_size));
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
            let expected = chunks(stream(TEXT, LineCutter::new(), chunk_size));
            for lengths in [&[1][..], &[0, 2, 0, 0, 7], &[3, 1, 40]] {
                let pieces = Pieces::new(TEXT, lengths);
                let chunks = chunks(stream(pieces, LineCutter::new(), chunk_size));
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
        for chunk in chunks(stream(TEXT, EverySeven, 3)) {
            assert_eq!(chunk.offset, offset);
            let before = &TEXT[..offset as usize];
            let line_end = memrchr2(b'\n', b'\r', before).map_or(0, |at| at + 1);
            assert_eq!(chunk.column, (before.len() - line_end) as u64);
            offset += chunk.bytes.len() as u64;
        }
    }

    #[test]
    fn an_empty_stream_has_no_chunks() {
        assert!(chunks(stream(&b""[..], LineCutter::new(), 10)).is_empty());
    }

    #[test]
    fn damage_ends_the_stream_after_the_bytes_before_it() {
        let mut pieces = Pieces::new(TEXT, &[5]);
        pieces.error = Some(io::ErrorKind::InvalidData);
        let mut chunker = stream(pieces, LineCutter::new(), 4);
        let mut bytes = Vec::new();
        while let Some(piece) = chunker.next_piece(|| Some(Vec::new())) {
            bytes.extend(piece.chunk.bytes);
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
            let chunks = chunks(stream(&long[..], LineCutter::with_limit(20), chunk_size));
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
        let chunks = chunks(stream(&long[..], Exact(0), 22));
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
        let chunks = chunks(stream(&long[..], cutter, 1));
        assert_eq!(chunks.len(), 1);
        assert!(looked_at < 4 * long.len(), "{looked_at}");
    }

    fn on(shelf: &Arc<Shelf>, chunk_size: usize) -> Chunker<io::Empty, LineCutter> {
        let bytes = Bytes::Anywhere(Arc::clone(shelf) as Arc<dyn ReadAt>);
        Chunker::new(bytes, LineCutter::with_limit(300), chunk_size, false)
    }

    /// The chunks until the first damage, how many of them were cut by a window, and the damage.
    fn from_shelf(
        shelf: &Arc<Shelf>,
        chunk_size: usize,
        mut behind: impl FnMut(&Shelf, usize),
    ) -> (Vec<Chunk>, usize, Option<io::Error>) {
        let mut chunker = on(shelf, chunk_size);
        let (mut chunks, mut by_window) = (Vec::<Chunk>::new(), 0);
        while let Some(piece) = chunker.next_piece(|| Some(vec![b'?'; chunks.len() % 40])) {
            if piece.unread > 0 {
                by_window += 1;
                let (chunk, damage) = piece.read(&**shelf);
                chunks.push(chunk);
                if damage.is_some() {
                    return (chunks, by_window, damage);
                }
            } else {
                chunks.push(piece.chunk);
            }
            behind(shelf, chunks.len());
        }
        let (bytes, damage) = chunker.finish();
        assert_eq!(bytes, joined(&chunks).len() as u64);
        (chunks, by_window, damage)
    }

    /// Lines of all lengths, some longer than what is searched, one longer than is held.
    fn lines() -> Vec<u8> {
        let lengths = (0..900usize).map(|n| if n == 300 { 5_000 } else { n * n % 97 + n % 3 });
        lengths.flat_map(|len| [vec![b'x'; len], b"\n".to_vec()].concat()).collect()
    }

    #[test]
    fn windows_show_the_same_stream_at_every_size() {
        let text = lines();
        let shelf = Arc::new(Shelf::new(&text));
        for chunk_size in (0..90).chain([300, 1000, 4096, 30_000, 1 << 20, usize::MAX]) {
            let (chunks, by_window, damage) = from_shelf(&shelf, chunk_size, |_, _| {});
            assert!(damage.is_none());
            assert!(joined(&chunks) == text, "{chunk_size}");
            assert!(by_window > 0 || chunk_size < 10 || chunk_size > text.len(), "{chunk_size}");
            let (mut offset, mut column) = (0, 0);
            for (index, chunk) in chunks.iter().enumerate() {
                assert_eq!((chunk.offset, chunk.column), (offset, column), "{chunk_size}");
                assert_eq!(chunk.last, index + 1 == chunks.len(), "{chunk_size}");
                offset += chunk.bytes.len() as u64;
                column = column_behind(column, &chunk.bytes);
                let whole = chunk.kind == ChunkKind::Whole;
                assert!(!whole || chunk.bytes.ends_with(b"\n"), "{chunk_size}");
            }
        }
    }

    #[test]
    fn the_thread_that_cuts_reads_little_where_windows_show_enough() {
        let text = b"a line of some length\n".repeat(40_000);
        let shelf = Arc::new(Shelf::new(&text));
        let mut chunker = on(&shelf, 1 << 15);
        let mut unread = 0;
        while let Some(piece) = chunker.next_piece(|| Some(Vec::new())) {
            unread += piece.unread;
        }
        // But for the last stretch, whose end lies before the window.
        assert!(unread > text.len() - (1 << 15), "{unread}");
        let read = shelf.bytes_read();
        assert!(read < text.len() as u64 / 10, "{read} of {}", text.len());
    }

    #[test]
    fn bytes_that_cannot_be_read_end_the_stream_behind_all_before_them() {
        let text = lines();
        for at in [0, 1, 500, 9_000, 20_000, text.len() as u64 - 1] {
            let shelf = Arc::new(Shelf::new(&text).failing_at(at));
            for chunk_size in [1, 20, 700, 8_000, 1 << 20] {
                let (chunks, _, damage) = from_shelf(&shelf, chunk_size, |_, _| {});
                assert!(joined(&chunks) == text[..at as usize], "{at} {chunk_size}");
                assert_eq!(damage.unwrap().to_string(), "scratched");
                // One that ends where the next cannot be read at all does not know.
                assert!(chunks.iter().all(|chunk| chunk.last == chunk.damaged));
            }
        }
    }

    #[test]
    fn a_file_that_becomes_shorter_gives_what_there_was_and_an_error() {
        let text = lines();
        let mut told = 0;
        for len in [0, 700, 5_000, 9_000] {
            for chunk_size in [20, 700, 3_000] {
                let shelf = Arc::new(Shelf::new(&text));
                let shorten = |shelf: &Shelf, chunks| {
                    if chunks == 3 {
                        shelf.truncate(len);
                    }
                };
                let (chunks, _, damage) = from_shelf(&shelf, chunk_size, shorten);
                let read = joined(&chunks);
                assert!(text.starts_with(&read) && read.len() < text.len());
                if let Some(damage) = damage {
                    assert!(damage.to_string().contains("became shorter"), "{damage}");
                    told += 1;
                } else {
                    assert!(read.len() <= len, "{len} {chunk_size}");
                }
            }
        }
        assert!(told > 4, "{told}");
    }

    #[test]
    fn a_file_that_becomes_longer_is_read_to_an_end_that_it_had() {
        let text = lines();
        for chunk_size in [20, 700, 3_000, 1 << 20] {
            let half = text.len() / 2;
            let shelf = Arc::new(Shelf::new(&text[..half]));
            let (chunks, _, damage) = from_shelf(&shelf, chunk_size, |shelf, chunks| {
                if chunks < 40 {
                    shelf.append(&text[half + chunks * 20..][..20]);
                }
            });
            let read = joined(&chunks);
            assert!(damage.is_none() && read.len() >= half && chunks.last().unwrap().last);
            assert!(read[..half] == text[..half], "{chunk_size}");
        }
    }
}
