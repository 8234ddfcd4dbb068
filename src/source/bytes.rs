//! How the bytes of a text can be had: one after another, or any of them at any time.

use std::fmt;
use std::fs::File;
use std::io;
use std::sync::Arc;

use super::Meter;

/// The bytes of a text, from a reader that gives them in their order, or from a place where they
/// all lie as they are.
#[derive(Debug)]
pub enum Bytes<R> {
    InOrder(R),
    Anywhere(Arc<dyn ReadAt>),
}

/// Bytes that can be read at any place, by many threads at once.
pub trait ReadAt: fmt::Debug + Send + Sync {
    /// Reads some bytes from this place on; 0 says that it is the end.
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize>;

    /// So many bytes went on to be worked on. A byte may be read more than once, but goes on once.
    fn count(&self, bytes: u64);

    /// Reads until `out` is full, the end or an error, and says how many bytes it read before.
    fn fill_at(&self, out: &mut [u8], offset: u64) -> (usize, io::Result<()>) {
        let mut filled = 0;
        while filled < out.len() {
            match self.read_at(&mut out[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(len) => filled += len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return (filled, Err(error)),
            }
        }
        (filled, Ok(()))
    }
}

/// A regular file whose bytes are the text.
#[derive(Clone, Debug)]
pub struct PlainFile {
    file: Arc<File>,
    meter: Meter,
}

impl PlainFile {
    pub(super) fn new(file: Arc<File>) -> PlainFile {
        PlainFile { file, meter: Meter::default() }
    }

    pub(super) fn meter(&self) -> Meter {
        self.meter.clone()
    }
}

impl ReadAt for PlainFile {
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        read_at(&self.file, out, offset)
    }

    fn count(&self, bytes: u64) {
        self.meter.add(bytes);
    }
}

#[cfg(unix)]
pub(super) fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, out, offset)
}

/// Moves the file's own place, which nobody else may rely on.
#[cfg(windows)]
pub(super) fn read_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, out, offset)
}

/// Reads a file from its beginning without a place of its own, so that others may read it too.
#[derive(Debug)]
pub(super) struct FromStart {
    file: Arc<File>,
    offset: u64,
    /// As it was first.
    size: u64,
}

impl FromStart {
    pub fn new(file: Arc<File>) -> FromStart {
        let size = file.metadata().map_or(0, |metadata| metadata.len());
        FromStart { file, offset: 0, size }
    }

    pub fn pass(&mut self, bytes: u64) {
        self.offset += bytes;
    }
}

impl io::Read for FromStart {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = read_at(&self.file, out, self.offset)?;
        if len == 0 && !out.is_empty() && self.offset < self.size {
            return Err(shortened());
        }
        self.offset += len as u64;
        Ok(len)
    }
}

/// Bytes that were there a moment ago are there no more.
pub(crate) fn shortened() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the file became shorter while it was read")
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_file_that_became_shorter_has_no_end_but_an_error() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"1. e4 e5 *").unwrap();
        let file = Arc::new(file);
        let mut reader = FromStart::new(Arc::clone(&file));
        let mut out = [0; 4];
        assert_eq!(reader.read(&mut out).unwrap(), 4);
        file.set_len(2).unwrap();
        assert_eq!(reader.read(&mut out).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
        reader.pass(6);
        assert_eq!(reader.read(&mut out).unwrap(), 0, "all of it was read before");
    }
}
