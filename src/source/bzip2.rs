//! Reads bzip2: streams in any number, one after another, as pbzip2 writes them.
//!
//! The crate's own reader drops the block that it decoded in the call that meets the damage; this
//! one gives it out, and the error after it. NUL bytes behind the last stream are padding.

use std::io::{self, BufRead, Read};
use std::ops::Range;

use bzip2::{Decompress, Status};

use super::packing;
use super::padding::{Behind, skip_padding};

const BLOCK: usize = 64 * 1024;

/// Gives every byte that could be decoded, then the error of the first that could not.
pub(super) struct Bzip2Reader<R> {
    raw: FullBlocks<R>,
    decoder: Decompress,
    block: Box<[u8]>,
    /// The part of the block that is still to be given out.
    ready: Range<usize>,
    state: State,
}

enum State {
    /// A stream comes next; behind the first it may be the end instead.
    Between {
        first: bool,
    },
    Stream {
        first: bool,
        /// Bytes taken of it.
        taken: u64,
    },
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> Bzip2Reader<R> {
    pub fn new(raw: R) -> Bzip2Reader<R> {
        Bzip2Reader {
            raw: FullBlocks { raw, block: Vec::with_capacity(BLOCK), taken: 0, failure: None },
            decoder: Decompress::new(false),
            block: vec![0; BLOCK].into_boxed_slice(),
            ready: 0..0,
            state: State::Between { first: true },
        }
    }

    /// Goes on until bytes are ready or the end is reached.
    fn advance(&mut self) -> io::Result<()> {
        while self.ready.is_empty() {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Between { first } => {
                    if !first {
                        match skip_padding(&mut self.raw)? {
                            Behind::End => return Ok(()),
                            Behind::Something { padding: 0 } => {}
                            Behind::Something { .. } => return Err(trailing()),
                        }
                        self.decoder = Decompress::new(false);
                    }
                    self.state = State::Stream { first, taken: 0 };
                }
                State::Stream { first, taken } => self.state = self.decode(first, taken)?,
                State::Failed(error) => return Err(error),
                State::Ended => return Ok(()),
            }
        }
        Ok(())
    }

    /// Decodes at most one block and says what comes after it.
    fn decode(&mut self, first: bool, taken: u64) -> io::Result<State> {
        let input = self.raw.fill_buf()?;
        let at_end = input.is_empty();
        let (in_before, out_before) = (self.decoder.total_in(), self.decoder.total_out());
        let result = self.decoder.decompress(input, &mut self.block);
        let consumed = self.decoder.total_in() - in_before;
        let len = (self.decoder.total_out() - out_before) as usize;
        self.raw.consume(consumed as usize);
        self.ready = 0..len;
        match result {
            Ok(Status::StreamEnd) => Ok(State::Between { first: false }),
            Ok(_) if at_end && len == 0 => {
                Err(packing::cut("the bzip2 stream ends before its end mark"))
            }
            Ok(_) => Ok(State::Stream { first, taken: taken + consumed }),
            Err(bzip2::Error::DataMagic) if !first && taken == 0 => Ok(State::Failed(trailing())),
            Err(error) => {
                Ok(State::Failed(packing::damaged(format!("the bzip2 stream is damaged: {error}"))))
            }
        }
    }
}

impl<R: BufRead> Read for Bzip2Reader<R> {
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

/// Gives the raw bytes in blocks of one size, however they come: how much of a damaged block is
/// decoded depends on where the calls to the decoder end.
struct FullBlocks<R> {
    raw: R,
    block: Vec<u8>,
    taken: usize,
    failure: Option<io::Error>,
}

impl<R: Read> BufRead for FullBlocks<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.block.len() {
            self.block.clear();
            self.taken = 0;
            if let Some(error) = self.failure.take() {
                return Err(error);
            }
            let read = self.raw.by_ref().take(BLOCK as u64).read_to_end(&mut self.block);
            match read {
                Err(error) if self.block.is_empty() => return Err(error),
                // It comes behind the bytes before it.
                read => self.failure = read.err(),
            }
        }
        Ok(&self.block[self.taken..])
    }

    fn consume(&mut self, len: usize) {
        self.taken += len;
    }
}

