//! Reads zstd: frames and skippable frames in any number and order (RFC 8878, 3.1).

use std::io::{self, BufRead, Read};

use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::packing;

/// Windows of up to 2 GiB, as `zstd --long=31` writes them; libzstd has 1 GiB at most on 32 bits.
const WINDOW_LOG_MAX: u32 = if cfg!(target_pointer_width = "64") { 31 } else { 30 };

/// Length of a block's header (RFC 8878, 3.1.1.2).
const BLOCK_HEADER: usize = 3;

/// Gives every block that could be decoded, then the error of the first that could not.
pub(super) struct ZstdReader<R> {
    raw: R,
    decoder: Decoder<'static>,
    /// Bytes that the decoder would like next, the header of the next block among them.
    hint: usize,
    /// Bytes taken of the frame begun; 0 between frames.
    taken: u64,
    /// The decoder may hold bytes that had no room in the last answer.
    held_back: bool,
    ended: bool,
}

impl<R: BufRead> ZstdReader<R> {
    pub fn new(raw: R) -> io::Result<ZstdReader<R>> {
        let mut decoder = Decoder::new()?;
        decoder.set_parameter(DParameter::WindowLogMax(WINDOW_LOG_MAX))?;
        Ok(ZstdReader { raw, decoder, hint: 0, taken: 0, held_back: false, ended: false })
    }

    /// Behind the end of the raw bytes, for what follows: more of them.
    pub fn go_on(&mut self) -> &mut R {
        self.ended = false;
        &mut self.raw
    }

    /// How much to hand over: a block or a header, never a block with the header after it.
    ///
    /// `ZSTD_decompressStream` does not say what it wrote in a call that fails, so a damaged
    /// header would take the sound block before it along.
    fn portion(&self) -> usize {
        if self.hint > BLOCK_HEADER { self.hint - BLOCK_HEADER } else { self.hint.max(1) }
    }

    fn damaged(&mut self, error: &io::Error) -> io::Error {
        self.ended = true;
        let message = if self.taken < 4 {
            "something that is not zstd follows the last zstd frame".to_owned()
        } else {
            format!("the zstd stream is damaged: {error}")
        };
        packing::damaged(message)
    }
}

