//! A game's words as one character set reads them, and how well that fits.
//!
//! The points were set by hand, on names of players and places: six for a usual letter, eight
//! against a capital inside a small word, twelve against a box drawing inside any. The tests of
//! `detection` hold what they must tell apart.

use super::tables::{UpperHalf, characters};
use super::word::Word;
use super::{TextEncoding, cyrillic, latin};

pub(super) const USUAL: i32 = 6;
pub(super) const RARE: i32 = 3;
pub(super) const SMALL: i32 = 2;
pub(super) const ODD: i32 = -4;
pub(super) const WRONG: i32 = -8;
pub(super) const NO_TEXT: i32 = -12;

/// What a set's reading of all words so far is worth.
#[derive(Debug)]
pub(super) struct Reading {
    pub set: TextEncoding,
    pub score: i32,
    characters: &'static UpperHalf,
    /// Whether every quotation mark has its other half.
    quotes_paired: bool,
}

/// A letter above 0x7F inside its word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter<'a> {
    pub character: char,
    pub word: &'a Word<'a>,
    pub at: usize,
    pub before: Beside,
    pub behind: Beside,
    /// Letters above 0x7F that stand directly before it.
    pub run: usize,
}

/// What stands beside a character inside its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Edge,
    Lower,
    Upper,
    Digit,
    Symbol,
}

impl Reading {
    pub fn new(set: TextEncoding, quotes_paired: bool) -> Reading {
        Reading { set, score: 0, characters: characters(set), quotes_paired }
    }

    pub fn read(&mut self, word: &Word<'_>) {
        let points = self.piece_letters(word).unwrap_or_else(|| self.text(word));
        self.score = self.score.saturating_add(points);
    }

    fn is_cyrillic(&self) -> bool {
        matches!(
            self.set,
            TextEncoding::Windows1251
                | TextEncoding::Koi8R
                | TextEncoding::Cp866
                | TextEncoding::MacCyrillic
        )
    }

    fn character(&self, byte: u8) -> char {
        match byte {
            0..0x80 => char::from(byte),
            _ => self.characters[usize::from(byte - 0x80)],
        }
    }

    /// The worth of a move, `None` for other words. Of all that have letters beyond ASCII for
    /// their pieces only Cyrillic scripts are in these sets.
    fn piece_letters(&self, word: &Word<'_>) -> Option<i32> {
        let high = word.bytes.iter().take_while(|byte| !byte.is_ascii()).count();
        let (letters, square) = word.bytes.split_at(high);
        let beside = square.is_empty() && (word.before == b'=' || word.behind == b':');
        if !(beside || is_square(square)) {
            return None;
        }
        let mut text = letters.iter().map(|&byte| self.character(byte));
        let known = matches!(
            (text.next(), text.next(), text.next()),
            (Some('К' | 'Ф' | 'Л' | 'С' | 'Т' | 'Ц' | 'Д' | 'О'), None, None)
                | (Some('К' | 'Ц'), Some('р'), None)
        );
        Some(if known { USUAL } else { WRONG })
    }

    fn text(&self, word: &Word<'_>) -> i32 {
        let bytes = word.bytes;
        let (mut points, mut letters, mut vowels, mut run) = (0, 0, 0, 0);
        // In code page 866, Ukrainian has no letter of its own for `i`.
        let mixed = bytes.iter().any(|byte| {
            byte.is_ascii_alphabetic()
                && !(self.set == TextEncoding::Cp866 && matches!(byte, b'i' | b'I'))
        });
        for (at, &byte) in bytes.iter().enumerate() {
            if byte.is_ascii() {
                run = 0;
                continue;
            }
            let character = self.character(byte);
            let before = self.beside(at.checked_sub(1).map(|before| bytes[before]));
            let behind = self.beside(bytes.get(at + 1).copied());
            if !is_letter(character) {
                points += self.symbol(character, word, before, behind);
                run = 0;
                continue;
            }
            let letter = Letter { character, word, at, before, behind, run };
            points += match self.is_cyrillic() {
                _ if letter.has_wrong_case() => WRONG,
                _ if before == Beside::Digit || behind == Beside::Digit => ODD,
                true if mixed => WRONG,
                true => cyrillic::points(&letter),
                false => latin::points(&letter),
            };
            vowels += usize::from(cyrillic::is_vowel(character));
            letters += 1;
            run += 1;
        }
        points
            + match self.is_cyrillic() {
                true if letters >= 4 && vowels * 6 < letters => NO_TEXT,
                // No western name is all accents.
                false if letters > 1 && !bytes.iter().any(u8::is_ascii_alphanumeric) => NO_TEXT,
                _ => 0,
            }
    }

