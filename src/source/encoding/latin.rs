//! Accented letters of western Europe, and how usual they are in names.

use super::reading::{Beside, Letter, NO_TEXT, ODD, RARE, SMALL, USUAL, WRONG};

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
        _ if is_out_of_place(letter) => WRONG,
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

/// Whether a letter stands where names do not have it, and another set another letter.
fn is_out_of_place(letter: &Letter<'_>) -> bool {
    let Letter { character, word, at, behind, .. } = *letter;
    let before = at.checked_sub(1).map(|before| word.bytes[before]);
    let next = word.bytes.get(at + 1);
    let consonant = |byte: &u8| byte.is_ascii_alphabetic() && !b"aeiouyAEIOUY".contains(byte);
    match character {
        // `Kšln` is Köln from a Mac.
        'š' => before.as_ref().is_some_and(consonant) && next.is_some_and(consonant),
        // `Øodzi` and `Michaê` are Łodzi and Michał in code page 852; a Mac has `ù` and `à` there.
        'Ø' => at == 0 && next.is_some_and(|byte| b"aou".contains(byte)),
        'ù' => at == 0,
        'ê' | 'à' => behind == Beside::Edge && matches!(before, Some(b'a' | b'e')),
        _ => false,
    }
}
