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
pub(super) const MAGIC_LEN: usize = 6;

/// What the first bytes of an input are, and what would make it readable, if it can only be
/// misread as plain text.
pub(super) fn misread_as_plain(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, ..] => Some("packed with bzip2; unpack it first"),
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some("packed with xz; unpack it first"),
        [b'P', b'K', 3, 4, ..] => Some("a zip archive; unpack it first"),
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("a 7z archive; unpack it first"),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some("UTF-16 text; convert it to UTF-8 first"),
        _ => None,
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_misread_is_named() {
        for head in [&b"BZh91AY"[..], b"\xfd7zXZ\0", b"PK\x03\x04ab", b"\xff\xfe[\0E\0"] {
            assert!(misread_as_plain(head).is_some(), "{}", head.escape_ascii());
        }
        for head in [&b"[Event"[..], b"", b"BZh", b"\xef\xbb\xbf[Ev", b"%PGN"] {
            assert_eq!(misread_as_plain(head), None, "{}", head.escape_ascii());
        }
    }
}