impl<R: Read> Read for FullBlocks<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(out)?;
        self.consume(len);
        Ok(len)
    }
}

fn trailing() -> io::Error {
    packing::damaged("something that is not bzip2 follows the last bzip2 stream")
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use super::*;
    use crate::source::to_damage::{read_to_damage, text};

    /// What comes out, and the error after it.
    fn read(raw: &[u8], raw_block: usize, out_block: usize) -> (Vec<u8>, Option<io::Error>) {
        read_to_damage(Bzip2Reader::new(BufReader::with_capacity(raw_block, raw)), out_block)
    }

    /// Blocks of 100 kB.
    fn stream(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(1));
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn many_streams_are_one_text() {
        let text = text(250_000);
        let raw = [stream(&text[..120_000]), stream(b""), stream(&text[120_000..])].concat();
        for (raw_block, out_block) in [(1 << 18, 1 << 20), (1 << 18, 1000), (7, 1 << 17)] {
            let (bytes, error) = read(&raw, raw_block, out_block);
            assert!(bytes == text && error.is_none(), "{raw_block} {out_block} {error:?}");
        }
    }

    #[test]
    fn a_stream_cut_off_anywhere_gives_its_whole_blocks_and_an_error() {
        let text = text(250_000);
        let raw = stream(&text);
        let mut longest = 0;
        for cut in (4..raw.len()).step_by(20_011).chain([raw.len() - 1, raw.len() - 11]) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            assert!(text.starts_with(&bytes));
            let error = error.unwrap();
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{cut}");
            assert!(packing::is_packing_damage(&error));
            longest = longest.max(bytes.len());
        }
        assert_eq!(longest, text.len(), "only the end mark is missing");
    }

    #[test]
    fn a_small_stream_cut_at_every_byte_never_looks_whole() {
        let text = text(2_000);
        let raw = [stream(&text), stream(b"more")].concat();
        let first = stream(&text).len();
        for cut in (1..raw.len()).filter(|&cut| cut != first) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            assert!([&text[..], b"more"].concat().starts_with(&bytes), "{cut}");
            assert!(error.is_some(), "{cut}");
        }
    }

    #[test]
    fn trailing_garbage_is_an_error_after_all_good_bytes_and_padding_is_none() {
        let text = text(5_000);
        for garbage in [&b"[Event \"not packed\"]"[..], b"\n\n", b"\0\0\0BZh1"] {
            let (bytes, error) = read(&[&stream(&text), garbage].concat(), 1 << 18, 1 << 20);
            assert!(bytes == text);
            assert!(error.unwrap().to_string().contains("not bzip2 follows"));
        }
        let (bytes, error) = read(&[stream(&text), vec![0; 600]].concat(), 7, 1 << 20);
        assert!(bytes == text && error.is_none());
    }

    #[test]
    fn what_the_raw_bytes_fail_at_is_told_behind_a_whole_stream_too() {
        struct Failing;
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::TimedOut.into())
            }
        }
        let raw = stream(b"1. e4 *");
        let mut reader = Bzip2Reader::new(BufReader::new(raw.chain(Failing)));
        let mut bytes = Vec::new();
        let error = reader.read_to_end(&mut bytes).unwrap_err();
        assert_eq!((&bytes[..], error.kind()), (&b"1. e4 *"[..], io::ErrorKind::TimedOut));
    }

    #[test]
    fn damage_costs_no_block_before_it_however_the_bytes_are_asked_for() {
        let text = text(250_000);
        let sound = stream(&text);
        for at in (4..sound.len()).step_by(20_011) {
            let mut raw = sound.clone();
            raw[at] ^= 0x55;
            let before = read(&sound[..at], 1 << 18, 1 << 20).0;
            let (all, error) = read(&raw, 1 << 18, 1 << 20);
            assert!(all.starts_with(&before), "{at}");
            assert!(error.is_some(), "the checksum knows of byte {at}");
            for (raw_block, out_block) in [(5, 1 << 20), (1 << 18, 777)] {
                assert!(read(&raw, raw_block, out_block).0 == all, "{at}");
            }
        }
    }
}
