//! What is wrong with a FEN that can be played on: its text and the position it gave come in.

use std::ops::Range;

use shakmaty::{Bitboard, Position, PositionErrorKinds};

use super::fen::{FenField, FenText};

/// What is wrong with a FEN that can be played on. Places count from the start of the tag's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FenFaults {
    /// Where the last of too few fields ends, and what the usual values of the others are.
    pub missing_fields: Option<(usize, &'static str)>,
    /// Castling rights whose king or rook is not at home; they were dropped.
    pub castling: Option<ImpossibleCastling>,
    /// An en passant square that no double step can have left; it was dropped.
    pub en_passant: Option<Range<usize>>,
    /// The move number is 0; 1 was taken.
    pub move_number_zero: Option<Range<usize>>,
    /// The position belongs to rules that the Variant tag does not name.
    pub unnamed_rules: Option<UnnamedRules>,
}

/// A castling field of which only a part can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImpossibleCastling {
    pub field: Range<usize>,
    pub impossible: String,
    /// The rest, `-` where nothing is left.
    pub possible: String,
}

/// Rules that a position shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnnamedRules {
    /// As the Variant tag should give it.
    pub name: &'static str,
    /// What shows them, as half a sentence.
    pub evidence: &'static str,
}

/// A position that a FEN gave.
pub(super) struct Placed<P> {
    pub position: P,
    /// Castling rights or an en passant square were left out.
    pub dropped: PositionErrorKinds,
}

impl FenFaults {
    /// `None` where nothing is wrong.
    pub(super) fn of<P: Position>(
        fen: &FenText<'_>,
        placed: &Placed<P>,
        unnamed_rules: Option<UnnamedRules>,
    ) -> Option<Box<FenFaults>> {
        let dropped = |kind| placed.dropped.contains(kind);
        let castling = dropped(PositionErrorKinds::INVALID_CASTLING_RIGHTS)
            .then(|| impossible_castling(fen, placed.position.castles().castling_rights()));
        let en_passant =
            dropped(PositionErrorKinds::INVALID_EP_SQUARE).then(|| fen.field(FenField::EnPassant));
        let number = fen.text(FenField::MoveNumber);
        let zero = number.is_some_and(|number| number.iter().all(|digit| *digit == b'0'));
        let faults = FenFaults {
            missing_fields: fen.missing_fields(),
            castling: castling.flatten(),
            en_passant: en_passant.flatten(),
            move_number_zero: fen.field(FenField::MoveNumber).filter(|_| zero),
            unnamed_rules,
        };
        (faults != FenFaults::default()).then(|| Box::new(faults))
    }
}

/// Which letters of the castling field stand for rights that were kept.
fn impossible_castling(fen: &FenText<'_>, kept: Bitboard) -> Option<ImpossibleCastling> {
    let letters = fen.text(FenField::Castling)?;
    let stands = |letter: &u8| {
        fen.with_castling(&[*letter]).is_some_and(|setup| setup.castling_rights.is_subset(kept))
    };
    let (possible, impossible): (Vec<u8>, Vec<u8>) = letters.iter().partition(|it| stands(it));
    let text = |letters: Vec<u8>| String::from_utf8_lossy(&letters).into_owned();
    Some(ImpossibleCastling {
        field: fen.field(FenField::Castling)?,
        impossible: text(impossible),
        possible: if possible.is_empty() { "-".to_owned() } else { text(possible) },
    })
}
