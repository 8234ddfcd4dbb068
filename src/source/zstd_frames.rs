//! Reads a zstd file of many frames on several threads: each decodes a frame of its own, and the
//! bytes go on in their order.
//!
//! In: a regular file. Out: what [`ZstdReader`] gives for it, byte for byte and error for error,
//! because each frame goes through one of its kind; from the first frame on whose end or need
//! cannot be told, that one reads all that follows. Promised: the frames that are being decoded,
//! or wait, never hold more than the budget, and nothing is decoded for long once nobody reads.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::RAW_BLOCK;
use super::bytes::{FromStart, read_at};
use super::raw::RawReader;
use super::zstd::ZstdReader;
use super::zstd_frame::{Frame, Limits};

/// Bytes that are handed on at once.
const PIECE: usize = 256 * 1024;

/// The most that a decoder keeps to look back at; frames that need more are decoded one by one.
const LARGEST_WINDOW: u64 = 8 * 1024 * 1024;

/// More decoders give more than one thread can take and cut.
const MOST_DECODERS: usize = 8;

/// What frames in flight may hold, together and for each thread that takes part in the work.
const BUDGET: u64 = 32 * 1024 * 1024;
const BUDGET_A_THREAD: u64 = 8 * 1024 * 1024;

/// A file of many frames, read in order.
pub(super) struct FramesReader {
    shared: Arc<Shared>,
    decoders: Vec<JoinHandle<()>>,
    /// Follows behind the frames that were given out: counted and hashed in order.
    raw: Option<RawReader<FromStart>>,
    raw_offset: u64,
    piece: Piece,
    given: usize,
    /// Reads what follows the frames that could be told apart.
    rest: Option<ZstdReader<BufReader<RawReader<FromStart>>>>,
    ended: bool,
}

/// What the decoders and the reader know together.
#[derive(Debug)]
struct Shared {
    file: Arc<File>,
    budget: u64,
    decoders: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Where the next frame begins; behind the last that could be told apart, what is left.
    next: u64,
    /// It, and where it begins behind the skippable ones before it, if it waits for room.
    found: Option<(u64, Frame)>,
    all_found: bool,
    /// The frames that were begun and not given out, in order.
    frames: VecDeque<InFlight>,
    /// The number of the first of them.
    first: u64,
    /// What the frames in flight may hold.
    reserved: u64,
    spare: Vec<Box<[u8]>>,
    stopped: bool,
}

#[derive(Debug)]
struct InFlight {
    frame: Frame,
    pieces: VecDeque<Piece>,
    end: Option<io::Result<()>>,
}

#[derive(Debug, Default)]
struct Piece {
    bytes: Box<[u8]>,
    len: usize,
}

impl FramesReader {
    /// `None` where `file` does not begin with two frames that can be decoded beside each other.
    /// `raw` reads the file from its start.
    pub fn new(
        file: &Arc<File>,
        raw: RawReader<FromStart>,
        threads: usize,
    ) -> io::Result<Option<FramesReader>> {
        let budget = BUDGET + BUDGET_A_THREAD.saturating_mul(threads as u64);
        FramesReader::with_budget(file, raw, threads.min(MOST_DECODERS), budget)
    }

    fn with_budget(
        file: &Arc<File>,
        raw: RawReader<FromStart>,
        decoders: usize,
        budget: u64,
    ) -> io::Result<Option<FramesReader>> {
        let shared = Shared {
            file: Arc::clone(file),
            budget,
            decoders,
            state: Mutex::default(),
            changed: Condvar::new(),
        };
        // What cannot be read is met again by the one reader, behind all that comes before it.
        let Ok(Some((_, first))) = shared.find_frame(0) else { return Ok(None) };
        let Ok(Some(_)) = shared.find_frame(first.end) else { return Ok(None) };
        let shared = Arc::new(shared);
        let mut threads = Vec::with_capacity(decoders);
        for _ in 0..decoders {
            let shared = Arc::clone(&shared);
            let decoder = thread::Builder::new().name("decoder".to_owned());
            match decoder.spawn(move || shared.decode()) {
                Ok(thread) => threads.push(thread),
                // With fewer it takes longer.
                Err(_) if !threads.is_empty() => break,
                Err(_) => return Ok(None),
            }
        }
        Ok(Some(FramesReader {
            shared,
            decoders: threads,
            raw: Some(raw),
            raw_offset: 0,
            piece: Piece::default(),
            given: 0,
            rest: None,
            ended: false,
        }))
    }

