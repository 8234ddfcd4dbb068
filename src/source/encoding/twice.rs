//! UTF-8 that was taken for Windows-1252 (or ISO 8859-1) and encoded once more: `MÃ¼ller`.
//!
//! In: valid UTF-8. Out: where such a place begins, and the text as it was meant, every other
//! character as it stands. A place counts only where the character before the accident is a usual
//! one, because people do write `Fuß“`, which would be a letter of N'Ko.

use std::borrow::Cow;

use super::TextEncoding;
use super::tables::characters;

/// Text that went wrong more often than this stays as it is.
const MOST_ROUNDS: usize = 3;

/// Where the first character stands that was decoded twice.
pub(super) fn find(text: &str) -> Option<usize> {
    // The first bytes of UTF-8's longer characters, 0xC2 to 0xF4, are `Â` to `ô` in Windows-1252:
    // U+00C2 to U+00F4, which begin with 0xC3.
    memchr::memchr_iter(0xC3, text.as_bytes()).find(|&at| original(&text[at..]).is_some())
}

/// The text before it was decoded twice, or thrice.
pub(super) fn undo(text: &str) -> Cow<'_, str> {
    let mut undone = Cow::Borrowed(text);
    for _ in 0..MOST_ROUNDS {
        match find(&undone) {
            Some(first) => undone = Cow::Owned(undo_once(&undone, first)),
            None => break,
        }
    }
    undone
}

fn undo_once(text: &str, first: usize) -> String {
    let mut undone = String::with_capacity(text.len());
    undone.push_str(&text[..first]);
    let mut rest = &text[first..];
    while let Some(next) = rest.chars().next() {
        let (character, len) = original(rest).unwrap_or((next, next.len_utf8()));
        undone.push(character);
        rest = &rest[len..];
    }
    undone
}

/// The character that the text's first few characters were, and their length in bytes.
fn original(text: &str) -> Option<(char, usize)> {
    let mut bytes = [0; 3];
    let mut taken = 0;
    let mut wanted = 3;
    let mut len = 0;
    for character in text.chars() {
        let byte = windows_1252(character)?;
        if taken == 0 {
            wanted = match byte {
                0xC2..=0xDF => 2,
                0xE0..=0xEF => 3,
                _ => return None,
            };
        }
        bytes[taken] = byte;
        taken += 1;
        len += character.len_utf8();
        if taken == wanted {
            break;
        }
    }
    let decoded = std::str::from_utf8(&bytes[..taken]).ok()?.chars().next()?;
    // A control character between letters is one that was decoded thrice.
    let between = decoded.is_control() && text.chars().nth(1).is_some_and(char::is_control);
    (is_usual(decoded) || between).then_some((decoded, len))
}

/// The byte above 0x7F that Windows-1252 has for a character, or ISO 8859-1 for a control.
fn windows_1252(character: char) -> Option<u8> {
    match character {
        '\u{80}'..='\u{ff}' => Some(character as u8),
        '\u{100}'..='\u{2122}' => {
            let among = &characters(TextEncoding::Latin1)[..32];
            among.iter().position(|&own| own == character).map(|index| index as u8 | 0x80)
        }
        _ => None,
    }
}

/// Whether people write this character beyond ASCII: Latin, Greek and Cyrillic letters,
/// punctuation, chess pieces.
pub(super) fn is_usual(character: char) -> bool {
    matches!(
        character,
        '\u{a0}'..='\u{17f}'
            | '\u{192}'
            | '\u{218}'..='\u{21b}'
            | '\u{2c6}' | '\u{2dc}'
            | '\u{386}'..='\u{3ce}'
            | '\u{400}'..='\u{45f}'
            | '\u{490}' | '\u{491}'
            | '\u{1e00}'..='\u{1eff}'
            | '\u{2010}'..='\u{203a}'
            | '\u{20ac}'
            | '\u{2122}'
            | '\u{2212}'..='\u{2265}'
            | '\u{2654}'..='\u{265f}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a program makes of UTF-8 that it takes for Windows-1252.
    fn mistake(text: &str) -> String {
        super::super::each_byte(text.as_bytes(), TextEncoding::Latin1)
    }

    #[test]
    fn text_that_was_decoded_twice_or_thrice_comes_back() {
        for text in ["Müller", "Đorđević, Ð. – “Košice”", "Крамник", "O’Kelly", "♘f3", "€ 5", "Ő"]
        {
            let twice = mistake(text);
            assert_eq!(undo(&twice), text, "{twice}");
            assert_eq!(undo(&mistake(&twice)), text, "{twice}");
        }
        assert_eq!(mistake("Müller"), "MÃ¼ller");
    }

    #[test]
    fn text_that_is_well_stays() {
        for text in [
            "Müller",
            "„Fuß“ … Spaß…",
            "“CAFÉ” – CAFÉ–BAR",
            "São João à Évora, Â",
            "Крамник",
            "Kovačević",
            "«Voilà»",
            "naïve façade £5 §3",
            "Ã",
            "ôé",
        ] {
            assert_eq!(find(text), None, "{text}");
            assert_eq!(undo(text), text);
        }
    }

    #[test]
    fn sound_words_beside_stay_as_they_are() {
        assert_eq!(undo("Jörg MÃ¼ller – Köln"), "Jörg Müller – Köln");
        assert_eq!(find("Jörg MÃ¼ller"), Some(7));
    }
}
