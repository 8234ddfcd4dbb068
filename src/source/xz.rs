//! Reads xz: streams in any number, one after another, with padding between and behind them
//! (.xz file format 1.2, 2).
//!
//! The crate's reader says nothing of what it wrote in a call that fails. So it is asked for a
//! little at a time, into a block filled with a byte that stands in no text, which shows how far
//! it came. A chunk of LZMA2 (up to 64 KiB packed) is decoded once all of it is there, so that a
//! cut costs the chunk that it falls into.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use lzma_rust2::XzReader as StreamReader;

use super::packing;
use super::padding::{Behind, skip_padding};

/// Small, since what a chunk of LZMA2 gives before a damage inside it is lost up to this.
const BLOCK: usize = 4 * 1024;

/// Neither UTF-8 nor ASCII; in ISO 8859-1 a letter that ends no move, tag or line.
const UNTOUCHED: u8 = 0xff;

/// Gives every byte that could be decoded, then the error of the first that could not.
pub(super) struct XzReader<R: BufRead> {
    state: State<R>,
    block: Box<[u8]>,
    /// The part of the block that is still to be given out.
    ready: Range<usize>,
}

enum State<R: BufRead> {
    /// One stream only: the crate steps from one to the next by recursion, which a file of many
    /// empty streams would drive through the stack.
    Stream(Box<StreamReader<Watched<R>>>),
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> XzReader<R> {
    pub fn new(raw: R) -> XzReader<R> {
        XzReader { state: State::begin(raw), block: vec![0; BLOCK].into_boxed_slice(), ready: 0..0 }
    }

    /// Goes on until bytes are ready or the end is reached.
    fn advance(&mut self) -> io::Result<()> {
        while self.ready.is_empty() {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Stream(mut stream) => {
                    self.block.fill(UNTOUCHED);
                    self.state = match stream.read(&mut self.block) {
                        Ok(0) => next_stream(stream.into_inner().raw)?,
                        Ok(len) => {
                            self.ready = 0..len;
                            State::Stream(stream)
                        }
                        Err(error) => {
                            let written = self.block.iter().rposition(|&byte| byte != UNTOUCHED);
                            self.ready = 0..written.map_or(0, |last| last + 1);
                            State::Failed(named(error, &stream.inner().failed_or_ended))
                        }
                    };
                }
                State::Failed(error) => return Err(error),
                State::Ended => return Ok(()),
            }
        }
        Ok(())
    }
}

impl<R: BufRead> State<R> {
    fn begin(raw: R) -> State<R> {
        let raw = Watched { raw, failed_or_ended: RawEnd::NotYet };
        State::Stream(Box::new(StreamReader::new(raw, false)))
    }
}

/// What follows a stream. Padding comes in fours (2.2).
fn next_stream<R: BufRead>(mut raw: R) -> io::Result<State<R>> {
    match skip_padding(&mut raw)? {
        Behind::End => Ok(State::Ended),
        Behind::Something { padding } if padding % 4 == 0 && raw.fill_buf()?[0] == 0xfd => {
            Ok(State::begin(raw))
        }
        Behind::Something { .. } => {
            Err(packing::damaged("something that is not xz follows the last xz stream"))
        }
    }
}

impl<R: BufRead> Read for XzReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        self.advance()?;
        let len = out.len().min(self.ready.len());
        out[..len].copy_from_slice(&self.block[self.ready.start..][..len]);
        self.ready.start += len;
        Ok(len)
    }
}

/// The raw bytes, and how they ended: the crate says of a cut and of a disk's failure, too, that
/// the data are damaged.
struct Watched<R> {
    raw: R,
    failed_or_ended: RawEnd,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RawEnd {
    NotYet,
    Ended,
    Failed,
}

impl<R: BufRead> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let result = self.raw.read(out);
        match &result {
            Ok(0) if !out.is_empty() => self.failed_or_ended = RawEnd::Ended,
            Ok(_) => {}
            Err(_) => self.failed_or_ended = RawEnd::Failed,
        }
        result
    }
}

