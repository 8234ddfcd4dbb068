//! In which dialect a game is written, decided by the legality of its whole main line.
//!
//! One letter is a different piece in different languages, so no single move tells. A dialect is
//! taken if its letters cover the moves at least as well as the standard's and the whole main line
//! is legal in it; where none plays it to the end, the one that gets furthest, if that is further
//! than the standard. Two dialects that read different games out of it decide nothing.

use std::cell::OnceCell;

use shakmaty::{Chess, Position, Role};

use super::evidence::{MOST_TRIES, Playable, Step, main_line_words, play_word, play_words};
use super::fast::CompactBoard;
use super::resolve;
use crate::diagnostics::Span;
use crate::pgn::notation::{self, Meaning, Reading};
use crate::pgn::{Dialect, Style, WrittenMove};
use crate::source::TextEncoding;

/// The dialect of a game.
#[derive(Clone, Debug)]
pub struct Decision {
    pub dialect: Dialect,
    /// Languages in which the game reads the same.
    pub languages: Vec<&'static str>,
}

/// Words of a game that are looked at.
const MOST_WORDS: usize = 4096;

/// The dialect that explains the game better than the standard does.
pub fn decide(start: &Chess, bytes: &[u8], movetext: Span) -> Option<Decision> {
    decide_for(start, main_line_words(bytes, movetext).map(|word| word.of(bytes)))
}

/// The same, where the words of the main line are known.
pub fn decide_for<'a>(start: &Chess, words: impl Iterator<Item = &'a [u8]>) -> Option<Decision> {
    let words: Vec<&[u8]> = words.take(MOST_WORDS).collect();
    let letters = Letters::of(&words);
    let mut tries = MOST_TRIES;
    let small_bishops = OnceCell::new();
    let may_fit = |dialect: &Dialect| {
        letters.may_fit(dialect)
            && (!dialect.pieces_first
                || *small_bishops.get_or_init(|| may_have_small_bishops(start, &words)))
    };
    let mut others = Dialect::others().filter(may_fit).peekable();
    others.peek()?;
    let forms = Forms::of(&words);
    let standard = Candidate::new(Dialect::STANDARD, start, &words, &forms, &mut tries);
    let mut best: Vec<Candidate> = Vec::new();
    let mut last: Option<Candidate> = None;
    for dialect in others {
        let candidate = match last.take() {
            Some(last) if last.reads_like(&dialect) => Candidate { dialect, ..last },
            _ => Candidate::new(dialect, start, &words, &forms, &mut tries),
        };
        last = Some(candidate);
        if !candidate.explains_more_than(&standard) {
            continue;
        }
        match best.first().map(|best| candidate.rank().cmp(&best.rank())) {
            Some(std::cmp::Ordering::Less) => {}
            Some(std::cmp::Ordering::Equal) => best.push(candidate),
            _ => best = vec![candidate],
        }
    }
    let first = best.first()?;
    let dialect = first.dialect;
    if best.iter().any(|other| other.played.key != first.played.key) {
        return None;
    }
    let mut languages: Vec<&'static str> =
        best.iter().map(|candidate| candidate.dialect.language.name).collect();
    languages.dedup();
    Some(Decision { dialect, languages })
}

