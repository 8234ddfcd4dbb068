//! Moves in whatever notation people write them: other languages, figurines, long algebraic, the
//! notation of engines, lower case, missing parts, and what they hang on at the end.
//!
//! In: a word that [`WrittenMove`](super::WrittenMove) does not know, and a dialect. Out: what it
//! may mean, in the order in which that is to be tried. Which of these is legal only a board
//! tells.

use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::Mark;
use super::dialect::Dialect;
pub use super::language::latin_look_alike;
use super::language::{ENGLISH, Language, figurine};
use super::style::Style;
use super::symbol;

/// What one reading of a word says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    pub meaning: Meaning,
    pub mark: Mark,
    pub style: Style,
    /// The numeric annotation glyph of an evaluation symbol behind the move.
    pub glyph: Option<u8>,
}

impl Reading {
    /// With nothing behind the move.
    fn bare(meaning: Meaning, style: Style) -> Reading {
        Reading { meaning, mark: Mark::None, style, glyph: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    Piece(Shape),
    Castle(CastlingSide),
    Null,
}

/// As much of a move as was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The notation of engines does not tell.
    pub role: Option<Role>,
    pub from_file: Option<File>,
    pub from_rank: Option<Rank>,
    pub to_file: File,
    /// Missing in `ed`.
    pub to_rank: Option<Rank>,
    pub capture: bool,
    pub promotion: Option<Role>,
}

impl Shape {
    pub fn from(&self) -> Option<Square> {
        Some(Square::from_coords(self.from_file?, self.from_rank?))
    }

    pub fn to(&self) -> Option<Square> {
        Some(Square::from_coords(self.to_file, self.to_rank?))
    }
}

/// No move that people write is longer; what is longer may be several.
const LONGEST_WORD: usize = 40;

/// The readings of a word; empty where it is no move.
pub fn read(word: &[u8], dialect: &Dialect) -> Vec<Reading> {
    if word.len() > LONGEST_WORD {
        return Vec::new();
    }
    let text: Vec<char> = dialect.decode(word).chars().filter(|it| !is_invisible(*it)).collect();
    let mut tail = Tail::default();
    let mut rest = text.as_slice();
    while let [',' | ';' | '.' | '…', behind @ ..] = rest {
        tail.style = tail.style | Style::PUNCTUATION;
        rest = behind;
    }
    loop {
        let readings = read_core(rest, dialect);
        if !readings.is_empty() {
            let Tail { mark, style, glyph } = tail;
            let with_tail = |it: Reading| Reading { mark, style: it.style | style, glyph, ..it };
            return readings.into_iter().map(with_tail).collect();
        }
        match tail.take(rest) {
            Some(shorter) => rest = shorter,
            None => return Vec::new(),
        }
    }
}

/// Soft hyphens, joiners and direction marks, which web pages and word processors leave behind.
fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FE0E}' | '\u{FE0F}' | '\u{FEFF}'
    )
}

/// What stood behind the move.
#[derive(Debug)]
struct Tail {
    mark: Mark,
    style: Style,
    glyph: Option<u8>,
}

impl Default for Tail {
    fn default() -> Tail {
        Tail { mark: Mark::None, style: Style::STANDARD, glyph: None }
    }
}

