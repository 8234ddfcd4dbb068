//! Reads gzip: members in any number, one after another (RFC 1952, 2.2).
//!
//! Padding of NUL bytes behind the last one is passed over, as gzip(1) does.

use std::io::{self, BufRead, Read};

use flate2::Crc;

use super::inflate::{Inflater, Step};
use super::packing;
use super::padding::{Behind, skip_padding};

/// Flags of a member's header (RFC 1952, 2.3.1).
const HEADER_CRC: u8 = 1 << 1;
const EXTRA: u8 = 1 << 2;
const NAME: u8 = 1 << 3;
const COMMENT: u8 = 1 << 4;
const RESERVED: u8 = 0b1110_0000;

/// Gives every byte that could be decoded, then the error of the first that could not.
pub(super) struct GzipReader<R> {
    raw: R,
    inflater: Inflater,
    crc: Crc,
    state: State,
}

enum State {
    /// A header comes next; in all members but the first it may be the end instead.
    Header {
        first: bool,
    },
    Body,
    Trailer,
    Failed(io::Error),
    Ended,
}

impl<R: BufRead> GzipReader<R> {
    pub fn new(raw: R) -> GzipReader<R> {
        GzipReader {
            raw,
            inflater: Inflater::new(),
            crc: Crc::new(),
            state: State::Header { first: true },
        }
    }

    /// Goes on until bytes are ready or the end is reached.
    fn advance(&mut self) -> io::Result<()> {
        while self.inflater.ready().is_empty() {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Header { first } => {
                    if !first {
                        match skip_padding(&mut self.raw)? {
                            Behind::End => return Ok(()),
                            Behind::Something { padding: 0 } => {}
                            Behind::Something { .. } => return Err(trailing()),
                        }
                    }
                    read_header(&mut self.raw)?;
                    self.inflater.reset();
                    self.crc.reset();
                    self.state = State::Body;
                }
                State::Body => {
                    let step = self.inflater.step(&mut self.raw)?;
                    self.crc.update(self.inflater.ready());
                    self.state = match step {
                        Step::More => State::Body,
                        Step::End => State::Trailer,
                        Step::Cut => return Err(truncated()),
                        Step::Damaged(why) => State::Failed(damaged(&why)),
                    };
                }
                State::Trailer => {
                    let expected = read_array::<8>(&mut self.raw)?;
                    let crc = self.crc.sum().to_le_bytes();
                    let len = self.crc.amount().to_le_bytes();
                    if expected[..4] != crc || expected[4..] != len {
                        return Err(damaged("its checksum does not fit"));
                    }
                    self.state = State::Header { first: false };
                }
                State::Failed(error) => return Err(error),
                State::Ended => return Ok(()),
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for GzipReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        self.advance()?;
        Ok(self.inflater.take(out))
    }
}

fn read_header(raw: &mut impl BufRead) -> io::Result<()> {
    let mut crc = Crc::new();
    // Magic number and rest apart, so that a short line behind a member is told from a cut.
    let magic = read_array::<2>(raw)?;
    if magic != [0x1f, 0x8b] {
        return Err(trailing());
    }
    let fixed = read_array::<8>(raw)?;
    crc.update(&magic);
    crc.update(&fixed);
    let [method, flags, ..] = fixed;
    if method != 8 || flags & RESERVED != 0 {
        return Err(damaged("it asks for a method that RFC 1952 does not know"));
    }
    if flags & EXTRA != 0 {
        let len = read_array::<2>(raw)?;
        crc.update(&len);
        skip(raw, &mut crc, Some(usize::from(u16::from_le_bytes(len))))?;
    }
    for text in [NAME, COMMENT] {
        if flags & text != 0 {
            skip(raw, &mut crc, None)?;
        }
    }
    if flags & HEADER_CRC != 0 {
        let expected = u16::from_le_bytes(read_array(raw)?);
        if u32::from(expected) != crc.sum() & 0xffff {
            return Err(damaged("its header's checksum does not fit"));
        }
    }
    Ok(())
}

/// Passes over so many bytes, or over a text with the NUL at its end.
fn skip(raw: &mut impl BufRead, crc: &mut Crc, mut len: Option<usize>) -> io::Result<()> {
    while len != Some(0) {
        let input = raw.fill_buf()?;
        if input.is_empty() {
            return Err(truncated());
        }
        let nul = memchr::memchr(0, input);
        let passed = match &mut len {
            Some(left) => {
                let passed = input.len().min(*left);
                *left -= passed;
                passed
            }
            None => nul.map_or(input.len(), |at| at + 1),
        };
        crc.update(&input[..passed]);
        raw.consume(passed);
        if len.is_none() && nul.is_some() {
            break;
        }
    }
    Ok(())
}

fn read_array<const N: usize>(raw: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    raw.read_exact(&mut bytes).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => truncated(),
        _ => error,
    })?;
    Ok(bytes)
}

