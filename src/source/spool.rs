//! What can be read only once, kept so that it can be read again.

use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::Arc;

use crate::error::{Error, Result};

const BLOCK: usize = 256 * 1024;

/// The raw bytes of an input, in a file without a name that goes with the process.
#[derive(Clone, Debug)]
pub struct Spool(Arc<File>);

impl Spool {
    /// # Errors
    /// [`Error::Read`] where the input (of this name) fails, [`Error::Temporary`] where the file
    /// does.
    pub fn of(mut raw: impl Read, name: &str) -> Result<Spool> {
        // Without the name that it had for a moment, which tells nobody anything.
        let file = tempfile::tempfile().map_err(|error| Error::temporary(error.kind().into()));
        let mut file = file?;
        let mut block = vec![0; BLOCK];
        loop {
            match raw.read(&mut block) {
                Ok(0) => return Ok(Spool(Arc::new(file))),
                Ok(len) => file.write_all(&block[..len]).map_err(Error::temporary)?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::read(name, error)),
            }
        }
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
        let spool = Spool::of(&b"1. e4 *"[..], "-").unwrap();
        for _ in 0..2 {
            assert_eq!(io::read_to_string(spool.file().unwrap()).unwrap(), "1. e4 *");
        }
        assert!(spool == spool.clone() && spool != Spool::of(&b""[..], "-").unwrap());
    }
}
