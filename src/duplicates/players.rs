//! By what a player is known, however the name is written.
//!
//! In: the text of a White or Black tag. Out: a key that is the same for `Carlsen, Magnus`,
//! `CARLSEN,M.`, `GM Carlsen, Magnus (2850)` and `Magnus Carlsen`: the last word of the surname
//! and the first letter of the first name, in plain lower case, where `ä`, `ae` and `a` are one.
//! Beside it the first name, for Axel and Ada Holm have one key. It is a function of the one name,
//! so that keys can be sorted; what no such function can know (`Polgar Judit`) stays apart. Names
//! with digits, and single words, are those of accounts and programs: they are kept whole.

use std::fmt;

use deunicode::deunicode_char;

/// What stands before a name, or in parentheses behind it.
const TITLES: [&str; 13] =
    ["gm", "im", "fm", "cm", "nm", "lm", "wgm", "wim", "wfm", "wcm", "wnm", "dr", "prof"];

/// What stands behind a surname.
const SUFFIXES: [&str; 6] = ["jr", "sr", "ii", "iii", "junior", "senior"];

/// What is written where nobody knows.
const UNKNOWN: [&str; 5] = ["nn", "unknown", "anonymous", "anon", "noname"];

/// Characters of a name by which a player is known; what is longer is no name.
const LONGEST: usize = 255;

/// A player, as far as a name tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub key: String,
    pub first_name: FirstName,
}

impl Player {
    /// `None` where the name says that the player is not known.
    pub fn of(name: &str) -> Option<Player> {
        let (key, first_name) = read(name)?;
        Some(Player { key: without_umlauts(&key), first_name })
    }

    /// Of an account or a program, or of who writes no first name.
    fn whole(name: String) -> (String, FirstName) {
        (name, FirstName::default())
    }
}

/// A first name in plain lower case, as far as there is room; nothing for a mere initial.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct FirstName([u8; FirstName::LEN]);

impl FirstName {
    /// Beyond it nearly no two first names differ.
    pub const LEN: usize = 12;

    /// Two letters may be two initials.
    const SHORTEST: usize = 3;

    fn new(plain: &str) -> FirstName {
        let initials = plain.split('-').next().is_some_and(|part| part.len() < 2);
        let letters: String = plain.chars().filter(char::is_ascii_alphabetic).collect();
        let mut name = FirstName::default();
        if !initials && letters.len() >= FirstName::SHORTEST {
            let len = letters.len().min(FirstName::LEN);
            name.0[..len].copy_from_slice(&letters.as_bytes()[..len]);
        }
        name
    }

    /// Whether both are known and neither is short for the other.
    pub fn contradicts(self, other: FirstName) -> bool {
        let (one, other) = (without_umlauts(self.text()), without_umlauts(other.text()));
        !one.starts_with(&other) && !other.starts_with(&one)
    }

    pub const fn to_bytes(self) -> [u8; FirstName::LEN] {
        self.0
    }

    pub const fn from_bytes(bytes: [u8; FirstName::LEN]) -> FirstName {
        FirstName(bytes)
    }

    fn text(&self) -> &str {
        let end = self.0.iter().position(|&byte| byte == 0).unwrap_or(FirstName::LEN);
        std::str::from_utf8(&self.0[..end]).unwrap_or_default()
    }
}

/// With a capital.
impl fmt::Display for FirstName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, rest) = self.text().split_at_checked(1).unwrap_or_default();
        write!(f, "{}{rest}", first.to_ascii_uppercase())
    }
}

impl fmt::Debug for FirstName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// `mueller` and `muller` are both what is left of `Müller`. Names of accounts and versions of
/// programs have digits, and stay as they are.
fn without_umlauts(plain: &str) -> String {
    if plain.bytes().any(|byte| byte.is_ascii_digit()) {
        return plain.to_owned();
    }
    let mut folded = String::with_capacity(plain.len());
    for letter in plain.chars() {
        if letter != 'e' || !folded.ends_with(['a', 'o', 'u']) {
            folded.push(letter);
        }
    }
    folded
}

