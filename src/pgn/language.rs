//! Piece letters of the languages in the table of PGN standard 8.2.3.2, of Russian and Ukrainian.

use shakmaty::Role;

/// A language's letters for the pieces.
#[derive(Debug, PartialEq, Eq)]
pub struct Language {
    pub name: &'static str,
    /// Pawn, knight, bishop, rook, queen, king; empty where the language has none.
    letters: [&'static str; 6],
}

/// What a letter was taken for, and how many characters it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letter {
    pub role: Role,
    pub len: usize,
    /// It is of the script, not only like it.
    pub exact: bool,
}

pub static ENGLISH: Language =
    Language { name: "English", letters: ["P", "N", "B", "R", "Q", "K"] };

/// All but English. Those that share their letters stand together.
pub static OTHER_LANGUAGES: [Language; 18] = [
    Language { name: "German", letters: ["B", "S", "L", "T", "D", "K"] },
    Language { name: "Danish", letters: ["B", "S", "L", "T", "D", "K"] },
    Language { name: "Norwegian", letters: ["B", "S", "L", "T", "D", "K"] },
    Language { name: "Swedish", letters: ["B", "S", "L", "T", "D", "K"] },
    Language { name: "Spanish", letters: ["P", "C", "A", "T", "D", "R"] },
    Language { name: "Italian", letters: ["P", "C", "A", "T", "D", "R"] },
    Language { name: "French", letters: ["P", "C", "F", "T", "D", "R"] },
    Language { name: "Portuguese", letters: ["P", "C", "B", "T", "D", "R"] },
    Language { name: "Romanian", letters: ["P", "C", "N", "T", "D", "R"] },
    Language { name: "Dutch", letters: ["O", "P", "L", "T", "D", "K"] },
    Language { name: "Czech", letters: ["P", "J", "S", "V", "D", "K"] },
    Language { name: "Polish", letters: ["P", "S", "G", "W", "H", "K"] },
    Language { name: "Hungarian", letters: ["G", "H", "F", "B", "V", "K"] },
    Language { name: "Finnish", letters: ["P", "R", "L", "T", "D", "K"] },
    Language { name: "Estonian", letters: ["P", "R", "O", "V", "L", "K"] },
    Language { name: "Icelandic", letters: ["P", "R", "B", "H", "D", "K"] },
    Language { name: "Russian", letters: ["п", "К", "С", "Л", "Ф", "Кр"] },
    Language { name: "Ukrainian", letters: ["п", "К", "С", "Т", "Ф", "Кр"] },
];

const ROLES: [Role; 6] =
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

impl Language {
    /// The longest name of a piece has so many letters: that of the Russian king.
    pub const LONGEST: usize = 2;

    /// Whether both have the same letters, so that every word reads the same in them.
    pub fn reads_like(&self, other: &Language) -> bool {
        self.letters == other.letters
    }

    /// The letters among `A` to `Z`.
    pub fn capitals(&self) -> impl Iterator<Item = u8> {
        self.letters.iter().filter_map(|letter| match letter.as_bytes() {
            &[capital @ b'A'..=b'Z'] => Some(capital),
            _ => None,
        })
    }

    /// Asked of every word: there is one of each, so its place tells.
    #[inline]
    pub fn is_english(&self) -> bool {
        std::ptr::eq(self, &ENGLISH)
    }

    /// The piece that the text begins with. Letters of another script that look the same count
    /// as well; of two letters that fit the longer one does.
    pub fn piece(&self, text: &[char]) -> Option<Letter> {
        let first = *text.first()?;
        // Nothing of one script looks like a letter of the same one, and Latin letters are single.
        if first.is_ascii() && !self.is_cyrillic() {
            let is_first = |letter: &&str| letter.as_bytes() == [first as u8];
            let index = self.letters.iter().position(is_first)?;
            return Some(Letter { role: ROLES[index], len: 1, exact: true });
        }
        let mut best: Option<Letter> = None;
        for (letters, role) in self.letters.iter().zip(ROLES) {
            let (mut len, mut exact) = (0, true);
            for letter in letters.chars() {
                match text.get(len) {
                    Some(&found) if found == letter => {}
                    Some(&found) if looks_like(found, letter) => exact = false,
                    _ => {
                        len = 0;
                        break;
                    }
                }
                len += 1;
            }
            if len > best.map_or(0, |best| best.len) {
                best = Some(Letter { role, len, exact });
            }
        }
        best
    }

