//! Moves in standard algebraic notation, as people write them (PGN standard 8.2.3).

use shakmaty::san::San;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::style::Style;

/// A move token, read but not yet held against a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenMove {
    pub san: San,
    pub mark: Mark,
    pub style: Style,
    /// The numeric annotation glyph of an evaluation symbol that hangs on the move.
    pub glyph: Option<u8>,
}

/// What is said of the opponent's king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    None,
    /// `+`
    Check,
    /// `++`, which old scores write for double check, and some for mate.
    DoubleCheck,
    /// `#`
    Mate,
}

impl WrittenMove {
    /// Reads a word without its `!` and `?`; `None` where it is not near enough to the standard,
    /// and has to be read as [other notations](super::notation) are.
    ///
    /// ```
    /// use pgn_arbiter::pgn::WrittenMove;
    /// assert!(WrittenMove::parse(b"Nbxd7+").is_some());
    /// assert!(!WrittenMove::parse(b"e8(Q)").unwrap().style.is_standard());
    /// assert!(WrittenMove::parse(b"Sf3").is_none());
    /// ```
    #[inline]
    pub fn parse(word: &[u8]) -> Option<WrittenMove> {
        let (body, mark) = split_mark(word);
        let (&first, rest) = body.split_first()?;
        let (san, style) = match first {
            b'a'..=b'h' => {
                let (san, departs) = pawn_move(body)?;
                (san, Style::PROMOTION.if_so(departs))
            }
            b'N' => (piece_move(Role::Knight, rest)?, Style::STANDARD),
            b'B' => (piece_move(Role::Bishop, rest)?, Style::STANDARD),
            b'R' => (piece_move(Role::Rook, rest)?, Style::STANDARD),
            b'Q' => (piece_move(Role::Queen, rest)?, Style::STANDARD),
            b'K' => (piece_move(Role::King, rest)?, Style::STANDARD),
            b'O' | b'o' | b'0' => {
                let (side, departs) = castling(body)?;
                (San::Castle(side), Style::CASTLING.if_so(departs))
            }
            b'-' | b'Z' if matches!(body, b"--" | b"Z0") => (San::Null, Style::STANDARD),
            _ => return None,
        };
        Some(WrittenMove { san, mark, style, glyph: None })
    }
}

/// Whether a word that is no known move stands for one: it names a square, on the board or beside
/// it, or looks like castling.
pub fn is_move_like(word: &[u8]) -> bool {
    word.windows(2).any(|pair| matches!(pair, [b'a'..=b'h' | b'A'..=b'H', b'0'..=b'9']))
        || matches!(word, b"--" | b"Z0")
        || is_descriptive(word)
        || (matches!(word, [b'O' | b'o' | b'0', b'-' | 0xE2, ..]))
}

/// Whether a word is two or three zeros with dashes between them, of whatever kind, and perhaps
/// the mark of a check.
pub fn is_castling_with_zeros(word: &[u8]) -> bool {
    let (mut zeros, mut rest) = (0, split_mark(word).0);
    while let [b'0', after @ ..] = rest {
        zeros += 1;
        rest = match after {
            [] => return (2..=3).contains(&zeros),
            // The last two are an en dash and an em dash in Windows-1252.
            [b'-' | 0x96 | 0x97, after @ ..]
            | [0xE2, 0x80, 0x90..=0x95, after @ ..]
            | [0xE2, 0x88, 0x92, after @ ..] => after,
            _ => return false,
        };
    }
    false
}

/// Whether a word looks like a move in English descriptive notation: `P-K4`, `QNxBP`.
pub fn is_descriptive(word: &[u8]) -> bool {
    let (body, _) = split_mark(word);
    let piece = |byte: &u8| b"PNBRQK".contains(byte);
    let Some(sign) = body.iter().position(|byte| matches!(byte, b'-' | b'x')) else {
        return false;
    };
    let (from, to) = (&body[..sign], &body[sign + 1..]);
    (1..=3).contains(&from.len())
        && from.iter().all(piece)
        && (1..=6).contains(&to.len())
        && piece(&to[0])
        && to.iter().all(|byte| piece(byte) || b"12345678()=/".contains(byte))
}