/// The key with its umlauts, and the first name.
fn read(name: &str) -> Option<(String, FirstName)> {
    let name: String = name.chars().take(LONGEST).collect();
    let name = without_parentheses(&name);
    let (before, behind) = match name.split_once(',') {
        Some((before, behind)) => (before, Some(behind)),
        None => (name.as_str(), None),
    };
    let surname = words(before);
    let given = behind.map(words).unwrap_or_default();
    let all = || surname.iter().chain(&given);
    let whole = all().map(|word| word.plain.as_str()).collect::<Vec<_>>().join(" ");
    let letters = whole.replace([' ', '-', '_'], "");
    if letters.is_empty() || UNKNOWN.contains(&letters.as_str()) {
        return None;
    }
    if all().count() == 1 || letters.bytes().any(|byte| byte.is_ascii_digit()) {
        return Some(Player::whole(whole));
    }
    let (last, given) = match (behind, surname.split_last()) {
        (Some(_), Some((last, _))) => (last, given.first()),
        // A name of several words whose last one is small is no person's: `Stockfish dev`.
        (None, Some((last, rest))) if last.capital || !rest.iter().any(|word| word.capital) => {
            (last, rest.first())
        }
        _ => return Some(Player::whole(whole)),
    };
    let initial = given.and_then(|word| word.plain.chars().next());
    let first_name = given.map(|word| FirstName::new(&word.plain)).unwrap_or_default();
    let family = last.plain.rsplit('-').find(|part| !part.is_empty()).unwrap_or(&last.plain);
    let key = initial.map_or_else(|| family.to_owned(), |initial| format!("{family} {initial}"));
    Some((key, first_name))
}

/// A word in plain lower case.
struct Word {
    plain: String,
    /// It began with a capital.
    capital: bool,
}

/// The words of a part of a name, titles and suffixes left out unless nothing else is there.
fn words(part: &str) -> Vec<Word> {
    let all = || {
        part.split(|c: char| c.is_whitespace() || matches!(c, '.' | ',' | ';')).filter_map(|word| {
            let plain = plain(word);
            let capital = word.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_uppercase);
            (!plain.is_empty()).then_some(Word { plain, capital })
        })
    };
    let other = |word: &Word| {
        let word = word.plain.as_str();
        !TITLES.contains(&word) && !SUFFIXES.contains(&word)
    };
    let names: Vec<Word> = all().filter(other).collect();
    if names.is_empty() { all().collect() } else { names }
}