    fn beside(&self, byte: Option<u8>) -> Beside {
        match byte.map(|byte| self.character(byte)) {
            None => Beside::Edge,
            Some(character) if character.is_lowercase() => Beside::Lower,
            Some(character) if character.is_uppercase() => Beside::Upper,
            Some('0'..='9') => Beside::Digit,
            Some(_) => Beside::Symbol,
        }
    }

    /// A character that is no letter: what it is worth where it stands.
    fn symbol(&self, character: char, word: &Word<'_>, before: Beside, behind: Beside) -> i32 {
        let letter = |side| matches!(side, Beside::Lower | Beside::Upper);
        let inside = letter(before) && letter(behind);
        let quote = if self.quotes_paired { SMALL } else { WRONG };
        match character {
            '’' | '´' if inside => USUAL,
            '‘' if inside => ODD,
            '’' | '…' if !letter(behind) => SMALL,
            '‘' | '‚' if !letter(before) => SMALL,
            '”' | '“' | '»' if !letter(behind) => quote,
            '“' | '„' | '«' if !letter(before) => quote,
            // A dash has words on both sides, or spaces; `Cantù` ends in one if it is from DOS.
            '–' | '—' if letter(before) != letter(behind) => -SMALL,
            '–' | '—' if behind == Beside::Upper => SMALL,
            '–' | '—' | '•' | '·' => 0,
            '¡' | '¿' if !letter(before) => SMALL,
            '\u{a0}' if behind != Beside::Lower => SMALL,
            '\u{a0}' => ODD,
            '\u{ad}' if inside => 0,
            '×' if behind == Beside::Lower => USUAL,
            '½' if word.bytes.len() == 1 => USUAL,
            'º' | 'ª' | '°' if !letter(behind) => SMALL,
            '½' | '¼' | '¾' | '±' | '÷' | '§' | '²' | '№' | '€' | '£' | '†' | '‡' | '©' | '®'
            | '™'
                if !letter(before) && !letter(behind) =>
            {
                SMALL
            }
            _ => NO_TEXT,
        }
    }
}

impl Letter<'_> {
    /// The word's only character.
    pub fn is_alone(&self) -> bool {
        self.word.bytes.len() == 1
    }

    /// A capital inside a word with small letters, or a small letter among capitals.
    fn has_wrong_case(&self) -> bool {
        let Letter { character, before, behind, .. } = *self;
        if character.is_uppercase() {
            before == Beside::Lower || (before == Beside::Upper && behind == Beside::Lower)
        } else {
            // Capitals had no ß of their own.
            behind == Beside::Upper && before != Beside::Symbol && character != 'ß'
        }
    }
}

fn is_letter(character: char) -> bool {
    character.is_alphabetic()
        && !matches!(character, 'ª' | 'º' | 'µ' | 'ƒ' | 'ⁿ' | 'ˆ' | 'ˇ' | 'ﬁ' | 'ﬂ')
}

/// Whether a move to a square, or the rest of one behind its piece letter, stands here.
pub(super) fn is_square(text: &[u8]) -> bool {
    let Some((rest, &[file, rank])) = text.split_last_chunk::<2>() else { return false };
    matches!(file, b'a'..=b'h')
        && matches!(rank, b'1'..=b'8')
        && rest.len() <= 3
        && rest.iter().all(|byte| matches!(byte, b'a'..=b'h' | b'1'..=b'8' | b'x'))
}