/// What may stand behind a move, longer ones before those that they end with.
const TAILS: [(&str, Mark, Style); 28] = [
    ("checkmate", Mark::Mate, Style::CHECK_WORD),
    ("dblch", Mark::DoubleCheck, Style::CHECK_WORD),
    ("disch", Mark::Check, Style::CHECK_WORD),
    ("check", Mark::Check, Style::CHECK_WORD),
    ("mate", Mark::Mate, Style::CHECK_WORD),
    ("matt", Mark::Mate, Style::CHECK_WORD),
    ("mat", Mark::Mate, Style::CHECK_WORD),
    ("dis", Mark::Check, Style::CHECK_WORD),
    ("ch", Mark::Check, Style::CHECK_WORD),
    ("(e.p.)", Mark::None, Style::EN_PASSANT),
    ("(ep)", Mark::None, Style::EN_PASSANT),
    ("/e.p.", Mark::None, Style::EN_PASSANT),
    ("/ep", Mark::None, Style::EN_PASSANT),
    ("e.p.", Mark::None, Style::EN_PASSANT),
    ("e.p", Mark::None, Style::EN_PASSANT),
    ("ep", Mark::None, Style::EN_PASSANT),
    ("(=)", Mark::None, Style::DRAW_OFFER),
    ("=", Mark::None, Style::DRAW_OFFER),
    ("++", Mark::DoubleCheck, Style::STANDARD),
    ("+", Mark::Check, Style::STANDARD),
    ("#", Mark::Mate, Style::STANDARD),
    ("†", Mark::Check, Style::CHECK_WORD),
    ("‡", Mark::Mate, Style::CHECK_WORD),
    ("≠", Mark::Mate, Style::CHECK_WORD),
    (",", Mark::None, Style::PUNCTUATION),
    (".", Mark::None, Style::PUNCTUATION),
    (":", Mark::None, Style::CAPTURE),
    ("/", Mark::None, Style::PUNCTUATION),
];

impl Tail {
    /// Takes the last part that is none of the move off the text.
    fn take<'a>(&mut self, text: &'a [char]) -> Option<&'a [char]> {
        if let Some((len, glyph)) = symbol::at_end(text).or_else(|| symbol::novelty_at_end(text)) {
            self.style = self.style | Style::SYMBOL;
            self.glyph = Some(glyph);
            return Some(&text[..text.len() - len]);
        }
        if text.last().is_some_and(char::is_ascii_digit) {
            return None;
        }
        for (tail, mark, style) in TAILS {
            if let Some(rest) = strip_suffix(text, tail) {
                if mark != Mark::None {
                    self.mark = mark;
                }
                self.style = self.style | style;
                return Some(rest);
            }
        }
        None
    }
}

fn strip_suffix<'a>(text: &'a [char], suffix: &str) -> Option<&'a [char]> {
    let start = text.len().checked_sub(suffix.chars().count())?;
    let fits = text[start..].iter().zip(suffix.chars()).all(|(a, b)| a.to_ascii_lowercase() == b);
    (fits && start > 0).then(|| &text[..start])
}

fn read_core(text: &[char], dialect: &Dialect) -> Vec<Reading> {
    if let Some(reading) = read_special(text) {
        return vec![reading];
    }
    // Two squares are two squares, though a small b or d may be a piece elsewhere.
    let mut readings = Vec::new();
    if let Some(reading) = read_uci(text).or_else(|| read_dashed_numeric(text)) {
        readings.push(reading);
        // In capitals it may be a piece with its rank: `B1C3`.
        if !reading.style.has(Style::LETTER_CASE) {
            return readings;
        }
    }
    let by_piece = read_piece_letter(text, dialect);
    // A capital that is a piece's letter is no file: `Bxc3` is never a pawn's move.
    let is_letter = dialect.language.piece(text).is_some() || ENGLISH.piece(text).is_some();
    let by_pawn = read_squares(text, Role::Pawn, Style::STANDARD, dialect).filter(|_| !is_letter);
    // `b1-e2`, likewise.
    let squares = by_pawn
        .is_some_and(|it| matches!(it.meaning, Meaning::Piece(shape) if shape.role.is_none()));
    let by_piece = by_piece.filter(|it| !(squares && it.style.has(Style::LETTER_CASE)));
    let ordered = if dialect.pieces_first { [by_piece, by_pawn] } else { [by_pawn, by_piece] };
    readings.extend(ordered.into_iter().flatten());
    // Nobody writes the letter of a pawn, but some mix the standard's letters in.
    if let Some(letter) = dialect.language.piece(text)
        && letter.role == Role::Pawn
        && let Some(standard) = ENGLISH.piece(text).filter(|letter| letter.exact)
    {
        readings.extend(read_squares(&text[1..], standard.role, Style::STANDARD, dialect));
    }
    readings
}

