//! Character sets: which one a game's bytes are in, and where a file changes it.
//!
//! One finding a game, at the first word that shows its set. It is about the bytes and not about
//! the score, so it has no ply.

use crate::diagnostics::{Finding, FixPromise, GameFindings, Rule, Severity, Span};
use crate::source::{TextEncoding, decode_as, excerpt, excerpt_as};

pub static LATIN1_TEXT: Rule = Rule {
    code: "B005",
    name: "latin1-text",
    severity: Severity::Info,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::None,
    summary: "text in ISO 8859-1, the standard's own character set",
    why: "The standard asks for this set, and most programs of today for UTF-8: they stop at such \
        a byte, or print a replacement for it.",
    example: "[White \"M\u{fffd}nster, J\u{fffd}rg\"]\n\
        here as a reader of UTF-8 sees it; the two bytes are FC and F6, which are ü and ö",
    advice: "Nothing is wrong. Tell your reader the set, or take the names from the tables, which \
        are in UTF-8.",
};

pub static MIXED_ENCODINGS: Rule = Rule {
    code: "B006",
    name: "mixed-encodings",
    severity: Severity::Warning,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::Unsafe,
    summary: "UTF-8 and single-byte text in one file",
    why: "The file was joined from files of several sets, so that whichever set a reader takes, \
        some of its names come out wrong, and one player becomes two.",
    example: "[White \"Müller\"]\n…\n[White \"M\u{fffd}ller\"]\n\
        the same name, in UTF-8 and in ISO 8859-1",
    advice: "Convert each game from its own set to UTF-8. The findings B005 and B015 name the set \
        of every game that is not in UTF-8.",
};

pub static FOREIGN_CODE_PAGE: Rule = Rule {
    code: "B015",
    name: "foreign-code-page",
    severity: Severity::Warning,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "text in a single-byte character set other than the standard's, or in an unknown one",
    why: "No byte of the text tells its set, so every reader shows other letters: a Müller from \
        DOS has a control character in his name, a Russian one is a row of accents.",
    example: "[White \"M\u{fffd}ller, J\u{fffd}rgen\"]\n\
        the bytes are 81 and 94, which are ü and ö in the code pages of DOS",
    advice: "Convert the game to UTF-8, if the text in the message is right. The set is told from \
        a few words; of an unknown one you may know more than they do.",
};

pub static TWICE_DECODED_TEXT: Rule = Rule {
    code: "B016",
    name: "twice-decoded-text",
    severity: Severity::Warning,
    basis: "PGN 4.1",
    basis_2018: None,
    fix: FixPromise::OnRequest,
    summary: "text that a program took for another set and encoded once more",
    why: "Nothing looks wrong to a reader of UTF-8, which shows just these letters: so the name is \
        not found, and its player counts as another one.",
    example: "[White \"MÃ¼ller, JÃ¶rg\"]\n\
        Müller and Jörg, each ü and ö in two characters; of a Таль it makes РўР°Р»СЊ or Òàëü",
    advice: "Convert it back, and look for the program that takes its input for ISO 8859-1 or \
        Windows-1251 before more goes through it.",
};

/// Decides on a game's character set, and says at its first word if that is not UTF-8.
pub fn check_characters(bytes: &[u8], game: Span, found: &mut GameFindings<'_>) -> TextEncoding {
    let encoding = TextEncoding::detect(game.of(bytes));
    found.set_encoding(encoding);
    let rule = match encoding {
        TextEncoding::Ascii | TextEncoding::Utf8 => return encoding,
        TextEncoding::Latin1 => &LATIN1_TEXT,
        _ if encoding.is_twice_decoded() => &TWICE_DECODED_TEXT,
        _ => &FOREIGN_CODE_PAGE,
    };
    if let Some(word) = first_word(bytes, game, encoding) {
        let text = word.of(bytes);
        let read = excerpt_as(text, encoding);
        found.push(Finding::new(rule, word).message(match encoding {
            _ if encoding.is_twice_decoded() => {
                let meant = decode_as(excerpt(text).as_bytes(), encoding).into_owned();
                format!("\"{read}\" is {}; it was \"{meant}\"", encoding.name())
            }
            TextEncoding::Undecided => {
                format!("the character set is not to be told; in ISO 8859-1 it would be \"{read}\"")
            }
            _ => format!("the text is in {}: \"{read}\"", encoding.name()),
        }));
    }
    encoding
}

/// The kinds of text that a game in this encoding holds, UTF-8 and single bytes, each with the word
/// that first shows it, in the order of their places. Most games are of one kind, or of none.
pub fn kinds_of_text(
    bytes: &[u8],
    game: Span,
    encoding: TextEncoding,
) -> impl Iterator<Item = (TextEncoding, Span)> {
    let text = game.of(bytes);
    let mut kinds =
        [(encoding, encoding.first_place(text)), (TextEncoding::Utf8, encoding.first_utf8(text))];
    kinds.sort_by_key(|&(_, place)| place);
    kinds.into_iter().filter_map(move |(kind, place)| {
        Some((kind, word_around(bytes, game, game.start + place?)))
    })
}

