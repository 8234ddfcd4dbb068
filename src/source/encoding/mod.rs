//! The character set of a game's bytes, and those bytes as text.
//!
//! PGN's own set is ISO 8859-1 (PGN standard 4.1); archives hold UTF-8, DOS and Cyrillic code
//! pages too, often side by side, because they were joined from files of many hands. So each
//! game's bytes are judged on their own. In: bytes. Out: a [`TextEncoding`], and text. Nothing is
//! lost: every byte above 0x7F becomes one character, or is part of one.

mod cyrillic;
mod detection;
mod latin;
mod misread;
mod reading;
mod tables;
mod twice;
mod word;

use std::borrow::Cow;

use tables::characters;
use twice::Through;

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
    /// Of the classic Mac OS.
    MacRoman,
    MacCyrillic,
    /// UTF-8 that was taken for Windows-1252 and encoded once more, or oftener.
    TwiceDecoded,
    /// UTF-8 that was taken for Windows-1251 and encoded once more, or oftener.
    TwiceDecodedCyrillic,
    /// Windows-1251 that was taken for Windows-1252 and encoded as UTF-8.
    MisreadCyrillic,
    /// Single bytes that fit none of these sets, or several alike. Read as Windows-1252.
    Undecided,
}

impl TextEncoding {
    /// What is UTF-8, but not in the characters that were meant.
    pub const TWICE_DECODED: [TextEncoding; 3] = [
        TextEncoding::TwiceDecoded,
        TextEncoding::TwiceDecodedCyrillic,
        TextEncoding::MisreadCyrillic,
    ];

    /// Which set the bytes of one game are in. Takes one pass over ASCII, and over the rest a
    /// time linear in its bytes. Ties go to ISO 8859-1.
    pub fn detect(bytes: &[u8]) -> TextEncoding {
        if bytes.is_ascii() {
            return TextEncoding::Ascii;
        }
        match utf8(bytes) {
            Some(_) if first_character(bytes).is_none() => TextEncoding::Ascii,
            Some(text) => TextEncoding::TWICE_DECODED
                .into_iter()
                .find(|twice| twice.first_in(text).is_some())
                .unwrap_or(TextEncoding::Utf8),
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
            TextEncoding::MacRoman => "Mac OS Roman",
            TextEncoding::MacCyrillic => "Mac OS Cyrillic",
            TextEncoding::TwiceDecoded => "UTF-8 decoded twice",
            TextEncoding::TwiceDecodedCyrillic => "UTF-8 decoded twice, through Windows-1251",
            TextEncoding::MisreadCyrillic => "Windows-1251 decoded as Windows-1252",
            TextEncoding::Undecided => "an unknown character set",
        }
    }

    /// Whether a byte above 0x7F is a character of its own.
    pub const fn is_single_byte(self) -> bool {
        !matches!(self, TextEncoding::Ascii | TextEncoding::Utf8) && !self.is_twice_decoded()
    }

    /// Whether the text is UTF-8, but not in the characters that were meant.
    pub const fn is_twice_decoded(self) -> bool {
        matches!(
            self,
            TextEncoding::TwiceDecoded
                | TextEncoding::TwiceDecodedCyrillic
                | TextEncoding::MisreadCyrillic
        )
    }

    /// Where the first character stands, in bytes of this encoding, that tells it from ASCII; for
    /// a single-byte set the first byte that is no UTF-8.
    pub fn first_place(self, bytes: &[u8]) -> Option<usize> {
        match self {
            TextEncoding::Ascii => None,
            TextEncoding::Utf8 => first_character(bytes),
            _ if self.is_twice_decoded() => utf8(bytes).and_then(|text| self.first_in(text)),
            _ => std::str::from_utf8(bytes).err().map(|error| error.valid_up_to()),
        }
    }

    /// Where a game in this single-byte set holds a word of UTF-8 too: one that makes no sense in
    /// the set itself. `None` for other encodings.
    pub fn first_utf8(self, bytes: &[u8]) -> Option<usize> {
        self.is_single_byte().then(|| detection::utf8_word(bytes, self)).flatten()
    }

