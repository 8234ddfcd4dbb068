//! Windows-1251 that was taken for Windows-1252 (or ISO 8859-1) and encoded as UTF-8:
//! `Êàðïîâ, Àíàòîëèé` for `Карпов, Анатолий`.
//!
//! In: valid UTF-8. Out: whether it is such text, and the text as it was meant. Words of accents
//! alone, which no Latin script writes, must read well in Cyrillic, several of them, or moves have
//! Russian piece letters, and the rest of the text must not speak against it. Words with Latin letters stay as they are.

use super::TextEncoding;
use super::reading::{Reading, is_square};
use super::tables::characters;
use super::twice::windows_1252;
use super::word::Word;

/// Letters of the shortest word that tells, and how many such words convince.
const SHORTEST: usize = 3;
const SEVERAL: u32 = 2;

/// Moves that convince without a name, if they are of more than one piece.
const SEVERAL_MOVES: u32 = 4;

/// Where the first word begins, if the text is such.
pub(super) fn find(text: &str) -> Option<usize> {
    is_convincing(text).then(|| first_place(text)).flatten()
}

/// Where the first word begins that would be read as Cyrillic.
fn first_place(text: &str) -> Option<usize> {
    Words { text, at: 0 }.find_map(|(word, bytes)| {
        let high = word.bytes.iter().position(|byte| !byte.is_ascii())?;
        cyrillic(&bytes?).then(|| word.start() + high)
    })
}

/// The text with its Cyrillic words.
pub(super) fn undo(text: &str) -> String {
    let upper = characters(TextEncoding::Windows1251);
    let mut undone = String::with_capacity(text.len());
    let mut done = 0;
    for (word, bytes) in (Words { text, at: 0 }) {
        let Some(bytes) = bytes.filter(|bytes| cyrillic(bytes)) else { continue };
        undone.push_str(&text[done..word.start()]);
        undone.extend(bytes.iter().map(|&byte| match byte {
            0..0x80 => char::from(byte),
            _ => upper[usize::from(byte - 0x80)],
        }));
        done = word.end();
    }
    undone + &text[done..]
}

fn is_convincing(text: &str) -> bool {
    if !needs_a_closer_look(text.as_bytes()) {
        return false;
    }
    let mut latin = Reading::new(TextEncoding::Latin1, true);
    let mut russian = Reading::new(TextEncoding::Windows1251, true);
    let (mut several, mut capital) = (0, false);
    let (mut moves, mut piece, mut two_pieces) = (0, None, false);
    for (word, bytes) in (Words { text, at: 0 }) {
        // What Windows-1252 lacks was never in it, and says nothing.
        let Some(bytes) = bytes else { continue };
        let before = russian.score;
        let word = word.written(&bytes);
        latin.read(&word);
        russian.read(&word);
        let mut letters = bytes.iter().filter(|&&byte| byte >= 0xC0);
        // `А` to `Я`, and behind them `а` to `я`.
        let is_capital = letters.next().is_some_and(|&first| first < 0xE0);
        let alone = bytes.iter().all(|byte| !byte.is_ascii());
        if russian.score > before && alone && letters.count() + 1 >= SHORTEST {
            several += 1;
            capital |= is_capital;
        }
        if russian.score > before && is_square(&bytes[high_bytes(&bytes)..]) {
            moves += 1;
            two_pieces |= *piece.get_or_insert(bytes[0]) != bytes[0];
        }
    }
    let told = several >= SEVERAL && capital || moves >= SEVERAL_MOVES && two_pieces;
    told && latin.score < 0 && russian.score > 0
}

/// Three letters `À` to `ÿ` in a row, which hardly any word has that is Latin, or such a letter
/// before a square: most texts have neither.
fn needs_a_closer_look(bytes: &[u8]) -> bool {
    memchr::memchr_iter(0xC3, bytes).any(|at| {
        let behind = &bytes[bytes.len().min(at + 2)..];
        let three = behind.first() == Some(&0xC3) && behind.get(2) == Some(&0xC3);
        // A move has no more than these.
        let word = behind.iter().take(6).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        three || is_square(&behind[..word])
    })
}

fn high_bytes(word: &[u8]) -> usize {
    word.iter().take_while(|byte| !byte.is_ascii()).count()
}

