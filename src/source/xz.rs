//! Reads xz: streams in any number, one after another, with padding between and behind them
//! (.xz file format 1.2, 2).
//!
//! The decoder is liblzma itself, which gives a byte out as soon as the packed ones before it
//! tell it. Decoders that wait for a whole chunk of LZMA2 (64 KiB packed) lose up to 2 MiB of text
//! where a stream is cut.

use std::io::{self, BufRead, Read};

use liblzma::stream::{Action, Error, Status, Stream};

use super::packing;
use super::padding::{Behind, skip_padding};

/// For a dictionary of 512 MiB and what the decoder needs beside it. `xz -9` takes one of 64 MiB.
const MEMORY: u64 = 513 << 20;

/// Gives every byte that could be decoded, then the error of the first that could not.
pub(super) struct XzReader<R> {
    raw: R,
    /// Of the raw bytes. It is told when all that came before it is given out.
    failure: Option<io::Error>,
    state: State,
}

enum State {
    /// A stream comes next.
    Before,
    /// One only: the decoder could step to the next by itself, but then it would take any padding.
    Stream(Stream),
    /// Another stream may come, or the end.
    Behind,
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> XzReader<R> {
    pub fn new(raw: R) -> XzReader<R> {
        XzReader { raw, failure: None, state: State::Before }
    }

    /// Decodes what fits into `out` and says how much that is; the state says what comes after.
    fn decode(&mut self, mut decoder: Stream, out: &mut [u8]) -> usize {
        let input = match &self.failure {
            Some(_) => &[],
            None => self.raw.fill_buf().unwrap_or_else(|error| {
                self.failure = Some(error);
                &[]
            }),
        };
        let (in_before, out_before) = (decoder.total_in(), decoder.total_out());
        let result = decoder.process(input, out, Action::Run);
        let consumed = decoder.total_in() - in_before;
        let len = decoder.total_out() - out_before;
        self.raw.consume(consumed as usize);
        self.state = match result {
            Ok(Status::StreamEnd) => State::Behind,
            // The crate's name for LZMA_BUF_ERROR: twice in turn nothing came in or went out.
            Ok(Status::MemNeeded) => State::Failed(self.failure.take().unwrap_or_else(cut)),
            Ok(_) => State::Stream(decoder),
            Err(error) => State::Failed(named(error)),
        };
        len as usize
    }
}

impl<R: BufRead> Read for XzReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Before => {
                    let decoder = Stream::new_stream_decoder(MEMORY, 0).map_err(named)?;
                    self.state = State::Stream(decoder);
                }
                State::Stream(decoder) => {
                    let len = self.decode(decoder, out);
                    if len > 0 {
                        return Ok(len);
                    }
                }
                State::Behind => self.state = behind(&mut self.raw)?,
                State::Failed(error) => return Err(error),
                State::Ended => return Ok(0),
            }
        }
    }
}

/// What follows a stream. Padding comes in fours (2.2).
fn behind(raw: &mut impl BufRead) -> io::Result<State> {
    match skip_padding(raw)? {
        Behind::End => Ok(State::Ended),
        Behind::Something { padding } if padding % 4 == 0 && raw.fill_buf()?[0] == 0xfd => {
            Ok(State::Before)
        }
        Behind::Something { .. } => {
            Err(packing::damaged("something that is not xz follows the last xz stream"))
        }
    }
}

fn cut() -> io::Error {
    packing::cut("the xz stream ends before its index")
}

