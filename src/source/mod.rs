//! From words on the command line to bytes of PGN text.
//!
//! [`discover`] turns arguments into inputs, [`open`] turns an input into a [`Source`] whose
//! reader gives decompressed UTF-8 or single-byte text, or into a [`ZipArchive`] of such sources.
//! The format is known by its first bytes, never by the name. Where a compressed stream is
//! damaged, all that could be decoded before comes first and the [`std::io::Error`] after it.
//! Knows no chess.

mod bytes;
mod bzip2;
mod compression;
mod discovery;
mod encoding;
mod gzip;
mod inflate;
mod packing;
mod padding;
mod raw;
mod spool;
#[cfg(test)]
mod to_damage;
mod utf16;
mod xz;
mod zip;
mod zip_archive;
mod zstd;
mod zstd_frame;
mod zstd_frames;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::{Arc, OnceLock};

pub(crate) use bytes::shortened;
pub use bytes::{Bytes, PlainFile, ReadAt};
pub use compression::Compression;
pub use discovery::{Discovery, Input, InputKind, discover};
pub use encoding::{TextEncoding, decode, decode_as, excerpt, excerpt_as};
pub use packing::is_packing_damage;
pub use raw::{Fingerprint, Hashing, Meter};
pub use spool::Spool;
pub use utf16::Utf16;
pub use zip_archive::ZipArchive;

use crate::error::{Error, Result};
use bytes::FromStart;
use bzip2::Bzip2Reader;
use gzip::GzipReader;
use raw::RawReader;
use utf16::Utf16Reader;
use xz::XzReader;
use zstd::ZstdReader;
use zstd_frames::FramesReader;

/// Bytes asked of the operating system at once.
const RAW_BLOCK: usize = 256 * 1024;

/// How many times over an input may be packed; more is a trap or a mistake.
const MOST_LAYERS: u32 = 3;

/// An input that was opened.
#[derive(Debug)]
pub enum Opened {
    Text(Source),
    Zip(ZipArchive),
}

/// A text that was opened.
pub struct Source {
    /// The decompressed bytes, as UTF-8 where they were UTF-16.
    pub reader: Box<dyn Read + Send>,
    /// The same bytes, to be read in the reader's place, where they lie on disk as they are.
    pub anywhere: Option<PlainFile>,
    /// Raw bytes on disk; `None` for standard input, pipes, devices and members of archives.
    pub size: Option<u64>,
    /// Raw bytes read so far.
    pub meter: Meter,
    /// The outermost, where it is packed more than once.
    pub compression: Compression,
    /// How the text was encoded, where it was UTF-16.
    pub utf16: Option<DecodedUtf16>,
    /// The input holds no byte at all.
    pub is_empty: bool,
    /// Where hashing is on: set as soon as the reader has come to the end of the raw bytes,
    /// which it does unless it stops at damage before it.
    pub fingerprint: Option<Arc<OnceLock<Fingerprint>>>,
}

/// UTF-16 that is decoded on the way. Its mark, which belongs to the encoding, is not given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodedUtf16 {
    pub order: Utf16,
    pub has_mark: bool,
}

impl Source {
    /// The text, to be read anywhere where that can be.
    pub fn bytes(self) -> Bytes<Box<dyn Read + Send>> {
        match self.anywhere {
            Some(file) => Bytes::Anywhere(Arc::new(file)),
            None => Bytes::InOrder(self.reader),
        }
    }
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("anywhere", &self.anywhere)
            .field("size", &self.size)
            .field("meter", &self.meter)
            .field("compression", &self.compression)
            .field("utf16", &self.utf16)
            .field("is_empty", &self.is_empty)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}

