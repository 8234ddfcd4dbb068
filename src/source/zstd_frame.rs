//! Where a zstd frame ends, found without decoding it (RFC 8878, 3.1): each block tells its length.
//!
//! What the writer tells of the frames that follow (pzstd before each, the seekable format behind
//! all) is not asked: this costs three bytes of each block, and is true of any file.

use std::fs::File;
use std::io;

use super::bytes::read_at;

/// A block holds no more than this, unpacked.
const LONGEST_BLOCK: u64 = 128 * 1024;

/// A frame that is told from what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// Where the next one begins.
    pub end: u64,
    /// No more bytes than these come out of it.
    pub most_bytes: u64,
    pub skippable: bool,
}

/// What a frame may need, to be decoded beside others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub window: u64,
    pub bytes: u64,
}

impl Frame {
    /// The frame that begins at `offset`; none where nothing whole does, or nothing within the
    /// limits.
    pub fn at(file: &File, offset: u64, limits: Limits) -> io::Result<Option<Frame>> {
        let mut head = [0; 18];
        let len = read(file, &mut head, offset)?;
        let (header_len, window, checksum) = match &head[..len] {
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, length @ ..] => {
                let Some(length) = length.first_chunk::<4>() else { return Ok(None) };
                let end = offset + 8 + u64::from(u32::from_le_bytes(*length));
                let frame = Frame { end, most_bytes: 0, skippable: true };
                return Ok(is_there(file, end)?.then_some(frame));
            }
            [0x28, 0xb5, 0x2f, 0xfd, header @ ..] => match read_header(header) {
                Some((len, window, checksum)) => (4 + len, window, checksum),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        if window > limits.window {
            return Ok(None);
        }
        let mut end = offset + header_len;
        let mut most_bytes = 0;
        loop {
            let mut header = [0; 4];
            if read(file, &mut header[..3], end)? < 3 {
                return Ok(None);
            }
            let header = u32::from_le_bytes(header);
            let size = u64::from(header >> 3);
            let (packed, unpacked) = match header >> 1 & 3 {
                0 => (size, size),
                // One byte, over and over.
                1 => (1, size),
                2 => (size, LONGEST_BLOCK),
                _ => return Ok(None),
            };
            end += 3 + packed;
            most_bytes += unpacked;
            if size > LONGEST_BLOCK || most_bytes > limits.bytes {
                return Ok(None);
            }
            if header & 1 == 1 {
                break;
            }
        }
        end += if checksum { 4 } else { 0 };
        let frame = Frame { end, most_bytes, skippable: false };
        Ok(is_there(file, end)?.then_some(frame))
    }
}

/// The length of a frame's header behind its magic number, the window that it asks for, and
/// whether a checksum follows its blocks.
fn read_header(header: &[u8]) -> Option<(u64, u64, bool)> {
    let (&descriptor, rest) = header.split_first()?;
    let single_segment = descriptor & 0x20 != 0;
    // The reserved bit.
    if descriptor & 0x08 != 0 {
        return None;
    }
    let (window_len, window) = if single_segment {
        (0, 0)
    } else {
        let window = *rest.first()?;
        let base = 1u64 << (10 + (window >> 3));
        (1, base + base / 8 * u64::from(window & 7))
    };
    let dictionary_len = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let size_len = match descriptor >> 6 {
        0 => usize::from(single_segment),
        code => 1 << code,
    };
    let mut size = [0; 8];
    let stated = rest.get(window_len + dictionary_len..)?.get(..size_len)?;
    size[..size_len].copy_from_slice(stated);
    let size = u64::from_le_bytes(size) + if size_len == 2 { 256 } else { 0 };
    let window = if single_segment { size } else { window };
    let len = 1 + window_len + dictionary_len + size_len;
    Some((len as u64, window, descriptor & 4 != 0))
}

/// Whether the file has all bytes before `end`.
fn is_there(file: &File, end: u64) -> io::Result<bool> {
    Ok(read(file, &mut [0], end - 1)? == 1)
}

fn read(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match read_at(file, &mut out[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(len) => filled += len,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::source::to_damage::text;

    const ANY: Limits = Limits { window: 1 << 23, bytes: 1 << 25 };

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    fn frame(text: &[u8], level: i32, checksum: bool, size: Option<u64>) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), level).unwrap();
        encoder.include_checksum(checksum).unwrap();
        encoder.include_contentsize(size.is_some()).unwrap();
        encoder.set_pledged_src_size(size).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_frame_ends_where_its_decoder_ends() {
        for len in [0, 1, 200, 255, 256, 300, 70_000, 131_072, 1_000_000] {
            for (level, checksum) in [(1, false), (3, true), (9, true)] {
                for text in [text(len), vec![b'x'; len]] {
                    for size in [None, Some(len as u64)] {
                        let mut raw = frame(&text, level, checksum, size);
                        let end = raw.len() as u64;
                        raw.extend(b"behind");
                        let found = Frame::at(&file(&raw), 0, ANY).unwrap().unwrap();
                        assert_eq!((found.end, found.skippable), (end, false), "{len} {level}");
                        assert!((len as u64..=len as u64 + 131_072).contains(&found.most_bytes));
                    }
                }
            }
        }
    }

    #[test]
    fn a_frame_that_is_not_all_there_is_none() {
        let raw = frame(&text(300_000), 3, true, None);
        for len in (0..raw.len()).step_by(997).chain([raw.len() - 1, raw.len() - 4]) {
            assert_eq!(Frame::at(&file(&raw[..len]), 0, ANY).unwrap(), None, "{len}");
        }
        let skippable = [&[0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0][..], b"abc"].concat();
        for len in 0..skippable.len() {
            assert_eq!(Frame::at(&file(&skippable[..len]), 0, ANY).unwrap(), None, "{len}");
        }
        let whole = Frame::at(&file(&skippable), 0, ANY).unwrap();
        assert_eq!(whole, Some(Frame { end: 11, most_bytes: 0, skippable: true }));
    }

    #[test]
    fn a_frame_beyond_the_limits_is_none() {
        let file = file(&frame(&text(1_000_000), 3, true, None));
        assert!(Frame::at(&file, 0, ANY).unwrap().is_some());
        assert_eq!(Frame::at(&file, 0, Limits { window: 1 << 20, ..ANY }).unwrap(), None);
        assert_eq!(Frame::at(&file, 0, Limits { bytes: 900_000, ..ANY }).unwrap(), None);
    }
}
