//! The start position of a game, from its FEN and Variant tags.

use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{
    Board, CastlingMode, Chess, FromSetup, Position, PositionError, PositionErrorKinds,
};

use super::fen::FenText;
use super::fen_faults::{FenFaults, Placed, UnnamedRules};
use super::ruleset::{Ruleset, variant_name};

/// What the tags say of where the game starts.
#[derive(Debug)]
pub enum Start {
    Position(StartPosition),
    Variant(Box<VariantStart>),
    /// The FEN tag cannot be played on; with the reason.
    Unplayable(String),
    /// Rules that are not known here.
    UnknownVariant,
}

/// A position of chess to play on from.
#[derive(Clone, Debug)]
pub struct StartPosition {
    pub position: Chess,
    /// Whether a FEN tag set it up.
    pub set_up: bool,
    /// `None` where nothing is wrong, as in nearly all games.
    pub faults: Option<Box<FenFaults>>,
}

/// A position of another game to play on from.
#[derive(Clone, Debug)]
pub struct VariantStart {
    pub position: VariantPosition,
    /// `None` where nothing is wrong.
    pub faults: Option<Box<FenFaults>>,
}

impl StartPosition {
    /// The start position of chess.
    pub fn standard() -> StartPosition {
        StartPosition { position: Chess::new(), set_up: false, faults: None }
    }
}

/// Reads the values of the Variant and FEN tags.
///
/// Castling rights are read as standard ones where these fit, else as those of Chess960. Too much
/// material and checks that no move can have given are no fault: problems have them. Pieces in
/// hand, counts of checks and the start positions of Horde and Racing Kings are never those of
/// chess, whatever the Variant tag leaves out.
pub fn read_start(variant: Option<&[u8]>, fen: Option<&[u8]>) -> Start {
    match variant.map_or(Some(Ruleset::Standard), Ruleset::of_tag) {
        Some(rules) => start_under(rules, fen),
        None => Start::UnknownVariant,
    }
}

/// Reads the value of the FEN tag by these rules.
pub fn start_under(rules: Ruleset, fen: Option<&[u8]>) -> Start {
    let Some(fen) = fen else {
        return match rules {
            Ruleset::Variant(variant) => Start::Variant(Box::new(VariantStart {
                position: VariantPosition::new(variant),
                faults: None,
            })),
            _ => Start::Position(StartPosition::standard()),
        };
    };
    let fen = match FenText::parse(fen) {
        Ok(fen) => fen,
        Err(error) => return Start::Unplayable(format!("the FEN does not parse: {error}")),
    };
    let shown = if rules == Ruleset::Standard { variant_shown(&fen) } else { None };
    let start = match (shown, rules) {
        (Some((variant, evidence)), _) => {
            let rules = UnnamedRules { name: variant_name(variant), evidence };
            variant_start(variant, &fen, Some(rules)).map(Start::Variant)
        }
        (None, Ruleset::Variant(variant)) => variant_start(variant, &fen, None).map(Start::Variant),
        _ => chess_start(rules, &fen).map(Start::Position),
    };
    start.unwrap_or_else(|kinds| Start::Unplayable(why_unplayable(kinds)))
}

/// The variant whose own fields a FEN has, or whose own start position it is.
fn variant_shown(fen: &FenText<'_>) -> Option<(Variant, &'static str)> {
    if fen.pocket {
        Some((Variant::Crazyhouse, "the FEN tells of pieces in hand"))
    } else if fen.setup.remaining_checks.is_some() {
        Some((Variant::ThreeCheck, "the FEN counts checks"))
    } else if fen.setup.board == Board::horde() {
        Some((Variant::Horde, "the FEN is the start position of Horde"))
    } else if fen.setup.board == Board::racing_kings() {
        Some((Variant::RacingKings, "the FEN is the start position of Racing Kings"))
    } else {
        None
    }
}

fn chess_start(rules: Ruleset, fen: &FenText<'_>) -> Result<StartPosition, PositionErrorKinds> {
    let modes = if rules == Ruleset::Chess960 { SHUFFLED } else { EITHER };
    let placed = place(modes, &|mode| lenient(Chess::from_setup(fen.setup.clone(), mode)))?;
    let shuffled = placed.position.castles().mode().is_chess960();
    let unnamed = (rules == Ruleset::Standard && shuffled).then_some(UnnamedRules {
        name: "Chess960",
        evidence: "the castling rights of the FEN are possible in Chess960 only",
    });
    let faults = FenFaults::of(fen, &placed, unnamed);
    Ok(StartPosition { position: placed.position, set_up: true, faults })
}

fn variant_start(
    variant: Variant,
    fen: &FenText<'_>,
    unnamed: Option<UnnamedRules>,
) -> Result<Box<VariantStart>, PositionErrorKinds> {
    let placed = place(EITHER, &|mode| {
        lenient(VariantPosition::from_setup(variant, fen.setup.clone(), mode))
    })?;
    let faults = FenFaults::of(fen, &placed, unnamed);
    Ok(Box::new(VariantStart { position: placed.position, faults }))
}

const EITHER: &[CastlingMode] = &[CastlingMode::Standard, CastlingMode::Chess960];
const SHUFFLED: &[CastlingMode] = &[CastlingMode::Chess960];

/// Sets up a position in the first mode in which all castling rights can stand, else in the first
/// of all, without those that cannot. The reasons against it are those that no leniency overcomes.
fn place<P>(
    modes: &[CastlingMode],
    set_up: &dyn Fn(CastlingMode) -> Result<Placed<P>, PositionErrorKinds>,
) -> Result<Placed<P>, PositionErrorKinds> {
    let mut first = None;
    for &mode in modes {
        let placed = set_up(mode)?;
        if !placed.dropped.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS) {
            return Ok(placed);
        }
        first.get_or_insert(placed);
    }
    first.ok_or(PositionErrorKinds::INVALID_CASTLING_RIGHTS)
}

