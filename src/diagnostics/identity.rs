//! By what a finding is known again in another run.
//!
//! In come a finding, the bytes it speaks of and the key of its game; out come 16 bytes that are
//! the same wherever the game stands, in whatever file, with whatever line ends, and whatever was
//! mended elsewhere in it. Two findings of one rule with the same text at the same ply of one game
//! have one identity: they are told apart by their number.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error};
use xxhash_rust::xxh3::Xxh3;

use super::Finding;

/// Stable over versions of the program: files hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(u128);

impl Identity {
    /// `game` is what the game is known by, `None` for a finding on the file as a whole.
    pub fn of(finding: &Finding, chunk: &[u8], game: Option<u128>) -> Identity {
        let mut hash = Xxh3::new();
        hash.update(finding.rule.code.as_bytes());
        hash.update(&game.unwrap_or_default().to_le_bytes());
        // A ply that is not known is another one than the start position.
        let ply = finding.ply.map_or(u32::MAX, |ply| ply.index);
        hash.update(&ply.to_le_bytes());
        for word in finding.span.of(chunk).split(u8::is_ascii_whitespace) {
            if !word.is_empty() {
                hash.update(word);
                hash.update(b" ");
            }
        }
        Identity(hash.digest128())
    }

    /// What stands for the findings of its rule that a game has and does not list.
    pub fn unlisted(self) -> Identity {
        let mut hash = Xxh3::new();
        hash.update(b"unlisted");
        hash.update(&self.0.to_le_bytes());
        Identity(hash.digest128())
    }

    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Option<Identity> {
        let digits = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        digits.then(|| u128::from_str_radix(text, 16).ok().map(Identity)).flatten()
    }
}

impl<'de> Deserialize<'de> for Identity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Identity, D::Error> {
        let text = String::deserialize(deserializer)?;
        let wrong = || D::Error::custom("the name of a fault is no 32 hexadecimal digits");
        Identity::parse(&text).ok_or_else(wrong)
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::{Ply, Span};
    use crate::rules::{moves, structure};

    const PLY: Ply = Ply { index: 7, move_number: 4, black: false, at_move: true };

    fn identity(text: &[u8], game: u128) -> Identity {
        let span = Span::new(2, text.len());
        let finding = Finding::new(&moves::UNREADABLE_MOVE, span).ply(PLY);
        Identity::of(&finding, text, Some(game))
    }

    #[test]
    fn place_and_line_ends_are_no_part_of_it() {
        let known = identity(b"??{open\nbrace", 1);
        assert_eq!(identity(b"!!{open\r\nbrace", 1), known);
        assert_eq!(identity(b"!!{open   brace\n", 1), known);
    }

    #[test]
    fn rule_game_ply_and_text_are_part_of_it() {
        let known = identity(b"??Qq9", 1);
        assert_ne!(identity(b"??Qq8", 1), known);
        assert_ne!(identity(b"??Qq9", 2), known);
        let finding = Finding::new(&moves::UNREADABLE_MOVE, Span::new(0, 3));
        let ply = |index| finding.clone().ply(Ply { index, ..PLY });
        assert_ne!(Identity::of(&ply(7), b"Qq9", Some(1)), Identity::of(&ply(8), b"Qq9", Some(1)));
        assert_ne!(Identity::of(&ply(0), b"Qq9", Some(1)), Identity::of(&finding, b"Qq9", Some(1)));
        let other = Finding::new(&structure::UNKNOWN_TOKEN, Span::new(0, 3)).ply(PLY);
        assert_ne!(Identity::of(&other, b"Qq9", Some(1)), known);
        assert_ne!(known.unlisted(), known);
    }

    #[test]
    fn words_run_together_are_another_text() {
        assert_ne!(identity(b"??ab c", 1), identity(b"??a bc", 1));
    }

    /// Files of users hold these: if this fails, their baselines are worth nothing.
    #[test]
    fn it_stays_the_same_from_version_to_version() {
        assert_eq!(identity(b"??Qq9", 1).to_string(), "27017bff645dbc21ff40ce9b1c04843e");
    }

    #[test]
    fn what_is_written_can_be_read() {
        let known = identity(b"??Qq9", 1);
        assert_eq!(Identity::parse(&known.to_string()), Some(known));
        for text in ["", "12", "+0000000000000000000000000000001", &format!("{known}0")] {
            assert_eq!(Identity::parse(text), None, "{text}");
        }
    }
}