fn truncated() -> io::Error {
    packing::cut("the gzip stream ends inside a member")
}

fn trailing() -> io::Error {
    packing::damaged("something that is not gzip follows the last gzip member")
}

fn damaged(why: &str) -> io::Error {
    packing::damaged(format!("the gzip stream is damaged: {why}"))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write};

    use flate2::{Compression, GzBuilder};

    use super::*;
    use crate::source::to_damage::{read_to_damage, text};

    /// What comes out, and the error after it.
    fn read(raw: &[u8], raw_block: usize, out_block: usize) -> (Vec<u8>, Option<io::Error>) {
        read_to_damage(GzipReader::new(BufReader::with_capacity(raw_block, raw)), out_block)
    }

    fn member(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn many_members_are_one_text() {
        let text = text(200_000);
        let mut named = GzBuilder::new()
            .filename("a.pgn")
            .comment("x".repeat(300))
            .extra(vec![0, 1, 0, 2])
            .write(Vec::new(), Compression::best());
        named.write_all(&text[90_001..]).unwrap();
        let raw = [
            member(&text[..90_000]),
            member(b""),
            member(&text[90_000..90_001]),
            named.finish().unwrap(),
        ]
        .concat();
        for (raw_block, out_block) in [(1 << 18, 1 << 20), (1 << 18, 1000), (7, 1 << 17), (1, 3)] {
            let (bytes, error) = read(&raw, raw_block, out_block);
            assert!(bytes == text && error.is_none(), "{raw_block} {out_block} {error:?}");
        }
    }

    #[test]
    fn a_stream_cut_off_anywhere_gives_what_it_holds_and_an_error() {
        let text = text(300_000);
        let raw = member(&text);
        for cut in (2..raw.len()).step_by(29_989).chain([raw.len() - 1, raw.len() - 8]) {
            let (bytes, error) = read(&raw[..cut], 1 << 18, 1 << 20);
            assert!(text.starts_with(&bytes));
            assert!(bytes.len() + 70_000 > cut, "most of what {cut} bytes hold came out");
            assert_eq!(error.unwrap().kind(), io::ErrorKind::UnexpectedEof, "{cut}");
        }
        assert_eq!(read(&raw[..raw.len() - 1], 1 << 18, 1 << 20).0, text);
    }

    #[test]
    fn trailing_garbage_is_an_error_after_all_good_bytes() {
        let text = text(100_000);
        for garbage in [&b"[Event \"not packed\"]"[..], b"\n\n", b"\0\0\0x"] {
            let (bytes, error) = read(&[&member(&text), garbage].concat(), 1 << 18, 1 << 20);
            assert!(bytes == text);
            assert!(error.unwrap().to_string().contains("not gzip follows"));
        }
    }

    #[test]
    fn nul_bytes_behind_the_last_member_are_padding() {
        let text = text(100_000);
        for (padding, raw_block) in [(1, 1 << 18), (512, 1 << 18), (512, 7), (1 << 19, 1 << 18)] {
            let raw = [member(&text), vec![0; padding]].concat();
            let (bytes, error) = read(&raw, raw_block, 1 << 20);
            assert!(bytes == text && error.is_none(), "{padding} {raw_block} {error:?}");
            let (bytes, error) = read(&[raw, member(b"more")].concat(), raw_block, 1 << 20);
            assert!(bytes == text && error.is_some(), "{padding} {raw_block}");
        }
    }

    #[test]
    fn damage_costs_no_byte_before_it_however_the_bytes_are_asked_for() {
        let text = text(400_000);
        let sound = member(&text);
        for at in (10..sound.len()).step_by(30_011).chain([sound.len() - 5]) {
            let mut raw = sound.clone();
            raw[at] ^= 0x55;
            let (all, error) = read(&raw, 1 << 18, 1 << 20);
            assert!(error.is_some(), "the checksum knows of byte {at}");
            // Every packed byte before the damage stands for one byte of text or more here.
            assert!(text.iter().zip(&all).take_while(|(a, b)| a == b).count() + 70_000 > at);
            for (raw_block, out_block) in [(5, 1 << 20), (1 << 18, 777)] {
                assert!(read(&raw, raw_block, out_block).0 == all, "{at}");
            }
        }
    }

    #[test]
    fn a_literal_before_a_reserved_block_type_comes_out() {
        // A stored block of three bytes, then block type 3 (RFC 1951, 3.2.3).
        let mut raw = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        raw.extend([0, 3, 0, !3, !0, b'a', b'b', b'c', 0b111, 0, 0, 0]);
        let (bytes, error) = read(&raw, 1 << 18, 1 << 20);
        assert_eq!(bytes, b"abc");
        assert!(error.unwrap().to_string().contains("damaged"));
    }
}