    /// Whether its letters are Cyrillic.
    pub fn is_cyrillic(&self) -> bool {
        !self.letters[1].is_ascii()
    }
}

/// Letters that look alike in Latin and Cyrillic, as far as chess needs them.
const LOOK_ALIKES: [(char, char); 14] = [
    ('K', 'К'),
    ('C', 'С'),
    ('T', 'Т'),
    ('B', 'В'),
    ('P', 'Р'),
    ('p', 'р'),
    ('H', 'Н'),
    ('O', 'О'),
    ('o', 'о'),
    ('a', 'а'),
    ('c', 'с'),
    ('e', 'е'),
    ('x', 'х'),
    ('X', 'Х'),
];

fn looks_like(one: char, other: char) -> bool {
    LOOK_ALIKES.iter().any(|&(latin, cyrillic)| {
        (one, other) == (latin, cyrillic) || (one, other) == (cyrillic, latin)
    })
}

/// The Latin letter that a Cyrillic one looks like; any other character as it is.
pub fn latin_look_alike(letter: char) -> char {
    LOOK_ALIKES.iter().find(|(_, cyrillic)| *cyrillic == letter).map_or(letter, |(latin, _)| *latin)
}

/// The piece that a chess symbol shows (U+2654 to U+265F), of either colour.
pub fn figurine(symbol: char) -> Option<Role> {
    const FROM_KING: [Role; 6] =
        [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];
    let index = u32::from(symbol).checked_sub(0x2654)?;
    (index < 12).then(|| FROM_KING[index as usize % 6])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(name: &str, text: &str) -> Option<(Role, usize, bool)> {
        let text: Vec<char> = text.chars().collect();
        let language = OTHER_LANGUAGES.iter().find(|language| language.name == name).unwrap();
        language.piece(&text).map(|letter| (letter.role, letter.len, letter.exact))
    }

    #[test]
    fn the_same_letter_is_another_piece_in_another_language() {
        assert_eq!(piece("German", "Sf3"), Some((Role::Knight, 1, true)));
        assert_eq!(piece("Czech", "Sf3"), Some((Role::Bishop, 1, true)));
        assert_eq!(piece("Finnish", "Rf3"), Some((Role::Knight, 1, true)));
        assert_eq!(piece("French", "Rf3"), Some((Role::King, 1, true)));
        assert_eq!(piece("Hungarian", "Bf3"), Some((Role::Rook, 1, true)));
        assert_eq!(piece("German", "Nf3"), None);
    }

    #[test]
    fn the_russian_king_has_two_letters_and_latin_ones_pass_for_them() {
        assert_eq!(piece("Russian", "Крf1"), Some((Role::King, 2, true)));
        assert_eq!(piece("Russian", "Кf3"), Some((Role::Knight, 1, true)));
        assert_eq!(piece("Russian", "Kpf1"), Some((Role::King, 2, false)));
        assert_eq!(piece("Russian", "Cg5"), Some((Role::Bishop, 1, false)));
        assert_eq!(piece("Russian", "Тd1"), None);
        assert_eq!(piece("Ukrainian", "Тd1"), Some((Role::Rook, 1, true)));
    }

    #[test]
    fn symbols_of_both_colours_are_pieces() {
        assert_eq!(figurine('♔'), Some(Role::King));
        assert_eq!(figurine('♞'), Some(Role::Knight));
        assert_eq!(figurine('♟'), Some(Role::Pawn));
        assert_eq!(figurine('★'), None);
        assert_eq!(figurine('K'), None);
    }
}
