//! Which single-byte set a game's bytes are in.
//!
//! A game has a few names and perhaps comments, so it gives little to count. Each word that holds
//! a byte above 0x7F is read in every set, and each reading judged by what people write; the set
//! with the best sum has it, if the best is good and no other is near. ISO 8859-1 begins ahead,
//! and has what is near.

use super::TextEncoding;
use super::reading::Reading;
use super::twice::is_usual;
use super::word::Word;

/// What ISO 8859-1 has before the first word, as the standard's own set.
const STANDARD_AHEAD: i32 = 4;

/// A sum this much below the best is near.
const NEAR: i32 = 4;

/// What the sets of the Mac begin with. They are rare: one word does not name them.
const RARE_BEHIND: i32 = -8;

/// In the order in which they have what is alike: code page 437 goes before 850, so that 850 is
/// named only where a character tells them apart.
const SETS: [TextEncoding; 8] = [
    TextEncoding::Latin1,
    TextEncoding::Cp437,
    TextEncoding::Cp850,
    TextEncoding::Windows1251,
    TextEncoding::Koi8R,
    TextEncoding::Cp866,
    TextEncoding::MacRoman,
    TextEncoding::MacCyrillic,
];

/// The set of bytes that are no UTF-8.
pub(super) fn single_byte(bytes: &[u8]) -> TextEncoding {
    let paired = quotes_paired(bytes);
    let mut readings = SETS.map(|set| Reading::new(set, paired));
    readings[0].score = STANDARD_AHEAD;
    for reading in readings.iter_mut().filter(|reading| is_rare(reading.set)) {
        reading.score = RARE_BEHIND;
    }
    let mut at = 0;
    while let Some(word) = Word::next(bytes, at) {
        at = word.end();
        if !is_utf8(word.bytes) {
            for reading in &mut readings {
                reading.read(&word);
            }
        }
    }
    decide(&readings)
}

/// Where the first character of UTF-8 stands in a word that the game's single-byte set cannot
/// mean: `MÃ¼ller` in ISO 8859-1.
pub(super) fn utf8_word(bytes: &[u8], set: TextEncoding) -> Option<usize> {
    let mut at = 0;
    while let Some(word) = Word::next(bytes, at) {
        at = word.end();
        if is_utf8(word.bytes) {
            let mut reading = Reading::new(set, false);
            reading.read(&word);
            if reading.score < 0 {
                let high = word.bytes.iter().position(|byte| !byte.is_ascii());
                return high.map(|high| word.start() + high);
            }
        }
    }
    None
}

fn decide(readings: &[Reading; SETS.len()]) -> TextEncoding {
    let standard = &readings[0];
    let mut best = standard;
    for reading in &readings[1..] {
        if reading.score > best.score {
            best = reading;
        }
    }
    if best.score < 0 {
        return TextEncoding::Undecided;
    }
    if standard.score > 0 && standard.score + NEAR > best.score {
        return TextEncoding::Latin1;
    }
    let latin_dos = |set| matches!(set, TextEncoding::Cp437 | TextEncoding::Cp850);
    let rival = readings.iter().any(|reading| {
        reading.set != best.set
            && !is_rare(reading.set)
            && reading.score + NEAR > best.score
            && !(latin_dos(reading.set) && latin_dos(best.set))
    });
    if rival { TextEncoding::Undecided } else { best.set }
}

fn is_rare(set: TextEncoding) -> bool {
    matches!(set, TextEncoding::MacRoman | TextEncoding::MacCyrillic)
}

/// A sound word of UTF-8 in a game of both, which says nothing of the other words.
fn is_utf8(word: &[u8]) -> bool {
    let usual = |character: char| character.is_ascii() || is_usual(character);
    std::str::from_utf8(word).is_ok_and(|text| text.chars().all(usual))
}