/// Whether a word is one of the twenty moves of the start position, or one of them in long
/// algebraic or engine notation.
pub fn is_first_move(word: &[u8]) -> bool {
    match word {
        [b'a'..=b'h', b'3' | b'4'] => true,
        [b'N', b'a' | b'c' | b'f' | b'h', b'3'] => true,
        [from, b'2', to, b'3' | b'4'] | [from, b'2', b'-', to, b'3' | b'4'] => {
            from == to && matches!(from, b'a'..=b'h')
        }
        _ => false,
    }
}

#[inline]
fn split_mark(word: &[u8]) -> (&[u8], Mark) {
    match word {
        [body @ .., b'+', b'+'] => (body, Mark::DoubleCheck),
        [body @ .., b'+'] => (body, Mark::Check),
        [body @ .., b'#'] => (body, Mark::Mate),
        _ => (word, Mark::None),
    }
}

#[inline]
fn file(byte: u8) -> Option<File> {
    File::from_char(char::from(byte))
}

#[inline]
fn rank(byte: u8) -> Option<Rank> {
    Rank::from_char(char::from(byte))
}

#[inline]
fn square(file_byte: u8, rank_byte: u8) -> Option<Square> {
    Some(Square::from_coords(file(file_byte)?, rank(rank_byte)?))
}

/// What stands behind the piece letter.
#[inline]
fn piece_move(role: Role, text: &[u8]) -> Option<San> {
    let (origin, to) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let to = square(to[0], to[1])?;
    let (origin, capture) = match origin {
        [origin @ .., b'x'] => (origin, true),
        origin => (origin, false),
    };
    let (from_file, from_rank) = match *origin {
        [] => (None, None),
        [byte @ b'a'..=b'h'] => (file(byte), None),
        [byte @ b'1'..=b'8'] => (None, rank(byte)),
        [f @ b'a'..=b'h', r @ b'1'..=b'8'] => (file(f), rank(r)),
        _ => return None,
    };
    Some(San::Normal { role, file: from_file, rank: from_rank, capture, to, promotion: None })
}

/// A pawn move, and whether its promotion is written otherwise than the standard asks.
#[inline]
fn pawn_move(text: &[u8]) -> Option<(San, bool)> {
    let (file, capture, to, rest) = match *text {
        [f, b'x', tf, tr, ref rest @ ..] => (file(f), true, square(tf, tr)?, rest),
        [tf, tr @ b'1'..=b'8', ref rest @ ..] => (None, false, square(tf, tr)?, rest),
        // `ed5`: the capture mark is missing.
        [f @ b'a'..=b'h', tf, tr, ref rest @ ..] => (file(f), false, square(tf, tr)?, rest),
        _ => return None,
    };
    if capture && file.is_none() {
        return None;
    }
    // `e4=` is a draw offer.
    if rest == b"=" && !matches!(to.rank(), Rank::First | Rank::Eighth) {
        return None;
    }
    let (promotion, style) = promotion(rest)?;
    Some((San::Normal { role: Role::Pawn, file, rank: None, capture, to, promotion }, style))
}

/// `=Q`, `Q`, `(Q)`, `=(Q)`, `/Q`, `=q`
#[inline]
fn promotion(text: &[u8]) -> Option<(Option<Role>, bool)> {
    let (letter, style) = match *text {
        [] => return Some((None, false)),
        [b'='] => return Some((None, true)),
        [b'=', letter] => (letter, letter.is_ascii_lowercase()),
        [letter] | [b'/', letter] | [b'(', letter, b')'] | [b'=', b'(', letter, b')'] => {
            (letter, true)
        }
        _ => return None,
    };
    let role = match letter.to_ascii_uppercase() {
        b'Q' => Role::Queen,
        b'R' => Role::Rook,
        b'B' => Role::Bishop,
        b'N' => Role::Knight,
        b'K' => Role::King,
        b'P' => Role::Pawn,
        _ => return None,
    };
    Some((Some(role), style))
}

