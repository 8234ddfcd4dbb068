//! What went wrong with packed bytes, told apart from a disk that fails and from text that is
//! damaged in itself: a compressed stream that ends early or does not fit its format.

use std::fmt;
use std::io;

/// Carried inside an [`io::Error`].
#[derive(Debug)]
struct PackingDamage(String);

impl fmt::Display for PackingDamage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PackingDamage {}

/// The stream ends where its format does not let it end.
pub(super) fn cut(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, PackingDamage(message.into()))
}

/// The stream does not fit its format.
pub(super) fn damaged(message: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, PackingDamage(message.into()))
}

/// Whether a reader of this module failed at a compressed stream that ends early or is damaged.
pub fn is_packing_damage(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<PackingDamage>)
}
