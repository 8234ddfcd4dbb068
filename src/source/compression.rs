//! How the bytes of an input are packed, by their magic number.

/// What an input is packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    Plain,
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
}

/// The longest magic number.
pub(super) const MAGIC_LEN: usize = 4;

impl Compression {
    /// Judges by the first bytes; fewer than a magic number has are plain text.
    pub fn of(head: &[u8]) -> Compression {
        match head {
            // A frame (RFC 8878, 3.1.1), or a skippable one (3.1.2) that may come first.
            [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Compression::Zstd,
            [0x1f, 0x8b, ..] => Compression::Gzip,
            _ => Compression::Plain,
        }
    }
}