/// Opens an input and looks at its first bytes. `threads` is how many there are to work on it.
pub fn open(input: &Input, hashing: Hashing, threads: usize) -> Result<Opened> {
    let mut plain = None;
    let (file, size, modified): (Box<dyn Read + Send>, _, _) = match &input.kind {
        InputKind::Stdin => (Box::new(io::stdin()), None, None),
        InputKind::Spooled { spool, .. } => {
            (Box::new(spool.file().map_err(|e| Error::read(&input.name, e))?), None, None)
        }
        InputKind::File(path) => {
            let file = File::open(path).map_err(|e| Error::read(path, e))?;
            let metadata = file.metadata().map_err(|e| Error::read(path, e))?;
            if metadata.is_dir() {
                return Err(Error::read(path, io::ErrorKind::IsADirectory.into()));
            }
            let modified = metadata.modified().ok();
            if metadata.is_file() {
                let file = plain.insert(Arc::new(file));
                (Box::new(FromStart::new(Arc::clone(file))), Some(metadata.len()), modified)
            } else {
                (Box::new(file), None, modified)
            }
        }
    };
    let fingerprint = (hashing == Hashing::On).then(Arc::default);
    let raw = RawReader::new(file, modified, fingerprint.clone());
    let mut meter = raw.meter();
    let failed = |error| Error::read(&input.name, error);
    let (head, raw) = peek(raw).map_err(failed)?;
    if Compression::of(&head) == Compression::Zip {
        let file = match (&input.kind, size) {
            (InputKind::File(path), Some(_)) => File::open(path).map_err(failed)?,
            (InputKind::Spooled { spool, .. }, _) => spool.file().map_err(failed)?,
            // Its table of contents stands at its end.
            _ => Spool::of(raw, &input.name)?.file().map_err(failed)?,
        };
        return ZipArchive::new(&input.name, file, modified).map(Opened::Zip).map_err(failed);
    }
    let mut frames = None;
    if let (Compression::Zstd, Some(file), 2..) = (Compression::of(&head), &plain, threads) {
        let raw = FromStart::new(Arc::clone(file));
        let raw = RawReader::new(raw, modified, fingerprint.clone());
        let frames_meter = raw.meter();
        frames = FramesReader::new(file, raw, threads).map_err(failed)?;
        if frames.is_some() {
            meter = frames_meter;
        }
    }
    let decoded = decoded(&head, raw, frames);
    let Decoded { reader, compression, utf16 } = decoded.map_err(failed)?;
    let is_empty = head.is_empty();
    let as_it_lies = compression == Compression::Plain && utf16.is_none();
    // To be hashed, the bytes must come by in their order.
    let anywhere = plain.filter(|_| as_it_lies && hashing == Hashing::Off).map(PlainFile::new);
    let meter = anywhere.as_ref().map_or(meter, PlainFile::meter);
    Ok(Opened::Text(Source {
        reader,
        anywhere,
        size,
        meter,
        compression,
        utf16,
        is_empty,
        fingerprint,
    }))
}

struct Decoded {
    reader: Box<dyn Read + Send>,
    compression: Compression,
    utf16: Option<DecodedUtf16>,
}

/// Takes off one layer of packing after another, and UTF-16 below them. The outermost is read by
/// `frames` where it has many.
fn decoded(
    head: &[u8],
    raw: Box<dyn Read + Send>,
    mut frames: Option<FramesReader>,
) -> io::Result<Decoded> {
    let compression = Compression::of(head);
    let mut head = head.to_vec();
    let mut reader = raw;
    for layer in 0.. {
        let inside = if layer == 0 { "" } else { "inside, " };
        let refused = |what: &str| {
            Err(io::Error::new(io::ErrorKind::Unsupported, format!("{inside}it is {what}")))
        };
        if let Some(what) = compression::misread_as_plain(&head) {
            return refused(what);
        }
        let packed = Compression::of(&head);
        if packed != Compression::Plain && layer == MOST_LAYERS {
            return refused("packed over and over; unpack it first");
        }
        // A buffer as long as the block asked for steps aside when that much is asked of it.
        let raw = BufReader::with_capacity(RAW_BLOCK, reader);
        let unpacked: Box<dyn Read + Send> = match packed {
            Compression::Plain => {
                reader = Box::new(raw);
                break;
            }
            Compression::Zstd => match frames.take() {
                Some(frames) => Box::new(frames),
                None => Box::new(ZstdReader::new(raw)?),
            },
            Compression::Gzip => Box::new(GzipReader::new(raw)),
            Compression::Bzip2 => Box::new(Bzip2Reader::new(raw)),
            Compression::Xz => Box::new(XzReader::new(raw)),
            Compression::Zip => return refused("a zip archive; unpack it first"),
        };
        (head, reader) = peek_packed(unpacked);
    }
    let (utf16, mark) = match head[..] {
        [0xff, 0xfe, ..] => (Some(Utf16::LittleEndian), 2),
        [0xfe, 0xff, ..] => (Some(Utf16::BigEndian), 2),
        _ => (Utf16::without_mark(&head), 0),
    };
    if let Some(order) = utf16 {
        reader.read_exact(&mut [0; 2][..mark])?;
        reader = Box::new(Utf16Reader::new(reader, order));
    }
    let utf16 = utf16.map(|order| DecodedUtf16 { order, has_mark: mark > 0 });
    Ok(Decoded { reader, compression, utf16 })
}