impl<R: BufRead> Read for ZstdReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() || self.ended {
            return Ok(0);
        }
        if self.held_back {
            let mut written = OutBuffer::around(out);
            let result = self.decoder.run(&mut InBuffer::around(&[]), &mut written);
            let written = written.pos();
            self.hint = result.map_err(|e| self.damaged(&e))?;
            self.held_back = written == out.len();
            if written > 0 {
                return Ok(written);
            }
        }
        loop {
            let portion = self.portion();
            let input = self.raw.fill_buf()?;
            if input.is_empty() {
                self.ended = true;
                return match self.taken {
                    0 => Ok(0),
                    _ => Err(packing::cut("the zstd stream ends inside a frame")),
                };
            }
            let mut taken = InBuffer::around(&input[..portion.min(input.len())]);
            let mut written = OutBuffer::around(out);
            let result = self.decoder.run(&mut taken, &mut written);
            let (taken, written) = (taken.pos(), written.pos());
            self.hint = result.map_err(|e| self.damaged(&e))?;
            self.raw.consume(taken);
            self.taken = if self.hint == 0 { 0 } else { self.taken + taken as u64 };
            if written > 0 {
                self.held_back = written == out.len();
                return Ok(written);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use super::*;
    use crate::source::to_damage::{read_to_damage, text};

    /// What comes out, and the error after it.
    fn read(raw: &[u8], raw_block: usize, out_block: usize) -> (Vec<u8>, Option<io::Error>) {
        read_to_damage(
            ZstdReader::new(BufReader::with_capacity(raw_block, raw)).unwrap(),
            out_block,
        )
    }

    fn frame(bytes: &[u8], checksum: bool) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
        encoder.include_checksum(checksum).unwrap();
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn skippable(len: u32) -> Vec<u8> {
        let mut frame = vec![0x5a, 0x2a, 0x4d, 0x18];
        frame.extend(len.to_le_bytes());
        frame.extend(vec![7; len as usize]);
        frame
    }

    #[test]
    fn many_frames_with_skippable_ones_anywhere_are_one_text() {
        let text = text(300_000);
        let raw = [
            skippable(5),
            frame(&text[..140_000], true),
            skippable(0),
            frame(&[], false),
            frame(&text[140_000..140_001], false),
            skippable(70_000),
            frame(&text[140_001..], true),
            skippable(3),
        ]
        .concat();
        for (raw_block, out_block) in [(1 << 18, 1 << 20), (1 << 18, 1000), (7, 1 << 17), (1, 3)] {
            let (bytes, error) = read(&raw, raw_block, out_block);
            assert!(bytes == text && error.is_none(), "{raw_block} {out_block} {error:?}");
        }
    }

    #[test]
    fn a_stream_cut_off_anywhere_gives_its_whole_blocks_and_an_error() {
        let text = text(400_000);
        let raw = frame(&text, true);
        let mut longest = 0;
        for cut in (1..raw.len()).step_by(29_989).chain([4, raw.len() - 1, raw.len() - 4]) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            assert!(text.starts_with(&bytes));
            assert_eq!(error.unwrap().kind(), io::ErrorKind::UnexpectedEof, "{cut}");
            longest = longest.max(bytes.len());
        }
        assert_eq!(longest, text.len(), "only the checksum is missing");
    }

    #[test]
    fn trailing_garbage_is_an_error_after_all_good_bytes() {
        let text = text(200_000);
        let raw = [frame(&text, false), b"[Event \"not packed\"]".to_vec()].concat();
        for (raw_block, out_block) in [(1 << 18, 1 << 20), (10, 100)] {
            let (bytes, error) = read(&raw, raw_block, out_block);
            assert!(bytes == text);
            assert!(error.unwrap().to_string().contains("not zstd follows"));
        }
    }

    #[test]
    fn damage_costs_no_block_before_it_however_the_bytes_are_asked_for() {
        let text = text(600_000);
        let sound = frame(&text, true);
        for at in (5..sound.len()).step_by(40_009) {
            let mut raw = sound.clone();
            raw[at] ^= 0x55;
            let (all, error) = read(&raw, 1 << 18, 1 << 21);
            assert!(error.is_some(), "the checksum knows of byte {at}");
            for (raw_block, out_block) in [(5, 1 << 20), (1 << 18, 777)] {
                assert!(read(&raw, raw_block, out_block).0 == all, "{at}");
            }
        }
    }

    #[test]
    fn a_damaged_block_header_leaves_the_block_before_it_whole() {
        // Two raw blocks of three bytes in a frame without a stated size, window of 1 KiB.
        let mut raw = vec![0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x00];
        raw.extend([3 << 3, 0, 0, b'a', b'b', b'c']);
        // Block type 3 is reserved (RFC 8878, 3.1.1.2.2).
        raw.extend([3 << 3 | 3 << 1 | 1, 0, 0, b'd', b'e', b'f']);
        let (bytes, error) = read(&raw, 1 << 18, 1 << 20);
        assert_eq!(bytes, b"abc");
        assert!(error.unwrap().to_string().contains("damaged"));
    }

    #[test]
    fn a_window_of_two_gibibytes_is_read() {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.window_log(WINDOW_LOG_MAX).unwrap();
        encoder.write_all(b"1. e4 *").unwrap();
        let raw = encoder.finish().unwrap();
        assert_eq!(raw[5] >> 3, (WINDOW_LOG_MAX - 10) as u8, "the frame states its window");
        assert_eq!(read(&raw, 1 << 18, 1 << 20).0, b"1. e4 *");
    }
}
