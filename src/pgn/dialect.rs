//! In which language, character set and letter case the moves of a game are written.

use std::borrow::Cow;

use encoding_rs::{Encoding, IBM866, KOI8_R, WINDOWS_1251};

use super::language::{ENGLISH, Language, OTHER_LANGUAGES};
use super::markup::without_references;

/// How the words of a game are to be read as moves.
#[derive(Clone, Copy, Debug)]
pub struct Dialect {
    pub language: &'static Language,
    /// Of words that are no UTF-8.
    pub charset: &'static Encoding,
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
        Dialect { language: &ENGLISH, charset: encoding_rs::WINDOWS_1252, pieces_first: false };

    pub fn is_standard(&self) -> bool {
        *self.language == ENGLISH && !self.pieces_first
    }

    /// All others, the likelier before the rarer.
    pub fn others() -> impl Iterator<Item = Dialect> {
        let latin = OTHER_LANGUAGES.iter().filter(|language| !language.is_cyrillic());
        let latin = latin.map(|language| Dialect { language, ..Dialect::STANDARD });
        let cyrillic = OTHER_LANGUAGES.iter().filter(|language| language.is_cyrillic());
        let cyrillic = cyrillic.flat_map(|language| {
            [WINDOWS_1251, KOI8_R, IBM866].map(|charset| Dialect {
                language,
                charset,
                ..Dialect::STANDARD
            })
        });
        let lower_case = Dialect { pieces_first: true, ..Dialect::STANDARD };
        cyrillic.chain(latin).chain([lower_case])
    }

    /// A word as text.
    pub fn decode<'a>(&self, word: &'a [u8]) -> Cow<'a, str> {
        match std::str::from_utf8(word) {
            Ok(text) => without_references(text),
            Err(_) => self.charset.decode_without_bom_handling(word).0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_russian_game_are_read_in_each_character_set() {
        for charset in [WINDOWS_1251, KOI8_R, IBM866] {
            let (bytes, ..) = charset.encode("Крf1");
            let dialects = Dialect::others().filter(|it| it.charset == charset);
            assert_eq!(dialects.map(|it| it.decode(&bytes).into_owned()).next().unwrap(), "Крf1");
        }
    }

    #[test]
    fn utf8_is_utf8_in_every_dialect() {
        for dialect in Dialect::others() {
            assert_eq!(dialect.decode("Крf1".as_bytes()), "Крf1");
        }
    }
}
