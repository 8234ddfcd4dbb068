//! From words on the command line to bytes of PGN text.
//!
//! [`discover`] turns arguments into inputs, [`open`] turns an input into a [`Source`] whose
//! reader gives the decompressed bytes. The format is known by its first bytes, never by the
//! name. Where a compressed stream is damaged, all that could be decoded before comes first and
//! the [`std::io::Error`] after it. Knows no chess.

mod compression;
mod discovery;
mod encoding;
mod gzip;
mod raw;
mod zstd;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::sync::{Arc, OnceLock};

pub use compression::Compression;
pub use discovery::{Discovery, Input, InputKind, discover};
pub use encoding::{TextEncoding, decode, decode_as, excerpt, excerpt_as};
pub use raw::{Fingerprint, Hashing, Meter};

use crate::error::{Error, Result};
use gzip::GzipReader;
use raw::RawReader;
use zstd::ZstdReader;

/// Bytes asked of the operating system at once.
const RAW_BLOCK: usize = 256 * 1024;

/// An input that was opened.
pub struct Source {
    /// The decompressed bytes.
    pub reader: Box<dyn Read + Send>,
    /// Raw bytes on disk; `None` for standard input, pipes and devices.
    pub size: Option<u64>,
    /// Raw bytes read so far.
    pub meter: Meter,
    pub compression: Compression,
    /// Where hashing is on: set as soon as the reader has come to the end of the raw bytes,
    /// which it does unless it stops at damage before it.
    pub fingerprint: Option<Arc<OnceLock<Fingerprint>>>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("size", &self.size)
            .field("meter", &self.meter)
            .field("compression", &self.compression)
            .field("fingerprint", &self.fingerprint)
            .finish_non_exhaustive()
    }
}

/// Opens an input and looks at its first bytes.
pub fn open(input: &Input, hashing: Hashing) -> Result<Source> {
    let (file, size, modified): (Box<dyn Read + Send>, _, _) = match &input.kind {
        InputKind::Stdin => (Box::new(io::stdin()), None, None),
        InputKind::File(path) => {
            let file = File::open(path).map_err(|e| Error::read(path, e))?;
            let metadata = file.metadata().map_err(|e| Error::read(path, e))?;
            if metadata.is_dir() {
                return Err(Error::read(path, io::ErrorKind::IsADirectory.into()));
            }
            let size = metadata.is_file().then_some(metadata.len());
            (Box::new(file), size, metadata.modified().ok())
        }
    };
    let fingerprint = (hashing == Hashing::On).then(Arc::default);
    let raw = RawReader::new(file, modified, fingerprint.clone());
    let meter = raw.meter();
    let (compression, reader) = decoded(raw).map_err(|e| Error::read(&input.name, e))?;
    Ok(Source { reader, size, meter, compression, fingerprint })
}

fn decoded(mut raw: impl Read + Send + 'static) -> io::Result<(Compression, Box<dyn Read + Send>)> {
    let mut head = Vec::with_capacity(compression::MAGIC_LEN);
    raw.by_ref().take(compression::MAGIC_LEN as u64).read_to_end(&mut head)?;
    let compression = Compression::of(&head);
    if let Some(what) = compression::misread_as_plain(&head) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("it is {what}")));
    }
    // A buffer as long as the block asked for steps aside when that much is asked of it.
    let raw = BufReader::with_capacity(RAW_BLOCK, Cursor::new(head).chain(raw));
    let reader: Box<dyn Read + Send> = match compression {
        Compression::Plain => Box::new(raw),
        Compression::Zstd => unpacked(ZstdReader::new(raw)?)?,
        Compression::Gzip => unpacked(GzipReader::new(raw))?,
    };
    Ok((compression, reader))
}

/// Looks at the first bytes inside a packed input, as at those of a plain one.
fn unpacked(mut reader: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let mut head = Vec::with_capacity(compression::MAGIC_LEN);
    let read = reader.by_ref().take(compression::MAGIC_LEN as u64).read_to_end(&mut head);
    if let Some(what) = compression::misread_as_plain(&head) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, format!("inside, it is {what}")));
    }
    // Damage comes behind the bytes before it, as if nobody had looked.
    let damage = Damage(read.err());
    Ok(Box::new(Cursor::new(head).chain(damage).chain(reader)))
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

    #[test]
    fn the_format_is_known_by_the_bytes_and_not_by_the_name() {
        let dir = tempfile::tempdir().unwrap();
        let text = b"[Event \"?\"]\n\n1. e4 *\n".repeat(1000);
        for (name, bytes, compression) in [
            ("a.pgn.zst", text.clone(), Compression::Plain),
            ("b.pgn", ::zstd::encode_all(&text[..], 3).unwrap(), Compression::Zstd),
            ("c.pgn.zst", gzip(&text), Compression::Gzip),
        ] {
            let mut source = open(&file(dir.path(), name, &bytes), Hashing::On).unwrap();
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
    fn files_shorter_than_any_magic_number_are_plain_text() {
        let dir = tempfile::tempdir().unwrap();
        for bytes in [&b""[..], b"*", b"\x28\xb5\x2f", b"\x1f"] {
            let mut source = open(&file(dir.path(), "a", bytes), Hashing::Off).unwrap();
            assert_eq!(source.compression, Compression::Plain);
            let mut read = Vec::new();
            source.reader.read_to_end(&mut read).unwrap();
            assert_eq!(read, bytes);
        }
    }

    #[test]
    fn a_folder_and_a_missing_file_are_errors_that_name_the_path() {
        let dir = tempfile::tempdir().unwrap();
        for path in [dir.path().to_owned(), dir.path().join("missing.pgn")] {
            let error = open(&Input::file(path.clone()), Hashing::Off).unwrap_err();
            assert!(error.to_string().contains(&path.display().to_string()), "{error}");
            assert!(matches!(error, Error::Read { .. }));
        }
    }

    #[test]
    fn the_fingerprint_is_not_there_before_the_end() {
        let dir = tempfile::tempdir().unwrap();
        let input = file(dir.path(), "a.pgn", &vec![b'*'; 3 * RAW_BLOCK]);
        let mut source = open(&input, Hashing::On).unwrap();
        source.reader.read_exact(&mut [0; 10]).unwrap();
        assert!(source.fingerprint.unwrap().get().is_none());
    }
}