fn named(error: io::Error, end: &RawEnd) -> io::Error {
    match end {
        RawEnd::NotYet => packing::damaged(format!("the xz stream is damaged: {error}")),
        RawEnd::Ended => packing::cut("the xz stream ends before its index"),
        RawEnd::Failed => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};
    use std::num::NonZeroU64;

    use lzma_rust2::{XzOptions, XzWriter};

    use super::*;

    /// What comes out, and the error after it.
    fn read(raw: &[u8], raw_block: usize, out_block: usize) -> (Vec<u8>, Option<io::Error>) {
        let mut reader = XzReader::new(BufReader::with_capacity(raw_block, raw));
        let mut bytes = Vec::new();
        let mut block = vec![0; out_block];
        loop {
            match reader.read(&mut block) {
                Ok(0) => return (bytes, None),
                Ok(len) => bytes.extend_from_slice(&block[..len]),
                Err(error) => {
                    assert_eq!(reader.read(&mut block).unwrap(), 0, "it ends after an error");
                    return (bytes, Some(error));
                }
            }
        }
    }

    fn text(len: usize) -> Vec<u8> {
        let words = (0u32..).map(|n| format!("{}. e4 ", n.wrapping_mul(2_654_435_761)));
        words.flat_map(String::into_bytes).take(len).collect()
    }

    fn stream(bytes: &[u8]) -> Vec<u8> {
        let mut options = XzOptions::with_preset(1);
        options.set_block_size(NonZeroU64::new(70_000));
        let mut encoder = XzWriter::new(Vec::new(), options).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn many_streams_with_padding_are_one_text() {
        let text = text(150_000);
        let padding = vec![0; 8];
        let raw = [stream(&text[..90_000]), padding.clone(), stream(&text[90_000..]), padding];
        for (raw_block, out_block) in [(1 << 18, 1 << 20), (1 << 18, 1000), (7, 1 << 17)] {
            let (bytes, error) = read(&raw.concat(), raw_block, out_block);
            assert!(bytes == text && error.is_none(), "{raw_block} {out_block} {error:?}");
        }
    }

    #[test]
    fn many_thousands_of_empty_streams_are_no_trouble() {
        let empty = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
        let empty = empty.finish().unwrap();
        let (bytes, error) = read(&empty.repeat(30_000), 1 << 18, 1 << 20);
        assert!(bytes.is_empty() && error.is_none(), "{error:?}");
    }

    #[test]
    fn a_stream_cut_off_anywhere_gives_its_whole_chunks_and_an_error() {
        let text = text(200_000);
        let raw = stream(&text);
        let mut longest = 0;
        for cut in (6..raw.len()).step_by(3_001).chain([raw.len() - 1, raw.len() - 30]) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            assert!(text.starts_with(&bytes));
            let error = error.unwrap();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{cut} {error}");
            assert!(packing::is_packing_damage(&error));
            longest = longest.max(bytes.len());
        }
        assert_eq!(longest, text.len(), "only the index is missing");
    }

    #[test]
    fn a_small_stream_cut_at_every_byte_never_looks_whole() {
        let text = text(2_000);
        let first = stream(&text);
        let raw = [first.clone(), stream(b"more")].concat();
        for cut in (1..raw.len()).filter(|&cut| cut != first.len()) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            assert!([&text[..], b"more"].concat().starts_with(&bytes), "{cut}");
            assert!(error.is_some(), "{cut}");
            assert!(cut < first.len() || bytes.starts_with(&text), "{cut}");
        }
    }

    #[test]
    fn trailing_garbage_is_an_error_after_all_good_bytes() {
        let text = text(5_000);
        for garbage in [&b"[Event \"not packed\"]"[..], b"\n\n", b"\0\0\0\xfd7zXZ\0"] {
            let (bytes, error) = read(&[&stream(&text), garbage].concat(), 1 << 18, 1 << 20);
            assert!(bytes == text);
            assert!(error.unwrap().to_string().contains("not xz follows"));
        }
    }

    #[test]
    fn damage_costs_no_block_before_it_however_the_bytes_are_asked_for() {
        let text = text(200_000);
        let sound = stream(&text);
        for at in (12..sound.len()).step_by(4_001) {
            let mut raw = sound.clone();
            raw[at] ^= 0x55;
            let (all, error) = read(&raw, 1 << 18, 1 << 20);
            assert!(error.is_some(), "a checksum knows of byte {at}");
            for (raw_block, out_block) in [(5, 1 << 20), (1 << 18, 777)] {
                assert!(read(&raw, raw_block, out_block).0 == all, "{at}");
            }
        }
    }
}