/// Castling and null moves.
fn read_special(text: &[char]) -> Option<Reading> {
    let reading = |meaning, style| Some(Reading::bare(meaning, style));
    if matches!(
        text,
        ['-', '-'] | ['Z', '0'] | ['0', '0', '0', '0'] | ['@', '@', '@', '@'] | ['<', '>']
    ) || is_null(text)
    {
        return reading(Meaning::Null, Style::STANDARD);
    }
    let (mut letters, mut dash) = (0, true);
    for &letter in text {
        match letter {
            'O' | 'o' | '0' | 'О' | 'о' => (letters, dash) = (letters + 1, false),
            _ if is_dash(letter) && !dash => dash = true,
            _ => return None,
        }
    }
    let style = if matches!(text, ['O', '-', 'O'] | ['O', '-', 'O', '-', 'O']) {
        Style::STANDARD
    } else if text.iter().any(|it| matches!(it, 'О' | 'о')) {
        Style::CASTLING | Style::LOCALIZED
    } else {
        Style::CASTLING
    };
    match letters {
        2 if !dash => reading(Meaning::Castle(CastlingSide::KingSide), style),
        3 if !dash => reading(Meaning::Castle(CastlingSide::QueenSide), style),
        _ => None,
    }
}

fn is_null(text: &[char]) -> bool {
    text.len() == 4
        && text.iter().zip("null".chars()).all(|(it, null)| it.eq_ignore_ascii_case(&null))
}

/// `e2e4`, `e7e8q`
fn read_uci(text: &[char]) -> Option<Reading> {
    let (squares, promotion) = match text {
        [a, b, c, d] => ([*a, *b, *c, *d], None),
        [a, b, c, d, piece @ ('q' | 'r' | 'b' | 'n' | 'Q' | 'R' | 'B' | 'N')] => {
            ([*a, *b, *c, *d], Role::from_char(*piece))
        }
        _ => return None,
    };
    // `H7a4` is the move of a piece.
    if squares[0].is_ascii_uppercase() != squares[2].is_ascii_uppercase() {
        return None;
    }
    let [ff, fr, tf, tr] = squares.map(|letter| letter.to_ascii_lowercase());
    let style = Style::UCI | Style::LETTER_CASE.if_so(squares != [ff, fr, tf, tr]);
    let shape = Shape {
        role: None,
        from_file: Some(File::from_char(ff)?),
        from_rank: Some(Rank::from_char(fr)?),
        to_file: File::from_char(tf)?,
        to_rank: Some(Rank::from_char(tr)?),
        capture: false,
        promotion,
    };
    Some(Reading::bare(Meaning::Piece(shape), style))
}

/// Whether digits may be a move in the numeric notation of correspondence chess: two squares, and
/// perhaps a piece.
pub fn is_numeric_move(digits: &[u8]) -> bool {
    matches!(digits.len(), 4 | 5)
        && digits[..4].iter().all(|digit| (b'1'..=b'8').contains(digit))
        && digits.get(4).is_none_or(|piece| (b'1'..=b'4').contains(piece))
}

/// `5254`: files and ranks as digits. A promotion has a fifth: 1 queen, 2 rook, 3 bishop, 4 knight.
pub fn read_numeric(digits: &[u8]) -> Option<Reading> {
    if !is_numeric_move(digits) {
        return None;
    }
    let file = |digit: u8| File::new(u32::from(digit - b'1'));
    let rank = |digit: u8| Rank::new(u32::from(digit - b'1'));
    let promotion = digits.get(4).map(|piece| match piece {
        b'1' => Role::Queen,
        b'2' => Role::Rook,
        b'3' => Role::Bishop,
        _ => Role::Knight,
    });
    let shape = Shape {
        role: None,
        from_file: Some(file(digits[0])),
        from_rank: Some(rank(digits[1])),
        to_file: file(digits[2]),
        to_rank: Some(rank(digits[3])),
        capture: false,
        promotion,
    };
    Some(Reading::bare(Meaning::Piece(shape), Style::UCI))
}

/// `52-54`
fn read_dashed_numeric(text: &[char]) -> Option<Reading> {
    let (from, to) = text.split_at_checked(2)?;
    let to = to.split_first().filter(|(dash, _)| is_dash(**dash))?.1;
    let digits: String = from.iter().chain(to).collect();
    read_numeric(digits.as_bytes())
}