/// Headers carry checksums, so that an odd option is no damage.
fn named(error: Error) -> io::Error {
    let unsupported = |why| io::Error::new(io::ErrorKind::Unsupported, why);
    match error {
        Error::MemLimit => {
            unsupported("the xz stream has a dictionary of more than 512 MiB; unpack it first")
        }
        Error::Options => unsupported(
            "the xz stream has a filter or an option that is not known; unpack it first",
        ),
        Error::Mem => io::ErrorKind::OutOfMemory.into(),
        _ => packing::damaged("the xz stream is damaged"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use flate2::Crc;
    use liblzma::stream::Check;
    use liblzma::write::XzEncoder;

    use super::*;
    use crate::source::to_damage::{read_to_damage, text};

    /// What comes out, and the error after it.
    fn read(raw: &[u8], raw_block: usize, out_block: usize) -> (Vec<u8>, Option<io::Error>) {
        read_from(BufReader::with_capacity(raw_block, raw), out_block)
    }

    fn read_from(raw: impl BufRead, out_block: usize) -> (Vec<u8>, Option<io::Error>) {
        read_to_damage(XzReader::new(raw), out_block)
    }

    /// Blocks of 70,000 bytes.
    fn stream(bytes: &[u8]) -> Vec<u8> {
        let encoder = Stream::new_easy_encoder(1, Check::Crc64).unwrap();
        let mut encoder = XzEncoder::new_stream(Vec::new(), encoder);
        for block in bytes.chunks(70_000) {
            encoder.write_all(block).unwrap();
            encoder.flush().unwrap();
        }
        encoder.finish().unwrap()
    }

    /// How many bytes liblzma makes of the first `n` bytes of a stream, at index `n`: the decoder
    /// as it comes, fed byte by byte with room for all that it has to say.
    fn counts(raw: &[u8], text: &[u8]) -> Vec<usize> {
        let mut decoder = Stream::new_stream_decoder(u64::MAX, 0).unwrap();
        let mut out = Vec::with_capacity(text.len() + 1);
        let mut counts = vec![0];
        for byte in raw.chunks(1) {
            decoder.process_vec(byte, &mut out, Action::Run).unwrap();
            counts.push(out.len());
        }
        assert!(out == text && decoder.total_in() == raw.len() as u64);
        counts
    }

    /// A stream whose first block has a header with this code for the size of its dictionary.
    fn with_dictionary(code: u8, bytes: &[u8]) -> Vec<u8> {
        let mut raw = stream(bytes);
        let header = &mut raw[12..24];
        assert_eq!(header[..4], [2, 0, 0x21, 1], "twelve bytes, no sizes, LZMA2");
        header[4] = code;
        let sum = crc(&header[..8]);
        header[8..].copy_from_slice(&sum);
        raw
    }

    fn crc(bytes: &[u8]) -> [u8; 4] {
        let mut crc = Crc::new();
        crc.update(bytes);
        crc.sum().to_le_bytes()
    }

    #[test]
    fn many_streams_with_padding_are_one_text() {
        let text = text(150_000);
        let padding = vec![0; 8];
        let raw = [stream(&text[..90_000]), padding.clone(), stream(&text[90_000..]), padding];
        for (raw_block, out_block) in [(1 << 18, 1 << 20), (1 << 18, 1000), (7, 1 << 17), (1, 1)] {
            let (bytes, error) = read(&raw.concat(), raw_block, out_block);
            assert!(bytes == text && error.is_none(), "{raw_block} {out_block} {error:?}");
        }
    }

    #[test]
    fn many_thousands_of_empty_streams_are_no_trouble() {
        let (bytes, error) = read(&stream(b"").repeat(30_000), 1 << 18, 1 << 20);
        assert!(bytes.is_empty() && error.is_none(), "{error:?}");
    }

    #[test]
    fn a_stream_cut_off_anywhere_gives_all_that_its_bytes_tell_and_an_error() {
        let text = text(200_000);
        let raw = stream(&text);
        let counts = counts(&raw, &text);
        for cut in (6..raw.len()).step_by(3_001).chain([raw.len() - 1, raw.len() - 30]) {
            for (raw_block, out_block) in [(1 << 18, 1 << 20), (5, 1 << 20), (1 << 18, 777)] {
                let (bytes, error) = read(&raw[..cut], raw_block, out_block);
                assert!(bytes == text[..counts[cut]], "{cut} {raw_block} {out_block}");
                let error = error.unwrap();
                assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof, "{cut} {error}");
                assert!(packing::is_packing_damage(&error));
            }
        }
        assert_eq!(counts[raw.len() - 30], text.len(), "only the index is missing");
    }

    #[test]
    fn a_cut_inside_the_only_chunk_costs_no_more_than_what_is_cut_off() {
        let text = text(30_000);
        let raw = stream(&text);
        assert!(raw.len() < 1 << 16, "one chunk of LZMA2");
        for (quarter, at_least) in [(1, 6_000), (2, 13_000), (3, 20_000)] {
            let (bytes, _) = read(&raw[..raw.len() * quarter / 4], 1 << 18, 1 << 20);
            assert!(text.starts_with(&bytes) && bytes.len() > at_least, "{}", bytes.len());
        }
    }

    #[test]
    fn a_small_stream_cut_at_every_byte_never_looks_whole() {
        let text = text(2_000);
        let first = stream(&text);
        let counts = counts(&first, &text);
        let raw = [first.clone(), stream(b"more")].concat();
        for cut in (1..raw.len()).filter(|&cut| cut != first.len()) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            let whole = [&text[..], b"more"].concat();
            assert!(whole.starts_with(&bytes), "{cut}");
            assert!(error.is_some(), "{cut}");
            match counts.get(cut) {
                Some(&count) => assert_eq!(bytes.len(), count, "{cut}"),
                None => assert!(bytes.len() >= text.len(), "{cut}"),
            }
        }
    }

    #[test]
    fn what_the_raw_bytes_fail_at_is_told_behind_all_that_came_before_it() {
        struct Failing(bool);
        impl Read for Failing {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                match std::mem::replace(&mut self.0, true) {
                    false => Err(io::ErrorKind::TimedOut.into()),
                    true => Ok(0),
                }
            }
        }
        let text = b"1. e4 e5 ".repeat(20_000);
        let raw = stream(&text);
        let counts = counts(&raw, &text);
        for cut in [3, 60, raw.len() / 2, raw.len() - 1, raw.len()] {
            for out_block in [1, 1 << 20] {
                let failing = BufReader::new(raw[..cut].chain(Failing(false)));
                let (bytes, error) = read_from(failing, out_block);
                assert_eq!(bytes.len(), counts[cut], "{cut} {out_block}");
                assert_eq!(error.unwrap().kind(), io::ErrorKind::TimedOut, "{cut} {out_block}");
            }
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
    fn damage_costs_no_byte_before_it_however_the_bytes_are_asked_for() {
        let text = text(200_000);
        let sound = stream(&text);
        let counts = counts(&sound, &text);
        for at in (12..sound.len()).step_by(4_001) {
            let mut raw = sound.clone();
            raw[at] ^= 0x55;
            let (all, error) = read(&raw, 1 << 18, 1 << 20);
            assert!(error.is_some(), "a checksum knows of byte {at}");
            assert!(all.starts_with(&text[..counts[at]]), "{at}");
            for (raw_block, out_block) in [(5, 1 << 20), (1 << 18, 777)] {
                assert!(read(&raw, raw_block, out_block).0 == all, "{at}");
            }
        }
    }

    #[test]
    fn a_flipped_byte_anywhere_is_damage_or_a_cut() {
        let sound = stream(&text(300));
        for at in 6..sound.len() {
            for flip in [0x01, 0x55, 0x80, 0xff] {
                let mut raw = sound.clone();
                raw[at] ^= flip;
                let error = read(&raw, 1 << 18, 1 << 20).1;
                assert!(error.is_some_and(|e| packing::is_packing_damage(&e)), "{at} {flip:#x}");
            }
        }
    }

    #[test]
    fn a_dictionary_of_512_mib_is_the_largest() {
        let text = text(5_000);
        let (bytes, error) = read(&with_dictionary(34, &text), 1 << 18, 1 << 20);
        assert!(bytes == text && error.is_none(), "{error:?}");
        // 768 MiB, and 4 GiB.
        for code in [35, 40] {
            let raw = [stream(b"before"), with_dictionary(code, &text)].concat();
            let (bytes, error) = read(&raw, 1 << 18, 1 << 20);
            assert_eq!(bytes, b"before");
            let error = error.unwrap();
            assert_eq!(error.kind(), io::ErrorKind::Unsupported);
            assert!(error.to_string().contains("more than 512 MiB"), "{error}");
        }
    }

    #[test]
    fn an_option_that_no_version_knows_yet_is_no_damage() {
        let mut raw = stream(b"1. e4 *");
        raw[6] = 1;
        let sum = crc(&raw[6..8]);
        raw[8..12].copy_from_slice(&sum);
        let error = read(&raw, 1 << 18, 1 << 20).1.unwrap();
        assert!(error.to_string().contains("not known"), "{error}");
        assert!(!packing::is_packing_damage(&error));
    }
}
