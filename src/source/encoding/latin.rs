//! Accented letters of western Europe, and how usual they are in names.

use super::reading::{Letter, NO_TEXT, ODD, RARE, SMALL, USUAL};

/// What a letter is worth where it stands, if it is Latin.
pub(super) fn points(letter: &Letter<'_>) -> i32 {
    let Letter { character, word, at, .. } = *letter;
    if letter.is_alone() {
        return if "àáåéèóöøÀÁÅÉÓØ".contains(character) { SMALL } else { ODD };
    }
    // `Straße` in DOS; no name has `aáe`.
    let in_place_of_sharp_s = || {
        at > 0
            && b"aio".contains(&word.bytes[at - 1])
            && matches!(word.bytes.get(at + 1), None | Some(b'e'))
    };
    let opens_a_value = || at == 0 && word.before == b'"';
    match character {
        // Two accents in a row are not rare, three are.
        _ if letter.run > 1 => NO_TEXT,
        'á' if in_place_of_sharp_s() => ODD,
        _ if character.is_lowercase() && opens_a_value() => ODD,
        'ä' | 'ö' | 'ü' | 'ß' | 'á' | 'é' | 'í' | 'ó' | 'ú' | 'ý' | 'à' | 'ù' | 'è' | 'â' | 'ê'
        | 'î' | 'ô' | 'ë' | 'ï' | 'ã' | 'õ' | 'ñ' | 'ç' | 'å' | 'ø' | 'æ' | 'š' | 'ž' | 'Ä'
        | 'Ö' | 'Ü' | 'Á' | 'É' | 'Í' | 'Ó' | 'Ñ' | 'Ç' | 'Å' | 'Ø' | 'Æ' | 'Š' | 'Ž' => {
            USUAL
        }
        // Mathematics in code page 437.
        'α'..='ω' | 'Α'..='Ω' => NO_TEXT,
        _ => RARE,
    }
}