fn read_piece_letter(text: &[char], dialect: &Dialect) -> Option<Reading> {
    let (&first, _) = text.split_first()?;
    if let Some(role) = figurine(first) {
        let style = Style::FIGURINE;
        return read_squares(&text[1..], role, style, dialect);
    }
    let language = dialect.language;
    let upper = |letter: char| letter.to_uppercase().next().unwrap_or(letter);
    // A letter that the language does not have is the standard's: people mix them.
    let piece = |text: &[char]| {
        let own = language.piece(text).map(|letter| (letter, !language.is_english()));
        own.or_else(|| ENGLISH.piece(text).filter(|letter| letter.exact).map(|it| (it, false)))
    };
    let ((letter, of_language), style) = match piece(text) {
        Some(letter) => (letter, Style::STANDARD),
        None => {
            // `nf3`, `крf1`: only the first letter of two is a capital.
            let mut raised = [upper(first); Language::LONGEST];
            if raised[0] == first {
                return None;
            }
            let len = text.len().min(raised.len());
            raised[1..len].copy_from_slice(&text[1..len]);
            (piece(&raised[..len])?, Style::LETTER_CASE)
        }
    };
    let localized = of_language || !letter.exact;
    let style = style
        | Style::LOCALIZED.if_so(localized)
        | Style::PAWN_LETTER.if_so(letter.role == Role::Pawn);
    read_squares(&text[letter.len..], letter.role, style, dialect)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    File(File),
    Rank(Rank),
    Dash,
    Capture,
}

/// What stands behind the piece letter. Pawns have none.
fn read_squares(text: &[char], role: Role, style: Style, dialect: &Dialect) -> Option<Reading> {
    let mut parts = [Part::Dash; 6];
    let (mut count, mut at) = (0, 0);
    let mut style = style;
    while let Some(&letter) = text.get(at) {
        let latin = latin_look_alike(letter);
        let (part, departs) = match latin {
            'a'..='h' => (Part::File(File::from_char(latin)?), Style::STANDARD),
            'A'..='H' => {
                (Part::File(File::from_char(latin.to_ascii_lowercase())?), Style::LETTER_CASE)
            }
            '1'..='8' => (Part::Rank(Rank::from_char(latin)?), Style::STANDARD),
            'x' => (Part::Capture, Style::STANDARD),
            'X' | ':' | '×' | '*' => (Part::Capture, Style::CAPTURE),
            _ if is_dash(latin) => (Part::Dash, Style::STANDARD),
            // `Bb4xNc3` names what is taken.
            _ if count > 0 && parts[count - 1] == Part::Capture => {
                at += dialect.language.piece(&text[at..])?.len;
                style = style | Style::LONG;
                continue;
            }
            _ => break,
        };
        if count == parts.len() || is_promotion_letter(&parts[..count], part, role) {
            break;
        }
        style = style | departs | Style::LOCALIZED.if_so(latin != letter);
        parts[count] = part;
        count += 1;
        at += 1;
    }
    let (shape, long) = arrange(&parts[..count], role)?;
    let style = style | long;
    let (promotion, promotion_style) = read_promotion(&text[at..], &shape, dialect)?;
    // Without a letter two squares may be those of any piece.
    let role = shape.role.filter(|role| {
        *role != Role::Pawn || style.has(Style::PAWN_LETTER) || shape.from().is_none()
    });
    let meaning = Meaning::Piece(Shape { role, promotion, ..shape });
    Some(Reading::bare(meaning, style | promotion_style))
}

/// The `B` of `e8B` is no file.
fn is_promotion_letter(before: &[Part], part: Part, role: Role) -> bool {
    role == Role::Pawn
        && matches!(part, Part::File(_))
        && matches!(before, [.., Part::File(_), Part::Rank(Rank::First | Rank::Eighth)])
}

