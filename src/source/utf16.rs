//! Turns UTF-16 into UTF-8 as it streams by (RFC 2781).
//!
//! In: the bytes behind the byte order mark. Out: UTF-8. Half a surrogate pair becomes `U+FFFD`,
//! and so does an odd last byte; at the end an error says that there was one, so that nothing is
//! lost without a word.

use std::io::{self, Read};
use std::ops::Range;

/// Bytes asked for at once; even.
const BLOCK: usize = 64 * 1024;

/// Which byte of a unit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf16 {
    LittleEndian,
    BigEndian,
}

impl Utf16 {
    /// The byte order of text that begins so and has no mark: four characters of ASCII, each with
    /// its zero byte.
    pub(super) fn without_mark(head: &[u8]) -> Option<Utf16> {
        let (pairs, _) = head.first_chunk::<8>()?.as_chunks::<2>();
        let ascii = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
        if pairs.iter().all(|&[first, second]| ascii(first) && second == 0) {
            Some(Utf16::LittleEndian)
        } else if pairs.iter().all(|&[first, second]| first == 0 && ascii(second)) {
            Some(Utf16::BigEndian)
        } else {
            None
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Utf16::LittleEndian => u16::from_le_bytes(bytes),
            Utf16::BigEndian => u16::from_be_bytes(bytes),
        }
    }
}

/// Gives all text that could be decoded, then an error if something could not.
pub(super) struct Utf16Reader<R> {
    raw: R,
    order: Utf16,
    block: Box<[u8]>,
    /// Bytes at the start of the block that wait for what follows: a half unit, a half pair.
    kept: usize,
    text: String,
    /// The part of the text that is still to be given out.
    ready: Range<usize>,
    /// Half pairs and half units so far.
    broken: u64,
    end: Option<io::Error>,
    ended: bool,
}

impl<R: Read> Utf16Reader<R> {
    pub fn new(raw: R, order: Utf16) -> Utf16Reader<R> {
        Utf16Reader {
            raw,
            order,
            block: vec![0; BLOCK].into_boxed_slice(),
            kept: 0,
            text: String::new(),
            ready: 0..0,
            broken: 0,
            end: None,
            ended: false,
        }
    }

    fn advance(&mut self) -> io::Result<()> {
        while self.ready.is_empty() {
            if self.ended {
                return self.end.take().map_or(Ok(()), Err);
            }
            let read = match self.raw.read(&mut self.block[self.kept..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read,
            };
            let len = self.kept + *read.as_ref().unwrap_or(&0);
            self.ended = !matches!(read, Ok(len) if len > 0);
            self.decode(len);
            if self.ended {
                // What the raw bytes failed at weighs more: it may have made the broken half.
                self.end = read.err().or_else(|| (self.broken > 0).then(|| broken(self.broken)));
            }
        }
        Ok(())
    }

    /// Decodes `block[..len]`, but for what needs the bytes that follow.
    fn decode(&mut self, len: usize) {
        let (pairs, odd) = self.block[..len].as_chunks::<2>();
        let mut units: Vec<u16> = pairs.iter().map(|&pair| self.order.unit(pair)).collect();
        let mut kept = odd.len();
        if !self.ended && units.last().is_some_and(|unit| matches!(unit, 0xd800..=0xdbff)) {
            units.pop();
            kept += 2;
        }
        self.text.clear();
        for character in char::decode_utf16(units) {
            self.broken += u64::from(character.is_err());
            self.text.push(character.unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        if self.ended && kept > 0 {
            self.broken += 1;
            self.text.push(char::REPLACEMENT_CHARACTER);
            kept = 0;
        }
        self.block.copy_within(len - kept..len, 0);
        self.kept = kept;
        self.ready = 0..self.text.len();
    }
}

impl<R: Read> Read for Utf16Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        self.advance()?;
        let len = out.len().min(self.ready.len());
        out[..len].copy_from_slice(&self.text.as_bytes()[self.ready.start..][..len]);
        self.ready.start += len;
        Ok(len)
    }
}

fn broken(times: u64) -> io::Error {
    let message = match times {
        1 => "half a character in the UTF-16 text was read as U+FFFD".to_owned(),
        _ => format!("{times} halves of characters in the UTF-16 text were read as U+FFFD"),
    };
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes one, two or three at a time.
    struct Trickle<'a>(&'a [u8], usize);

    impl Read for Trickle<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            self.1 = self.1 % 3 + 1;
            let len = self.1.min(out.len());
            self.0.read(&mut out[..len])
        }
    }

    fn read(raw: &[u8], order: Utf16) -> (String, Option<String>) {
        let mut answers = Vec::new();
        for mut reader in [
            Box::new(Utf16Reader::new(raw, order)) as Box<dyn Read>,
            Box::new(Utf16Reader::new(Trickle(raw, 0), order)),
        ] {
            let mut bytes = Vec::new();
            let error = reader.read_to_end(&mut bytes).err().map(|error| error.to_string());
            assert_eq!(reader.read(&mut [0]).unwrap(), 0, "it ends after an error");
            answers.push((String::from_utf8(bytes).unwrap(), error));
        }
        assert_eq!(answers[0], answers[1], "however the bytes come");
        answers.swap_remove(0)
    }

    fn encoded(text: &str, order: Utf16) -> Vec<u8> {
        text.encode_utf16()
            .flat_map(|unit| match order {
                Utf16::LittleEndian => unit.to_le_bytes(),
                Utf16::BigEndian => unit.to_be_bytes(),
            })
            .collect()
    }

    #[test]
    fn both_byte_orders_and_surrogate_pairs_are_read() {
        let text = "[White \"Müller ♔ 🂡 王\"]\n".repeat(5_000);
        for order in [Utf16::LittleEndian, Utf16::BigEndian] {
            assert_eq!(read(&encoded(&text, order), order), (text.clone(), None));
        }
        assert_eq!(read(b"", Utf16::LittleEndian), (String::new(), None));
    }

    #[test]
    fn halves_of_characters_stay_visible_and_are_told_at_the_end() {
        let units = |units: &[u16]| units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let table: [(Vec<u8>, &str, &str); 5] = [
            (units(&[0x61, 0xd83c, 0x62]), "a\u{fffd}b", "half a character"),
            (units(&[0xdca1, 0xdca1, 0x62]), "\u{fffd}\u{fffd}b", "2 halves"),
            (units(&[0x61, 0xd83c]), "a\u{fffd}", "half a character"),
            (vec![0x61, 0, 0x62], "a\u{fffd}", "half a character"),
            (vec![0x61, 0, 0x3c, 0xd8, 0x62], "a\u{fffd}\u{fffd}", "2 halves"),
        ];
        for (raw, expected, told) in table {
            let (text, error) = read(&raw, Utf16::LittleEndian);
            assert_eq!(text, expected);
            assert!(error.as_ref().is_some_and(|error| error.starts_with(told)), "{error:?}");
        }
    }

    #[test]
    fn text_without_a_mark_is_known_by_its_zero_bytes() {
        let table: [(&[u8], Option<Utf16>); 7] = [
            (b"[\0E\0v\0e\0", Some(Utf16::LittleEndian)),
            (b"\0[\0E\0v\0e", Some(Utf16::BigEndian)),
            (b"1\0.\0 \0\r\0\n\0", Some(Utf16::LittleEndian)),
            (b"[Event \"", None),
            (b"\0\0\0\0\0\0\0\0", None),
            (b"[\0Event\0", None),
            (b"[\0E\0", None),
        ];
        for (head, expected) in table {
            assert_eq!(Utf16::without_mark(head), expected, "{}", head.escape_ascii());
        }
    }
}