    /// Where the first character stands that was decoded twice.
    fn first_in(self, text: &str) -> Option<usize> {
        match self {
            TextEncoding::TwiceDecoded => twice::find(text, Through::Windows1252),
            TextEncoding::TwiceDecodedCyrillic => twice::find(text, Through::Windows1251),
            TextEncoding::MisreadCyrillic => misread::find(text),
            _ => None,
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
    let chance = encoding == TextEncoding::Cp866;
    match (std::str::from_utf8(bytes), encoding) {
        (Ok(text), _) if text.is_ascii() => Cow::Borrowed(text),
        (Ok(text), TextEncoding::TwiceDecoded) => twice::undo(text, Through::Windows1252),
        (Ok(text), TextEncoding::TwiceDecodedCyrillic) => twice::undo(text, Through::Windows1251),
        (Ok(text), TextEncoding::MisreadCyrillic) => Cow::Owned(misread::undo(text)),
        (Ok(text), _) if !chance => Cow::Borrowed(text),
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
    match encoding.is_twice_decoded() {
        true => decode(&bytes[..end]),
        false => decode_as(&bytes[..end], encoding),
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
            (TextEncoding::MacRoman, b"K\x9aln", "Köln"),
            (TextEncoding::MacCyrillic, b"\x92\xe0\xeb\xfc", "Таль"),
            (TextEncoding::TwiceDecoded, "MÃ¼ller".as_bytes(), "Müller"),
            (TextEncoding::TwiceDecodedCyrillic, "РўР°Р»СЊ".as_bytes(), "Таль"),
            (TextEncoding::MisreadCyrillic, "Òàëü, Ì.".as_bytes(), "Таль, М."),
        ];
        for &(encoding, bytes, text) in table {
            assert_eq!(decode_as(bytes, encoding), text, "{encoding:?}");
        }
        let both = "Müller".as_bytes();
        assert_eq!(decode_as(both, TextEncoding::Cp850), "Müller");
        assert_eq!(excerpt_as("MÃ¼ller".as_bytes(), TextEncoding::TwiceDecoded), "MÃ¼ller");
    }

    #[test]
    fn text_that_was_decoded_twice_is_told_by_its_way() {
        let table = [
            ("[White \"MÃ¼ller\"]", TextEncoding::TwiceDecoded),
            ("[Event \"Ð§ÐµÐ¼\"]", TextEncoding::TwiceDecoded),
            ("[Event \"Р§РµРјРїРёРѕРЅР°С‚\"]", TextEncoding::TwiceDecodedCyrillic),
            ("[Event \"×åìïèîíàò ÑÑÑÐ\"]", TextEncoding::MisreadCyrillic),
            ("[Event \"Чемпионат\"]", TextEncoding::Utf8),
            ("[White \"Müller\"]", TextEncoding::Utf8),
        ];
        for (text, encoding) in table {
            assert_eq!(TextEncoding::detect(text.as_bytes()), encoding, "{text}");
        }
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

    #[test]
    fn a_word_of_utf8_in_a_single_byte_game_is_found() {
        let table: &[(TextEncoding, &[u8], Option<usize>)] = &[
            (TextEncoding::Latin1, b"[Event \"K\xc3\xb6ln\"] [White \"M\xfcller\"]", Some(9)),
            (TextEncoding::Latin1, b"M\xfcller, \"Jo\xc3\xa3o\"", Some(11)),
            (TextEncoding::Windows1251, b"\xd2\xe0\xeb\xfc \xd0\xa2\xd0\xb0\xd0\xbb", Some(5)),
            (TextEncoding::Windows1251, b"\xd2\xe0\xeb\xfc, \xd1\x85 \xab\xd0\xbb\xbb", None),
            (TextEncoding::Cp866, b"\xe0\xa0\xa4 \x8a\xa0\xe0\xaf\xae\xa2", None),
            (TextEncoding::Latin1, b"M\xfcller", None),
            (TextEncoding::Utf8, b"K\xc3\xb6ln", None),
        ];
        for &(encoding, bytes, place) in table {
            assert_eq!(encoding.first_utf8(bytes), place, "{encoding:?} {bytes:x?}");
        }
    }

    const ALL: [TextEncoding; 14] = [
        TextEncoding::Ascii,
        TextEncoding::Utf8,
        TextEncoding::Latin1,
        TextEncoding::Windows1251,
        TextEncoding::Koi8R,
        TextEncoding::Cp437,
        TextEncoding::Cp850,
        TextEncoding::Cp866,
        TextEncoding::MacRoman,
        TextEncoding::MacCyrillic,
        TextEncoding::TwiceDecoded,
        TextEncoding::TwiceDecodedCyrillic,
        TextEncoding::MisreadCyrillic,
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
            if !encoding.is_twice_decoded() {
                prop_assert_eq!(&*decode_as(text.as_bytes(), encoding), &*text);
            }
        }
    }
}