/// Whether the game may read otherwise if a small `b` is first taken for a bishop.
fn may_have_small_bishops(start: &Chess, words: &[&[u8]]) -> bool {
    let may_be_bishop = |word: &&[u8]| match WrittenMove::parse(word) {
        Some(_) => word.len() > 2 && word[0] == b'b',
        None => word.contains(&b'b') || word.contains(&b'&'),
    };
    let Some(last) = words.iter().rposition(&may_be_bishop) else { return false };
    let raised = |word: &[u8]| {
        let mut raised = [0; 8];
        raised.get_mut(..word.len())?.copy_from_slice(word);
        raised[0] = b'B';
        // `b8=Q` is none.
        Some(WrittenMove::parse(&raised[..word.len()]))
    };
    // On the fast lane's board, as far as nothing has to be interpreted.
    let mut board = CompactBoard::of(start);
    let mut words = words[..=last].iter().peekable();
    while let Some(word) = words.peek() {
        let Some(written) = WrittenMove::parse(word) else { break };
        if may_be_bishop(word) {
            let Some(bishop) = raised(word) else { return true };
            if bishop.is_some_and(|it| board.find(&it.san.into()).is_some()) {
                return true;
            }
        }
        let Some(m) = board.find(&written.san.into()) else { break };
        board.play(m);
        words.next();
    }
    if words.peek().is_none() {
        return false;
    }
    let mut position = board.to_position(start.castles().mode(), start.fullmoves().get());
    let mut tries = MOST_TRIES;
    for word in words {
        if may_be_bishop(word) {
            let Some(bishop) = raised(word) else { return true };
            let is_legal = bishop.is_some_and(|it| resolve(&position, &it.san).is_some());
            if is_legal || WrittenMove::parse(word).is_none() {
                return true;
            }
        }
        match play_word(&mut position, word, &Dialect::STANDARD, &mut tries, |_, _| {}) {
            Step::On => {}
            Step::OpenPromotion | Step::Stop => return false,
        }
    }
    false
}

/// What a dialect makes of a game.
#[derive(Clone, Copy)]
struct Candidate {
    dialect: Dialect,
    played: Playable,
    /// Words that it can read, twice if with letters of its own.
    coverage: u32,
}

impl Candidate {
    fn new(
        dialect: Dialect,
        start: &Chess,
        words: &[&[u8]],
        forms: &Forms<'_>,
        tries: &mut usize,
    ) -> Candidate {
        let played = play_words(start.clone(), words.iter().copied(), &dialect, tries);
        Candidate { dialect, played, coverage: forms.coverage(&dialect) }
    }

    /// Whether it is the same in another dialect.
    fn reads_like(&self, other: &Dialect) -> bool {
        let Dialect { language, encoding, pieces_first } = self.dialect;
        encoding == other.encoding
            && pieces_first == other.pieces_first
            && language.reads_like(other.language)
    }

    fn explains_more_than(&self, standard: &Candidate) -> bool {
        // Where both can read all letters, one move more is chance.
        let further = self.played.plies >= standard.played.plies + 4;
        (self.coverage > standard.coverage || self.coverage == standard.coverage && further)
            && match (self.played.whole, standard.played.whole) {
                // Letters that only look like the standard's.
                (true, true) | (true, false) => true,
                (false, true) => false,
                (false, false) => self.played.plies > standard.played.plies,
            }
    }

    fn rank(&self) -> (bool, u32, u32) {
        (self.played.whole, self.played.plies, self.coverage)
    }
}

/// The words of a game by their form, so that what is read of one is known of all that are alike.
struct Forms<'a> {
    /// Moves of pawns and castling, which every dialect can read.
    shared: u32,
    /// Moves of pieces that have the standard's form, by their letter.
    pieces: [u32; 26],
    others: Vec<&'a [u8]>,
}

