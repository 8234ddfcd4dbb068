//! The value of a FEN tag: bytes come in, the setup and the places of its fields come out.
//!
//! The fields are those of the standard (16.1), parted by white space, or by the underscores and
//! commas that web addresses and tables put there. Crazyhouse adds the pieces in hand behind the
//! board, in brackets or behind one more slash; three-check adds a field of its own, `3+3` before
//! the halfmove clock or `+0+0` at the end. What is missing at the end takes the usual values.

use std::ops::Range;

use shakmaty::Setup;
use shakmaty::fen::{Fen, ParseFenError};

/// A FEN that can be read. Places count from the start of the tag's value.
#[derive(Clone, Debug)]
pub struct FenText<'a> {
    value: &'a [u8],
    pub setup: Setup,
    /// The six fields of the standard, as far as they are there.
    fields: Vec<Range<usize>>,
    /// Pieces in hand are told, if only that there are none.
    pub pocket: bool,
}

/// Fields by their place in the standard's order, as far as they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenField {
    Board,
    Turn,
    Castling,
    EnPassant,
    MoveNumber = 5,
}

/// How many fields the standard asks for.
pub const FEN_FIELDS: usize = 6;

impl<'a> FenText<'a> {
    pub fn parse(value: &'a [u8]) -> Result<FenText<'a>, ParseFenError> {
        let mut fields = split(value);
        let mut text: Vec<u8> = Vec::with_capacity(value.len());
        for field in &fields {
            let field = &value[field.clone()];
            // XBoard writes a dash for empty hands.
            text.extend_from_slice(field.strip_suffix(b"[-]").unwrap_or(field));
            text.push(b' ');
        }
        let mut setup = Fen::from_ascii(&text)?.into_setup();
        fields.retain(|field| !value[field.clone()].contains(&b'+'));
        let board = fields.first().map_or(&b""[..], |field| &value[field.clone()]);
        let holds = setup.pockets.iter().flatten().any(|hand| hand.iter().any(|&n| n > 0));
        let pocket = board.ends_with(b"]") || holds;
        if !pocket {
            // A slash too many behind the last rank.
            setup.pockets = None;
        }
        Ok(FenText { value, setup, fields, pocket })
    }

    pub fn field(&self, field: FenField) -> Option<Range<usize>> {
        self.fields.get(field as usize).cloned()
    }

    /// The bytes of a field that is there.
    pub fn text(&self, field: FenField) -> Option<&'a [u8]> {
        self.field(field).map(|place| &self.value[place])
    }

    /// Where the last of too few fields ends, and what the usual values of the others are.
    pub fn missing_fields(&self) -> Option<(usize, &'static str)> {
        let usual = ["", " w - - 0 1", " - - 0 1", " - 0 1", " 0 1", " 1"];
        let end = self.fields.last()?.end;
        usual.get(self.fields.len()).map(|rest| (end, *rest))
    }

    /// The same board and side with other castling letters.
    pub fn with_castling(&self, letters: &[u8]) -> Option<Setup> {
        let board = self.text(FenField::Board)?;
        let board = board.strip_suffix(b"[-]").unwrap_or(board);
        let turn = self.text(FenField::Turn)?;
        Some(Fen::from_ascii(&[board, turn, letters].join(&b' ')).ok()?.into_setup())
    }
}

fn split(value: &[u8]) -> Vec<Range<usize>> {
    let mut fields = Vec::with_capacity(FEN_FIELDS);
    let mut start = 0;
    for field in value.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'_' | b',')) {
        if !field.is_empty() {
            fields.push(start..start + field.len());
        }
        start += field.len() + 1;
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_have_their_places() {
        let fen = FenText::parse(b" 4k3/8/8/8/8/8/8/4K2R  w K - 3 40").unwrap();
        assert_eq!(fen.field(FenField::Castling), Some(25..26));
        assert_eq!(fen.text(FenField::MoveNumber), Some(&b"40"[..]));
        assert_eq!(fen.missing_fields(), None);
    }

    #[test]
    fn other_separators_are_read() {
        for text in ["4k3/8/8/8/8/8/8/4K3_b_-_-_3_40", "4k3/8/8/8/8/8/8/4K3\tb,-,-,3,40"] {
            let fen = FenText::parse(text.as_bytes()).unwrap();
            assert_eq!(fen.setup.fullmoves.get(), 40, "{text}");
        }
    }

    #[test]
    fn too_few_fields_are_told_with_what_is_missing() {
        let fen = FenText::parse(b"4k3/8/8/8/8/8/8/4K3 w - ").unwrap();
        assert_eq!(fen.missing_fields(), Some((23, " - 0 1")));
    }

    #[test]
    fn pieces_in_hand_are_read_in_every_form() {
        for (board, pocket, pieces) in [
            ("4k3/8/8/8/8/8/8/4K3[Qn]", true, 2),
            ("4k3/8/8/8/8/8/8/4K3/Qn", true, 2),
            ("4k3/8/8/8/8/8/8/4K3[]", true, 0),
            ("4k3/8/8/8/8/8/8/4K3[-]", true, 0),
            ("4k3/8/8/8/8/8/8/4K3/", false, 0),
            ("4k3/8/8/8/8/8/8/4K3", false, 0),
        ] {
            let text = format!("{board} w - - 0 1");
            let fen = FenText::parse(text.as_bytes()).unwrap();
            assert_eq!(fen.pocket, pocket, "{board}");
            let held: u8 =
                fen.setup.pockets.iter().flatten().map(|hand| hand.iter().sum::<u8>()).sum();
            assert_eq!(held, pieces, "{board}");
        }
    }

    #[test]
    fn checks_are_no_field_of_the_standard() {
        for text in ["4k3/8/8/8/8/8/8/4K3 w - - 3+2 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +0+1"] {
            let fen = FenText::parse(text.as_bytes()).unwrap();
            assert!(fen.setup.remaining_checks.is_some(), "{text}");
            assert_eq!(fen.text(FenField::MoveNumber), Some(&b"1"[..]), "{text}");
        }
    }
}