    /// The next piece, if there is one before what is left for one decoder.
    fn next_piece(&mut self) -> io::Result<bool> {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.state();
        let used = std::mem::take(&mut self.piece);
        if !used.bytes.is_empty() {
            state.spare.push(used.bytes);
        }
        loop {
            let Some(front) = state.frames.front_mut() else {
                if state.all_found {
                    break;
                }
                state = shared.wait(state);
                continue;
            };
            if let Some(piece) = front.pieces.pop_front() {
                self.piece = piece;
                self.given = 0;
                return Ok(true);
            }
            let Some(end) = front.end.take() else {
                state = shared.wait(state);
                continue;
            };
            let frame = front.frame;
            state.frames.pop_front();
            state.first += 1;
            state.reserved -= reserve(frame);
            drop(state);
            shared.changed.notify_all();
            end?;
            self.pass(frame.end)?;
            state = shared.state();
        }
        let rest = state.next;
        drop(state);
        self.pass(rest)?;
        if let Some(raw) = self.raw.take() {
            self.rest = Some(ZstdReader::new(BufReader::with_capacity(RAW_BLOCK, raw))?);
        }
        Ok(false)
    }

    /// The raw bytes before `end` are done with.
    fn pass(&mut self, end: u64) -> io::Result<()> {
        if let Some(raw) = &mut self.raw {
            raw.pass(end - self.raw_offset)?;
            self.raw_offset = end;
        }
        Ok(())
    }
}

impl Read for FramesReader {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.ended {
            return Ok(0);
        }
        if let Some(rest) = &mut self.rest {
            return rest.read(out);
        }
        while self.given == self.piece.len {
            match self.next_piece() {
                Ok(true) => {}
                Ok(false) => return self.read(out),
                Err(error) => {
                    self.ended = true;
                    self.shared.stop();
                    return Err(error);
                }
            }
        }
        let ready = &self.piece.bytes[self.given..self.piece.len];
        let len = ready.len().min(out.len());
        out[..len].copy_from_slice(&ready[..len]);
        self.given += len;
        Ok(len)
    }
}

