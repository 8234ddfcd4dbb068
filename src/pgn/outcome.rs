//! Spellings of a result, in the Result tag and as termination marker (PGN standard 8.1.1.7,
//! 8.2.6).

use crate::replay::GameResult;

/// Reads one spelling; `true` where it is the standard's own.
///
/// ```
/// use pgn_arbiter::pgn::parse_result;
/// use pgn_arbiter::replay::GameResult;
/// assert_eq!(parse_result(b"1-0"), Some((GameResult::WhiteWins, true)));
/// assert_eq!(parse_result(b"1/2"), Some((GameResult::Draw, false)));
/// assert_eq!(parse_result(b"e4"), None);
/// ```
pub fn parse_result(text: &[u8]) -> Option<(GameResult, bool)> {
    match text {
        b"1-0" => return Some((GameResult::WhiteWins, true)),
        b"0-1" => return Some((GameResult::BlackWins, true)),
        b"1/2-1/2" => return Some((GameResult::Draw, true)),
        b"*" => return Some((GameResult::Unknown, true)),
        _ => {}
    }
    // The longest other spelling is a draw with a dash of three bytes and two halves of three.
    if text.len() > 16 {
        return None;
    }
    // The letter for the zero, beside a one: alone it is castling.
    match text {
        b"1-O" | b"1-o" | b"1:O" => return Some((GameResult::WhiteWins, false)),
        b"O-1" | b"o-1" | b"O:1" => return Some((GameResult::BlackWins, false)),
        _ => {}
    }
    let (white, black) = split_score(text);
    let result = match (Score::parse(white)?, black.map(Score::parse)) {
        (Score::Half, None) => GameResult::Draw,
        (_, None | Some(None)) => return None,
        (Score::One, Some(Some(Score::Zero))) => GameResult::WhiteWins,
        (Score::Zero, Some(Some(Score::One))) => GameResult::BlackWins,
        (Score::Half, Some(Some(Score::Half))) => GameResult::Draw,
        (Score::Zero, Some(Some(Score::Zero | Score::Half)))
        | (Score::Half, Some(Some(Score::Zero))) => GameResult::OffBoard,
        (Score::One, Some(Some(_))) | (Score::Half, Some(Some(Score::One))) => return None,
    };
    Some((result, false))
}

#[derive(Clone, Copy)]
enum Score {
    Zero,
    Half,
    One,
}

impl Score {
    fn parse(text: &[u8]) -> Option<Score> {
        match text {
            b"0" => Some(Score::Zero),
            b"1" => Some(Score::One),
            // The sign as UTF-8, in ISO 8859-1 and in the DOS code pages.
            b"1/2" | b"0.5" | b".5" | b"0,5" | b"\xC2\xBD" | b"\xBD" | b"\xAB" => Some(Score::Half),
            _ => None,
        }
    }
}

const DASHES: [&[u8]; 8] = [
    b"-",
    b":",
    "\u{2010}".as_bytes(),
    "\u{2011}".as_bytes(),
    "\u{2012}".as_bytes(),
    "\u{2013}".as_bytes(),
    "\u{2014}".as_bytes(),
    "\u{2212}".as_bytes(),
];

fn split_score(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    for at in 1..text.len() {
        if let Some(dash) = DASHES.iter().find(|dash| text[at..].starts_with(dash)) {
            return (text[..at].trim_ascii(), Some(text[at + dash.len()..].trim_ascii()));
        }
    }
    (text, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_spellings_are_read_and_told_apart_from_the_standard_ones() {
        for (text, result) in [
            ("1:0", GameResult::WhiteWins),
            ("0\u{2013}1", GameResult::BlackWins),
            ("1/2", GameResult::Draw),
            ("½-½", GameResult::Draw),
            ("½", GameResult::Draw),
            ("0.5-0.5", GameResult::Draw),
            ("1/2:1/2", GameResult::Draw),
            ("1 - 0", GameResult::WhiteWins),
            ("1-O", GameResult::WhiteWins),
            ("O-1", GameResult::BlackWins),
            ("0-0", GameResult::OffBoard),
            ("1/2-0", GameResult::OffBoard),
        ] {
            assert_eq!(parse_result(text.as_bytes()), Some((result, false)), "{text}");
        }
    }

    #[test]
    fn what_is_no_result_is_left_alone() {
        for text in ["", "1", "0", "-", "1-1", "1-", "-0", "12-0", "O-O", "e2-e4", "1-0-1"] {
            assert_eq!(parse_result(text.as_bytes()), None, "{text}");
        }
    }
}