/// From what was written one after another to a shape.
fn arrange(parts: &[Part], role: Role) -> Option<(Shape, Style)> {
    use Part::{Capture, Dash, File as F, Rank as R};
    let none = Style::STANDARD;
    let (from_file, from_rank, capture, to_file, to_rank, style) = match *parts {
        [F(to), R(rank)] => (None, None, false, to, Some(rank), none),
        [F(to), R(rank), Capture] => (None, None, true, to, Some(rank), Style::CAPTURE),
        [Capture, F(to), R(rank)] if role == Role::Pawn => {
            (None, None, true, to, Some(rank), Style::INCOMPLETE)
        }
        [Capture, F(to), R(rank)] => (None, None, true, to, Some(rank), none),
        [Dash, F(to), R(rank)] => (None, None, false, to, Some(rank), Style::LONG),
        [F(from), F(to), R(rank)] => (Some(from), None, false, to, Some(rank), none),
        [F(from), Capture, F(to), R(rank)] => (Some(from), None, true, to, Some(rank), none),
        [F(from), Dash, F(to), R(rank)] => (Some(from), None, false, to, Some(rank), Style::LONG),
        [R(from), F(to), R(rank)] => (None, Some(from), false, to, Some(rank), none),
        [R(from), Capture, F(to), R(rank)] => (None, Some(from), true, to, Some(rank), none),
        [R(from), Dash, F(to), R(rank)] => (None, Some(from), false, to, Some(rank), Style::LONG),
        [F(file), R(from), F(to), R(rank)] => {
            let style = Style::LONG.if_so(role == Role::Pawn);
            (Some(file), Some(from), false, to, Some(rank), style)
        }
        [F(file), R(from), sign, F(to), R(rank)] => {
            let style = Style::LONG.if_so(sign == Dash || role == Role::Pawn);
            (Some(file), Some(from), sign == Capture, to, Some(rank), style)
        }
        [F(from), F(to)] if role == Role::Pawn && from != to => {
            (Some(from), None, true, to, None, Style::INCOMPLETE | Style::CAPTURE)
        }
        [F(from), Capture, F(to)] if role == Role::Pawn => {
            (Some(from), None, true, to, None, Style::INCOMPLETE)
        }
        _ => return None,
    };
    let shape = Shape {
        role: Some(role),
        from_file,
        from_rank,
        to_file,
        to_rank,
        capture,
        promotion: None,
    };
    Some((shape, style))
}