/// The first bytes, and a reader that gives them again.
fn peek(mut raw: impl Read + Send + 'static) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::with_capacity(compression::MAGIC_LEN);
    raw.by_ref().take(compression::MAGIC_LEN as u64).read_to_end(&mut head)?;
    Ok((head.clone(), Box::new(Cursor::new(head).chain(raw))))
}

/// The same, where damage comes behind the bytes before it, as if nobody had looked.
fn peek_packed(mut reader: Box<dyn Read + Send>) -> (Vec<u8>, Box<dyn Read + Send>) {
    let mut head = Vec::with_capacity(compression::MAGIC_LEN);
    let read = reader.by_ref().take(compression::MAGIC_LEN as u64).read_to_end(&mut head);
    let damage = Damage(read.err());
    (head.clone(), Box::new(Cursor::new(head).chain(damage).chain(reader)))
}

/// An error that was met early, told in its place.
struct Damage(Option<io::Error>);

impl Read for Damage {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;

    use super::*;

    fn file(dir: &Path, name: &str, bytes: &[u8]) -> Input {
        let path = dir.join(name);
        std::fs::write(&path, bytes).unwrap();
        Input::file(path)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn bzip2(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn xz(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = liblzma::write::XzEncoder::new(Vec::new(), 1);
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn open_text(input: &Input, hashing: Hashing) -> Source {
        match open(input, hashing, 2).unwrap() {
            Opened::Text(source) => source,
            Opened::Zip(archive) => panic!("{archive:?}"),
        }
    }

    fn read(mut source: Source) -> Vec<u8> {
        let mut read = Vec::new();
        source.reader.read_to_end(&mut read).unwrap();
        read
    }

    #[test]
    fn the_format_is_known_by_the_bytes_and_not_by_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let text = b"[Event \"?\"]\n\n1. e4 *\n".repeat(1000);
        for (name, bytes, compression) in [
            ("a.pgn.zst", text.clone(), Compression::Plain),
            ("b.pgn", ::zstd::encode_all(&text[..], 3).unwrap(), Compression::Zstd),
            ("c.pgn.zst", gzip(&text), Compression::Gzip),
            ("d.pgn", bzip2(&text), Compression::Bzip2),
            ("e.pgn.gz", xz(&text), Compression::Xz),
            ("f.pgn.gz", gzip(&bzip2(&text)), Compression::Gzip),
            ("g.pgn", gzip(&xz(&bzip2(&text))), Compression::Gzip),
        ] {
            let mut source = open_text(&file(dir.path(), name, &bytes), Hashing::On);
            assert_eq!(source.compression, compression);
            assert_eq!(source.size, Some(bytes.len() as u64));
            let mut read = Vec::new();
            source.reader.read_to_end(&mut read).unwrap();
            assert!(read == text, "{name}");
            assert_eq!(source.meter.bytes(), bytes.len() as u64);
            let fingerprint = source.fingerprint.unwrap();
            let fingerprint = fingerprint.get().expect("the raw bytes were read to their end");
            assert_eq!(fingerprint.hash, blake3::hash(&bytes));
            assert_eq!(fingerprint.bytes, bytes.len() as u64);
            assert!(fingerprint.modified.is_some());
        }
    }

    #[test]
    fn what_is_packed_over_and_over_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let packed = gzip(&gzip(&gzip(&gzip(b"1. e4 *\n"))));
        let error = open(&file(dir.path(), "a.pgn", &packed), Hashing::Off, 1).unwrap_err();
        assert!(error.to_string().contains("over and over"), "{error}");
        let zip_inside = gzip(b"PK\x03\x04 and so on");
        let error = open(&file(dir.path(), "b.pgn", &zip_inside), Hashing::Off, 1).unwrap_err();
        assert!(error.to_string().contains("inside, it is a zip archive"), "{error}");
    }

    #[test]
    fn utf16_comes_out_as_utf8_packed_or_not() {
        let dir = tempfile::tempdir().unwrap();
        let text = "[Event \"Łódź\"]\n\n1. e4 *\n";
        let units = |mark: &str| format!("{mark}{text}").encode_utf16().collect::<Vec<_>>();
        let little = |mark| units(mark).into_iter().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
        let big = |mark| units(mark).into_iter().flat_map(u16::to_be_bytes).collect::<Vec<_>>();
        let mark = "\u{feff}";
        for (bytes, order, has_mark) in [
            (little(mark), Utf16::LittleEndian, true),
            (big(mark), Utf16::BigEndian, true),
            (little(""), Utf16::LittleEndian, false),
            (big(""), Utf16::BigEndian, false),
        ] {
            for bytes in [gzip(&bytes), bytes] {
                let source = open_text(&file(dir.path(), "a.pgn", &bytes), Hashing::Off);
                assert_eq!(source.utf16, Some(DecodedUtf16 { order, has_mark }));
                assert_eq!(String::from_utf8(read(source)).unwrap(), text);
            }
        }
    }

    #[test]
    fn files_shorter_than_any_magic_number_are_plain_text() {
        let dir = tempfile::tempdir().unwrap();
        for bytes in [&b""[..], b"*", b"\x28\xb5\x2f", b"\x1f"] {
            let source = open_text(&file(dir.path(), "a", bytes), Hashing::Off);
            assert_eq!(source.compression, Compression::Plain);
            assert_eq!(source.is_empty, bytes.is_empty());
            assert_eq!(read(source), bytes);
        }
    }

    #[test]
    fn a_folder_and_a_missing_file_are_errors_that_name_the_path() {
        let dir = tempfile::tempdir().unwrap();
        for path in [dir.path().to_owned(), dir.path().join("missing.pgn")] {
            let error = open(&Input::file(path.clone()), Hashing::Off, 1).unwrap_err();
            assert!(error.to_string().contains(&path.display().to_string()), "{error}");
            assert!(matches!(error, Error::Read { .. }));
        }
    }

    #[test]
    fn the_fingerprint_is_not_there_before_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let input = file(dir.path(), "a.pgn", &vec![b'*'; 3 * RAW_BLOCK]);
        let mut source = open_text(&input, Hashing::On);
        source.reader.read_exact(&mut [0; 10]).unwrap();
        assert!(source.fingerprint.unwrap().get().is_none());
    }

