//! In which language, character set and letter case the moves of a game are written.

use std::borrow::Cow;

use super::language::{ENGLISH, Language, OTHER_LANGUAGES};
use super::markup::without_references;
use crate::source::{TextEncoding, decode_as};

/// The sets that Cyrillic piece letters stand in; the first one also for words of UTF-8.
const CYRILLIC_SETS: [TextEncoding; 6] = [
    TextEncoding::Windows1251,
    TextEncoding::Koi8R,
    TextEncoding::Cp866,
    TextEncoding::TwiceDecoded,
    TextEncoding::TwiceDecodedCyrillic,
    TextEncoding::MisreadCyrillic,
];

/// How the words of a game are to be read as moves.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub language: &'static Language,
    /// Of words that are no UTF-8, or were decoded twice.
    pub encoding: TextEncoding,
    /// Whether `bc4` is first tried as a bishop's move, and only then as a pawn's.
    pub pieces_first: bool,
}

impl Default for Dialect {
    fn default() -> Dialect {
        Dialect::STANDARD
    }
}

impl Dialect {
    /// The standard's own.
    pub const STANDARD: Dialect =
        Dialect { language: &ENGLISH, encoding: TextEncoding::Latin1, pieces_first: false };

    pub fn is_standard(&self) -> bool {
        self.language.is_english() && !self.pieces_first
    }

    /// All others, the likelier before the rarer.
    pub fn others() -> impl Iterator<Item = Dialect> {
        let latin = OTHER_LANGUAGES.iter().filter(|language| !language.is_cyrillic());
        let latin = latin.map(|language| Dialect { language, ..Dialect::STANDARD });
        let cyrillic = OTHER_LANGUAGES.iter().filter(|language| language.is_cyrillic());
        let cyrillic = cyrillic.flat_map(|language| {
            CYRILLIC_SETS.map(|encoding| Dialect { language, encoding, ..Dialect::STANDARD })
        });
        let lower_case = Dialect { pieces_first: true, ..Dialect::STANDARD };
        cyrillic.chain(latin).chain([lower_case])
    }

    /// A word as text.
    pub fn decode<'a>(&self, word: &'a [u8]) -> Cow<'a, str> {
        match std::str::from_utf8(word) {
            Ok(text) if !self.encoding.is_twice_decoded() => without_references(text),
            _ => decode_as(word, self.encoding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_russian_game_are_read_in_each_character_set() {
        let table: [(TextEncoding, &[u8]); 6] = [
            (TextEncoding::Windows1251, b"\xca\xf0f1"),
            (TextEncoding::Koi8R, b"\xeb\xd2f1"),
            (TextEncoding::Cp866, b"\x8a\xe0f1"),
            (TextEncoding::TwiceDecoded, "ÐšÑ€f1".as_bytes()),
            (TextEncoding::TwiceDecodedCyrillic, "РљСЂf1".as_bytes()),
            (TextEncoding::MisreadCyrillic, "Êðf1".as_bytes()),
        ];
        for (encoding, word) in table {
            let dialect = Dialect::others().find(|it| it.encoding == encoding).unwrap();
            assert_eq!(dialect.decode(word), "Крf1", "{encoding:?}");
        }
    }

    #[test]
    fn utf8_is_utf8_in_every_dialect() {
        for dialect in Dialect::others() {
            assert_eq!(dialect.decode("Крf1".as_bytes()), "Крf1");
        }
    }
}
