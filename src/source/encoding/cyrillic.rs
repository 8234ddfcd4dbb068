//! Cyrillic letters, and how usual they are.

use super::reading::{Letter, ODD, SMALL, WRONG};

/// What a letter is worth where it stands, if its word is Cyrillic.
pub(super) fn points(letter: &Letter<'_>) -> i32 {
    let lower = letter.character.to_lowercase().next().unwrap_or(letter.character);
    match lower {
        'а' | 'в' | 'и' | 'к' | 'о' | 'с' | 'у' | 'я' if letter.is_alone() => SMALL,
        _ if letter.is_alone() => ODD,
        'ь' | 'ъ' | 'ы' if letter.at == 0 => WRONG,
        // About the logarithm of its share in Russian and Ukrainian.
        'о' | 'е' | 'а' => 5,
        'и' | 'н' | 'т' | 'с' | 'р' | 'в' | 'л' | 'і' => 4,
        'к' | 'м' | 'д' | 'п' | 'у' => 3,
        'я' | 'ы' | 'ь' | 'г' | 'з' | 'б' | 'й' | 'ї' | 'є' => 2,
        'ч' | 'х' | 'ж' | 'ш' | 'ю' | 'ё' => 1,
        'ц' | 'щ' | 'э' | 'ф' | 'ґ' => 0,
        _ => -6,
    }
}

pub(super) fn is_vowel(character: char) -> bool {
    "аеёиоуыэюяіїєАЕЁИОУЫЭЮЯІЇЄ".contains(character)
}
