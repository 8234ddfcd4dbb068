//! UTF-8 that was taken for a single-byte set and encoded once more: `MÃ¼ller` through
//! Windows-1252 (or ISO 8859-1), `РўР°Р»СЊ` through Windows-1251.
//!
//! In: valid UTF-8. Out: where such a place begins, and the text as it was meant, every other
//! character as it stands. A place counts only where the character before the accident is a usual
//! one, because people do write `Fuß“`, which would be a letter of N'Ko. Through Windows-1251 it
//! counts only where nobody writes so: `Рівне` and `«ЦЕНТР»` hold such pairs, but never two in a
//! row.

use std::borrow::Cow;

use super::TextEncoding;
use super::reading::is_square;
use super::tables::characters;

/// Text that went wrong more often than this stays as it is.
const MOST_ROUNDS: usize = 3;

/// The set that UTF-8 was taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Through {
    Windows1252,
    Windows1251,
}

/// Where the first character stands that was decoded twice.
pub(super) fn find(text: &str, through: Through) -> Option<usize> {
    match through {
        // The first bytes of UTF-8's longer characters, 0xC2 to 0xF4, are `Â` to `ô` in
        // Windows-1252: U+00C2 to U+00F4, which begin with 0xC3.
        Through::Windows1252 => memchr::memchr_iter(0xC3, text.as_bytes())
            .find(|&at| original(&text[at..], through).is_some()),
        // In Windows-1251 those of two bytes are `В` to `Я`, which begin with 0xD0.
        Through::Windows1251 => memchr::memchr_iter(0xD0, text.as_bytes())
            .find(|&at| text.is_char_boundary(at) && is_convincing(text, at)),
    }
}

/// The text before it was decoded twice, or thrice.
pub(super) fn undo(text: &str, through: Through) -> Cow<'_, str> {
    let mut undone = Cow::Borrowed(text);
    for _ in 0..MOST_ROUNDS {
        match undo_once(&undone, through) {
            Some(before) => undone = Cow::Owned(before),
            None => break,
        }
    }
    undone
}

fn undo_once(text: &str, through: Through) -> Option<String> {
    let mut undone = String::new();
    let mut done = 0;
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        match original(&text[at..], through) {
            Some((first, len)) => {
                let start = at;
                let mut run = String::from(first);
                at += len;
                while let Some((character, len)) = original(&text[at..], through) {
                    run.push(character);
                    at += len;
                }
                let alone = run.len() == first.len_utf8();
                if !(alone && through == Through::Windows1251 && joins_cyrillic(text, start, at)) {
                    undone.push_str(&text[done..start]);
                    undone.push_str(&run);
                    done = at;
                }
            }
            None => at += next.len_utf8(),
        }
    }
    (done > 0).then(|| undone + &text[done..])
}

/// Whether nobody writes so what stands there: two in a row, the piece letter of a move, or an
/// accented letter of a Latin word.
fn is_convincing(text: &str, at: usize) -> bool {
    let Some((character, len)) = original(&text[at..], Through::Windows1251) else { return false };
    let behind = &text[at + len..];
    if original(behind, Through::Windows1251).is_some() {
        return true;
    }
    if joins_cyrillic(text, at, at + len) {
        return false;
    }
    match character {
        'К' | 'Ф' | 'Л' | 'С' | 'Т' | 'Ц' | 'Д' | 'О' => {
            let end = behind.find(|behind: char| !behind.is_ascii_alphanumeric());
            is_square(&behind.as_bytes()[..end.unwrap_or(behind.len())])
        }
        'À'..='ž' => {
            let beside = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
            beside(text.as_bytes()[..at].last()) || beside(behind.as_bytes().first())
        }
        _ => false,
    }
}

/// Whether a Cyrillic letter stands beside a stretch of the text.
fn joins_cyrillic(text: &str, start: usize, end: usize) -> bool {
    let cyrillic = |character: char| matches!(character, '\u{400}'..='\u{52f}');
    text[..start].ends_with(cyrillic) || text[end..].starts_with(cyrillic)
}