impl<'a> Forms<'a> {
    fn of(words: &[&'a [u8]]) -> Forms<'a> {
        let mut forms = Forms { shared: 0, pieces: [0; 26], others: Vec::new() };
        for &word in words {
            // A mark of check is the same in all of them.
            let bare = word.strip_suffix(b"+").or_else(|| word.strip_suffix(b"#"));
            match bare.unwrap_or(word) {
                [b'a'..=b'h', b'1'..=b'8']
                | [b'a'..=b'h', b'x', b'a'..=b'h', b'2'..=b'7']
                | b"O-O"
                | b"O-O-O" => forms.shared += 1,
                // A capital X takes.
                [letter @ (b'A'..=b'W' | b'Y' | b'Z'), target @ ..]
                    if is_target(*letter, target) =>
                {
                    forms.pieces[usize::from(letter - b'A')] += 1;
                }
                _ => forms.others.push(word),
            }
        }
        forms
    }

    fn coverage(&self, dialect: &Dialect) -> u32 {
        let of_pieces: u32 = (b'A'..=b'Z')
            .zip(self.pieces)
            .filter(|(_, count)| *count > 0)
            .map(|(letter, count)| count * coverage(&[letter, b'f', b'3'], dialect))
            .sum();
        let of_others: u32 = self.others.iter().map(|word| coverage(word, dialect)).sum();
        2 * self.shared + of_pieces + of_others
    }
}

/// What stands behind a letter: a square, perhaps with a capture mark, and with the file or rank of
/// the origin, unless the letter may be a file itself.
fn is_target(letter: u8, text: &[u8]) -> bool {
    let Some((origin, [b'a'..=b'h', b'1'..=b'8'])) = text.split_last_chunk() else { return false };
    match origin {
        [] | [b'x'] => true,
        [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h' | b'1'..=b'8', b'x'] => letter > b'H',
        _ => false,
    }
}

fn coverage(word: &[u8], dialect: &Dialect) -> u32 {
    if dialect.is_standard() && WrittenMove::parse(word).is_some() {
        return 2;
    }
    match notation::read(word, dialect).first() {
        None => 0,
        Some(reading) if dialect.language.is_english() && reading.style.has(Style::LOCALIZED) => 1,
        // A pawn has a letter in many languages, and no one writes it.
        Some(reading) if reading.style.has(Style::PAWN_LETTER) => 1,
        // A letter of the standard that the language does not have.
        Some(reading) if is_borrowed(reading, dialect) => 1,
        Some(_) => 2,
    }
}

fn is_borrowed(reading: &Reading, dialect: &Dialect) -> bool {
    let is_piece = matches!(
        reading.meaning,
        Meaning::Piece(shape) if shape.role.is_some_and(|role| role != Role::Pawn)
    );
    !dialect.language.is_english() && is_piece && !reading.style.has(Style::LOCALIZED)
}

/// How often a game writes each capital letter at the start of a word, to leave out the dialects
/// that cannot read it without reading it.
struct Letters {
    counts: [u32; 26],
    standard: u32,
    /// Whether a word holds more than ASCII.
    foreign: bool,
    /// Whether such a word is no UTF-8.
    single_byte: bool,
    /// Whether such a word holds what text has that was decoded twice.
    twice_decoded: bool,
}

impl Letters {
    fn of(words: &[&[u8]]) -> Letters {
        let mut letters = Letters {
            counts: [0; 26],
            standard: 0,
            foreign: false,
            single_byte: false,
            twice_decoded: false,
        };
        for word in words {
            match word.first() {
                Some(letter @ b'A'..=b'Z') if *letter != b'O' => {
                    letters.counts[usize::from(letter - b'A')] += 1;
                    letters.standard += u32::from(b"NBRQK".contains(letter));
                }
                _ => {}
            }
            // The piece of a promotion stands at the end.
            if !word.is_ascii() {
                letters.foreign = true;
                letters.single_byte |= std::str::from_utf8(word).is_err();
                // `À` to `ÿ`; `Р` or `С` with no file or capture behind it.
                letters.twice_decoded |= word.contains(&0xC3)
                    || word.windows(3).any(|part| matches!(part, [0xD0, 0xA0 | 0xA1, 0x80..=0xFF]));
            }
        }
        letters
    }

    fn may_fit(&self, dialect: &Dialect) -> bool {
        if dialect.language.is_cyrillic() {
            // What is UTF-8 reads the same in every single-byte set: one is enough.
            return match dialect.encoding {
                TextEncoding::Windows1251 => self.foreign,
                encoding if encoding.is_twice_decoded() => self.twice_decoded,
                _ => self.single_byte,
            };
        }
        let counts =
            dialect.language.capitals().map(|letter| self.counts[usize::from(letter - b'A')]);
        let covered: u32 = counts.sum();
        covered >= self.standard
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::decode_as;

    const GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 7. Qxd4 Qxd4 \
        8. Nxd4 Bd7 9. Be3 O-O-O 10. Nd2 Ne7 11. Rad1 Re8 12. Kh1 *";

    fn decided(text: &str) -> Option<Vec<&'static str>> {
        decided_bytes(text.as_bytes())
    }

    fn decided_bytes(text: &[u8]) -> Option<Vec<&'static str>> {
        decide(&Chess::new(), text, Span::new(0, text.len())).map(|decision| decision.languages)
    }

    /// `letters`: knight, bishop, rook, queen, king.
    fn translated(letters: [&str; 5]) -> String {
        let mut text = String::new();
        for letter in GAME.chars() {
            match "NBRQK".find(letter) {
                Some(index) => text.push_str(letters[index]),
                None => text.push(letter),
            }
        }
        text
    }

    #[test]
    fn the_piece_of_a_promotion_shows_the_language() {
        let position = |fen: &str| -> Chess {
            let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
            fen.into_position(shakmaty::CastlingMode::Standard).expect("a position")
        };
        let table = [
            ("7k/P7/8/8/8/8/8/7K w - - 0 1", "1. a8=Ф *", "Russian"),
            // A letter that looks like the standard's king.
            ("7k/8/8/8/8/8/5p2/6NK b - - 0 1", "1... fxg1=К *", "Russian"),
        ];
        for (fen, text, language) in table {
            let found = decide(&position(fen), text.as_bytes(), Span::new(0, text.len()));
            let languages = found.map(|decision| decision.languages);
            assert_eq!(languages.and_then(|all| all.first().copied()), Some(language), "{text}");
        }
    }

    #[test]
    fn the_whole_game_decides_the_language() {
        for (letters, languages) in [
            (["S", "L", "T", "D", "K"], &["German", "Danish", "Norwegian", "Swedish"][..]),
            (["C", "A", "T", "D", "R"], &["Spanish", "Italian"]),
            (["C", "F", "T", "D", "R"], &["French"]),
            (["C", "B", "T", "D", "R"], &["Portuguese"]),
            (["C", "N", "T", "D", "R"], &["Romanian"]),
            (["P", "L", "T", "D", "K"], &["Dutch"]),
            (["J", "S", "V", "D", "K"], &["Czech"]),
            (["S", "G", "W", "H", "K"], &["Polish"]),
            (["H", "F", "B", "V", "K"], &["Hungarian"]),
            (["R", "L", "T", "D", "K"], &["Finnish"]),
            (["R", "O", "V", "L", "K"], &["Estonian"]),
            (["R", "B", "H", "D", "K"], &["Icelandic"]),
            (["К", "С", "Л", "Ф", "Кр"], &["Russian"]),
            (["К", "С", "Т", "Ф", "Кр"], &["Ukrainian"]),
            // Typed with Latin letters where they look the same.
            (["K", "C", "Л", "Ф", "Kp"], &["Russian"]),
        ] {
            assert_eq!(decided(&translated(letters)).as_deref(), Some(languages), "{letters:?}");
        }
    }

    #[test]
    fn a_russian_game_is_read_in_every_character_set() {
        let text = translated(["К", "С", "Л", "Ф", "Кр"]);
        for charset in [encoding_rs::WINDOWS_1251, encoding_rs::KOI8_R, encoding_rs::IBM866] {
            let (bytes, ..) = charset.encode(&text);
            assert_eq!(decided_bytes(&bytes), Some(vec!["Russian"]), "{}", charset.name());
        }
    }

    #[test]
    fn a_russian_game_that_was_decoded_twice_is_read() {
        let text = translated(["К", "С", "Л", "Ф", "Кр"]);
        let misread = |bytes: &[u8], set: TextEncoding| {
            bytes.iter().map(|byte| decode_as(&[*byte], set).into_owned()).collect::<String>()
        };
        let (single_byte, ..) = encoding_rs::WINDOWS_1251.encode(&text);
        for twice in [
            misread(text.as_bytes(), TextEncoding::Latin1),
            misread(text.as_bytes(), TextEncoding::Windows1251),
            misread(&single_byte, TextEncoding::Latin1),
        ] {
            assert_eq!(decided(&twice), Some(vec!["Russian"]), "{twice}");
        }
    }

    #[test]
    fn english_stays_english_whether_or_not_it_is_legal() {
        assert_eq!(decided(GAME), None);
        assert_eq!(decided(&GAME.replace("Nd2 Ne7", "Nd2 Nd5")), None);
        assert_eq!(decided("1. Rf1 *"), None);
        // A king, whose letter is the French rook's.
        let french = "1. e4 e5 2. Re2 Re7 3. Rf3 Rd6 4. Re2 *";
        assert_eq!(
            decided(french).unwrap(),
            ["Spanish", "Italian", "French", "Portuguese", "Romanian"]
        );
    }

    #[test]
    fn a_knight_of_few_moves_is_no_pawn() {
        assert_eq!(decided("1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 4. La4 Pf6 *").unwrap(), ["Dutch"]);
        assert_eq!(decided("1. d4 d5 2. c4 e6 3. Pc3 Pf6 *").unwrap(), ["Dutch"]);
    }

    #[test]
    fn one_letter_of_the_standard_does_not_hide_the_language() {
        for text in [
            "1. e4 e5 2. Sf3 Nc6 3. Lb5 a6 4. Bxc6 dxc6 *",
            "1. e4 e5 2. Sf3 Nc6 3. Lb5 a6 4. Lxc6 dxc6 *",
        ] {
            assert_eq!(decided(text).unwrap()[0], "German", "{text}");
        }
    }

    #[test]
    fn a_fault_does_not_hide_the_language() {
        let text = translated(["S", "L", "T", "D", "K"]).replace("Kh1", "Kh3");
        assert_eq!(decided(&text).unwrap()[0], "German");
    }

    #[test]
    fn cyrillic_letters_in_an_english_game_are_english() {
        // The king as a Cyrillic letter that looks like his own.
        let text = GAME.replace("Kh1", "\u{41A}h1");
        assert_eq!(decided(&text), None);
    }

    #[test]
    fn bishops_in_lower_case_are_decided_by_the_rest_of_the_game() {
        // 4. bxc3 could be a pawn's move; with it 5. b4 could not be played.
        let text = "1. d4 Nf6 2. bd2 Ne4 3. a3 Nc3 4. bxc3 h6 5. b4 a6 6. bb2 a5 7. b5 *";
        assert_eq!(decided(text).unwrap(), ["English"]);
    }

    #[test]
    fn words_are_counted_by_form_as_they_are_read_one_by_one() {
        let words = [
            "e4", "exd5", "b4", "bxc3", "a8", "bxa8=D", "O-O", "O-O-O", "0-0", "Sf3", "Sxf3",
            "Df8", "Kf3+", "Xf3", "Xxf3", "Cf3", "Cxf3", "C1d4", "Cbxd4", "Of3", "Pf3", "Pxf8",
            "Bf3", "Rxf1", "Крf1", "und", "e2e4", "B1C3",
        ];
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        for dialect in Dialect::others().chain([Dialect::STANDARD]) {
            for word in &words {
                let by_form = Forms::of(&[word]).coverage(&dialect);
                let text = String::from_utf8_lossy(word);
                assert_eq!(by_form, coverage(word, &dialect), "{text} {dialect:?}");
            }
        }
    }

    #[test]
    fn a_piece_is_read_alike_with_and_without_its_origin_and_marks() {
        let origins = ["", "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "7", "8"];
        for dialect in Dialect::others().chain([Dialect::STANDARD]) {
            for letter in 'A'..='Z' {
                for origin in origins {
                    for rest in ["f3", "xd5", "b1+", "xh8#", "a8", "xc2+"] {
                        let word = format!("{letter}{origin}{rest}");
                        let by_form = Forms::of(&[word.as_bytes()]).coverage(&dialect);
                        assert_eq!(
                            by_form,
                            coverage(word.as_bytes(), &dialect),
                            "{word} {dialect:?}"
                        );
                    }
                }
            }
            for word in ["e4+", "exd5#", "O-O+", "O-O-O#", "b4+", "bxc3+"] {
                let by_form = Forms::of(&[word.as_bytes()]).coverage(&dialect);
                assert_eq!(by_form, coverage(word.as_bytes(), &dialect), "{word} {dialect:?}");
            }
        }
    }

    #[test]
    fn a_small_letter_matters_where_a_bishop_can_make_the_move() {
        let asked = |text: &str| {
            let words: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
            may_have_small_bishops(&Chess::new(), &words)
        };
        assert!(!asked("e4 b5 Nf3 b4 c3 bxc3 bxc3"));
        assert!(asked("d4 d5 bf4"));
        assert!(asked("d4 Nf6 Bd2 Ne4 a3 Nc3 bxc3"));
        assert!(asked("e4 b5Nf3"));
        // It can no longer be played.
        assert!(!asked("e4 e5 e5 b3 bc3"));
    }
}
