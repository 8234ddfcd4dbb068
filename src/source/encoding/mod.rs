//! The character set of a game's bytes, and those bytes as text.
//!
//! PGN's own set is ISO 8859-1 (PGN standard 4.1); archives hold UTF-8, DOS and Cyrillic code
//! pages too, often side by side, because they were joined from files of many hands. So each
//! game's bytes are judged on their own. In: bytes. Out: a [`TextEncoding`], and text. Nothing is
//! lost: every byte above 0x7F becomes one character, or is part of one.

mod cyrillic;
mod detection;
mod latin;
mod reading;
mod tables;
mod twice;
mod word;

use std::borrow::Cow;

use tables::characters;

/// The longest piece of a source that a report or a row repeats, in bytes. No token is longer by
/// PGN standard 7; a finding's `length` tells what was left out.
const EXCERPT: usize = 255;

/// How characters stand in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextEncoding {
    /// No byte above 0x7F but byte order marks: the same text in every set.
    #[default]
    Ascii,
    Utf8,
    /// ISO 8859-1, with the printable characters that Windows-1252 has in 0x80 to 0x9F.
    Latin1,
    Windows1251,
    /// With the four Ukrainian letters of KOI8-U, which KOI8-R has box drawings for.
    Koi8R,
    /// Also where CP850 gives the same text.
    Cp437,
    Cp850,
    Cp866,
    /// UTF-8 that was taken for Windows-1252 and encoded once more, or oftener.
    TwiceDecoded,
    /// Single bytes that fit none of these sets, or several alike. Read as Windows-1252.
    Undecided,
}

impl TextEncoding {
    /// Which set the bytes of one game are in. Takes one pass over ASCII, and over the rest a
    /// time linear in its bytes. Ties go to ISO 8859-1.
    pub fn detect(bytes: &[u8]) -> TextEncoding {
        if bytes.is_ascii() {
            return TextEncoding::Ascii;
        }
        match utf8(bytes) {
            Some(text) if twice::find(text).is_some() => TextEncoding::TwiceDecoded,
            Some(_) if first_character(bytes).is_none() => TextEncoding::Ascii,
            Some(_) => TextEncoding::Utf8,
            None => detection::single_byte(bytes),
        }
    }

    /// The name that messages use.
    pub const fn name(self) -> &'static str {
        match self {
            TextEncoding::Ascii => "ASCII",
            TextEncoding::Utf8 => "UTF-8",
            TextEncoding::Latin1 => "ISO 8859-1",
            TextEncoding::Windows1251 => "Windows-1251",
            TextEncoding::Koi8R => "KOI8-R",
            TextEncoding::Cp437 => "code page 437",
            TextEncoding::Cp850 => "code page 850",
            TextEncoding::Cp866 => "code page 866",
            TextEncoding::TwiceDecoded => "UTF-8 decoded twice",
            TextEncoding::Undecided => "an unknown character set",
        }
    }

    /// Whether a byte above 0x7F is a character of its own.
    pub const fn is_single_byte(self) -> bool {
        !matches!(self, TextEncoding::Ascii | TextEncoding::Utf8 | TextEncoding::TwiceDecoded)
    }

    /// Where the first character stands, in bytes of this encoding, that tells it from ASCII; for
    /// a single-byte set the first byte that is no UTF-8.
    pub fn first_place(self, bytes: &[u8]) -> Option<usize> {
        match self {
            TextEncoding::Ascii => None,
            TextEncoding::Utf8 => first_character(bytes),
            TextEncoding::TwiceDecoded => utf8(bytes).and_then(twice::find),
            _ => std::str::from_utf8(bytes).err().map(|error| error.valid_up_to()),
        }
    }
}

/// UTF-8 as it is; everything else as Windows-1252, which holds the printable characters of
/// ISO 8859-1, the character set of PGN standard 4.1.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(each_byte(bytes, TextEncoding::Latin1)),
    }
}

/// The text of a piece of a game that is in this encoding. A piece that is UTF-8 stays so, as a
/// game may hold both; in code page 866 alone are three letters (`рад`) UTF-8 by chance.
pub fn decode_as(bytes: &[u8], encoding: TextEncoding) -> Cow<'_, str> {
    let chance = encoding == TextEncoding::Cp866 && !bytes.is_ascii();
    match std::str::from_utf8(bytes) {
        Ok(text) if encoding == TextEncoding::TwiceDecoded => twice::undo(text),
        Ok(text) if !chance => Cow::Borrowed(text),
        _ => Cow::Owned(each_byte(bytes, encoding)),
    }
}

/// The beginning of a token: its first 255 bytes, decoded.
pub fn excerpt(bytes: &[u8]) -> Cow<'_, str> {
    excerpt_as(bytes, TextEncoding::Utf8)
}

/// The beginning of a token from a game in this encoding: its first 255 bytes, decoded. What was
/// decoded twice is shown as it stands.
pub fn excerpt_as(bytes: &[u8], encoding: TextEncoding) -> Cow<'_, str> {
    let mut end = bytes.len().min(EXCERPT);
    if end < bytes.len() && !encoding.is_single_byte() {
        // Steps back over at most three bytes, to where a UTF-8 character begins.
        while end > EXCERPT - 3 && bytes[end] & 0xC0 == 0x80 {
            end -= 1;
        }
    }
    match encoding {
        TextEncoding::TwiceDecoded => decode(&bytes[..end]),
        _ => decode_as(&bytes[..end], encoding),
    }
}

fn each_byte(bytes: &[u8], encoding: TextEncoding) -> String {
    let characters = characters(encoding);
    let character = |&byte: &u8| match byte {
        0..0x80 => char::from(byte),
        _ => characters[usize::from(byte - 0x80)],
    };
    bytes.iter().map(character).collect()
}

