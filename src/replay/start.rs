//! The start position of a game, from its FEN and Variant tags.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, PositionErrorKinds, Setup};

/// What the tags say of where the game starts.
#[derive(Debug)]
pub enum Start {
    Position(StartPosition),
    /// The FEN tag cannot be played on; with the reason.
    Unplayable(String),
    /// Rules that are not known here.
    UnknownVariant,
}

/// A position to play on from.
#[derive(Clone, Debug)]
pub struct StartPosition {
    pub position: Chess,
    /// Whether a FEN tag set it up.
    pub set_up: bool,
    /// The FEN has fewer than six fields.
    pub fields_missing: bool,
    /// The FEN names castling rights whose king or rook is not at home; they were dropped.
    pub impossible_castling: bool,
}

impl StartPosition {
    /// The start position of chess.
    pub fn standard() -> StartPosition {
        StartPosition {
            position: Chess::new(),
            set_up: false,
            fields_missing: false,
            impossible_castling: false,
        }
    }
}

/// Reads the values of the Variant and FEN tags.
///
/// Castling rights are read as standard ones where these fit, else as those of Chess960. Too much
/// material and checks that no move can have given are no fault: problems have them. An en passant
/// square that no double step can have left is dropped.
pub fn read_start(variant: Option<&[u8]>, fen: Option<&[u8]>) -> Start {
    let rules = match variant.map_or(Some(Rules::Standard), Rules::of_tag) {
        Some(rules) => rules,
        None => return Start::UnknownVariant,
    };
    let Some(fen) = fen else { return Start::Position(StartPosition::standard()) };
    let fen = fen.trim_ascii();
    let setup = match Fen::from_ascii(fen) {
        Ok(fen) => fen.into_setup(),
        Err(error) => return Start::Unplayable(format!("the FEN does not parse: {error}")),
    };
    let (position, impossible_castling) = match play_on(setup, rules) {
        Ok(played) => played,
        Err(kinds) => return Start::Unplayable(why_unplayable(kinds)),
    };
    Start::Position(StartPosition {
        position,
        set_up: true,
        fields_missing: fen.split(u8::is_ascii_whitespace).filter(|f| !f.is_empty()).count() < 6,
        impossible_castling,
    })
}

/// Whose rules the Variant tag names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    Standard,
    Chess960,
}

impl Rules {
    /// Servers write the standard rules in several ways, and Chess960 in more.
    fn of_tag(value: &[u8]) -> Option<Rules> {
        let name = String::from_utf8_lossy(value.trim_ascii()).to_ascii_lowercase();
        match name.as_str() {
            "" | "?" | "-" | "standard" | "chess" | "normal" | "classical" | "from position"
            | "fromposition" | "regular" => Some(Rules::Standard),
            _ if name.contains("960") || name.contains("fischer") || name == "frc" => {
                Some(Rules::Chess960)
            }
            _ if name == "dfrc" || name.contains("double fischer") => Some(Rules::Chess960),
            _ => None,
        }
    }
}

/// The position, and whether castling rights had to be dropped.
fn play_on(setup: Setup, rules: Rules) -> Result<(Chess, bool), PositionErrorKinds> {
    let modes = match rules {
        Rules::Standard => &[CastlingMode::Standard, CastlingMode::Chess960][..],
        Rules::Chess960 => &[CastlingMode::Chess960],
    };
    for &mode in modes {
        if let Ok(position) = set_up(&setup, mode, false) {
            return Ok((position, false));
        }
    }
    set_up(&setup, modes[0], true).map(|position| (position, true))
}

/// The reasons are those that no leniency overcomes.
fn set_up(
    setup: &Setup,
    mode: CastlingMode,
    drop_castling: bool,
) -> Result<Chess, PositionErrorKinds> {
    let position = Chess::from_setup(setup.clone(), mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square);
    let position = match position {
        Err(error) if drop_castling => error.ignore_invalid_castling_rights(),
        position => position,
    };
    position.map_err(|error| error.kinds())
}

fn why_unplayable(kinds: PositionErrorKinds) -> String {
    let reasons = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
    ];
    // The board may be empty and its kings missing; one reason is enough for a person.
    reasons
        .into_iter()
        .find(|(kind, _)| kinds.contains(*kind))
        .map_or("the position cannot be played on", |(_, reason)| reason)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position as _;

    fn start(variant: &str, fen: &str) -> Start {
        read_start(Some(variant.as_bytes()), Some(fen.as_bytes()))
    }

    #[test]
    fn chess960_castling_rights_are_read_with_and_without_the_tag() {
        let fen = "nrbbkrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKRQN w KQkq - 0 1";
        for variant in ["", "Chess960", "fischerandom", "Standard"] {
            let Start::Position(start) = start(variant, fen) else { panic!("{variant}") };
            assert!(!start.impossible_castling, "{variant}");
            assert_eq!(start.position.castles().castling_rights().count(), 4, "{variant}");
        }
    }

    #[test]
    fn a_right_without_its_rook_is_dropped_and_told() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1";
        let Start::Position(start) = start("", fen) else { panic!() };
        assert!(start.impossible_castling);
        assert_eq!(start.position.castles().castling_rights().count(), 3);
    }

    #[test]
    fn positions_that_cannot_be_played_on_say_why() {
        for (fen, reason) in [
            ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "the side that is not to move is in check"),
            ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "a side has more than one king"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "a king is missing"),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or last rank"),
            ("nonsense", "the FEN does not parse"),
        ] {
            let Start::Unplayable(why) = start("", fen) else { panic!("{fen}") };
            assert!(why.starts_with(reason), "{why}");
        }
    }

    #[test]
    fn problems_with_too_much_material_are_played() {
        let fen = "4k3/8/8/8/8/8/PPPPPPPP/QQQQKQQQ w - - 0 1";
        assert!(matches!(start("", fen), Start::Position(_)));
    }

    #[test]
    fn short_fens_are_read_and_told() {
        let Start::Position(start) = start("", "4k3/8/8/8/8/8/8/4K2R w K") else { panic!() };
        assert!(start.fields_missing);
    }

    #[test]
    fn unknown_rules_are_not_guessed() {
        assert!(matches!(read_start(Some(b"Crazyhouse"), None), Start::UnknownVariant));
    }
}