/// Letters without their accents, in lower case and in ASCII, and what may stand in the name of an
/// account. Quotes and all other signs go.
fn plain(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    for c in word.chars() {
        if c.is_ascii() {
            plain.push(c);
        } else {
            plain.push_str(deunicode_char(c).unwrap_or_default());
        }
    }
    plain.retain(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    plain.make_ascii_lowercase();
    plain.trim_matches('-').to_owned()
}

/// Takes away parentheses that hold a rating, a title or a federation: `(2850)`, `(GM)`, `(NOR)`.
fn without_parentheses(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut rest = name;
    while let Some((before, opened)) = rest.split_once('(') {
        kept.push_str(before);
        kept.push(' ');
        rest = match opened.split_once(')') {
            Some((inside, behind)) if tells_no_name(inside.trim()) => behind,
            _ => opened,
        };
    }
    kept.push_str(rest);
    kept
}

fn tells_no_name(inside: &str) -> bool {
    let rating = inside.len() >= 3 && inside.bytes().all(|b| b.is_ascii_digit());
    let federation = inside.len() == 3 && inside.bytes().all(|b| b.is_ascii_uppercase());
    rating || federation || TITLES.contains(&inside.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn player_key(name: &str) -> Option<String> {
        Player::of(name).map(|player| player.key)
    }

    #[test]
    fn one_player_has_one_key_however_the_name_is_written() {
        let same: &[&[&str]] = &[
            &[
                "Carlsen, Magnus",
                "Carlsen,M",
                "Carlsen, M.",
                "CARLSEN, Magnus",
                "carlsen , magnus",
                "Magnus Carlsen",
                "M. Carlsen",
                "M.Carlsen",
                "GM Carlsen, Magnus",
                "Carlsen, Magnus (2850)",
                "GM Magnus Carlsen (NOR)",
                "Carlsen, Magnus Øen",
                "Carlsen, Magnus (GM)",
            ],
            &["van der Wiel, John", "John van der Wiel", "Van der Wiel, J", "VAN DER WIEL,J"],
            &["Vachier-Lagrave, Maxime", "Vachier Lagrave, M", "Maxime Vachier-Lagrave"],
            &["Łagowski, Patryk", "Lagowski,P", "LAGOWSKI, Patryk"],
            &["Müller, Karsten", "Mu\u{308}ller, K", "Muller,Karsten", "MUELLER, Karsten"],
            &["Schröder, Jörg", "Schroeder, Joerg", "Schroder,J"],
            &["Jäger, Änne", "Jaeger, Aenne", "Jager, A."],
            &["Öztürk", "Oeztuerk", "OZTURK"],
            &["Groß, Stefan", "Gross,S", "GROSS, Stefan"],
            &["Sørensen, Jóhann", "Sorensen, J", "Johann Sorensen"],
            &["Ægir Ólafsson", "Olafsson, AE"],
            &["O'Kelly, Albéric", "OKelly,A", "O’Kelly, A."],
            &["Карпов, Анатолий", "Karpov, Anatoly", "Karpov,A"],
            &["Byrne, Robert Jr.", "Byrne, R", "Robert Byrne jr"],
            &["DrNykterstein", "drnykterstein", "DRNYKTERSTEIN"],
            &["Stockfish 16", "stockfish 16", "STOCKFISH  16"],
            &["Carlsen", "CARLSEN", "Carlsen,", "GM Carlsen"],
        ];
        for names in same {
            let key = player_key(names[0]);
            assert!(key.is_some(), "{}", names[0]);
            for name in *names {
                assert_eq!(player_key(name), key, "{name}");
            }
        }
        let firsts: std::collections::BTreeSet<_> =
            same.iter().map(|names| player_key(names[0])).collect();
        assert_eq!(firsts.len(), same.len());
    }

    #[test]
    fn two_players_have_two_keys() {
        for (one, other) in [
            ("Carlsen, Magnus", "Carlsen, Henrik"),
            ("Carlsen, Magnus", "Karlsen, Magnus"),
            ("Polgar, Judit", "Polgar, Zsuzsa"),
            ("john_123", "jim_123"),
            ("foo-bar", "faa-bar"),
            ("foo_bar", "foobar"),
            ("Stockfish 16", "Sjeng 16"),
            ("Stockfish dev", "Shredder dev"),
            ("Deep Fritz 8", "Deep Fritz 9"),
            ("Player (1)", "Player (2)"),
            ("blue1", "blu1"),
        ] {
            assert_ne!(player_key(one), player_key(other), "{one} and {other}");
        }
    }

    #[test]
    fn first_names_contradict_each_other_where_both_are_full_and_neither_is_short_for_the_other() {
        for (one, other, contradict) in [
            ("Holm, Axel", "Holm, Ada", true),
            ("Axel Holm", "Holm, Ada", true),
            ("Holm, Axel", "Holm, A.", false),
            ("Holm, Axel", "Holm", false),
            ("Holm, Alexander", "Holm, Alex", false),
            ("Holm, Maximilianus Primus", "Holm, Maximilianus Secundus", false),
            ("Holm, Jean-Pierre", "Holm, Jean-Marie", true),
            ("Holm, Jean-Pierre", "Holm, Jean", false),
            ("Holm, Jean-Pierre", "Holm, J-P", false),
            ("Holm, Jean Pierre", "Holm, JP", false),
            ("Holm, Jörg", "HOLM, Joerg", false),
            ("Holm, Anatolij", "Holm, Анатолий", true),
        ] {
            let first_name = |name| Player::of(name).expect("a player").first_name;
            let (one_name, other_name) = (first_name(one), first_name(other));
            assert_eq!(one_name.contradicts(other_name), contradict, "{one} and {other}");
            assert_eq!(other_name.contradicts(one_name), contradict, "{other} and {one}");
        }
        let names = ["Holm, AXEL", "Michael Holm", "Holm, A"];
        let told = names.map(|name| Player::of(name).expect("a player").first_name.to_string());
        assert_eq!(told, ["Axel", "Michael", ""]);
    }

    #[test]
    fn who_is_not_known_has_no_key() {
        for name in ["", " ", "?", "-", "NN", "N.N.", "N. N.", "n.n", "Unknown", "Anonymous", "()"]
        {
            assert_eq!(player_key(name), None, "{name}");
        }
        assert!(player_key("N, Nigel").is_some());
    }

    proptest! {
        #[test]
        fn case_never_matters_where_there_is_a_comma(
            surname in "[A-Za-zÀ-ÿ]{1,9}", given in "[A-Za-z]{1,9}",
        ) {
            let name = format!("{surname}, {given}");
            prop_assert_eq!(player_key(&name.to_uppercase()), player_key(&name));
            prop_assert_eq!(player_key(&name.to_lowercase()), player_key(&name));
        }

        #[test]
        fn any_text_has_a_key_or_none(name in any::<String>()) {
            let key = player_key(&name);
            prop_assert!(key.is_none_or(|key| key.is_ascii() && !key.is_empty()));
            if let Some(Player { first_name, .. }) = Player::of(&name) {
                prop_assert!(!first_name.contradicts(first_name));
                prop_assert_eq!(FirstName::from_bytes(first_name.to_bytes()), first_name);
            }
        }
    }
}