/// Whether a word in Windows-1252 has Cyrillic letters in their places: without Latin ones, or the
/// piece letter of a move.
fn cyrillic(bytes: &[u8]) -> bool {
    bytes.iter().any(|&byte| byte >= 0xC0)
        && (is_square(&bytes[high_bytes(bytes)..]) || !bytes.iter().any(u8::is_ascii_alphabetic))
}

/// The words of a text, each with its bytes in Windows-1252 if it has all its characters.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (Word<'a>, Option<Vec<u8>>);

    fn next(&mut self) -> Option<Self::Item> {
        let word = Word::next(self.text.as_bytes(), self.at)?;
        self.at = word.end();
        let byte = |character: char| match character {
            '\0'..='\x7f' => Some(character as u8),
            _ => windows_1252(character),
        };
        Some((word, self.text[word.start()..word.end()].chars().map(byte).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program makes of Windows-1251 that it takes for Windows-1252.
    fn mistake(text: &str) -> String {
        let (bytes, _, lossy) = encoding_rs::WINDOWS_1251.encode(text);
        assert!(!lossy, "{text}");
        super::super::each_byte(&bytes, TextEncoding::Latin1)
    }

    #[test]
    fn russian_names_come_back() {
        for text in [
            "Карпов, Анатолий",
            "Чемпионат СССР",
            "ТАЛЬ, МИХАИЛ",
            "«Спартак» – «Ёлкино»",
            "Чигорин М. 1. e4 e5 2. Кf3 Крe7 Шифферс",
        ] {
            let read = mistake(text);
            assert!(find(&read).is_some(), "{read}");
            assert_eq!(undo(&read), text, "{read}");
        }
        assert_eq!(mistake("Чемпионат"), "×åìïèîíàò");
    }

    #[test]
    fn the_place_is_the_first_word_that_was_misread() {
        let text = ["Open ½ ", &mistake("Карпов, Анатолий")].concat();
        assert_eq!(find(&text), Some("Open ½ ".len()));
    }

    #[test]
    fn moves_of_two_pieces_tell_without_a_name() {
        let text = "[White \"Carlsen\"] 1. e4 e5 2. Кf3 Кc6 3. Сb5 Кf6 4. O-O";
        let read = mistake(text);
        assert_eq!(find(&read), Some("[White \"Carlsen\"] 1. e4 e5 2. ".len()));
        assert_eq!(undo(&read), text);
        for few in ["2. Кf3 Кc6 3. Сb5", "2. Кf3 Кc6 3. Кd4 Кf6 4. Кc3"] {
            assert_eq!(find(&mistake(few)), None, "{few}");
        }
        assert_eq!(find("[White \"Ärmel\"] {Öl, Äa1, Öb2 in Ö}"), None);
    }

    #[test]
    fn latin_words_beside_stay_as_they_are() {
        let text = ["Müller – ", &mistake("Карпов, Анатолий"), ", Gößl, Kovačević, ½-½"].concat();
        assert_eq!(undo(&text), "Müller – Карпов, Анатолий, Gößl, Kovačević, ½-½");
    }

    #[test]
    fn one_word_does_not_tell() {
        for text in ["Таль", "Чемпионат", "в шахматы"] {
            assert_eq!(find(&mistake(text)), None, "{text}");
        }
    }

    #[test]
    fn names_that_are_well_are_never_called_so() {
        for text in [
            "Lefèvre, François – Béchu, Zoë; Évry, « où ça »; créées",
            "Größl, Käthe – Weiß, Günter; ÖSTERREICH, ÄÖÜ, äöü, ÄÖÜß",
            "Jørgensen, Søren – Østergård, Pål – Åse Ærø; ÆØÅ æøå, ÆØÅ",
            "Åkesson – Järvenpää; Öö, yö, hääyöaie, Ääö, ÅÄÖ åäö",
            "Þórarinsson, Óðinn – Ásgeirsson, Ægir; ÁÉÍÓÚÝ, áéíóúý",
            "García Muñoz, José – Íñigo; ¿Qué? ÁÉÍÓÚÑ áéíóúñ",
            "João Conceição – Simões, António; ÃÕÇ ãõç, ÀÁÂÃ",
            "Dvořák, Jiří – Žižka, Šárka; ÁÉÍÓÚÝ; příští",
            "Élő, Árpád – Győr; ÁÉÍÓÖÚÜ, áéíóöúü",
            "Nguyễn, Đặng – Trần Thị Ngọc",
            "Карпов, Анатолий",
        ] {
            assert_eq!(find(text), None, "{text}");
        }
    }
}
