//! Words between moves that are no moves and say something about one.

use super::symbol;

/// What a word between moves says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remark {
    /// `e.p.`, standing apart.
    EnPassant,
    /// `ch`, `dis ch`, `mate`, or a `+` or `#` that stands apart.
    Check,
    /// `(=)`
    DrawOffer,
    /// An evaluation symbol, with the numeric annotation glyph that stands for it.
    Symbol(u8),
}

impl Remark {
    /// ```
    /// use pgn_arbiter::pgn::Remark;
    /// assert_eq!(Remark::of("e.p."), Some(Remark::EnPassant));
    /// assert_eq!(Remark::of("+-"), Some(Remark::Symbol(18)));
    /// assert_eq!(Remark::of("e4"), None);
    /// ```
    pub fn of(word: &str) -> Option<Remark> {
        // As a move has, and no remark.
        if word.bytes().any(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if let Some(glyph) = symbol::glyph(word) {
            return Some(Remark::Symbol(glyph));
        }
        let plain: String =
            word.chars().filter(|it| !matches!(it, '.' | '(' | ')' | ',')).collect();
        let remark = match plain.to_ascii_lowercase().as_str() {
            "ep" => Remark::EnPassant,
            "=" => Remark::DrawOffer,
            "+" | "++" | "#" | "ch" | "check" | "dis" | "disch" | "disc" | "dbl" | "dblch"
            | "double" | "mate" | "checkmate" | "matt" | "mat" | "†" | "‡" => Remark::Check,
            _ => return None,
        };
        Some(remark)
    }
}