    #[test]
    fn a_file_of_many_frames_is_counted_and_hashed_as_any() {
        let dir = tempfile::tempdir().unwrap();
        let text = b"[Event \"?\"]\n\n1. e4 *\n".repeat(1000);
        let frame = ::zstd::encode_all(&text[..], 3).unwrap();
        let input = file(dir.path(), "a.pgn.zst", &frame.repeat(20));
        for threads in [1, 2, 5] {
            let Opened::Text(mut source) = open(&input, Hashing::On, threads).unwrap() else {
                panic!("it is a text");
            };
            let mut read = Vec::new();
            source.reader.read_to_end(&mut read).unwrap();
            assert!(read == text.repeat(20), "{threads}");
            assert_eq!(source.meter.bytes(), 20 * frame.len() as u64, "{threads}");
            let fingerprint = source.fingerprint.unwrap();
            assert_eq!(fingerprint.get().unwrap().hash, blake3::hash(&frame.repeat(20)));
        }
    }

    #[test]
    fn only_the_bytes_of_a_plain_file_can_be_read_anywhere() {
        let dir = tempfile::tempdir().unwrap();
        let text = b"[Event \"?\"]\n\n1. e4 *\n";
        let utf16: Vec<u8> = text.iter().flat_map(|&byte| [byte, 0]).collect();
        for (bytes, hashing, anywhere) in [
            (text.to_vec(), Hashing::Off, true),
            (text.to_vec(), Hashing::On, false),
            (utf16, Hashing::Off, false),
            (gzip(text), Hashing::Off, false),
        ] {
            let source = open_text(&file(dir.path(), "a.pgn", &bytes), hashing);
            assert_eq!(source.anywhere.is_some(), anywhere);
            assert_eq!(source.anywhere.is_some(), matches!(source.bytes(), Bytes::Anywhere(_)));
        }
    }
}