/// The side, and whether it is written otherwise than `O-O` and `O-O-O`.
fn castling(text: &[u8]) -> Option<(CastlingSide, bool)> {
    match text {
        b"O-O" => return Some((CastlingSide::KingSide, false)),
        b"O-O-O" => return Some((CastlingSide::QueenSide, false)),
        _ => {}
    }
    let mut letters = 0;
    let mut rest = text;
    while let [b'O' | b'o' | b'0', after @ ..] = rest {
        letters += 1;
        // A dash of one byte, or one of the dashes of three bytes that Unicode has.
        rest = match after {
            [b'-', after @ ..] => after,
            [0xE2, 0x80, 0x90..=0x95, after @ ..] | [0xE2, 0x88, 0x92, after @ ..] => after,
            after => after,
        };
    }
    if !rest.is_empty() || matches!(text.last(), Some(b'-' | 0x80..)) {
        return None;
    }
    match letters {
        2 => Some((CastlingSide::KingSide, true)),
        3 => Some((CastlingSide::QueenSide, true)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_moves_read_as_shakmaty_reads_them() {
        for text in [
            "e4", "exd5", "Nf3", "Nbd7", "N1d2", "Nb1d2", "Nbxd7", "R1xa3", "Qa1xb2", "Kxe2",
            "a8=Q", "bxa8=N", "O-O", "O-O-O", "--",
        ] {
            let ours = WrittenMove::parse(text.as_bytes()).map(|written| written.san);
            assert_eq!(ours, San::from_ascii(text.as_bytes()).ok(), "{text}");
        }
    }

    #[test]
    fn other_spellings_are_read_and_noted() {
        for (text, standard) in [
            ("0-0", "O-O"),
            ("o-o-o", "O-O-O"),
            ("O\u{2013}O", "O-O"),
            ("e8Q", "e8=Q"),
            ("e8(N)", "e8=N"),
            ("e8=(R)", "e8=R"),
            ("e8/B", "e8=B"),
            ("dxe8=q", "dxe8=Q"),
        ] {
            let written = WrittenMove::parse(text.as_bytes()).expect(text);
            assert_eq!(written.san.to_string(), standard, "{text}");
            assert!(!written.style.is_standard(), "{text}");
        }
    }

    #[test]
    fn a_missing_capture_mark_keeps_its_file() {
        let written = WrittenMove::parse(b"ed5").expect("a pawn capture");
        assert!(matches!(written.san, San::Normal { file: Some(File::E), capture: false, .. }));
    }

    #[test]
    fn marks_are_split_off() {
        for (text, mark) in [
            ("Qh5", Mark::None),
            ("Qh5+", Mark::Check),
            ("Qh5#", Mark::Mate),
            ("Qh5++", Mark::DoubleCheck),
        ] {
            assert_eq!(WrittenMove::parse(text.as_bytes()).map(|m| m.mark), Some(mark), "{text}");
        }
    }

    #[test]
    fn zeros_with_dashes_of_any_kind_are_castling() {
        for text in ["0-0", "0-0-0", "0\u{2013}0", "0\u{2212}0\u{2212}0", "0-0+"] {
            assert!(is_castling_with_zeros(text.as_bytes()), "{text}");
        }
        assert!(is_castling_with_zeros(b"0\x960"));
        for text in ["0", "0-1", "0-0-1", "0-", "0--0", "0-0-0-0", "00"] {
            assert!(!is_castling_with_zeros(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn descriptive_notation_is_known_and_not_read() {
        for text in ["P-K4", "PxP", "N-KB3", "QNxBP", "B-N5+", "P-K8(Q)"] {
            assert!(is_descriptive(text.as_bytes()), "{text}");
            assert_eq!(WrittenMove::parse(text.as_bytes()), None, "{text}");
        }
        for text in ["O-O", "e2-e4", "Nxe5", "K-", "Black-White", "1-0", "N-x"] {
            assert!(!is_descriptive(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_left_alone() {
        for text in [
            "", "e", "e9", "i4", "N", "Nf", "Nf9", "Sf3", "e2-e4", "e2e4", "xe5", "O-", "O",
            "O-O-", "O-O-O-O", "e8=X", "e8=QQ", "Nf3=Q", "+", "#", "Nd4d5d6", "e4=", "Pe4",
        ] {
            assert_eq!(WrittenMove::parse(text.as_bytes()), None, "{text}");
        }
    }
}
