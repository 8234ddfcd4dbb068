//! Bytes that can be read anywhere, for the engine's tests: they may change, or fail to be read.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use crate::source::ReadAt;

#[derive(Debug)]
pub struct Shelf {
    bytes: Mutex<Vec<u8>>,
    fails_at: Option<u64>,
    bytes_read: AtomicU64,
    counted: AtomicU64,
}

impl Shelf {
    pub fn new(bytes: &[u8]) -> Shelf {
        Shelf {
            bytes: Mutex::new(bytes.to_vec()),
            fails_at: None,
            bytes_read: AtomicU64::new(0),
            counted: AtomicU64::new(0),
        }
    }

    /// From here on nothing can be read.
    pub fn failing_at(mut self, offset: u64) -> Shelf {
        self.fails_at = Some(offset);
        self
    }

    pub fn truncate(&self, len: usize) {
        self.bytes().truncate(len);
    }

    pub fn append(&self, bytes: &[u8]) {
        self.bytes().extend_from_slice(bytes);
    }

    /// All that was read, some of it more than once.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.bytes.lock().unwrap()
    }
}

impl ReadAt for Shelf {
    fn read_at(&self, out: &mut [u8], offset: u64) -> io::Result<usize> {
        let bytes = self.bytes();
        let end = self.fails_at.map_or(bytes.len(), |at| bytes.len().min(at as usize));
        let from = usize::try_from(offset).unwrap();
        if from >= end && self.fails_at.is_some() {
            return Err(io::Error::other("scratched"));
        }
        // Not all at once, so that who reads must ask again.
        let rest = bytes.get(from..end).unwrap_or(&[]);
        let len = rest.len().min(out.len()).min(1000);
        out[..len].copy_from_slice(&rest[..len]);
        self.bytes_read.fetch_add(len as u64, Ordering::Relaxed);
        Ok(len)
    }

    fn count(&self, bytes: u64) {
        self.counted.fetch_add(bytes, Ordering::Relaxed);
    }
}