/// Whether the quotation marks of the Windows sets stand there in pairs. If not, they may be the
/// `½`, `ä` and `ö` of DOS.
fn quotes_paired(bytes: &[u8]) -> bool {
    let count = |wanted: &[u8]| bytes.iter().filter(|byte| wanted.contains(byte)).count();
    count(&[0xAB]) == count(&[0xBB]) && count(&[0x84, 0x93, 0x94]).is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::encoding::tables::characters;

    /// What stands in the White, Black and Site tags of a game.
    const WESTERN: &[[&str; 3]] = &[
        ["Müller, Jörg", "Weiß, Günter", "Nürnberg"],
        ["Schottländer, Arnold", "Hübner, Robert", "Köln"],
        ["Größl, Käthe", "Süßkind, Moses", "Groß-Gerau"],
        ["MÜLLER, Hans", "Öhlschläger, Rolf", "ÖSTERREICH"],
        ["Dupré, André", "Lefèvre, François", "Besançon"],
        ["L’Hôpital, Noël", "Béchu, Zoë", "Évry"],
        ["García Muñoz, José", "Peñalver, Íñigo", "Málaga"],
        ["Álvarez, Jesús", "Ibáñez, Ángel", "Córdoba"],
        ["João Conceição", "Simões, António", "São Paulo"],
        ["Jørgensen, Søren", "Østergård, Pål", "Tromsø"],
        ["Åkesson, Ralf", "Strömberg, Åsa", "Västerås"],
        ["Järvenpää, Janne", "Leppälä, Matti", "Jyväskylä"],
        ["Þórarinsson, Óðinn", "Ásgeirsson, Ægir", "Reykjavík"],
        ["Popescu, Ion", "Alföldi, László", "Györ"],
        ["Réti, Richard", "Ádám, János", "Pécs"],
        ["Núñez, Ramón", "Cañizares", "A Coruña"],
        ["Ribeiro, Álvaro", "Magalhães", "Brasília"],
        ["Gagarinova, Zoltán", "Élő, Árpád", "Veszprém"],
        ["Bjørn Åge Lødøen", "Sæther, Ørnulf", "Århus"],
        ["Žigić, Šime", "Šoltis, Žarko", "Piešťany"],
        ["Špidla, Jan", "Žižka, Aleš", "Plzeň"],
        ["Tišnov, Žák", "Miloš Šebek", "Hradec"],
        ["Übel, Uwe", "Ärmel, Ödön", "Zürich"],
        ["de Rivière, Jules", "Rosenthal", "Paris"],
        ["Mieses", "Leonhardt", "München-Gladbach"],
        ["Anderssen", "Dufresne", "Café de la Régence"],
        ["Kieninger, Georg", "Grünfeld, Ernst", "Wien"],
    ];

    const RUSSIAN: &[[&str; 3]] = &[
        ["Карпов, Анатолий", "Каспаров, Гарри", "Москва"],
        ["Петросян, Тигран", "Спасский, Борис", "Ленинград"],
        ["Шабалов, Александр", "Эльянов, Павел", "Юрмала"],
        ["Щербаков, Руслан", "Жигалко, Сергей", "Ёлкино"],
        ["БОТВИННИК, МИХАИЛ", "ТАЛЬ, МИХАИЛ", "МОСКВА"],
        ["чигорин м.", "шифферс э.", "санкт-петербург"],
        ["Іванчук, Василь", "Ейдельман, Михайло", "Київ"],
        ["Цешковский В.", "Бронштейн Д.", "Сочи"],
    ];

    fn game(names: &[&str; 3]) -> String {
        let [white, black, site] = names;
        format!(
            "[Event \"Open\"]\n[Site \"{site}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n"
        )
    }

    /// `None` where the set lacks a character.
    fn encode(text: &str, set: TextEncoding) -> Option<Vec<u8>> {
        let upper = characters(set);
        let byte = |character: char| {
            if character.is_ascii() {
                return Some(character as u8);
            }
            let at = upper.iter().position(|&own| own == character)?;
            Some(at as u8 | 0x80)
        };
        text.chars().map(byte).collect()
    }

    #[test]
    fn the_set_of_two_players_and_a_site_is_known() {
        let western = [TextEncoding::Latin1, TextEncoding::Cp437, TextEncoding::Cp850];
        let russian = [TextEncoding::Windows1251, TextEncoding::Koi8R, TextEncoding::Cp866];
        let mut wrong = Vec::new();
        let mut right = 0;
        for (games, sets) in [(WESTERN, western), (RUSSIAN, russian)] {
            for names in games {
                for set in sets {
                    let Some(bytes) = encode(&game(names), set) else { continue };
                    let found = TextEncoding::detect(&bytes);
                    let alike = set == TextEncoding::Cp850
                        && encode(&game(names), TextEncoding::Cp437).as_deref() == Some(&bytes);
                    if found == if alike { TextEncoding::Cp437 } else { set } {
                        right += 1;
                    } else {
                        wrong.push(format!("{set:?} as {found:?}: {names:?}"));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{right} right\n{}", wrong.join("\n"));
        assert!(right > 60, "{right}");
    }

    /// The set of one name alone in its tag.
    fn set_of(name: &str, set: TextEncoding) -> TextEncoding {
        single_byte(&encode(&format!("[White \"{name}\"]"), set).expect("a name in its set"))
    }

    #[test]
    fn one_name_alone_is_mostly_enough() {
        use TextEncoding::{Cp437, Cp850, Cp866, Koi8R, Latin1, Windows1251};
        for name in
            ["Müller", "João", "O’Kelly", "Järvenpää", "Weiß", "MUÑOZ, J", "Šoltis, A", "Caro–Kann"]
        {
            assert_eq!(set_of(name, Latin1), Latin1, "{name}");
        }
        for name in
            ["Müller", "Tomás", "André", "Groß", "Straße 5", "MUÑOZ, J", "Sæther", "Cantù", "½"]
        {
            assert_eq!(set_of(name, Cp437), Cp437, "{name}");
        }
        for name in ["Sørensen", "João", "Álvarez", "ØSTERGÅRD", "Ángel"] {
            assert_eq!(set_of(name, Cp850), Cp850, "{name}");
        }
        for name in ["Таль, М", "Юрий", "Уфа", "Ян", "Київ"] {
            assert_eq!(set_of(name, Windows1251), Windows1251, "{name}");
            assert_eq!(set_of(name, Koi8R), Koi8R, "{name}");
        }
        for name in ["Таль, М", "Юрий", "Уфа", "Пётр", "Їжакевич"] {
            assert_eq!(set_of(name, Cp866), Cp866, "{name}");
        }
    }

    #[test]
    fn prose_in_comments_tells_the_set_too() {
        let western = [
            "« Les Noirs ont une pièce de trop… mais l’échec perpétuel – à noter – sauve tout »",
            "„Schwarz übersieht die Drohung – natürlich möglich“; größer ist §3, 5° und ±0,3",
            "¡Qué jugada! ¿Por qué no? El rey está en peligro; además, el peón: nº 5, Mª José",
            "O cavalo não pôde voltar; as peças são más. Après c’est fini, où qu’il aille.",
        ];
        for text in western {
            let bytes = encode(text, TextEncoding::Latin1).unwrap();
            assert_eq!(single_byte(&bytes), TextEncoding::Latin1, "{text}");
        }
        let dos = "Schwarz übersieht die Drohung, möglich; ½-½. Où est l'échec? ¿Por qué? Está mal";
        let bytes = encode(dos, TextEncoding::Cp437).unwrap();
        assert_eq!(single_byte(&bytes), TextEncoding::Cp437);
        let russian =
            "Белые выигрывают, но не сразу: Кf5 с угрозой Фxh7. Ничья? НЕТ, мат в 3 хода!";
        for set in [TextEncoding::Windows1251, TextEncoding::Koi8R, TextEncoding::Cp866] {
            assert_eq!(single_byte(&encode(russian, set).unwrap()), set);
        }
    }

    #[test]
    fn what_may_be_either_is_iso_8859_1() {
        use TextEncoding::{Cp437, Cp850, Latin1};
        // Žrzen, Simäes, GARCÖA: somebody may be called so.
        assert_eq!(set_of("Ärzen", Cp437), Latin1);
        assert_eq!(set_of("Simões", Cp850), Latin1);
        assert_eq!(set_of("GARCÍA", Cp850), Latin1);
        assert_eq!(single_byte(b"[Black \"Bidjukov\xa0\"]"), Latin1);
        assert_eq!(single_byte(b"{\xabVoil\xe0\xbb, 5\xb0, \xb1 0.3, \xbd-\xbd, N\xd7e5}"), Latin1);
    }

    #[test]
    fn what_fits_no_set_or_two_alike_stays_undecided() {
        for bytes in [&b"Gorky \xb8final"[..], b"Micha\xb3", b"\xd1\xce\xd7\xc8", b"x\xdb\xb3y"] {
            assert_eq!(single_byte(bytes), TextEncoding::Undecided, "{bytes:x?}");
        }
    }

    #[test]
    fn moves_tell_the_set_by_their_piece_letters() {
        let text = "1. e4 e5 2. Кf3 Кc6 3. Сb5 a6 4. Сxc6 dxc6 5. O-O Фd6 6. Лe1 Крe7 7. e8=Ф";
        for set in [TextEncoding::Windows1251, TextEncoding::Koi8R, TextEncoding::Cp866] {
            let bytes = encode(text, set).unwrap();
            assert_eq!(single_byte(&bytes), set);
            assert_eq!(single_byte(&bytes[..16]), set, "one move");
        }
    }

    #[test]
    fn two_words_name_a_set_of_the_mac() {
        use TextEncoding::{MacCyrillic, MacRoman, Undecided};
        for names in ["Müller, Jörg", "Schönberg, René", "Grünfeld, Köln"] {
            assert_eq!(set_of(names, MacRoman), MacRoman, "{names}");
        }
        for names in ["Карпов, Анатолий", "Таль, Михаил", "Петросян, Тигран"]
        {
            assert_eq!(set_of(names, MacCyrillic), MacCyrillic, "{names}");
        }
        // It would be Kšln in ISO 8859-1.
        assert_eq!(set_of("Köln", MacRoman), Undecided);
    }

    #[test]
    fn polish_from_dos_is_not_taken_for_danish() {
        // Łodzi, Łukasz, Michał, Paweł in code page 852.
        for bytes in [&b"\x9dodzi"[..], b"\x9dukasz", b"Micha\x88", b"Pawe\x88"] {
            assert_eq!(single_byte(bytes), TextEncoding::Undecided, "{bytes:x?}");
        }
    }

    #[test]
    fn sound_words_of_utf8_in_the_same_game_have_no_say() {
        let bytes = ["Müller Kovačević Петров ".as_bytes(), b"M\x81nchen"].concat();
        assert_eq!(single_byte(&bytes), TextEncoding::Cp437);
        let bytes = ["Müller Kovačević Петров ".as_bytes(), b"M\xfcnchen"].concat();
        assert_eq!(single_byte(&bytes), TextEncoding::Latin1);
    }
}
