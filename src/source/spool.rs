//! What can be read only once, kept so that it can be read again.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Arc;

/// The raw bytes of an input, in a file without a name that goes with the process.
#[derive(Clone, Debug)]
pub struct Spool(Arc<File>);

impl Spool {
    pub fn of(mut raw: impl Read) -> io::Result<Spool> {
        let mut file = tempfile::tempfile().map_err(|error| io::Error::from(error.kind()))?;
        io::copy(&mut raw, &mut file)?;
        Ok(Spool(Arc::new(file)))
    }

    /// The bytes from their beginning. Two readers share one place in the file: the one before
    /// is done with.
    pub fn file(&self) -> io::Result<File> {
        let mut file = self.0.try_clone()?;
        file.rewind()?;
        Ok(file)
    }
}

impl PartialEq for Spool {
    fn eq(&self, other: &Spool) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Spool {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_spooled_can_be_read_again_and_again() {
        let spool = Spool::of(&b"1. e4 *"[..]).unwrap();
        for _ in 0..2 {
            assert_eq!(io::read_to_string(spool.file().unwrap()).unwrap(), "1. e4 *");
        }
        assert!(spool == spool.clone() && spool != Spool::of(&b""[..]).unwrap());
    }
}