/// The word of a game in this encoding that first shows it: letters and digits, and what is no ASCII.
fn first_word(bytes: &[u8], game: Span, encoding: TextEncoding) -> Option<Span> {
    let place = encoding.first_place(game.of(bytes))?;
    Some(word_around(bytes, game, game.start + place))
}

fn word_around(bytes: &[u8], game: Span, at: usize) -> Span {
    let outside = |&byte: &u8| byte.is_ascii() && !byte.is_ascii_alphanumeric();
    let before = bytes[game.start..at].iter().rposition(outside);
    let behind = bytes[at..game.end].iter().position(outside);
    let start = before.map_or(game.start, |before| game.start + before + 1);
    Span::new(start, behind.map_or(game.end, |behind| at + behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code, word and message of what a game's bytes give.
    fn told(text: &[u8]) -> Option<(&'static str, Vec<u8>, String)> {
        let bytes = [b"{before \xfc}", text].concat();
        let mut list = Vec::new();
        let mut found = GameFindings::new(&mut list, 0);
        check_characters(&bytes, Span::new(10, bytes.len()), &mut found);
        let finding = list.pop()?;
        assert!(list.is_empty());
        assert_eq!(finding.ply, None);
        Some((finding.rule.code, finding.span.of(&bytes).to_vec(), finding.message.into_owned()))
    }

    #[test]
    fn a_game_is_told_once_with_its_set_and_the_text_in_it() {
        let table: &[(&[u8], &str, &[u8], &str)] = &[
            (
                b"[White \"Weiss, J\xf6rg\"]\n[Black \"M\xfcller\"]",
                "B005",
                b"J\xf6rg",
                "the text is in ISO 8859-1: \"Jörg\"",
            ),
            (
                b"[Site \"Bayern M\x81nchen-Porz\"]",
                "B015",
                b"M\x81nchen",
                "the text is in code page 437: \"München\"",
            ),
            (
                b"[White \"\xf0\xc5\xd4\xd2\xcf\xd7, \xf6.\"]",
                "B015",
                b"\xf0\xc5\xd4\xd2\xcf\xd7",
                "the text is in KOI8-R: \"Петров\"",
            ),
            (
                b"[Site \"Gorky \xb8final\"]",
                "B015",
                b"\xb8final",
                "the character set is not to be told; in ISO 8859-1 it would be \"¸final\"",
            ),
            (
                "[White \"Jörg MÃ¼ller\"]".as_bytes(),
                "B016",
                "MÃ¼ller".as_bytes(),
                "\"MÃ¼ller\" is UTF-8 decoded twice; it was \"Müller\"",
            ),
            (
                "[White \"РўР°Р»СЊ\"]".as_bytes(),
                "B016",
                "РўР°Р»СЊ".as_bytes(),
                "\"РўР°Р»СЊ\" is UTF-8 decoded twice, through Windows-1251; it was \"Таль\"",
            ),
            (
                "[White \"Òàëü, Ìèõàèë\"]".as_bytes(),
                "B016",
                "Òàëü".as_bytes(),
                "\"Òàëü\" is Windows-1251 decoded as Windows-1252; it was \"Таль\"",
            ),
        ];
        for &(text, code, word, message) in table {
            assert_eq!(told(text), Some((code, word.to_vec(), message.to_owned())));
        }
    }

    #[test]
    fn ascii_and_utf8_are_nothing_to_tell() {
        assert_eq!(told(b"[White \"Mueller\"]"), None);
        assert_eq!(told("[White \"Müller\"]\n{1-0 ½}".as_bytes()), None);
    }

    #[test]
    fn a_game_of_both_kinds_shows_both_in_the_order_of_their_places() {
        let kinds = |text: &[u8]| -> Vec<(TextEncoding, Vec<u8>)> {
            let game = Span::new(0, text.len());
            kinds_of_text(text, game, TextEncoding::detect(text))
                .map(|(kind, word)| (kind, word.of(text).to_vec()))
                .collect()
        };
        let (utf8, latin1) = (b"K\xc3\xb6ln".to_vec(), b"M\xfcller".to_vec());
        assert_eq!(
            kinds(b"[Site \"K\xc3\xb6ln\"]\n[White \"M\xfcller\"]"),
            [(TextEncoding::Utf8, utf8.clone()), (TextEncoding::Latin1, latin1.clone())]
        );
        assert_eq!(
            kinds(b"[White \"M\xfcller\"]\n[Site \"K\xc3\xb6ln\"]"),
            [(TextEncoding::Latin1, latin1.clone()), (TextEncoding::Utf8, utf8)]
        );
        assert_eq!(kinds(b"[White \"M\xfcller\"]"), [(TextEncoding::Latin1, latin1)]);
        assert_eq!(kinds(b"[White \"Mueller\"]"), []);
    }
}