impl Drop for FramesReader {
    fn drop(&mut self) {
        self.shared.stop();
        for decoder in self.decoders.drain(..) {
            // A lost one told so in the place of its frame.
            let _ = decoder.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds it.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// Two frames have room at once, or to decode them side by side would be for nothing.
    fn limits(&self) -> Limits {
        Limits { window: LARGEST_WINDOW, bytes: self.budget / 2 - PIECE as u64 }
    }

    /// The next frame that is no skippable one, and where it begins.
    fn find_frame(&self, mut start: u64) -> io::Result<Option<(u64, Frame)>> {
        loop {
            match Frame::at(&self.file, start, self.limits())? {
                Some(frame) if frame.skippable => start = frame.end,
                found => return Ok(found.map(|frame| (start, frame))),
            }
        }
    }

    /// Runs on each decoding thread: frame after frame until there is no more.
    fn decode(&self) {
        let part = Part { file: Arc::clone(&self.file), offset: 0, end: 0 };
        let Ok(mut decoder) = ZstdReader::new(BufReader::with_capacity(RAW_BLOCK, part)) else {
            // Without memory for it, all is left to the reader.
            return self.leave_the_rest();
        };
        while let Some((number, start, frame)) = self.begin_frame() {
            let part = decoder.go_on().get_mut();
            (part.offset, part.end) = (start, frame.end);
            let decoded =
                catch_unwind(AssertUnwindSafe(|| self.decode_frame(&mut decoder, number)));
            let end = decoded.unwrap_or_else(|_| Err(io::Error::other("a decoder was lost")));
            let failed = end.is_err();
            self.put(number, None, Some(end));
            if failed {
                return;
            }
        }
    }

    fn leave_the_rest(&self) {
        self.state().all_found = true;
        self.changed.notify_all();
    }

    /// Waits for room, and takes the next frame: its number, where it begins, and the frame.
    fn begin_frame(&self) -> Option<(u64, u64, Frame)> {
        let mut state = self.state();
        loop {
            if state.stopped || state.all_found {
                return None;
            }
            if state.found.is_none() {
                // What cannot be read is met again by the one that reads the rest.
                state.found = self.find_frame(state.next).ok().flatten();
            }
            let Some((start, frame)) = state.found else {
                state.all_found = true;
                self.changed.notify_all();
                return None;
            };
            let has_room = state.reserved + reserve(frame) <= self.budget;
            if has_room && state.frames.len() < 2 * self.decoders {
                let number = state.first + state.frames.len() as u64;
                state.found = None;
                state.next = frame.end;
                state.reserved += reserve(frame);
                state.frames.push_back(InFlight { frame, pieces: VecDeque::new(), end: None });
                return Some((number, start, frame));
            }
            state = self.wait(state);
        }
    }

    fn decode_frame(&self, decoder: &mut impl Read, number: u64) -> io::Result<()> {
        loop {
            let spare = {
                let mut state = self.state();
                if state.stopped {
                    return Ok(());
                }
                state.spare.pop()
            };
            let mut bytes = spare.unwrap_or_else(|| vec![0; PIECE].into_boxed_slice());
            let mut len = 0;
            let end = loop {
                match decoder.read(&mut bytes[len..]) {
                    Ok(0) => break (len < PIECE).then_some(Ok(())),
                    Ok(more) => len += more,
                    Err(error) => break Some(Err(error)),
                }
            };
            self.put(number, Some(Piece { bytes, len }), None);
            if let Some(end) = end {
                return end;
            }
        }
    }

    /// Adds to a frame, unless nobody wants it any more.
    fn put(&self, number: u64, piece: Option<Piece>, end: Option<io::Result<()>>) {
        let mut state = self.state();
        let at = number.checked_sub(state.first).and_then(|at| usize::try_from(at).ok());
        if let Some(frame) = at.and_then(|at| state.frames.get_mut(at)) {
            frame.pieces.extend(piece);
            frame.end = end.or(frame.end.take());
        }
        drop(state);
        self.changed.notify_all();
    }
}

/// What a frame may hold in whole pieces, the last of them a mere end.
fn reserve(frame: Frame) -> u64 {
    frame.most_bytes.next_multiple_of(PIECE as u64) + PIECE as u64
}

/// The bytes of one frame.
#[derive(Debug)]
struct Part {
    file: Arc<File>,
    offset: u64,
    end: u64,
}

impl Read for Part {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.offset).unwrap_or(usize::MAX);
        let len = left.min(out.len());
        loop {
            match read_at(&self.file, &mut out[..len], self.offset) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => {
                    let len = read?;
                    self.offset += len as u64;
                    return Ok(len);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::time::Duration;

    use super::*;
    use crate::source::to_damage::{read_to_damage, text};

    const SMALL: u64 = 2 * 1024 * 1024;

    fn frames_of(raw: &[u8], decoders: usize, budget: u64) -> Option<FramesReader> {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(raw).unwrap();
        let file = Arc::new(file);
        let raw = RawReader::new(FromStart::new(Arc::clone(&file)), None, None);
        FramesReader::with_budget(&file, raw, decoders, budget).unwrap()
    }

    /// What comes out, and the error after it; held against the reader of one thread.
    fn read(raw: &[u8]) -> (Vec<u8>, Option<String>) {
        let alone = ZstdReader::new(BufReader::with_capacity(RAW_BLOCK, raw)).unwrap();
        let (expected, error) = read_to_damage(alone, 100_000);
        let error = error.map(|error| format!("{:?} {error}", error.kind()));
        for (decoders, out_block) in [(1, 1 << 20), (2, 100_000), (4, 7_777)] {
            let Some(frames) = frames_of(raw, decoders, SMALL) else { continue };
            let (bytes, found) = read_to_damage(frames, out_block);
            assert!(bytes == expected, "{decoders}: {} of {}", bytes.len(), expected.len());
            let found = found.map(|error| format!("{:?} {error}", error.kind()));
            assert_eq!(found, error, "{decoders}");
        }
        (expected, error)
    }

    fn frame(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn skippable(magic: u8, bytes: &[u8]) -> Vec<u8> {
        let len = bytes.len() as u32;
        [&[magic, 0x2a, 0x4d, 0x18][..], &len.to_le_bytes(), bytes].concat()
    }

    /// As pzstd writes it: before each frame its length.
    fn announced(bytes: &[u8]) -> Vec<u8> {
        let frame = frame(bytes);
        [skippable(0x50, &(frame.len() as u32).to_le_bytes()), frame].concat()
    }

    /// As the seekable format has it: behind all frames a table of their lengths.
    fn seekable(parts: &[&[u8]]) -> Vec<u8> {
        let (mut raw, mut table) = (Vec::new(), Vec::new());
        for part in parts {
            let frame = frame(part);
            table.extend((frame.len() as u32).to_le_bytes());
            table.extend((part.len() as u32).to_le_bytes());
            raw.extend(frame);
        }
        table.extend((parts.len() as u32).to_le_bytes());
        table.extend([0, 0xb1, 0xea, 0x92, 0x8f]);
        raw.extend(skippable(0x5e, &table));
        raw
    }

    #[test]
    fn many_frames_are_one_text_however_they_are_announced() {
        let text = text(1_500_000);
        let parts: Vec<&[u8]> = text.chunks(190_000).collect();
        let plain: Vec<u8> = parts.iter().flat_map(|part| frame(part)).collect();
        let pzstd: Vec<u8> = parts.iter().flat_map(|part| announced(part)).collect();
        let empty = [&frame(&parts.concat()[..190_000]), &frame(b"")[..], &frame(b"")].concat();
        let empty = [empty, parts[1..].iter().flat_map(|part| frame(part)).collect()].concat();
        let small: Vec<u8> = text.chunks(700).flat_map(frame).collect();
        for raw in [plain, pzstd, seekable(&parts), empty, small] {
            assert!(frames_of(&raw, 2, SMALL).is_some());
            let (bytes, error) = read(&raw);
            assert!(bytes == text && error.is_none());
        }
    }

    #[test]
    fn a_file_cut_off_anywhere_gives_what_one_reader_gives() {
        let text = text(900_000);
        let raw: Vec<u8> = text.chunks(190_000).flat_map(announced).collect();
        let mut whole = 0;
        for cut in (1..raw.len()).step_by(16_033).chain([raw.len() - 1, raw.len() - 4]) {
            let (bytes, error) = read(&raw[..cut]);
            assert!(text.starts_with(&bytes));
            whole += usize::from(error.is_none());
        }
        assert!(whole < 2, "a cut between two frames is a rare chance");
    }

    #[test]
    fn damage_in_the_middle_gives_what_one_reader_gives() {
        let text = text(900_000);
        let sound: Vec<u8> = text.chunks(190_000).flat_map(announced).collect();
        for at in (0..sound.len()).step_by(9_973) {
            let mut raw = sound.clone();
            raw[at] ^= 0x55;
            read(&raw);
        }
        // A checksum, a block's header, the header of a frame.
        let first = frame(&text[..190_000]);
        for (at, bit) in [(first.len() - 1, 1), (6, 6), (4, 8), (4, 3), (0, 1)] {
            let mut damaged = first.clone();
            damaged[at] ^= bit;
            let raw = [&first, &first, &damaged[..], &first].concat();
            let (bytes, error) = read(&raw);
            assert!(bytes.len() >= 2 * 190_000 && error.is_some(), "{at}");
        }
    }

    #[test]
    fn what_no_frame_is_or_one_that_is_too_large_is_read_as_one_reader_does() {
        let text = text(3_000_000);
        let (small, large) = (frame(&text[..90_000]), frame(&text));
        let before = [&small[..], &small, &skippable(0x51, b"?")].concat();
        let (bytes, error) = read(&[&before[..], &large, &small].concat());
        assert!(bytes.len() == 3 * 90_000 + text.len() && error.is_none());
        let (bytes, error) = read(&[&before[..], b"[Event \"not packed\"]"].concat());
        assert_eq!(bytes.len(), 2 * 90_000);
        assert!(error.unwrap().contains("not zstd follows"));
        assert!(frames_of(&[&large[..], &small].concat(), 2, SMALL).is_none());
        assert!(frames_of(&[&small[..], &skippable(0x50, b"1234")].concat(), 2, SMALL).is_none());
    }

    #[test]
    fn a_frame_that_needs_a_dictionary_fails_in_its_place() {
        let text = text(90_000);
        let samples: Vec<&[u8]> = text.chunks(300).collect();
        let dictionary = zstd::dict::from_samples(&samples, 4_000).unwrap();
        let mut encoder = zstd::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
        encoder.write_all(&text).unwrap();
        let other = encoder.finish().unwrap();
        let (bytes, error) = read(&[frame(&text), frame(&text), other, frame(&text)].concat());
        assert_eq!(bytes.len(), 2 * text.len());
        assert!(error.unwrap().contains("ictionary"));
    }

    #[test]
    fn frames_in_flight_never_hold_more_than_the_budget() {
        let text = text(190_000);
        let raw: Vec<u8> = (0..40).flat_map(|_| announced(&text)).collect();
        for (decoders, budget) in [(4, SMALL), (8, 2 * SMALL)] {
            let mut frames = frames_of(&raw, decoders, budget).unwrap();
            let mut out = vec![0; 150_000];
            let mut total = 0;
            loop {
                // So that the decoders run ahead as far as they may.
                thread::sleep(Duration::from_millis(2));
                let len = frames.read(&mut out).unwrap();
                if len == 0 {
                    break;
                }
                total += len;
            }
            assert_eq!(total, 40 * text.len());
            // None was freed: all that there ever were are here.
            let pieces = frames.shared.state().spare.len() as u64;
            assert!(pieces > 2 && pieces * PIECE as u64 <= budget, "{pieces}");
        }
    }

    #[test]
    fn a_reader_that_is_left_alone_ends_its_decoders() {
        let raw: Vec<u8> = (0..40).flat_map(|_| announced(&text(190_000))).collect();
        for len in [0, 1, 500_000] {
            let mut frames = frames_of(&raw, 3, SMALL).unwrap();
            frames.read_exact(&mut vec![0; len]).unwrap();
            let shared = Arc::downgrade(&frames.shared);
            drop(frames);
            assert!(shared.upgrade().is_none());
        }
    }
}