fn lenient<P>(position: Result<P, PositionError<P>>) -> Result<Placed<P>, PositionErrorKinds> {
    let mut dropped = PositionErrorKinds::empty();
    position
        .or_else(|error| {
            dropped = error.kinds();
            error.ignore_too_much_material()
        })
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_invalid_castling_rights)
        .map(|position| Placed { position, dropped })
        .map_err(|error| error.kinds())
}

fn why_unplayable(kinds: PositionErrorKinds) -> String {
    let reasons = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that is not to move is in check"),
        (PositionErrorKinds::VARIANT, "the rules of the variant do not allow the position"),
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

    fn start(variant: &str, fen: &str) -> Start {
        read_start(Some(variant.as_bytes()), Some(fen.as_bytes()))
    }

    fn chess(variant: &str, fen: &str) -> StartPosition {
        match start(variant, fen) {
            Start::Position(start) => start,
            other => panic!("{variant} {fen}: {other:?}"),
        }
    }

    #[test]
    fn chess960_castling_rights_are_read_with_and_without_the_tag() {
        let fen = "nrbbkrqn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKRQN w KQkq - 0 1";
        for (variant, named) in
            [("", false), ("Standard", false), ("Chess960", true), ("From Position", true)]
        {
            let start = chess(variant, fen);
            assert_eq!(start.faults.is_none(), named, "{variant}");
            assert!(start.faults.is_none_or(|faults| faults.castling.is_none()), "{variant}");
            assert_eq!(start.position.castles().castling_rights().count(), 4, "{variant}");
        }
    }

    #[test]
    fn rooks_are_named_by_side_or_by_file() {
        for letters in ["KQkq", "HAha", "HQkq", "KAha"] {
            let start = chess("", &format!("r3k2r/8/8/8/8/8/8/R3K2R w {letters} - 0 1"));
            assert_eq!(start.faults, None, "{letters}");
            assert!(!start.position.castles().mode().is_chess960(), "{letters}");
            assert_eq!(start.position.castles().castling_rights().count(), 4, "{letters}");
        }
        // K is the outermost rook, G the inner one.
        for (letter, file) in [("K", "h1"), ("G", "g1")] {
            let start = chess("Chess960", &format!("4k3/8/8/8/8/8/8/4K1RR w {letter} - 0 1"));
            let rights = start.position.castles().castling_rights();
            assert_eq!(
                rights.single_square().map(|square| square.to_string()).as_deref(),
                Some(file)
            );
        }
    }

    #[test]
    fn a_right_without_its_rook_is_dropped_and_told() {
        let start = chess("", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1");
        let faults = start.faults.unwrap();
        let castling = faults.castling.unwrap();
        assert_eq!((castling.impossible.as_str(), castling.possible.as_str()), ("K", "Qkq"));
        assert_eq!(start.position.castles().castling_rights().count(), 3);
        assert_eq!(faults.unnamed_rules, None);
    }

    #[test]
    fn an_en_passant_square_needs_a_pawn_behind_it() {
        let possible = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        assert_eq!(chess("", possible).faults, None);
        for square in ["e6", "d3", "e4"] {
            let fen = possible.replace("e3", square);
            let faults = chess("", &fen).faults.expect(square);
            let place = faults.en_passant.expect(square);
            assert_eq!(&fen[place], square);
        }
    }

    #[test]
    fn a_move_number_of_zero_is_read_as_one_and_told() {
        let start = chess("", "4k3/8/8/8/8/8/8/4K3 w - - 0 0");
        assert_eq!(start.faults.unwrap().move_number_zero, Some(28..29));
        assert_eq!(start.position.fullmoves().get(), 1);
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
        assert_eq!(chess("", fen).faults, None);
    }

    #[test]
    fn short_fens_are_read_and_told() {
        let faults = chess("", "4k3/8/8/8/8/8/8/4K2R w K").faults.unwrap();
        assert_eq!(faults.missing_fields, Some((24, " - 0 1")));
    }

    #[test]
    fn a_fen_shows_its_variant_by_fields_or_a_start_position_of_its_own() {
        for (fen, variant) in [
            (
                "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
                Variant::Horde,
            ),
            ("8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1", Variant::RacingKings),
            ("4k3/8/8/8/8/8/8/4K3[Qn] w - - 0 1", Variant::Crazyhouse),
            ("4k3/8/8/8/8/8/8/4K3/Qn w - - 0 1", Variant::Crazyhouse),
            ("4k3/8/8/8/8/8/8/4K2R w - - 3+2 0 1", Variant::ThreeCheck),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1 +0+1", Variant::ThreeCheck),
        ] {
            let Start::Variant(shown) = start("", fen) else { panic!("{fen}") };
            assert_eq!(shown.position.variant(), variant, "{fen}");
            let rules = shown.faults.unwrap().unnamed_rules.unwrap();
            assert_eq!(rules.name, variant_name(variant), "{fen}");
            let Start::Variant(named) = start(variant_name(variant), fen) else { panic!("{fen}") };
            assert_eq!(named.faults, None, "{fen}");
        }
    }

    #[test]
    fn variants_start_where_their_rules_say() {
        let Start::Variant(start) = read_start(Some(b"Racing Kings"), None) else { panic!() };
        assert!(start.position.board().pawns().is_empty());
    }

    #[test]
    fn unknown_rules_are_not_guessed() {
        assert!(matches!(read_start(Some(b"Bughouse"), None), Start::UnknownVariant));
    }
}
