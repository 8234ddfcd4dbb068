//! How the bytes of an input are packed, by their magic number, and what its name says of that.

/// What an input is packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    Plain,
    /// RFC 8878.
    Zstd,
    /// RFC 1952.
    Gzip,
    Bzip2,
    Xz,
    /// Holds files, each of which is an input.
    Zip,
}

/// The longest magic number.
pub(super) const MAGIC_LEN: usize = 10;

/// What the first bytes of an input are, and what would make it readable, if it can only be
/// misread as plain text.
pub(super) fn misread_as_plain(head: &[u8]) -> Option<&'static str> {
    match head {
        [b'7', b'z', 0xbc, 0xaf, 0x27, 0x1c, ..] => Some("a 7z archive; unpack it first"),
        [b'R', b'a', b'r', b'!', 0x1a, 7, ..] => Some("a rar archive; unpack it first"),
        [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
            Some("UTF-32 text; convert it to UTF-8 first")
        }
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
            // A block, or the end of a stream without one.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                Compression::Bzip2
            }
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
            // A member, or the table of contents of an archive without one.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Compression::Zip,
            _ => Compression::Plain,
        }
    }

    /// What a file of this name should be packed with; `None` where its ending tells nothing.
    pub fn of_name(name: &str) -> Option<Compression> {
        let (_, ending) = name.rsplit_once('.')?;
        match ending.to_ascii_lowercase().as_str() {
            "pgn" => Some(Compression::Plain),
            "zst" | "zstd" => Some(Compression::Zstd),
            "gz" | "gzip" => Some(Compression::Gzip),
            "bz2" => Some(Compression::Bzip2),
            "xz" => Some(Compression::Xz),
            "zip" => Some(Compression::Zip),
            _ => None,
        }
    }

    /// The words for it in a sentence: `the content is ...`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Compression::Plain => "plain text",
            Compression::Zstd => "zstd",
            Compression::Gzip => "gzip",
            Compression::Bzip2 => "bzip2",
            Compression::Xz => "xz",
            Compression::Zip => "zip",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_misread_is_named() {
        for head in [&b"7z\xbc\xaf\x27\x1c"[..], b"Rar!\x1a\x07\x01", b"\xff\xfe\0\0[\0"] {
            assert!(misread_as_plain(head).is_some(), "{}", head.escape_ascii());
        }
        for head in [&b"[Event"[..], b"", b"7z", b"\xef\xbb\xbf[Ev", b"%PGN", b"\xff\xfe[\0"] {
            assert_eq!(misread_as_plain(head), None, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn a_word_that_looks_like_a_magic_number_is_plain_text() {
        for head in [&b"BZh91AY&S?"[..], b"BZh91AY", b"BZh is my name", b"PK", b"\xfd7zXZ"] {
            assert_eq!(Compression::of(head), Compression::Plain, "{}", head.escape_ascii());
        }
    }

    #[test]
    fn the_last_ending_of_a_name_tells_the_format_in_any_letter_case() {
        for (name, expected) in [
            ("a.pgn", Some(Compression::Plain)),
            ("a.PGN.Gz", Some(Compression::Gzip)),
            ("a.zst.pgn", Some(Compression::Plain)),
            ("games.2024", None),
            ("games", None),
            ("-", None),
        ] {
            assert_eq!(Compression::of_name(name), expected, "{name}");
        }
    }
}
