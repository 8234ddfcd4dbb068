//! The board of a variant: words come in as moves, and its own ways to end a game are known.

use shakmaty::san::{San, SanError};
use shakmaty::variant::{Variant, VariantPosition};
use shakmaty::{Color, KnownOutcome, Move, Outcome, Position, Role};

use super::{EndState, GameResult};
use crate::pgn::WrittenMove;

/// Where a line of a variant game stands.
#[derive(Clone, Debug)]
pub struct VariantBoard {
    pub position: VariantPosition,
    /// The position before the last move: where a variation of that move begins.
    pub before: VariantPosition,
}

impl VariantBoard {
    pub fn new(position: VariantPosition) -> VariantBoard {
        VariantBoard { before: position.clone(), position }
    }

    /// The board of the variation that replaces the last move.
    pub fn variation(&self) -> VariantBoard {
        VariantBoard::new(self.before.clone())
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.before.clone_from(&self.position);
        self.position.play_unchecked(m);
    }

    /// Passes the turn; whether that leaves a position to play on.
    pub fn pass(&mut self) -> bool {
        match self.position.clone().swap_turn() {
            Ok(position) => {
                self.before = std::mem::replace(&mut self.position, position);
                true
            }
            Err(_) => false,
        }
    }
}

/// Reads a word of a variant game: a move as in chess, or a drop (`N@f3`; `P@e4` and `@e4`).
pub fn read_variant_move(word: &[u8]) -> Option<WrittenMove> {
    let (role, square) = match *word {
        [b'@', ref square @ ..] | [b'P', b'@', ref square @ ..] => (Role::Pawn, square),
        [b'N', b'@', ref square @ ..] => (Role::Knight, square),
        [b'B', b'@', ref square @ ..] => (Role::Bishop, square),
        [b'R', b'@', ref square @ ..] => (Role::Rook, square),
        [b'Q', b'@', ref square @ ..] => (Role::Queen, square),
        _ => return WrittenMove::parse(word),
    };
    let square = WrittenMove::parse(square)?;
    match square.san {
        San::Normal {
            role: Role::Pawn, file: None, to, promotion: None, capture: false, ..
        } => Some(WrittenMove { san: San::Put { role, to }, ..square }),
        _ => None,
    }
}

/// The one legal move that `san` names. A wrong capture mark is overlooked where that leaves one
/// move.
pub fn resolve_variant(position: &VariantPosition, san: San) -> Result<Move, SanError> {
    let resolved = san.to_move(position);
    match (resolved, with_other_capture_mark(san)) {
        (Err(SanError::IllegalSan), Some(other)) => other.to_move(position),
        (resolved, _) => resolved,
    }
}

/// A pawn move without a file is left alone: `e4` is no capture on e4.
fn with_other_capture_mark(san: San) -> Option<San> {
    match san {
        San::Normal { role, file, rank, capture, to, promotion }
            if role != Role::Pawn || file.is_some() =>
        {
            Some(San::Normal { role, file, rank, capture: !capture, to, promotion })
        }
        _ => None,
    }
}

/// How a position ends the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantEnd {
    pub state: EndState,
    /// What it gives; `None` where servers differ.
    pub result: Option<GameResult>,
    /// What the board shows, as half a sentence.
    pub what: String,
}

/// How the game has ended on the board, if it has. Draws that depend on the way there are not
/// looked at, nor bare material.
pub fn variant_end(position: &VariantPosition) -> Option<VariantEnd> {
    if position.is_variant_end() {
        let winner = match position.variant_outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Some(winner),
            _ => None,
        };
        return Some(VariantEnd {
            state: EndState::VariantEnd,
            result: Some(winner.map_or(GameResult::Draw, won_by)),
            what: by_own_rule(position.variant(), winner),
        });
    }
    if !position.legal_moves().is_empty() {
        return None;
    }
    let us = position.turn();
    Some(if position.is_check() {
        VariantEnd {
            state: EndState::Checkmate,
            result: Some(won_by(!us)),
            what: format!("{} has mated", side(!us)),
        }
    } else {
        VariantEnd {
            state: EndState::Stalemate,
            // The side without a move wins giveaway; suicide counts the pieces.
            result: (position.variant() != Variant::Antichess).then_some(GameResult::Draw),
            what: format!("{} has no move", side(us)),
        }
    })
}