/// The text of bytes that are UTF-8. A game that is too long, or a file that was cut off, may end
/// inside a character; that does not count if there are others.
fn utf8(bytes: &[u8]) -> Option<&str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() => {
            let whole = &bytes[..error.valid_up_to()];
            first_character(whole).and_then(|_| std::str::from_utf8(whole).ok())
        }
        Err(_) => None,
    }
}

/// The first byte above 0x7F that is no part of a byte order mark.
fn first_character(bytes: &[u8]) -> Option<usize> {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|byte| !byte.is_ascii())?;
        if !bytes[at..].starts_with(MARK) {
            return Some(at);
        }
        at += MARK.len();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn utf8_stays_and_single_bytes_are_windows_1252() {
        assert_eq!(decode("Müller €".as_bytes()), "Müller €");
        assert_eq!(decode(b"M\xfcller \x80 \x9f\x81"), "Müller € Ÿ\u{81}");
    }

    #[test]
    fn an_excerpt_never_cuts_a_character() {
        let long = "ü".repeat(200);
        assert_eq!(excerpt(long.as_bytes()), "ü".repeat(127));
        assert_eq!(excerpt(&[b'x'; 256]), "x".repeat(255));
        assert_eq!(excerpt(&[b'x'; 255]), "x".repeat(255));
        let word = [0xcf; 300];
        assert_eq!(excerpt_as(&word, TextEncoding::Windows1251), "П".repeat(255));
    }

    #[test]
    fn a_piece_is_read_as_its_game_is() {
        let table: &[(TextEncoding, &[u8], &str)] = &[
            (TextEncoding::Latin1, b"M\xfcller", "Müller"),
            (TextEncoding::Undecided, b"M\xfcller", "Müller"),
            (TextEncoding::Cp437, b"M\x81ller", "Müller"),
            (TextEncoding::Cp850, b"J\x9brgen", "Jørgen"),
            (TextEncoding::Windows1251, b"\xcf\xe5\xf2\xf0\xee\xe2", "Петров"),
            (TextEncoding::Koi8R, b"\xf0\xc5\xd4\xd2\xcf\xd7", "Петров"),
            (TextEncoding::Koi8R, b"\xeb\xc9\xa7\xd7", "Київ"),
            (TextEncoding::Cp866, b"\x8f\xa5\xe2\xe0\xae\xa2", "Петров"),
            (TextEncoding::Cp866, b"\xe0\xa0\xa4", "рад"),
            (TextEncoding::TwiceDecoded, "MÃ¼ller".as_bytes(), "Müller"),
        ];
        for &(encoding, bytes, text) in table {
            assert_eq!(decode_as(bytes, encoding), text, "{encoding:?}");
        }
        let both = "Müller".as_bytes();
        assert_eq!(decode_as(both, TextEncoding::Cp850), "Müller");
        assert_eq!(excerpt_as("MÃ¼ller".as_bytes(), TextEncoding::TwiceDecoded), "MÃ¼ller");
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        assert_eq!(TextEncoding::detect("\u{feff}[Event \"\"]".as_bytes()), TextEncoding::Ascii);
        let bytes = "\u{feff}[Event \"é\"]".as_bytes();
        assert_eq!(TextEncoding::detect(bytes), TextEncoding::Utf8);
        assert_eq!(TextEncoding::Utf8.first_place(bytes), Some(11));
    }

    #[test]
    fn a_game_may_end_inside_a_character() {
        assert_eq!(TextEncoding::detect(b"M\xc3\xbcller M\xc3"), TextEncoding::Utf8);
        assert_eq!(TextEncoding::Utf8.first_place(b"M\xc3\xbcller M\xc3"), Some(1));
        assert_eq!(TextEncoding::detect(b"Andr\xe9"), TextEncoding::Latin1);
    }

    #[test]
    fn the_first_place_is_where_the_encoding_shows() {
        let both = b"M\xc3\xbcller - M\xfcller";
        assert_eq!(TextEncoding::Latin1.first_place(both), Some(11));
        let twice = "Jörg MÃ¼ller".as_bytes();
        assert_eq!(TextEncoding::TwiceDecoded.first_place(twice), Some(7));
        assert_eq!(TextEncoding::Ascii.first_place(b"Mueller"), None);
    }

    const ALL: [TextEncoding; 10] = [
        TextEncoding::Ascii,
        TextEncoding::Utf8,
        TextEncoding::Latin1,
        TextEncoding::Windows1251,
        TextEncoding::Koi8R,
        TextEncoding::Cp437,
        TextEncoding::Cp850,
        TextEncoding::Cp866,
        TextEncoding::TwiceDecoded,
        TextEncoding::Undecided,
    ];

    proptest! {
        #[test]
        fn any_bytes_have_one_encoding_and_a_text_in_each(
            bytes in proptest::collection::vec(any::<u8>(), 0..300),
        ) {
            let encoding = TextEncoding::detect(&bytes);
            prop_assert_eq!(TextEncoding::detect(&bytes), encoding);
            prop_assert_eq!(encoding.first_place(&bytes).is_none(), encoding == TextEncoding::Ascii);
            for encoding in ALL {
                let text = decode_as(&bytes, encoding);
                prop_assert!(text.chars().count() <= bytes.len());
                prop_assert!(excerpt_as(&bytes, encoding).chars().count() <= EXCERPT);
            }
        }

        #[test]
        fn utf8_stays_utf8(text in "\\PC{0,80}") {
            let encoding = TextEncoding::detect(text.as_bytes());
            prop_assert!(!encoding.is_single_byte());
            if encoding != TextEncoding::TwiceDecoded {
                prop_assert_eq!(&*decode_as(text.as_bytes(), encoding), &*text);
            }
        }
    }
}
