//! In which ways a move is written otherwise than the standard asks.

use std::ops::BitOr;

/// A set of departures from PGN standard 8.2.3; empty for most moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style(u16);

impl Style {
    pub const STANDARD: Style = Style(0);
    /// Castling with zeros, lower case or other dashes.
    pub const CASTLING: Style = Style(1);
    /// A promotion written otherwise than `e8=Q`.
    pub const PROMOTION: Style = Style(1 << 1);
    /// A capture written with another sign than `x`.
    pub const CAPTURE: Style = Style(1 << 2);
    /// A letter in the wrong case.
    pub const LETTER_CASE: Style = Style(1 << 3);
    /// A chess symbol for a letter.
    pub const FIGURINE: Style = Style(1 << 4);
    /// Letters of another language or script.
    pub const LOCALIZED: Style = Style(1 << 5);
    /// `e2-e4`
    pub const LONG: Style = Style(1 << 6);
    /// `e2e4`
    pub const UCI: Style = Style(1 << 7);
    /// `exd6ep`
    pub const EN_PASSANT: Style = Style(1 << 8);
    /// `Nf3=`
    pub const DRAW_OFFER: Style = Style(1 << 9);
    /// `Qh5ch`
    pub const CHECK_WORD: Style = Style(1 << 10);
    /// `Nf3±`
    pub const SYMBOL: Style = Style(1 << 11);
    /// `ed` for `exd5`
    pub const INCOMPLETE: Style = Style(1 << 12);
    /// `Pe4`
    pub const PAWN_LETTER: Style = Style(1 << 13);
    /// `Nf3,`
    pub const PUNCTUATION: Style = Style(1 << 14);

    /// Whether all of `other` is in it.
    pub const fn has(self, other: Style) -> bool {
        self.0 & other.0 == other.0
    }

    pub const fn is_standard(self) -> bool {
        self.0 == 0
    }

    /// `self`, if the condition holds.
    pub const fn if_so(self, condition: bool) -> Style {
        if condition { self } else { Style::STANDARD }
    }
}

impl BitOr for Style {
    type Output = Style;

    fn bitor(self, other: Style) -> Style {
        Style(self.0 | other.0)
    }
}