/// The character that the text's first few characters were, and their length in bytes.
fn original(text: &str, through: Through) -> Option<(char, usize)> {
    let mut bytes = [0; 3];
    let mut taken = 0;
    let mut wanted = 3;
    let mut len = 0;
    for character in text.chars() {
        let byte = match through {
            Through::Windows1252 => windows_1252(character)?,
            Through::Windows1251 => windows_1251(character)?,
        };
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
    // A control character between letters is one that was decoded thrice; in Windows-1251 the one
    // byte without a character is one.
    let between = match through {
        Through::Windows1252 => {
            decoded.is_control() && text.chars().nth(1).is_some_and(char::is_control)
        }
        Through::Windows1251 => decoded == '\u{98}',
    };
    (is_usual(decoded) || between).then_some((decoded, len))
}

/// The byte above 0x7F that Windows-1252 has for a character, or ISO 8859-1 for a control.
pub(super) fn windows_1252(character: char) -> Option<u8> {
    match character {
        '\u{80}'..='\u{ff}' => Some(character as u8),
        '\u{100}'..='\u{2122}' => {
            let among = &characters(TextEncoding::Latin1)[..32];
            among.iter().position(|&own| own == character).map(|index| index as u8 | 0x80)
        }
        _ => None,
    }
}

/// The byte above 0x7F that Windows-1251 has for a character.
fn windows_1251(character: char) -> Option<u8> {
    match character {
        'А'..='я' => Some((character as u32 - 'А' as u32) as u8 + 0xC0),
        '\u{80}'..='\u{2122}' => {
            let among = &characters(TextEncoding::Windows1251)[..64];
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
            | '\u{2116}' | '\u{2122}'
            | '\u{2212}'..='\u{2265}'
            | '\u{2654}'..='\u{265f}'
            | '\u{feff}'
    )
}

#[cfg(test)]
mod tests {
    use super::Through::{Windows1251, Windows1252};
    use super::*;

    /// What a program makes of UTF-8 that it takes for the other set.
    fn mistake(text: &str, through: Through) -> String {
        let set = match through {
            Windows1252 => TextEncoding::Latin1,
            Windows1251 => TextEncoding::Windows1251,
        };
        super::super::each_byte(text.as_bytes(), set)
    }

    #[test]
    fn text_that_was_decoded_twice_or_thrice_comes_back() {
        for text in ["Müller", "Đorđević, Ð. – “Košice”", "Крамник", "O’Kelly", "♘f3", "€ 5", "Ő"]
        {
            let twice = mistake(text, Windows1252);
            assert_eq!(undo(&twice, Windows1252), text, "{twice}");
            assert_eq!(undo(&mistake(&twice, Windows1252), Windows1252), text, "{twice}");
        }
        assert_eq!(mistake("Müller", Windows1252), "MÃ¼ller");
    }

    #[test]
    fn text_that_went_through_windows_1251_comes_back() {
        for text in [
            "Чемпионат",
            "Иванчук, Василий – «Ёлкино» № 5",
            "ТАЛЬ, М.",
            "Їжакевич, Ґ.",
            "Müller",
            "Kovačević, Đ. – Košice",
            "Крf1 Кf3 Сb5",
        ] {
            let twice = mistake(text, Windows1251);
            assert!(find(&twice, Windows1251).is_some(), "{twice}");
            assert_eq!(find(&twice, Windows1252), None, "{twice}");
            assert_eq!(undo(&twice, Windows1251), text, "{twice}");
            assert_eq!(undo(&mistake(&twice, Windows1251), Windows1251), text, "{twice}");
        }
        assert_eq!(mistake("Чемпионат", Windows1251), "Р§РµРјРїРёРѕРЅР°С‚");
    }

    #[test]
    fn a_move_alone_is_enough() {
        for text in ["Кf3", "Сxb5", "Лad1", "Крf1", "e8=Ф Кc6"] {
            let twice = mistake(text, Windows1251);
            assert!(find(&twice, Windows1251).is_some(), "{twice}");
        }
        assert_eq!(undo(&mistake("e8=Ф", Windows1251), Windows1251), "e8=Ф");
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
            for through in [Windows1252, Windows1251] {
                assert_eq!(find(text, through), None, "{text}");
                assert_eq!(undo(text, through), text);
            }
        }
    }

    #[test]
    fn cyrillic_text_that_is_well_stays() {
        for text in [
            "Рівне, Різдво, ТРЁХ, Рёбрышкин",
            "«ЦЕНТР» – «СПАРТАК»…",
            "УКРАЇНА, РІВНЕ, РЄПІН",
            "Љубојевић, Њиво, СРЂАН, ЈУРЈЕВ",
            "СССР, 1. Кf3 Сb5 2. Фxd4 С… Р.",
            "в… „В–5“, № 5; Г°, В§",
            "Ўладзімір, РЎ",
        ] {
            assert_eq!(find(text, Windows1251), None, "{text}");
        }
        let text = "Рівне – «ЦЕНТР»";
        assert_eq!(undo(text, Windows1251), text);
    }

    #[test]
    fn sound_words_beside_stay_as_they_are() {
        assert_eq!(undo("Jörg MÃ¼ller – Köln", Windows1252), "Jörg Müller – Köln");
        assert_eq!(find("Jörg MÃ¼ller", Windows1252), Some(7));
        assert_eq!(undo("Рівне РўР°Р»СЊ", Windows1251), "Рівне Таль");
        assert_eq!(find("Рівне РўР°Р»СЊ", Windows1251), Some(11));
    }
}