/// `=Q`, `Q`, `(Q)`, `=(Q)`, `/Q`, `=q`, `=♕`, `=Ф`, and `=` where the piece is missing.
fn read_promotion(
    text: &[char],
    shape: &Shape,
    dialect: &Dialect,
) -> Option<(Option<Role>, Style)> {
    if text.is_empty() {
        return Some((None, Style::STANDARD));
    }
    let promotes = matches!(shape.to_rank, None | Some(Rank::First | Rank::Eighth));
    // Elsewhere a sign is asked for: `e4N` is a novelty, and `e4=` an offer.
    if shape.role != Some(Role::Pawn) || !(promotes || text.len() > 1 && text[0] == '=') {
        return None;
    }
    let (signed, rest) = match text {
        ['=', rest @ ..] => (true, rest),
        ['/' | ':', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    let rest = match rest {
        [] if signed => return Some((None, Style::PROMOTION)),
        ['(', inside @ .., ')'] => inside,
        rest => rest,
    };
    let first = *rest.first()?;
    let plain = Style::PROMOTION.if_so(!(signed && rest.len() + 1 == text.len()));
    if let Some(role) = figurine(first) {
        return (rest.len() == 1).then_some((Some(role), plain | Style::FIGURINE));
    }
    if rest.len() > Language::LONGEST {
        return None;
    }
    let mut raised = [first.to_uppercase().next().unwrap_or(first); Language::LONGEST];
    raised[1..rest.len()].copy_from_slice(&rest[1..]);
    let raised = &raised[..rest.len()];
    let style = plain | Style::PROMOTION.if_so(raised[0] != first);
    if let Some(letter) = dialect.language.piece(raised)
        && letter.len == rest.len()
    {
        let localized = !dialect.language.is_english() || !letter.exact;
        return Some((Some(letter.role), style | Style::LOCALIZED.if_so(localized)));
    }
    // The piece may be named as everywhere, whatever the other letters are.
    let letter = ENGLISH.piece(raised)?;
    (letter.len == rest.len()).then_some((Some(letter.role), style))
}

/// Hyphens and dashes of every length, and the minus sign.
fn is_dash(letter: char) -> bool {
    matches!(letter, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '~' | '_' | '\u{96}' | '\u{97}')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Piece, from, to, promotion, as text.
    fn shown(reading: &Reading) -> String {
        match reading.meaning {
            Meaning::Castle(side) => format!("{side:?}"),
            Meaning::Null => "null".to_owned(),
            Meaning::Piece(shape) => {
                let file = |file: Option<File>| file.map_or('.', File::char);
                let rank = |rank: Option<Rank>| rank.map_or('.', Rank::char);
                let mut text = format!(
                    "{}{}{}{}{}{}",
                    shape.role.map_or('?', Role::upper_char),
                    file(shape.from_file),
                    rank(shape.from_rank),
                    if shape.capture { 'x' } else { '-' },
                    shape.to_file.char(),
                    rank(shape.to_rank)
                );
                if let Some(piece) = shape.promotion {
                    text.push(piece.upper_char());
                }
                text
            }
        }
    }

    fn in_language(name: &str, word: &str) -> Vec<String> {
        let dialect = Dialect::others().find(|it| it.language.name == name).unwrap();
        read(word.as_bytes(), &dialect).iter().map(shown).collect()
    }

    fn first(word: &str) -> Option<(String, Mark, Style)> {
        let reading = read(word.as_bytes(), &Dialect::STANDARD).into_iter().next()?;
        Some((shown(&reading), reading.mark, reading.style))
    }

    #[test]
    fn what_people_write_for_a_move_is_read_and_its_style_is_known() {
        use Mark::{Check, DoubleCheck, Mate, None as Plain};
        for (word, shape, mark, style) in [
            ("e2-e4", "?e2-e4", Plain, Style::LONG),
            ("e2\u{2013}e4", "?e2-e4", Plain, Style::LONG),
            ("e4xd5", "?e4xd5", Plain, Style::LONG),
            ("b1-e2", "?b1-e2", Plain, Style::LONG),
            ("R7a4", "R.7-a4", Plain, Style::STANDARD),
            ("b1e2", "?b1-e2", Plain, Style::UCI),
            ("52-54", "?e2-e4", Plain, Style::UCI),
            ("O-ON", "KingSide", Plain, Style::SYMBOL),
            ("Ng1-f3", "Ng1-f3", Plain, Style::LONG),
            ("Bb4xNc3", "Bb4xc3", Plain, Style::LONG),
            ("Re8xRe7", "Re8xe7", Plain, Style::LONG),
            ("e7-e8=Q+", "?e7-e8Q", Check, Style::LONG),
            ("e2e4", "?e2-e4", Plain, Style::UCI),
            ("e7e8n", "?e7-e8N", Plain, Style::UCI),
            ("♘f3", "N..-f3", Plain, Style::FIGURINE),
            ("♟xd5", "P..xd5", Plain, Style::FIGURINE | Style::INCOMPLETE),
            ("Nf3:", "N..xf3", Plain, Style::CAPTURE),
            ("N:f3", "N..xf3", Plain, Style::CAPTURE),
            ("N×f3", "N..xf3", Plain, Style::CAPTURE),
            ("ed", "Pe.xd.", Plain, Style::INCOMPLETE | Style::CAPTURE),
            ("exd", "Pe.xd.", Plain, Style::INCOMPLETE),
            ("exd6ep", "Pe.xd6", Plain, Style::EN_PASSANT),
            ("exd6e.p.", "Pe.xd6", Plain, Style::EN_PASSANT),
            ("exd6(ep)", "Pe.xd6", Plain, Style::EN_PASSANT),
            ("Qh5ch", "Q..-h5", Check, Style::CHECK_WORD),
            ("Qf7mate", "Q..-f7", Mate, Style::CHECK_WORD),
            ("Nd6++", "N..-d6", DoubleCheck, Style::STANDARD),
            ("Qf7†", "Q..-f7", Check, Style::CHECK_WORD),
            ("Nf3=", "N..-f3", Plain, Style::DRAW_OFFER),
            ("Nf3(=)", "N..-f3", Plain, Style::DRAW_OFFER),
            ("Nf3±", "N..-f3", Plain, Style::SYMBOL),
            ("Nf3+-", "N..-f3", Plain, Style::SYMBOL),
            ("Nf3N", "N..-f3", Plain, Style::SYMBOL),
            ("e4TN", "P..-e4", Plain, Style::SYMBOL),
            ("e8N", "P..-e8N", Plain, Style::PROMOTION),
            ("G1F3", "?g1-f3", Plain, Style::UCI | Style::LETTER_CASE),
            ("exd6/ep", "Pe.xd6", Plain, Style::EN_PASSANT),
            ("O&#45;O", "KingSide", Plain, Style::STANDARD),
            ("&#9816;f3", "N..-f3", Plain, Style::FIGURINE),
            ("Bh6+,", "B..-h6", Check, Style::PUNCTUATION),
            ("Pe4", "P..-e4", Plain, Style::PAWN_LETTER),
            ("E4", "P..-e4", Plain, Style::LETTER_CASE),
            ("NF3", "N..-f3", Plain, Style::LETTER_CASE),
            ("e8=♕", "P..-e8Q", Plain, Style::FIGURINE),
            ("e8b", "P..-e8B", Plain, Style::PROMOTION),
            ("e8=", "P..-e8", Plain, Style::PROMOTION),
            ("О-О", "KingSide", Plain, Style::CASTLING | Style::LOCALIZED),
            ("0\u{2013}0\u{2013}0+", "QueenSide", Check, Style::CASTLING),
            ("O-O", "KingSide", Plain, Style::STANDARD),
            ("0000", "null", Plain, Style::STANDARD),
        ] {
            assert_eq!(first(word), Some((shape.to_owned(), mark, style)), "{word}");
        }
    }

    #[test]
    fn a_lower_case_letter_may_be_a_file_or_a_piece() {
        let readings =
            |dialect| -> Vec<String> { read(b"bxc4", &dialect).iter().map(shown).collect() };
        assert_eq!(readings(Dialect::STANDARD), ["Pb.xc4", "B..xc4"]);
        let pieces_first = Dialect { pieces_first: true, ..Dialect::STANDARD };
        assert_eq!(readings(pieces_first), ["B..xc4", "Pb.xc4"]);
        assert_eq!(first("nf3").unwrap().2, Style::LETTER_CASE);
    }

    #[test]
    fn digits_are_squares_in_correspondence_chess() {
        let read = |digits: &str| read_numeric(digits.as_bytes()).map(|it| shown(&it));
        assert_eq!(read("5254").as_deref(), Some("?e2-e4"));
        assert_eq!(read("57581").as_deref(), Some("?e7-e8Q"));
        assert_eq!(read("5759"), None);
        assert_eq!(read("12"), None);
    }

    #[test]
    fn letters_mean_what_they_mean_in_their_language() {
        assert_eq!(in_language("German", "Sf3"), ["N..-f3"]);
        assert_eq!(in_language("Polish", "Sf3"), ["N..-f3"]);
        assert_eq!(in_language("Czech", "Sf3"), ["B..-f3"]);
        assert_eq!(in_language("German", "e8D"), ["P..-e8Q"]);
        assert_eq!(in_language("German", "Nf3"), ["N..-f3"]);
        assert_eq!(in_language("German", "Bc4"), ["P..-c4", "B..-c4"]);
        assert_eq!(in_language("German", "e8=Q"), ["P..-e8Q"]);
        assert_eq!(in_language("Russian", "Крf1"), ["K..-f1"]);
        assert_eq!(in_language("Russian", "fхg1=К+"), ["Pf.xg1N"]);
        assert_eq!(in_language("Russian", "Лаd1"), ["Ra.-d1"]);
        assert_eq!(in_language("Russian", "Кр:е5"), ["K..xe5"]);
    }

    #[test]
    fn what_is_no_move_has_no_reading() {
        for word in
            ["", "e", "e9", "N", "Nf", "hello", "1", "=", "+", "O", "O-", "Nf3Nc6", "e4e", "ee"]
        {
            assert_eq!(read(word.as_bytes(), &Dialect::STANDARD), [], "{word}");
        }
    }
}