fn by_own_rule(variant: Variant, winner: Option<Color>) -> String {
    let Some(winner) = winner else { return "both kings have reached the last rank".to_owned() };
    let (us, them) = (side(winner), side(!winner));
    match variant {
        Variant::Atomic => format!("the king of {them} has exploded"),
        Variant::Antichess => format!("{us} has no piece left and wins"),
        Variant::KingOfTheHill => format!("the king of {us} has reached the centre"),
        Variant::ThreeCheck => format!("{us} has given check three times"),
        Variant::RacingKings => format!("the king of {us} has won the race"),
        Variant::Horde => format!("{them} has no piece left"),
        Variant::Chess | Variant::Crazyhouse => format!("{us} has won"),
    }
}

const fn won_by(color: Color) -> GameResult {
    match color {
        Color::White => GameResult::WhiteWins,
        Color::Black => GameResult::BlackWins,
    }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Mark;
    use crate::replay::{Start, read_start};

    fn position(variant: &str, fen: &str) -> VariantPosition {
        match read_start(Some(variant.as_bytes()), Some(fen.as_bytes())) {
            Start::Variant(start) => start.position,
            other => panic!("{variant} {fen}: {other:?}"),
        }
    }

    #[test]
    fn drops_are_read_with_their_marks() {
        for (word, standard, mark) in [
            ("N@f3", "N@f3", Mark::None),
            ("Q@g5+", "Q@g5", Mark::Check),
            ("P@e4#", "@e4", Mark::Mate),
            ("@e4", "@e4", Mark::None),
        ] {
            let written = read_variant_move(word.as_bytes()).expect(word);
            assert_eq!((written.san.to_string().as_str(), written.mark), (standard, mark));
        }
        for word in ["K@e4", "N@", "N@e9", "N@e8=Q", "N@exd5", "n@f3", "@"] {
            assert_eq!(read_variant_move(word.as_bytes()), None, "{word}");
        }
    }

    #[test]
    fn a_wrong_capture_mark_still_names_its_move() {
        let antichess = position("Antichess", "8/8/8/3p4/4P3/8/8/N7 w - - 0 1");
        for (word, legal) in [("exd5", true), ("ed5", true), ("d5", false), ("Nb3", false)] {
            let san = read_variant_move(word.as_bytes()).unwrap().san;
            assert_eq!(resolve_variant(&antichess, san).is_ok(), legal, "{word}");
        }
    }

    #[test]
    fn every_variant_ends_in_its_own_way() {
        use EndState::{Checkmate, Stalemate, VariantEnd};
        use GameResult::{BlackWins, Draw, WhiteWins};
        for (variant, fen, state, result) in [
            ("Atomic", "8/8/8/8/8/8/8/4K3 b - - 0 1", VariantEnd, Some(WhiteWins)),
            ("Antichess", "8/8/8/8/8/8/8/4K3 b - - 0 1", VariantEnd, Some(BlackWins)),
            ("Antichess", "8/8/8/4p3/4P3/8/8/8 w - - 0 1", Stalemate, None),
            ("KOTH", "4k3/8/8/4K3/8/8/8/8 b - - 0 1", VariantEnd, Some(WhiteWins)),
            ("3check", "4k3/8/8/8/8/8/8/4K2R b - - 0+3 0 1", VariantEnd, Some(WhiteWins)),
            ("Racing Kings", "k6K/8/8/8/8/8/8/8 w - - 0 1", VariantEnd, Some(Draw)),
            ("Racing Kings", "k7/8/8/8/8/8/8/7K w - - 0 1", VariantEnd, Some(BlackWins)),
            ("Crazyhouse", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Checkmate, Some(WhiteWins)),
            ("Crazyhouse", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Stalemate, Some(Draw)),
        ] {
            let end = variant_end(&position(variant, fen)).expect(fen);
            assert_eq!((end.state, end.result), (state, result), "{variant} {fen}");
        }
        assert_eq!(variant_end(&VariantPosition::new(Variant::Horde)), None);
    }
}
