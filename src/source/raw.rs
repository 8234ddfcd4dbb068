//! The raw bytes of an input, counted and, if asked for, hashed on their way.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use super::bytes::{FromStart, shortened};

/// Raw bytes read so far, to be looked at from any thread.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

/// Whether a [`Fingerprint`] is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    On,
    Off,
}

/// What tells one state of an input from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// How many raw bytes were read and hashed.
    pub bytes: u64,
    /// As the file system had it when the input was opened; `None` for standard input.
    pub modified: Option<SystemTime>,
    /// BLAKE3 of the raw bytes.
    pub hash: blake3::Hash,
}

/// Reads an input as it lies on disk.
pub(super) struct RawReader<R> {
    inner: R,
    meter: Meter,
    modified: Option<SystemTime>,
    hashed: Option<(Box<blake3::Hasher>, Arc<OnceLock<Fingerprint>>)>,
}

impl<R: Read> RawReader<R> {
    /// Hashes where there is a place for the fingerprint.
    pub fn new(
        inner: R,
        modified: Option<SystemTime>,
        fingerprint: Option<Arc<OnceLock<Fingerprint>>>,
    ) -> RawReader<R> {
        let hashed = fingerprint.map(|place| (Box::default(), place));
        RawReader { inner, meter: Meter::default(), modified, hashed }
    }

    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }
}

impl RawReader<FromStart> {
    /// Goes on by so many bytes that were read elsewhere.
    pub fn pass(&mut self, bytes: u64) -> io::Result<()> {
        if self.hashed.is_some() {
            let copied = io::copy(&mut self.take(bytes), &mut io::sink())?;
            if copied < bytes {
                return Err(shortened());
            }
        } else {
            self.inner.pass(bytes);
            self.meter.add(bytes);
        }
        Ok(())
    }
}

impl<R: Read> Read for RawReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let len = loop {
            match self.inner.read(buf) {
                // Kept from the decoders, which could not take up their work again.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.meter.add(len as u64);
        if let Some((hasher, place)) = &mut self.hashed {
            hasher.update(&buf[..len]);
            if len == 0 && !buf.is_empty() {
                // A terminal may go on after an end; the first one counts.
                place.get_or_init(|| Fingerprint {
                    bytes: hasher.count(),
                    modified: self.modified,
                    hash: hasher.finalize(),
                });
            }
        }
        Ok(len)
    }
}
